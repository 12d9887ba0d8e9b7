/** Gran: knights as cones on their amulets, the ring, the stones and the seals. */

import { faces, throwing } from "/page/js/dice.js";

/** @typedef {import("/page/protocol").Piece} Piece */
/** @typedef {import("/page/protocol").MoveRecord} MoveRecord */
/** @typedef {import("/page/protocol").Phrase} Phrase */
/** @typedef {import("/page/board-module").ChipPart} ChipPart */
/** @typedef {import("/page/board-module").Flight} Flight */
/** @typedef {import("/page/board-module").Place} Place */
/** @typedef {import("/page/protocol").BoardState} BoardState */

const CRESTS = ["lion", "tower", "star", "oak", "wave", "falcon"];
const AMULETS = [0, 1, 2, 3];
const LOADS = ["", "-ring", "-collar", "-ring-collar"];
const STONES = 16;
const LAYER = 4.5; // how far one amulet lifts a knight
const APART = 50; // from one knight to the next, where they share a point

const INK = "var(--piece-ink, #241a12)";

/** @param {string} name @param {string} parts */
const symbol = (name, parts) => `<symbol id="p-${name}" viewBox="-50 -50 100 100">${parts}</symbol>`;
/** @param {string} name @param {number} [x] @param {number} [y] @param {number} [scale] */
const use = (name, x = 0, y = 0, scale = 1) =>
  `<use href="#p-${name}" transform="translate(${x} ${y}) scale(${scale})"/>`;

/** The crest on the foot of a knight. @param {string} name */
const crest = (name) =>
  `<use class="p-crest" href="#crests-crest-${name}" x="-10" y="-10" width="20" height="20"
    transform="translate(0 -8) scale(.9)"/>`;

/** A knight on its amulets. @param {string} name @param {number} amulets @param {string} load */
function knight(name, amulets, load) {
  const rings = Array.from({ length: amulets }, (_, number) => use("band", 0, 6 - LAYER * number)).join("");
  const collar = load.includes("collar") ? use("collar-worn", 0, -1) : "";
  const [glow, ring] = load.includes("ring") ? [use("glow", 0, -40), use("ring-worn", 0, -39, 1.15)] : ["", ""];
  return symbol(`knight${load}-${name}-${amulets}`, `<g transform="scale(.78)">
    <ellipse cx="4" cy="${amulets ? 7 : 3}" rx="20" ry="7" fill="${INK}" opacity="0.25"/>${rings}
    <g transform="translate(0 ${4 - LAYER * amulets})">${glow}${use("cone")}${crest(name)}
    ${collar}${ring}</g></g>`);
}

/** The heap on the raft, as high as there are stones, and their number. @param {number} count */
function heap(count) {
  const spots = [[-17, 4], [17, 5], [0, 9], [-8, -10], [10, -11]].slice(0, Math.ceil(count / 3.2));
  const stones = spots.map(([x, y]) => use("rock", x, y, 0.95)).join("");
  return symbol(`reserve-${count}`, `${stones}<use href="#p-plate"/><text y="30" font-size="18" fill="${INK}"
    text-anchor="middle" font-weight="700" font-family="Alegreya, Palatino, Georgia, serif">${count}</text>`);
}

/** Knights with their amulets and what they carry, the heap of stones, and the die. */
export const symbols = [
  ...CRESTS.flatMap((name) => AMULETS.flatMap((count) => LOADS.map((load) => knight(name, count, load)))),
  ...Array.from({ length: STONES + 1 }, (_, count) => heap(count)),
  faces(6, "#fffaf0", "#2a2018"),
].join("");

/** Nothing on this board is for one seat alone. */
export const open = true;

/** @param {Piece} piece */
export function symbolOf({ kind, seat = -1, value = 0 }) {
  if (kind.startsWith("knight")) return `p-${kind}-${CRESTS[seat]}-${value}`;
  return kind === "reserve" ? `p-reserve-${value}` : `p-${kind}`;
}

/** @type {Record<string, number>} */
const SIZES = { ring: 62, stone: 56, reserve: 104 };

/** @param {Piece} piece */
export const size = ({ kind }) => SIZES[kind] ?? 192;

/**
 * One stands on a small point or before a large one, two stand side by side, more in two rows, those in front last.
 * @param {number} rank @param {number} count @param {number} room @returns {[number, number]}
 */
export function stand(rank, count, room) {
  if (count === 1) return room <= 20 ? [0, 3] : [room * 0.65, room * 0.55];
  const behind = count === 2 ? 0 : Math.floor(count / 2);
  const [place, row] = rank < behind ? [rank, behind] : [rank - behind, count - behind];
  const down = behind === 0 ? 6 : rank < behind ? -room * 0.5 - 4 : room * 0.5 + 14;
  const aside = behind && behind * 2 === count ? (rank < behind ? -APART / 4 : APART / 4) : 0;
  return [APART * (place - (row - 1) / 2) + aside, down];
}

/** A piece is lifted a little on its way. @param {Piece} piece @param {Place} from @param {Place} to */
export const between = (piece, from, to) =>
  /** @type {[number, number][]} */ ([[(from.x + to.x) / 2, (from.y + to.y) / 2 - 18]]);

/** How large names are written on the map. */
export const written = 21;

/** The name of a point without what it is. @param {string} label */
export const tag = (label) => (label.includes(" – ") ? label.split(" – ")[0] : "");

/**
 * A stone, the ring or the knight that was attacked goes from here; else the own knight.
 * @param {Phrase} question @param {Piece[]} pieces @param {number} seat @returns {Piece | undefined}
 */
export function carried([key], pieces, seat) {
  const asked = key.split(".").at(-1) ?? "";
  if (asked === "exile") return pieces.find((piece) => piece.kind.startsWith("knight") && piece.seat !== seat);
  const kind = { stone: "stone", lifted: "stone", drop: "ring" }[asked];
  return kind ? { kind, place: "" } : undefined;
}

/**
 * What a point brings, in pictures: seals, the ring, amulets, a stone, the chance of a duel.
 * @param {Phrase} preview @returns {ChipPart[] | undefined}
 */
export function chip([key, gaps]) {
  const { part, rest, percent, of, amulets } = /** @type {any} */ (gaps ?? {});
  const name = key.replace(/^preview\./, "");
  if (name === "joined") return [part, rest].flatMap((each) => chip(each) ?? [each]);
  if (name === "ring") return [{ symbol: "p-ring" }];
  if (/^no_|^onward$/.test(name)) return [];
  if (name === "duel") return [{ symbol: "p-dragon" }, `${percent} %`];
  if (name === "stone") return [{ symbol: "p-stone" }, "+1"];
  if (name === "lift") return [{ symbol: "p-stone" }, "↷"];
  if (name === "amulets" && amulets?.[1]?.count) return [{ symbol: "p-amulet" }, `+${amulets[1].count}`];
  const seal = /^(last_)?seal$/.test(name) && { symbol: `p-seal-${of[0].split(".").at(-1)}` };
  if (seal) return [seal, name === "seal" ? "+1" : "✓"];
  return undefined;
}

/** Stones that are laid fall on their point. @param {Piece} piece */
export const falls = ({ kind }) => kind === "stone";

/**
 * The id of the knight that has the ring, or of the ring itself where it lies.
 * @param {Record<string, Piece>} pieces
 */
const ringAt = (pieces) => Object.keys(pieces).find((id) => id === "ring" || pieces[id].kind.includes("-ring"));

/**
 * The ring passes from hand to hand; seals and amulets fly to the seat that gains them, and a dragon
 * carries a knight that flies.
 * @param {BoardState} before @param {BoardState} after @param {MoveRecord} [record] @returns {Flight[]}
 */
export function flights(before, after, record) {
  const [from, to] = [ringAt(before.pieces), ringAt(after.pieces)];
  const passed = from && to && from !== to
    ? [{ of: [from, to].find((id) => id === "ring"), symbol: "p-ring", size: 66, duration: 480, high: 60,
      from: { place: before.pieces[from].place }, to: { place: after.pieces[to].place } }] : [];
  return [...passed, ...seals(before, after), ...wings(before, after, record)];
}

/** @param {BoardState} before @param {BoardState} after @returns {Flight[]} */
function seals(before, after) {
  return after.holdings.flatMap((held, seat) => held
    .filter(({ kind }) => /^seal-(?!wanted)/.test(kind) && !before.holdings[seat]?.some((each) => each.kind === kind))
    .map(({ kind }) => ({ symbol: `p-${kind}`, size: 70, seat, from: { place: placeOf(after, seat) }, to: { seat },
      duration: 620, delay: 300 })));
}

/**
 * A dragon that carries a knight over everything.
 * @param {BoardState} before @param {BoardState} after @param {MoveRecord} [record] @returns {Flight[]}
 */
function wings(before, after, record) {
  const seat = record?.player ?? -1;
  const flown = record?.events.some(([, [key]]) => /\.flies/.test(key));
  const [from, to] = [placeOf(before, seat), placeOf(after, seat)];
  return flown && from && to && from !== to
    ? [{ symbol: "p-dragon", size: 130, from: { place: from }, to: { place: to }, duration: 460, high: 50 }] : [];
}

/** Where a seat's knight stands. @param {BoardState} scene @param {number} seat */
const placeOf = ({ pieces }, seat) =>
  Object.values(pieces).find((piece) => piece.seat === seat && piece.kind.startsWith("knight"))?.place;

/** The die of a duel with a dragon. @param {MoveRecord} record */
export function thrown({ events }) {
  const duel = events.find(([, [key]]) => /\.(wins|loses)_duel$/.test(key));
  return duel ? throwing(Number(/** @type {any} */ (duel[1][1])?.pips), 6) : null;
}
