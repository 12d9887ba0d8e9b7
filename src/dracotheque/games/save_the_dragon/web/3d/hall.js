/** The top of the tower: the dragon's hall with its gold, battlements, windows and two turrets. */

import * as THREE from "/page/vendor/three.js";
import { dice } from "./mesh-builder.js";
import { BACK, HALL, LANDING, WIDE } from "./geometry.js";

/** @typedef {import("./mesh-builder.js").MeshBuilder} MeshBuilder */
/** @typedef {import("./mesh-builder.js").Pen} Pen */
/** @typedef {import("./materials.js").Palette} Palette */
/** @typedef {import("./tower.js").Builder} Builder */
/** @typedef {[number, number, number]} Point */

/** @type {Builder} */
export function hall(rock, rest, ink, pencil, colours) {
  const [r, y, z, high] = [WIDE - 1.4, HALL, BACK - 1.4, 9];
  const half = { from: Math.PI / 2, sweep: Math.PI };
  rest.add(new THREE.CircleGeometry(r + 0.3, 40, 0, Math.PI), colours["hall-deep"], [0, y + 0.2, z], {
    turn: [-Math.PI / 2, 0, 0],
  });
  const inside = new THREE.CylinderGeometry(r, r, high, 40, 1, true, half.from, half.sweep);
  inside.index.array.reverse(); // it is seen from within
  inside.computeVertexNormals();
  rock.add(inside, colours.hall, [0, y + high / 2, z]);
  rock.add(
    new THREE.CylinderGeometry(r + 1.3, r + 1.3, y + high, 40, 1, true, half.from, half.sweep),
    colours["tower-deep"],
    [0, (y + high) / 2, z],
  );
  rock.add(new THREE.RingGeometry(r - 0.05, r + 1.3, 40, 1, 0, Math.PI), colours.tower, [0, y + high, z], {
    turn: [-Math.PI / 2, 0, 0],
  });
  arc(ink, r, y + high, z, 0.06);
  arc(ink, r + 1.3, y + high, z, 0.06);
  arc(ink, r, y + 0.2, z, 0.05);
  for (let stone = 0; stone < 9; stone++) {
    const angle = ((stone + 0.5) / 9) * Math.PI;
    const [x, deep] = [Math.cos(angle) * (r + 0.62), z - Math.sin(angle) * (r + 0.62)];
    rock.cuboid([2.2, 1.7, 1.3], colours.tower, [x, y + high + 0.85, deep], { turn: [0, angle - Math.PI / 2, 0] });
    crenel(ink, x, y + high, deep, angle);
  }
  for (const turn of [0.22, 0.5, 0.78]) window(rest, ink, turn * Math.PI, r, y, z, colours);
  heap(rest, colours);
}

/** @param {Pen} ink @param {number} r @param {number} y @param {number} z @param {number} thick */
function arc(ink, r, y, z, thick) {
  ink.lines(
    Array.from(
      { length: 29 },
      (_, turn) =>
        /** @type {Point} */ ([Math.cos((turn / 28) * Math.PI) * r, y, z - Math.sin((turn / 28) * Math.PI) * r]),
    ),
    thick,
  );
}

/**
 * The lines of a battlement.
 * @param {Pen} ink @param {number} x @param {number} y @param {number} z @param {number} angle
 */
function crenel(ink, x, y, z, angle) {
  const corner = (/** @type {number} */ along, /** @type {number} */ up, /** @type {number} */ out) => {
    const turn = angle - Math.PI / 2;
    return /** @type {Point} */ ([
      x + Math.cos(turn) * along + Math.sin(turn) * out,
      y + up,
      z - Math.sin(turn) * along + Math.cos(turn) * out,
    ]);
  };
  ink.lines([corner(-1.1, 0, 0.65), corner(-1.1, 1.7, 0.65), corner(1.1, 1.7, 0.65), corner(1.1, 0, 0.65)], 0.05);
  ink.lines([corner(-1.1, 1.7, 0.65), corner(-1.1, 1.7, -0.65), corner(1.1, 1.7, -0.65), corner(1.1, 1.7, 0.65)], 0.05);
}

/**
 * A window in the hall.
 * @param {MeshBuilder} rest @param {Pen} ink @param {number} angle @param {number} r @param {number} y @param {number} z
 * @param {Palette} colours
 */
function window(rest, ink, angle, r, y, z, colours) {
  const [x, deep] = [Math.cos(angle) * (r - 0.25), z - Math.sin(angle) * (r - 0.25)];
  const pane = new THREE.Shape();
  pane.moveTo(-1.1, 0).lineTo(-1.1, 2.4).absarc(0, 2.4, 1.1, Math.PI, 0, true).lineTo(1.1, 0);
  rest.add(new THREE.ShapeGeometry(pane, 10), colours["sky-light"], [x, y + 3.4, deep], {
    turn: [0, angle - Math.PI / 2, 0],
  });
  const turn = angle - Math.PI / 2;
  const on = (/** @type {any} */ { x: along, y: up }) =>
    /** @type {Point} */ ([x + Math.cos(turn) * along, y + 3.4 + up, deep - Math.sin(turn) * along]);
  ink.lines([...pane.getPoints(8), { x: -1.1, y: 0 }].map(on), 0.06);
  ink
    .lines([on({ x: 0, y: 0 }), on({ x: 0, y: 3.4 })], 0.04)
    .lines([on({ x: -1.1, y: 1.8 }), on({ x: 1.1, y: 1.8 })], 0.04);
}

/** The dragon's gold. @param {MeshBuilder} rest @param {Palette} colours */
function heap(rest, colours) {
  rest.ball(1, colours.gold, [0.5, HALL - 0.2, BACK - 6.4], { scale: [7.6, 1.7, 4.6] });
  const chance = dice(61);
  for (let coin = 0; coin < 70; coin++) {
    const [angle, far] = [chance() * 6.3, Math.sqrt(chance()) * 0.96];
    const [x, z] = [Math.cos(angle) * far, Math.sin(angle) * far];
    const y = Math.sqrt(Math.max(0, 1 - far * far));
    rest.add(
      new THREE.CylinderGeometry(0.42, 0.42, 0.12, 8),
      coin % 3 ? colours["gold-light"] : colours.gold,
      [0.5 + x * 7.7, HALL - 0.15 + y * 1.74, BACK - 6.4 + z * 4.7],
      { turn: [chance() * 1.2 - 0.6, 0, chance() * 1.2 - 0.6] },
    );
  }
}

/** @type {Builder} */
export function turrets(rock, rest, ink, pencil, colours) {
  for (const side of [-1, 1]) {
    const [x, z, r, low, high] = [side * (WIDE + 0.4), BACK - 0.8, 2.6, LANDING - 2, HALL + 9];
    rock.post(r, r, high - low, colours.tower, [x, (high + low) / 2, z]);
    rock.post(r, 0.5, 4.4, colours["tower-deep"], [x, low - 2.2, z]);
    rest.add(new THREE.ConeGeometry(r + 1.1, 6.4, 20), colours.roof, [x, high + 3.2, z]);
    rest.post(0.09, 0.09, 3, colours["wood-deep"], [x, high + 7.6, z]);
    flag(rest, ink, x, high + 8.2, z, side, colours);
    for (const [radius, y] of [
      [r + 1.1, high],
      [r, low],
      [r + 0.02, high - 3],
    ])
      circle(ink, x, y, z, radius);
    for (const dx of [-1, 1]) {
      ink.line([x + dx * r * 0.97, low, z + r * 0.25], [x + dx * r * 0.97, high, z + r * 0.25], 0.055);
      ink.line([x + dx * (r + 1.05), high, z + 0.3], [x, high + 6.4, z], 0.055);
    }
    rest.cuboid([1, 2.2, 0.3], colours.dark, [x, high - 5, z + r - 0.1]);
    ink.lines(
      [
        [x - 0.5, high - 6.1, z + r + 0.1],
        [x - 0.5, high - 3.9, z + r + 0.1],
        [x + 0.5, high - 3.9, z + r + 0.1],
        [x + 0.5, high - 6.1, z + r + 0.1],
        [x - 0.5, high - 6.1, z + r + 0.1],
      ],
      0.05,
    );
  }
}

/** @param {Pen} ink @param {number} x @param {number} y @param {number} z @param {number} r */
function circle(ink, x, y, z, r) {
  ink.lines(
    Array.from(
      { length: 21 },
      (_, turn) =>
        /** @type {Point} */ ([
          x + Math.cos((turn / 20) * 2 * Math.PI) * r,
          y,
          z + Math.sin((turn / 20) * 2 * Math.PI) * r,
        ]),
    ),
    0.05,
  );
}

/**
 * @param {MeshBuilder} rest @param {Pen} ink @param {number} x @param {number} y @param {number} z @param {number} side
 * @param {Palette} colours
 */
function flag(rest, ink, x, y, z, side, colours) {
  const cloth = new THREE.Shape();
  cloth.moveTo(0, 0.8).bezierCurveTo(1, 1.2, 1.8, 0.4, 3, 0.8).lineTo(2.4, 0).lineTo(3, -0.8);
  cloth.bezierCurveTo(1.8, -1.2, 1, -0.4, 0, -0.8);
  for (const turn of [0, Math.PI]) {
    const geometry = new THREE.ShapeGeometry(cloth, 6);
    if (turn) (geometry.scale(-1, 1, 1), geometry.index.array.reverse());
    rest.add(geometry, colours.gold, [x, y, z], { turn: [0, turn ? 0 : 0, 0], scale: [turn ? -side : side, 1, 1] });
  }
  ink.lines(
    cloth.getPoints(5).map((/** @type {any} */ p) => /** @type {Point} */ ([x + side * p.x, y + p.y, z])),
    0.045,
  );
}
