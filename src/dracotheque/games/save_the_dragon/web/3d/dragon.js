/** The dragon on its gold, on a chain: it looks around. */

import * as THREE from "/page/vendor/three.js";
import { MeshBuilder, outline, Pen, tapered } from "./mesh-builder.js";
import { BACK, HALL } from "./geometry.js";

/** @typedef {import("./materials.js").Palette} Palette */
/** @typedef {[number, number, number]} Point */

/** The dragon. @typedef {{ group: any, head: any, wings: any[], chain: any }} Dragon */

const SEAT = HALL + 1.1; // where it sits
const REST = 0.05; // how its wings are turned
const HIGH = 1.6; // how far it rises once it is free …
const OUT = 4; // … and how far it comes out of its hall
const BEATS = 5; // of its wings until then

/**
 * Build the dragon; its head turns.
 * @param {Palette} colours @param {{ toon: (more?: object) => any, outlines: any, ink: any }} stuff @returns {Dragon}
 */
export function dragon(colours, stuff) {
  const group = new THREE.Group();
  const [spread, bond] = [wings(colours, stuff), chain(colours, stuff)];
  group.add(...inked(body(colours), stuff), ...spread, bond);
  const head = new THREE.Group();
  head.position.set(-0.5, 8.5, 3);
  head.add(...inked(skull(colours), stuff));
  group.add(head);
  group.position.set(0, SEAT, BACK - 7);
  group.scale.setScalar(0.92);
  return { group, head, wings: spread, chain: bond };
}

/** Show the dragon on its way into freedom, from 0 (on its chain) to 1. @param {Dragon} dragon @param {number} way */
export function free({ group, head, wings, chain }, way) {
  chain.visible = way === 0;
  const gone = way * way * (3 - 2 * way);
  group.rotation.set(0, 0, 0);
  group.position.set(0, SEAT + HIGH * gone + Math.sin(gone * Math.PI) * 2, BACK - 7 + OUT * gone);
  const beat = Math.sin(way * BEATS * 2 * Math.PI) * (way < 1 ? 1 : 0);
  wings.forEach(
    (wing, number) => (wing.rotation.z = (number ? 1 : -1) * (REST + 0.3 * way + 0.5 * beat * Math.min(1, way * 6))),
  );
  if (way) head.rotation.set(-0.3 * way, 0.5 * Math.sin(way * 6), 0);
}

/** @param {MeshBuilder} builder @param {{ toon: (more?: object) => any, outlines: any }} stuff */
function inked(builder, stuff) {
  const mesh = new THREE.Mesh(builder.shape(), stuff.toon({ vertexColors: true }));
  mesh.castShadow = true;
  return [mesh, new THREE.Mesh(outline(mesh.geometry, 0.1), stuff.outlines)];
}

/** Where the neck goes. @type {Point[]} */
const NECK = [
  [0.2, 3.4, 0.4],
  [1.3, 5.2, 0.6],
  [1.1, 7, 1],
  [0.1, 8.2, 1.9],
  [-0.5, 8.5, 3],
];
/** @type {Point[]} */
const TAIL = [
  [0.8, 1.6, -1.4],
  [4, 0.7, -1.6],
  [6.6, 0.8, 0.4],
  [6.4, 1.3, 3],
  [4.6, 1.9, 3.9],
  [3.4, 2.8, 3.9],
];

/** @param {Palette} colours */
function body(colours) {
  const builder = new MeshBuilder();
  builder.ball(1, colours.dragon, [0.2, 2.5, 0], { scale: [2.5, 2.8, 2.5] });
  builder.ball(1, colours["dragon-belly"], [0, 2.5, 0.75], { scale: [1.75, 2.35, 2] });
  builder.add(tapered(NECK, [1.75, 1.35, 1.05, 0.9, 0.8]), colours.dragon);
  builder.add(
    tapered(
      NECK.map(([x, y, z]) => [x - 0.25, y - 0.1, z + 0.42]),
      [1.35, 1, 0.8, 0.66, 0.5],
    ),
    colours["dragon-belly"],
  );
  builder.add(tapered(TAIL, [1.5, 1.15, 0.8, 0.6, 0.42, 0.16]), colours.dragon);
  builder.add(new THREE.ConeGeometry(0.75, 1.5, 4), colours.gold, [3.1, 3.4, 3.9], { turn: [0, 0.6, 0.5] });
  for (const side of [-1, 1]) {
    builder.ball(1, colours.dragon, [side * 2.1, 1.3, 0.5], { scale: [1.25, 1.5, 1.6] });
    builder.ball(1, colours.dragon, [side * 2.3, 0.3, 2], { scale: [0.95, 0.55, 1.25] });
    builder.add(
      tapered(
        [
          [side * 1.5, 3.4, 1.4],
          [side * 1.9, 2.2, 2.6],
          [side * 1.2, 0.9, 3],
        ],
        [0.7, 0.55, 0.5],
      ),
      colours.dragon,
    );
    builder.ball(0.62, colours.dragon, [side * 1.2, 0.6, 3.2], { scale: [1, 0.7, 1.2] });
    for (const claw of [-0.4, 0, 0.4])
      builder.add(new THREE.ConeGeometry(0.15, 0.55, 6), colours.card, [side * 1.2 + claw, 0.5, 3.9], {
        turn: [1.4, 0, 0],
      });
  }
  [
    [1.9, 4.2, -0.9],
    [2.3, 5.6, -0.1],
    [1.9, 7.1, 0.2],
    [1, 8.4, 1],
  ].forEach(([x, y, z], number) =>
    builder.add(new THREE.ConeGeometry(0.42 - number * 0.03, 1.1, 5), colours.gold, [x, y, z], {
      turn: [-0.5, 0, -0.6 + number * 0.25],
    }),
  );
  builder.add(new THREE.TorusGeometry(1.12, 0.22, 8, 20), colours.iron, [1.25, 6.1, 0.8], {
    turn: [Math.PI / 2 - 0.2, 0.1, 0],
  });
  return builder;
}

/** @param {Palette} colours */
function skull(colours) {
  const builder = new MeshBuilder();
  builder.ball(1, colours.dragon, [0, 0.35, 0.1], { scale: [1.25, 1.1, 1.25] });
  builder.ball(1, colours.dragon, [0, 0.05, 1.5], { scale: [0.92, 0.68, 1.15] });
  builder.ball(1, colours["dragon-belly"], [0, -0.32, 1.25], { scale: [0.84, 0.42, 1.15] });
  for (const side of [-1, 1]) {
    builder.ball(0.3, colours.dragon, [side * 0.42, 0.42, 2.3]);
    builder.ball(0.1, colours.ink, [side * 0.42, 0.48, 2.56]);
    builder.ball(0.52, colours.dragon, [side * 0.72, 1, 0.55]);
    builder.ball(0.42, colours.card, [side * 0.8, 1.02, 0.82]);
    builder.ball(0.2, colours.ink, [side * 0.86, 1.04, 1.14]);
    builder.ball(0.07, colours.white, [side * 0.8, 1.14, 1.3]);
    builder.add(
      tapered(
        [
          [side * 0.55, 1.1, -0.3],
          [side * 0.95, 1.9, -0.9],
          [side * 0.85, 2.7, -1.7],
        ],
        [0.34, 0.26, 0.04],
      ),
      colours.gold,
    );
    builder.add(
      tapered(
        [
          [side * 1, 0.3, -0.2],
          [side * 1.7, 0.7, -0.7],
          [side * 2.1, 1.1, -1.1],
        ],
        [0.36, 0.3, 0.03],
      ),
      colours["dragon-wing"],
    );
  }
  for (const [y, z] of [
    [1.5, -0.2],
    [1.3, -0.9],
  ])
    builder.add(new THREE.ConeGeometry(0.26, 0.7, 5), colours.gold, [0, y, z], { turn: [-0.6, 0, 0] });
  return builder;
}

/** Wings, half spread. @param {Palette} colours @param {{ toon: (more?: object) => any, ink: any }} stuff */
function wings(colours, stuff) {
  const skin = new THREE.Shape();
  const tips = [
    [0, 0],
    [2.1, 4.6],
    [6.2, 6.4],
    [5.6, 3.9],
    [5.2, 1.7],
    [3.5, 0.4],
    [1.3, -0.6],
  ];
  skin
    .moveTo(0, 0)
    .lineTo(2.1, 4.6)
    .lineTo(6.2, 6.4)
    .quadraticCurveTo(5.2, 5, 5.6, 3.9)
    .quadraticCurveTo(4.7, 3.1, 5.2, 1.7);
  skin.quadraticCurveTo(4, 1.5, 3.5, 0.4).quadraticCurveTo(2.4, 0.6, 1.3, -0.6).lineTo(0, 0);
  return [-1, 1].flatMap((side) => {
    const wing = new THREE.Group();
    const web = new THREE.Mesh(
      new THREE.ShapeGeometry(skin, 8),
      stuff.toon({ color: colours["dragon-wing"], side: THREE.DoubleSide }),
    );
    web.castShadow = true;
    const pen = new Pen();
    pen.lines(
      [...skin.getPoints(6)].map((/** @type {any} */ { x, y }) => /** @type {Point} */ ([x, y, 0])),
      0.07,
    );
    const bones = new MeshBuilder();
    bones.add(
      tapered(
        [
          [0, 0, 0],
          [1.1, 2.6, 0.1],
          [2.1, 4.6, 0],
        ],
        [0.42, 0.3, 0.2],
      ),
      colours.dragon,
    );
    for (const [x, y] of tips.slice(2, 6)) {
      bones.add(
        tapered(
          [
            [2.1, 4.6, 0.05],
            [(2.1 + x) / 2 - 0.2, (4.6 + y) / 2 + 0.2, 0.12],
            [x, y, 0],
          ],
          [0.2, 0.13, 0.05],
          6,
        ),
        colours.dragon,
      );
    }
    const frame = new THREE.Mesh(bones.shape(), stuff.toon({ vertexColors: true }));
    wing.add(web, frame, new THREE.Mesh(pen.shape(), stuff.ink));
    wing.position.set(side * 1.4, 4.2, -1);
    wing.scale.set(side, 1, 1);
    wing.rotation.set(-0.12, side * 0.32, side * REST);
    return wing;
  });
}

/** The chain that holds it. @param {Palette} colours @param {{ toon: (more?: object) => any }} stuff */
function chain(colours, stuff) {
  const builder = new MeshBuilder();
  const links = 11;
  for (let link = 0; link < links; link++) {
    const way = link / (links - 1);
    const at = /** @type {Point} */ ([
      1.9 + way * 6.4,
      5.6 - way * 2.4 - Math.sin(way * Math.PI) * 1.6,
      0.2 - way * 4.2,
    ]);
    builder.add(new THREE.TorusGeometry(0.34, 0.1, 4, 8), colours.iron, at, { turn: [link % 2 ? 1.5 : 0.2, 0.5, 0.4] });
  }
  const mesh = new THREE.Mesh(builder.shape(), stuff.toon({ vertexColors: true }));
  mesh.name = "chain";
  return mesh;
}
