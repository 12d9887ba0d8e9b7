/** How pieces look on the board of a game that brings no board of its own: numbers and words, and discs for seats. */

import { made } from "./svg.js";
import { say } from "./i18n.js";

/** @typedef {import("../protocol").Piece} Piece */

const SIZE = 60; // units of the drawing
const FITS = 4; // letters in the middle of a place; what is longer ends there
/** The symbols that have been drawn, by what they show. @type {Map<string, string>} */
const drawn = new Map();

/** It is as simple from near. */
export const plain = true;

/** What a piece shows: its label, or else its value. @param {Piece} piece */
const shownBy = ({ label, value = 0 }) => (label ? say(label) : String(value));

/** Find or draw the symbol of a piece. @param {Piece} piece */
export function symbolOf(piece) {
  const disc = (piece.seat ?? -1) >= 0;
  const shown = `${disc ? "disc" : "text"} ${shownBy(piece)}`;
  const known = drawn.get(shown);
  if (known) return known;
  const id = `generic-${drawn.size}`;
  drawn.set(shown, id);
  document.getElementById("symbols")?.append(symbol(id, shownBy(piece), disc));
  return id;
}

/** @param {string} id @param {string} shown @param {boolean} disc whether it stands on a disc of its seat's colour */
function symbol(id, shown, disc) {
  const node = made("symbol", { id, viewBox: "-50 -50 100 100", overflow: "visible" });
  const short = shown.length <= FITS;
  const text = made("text", { class: "piece-text", x: short ? 0 : 46, y: 18, "text-anchor": short ? "middle" : "end",
    "font-size": short ? 54 : 40 });
  text.textContent = disc ? shown.slice(0, 2) : shown;
  if (disc) node.append(made("circle", { class: "piece-disc", r: 44 }));
  node.append(text);
  return node;
}

export const size = () => SIZE;

/** Several stand beside each other. @param {number} rank @param {number} count @returns {[number, number]} */
export const stand = (rank, count) => [(rank - (count - 1) / 2) * SIZE * 0.7, 0];
