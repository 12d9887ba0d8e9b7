/** The board for the seat that is looked from: drawn where the game has a drawing, else in letters. */

import { get } from "./api.js";
import { language } from "./words.js";

/** @typedef {import("./table.js").TablePage} TablePage */

const WIDE = 100;
const NARROW = 80;
const TRIAL = 20; // pixels, as all the next
const NEAR = 14;
const SMALLEST = 6;
const LARGEST = 16;
const MARGIN = 26;

/** @type {string} */
let shown = "";
let busy = false;

/**
 * Draw the board if it is another than the one shown; while one is on its way, no second is asked for.
 * @param {TablePage} page
 */
export async function showBoard(page) {
  const wanted = page.view.status === "open" || page.view.status === "closed" ? "" : addressOf(page);
  page.board.parentElement?.toggleAttribute("hidden", !wanted);
  // Between two seats nothing is seen: what lies before one is not for the other.
  if (page.turning || !shown.startsWith(seatOf(page))) clear(page.board);
  if (!wanted || busy || page.turning || wanted === shown) return;
  busy = true;
  const drawn = await get(wanted.slice(wanted.indexOf(" ") + 1)).catch(() => null);
  if (drawn && !page.turning && wanted.startsWith(seatOf(page))) {
    const still = !shown;
    shown = wanted;
    if (page.drawn) await page.drawn.show(drawn, still);
    else showLetters(page.board, drawn.html);
    page.board.style.minHeight = "";
    page.holdings = drawn.holdings ?? [];
    page.showHoldings();
  }
  busy = false;
  if (drawn && wanted !== addressOf(page)) await showBoard(page);
}

/** @param {HTMLElement} board @param {string} html */
function showLetters(board, html) {
  board.innerHTML = html;
  fit(board);
}

/** Take the drawing away and leave its room, so that nothing jumps. @param {HTMLElement} board */
function clear(board) {
  if (board.firstChild) board.style.minHeight = `${board.offsetHeight}px`;
  board.replaceChildren();
  shown = "";
}

/** What a drawing is known by: the seat, the moment, and where it is to be had. @param {TablePage} page */
function addressOf(page) {
  const { view, replay } = page;
  const width = innerWidth < 700 ? NARROW : WIDE;
  const move = replay ? `&move=${replay.move}` : "";
  const seat = replay ? replay.seat : page.look;
  const moment = [view.number, view.moves ?? 0, view.status, (view.question?.seats ?? []).join()].join("/");
  if (page.drawn) return `${seatOf(page)}${moment}/${page.theme} ${page.path}/scene?seat=${seat}${move}`;
  return `${seatOf(page)}${moment} ${page.path}/board?seat=${seat}&lang=${language}&width=${width}${move}`;
}

/** @param {TablePage} page */
const seatOf = (page) => `${page.replay ? page.replay.seat : page.look}|`;

/** Make the letters as large as the frame allows. @param {HTMLElement} board */
export function fit(board) {
  const letters = board.firstElementChild;
  const frame = /** @type {HTMLElement} */ (board.parentElement);
  if (!letters) return;
  // Measured, not counted: some signs come from other fonts and are wider.
  board.style.fontSize = `${TRIAL}px`;
  const size = (TRIAL * (frame.clientWidth - MARGIN)) / letters.scrollWidth;
  board.style.fontSize = `${board.dataset.near ? NEAR : Math.max(SMALLEST, Math.min(LARGEST, size))}px`;
}

/** Come nearer, or step back so far that all is seen. @param {HTMLElement} board */
export function zoom(board) {
  if (board.dataset.near) delete board.dataset.near;
  else board.dataset.near = "yes";
  fit(board);
}
