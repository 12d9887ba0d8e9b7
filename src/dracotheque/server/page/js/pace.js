/** How fast moves are shown: a setting of this device. */

const STORAGE_KEY = "dracotheque.pace";
/** Times of usual length are multiplied by this. @type {Record<string, number>} */
const FACTORS = { calm: 1.8, usual: 1, quick: 0.45, "at-once": 0 };
const BEAT_MS = 900; // a move is shown at least this long
const SHORTEST_MS = 700; // also where many are waiting
const ROUND_MS = 8_000; // all moves that wait should not take longer than this

export const PACES = Object.keys(FACTORS);

/** The name of the pace that was chosen. */
export function paceName() {
  const kept = localStorage.getItem(STORAGE_KEY) ?? "";
  return kept in FACTORS ? kept : "usual";
}

/** @param {string} name */
export function choosePace(name) {
  localStorage.setItem(STORAGE_KEY, name);
  dispatchEvent(new Event("pace"));
}

/** By how much usual times are multiplied: 0 where moves are shown at once. */
export const pace = () => FACTORS[paceName()];

/** How many milliseconds a move is shown at least, where that many are waiting. @param {number} waiting */
export const beatTime = (waiting) =>
  pace() * Math.max(SHORTEST_MS, Math.min(BEAT_MS, ROUND_MS / Math.max(1, waiting)));

/** A wait that can be cut short. */
export class Wait {
  end = () => {};

  /** Wait for some milliseconds, or until it is cut short. @param {number} time @returns {Promise<void>} */
  start(time) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time);
      this.end = () => (clearTimeout(timer), resolve());
    });
  }
}
