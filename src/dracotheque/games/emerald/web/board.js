/** Emerald's pieces: knights by their crest, the dragon, gem and gold cards, treasures, and the links of the rod. */

import { gained, held } from "/page/js/board-diff.js";
import { faces, throwing } from "/page/js/dice.js";

/** @typedef {import("/page/protocol").Piece} Piece */
/** @typedef {import("/page/protocol").MoveRecord} MoveRecord */
/** @typedef {import("/page/protocol").Phrase} Phrase */
/** @typedef {import("/page/board-module").ChipPart} ChipPart */
/** @typedef {import("/page/board-module").Flight} Flight */
/** @typedef {import("/page/board-module").Place} Place */
/** @typedef {import("/page/protocol").BoardState} BoardState */

const NEAR = 21; // how far apart two knights are that stand together
const PILE = 24; // the room of a pile of cards: less than knights have
const DEEP = 20; // how far one row stands behind another, where there are two
const DEPTH = 54; // of all rows together

const FIRST_FIELD = 5; // places of the road by their numbers, as all the next
const CHAMBER = 20;
/** How the road bends before it reaches a place. @type {Record<number, [number, number][]>} */
const BENDS = { 14: [[1110, 630], [1164, 560]], 18: [[558, 440], [590, 340]] };

const SIZES = { dragon: 150, treasure: 44, rod: 160, "rod-end": 160 };
const KNIGHT = 62;
const CARD = 46;
const SOAR = 26; // how high the dragon rises between two caves
const NEST = "21";

/** Nothing on this board is for one seat alone. */
export const open = true;
/** The road and the caves lie side by side. */
export const wide = true;

/** @param {Piece} piece */
export function symbolOf({ kind, value = 0 }) {
  if (kind === "dragon" || kind === "rod-end") return `p-${kind}-${value ? "right" : "left"}`;
  return kind === "card-gold" ? `p-card-gold-${value}` : `p-${kind}`;
}

/** @param {Piece} piece @returns {number} */
export function size({ kind }) {
  return /** @type {Record<string, number>} */ (SIZES)[kind] ?? (kind.startsWith("knight") ? KNIGHT : CARD);
}

/**
 * Cards lie on one another, knights stand side by side, and in rows where there are many.
 * @param {number} rank @param {number} count @param {number} room @returns {[number, number]}
 */
export function stand(rank, count, room) {
  if (room <= PILE) return [(count - 1 - rank) * -2.5, (count - 1 - rank) * -3];
  const most = Math.max(1, Math.floor((2 * room - 24) / NEAR) + 1);
  const rows = Math.ceil(count / most);
  const row = Math.floor((rank * rows) / count);
  const first = Math.ceil((row * count) / rows);
  const many = Math.ceil(((row + 1) * count) / rows) - first;
  return [(rank - first - (many - 1) / 2) * NEAR, (row - (rows - 1) / 2) * Math.min(DEEP, DEPTH / rows)];
}

/**
 * A knight walks from place to place along the road, a captured one flies straight; the dragon flies over the caves
 * that its event names.
 * @param {Piece} piece @param {Place} from @param {Place} to
 * @param {Map<string, Place>} places @param {MoveRecord} [record]
 * @returns {[number, number][]}
 */
export function between(piece, from, to, places, record) {
  const [first, last] = [from, to].map(({ node }) => Number(node.dataset.place));
  if (piece.kind === "dragon") return overflown(places, record);
  if (!piece.kind.startsWith("knight") || last > CHAMBER) return [];
  /** @type {[number, number][]} */
  const way = [];
  for (let place = Math.max(first + 1, FIRST_FIELD); place <= last; place++) {
    way.push(...(BENDS[place] ?? []));
    const step = places.get(String(place));
    if (step && place < last) way.push([step.x, step.y]);
  }
  return way;
}

/**
 * The places of the road from one to another, as they are counted.
 * @param {Place} from @param {Place} to @param {Map<string, Place>} places @returns {Place[]}
 */
export function steps(from, to, places) {
  const [first, last] = [from, to].map(({ node }) => Number(node.dataset.place));
  if (!(last <= CHAMBER)) return [to];
  const begin = Math.max(first + 1, FIRST_FIELD);
  return Array.from({ length: Math.max(0, last - begin + 1) }, (_, number) => places.get(String(begin + number)) ?? to);
}

/** As many knights as stand together, so many steps they go. @param {Piece[]} pieces @param {string} place */
export function badge(pieces, place) {
  const knights = pieces.filter(({ kind }) => kind.startsWith("knight")).length;
  return knights > 1 && Number(place) < CHAMBER ? `×${knights}` : "";
}

/**
 * What lies at a cave, in pictures, and a flame where the dragon wakes.
 * @param {Phrase} preview @returns {ChipPart[] | undefined}
 */
export function chip([key, gaps]) {
  const { cards, gem, gold, value } = /** @type {any} */ (gaps ?? {});
  const name = key.replace(/^preview\./, "");
  if (name === "cave" || name === "cave_wakes") {
    const wakes = name === "cave_wakes" ? [{ symbol: "p-flame" }] : [];
    return [...(chip(cards) ?? []), ...wakes];
  }
  if (name === "either") return [gem, gold].flatMap((card) => chip(card) ?? []);
  if (name === "gem" || name === "fourth_gem") return chip(gem);
  if (/^(some_)?gem\.\w+$/.test(key)) return [{ symbol: `p-card-${key.split(".")[1]}` }];
  if (key === "card.gold") return [{ symbol: `p-card-gold-${value}` }];
  if (name === "chamber" || name === "chamber_ends") return [{ symbol: "p-treasure" }];
  return name === "way" ? [] : undefined;
}

/** The dragon may fly and come back to where it was. @param {Piece} piece */
export const roams = ({ kind }) => kind === "dragon";

/** @param {MoveRecord | undefined} record */
const flightOf = (record) => record?.events.map(([, phrase]) => phrase).find(([key]) => /\.flight\.\d$/.test(key));

/**
 * The caves between which the dragon flies.
 * @param {Map<string, Place>} places @param {MoveRecord} [record] @returns {[number, number][]}
 */
function overflown(places, record) {
  const gaps = /** @type {Record<string, any>} */ (flightOf(record)?.[1] ?? {});
  return [gaps.first, gaps.second].flatMap((cave) => {
    const perch = places.get(`perch-${cave}`);
    return perch ? [/** @type {[number, number]} */ ([perch.x, perch.y - SOAR])] : [];
  });
}

/** How high a piece is lifted between two places. @param {Piece} piece */
export const hop = ({ kind }) => (kind.startsWith("knight") ? 12 : kind === "dragon" ? SOAR : 0);

/** A captured knight waits for the dragon, and then the rod slides. @param {Piece} before @param {Piece} after */
export function delay(before, after) {
  if (before.kind.startsWith("rod")) return 800;
  return before.kind.startsWith("knight") && after.place === NEST ? 650 : 0;
}

/** Cards are turned over, the dragon turns its head. @param {Piece} before @param {Piece} after */
export const flips = (before, after) => (before.kind === "dragon" ? before.value !== after.value
  : /^(gem|gold)-back$/.test(before.kind) && after.kind.startsWith("card-"));

/**
 * Cards and treasures fly to the seat that took them, gold face down; a bribe flies to the dragon.
 * @param {BoardState} before @param {BoardState} after @returns {Flight[]}
 */
export function flights(before, after) {
  const taken = Object.keys(before.pieces).filter((id) => !(id in after.pieces)).flatMap((id) => {
    const piece = before.pieces[id];
    const kind = piece.kind.replace("card-", "");
    const [seat] = gained(before.holdings, after.holdings, kind);
    if (seat === undefined) return [];
    const hidden = kind === "gold" && after.holdings[seat].some((each) => each.kind === "gold" && each.value == null);
    return [{ of: id, symbol: symbolOf(piece), size: size(piece), from: { place: piece.place }, to: { seat },
      duration: 520, turned: hidden ? "p-gold-back" : undefined }];
  });
  const paid = after.holdings.flatMap((_, seat) =>
    (held(before.holdings, seat, "gold").count > held(after.holdings, seat, "gold").count
      ? [{ symbol: "p-gold-back", size: CARD, from: { seat }, to: { figure: "dragon" } }] : []));
  return [...taken, ...paid];
}

/** The dragon's die. @param {MoveRecord} record */
export function thrown(record) {
  const flight = flightOf(record);
  return flight ? throwing(Number(flight[0].slice(-1)), 3) : null;
}

/**
 * Say which of a crest's knights walked: they are alike, and the server numbers them from the castle onward, so that a
 * number would pass to another where one overtakes. A knight whose place is still taken stays; the others walked.
 * @param {Record<string, Piece>} before @param {Record<string, Piece>} after @returns {Record<string, Piece>}
 */
export function follow(before, after) {
  const settled = { ...after };
  const knights = Object.keys(after).filter((id) => after[id].kind.startsWith("knight"));
  for (const kind of new Set(knights.map((id) => after[id].kind))) {
    const ids = knights.filter((id) => after[id].kind === kind);
    const spots = ids.map((id) => after[id]);
    const walked = ids.filter((id) => {
      const same = spots.findIndex((spot) => spot.place === before[id]?.place);
      if (same >= 0) [settled[id]] = spots.splice(same, 1);
      return same < 0;
    });
    walked.forEach((id, rank) => (settled[id] = spots[rank]));
  }
  return settled;
}

const FLAME = `<symbol id="p-flame" viewBox="-50 -50 100 100"><path fill="#d9531e" stroke="#2a1c08" stroke-width="4"
  d="M5-44c5 22 28 30 28 58c0 20-15 32-33 32s-33-13-33-31c0-17 11-23 15-36c6 5 8 10 10 16c10-10 15-23 13-39z"/>
  <path fill="#ffcb3d" d="M2 0c8 10 14 16 14 26c0 9-7 15-16 15s-16-6-16-14c0-8 6-12 8-18c3 2 4 5 5 8c4-4 6-10 5-17z"/>
  </symbol>`;

/** The faces of the dragon’s die, and the flame of a dragon that wakes. */
export const symbols = faces(3, "#b5432a", "#fffaf0") + FLAME;
