/** Around the tower: light, leaves, numbers on the stones, and the ground it stands on. */

import * as THREE from "/page/vendor/three.js";
import { MeshBuilder, dice } from "./mesh-builder.js";
import {
  BACK,
  HALF,
  HALL,
  LANDING,
  LANE,
  LEAF,
  LETTERS,
  LOW,
  RISE,
  SIDE,
  STEPS,
  TREAD,
  WALL,
  WIDE,
  YARD,
} from "./geometry.js";
import { GROUND, GROUND_AT, ground, plates, soft, straw } from "./materials.js";

/** @typedef {import("./mesh-builder.js").Pen} Pen */
/** @typedef {import("./materials.js").Palette} Palette */
/** @typedef {[number, number, number]} Point */

/** Where the torches burn. @type {Point[]} */
export const FLAMES = [
  [-HALF - 0.2, LANDING + 4.6, BACK + 1],
  [HALF + 0.2, LANDING + 4.6, BACK + 1],
].map(([x, y, z]) => /** @type {Point} */ ([x, y, z]));

/** @param {MeshBuilder} rest @param {Pen} ink @param {Palette} colours */
export function torches(rest, ink, colours) {
  for (const [x, y, z] of FLAMES) {
    rest.post(0.36, 0.16, 2.2, colours["wood-deep"], [x, y - 1.3, z - 0.2], { turn: [0.25, 0, 0] });
    rest.post(0.5, 0.4, 0.4, colours.iron, [x, y - 0.3, z]);
    ink
      .lines(
        [
          [x - 0.36, y - 0.3, z + 0.3],
          [x - 0.14, y - 2.3, z - 0.2],
        ],
        0.04,
      )
      .lines(
        [
          [x + 0.36, y - 0.3, z + 0.3],
          [x + 0.14, y - 2.3, z - 0.2],
        ],
        0.04,
      );
  }
}

/** Flames, which shine by themselves. @param {Palette} colours */
export function flames(colours) {
  const builder = new MeshBuilder();
  for (const at of FLAMES) {
    builder.turned(
      [
        [0, 1.9],
        [0.2, 1.2],
        [0.52, 0.5],
        [0.42, 0.05],
        [0, -0.1],
      ],
      colours.flame,
      at,
    );
    builder.turned(
      [
        [0, 1.1],
        [0.14, 0.7],
        [0.3, 0.3],
        [0, 0],
      ],
      colours["flame-light"],
      [at[0], at[1], at[2] + 0.35],
    );
  }
  return new THREE.Mesh(builder.shape(), new THREE.MeshBasicMaterial({ vertexColors: true }));
}

/** Where pines stand, and how large they are. */
const PINES = [
  [-24, -10, 1],
  [-28, -19, 1.25],
  [-21, -25, 0.9],
  [25, -14, 1.15],
  [22, -24, 0.9],
  [29, -24, 1.3],
  [-22, 4, 0.75],
  [24, 2, 0.7],
];

/** Pines around. @param {MeshBuilder} rest @param {Pen} ink @param {Palette} colours */
export function trees(rest, ink, colours) {
  for (const [x, z, size] of PINES) {
    rest.post(0.4 * size, 0.5 * size, 2 * size, colours["wood-deep"], [x, size, z]);
    for (const [low, wide] of [
      [1.4, 2.9],
      [3.2, 2.3],
      [5, 1.6],
    ]) {
      rest.add(new THREE.ConeGeometry(wide * size, 3.2 * size, 11), colours.pine, [x, (low + 1.6) * size, z]);
      ink.lines(
        [-1, -0.5, 0, 0.5, 1].map(
          (way) =>
            /** @type {Point} */ ([
              x + way * wide * size,
              low * size - 0.05,
              z + Math.sqrt(1 - way * way) * wide * size,
            ]),
        ),
        0.05,
      );
      for (const side of [-1, 1])
        ink.line([x + side * wide * size * 0.98, low * size, z + 0.2], [x, (low + 3.2) * size, z], 0.05);
    }
  }
}

/** @param {Palette} colours @param {{ toon: (more?: object) => any, ink: any }} stuff */
export function earth(colours, stuff) {
  const meadow = new THREE.Mesh(
    new THREE.PlaneGeometry(GROUND, GROUND),
    stuff.toon({ map: ground(colours), transparent: true }),
  );
  meadow.rotation.x = -Math.PI / 2;
  meadow.position.set(0, -0.06, GROUND_AT);
  meadow.renderOrder = -1;
  const bed = new THREE.Mesh(new THREE.PlaneGeometry(2 * HALF, YARD), stuff.toon({ map: straw(colours) }));
  bed.rotation.x = -Math.PI / 2;
  bed.position.set(0, 0.02, YARD / 2);
  const rug = new MeshBuilder();
  for (const [r, high, colour] of [
    [3.7, 0.1, colours.rug],
    [3.15, 0.13, colours["rug-light"]],
    [2.85, 0.16, colours.rug],
  ]) {
    rug.post(Number(r), Number(r), Number(high), String(colour), [12.6, Number(high) / 2, 1.1], {
      scale: [1, 1, 1.15],
    });
  }
  const carpet = new THREE.Mesh(rug.shape(), stuff.toon({ vertexColors: true }));
  for (const mesh of [bed, carpet]) mesh.receiveShadow = true;
  return [meadow, bed, carpet];
}

/** Numbers on the low walls and letters above the doors. @param {Palette} colours */
export function signs(colours) {
  /** @type {any[]} */
  const parts = [];
  const sign = (
    /** @type {number} */ number,
    /** @type {Point} */ at,
    /** @type {number} */ size,
    /** @type {number} */ lean,
  ) => {
    const plate = new THREE.PlaneGeometry(size * 0.68, size);
    const { uv } = plate.attributes;
    for (let corner = 0; corner < uv.count; corner++) uv.setX(corner, (number + 0.06 + uv.getX(corner) * 0.88) / 12);
    plate.rotateX(lean);
    plate.translate(...at);
    parts.push(plate);
  };
  const slope = RISE / TREAD;
  for (let step = 1; step <= STEPS; step++) {
    const z = -(step - 0.5) * TREAD;
    for (const side of [-1, 1])
      sign(step - 1, [side * (HALF + WALL / 2), RISE - z * slope + LOW + 0.42, z], 1.9, Math.atan(slope) - Math.PI / 2);
  }
  [...LETTERS].forEach((_, lane) =>
    sign(9 + lane, [(lane - 1) * LANE, LANDING + SIDE + LEAF + 0.95, BACK + 0.85], 2.2, 0),
  );
  const material = new THREE.MeshBasicMaterial({ map: plates(colours), transparent: true });
  return new THREE.Mesh(THREE.mergeGeometries(parts), material);
}

/** Ivy on the walls. @param {Palette} colours @param {{ toon: (more?: object) => any }} stuff */
export function ivy(colours, stuff) {
  const leaf = new THREE.Shape();
  leaf.moveTo(0, -0.5).quadraticCurveTo(-0.7, -0.3, -0.62, 0.2).lineTo(-0.28, 0.1).quadraticCurveTo(-0.2, 0.5, 0, 0.7);
  leaf.quadraticCurveTo(0.2, 0.5, 0.28, 0.1).lineTo(0.62, 0.2).quadraticCurveTo(0.7, -0.3, 0, -0.5);
  const chance = dice(71);
  /** @type {Point[]} */
  const at = [];
  const slope = RISE / TREAD;
  for (const [side, from, to] of [
    [1, -1, -13],
    [-1, -4, -17],
    [1, -22, -35],
    [-1, -26, -35],
  ]) {
    for (let z = from; z > to; z -= 0.42) {
      const x = side * (HALF + WALL + 0.3 + 0.25 * chance());
      const top = RISE - z * slope + LOW + 0.3;
      for (let low = 0; low < 2 + 4 * chance(); low++)
        at.push([x, Math.max(0.3, top - 0.9 * low * (0.7 + chance())), z + chance() - 0.5]);
    }
  }
  for (const side of [-1, 1])
    for (let y = 1; y < HALL + 4; y += 0.42)
      at.push(
        [side * (WIDE - 0.4 + Math.sin(y) * 0.5), y, BACK + 0.3],
        [side * (WIDE - 1.2 + chance()), y, BACK + 0.25],
      );
  const dummy = new THREE.Object3D();
  return [
    [colours["ink"], 1.22, -0.03],
    [colours.leaf, 1, 0],
  ].map(([colour, grow, back], layer) => {
    const again = dice(73);
    const material = layer
      ? stuff.toon({ color: colour, side: THREE.DoubleSide })
      : new THREE.MeshBasicMaterial({ color: String(colour), side: THREE.DoubleSide });
    const leaves = new THREE.InstancedMesh(new THREE.ShapeGeometry(leaf, 1), material, at.length);
    at.forEach(([x, y, z], number) => {
      const wall = Math.abs(z - BACK) < 0.6;
      dummy.position.set(x + (wall ? 0 : Math.sign(x) * Number(back)), y, z + (wall ? Number(back) : 0));
      dummy.rotation.set(
        again() * 0.7 - 0.5,
        (wall ? 0 : Math.sign(x) * 0.95) + again() * 0.6 - 0.3,
        again() * 2.4 - 1.2,
      );
      dummy.scale.setScalar((0.75 + 0.5 * again()) * Number(grow));
      dummy.updateMatrix();
      leaves.setMatrixAt(number, dummy.matrix);
      if (layer) leaves.setColorAt(number, new THREE.Color(again() < 0.4 ? 0.7 : 1, again() < 0.5 ? 0.8 : 1, 0.9));
      else (again(), again());
    });
    return leaves;
  });
}

/** Clouds beside the tower, as cut out of paper. @param {Palette} colours */
export function clouds(colours) {
  const builder = new MeshBuilder();
  for (const [x, y, z, size] of [
    [-25, 33, -46, 1.1],
    [27, 38, -50, 1.3],
    [-31, 20, -42, 0.8],
    [31, 24, -40, 0.75],
  ]) {
    for (const [dx, dy, r] of [
      [-3, 0, 1.7],
      [-1, 1, 2.4],
      [1.8, 0.6, 2.1],
      [4, -0.1, 1.4],
    ]) {
      builder.add(new THREE.SphereGeometry(r * size, 12, 6), colours.cloud, [x + dx * size, y + dy * size, z], {
        scale: [1, 0.72, 0.4],
      });
    }
  }
  return new THREE.Mesh(
    builder.shape(),
    new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.9 }),
  );
}

/** Soft shade where tower and trees meet the ground. @param {Palette} colours */
export function shades(colours) {
  const parts = [
    [-4, BACK / 2 - 4, 60, 76],
    ...PINES.map(([x, z, size]) => [x - 1.6 * size, z - 0.8, 9 * size, 7 * size]),
  ].map(([x, z, wide, deep]) => new THREE.PlaneGeometry(wide, deep).rotateX(-Math.PI / 2).translate(x, 0, z));
  const shade = new THREE.Mesh(
    THREE.mergeGeometries(parts),
    new THREE.MeshBasicMaterial({
      map: soft(colours.ink),
      transparent: true,
      opacity: 0.4,
      depthWrite: false,
    }),
  );
  shade.position.y = -0.03;
  return shade;
}
