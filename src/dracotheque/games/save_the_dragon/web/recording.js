/** Reads the recording of a falling rock: where it and the pawns were, thirty times a second. */

/** Where a body is, x to the right, y up, z towards us, and how it is turned: x, y, z, w. */
/** @typedef {{ position: [number, number, number], turned: [number, number, number, number] }} Pose */
/** @typedef {{ rock: Pose | null, pawns: Map<number, Pose> }} Frame */

const MARK = "Rk";
const HEAD = 6; // bytes
const POSE = 14;
const TAKEN = 0x80; // the rock has been taken away
const FINE = 500; // parts of a centimetre
const TURN = 32767;
export const FRAMES = 30; // a second
const HARD = 0.25; // centimetres from one frame to the next: so fast falls what lands hard

/**
 * Read frame by frame; a body that is not written is where it was.
 * @param {string} path in base64 @returns {Frame[]}
 */
export function read(path) {
  const bytes = Uint8Array.from(atob(path), (sign) => sign.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  if (String.fromCharCode(bytes[0], bytes[1]) !== MARK || bytes[2] !== 1) throw new Error("not the path of a rock");
  const seats = [0, 1, 2, 3].filter((seat) => (bytes[3] >> seat) & 1);
  const count = view.getUint16(4, true);
  /** @type {(Pose | null)[]} */
  const poses = Array(seats.length + 1).fill(null);
  const frames = [];
  for (let number = 0, at = HEAD; number < count; number++) {
    const moved = view.getUint8(at++);
    for (let body = 0; body < poses.length; body++) {
      if (!((moved >> body) & 1)) continue;
      poses[body] = pose(view, at);
      at += POSE;
    }
    const pawns = seats.flatMap((seat, body) => {
      const found = poses[body + 1];
      return found ? [/** @type {[number, Pose]} */ ([seat, found])] : [];
    });
    frames.push({ rock: moved & TAKEN ? null : poses[0], pawns: new Map(pawns) });
  }
  return frames;
}

/**
 * The server says right, onwards, up; here it is right, up, towards us.
 * @param {DataView} view @param {number} at @returns {Pose}
 */
function pose(view, at) {
  const [right, on, up, w, i, j, k] = Array.from({ length: 7 }, (_, part) => view.getInt16(at + 2 * part, true));
  return {
    position: [right / FINE, up / FINE, -on / FINE],
    turned: [i / TURN, k / TURN, -j / TURN, w / TURN],
  };
}

/** The moments, in seconds, at which the rock lands: it was falling, and does so no more. @param {Frame[]} frames */
export function landings(frames) {
  const heights = frames.map(({ rock }) => rock?.position[1] ?? NaN);
  const falls = (/** @type {number} */ at) => heights[at - 1] - heights[at] > HARD;
  return heights.flatMap((height, at) => (falls(at) && heights[at + 1] > height - HARD / 3 ? [at / FRAMES] : []));
}
