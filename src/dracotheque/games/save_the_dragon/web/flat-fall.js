/** A recorded fall on the flat board: where the rock and the pawns are seen on it, frame by frame. */

import { read } from "./recording.js";

/** @typedef {import("./recording.js").Pose} Pose */
/** @typedef {import("/page/board-module").Place} Place */
/** @typedef {{ x: number, y: number, turn: number }} Seen */

const [LANE, TREAD, RISE] = [5.2, 4, 2.6]; // in centimetres, as in stairs.toml
const ABOVE = 27; // units: so far above its spot the middle of a figure is drawn

/** How centimetres become units of the drawing: the stairs are seen from the front, and a little from above. */
class Projection {
  /** @param {Map<string, Place>} places */
  constructor(places) {
    const at = (/** @type {string} */ key) => /** @type {Place} */ (places.get(key));
    this.low = at("b1");
    this.wide = [at("c1").x - at("b1").x, at("c9").x - at("b9").x];
    const step = (this.low.y - at("b9").y) / 8;
    this.rise = (step * 45) / 97 / RISE; // board_svg.py: of a step 45 parts are its front, 52 its tread
    this.tread = (step * 52) / 97 / TREAD;
  }

  /** Where a point is seen. @param {[number, number, number]} point @returns {[number, number]} */
  at([x, y, z]) {
    const [up, on] = [y - RISE, -z - TREAD / 2]; // from the middle of b1
    const way = Math.min(1, Math.max(0, on / (8 * TREAD)));
    const lane = this.wide[0] + (this.wide[1] - this.wide[0]) * way;
    return [this.low.x + (x / LANE) * lane, this.low.y + ABOVE - up * this.rise - on * this.tread];
  }

  /** How a pawn is seen, which may lie. @param {Pose} pose @returns {Seen} */
  pawn({ position, turned }) {
    const [ux, uy, uz] = upOf(turned);
    const [dx, dy] = [ux * this.rise, uz * this.tread - uy * this.rise];
    const [x, y] = this.at(position);
    const long = Math.hypot(dx, dy) || 1;
    return { x: x + (dx / long) * ABOVE, y: y + (dy / long) * ABOVE, turn: (Math.atan2(dx, -dy) * 180) / Math.PI };
  }
}

/** Where the upper end of a body points to. @param {[number, number, number, number]} turned */
const upOf = ([x, y, z, w]) => [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)];

/**
 * What is seen of a fall: of the rock until it is taken away, and of every pawn by its seat.
 * @param {string} path @param {Map<string, Place>} places @returns {{ rock: Seen[], pawns: Map<number, Seen[]> }}
 */
export function seen(path, places) {
  const projection = new Projection(places);
  const frames = read(path);
  const rock = frames.flatMap(({ rock: pose }, number) => {
    if (!pose) return [];
    const [x, y] = projection.at(pose.position);
    return [{ x, y, turn: number * 14 }];
  });
  const seats = [...(frames[0]?.pawns.keys() ?? [])];
  const pawns = seats.map((seat) => {
    const poses = frames.flatMap(({ pawns: all }) => all.get(seat) ?? []);
    return /** @type {[number, Seen[]]} */ ([seat, poses.map((pose) => projection.pawn(pose))]);
  });
  return { rock, pawns: new Map(pawns) };
}
