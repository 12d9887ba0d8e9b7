/** Motion that can be awaited and cut short: pieces on their way, and what flies over the whole page. */

import { pace } from "./pace.js";
import { made } from "./svg.js";

const GRACE = 1500; // milliseconds: nothing waits longer for a motion that a browser does not end

/** Whether reduced motion is asked for. */
export const CALM = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{ x: number, y: number }} Point on the screen */

export class Animator {
  /** @type {Set<Animation>} */
  running = new Set();
  hurried = false;

  /** From here on motion takes its time again. */
  begin() {
    this.hurried = false;
  }

  /**
   * Move something, at the pace that was chosen; resolves when it has arrived, or is cut short.
   * @param {Element} node @param {Keyframe[]} frames @param {KeyframeAnimationOptions} how
   */
  async play(node, frames, how) {
    const [duration, delay] = [how.duration, how.delay].map((time) => Number(time ?? 0) * pace());
    const way = node.animate(frames, { easing: "ease-out", fill: "backwards", ...how, duration, delay });
    const long = duration + delay + GRACE;
    this.running.add(way);
    if (this.hurried) way.finish();
    let timer = 0;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, long)));
    await Promise.race([way.finished, late]).catch(() => {}); // cancelled: it has arrived as well
    clearTimeout(timer);
    this.running.delete(way);
  }

  /** Finish all animations at once, and those that would follow. */
  finish() {
    this.hurried = true;
    for (const way of this.running) way.finish();
  }

  /**
   * Fly a picture over the page in a bow; where it turns over on its way, it arrives as another.
   * @param {{ symbol: string, turned?: string, seat?: number, size: number, from: Point, to: Point, delay?: number,
   *   duration?: number, high?: number, shrink?: number, grow?: number, stays?: number }} flight
   */
  async fly({ symbol, turned, seat = -1, size, from, to, ...how }) {
    const { delay = 0, duration = 420, high = 40, shrink = 1, grow = 1, stays = 0 } = how;
    const node = drawing(symbol, size, seat);
    sky().append(node);
    const half = size / 2;
    const at = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ more = "") =>
      ({ transform: `translate(${x - half}px, ${y - half}px) ${more}` });
    const middle = [(from.x + to.x) / 2, Math.min(from.y, to.y) - high];
    const frames = [at(from.x, from.y, `scale(${grow})`), at(middle[0], middle[1], turned ? "scaleX(0)" : ""),
      at(to.x, to.y, `scale(${shrink})`)];
    node.style.transform = frames[2].transform;
    const halfWay = (delay + duration / 2) * pace();
    if (turned) setTimeout(() => node.firstElementChild?.setAttribute("href", `#${turned}`), halfWay);
    await this.play(node, frames, { duration, delay, easing: "cubic-bezier(.35, .1, .4, 1)" });
    if (stays) await this.play(node, [frames[2], frames[2]], { duration: stays });
    node.remove();
  }
}

/** @param {string} symbol @param {number} size @param {number} seat */
function drawing(symbol, size, seat) {
  const look = `flight${seat >= 0 ? ` seat-${seat}` : ""}`;
  const svg = made("svg", { width: size, height: size, viewBox: "-50 -50 100 100", class: look });
  svg.append(made("use", { href: `#${symbol}`, x: -50, y: -50, width: 100, height: 100 }));
  return svg;
}

/** What lies over the page while something flies. */
function sky() {
  const there = document.getElementById("sky");
  if (there) return there;
  const made = document.createElement("div");
  made.id = "sky";
  made.setAttribute("aria-hidden", "true");
  document.body.append(made);
  return made;
}

/**
 * A path through some points as frames, each stretch in proportion to its length; a hopping piece is lifted between.
 * @param {number[][]} points @param {(at: number[]) => string} transform @param {number} [hop] @returns {Keyframe[]}
 */
export function along(points, transform, hop = 0) {
  const far = points.slice(1).map(([x, y], number) => Math.hypot(x - points[number][0], y - points[number][1]));
  const whole = far.reduce((sum, each) => sum + each, 0) || 1;
  /** @type {Keyframe[]} */
  const frames = [{ transform: transform(points[0]), offset: 0 }];
  let gone = 0;
  far.forEach((stretch, number) => {
    const [[ax, ay], [bx, by]] = [points[number], points[number + 1]];
    if (hop) {
      frames.push({ transform: transform([(ax + bx) / 2, (ay + by) / 2 - hop]), offset: (gone + stretch / 2) / whole });
    }
    gone += stretch;
    frames.push({ transform: transform([bx, by]), offset: Math.min(1, gone / whole) });
  });
  return frames;
}

// --- How pieces appear; `spot` writes where a piece is put, and perhaps how far it is turned -------------------------
/** @typedef {(point: number[], turn?: number) => string} Spot */

/** Out of nothing. @param {string} here @returns {Keyframe[]} */
export const growing = (here) => [{ transform: `${here} scale(.4)`, opacity: 0 }, { transform: here, opacity: 1 }];

/** From above, with a little bounce. @param {number[]} at @param {Spot} spot @returns {Keyframe[]} */
export function falling([x, y], spot) {
  const [above, here] = [spot([x, y - 70]), spot([x, y])];
  return [
    { transform: above, opacity: 0 }, { transform: above, opacity: 1, offset: 0.2 }, { transform: here, offset: 0.7 },
    { transform: spot([x, y - 6]), offset: 0.85 }, { transform: here },
  ];
}

/** Out of nothing, and shaken. @param {number[]} at @param {Spot} spot @returns {Keyframe[]} */
export const shaking = (at, spot) => [
  { transform: `${spot(at)} scale(.4)`, opacity: 0 },
  ...[0, -12, 10, -8, 6, 0].map((turn) => ({ transform: spot(at, turn), opacity: 1 })),
];

/**
 * As the other side of something, that then goes where it belongs.
 * @param {number[]} from @param {number[]} at @param {Spot} spot @returns {Keyframe[]}
 */
export function unfolding(from, at, spot) {
  const stays = from[0] === at[0] && from[1] === at[1];
  const open = { transform: spot(from) };
  const closed = { transform: `${spot(from)} scale(0, 1)` };
  return stays ? [closed, open] : [closed, { ...open, offset: 0.2 }, { ...open, offset: 0.6 }, { transform: spot(at) }];
}

// --- Cards that are brought together and turned over; `edge` is how long half a turn takes -------------------------
/** @typedef {import("../board-module").Stage} Stage */

/**
 * From where a card lay to the stage, there still, and on edge at the end.
 * @param {number[]} home @param {Stage} stage @param {Spot} spot @param {number} edge @returns {Keyframe[]}
 */
export function gathering(home, { x, y, scale, gathered, turns }, spot, edge) {
  const [there, whole] = [spot([x, y]), turns + edge];
  const open = { transform: `${there} scale(${scale}, ${scale})` };
  return [
    { transform: `${spot(home)} scale(1, 1)`, easing: "ease-in-out" }, { ...open, offset: gathered / whole },
    { ...open, offset: turns / whole, easing: "ease-in" }, { transform: `${there} scale(0, ${scale})` },
  ];
}

/**
 * From on edge to open, there until all have been seen, and back.
 * @param {number[]} home @param {Stage} stage @param {Spot} spot @param {number} edge @returns {Keyframe[]}
 */
export function parting(home, { x, y, scale, turns, leaves }, spot, edge) {
  const [there, whole] = [spot([x, y]), leaves - turns + edge];
  const open = { transform: `${there} scale(${scale}, ${scale})` };
  return [
    { transform: `${there} scale(0, ${scale})`, easing: "ease-out" }, { ...open, offset: edge / whole },
    { ...open, offset: (leaves - turns - edge) / whole, easing: "ease-in-out" },
    { transform: `${spot(home)} scale(1, 1)` },
  ];
}
