/** Save the Dragon on the page: its pieces as symbols, how they move on the flat board, and the board in 3D. */

import { Board3d } from "./3d/board.js";

/** @typedef {import("/page/board-module").Place} Place */
/** @typedef {import("/page/protocol").Piece} Piece */

export const CRESTS = ["lion", "tower", "star", "oak"];

/**
 * The board on which they stand.
 * @param {import("/page/js/table-page.js").TablePage} page @param {import("/page/board-module").BoardModule} module
 */
export const board = (page, module) => new Board3d(page, module);

/** The caption of a die comes when it lies still. @param {import("/page/protocol").MoveRecord} record */
export const isReveal = ({ events }) => events.some(([, [key]]) => /^event\.(die|rock|change)$/.test(key));

/** @param {Piece} piece */
export function symbolOf({ kind, seat = -1, value = 0 }) {
  if (seat >= 0) return `p-${kind}-${CRESTS[seat]}`;
  if (kind === "die-steps") return `p-die-${value}`;
  if (kind === "die-action") return value === 1 ? "p-die-rock" : "p-die-change";
  return `p-${kind}`;
}

// --- Where and how large ---------------------------------------------------------------------------------------------
/** @type {Record<string, number>} */
const SIZES = { pawn: 102, struck: 102, fallen: 108, shield: 98, rock: 96, door: 150 };
const DIE = 76;
const STEPS = 9;
const FARTHER = 0.2; // of its size a piece seems smaller on the highest step
const BROAD = 100; // room from which pieces stand in a row
const APART = 96;

/** How large a piece is: the higher it stands, the smaller. @param {Piece} piece */
export function size({ kind, place }) {
  const step = /^[abc]\d$/.test(place) ? Number(place[1]) : /^(door|chamber|rock)/.test(place) ? STEPS : 1;
  const large = SIZES[kind] ?? DIE;
  return kind === "door" ? large : large * (1 - (FARTHER * (step - 1)) / (STEPS - 1));
}

/** @param {number} rank @param {number} count @param {number} room @returns {[number, number]} */
export function stand(rank, count, room) {
  const apart = room > BROAD ? Math.min(APART, (2 * room) / Math.max(1, count - 1)) : room * 1.5;
  return [(rank - (count - 1) / 2) * apart, 0];
}

const STRIDE = 88; // from a step to the next
const HOP = 30;

/**
 * Pawns hop from step to step, the rock bounces down; what is carried goes in a bow.
 * @param {Piece} piece @param {Place} from @param {Place} to @returns {[number, number][]}
 */
export function between({ kind }, from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const carried = kind === "door" || kind === "shield" || (kind === "rock" && dy < 0);
  const hops = carried ? 1 : Math.max(1, Math.round(Math.hypot(dx / 2, dy) / STRIDE));
  const height = kind === "pawn" || carried ? HOP : HOP * 1.5;
  return Array.from({ length: 2 * hops - 1 }, (_, number) => {
    const way = (number + 1) / (2 * hops);
    return [from.x + dx * way, from.y + dy * way - (number % 2 ? 0 : height)];
  });
}
