/** What moves on the stair: pawns with crest and headgear, the rock, shield, door and dice. */

import * as THREE from "/page/vendor/three.js";
import { CRESTS } from "../board.js";
import { cuboid, MeshBuilder, outline, tapered } from "./mesh-builder.js";
import { drawing } from "./materials.js";

/** @typedef {import("./materials.js").Palette} Palette */
/** @typedef {{ toon: (more?: object) => any, outlines: any }} Materials */
/** @typedef {import("/page/protocol").Piece} Piece */
/** @typedef {{ colours: Palette, stuff: Materials, seats: string[], ready: () => void }} ModelContext */

const THICK = 0.09; // of an ink line around a piece
const LARGER = 1.12; // pawns are than those that the server lets fall: they are to be seen

/**
 * Add the parts of a builder to a group, with an ink outline; fine parts have none.
 * @param {MeshBuilder} builder @param {Materials} stuff @param {MeshBuilder} [fine]
 */
function figure(builder, stuff, fine) {
  const group = new THREE.Group();
  const whole = builder.shape();
  const parts = fine ? THREE.mergeGeometries([whole, fine.shape()]) : whole;
  const body = new THREE.Mesh(parts, stuff.toon({ vertexColors: true }));
  body.castShadow = body.receiveShadow = true;
  group.add(body, new THREE.Mesh(outline(whole, THICK), stuff.outlines));
  return group;
}

// --- Drawings: parts of web/pieces.svg and of page/crests.svg, which are in the page ---------------------------------
/** @param {string} id */
const markup = (id) => document.getElementById(id)?.innerHTML ?? "";

/** A crest on its little shield. @param {string} crest */
const badgeOf = (crest) => `${markup("s-badge")}<g transform="translate(0 -6) scale(3.4)"
  style="color:var(--seat);--crest:#fffaf0;--crest-line:#2a2018;--crest-line-width:.9">
  ${markup(`crests-crest-${crest}`)}</g>`;

/** A face of a die. @param {string} value */
function faceOf(value) {
  if (value === "die-rock") return `<g transform="scale(.8)">${markup("s-rock")}</g>`;
  if (value !== "die-change") return markup(value.replace("die", "s-steps"));
  return `<g transform="translate(-20 -8) scale(.5)">${markup("s-shield")}</g>
    <g transform="translate(20 8) scale(.5)">${markup("s-door")}</g>`;
}

/** Make a piece. @param {string} id @param {Piece} piece @param {ModelContext} shop */
export function make(id, piece, shop) {
  if ((piece.seat ?? -1) >= 0) return pawn(piece.seat ?? 0, shop);
  /** @type {Record<string, (shop: ModelContext) => any>} */
  const makers = {
    rock,
    shield,
    door,
    "die-steps": () => die(["die-1", "die-2", "die-3"], shop),
    "die-action": () => die(["die-rock", "die-change", "die-rock"], shop),
  };
  return (makers[piece.kind] ?? rock)(shop);
}

// --- Pawns -----------------------------------------------------------------------------------------------------------
/**
 * A pawn: a square foot, a robe, a head, its crest before it and behind.
 * @param {number} seat @param {ModelContext} shop
 */
function pawn(seat, { colours, stuff, seats, ready }) {
  const [crest, robe] = [CRESTS[seat], seats[seat]];
  const hair = colours[`hair-${crest}`];
  const builder = new MeshBuilder();
  builder.add(new THREE.CylinderGeometry(1.28, 1.38, 0.5, 4, 1), robe, [0, 0.25, 0], { turn: [0, Math.PI / 4, 0] });
  builder.add(new THREE.CylinderGeometry(1.16, 1.28, 0.2, 4, 1), colours["gold-light"], [0, 0.6, 0], {
    turn: [0, Math.PI / 4, 0],
  });
  builder.turned(
    [
      [0, 0.6],
      [1.02, 0.68],
      [0.98, 1],
      [0.82, 1.8],
      [0.6, 2.6],
      [0.46, 2.95],
      [0.3, 3.1],
      [0, 3.1],
    ],
    robe,
  );
  builder.add(new THREE.TorusGeometry(0.46, 0.13, 5, 14), colours["stair-light"], [0, 2.96, 0], {
    turn: [Math.PI / 2, 0, 0],
  });
  builder.ball(0.66, colours.skin, [0, 3.6, 0.03]);
  builder.ball(0.7, hair, [0, 3.68, -0.14], { scale: [1.04, 0.98, 0.92] });
  if (crest === "star" || crest === "lion") builder.ball(0.5, hair, [0, 3.2, -0.36], { scale: [1.35, 1.3, 0.7] });
  if (crest === "oak")
    builder.add(
      tapered(
        [
          [0.5, 3.5, -0.1],
          [0.72, 3, 0.1],
          [0.6, 2.4, 0.25],
        ],
        [0.2, 0.22, 0.06],
      ),
      hair,
    );
  const face = new MeshBuilder().ball(0.07, colours.flower, [0, 3.36, 0.66], { scale: [1.8, 0.6, 0.5] });
  for (const side of [-1, 1]) face.ball(0.095, colours.ink, [side * 0.23, 3.64, 0.64], { scale: [0.8, 1.2, 0.6] });
  for (const side of [-1, 1]) {
    builder.add(
      tapered(
        [
          [side * 0.5, 2.6, 0.05],
          [side * 0.86, 2.1, 0.3],
          [side * 0.52, 1.75, 0.66],
        ],
        [0.22, 0.24, 0.17],
      ),
      robe,
    );
    builder.ball(0.19, colours.skin, [side * 0.5, 1.72, 0.7]);
  }
  HATS[crest](builder, colours, robe);
  for (const part of [...builder.parts, ...face.parts]) part.scale(LARGER, LARGER, LARGER);
  const group = figure(builder, stuff, face);
  const badge = new THREE.MeshBasicMaterial({
    map: drawing(badgeOf(crest), robe, "", ready),
    transparent: true,
    alphaTest: 0.2,
  });
  for (const side of [1, -1]) {
    const shield = new THREE.Mesh(new THREE.PlaneGeometry(1.7, 1.9), badge);
    shield.position.set(0, 1.85, side * 1.12);
    shield.rotation.set(side * -0.22, side > 0 ? 0 : Math.PI, 0);
    if (side < 0) shield.rotation.x = -0.22;
    group.add(shield);
  }
  return group;
}

/** What is on the head. @type {Record<string, (builder: MeshBuilder, colours: Palette, robe: string) => void>} */
const HATS = {
  lion: (builder, colours) => {
    builder.add(new THREE.CylinderGeometry(0.66, 0.58, 0.42, 16, 1, false), colours.gold, [0, 4.28, 0]);
    for (let point = 0; point < 6; point++) {
      const angle = (point / 6) * 2 * Math.PI + Math.PI / 6;
      builder.add(new THREE.ConeGeometry(0.2, 0.55, 6), colours.gold, [
        Math.sin(angle) * 0.54,
        4.7,
        Math.cos(angle) * 0.54,
      ]);
      builder.ball(0.1, colours.roof, [Math.sin(angle) * 0.56, 5, Math.cos(angle) * 0.56]);
    }
  },
  tower: (builder, colours) => {
    builder.post(0.68, 0.62, 0.8, colours.steel, [0, 4.36, 0]);
    for (let stone = 0; stone < 5; stone++) {
      const angle = (stone / 5) * 2 * Math.PI;
      builder.cuboid([0.36, 0.36, 0.26], colours.steel, [Math.sin(angle) * 0.56, 4.9, Math.cos(angle) * 0.56], {
        turn: [0, angle, 0],
      });
    }
    builder.cuboid([0.1, 0.5, 0.1], colours.iron, [0, 4.06, 0.66]);
  },
  star: (builder, colours, robe) => {
    builder.add(new THREE.ConeGeometry(0.64, 1.7, 16), robe, [0, 4.9, -0.1], { turn: [-0.12, 0, 0] });
    builder.add(new THREE.TorusGeometry(0.6, 0.12, 5, 14), colours["gold-light"], [0, 4.12, -0.02], {
      turn: [Math.PI / 2 - 0.12, 0, 0],
    });
    builder.ball(0.24, colours["gold-light"], [0, 5.74, -0.2]);
  },
  oak: (builder, colours, robe) => {
    for (let leaf = 0; leaf < 8; leaf++) {
      const angle = (leaf / 8) * 2 * Math.PI;
      builder.ball(
        0.34,
        leaf % 2 ? robe : colours.leaf,
        [Math.sin(angle) * 0.5, 4.26 + (leaf % 2) * 0.1, Math.cos(angle) * 0.5],
        { scale: [1, 0.75, 1] },
      );
    }
    builder.ball(0.46, robe, [0, 4.4, 0]).ball(0.22, colours.wood, [0.24, 4.72, 0.3], { scale: [0.9, 1.2, 0.9] });
  },
};

// --- The rock --------------------------------------------------------------------------------------------------------
/** Its lumps, as in stairs.toml: right, onwards, up. */
const LUMPS = [
  [0.67, 0, 1.2],
  [-0.7, 0.64, 0.76],
  [0.09, -1.02, 0.41],
  [0.73, 0.95, 0.15],
  [-1.34, -0.24, -0.17],
  [1.07, -0.68, -0.51],
  [-0.24, 0.9, -0.74],
  [-0.25, -0.47, -0.96],
];
const BALL = 1.72;
const LUMP = 0.85;

/** The rock: what its ball and lumps cover, hewn. @param {ModelContext} shop */
function rock({ colours, stuff }) {
  const geometry = new THREE.IcosahedronGeometry(1, 4);
  const { position } = geometry.attributes;
  for (let corner = 0; corner < position.count; corner++) {
    const way = new THREE.Vector3().fromBufferAttribute(position, corner).normalize();
    let far = BALL;
    for (const [right, on, up] of LUMPS) {
      const middle = new THREE.Vector3(right, up, -on);
      const along = middle.dot(way);
      const inside = LUMP * LUMP - middle.lengthSq() + along * along;
      if (inside > 0) far = Math.max(far, along + Math.sqrt(inside));
    }
    const rough = 0.05 * Math.sin(way.x * 9 + way.y * 4) * Math.sin(way.y * 11 - way.z * 7);
    position.setXYZ(corner, ...way.multiplyScalar(far + rough).toArray());
  }
  geometry.computeVertexNormals();
  const builder = new MeshBuilder().add(geometry, colours.rock);
  mottle(builder.parts[0]);
  return figure(builder, stuff);
}

/** Give every facet a shade of its own. @param {any} geometry */
function mottle(geometry) {
  const { color, position } = geometry.attributes;
  for (let corner = 0; corner < color.count; corner += 3) {
    const shade =
      0.9 + 0.16 * Math.sin(position.getX(corner) * 5.1 + position.getY(corner) * 7.3 + position.getZ(corner) * 3.7);
    for (let each = corner; each < corner + 3; each++)
      color.setXYZ(each, color.getX(each) * shade, color.getY(each) * shade, color.getZ(each) * shade);
  }
}

// --- Shield and door -------------------------------------------------------------------------------------------------
const FOLD = 0.3; // how far the wings of the shield come forward

/** The shield in its notch: folded, its ridge towards the doors. @param {ModelContext} shop */
function shield({ colours, stuff }) {
  const [builder, sign] = [new MeshBuilder(), new MeshBuilder()];
  for (const side of [-1, 1]) {
    // Each half by itself: no plane goes across the fold.
    for (const [grow, thick, colour] of [
      [1, 0.3, colours.gold],
      [0.82, 0.46, colours.shield],
    ]) {
      const up = (/** @type {number} */ y) => 1.95 + (y - 1.95) * Number(grow);
      const half = new THREE.Shape();
      half.moveTo(0, up(0)).quadraticCurveTo(side * 2.5 * Number(grow), up(1.5), side * 2.05 * Number(grow), up(3.6));
      half.quadraticCurveTo(side * 0.8 * Number(grow), up(3.5), 0, up(3.95));
      (grow === 1 ? builder : sign).add(folded(half, Number(thick)), String(colour));
    }
    const chevron = new THREE.Shape();
    chevron
      .moveTo(0, 2.3)
      .lineTo(side * 1, 1.3)
      .lineTo(side * 1, 2)
      .lineTo(0, 3.05);
    sign.add(folded(chevron, 0.6), colours["gold-light"]);
  }
  return figure(builder, stuff, sign);
}

/** A plate of a thickness, one half of what is folded. @param {any} shape @param {number} thick */
function folded(shape, thick) {
  const geometry = new THREE.ExtrudeGeometry(shape, { depth: thick, bevelEnabled: false, curveSegments: 8 });
  const { position } = geometry.attributes;
  for (let corner = 0; corner < position.count; corner++) {
    position.setZ(corner, position.getZ(corner) - thick / 2 - 0.4 + Math.abs(position.getX(corner)) * FOLD);
  }
  geometry.scale(0.95, 1.22, 1);
  geometry.rotateX(-0.2); // it leans back a little, towards the viewer above
  geometry.computeVertexNormals();
  return geometry;
}

/** The door: a leaf of planks with iron bands. @param {ModelContext} shop */
function door({ colours, stuff }) {
  const builder = new MeshBuilder();
  const half = 2.22;
  for (let plank = 0; plank < 4; plank++) {
    const x = ((plank - 1.5) * half) / 2;
    const top = 3.6 + Math.sqrt(half * half - Math.min(Math.abs(x) + half / 4, half - 0.05) ** 2);
    const shape = new THREE.Shape();
    shape.moveTo(x - half / 4 + 0.03, 0.05).lineTo(x + half / 4 - 0.03, 0.05);
    const arch = (/** @type {number} */ at) => 3.6 + Math.sqrt(Math.max(0, half * half - at * at));
    shape
      .lineTo(x + half / 4 - 0.03, arch(x + half / 4))
      .lineTo(x, Math.max(top, arch(x)))
      .lineTo(x - half / 4 + 0.03, arch(x - half / 4));
    builder.add(
      new THREE.ExtrudeGeometry(shape, { depth: 0.5, bevelEnabled: false }),
      plank % 2 ? colours.wood : colours["wood-deep"],
      [0, 0, -0.25],
    );
  }
  for (const y of [1.1, 3.6]) builder.cuboid([2 * half - 0.3, 0.42, 0.66], colours.iron, [0, y, 0]);
  for (const y of [1.1, 3.6]) for (const x of [-1.6, -0.5, 0.6]) builder.ball(0.12, colours.ink, [x, y, 0.34]);
  builder.add(new THREE.TorusGeometry(0.4, 0.1, 8, 16), colours["gold-light"], [1.5, 2.3, 0.36]);
  return figure(builder, stuff);
}

// --- Dice ------------------------------------------------------------------------------------------------------------
export const EDGE = 2.2;
const TIPPED = 0.42; // radians: so far a die is tipped towards the viewer, for its number to be read
/** How a die is turned so that each of its first three faces is on top: those of +x, −x and +y. */
const UP = [
  [0, 0, Math.PI / 2],
  [0, 0, -Math.PI / 2],
  [0, 0, 0],
];

/** @param {string[]} values the faces, each twice @param {ModelContext} shop */
function die(values, { colours, stuff, ready }) {
  const group = new THREE.Group();
  const sides = [0, 1, 2, 2, 0, 1].map(
    (value) =>
      stuff.toon({
        map: drawing(faceOf(values[value]), "", values[0] === "die-1" ? colours.white : colours.die, ready),
      }),
  );
  const body = new THREE.Mesh(cuboid(EDGE, EDGE, EDGE), sides);
  body.castShadow = true;
  group.add(body, new THREE.Mesh(outline(cuboid(EDGE, EDGE, EDGE), THICK), stuff.outlines));
  return group;
}

/** How a piece is turned at rest. @param {Piece} piece */
export function turnOf({ kind, place, value = 0 }) {
  const turn = new THREE.Quaternion();
  if (kind === "die-steps" || kind === "die-action") {
    const spin = new THREE.Quaternion().setFromAxisAngle(
      new THREE.Vector3(0, 1, 0),
      kind === "die-steps" ? -0.06 : 0.06,
    );
    return turn
      .setFromEuler(new THREE.Euler(.../** @type {[number, number, number]} */ (UP[value - 1] ?? UP[2])))
      .premultiply(spin)
      .premultiply(new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(1, 0, 0), TIPPED));
  }
  if (kind === "shield") turn.setFromAxisAngle(new THREE.Vector3(0, 1, 0), { a: 0.3, c: -0.16 }[place[0]] ?? 0);
  if (kind === "fallen") turn.setFromEuler(new THREE.Euler(-1.5, 0.5, 0.2));
  if (kind === "struck") turn.setFromEuler(new THREE.Euler(0.22, 0, 0.1));
  return turn;
}
