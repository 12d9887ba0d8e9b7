/** The tower: stairs between low walls, three doorways, the dragon's hall above them, turrets, torches, ivy, ground. */

import * as THREE from "/page/vendor/three.js";
import { MeshBuilder, dice, Pen, wrap } from "./mesh-builder.js";
import { BACK, HALF, HALL, LANDING, LANE, LEAF, LOW, RISE, SIDE, STEPS, TREAD, WALL, WIDE, YARD } from "./geometry.js";
import { hall, turrets } from "./hall.js";
import { clouds, earth, ivy, shades, signs, torches, trees } from "./scenery.js";
import { stone } from "./materials.js";

/** @typedef {import("./materials.js").Palette} Palette */
/** @typedef {[number, number, number]} Point */

/**
 * Build everything that never moves.
 * @param {Palette} colours @param {{ toon: (more?: object) => any, ink: any, pencil: any }} stuff
 */
export function tower(colours, stuff) {
  const whole = new THREE.Group();
  const [rock, rest, ink, pencil] = [new MeshBuilder(), new MeshBuilder(), new Pen(), new Pen()];
  for (const build of [stairs, lowWalls, gate, hall, turrets]) build(rock, rest, ink, pencil, colours);
  trees(rest, ink, colours);
  torches(rest, ink, colours);
  const stones = new THREE.Mesh(wrap(rock.shape()), stuff.toon({ map: stone(colours), vertexColors: true }));
  const others = new THREE.Mesh(rest.shape(), stuff.toon({ vertexColors: true }));
  for (const mesh of [stones, others]) mesh.castShadow = mesh.receiveShadow = true;
  whole.add(stones, others, new THREE.Mesh(ink.shape(), stuff.ink), new THREE.Mesh(pencil.shape(), stuff.pencil));
  whole.add(...earth(colours, stuff), signs(colours), ...ivy(colours, stuff), clouds(colours), shades(colours));
  return whole;
}

// --- The stairs ------------------------------------------------------------------------------------------------------
/** @typedef {(rock: MeshBuilder, rest: MeshBuilder, ink: Pen, pencil: Pen, colours: Palette) => void} Builder */

/** @type {Builder} */
function stairs(rock, rest, ink, pencil, colours) {
  const chance = dice(31);
  for (let step = 1; step <= STEPS + 1; step++) {
    const [y, front] = [step * RISE, -(step - 1) * TREAD];
    const deep = step > STEPS ? 1.4 : TREAD;
    rock.cuboid([2 * HALF, 0.24, deep], colours.stair, [0, y - 0.12, front - deep / 2]);
    rock.cuboid([2 * HALF, RISE - 0.24, 0.2], colours.riser, [0, y - RISE / 2 - 0.12, front - 0.1]);
    ink.line([-HALF, y, front], [HALF, y, front], 0.065);
    pencil.line([-HALF, y - 0.26, front + 0.01], [HALF, y - 0.26, front + 0.01], 0.03);
    ink.line([-HALF, y - RISE, front], [HALF, y - RISE, front], 0.05);
    if (step > STEPS) continue;
    for (const side of [-1, 1]) {
      for (let dash = 0; dash < 4; dash++) {
        pencil.line(
          [(side * LANE) / 2, y + 0.01, front - 0.3 - dash],
          [(side * LANE) / 2, y + 0.01, front - 0.85 - dash],
          0.035,
        );
      }
    }
    for (let lane = -1; lane <= 1; lane++) {
      const [x, z] = [lane * LANE, front - TREAD / 2];
      pencil.lines(
        [
          [x - 1.25, y, z + 0.75],
          [x, y, z - 0.35],
          [x + 1.25, y, z + 0.75],
        ],
        0.06,
      );
      const joint = x + (chance() - 0.5) * 3;
      pencil.line([joint, y - 0.4, front + 0.01], [joint + 0.1, y - RISE + 0.3, front + 0.01], 0.028);
      pencil.line([joint - 1.6 * chance(), y - 1.5, front + 0.01], [joint, y - 1.5, front + 0.01], 0.024);
    }
  }
}

/** @type {Builder} */
function lowWalls(rock, rest, ink, pencil, colours) {
  const slope = RISE / TREAD;
  const top = (/** @type {number} */ z) => RISE - z * slope + LOW;
  for (const side of [-1, 1]) {
    const [inner, outer] = [side * HALF, side * (HALF + WALL)];
    const shape = new THREE.Shape();
    shape.moveTo(0, 0);
    shape.lineTo(0, top(0));
    shape.lineTo(-BACK, top(BACK));
    shape.lineTo(-BACK, 0);
    rock.add(
      new THREE.ExtrudeGeometry(shape, { depth: WALL, bevelEnabled: false }),
      colours.parapet,
      [Math.min(inner, outer), 0, 0],
      { turn: [0, Math.PI / 2, 0] },
    );
    // The cap of the wall, a little wider than it.
    const length = Math.hypot(BACK, -BACK * slope);
    const middle = (inner + outer) / 2;
    rock.cuboid([WALL + 0.5, 0.45, length], colours["stair-light"], [middle, top(BACK / 2) + 0.1, BACK / 2], {
      turn: [Math.atan(slope), 0, 0],
    });
    for (const x of [inner - side * 0.25, outer + side * 0.25])
      ink.line([x, top(0) + 0.35, 0], [x, top(BACK) + 0.35, BACK], 0.06);
    ink.line([outer + side * 0.25, top(0) - 0.12, 0], [outer + side * 0.25, top(BACK) - 0.12, BACK], 0.04);
    ink.line([outer, 0, 0], [outer, 0, BACK], 0.06);
    bricks(pencil, outer + side * 0.02, top);
    post(rock, ink, side, colours);
    kerb(rock, ink, inner, side, colours);
  }
  rock.cuboid([2 * HALF + 1.6, 0.9, 0.8], colours.parapet, [0, 0.45, YARD + 0.4]);
  ink
    .lines(
      [
        [-HALF - 0.8, 0.9, YARD],
        [HALF + 0.8, 0.9, YARD],
      ],
      0.05,
    )
    .lines(
      [
        [-HALF - 0.8, 0.9, YARD + 0.8],
        [HALF + 0.8, 0.9, YARD + 0.8],
      ],
      0.05,
    );
}

/** Bricks here and there on the outer side. @param {Pen} pencil @param {number} x @param {(z: number) => number} top */
function bricks(pencil, x, top) {
  const chance = dice(x > 0 ? 41 : 43);
  for (let row = 0; row * 1.5 < LANDING; row++) {
    for (let z = BACK + (row % 2) * 1.3; z < -1; z += 2.6) {
      const y = row * 1.5 + 0.4;
      if (y + 1.6 > top(z + 2.2) || chance() > 0.34) continue;
      pencil.lines(
        [
          [x, y, z],
          [x, y, z + 2.2],
          [x, y + 1.1, z + 2.2],
          [x, y + 1.1, z],
          [x, y, z],
        ],
        0.035,
      );
    }
  }
}

/**
 * A post with a ball at the foot of the stairs.
 * @param {MeshBuilder} rock @param {Pen} ink @param {number} side @param {Palette} colours
 */
function post(rock, ink, side, colours) {
  const x = side * (HALF + WALL / 2);
  rock.cuboid([2.3, 5.4, 2.3], colours.parapet, [x, 2.7, 1]);
  rock.cuboid([2.9, 0.6, 2.9], colours["stair-light"], [x, 5.6, 1]);
  rock.ball(1.25, colours.parapet, [x, 6.9, 1]);
  for (const [half, low, high] of [
    [1.15, 0, 5.3],
    [1.45, 5.3, 5.9],
  ]) {
    for (const [dx, dz] of [
      [-1, 1],
      [1, 1],
      [side, -1],
    ])
      ink.line([x + dx * half, low, 1 + dz * half], [x + dx * half, high, 1 + dz * half], 0.055);
    for (const y of [low || 0.02, high])
      ink.lines(
        [
          [x - half, y, 1 + half],
          [x + half, y, 1 + half],
        ],
        0.055,
      );
  }
  ink.lines(
    [
      [x + side * 1.45, 5.9, 2.45],
      [x + side * 1.45, 5.9, -0.45],
    ],
    0.055,
  );
  ring(ink, [x, 6.9, 1], 1.27, 0.045);
}

/**
 * An ink line around a ball, as seen from before it.
 * @param {Pen} ink @param {Point} at @param {number} r @param {number} thick
 */
function ring(ink, [x, y, z], r, thick) {
  const points = Array.from({ length: 25 }, (_, turn) => {
    const angle = (turn / 24) * 2 * Math.PI;
    return /** @type {Point} */ ([
      x + Math.cos(angle) * r,
      y + Math.sin(angle) * r * 0.82,
      z - Math.sin(angle) * r * 0.55,
    ]);
  });
  ink.lines(points, thick);
}

/**
 * The kerb of the yard.
 * @param {MeshBuilder} rock @param {Pen} ink @param {number} inner @param {number} side @param {Palette} colours
 */
function kerb(rock, ink, inner, side, colours) {
  rock.cuboid([0.8, 0.9, YARD - 2.1], colours.parapet, [inner + side * 0.4, 0.45, (YARD + 2.1) / 2]);
  for (const x of [inner, inner + side * 0.8]) ink.line([x, 0.9, 2.2], [x, 0.9, YARD], 0.05);
}

// --- The doors and the hall ------------------------------------------------------------------------------------------
/** @type {Builder} */
function gate(rock, rest, ink, pencil, colours) {
  const [left, foot, roof] = [-WIDE, 0, HALL + 0.4];
  const wall = new THREE.Shape();
  wall.moveTo(left, foot).lineTo(-left, foot).lineTo(-left, roof).lineTo(left, roof);
  for (let lane = -1; lane <= 1; lane++) wall.holes.push(doorway(lane * LANE, LEAF));
  rock.add(new THREE.ExtrudeGeometry(wall, { depth: 1.4, bevelEnabled: false, curveSegments: 16 }), colours.tower, [
    0,
    0,
    BACK - 1.4,
  ]);
  rest.cuboid([2 * WIDE, 7, 0.3], colours.dark, [0, LANDING + 3.4, BACK - 7]);
  for (const side of [-1, 1]) rest.cuboid([0.3, 7, 6], colours.dark, [side * (HALF + 2), LANDING + 3.4, BACK - 4]);
  rest.cuboid([2 * HALF + 4, 0.2, 5.6], colours["hall-deep"], [0, LANDING - 0.1, BACK - 4.2]);
  for (let lane = -1; lane <= 1; lane++) {
    const frame = doorway(lane * LANE, LEAF + 0.34);
    frame.holes.push(doorway(lane * LANE, LEAF));
    rock.add(
      new THREE.ExtrudeGeometry(frame, { depth: 0.4, bevelEnabled: false, curveSegments: 16 }),
      colours["stair-light"],
      [0, 0, BACK],
    );
    for (const half of [LEAF, LEAF + 0.34]) {
      const points = doorway(lane * LANE, half)
        .getPoints(12)
        .map((/** @type {any} */ { x, y }) => /** @type {Point} */ ([x, y, BACK + 0.41]));
      ink.lines(points, 0.05);
    }
  }
  rock.cuboid([2 * WIDE + 1, 0.9, 2.2], colours.parapet, [0, roof, BACK - 0.4]);
  for (const [y, z] of [
    [roof + 0.45, BACK + 0.7],
    [roof - 0.45, BACK + 0.7],
  ])
    ink.line([-WIDE - 0.5, y, z], [WIDE + 0.5, y, z], 0.06);
  for (let x = -WIDE + 0.8; x < WIDE; x += 1.5)
    pencil.lines(
      [
        [x, roof - 0.5, BACK + 0.02],
        [x, roof - 1, BACK + 0.02],
        [x + 0.7, roof - 1, BACK + 0.02],
        [x + 0.7, roof - 0.5, BACK + 0.02],
      ],
      0.03,
    );
  courses(pencil);
  // The ledge where the rock lies.
  rest.cuboid([5, 0.5, 4.4], colours.wood, [-11.7, LANDING - 0.25, BACK + 2.2]);
  rest.cuboid([0.5, 2.4, 0.5], colours["wood-deep"], [-13.4, LANDING - 1.4, BACK + 1], { turn: [0.7, 0, 0] });
  rest.cuboid([0.5, 2.4, 0.5], colours["wood-deep"], [-10, LANDING - 1.4, BACK + 1], { turn: [0.7, 0, 0] });
  const [l, r, f, y] = [-14.2, -9.2, BACK + 4.4, LANDING];
  ink
    .lines(
      [
        [l, y, BACK],
        [l, y, f],
        [r, y, f],
        [r, y, BACK],
      ],
      0.05,
    )
    .lines(
      [
        [l, y - 0.5, f],
        [r, y - 0.5, f],
      ],
      0.05,
    );
  ink
    .lines(
      [
        [l, y, f],
        [l, y - 0.5, f],
      ],
      0.05,
    )
    .lines(
      [
        [r, y, f],
        [r, y - 0.5, f],
      ],
      0.05,
    );
}

/** The outline of a doorway. @param {number} x @param {number} half */
function doorway(x, half) {
  const shape = new THREE.Shape();
  const high = LANDING + SIDE;
  shape.moveTo(x - half, LANDING).lineTo(x - half, high);
  shape.absarc(x, high, half, Math.PI, 0, true);
  shape.lineTo(x + half, LANDING);
  return shape;
}

/** Stones in the wall beside the stairs. @param {Pen} pencil */
function courses(pencil) {
  const chance = dice(53);
  for (let row = 0; row * 1.6 < HALL - 2; row++) {
    for (const side of [-1, 1]) {
      for (let x = HALF + WALL + 0.3 + (row % 2) * 0.9; x < WIDE - 1.6; x += 2.2) {
        if (chance() > 0.5) continue;
        const [y, z, from, to] = [row * 1.6 + 0.4, BACK + 0.02, side * x, side * (x + 1.8)];
        pencil.lines(
          [
            [from, y, z],
            [to, y, z],
            [to, y + 1.2, z],
            [from, y + 1.2, z],
            [from, y, z],
          ],
          0.035,
        );
      }
    }
  }
}
