/** Emerald's pieces: knights by their crest, the dragon, gem and gold cards, treasures, and the links of the rod. */

import { gained, held } from "/page/js/board-diff.js";
import { faces, throwing } from "/page/js/dice.js";

/** @typedef {import("/page/protocol").Piece} Piece */
/** @typedef {import("/page/protocol").MoveRecord} MoveRecord */
/** @typedef {import("/page/js/svg-board.js").Flight} Flight */
/** @typedef {import("/page/js/svg-board.js").Place} Place */
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
 * A knight walks from place to place along the road, and whom the dragon takes flies straight; the dragon flies over
 * the caves it is told to fly over.
 * @param {Piece} piece @param {Place} from @param {Place} to @param {Map<string, Place>} places @param {MoveRecord} [record]
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

/** Whoever is taken waits for the dragon, and then the rod slides. @param {Piece} before @param {Piece} after */
export function delay(before, after) {
  if (before.kind.startsWith("rod")) return 800;
  return before.kind.startsWith("knight") && after.place === NEST ? 650 : 0;
}

/** Cards are turned over, the dragon turns its head. @param {Piece} before @param {Piece} after */
export const flips = (before, after) => (before.kind === "dragon" ? before.value !== after.value
  : /^(gem|gold)-back$/.test(before.kind) && after.kind.startsWith("card-"));

/**
 * Cards and treasures fly to whoever took them, gold face down; a bribe flies to the dragon.
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
 * number would pass to another where one overtakes. Whose place is still taken stays; the rest is who walked.
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

export const symbols = `${faces(3, "#b5432a", "#fffaf0")}
<style>
.e-k,.e-k2,.e-k3,.e-kn,.e-kl,.e-kb,.e-kc,.e-cw,.e-k2w,.e-j{fill:none;stroke:var(--ink);stroke-width:1.7;
stroke-linecap:round;stroke-linejoin:round}
.e-k2{stroke-width:.9}.e-k3{stroke-width:1.3}.e-kn{stroke-width:2.2}.e-kb{stroke-width:2.6}
.e-kl{stroke:var(--gold, #c8952c);stroke-width:.8}.e-kc{stroke:var(--woodd, #8a5c2e);stroke-width:2.6}
.e-k2w{stroke:#fff;stroke-width:.8;opacity:.6}.e-cw{stroke:currentColor;stroke-width:2.3}
.e-ik{fill:var(--ink)}.e-sh{fill:#0a0806;opacity:.25}.e-hl{fill:#fff;opacity:.45}
.e-cn{font:700 22px Alegreya,Georgia,serif;font-variant-numeric:lining-nums;text-anchor:middle;fill:#2a2018}
.e-card{fill:var(--card, #fffaf0)}.e-steel{fill:var(--steel, #d9d6cc)}.e-drag{fill:var(--drag, #3f9c72)}
.e-dragl{fill:var(--dragl, #8cc79c)}.e-dragd{fill:var(--dragd, #1f7a5c)}.e-belly{fill:var(--belly, #f1dd9c)}
.e-ruby{fill:var(--ruby, #c2412f)}.e-emerald{fill:var(--emerald, #1f7a5c)}.e-garnet{fill:var(--garnet, #6f2347)}
.e-turq{fill:var(--turq, #2f9a9c)}.e-coin{fill:var(--coin, #e2b03f)}.e-gold{fill:var(--gold, #c8952c)}
.e-wood{fill:var(--wood, #b98649)}.e-woodd{fill:var(--woodd, #8a5c2e)}.e-cardd{fill:var(--cardd, #e8d8b4)}
.e-cc{fill:currentColor}
</style>
<defs><g id="e-kn"><ellipse class="e-sh" cx="5" cy="-.5" rx="15" ry="4.2"/><defs><path id="e-i1" d="M-13-3c0 0-.2-2.5
.6-4 .8-1.5 3.4-2.8 4.4-5 1-2.2 1.4-5.2 1.6-8 .2-2.8-1.7-7.2-.6-9 1.1-1.8 4.6-2 7-2 2.4 0 6.2 .2 7.2 2 1 1.8-1.2 6.2-1
9 .2 2.8 1.1 5.8 2.2 8 1.1 2.2 3.6 3.5 4.4 5 .8 1.5 .6 4 .6 4 0 0-4.2 2.8-6.4 3.6-2.2 .8-4.7 1-7 1-2.3
0-4.8-.2-7-1-2.2-.8-6-3.6-6-3.6z"/></defs><use href="#e-i1" class="e-card"/><use href="#e-i1" class="e-cc" x="1"
y=".6"/><use href="#e-i1" class="e-k"/><path class="e-sh" d="M3-29c3 6 2 12 4 17s4 6 5 9c-3 2-6 3-9 3z"/><path
class="e-cc e-k2" d="M1-46c2-7 9-9 14-5c-3 0-4 1-4 3c-2 0-4 1-5 4z"/><path class="e-steel e-k" d="M-8.2-31.5c-1-8
2.6-14.6 8.6-14.7c6 0 9 6 8 14.4c-5 2.6-12 2.6-16.6 0.3z"/><path class="e-kn" d="M-7.9-37.6c3.6 1.2 7.2 1.4 10.6
.8"/><path class="e-k2" d="M-4.6-35.6v3.4M-1.5-35.2v3.5M1.6-35.4v3.3"/><path class="e-card e-k" d="M-10.8-27.5c7-1.5
14-1.6 21.2-.2c.8 10-1.6 19.5-10.4 25.2c-9-5.5-11.6-15-10.8-25z"/></g>
<g id="e-dragon"><path class="e-dragd" d="M-20-44c0 0-10-20-14-30-4-10-8-30-8-30 0 0 10-6 16-8 6-2 22-5 22-5 0 0-1 12
2 17 3 5 14 12 14 12 0 0-8 8-8 14 0 6 6 22 6 22 0 0-30 8-30 8z"/><path class="e-k" d="M-20-44c0
0-10-20-14-30-4-10-8-30-8-30 0 0 10-6 16-8 6-2 22-5 22-5 0 0-1 12 2 17 3 5 14 12 14 12 0 0-8 8-8 14 0 6 6 22 6 22 0
0-30 8-30 8z"/><path class="e-k2" d="M-42-104Q-18-80 12-88M-42-104Q-20-70 10-52"/><path class="e-belly e-k3"
d="M-71.4-102l11.1-1.5-6 7.9zM-64.4-89l11.1-1.5-6 7.9zM-59.4-75l11.1-1.5-6 7.9zM-51.4-63l11.1-1.5-6
7.9zM-40.4-56l10.3-.9-5.2 7.3zM50.3-47.4l8.7-6.3-.8 9.3zM63.2-42.8l10.5-2.1-4.5 8zM74.2-32.8l10.5-2.1-4.5
8zM83.2-20.8l9.8-1.4-3.8 7.3zM94.2-11.8l8.4 0-2.4 6z"/><defs><path id="e-i27" d="M-129-85c1-3 2-8 5-10 3-2 8 0 11-1
3-1 6-1 9-3 3-2 5-7 8-9 3-2 8-3 12-2 4 1 8 3 12 6 4 3 7 8 9 13 2 5 3 11 5 16 2 5 4 10 7 13 4 4 8 6 14 8 6 2 16 4 25 4
9 0 18-2 27-2 9 0 19 0 27 1 8 1 16 3 22 7 6 4 12 10 16 15 4 5 6 12 9 15 4 3 8 4 12 5 4 0 9 0 13-2 4-2 7-5 9-8 2-3 4-8
3-12-1-4-7-11-7-11 0 0 12 2 15 6 4 4 6 10 6 16 0 6-4 14-9 18-5 4-12 6-19 8-6 2-11 1-20 2-9 1-20 2-32 2-12
0-27-1-40-1-13 0-30 1-40 1-10 0-16
1-22-2-6-3-12-9-16-14-4-5-7-12-9-18-2-6-2-12-3-18-2-6-3-10-6-15-3-4-7-9-10-12-3-3-6-5-10-6-4-1-8 1-12 1-4 0-9
0-12-1-3-1-6-2-8-4-2-2-2-3-1-6z"/></defs><use href="#e-i27" class="e-card"/><use href="#e-i27" class="e-drag" x=".8"
y=".8"/><path class="e-belly e-k2" d="M-96-75c0 1 7 3 10 6 3 3 7 8 10 12 3 4 4 10 6 15 2 6 1 12 3 18 2 6 5 13 9 18 4 5
12 13 16 14 4 1 9-5 8-8-1-3-9-7-12-12-3-5-6-10-8-16-2-6-2-12-3-17-2-5-3-11-6-15-3-4-8-8-12-11-4-3-8-5-11-6-4-1-10 1-10
2z"/><path class="e-k2" d="M-84-68q6-3 10-2M-77-59q8-3 13-1M-72-48q8-3 14 0M-69-36q8-2 14 2M-66-24q8-2 14 2M-60-10q8-1
12-1M-52 1q7-1 9-5"/><path class="e-dragd" opacity=".6" d="M92 8c-9 1-20 2-32 2-12 0-27-1-40-1-13 0-31 2-40
1-9-1-16-5-14-8 2-3 13-9 24-10 11-1 27 4 40 4 13 0 29-4 40-4 11 0 18 4 26 4 8 0 16 1 22-2 6-3 12-16 16-18 4-2 6 0 6 4
0 4-4 14-9 18-5 4-12 6-19 8-6 2-11 1-20 2z"/><path class="e-ik" d="M-128.3-84.8l1.5-5.3 3-4.6 5.1-.8 5.8 .1 4.7-1.2
4.5-2 4.2-4.4 4.1-4.1 5.3-2 5.9 .1 5.8 2.2 5.6 3.7 5 5.5 3.9 7 2.5 7.9 2.7 7.9 3.3 7 4 6.2 6 4.7 8.3 3.2 11.7 2.7 13.4
1.6 13.4-.7 13.6-1.4 13.8 .2 13 1.5 11.6 2.5 10.1 4.1 8.5 7.1 7 7.9 4.9 7.8 4.6 6.9 5.9 3.9 6.5 1.4 6.8-.6 6.5-1.9
5.3-3.2 3.9-4.9 2.4-5.9 .7-6.4-3.5-7.3-3.5-3 5.4 1.7 8.3 4.6 4.1 6.8 1.7 8.2-2.9 9.1-5.9 8.1-8.4 4.9-9.9 3.4-9.2
1.3-10.8 .5-14.7 1.5-17.2 1-12.7-.4-13.7-.6-13.6-.1-14 .2-14 .1-12 .1-12.4
.1-9.2-2.1-8.3-6-7.2-7.7-5.4-8.5-3.5-9.1-1.6-9.1-1.8-8.7-2.7-8-3.3-7.2-4.9-6.6-5.5-5.4-4.9-3.8-5.2-2.6-6 .3-6.1
.9-6.2-.5-5.5-1.1-4.5-1.5-3.1-2.1-.8-2.1 .4-3.1zM-130.3-85.1l-.3 3.7 1.9 3.1 3.6 2.5 4.8 1.9 6 .6 6.3-.2 6.2-.7 5.7-.1
5 1.8 4.9 3.8 5 5.5 4.6 6.5 3.6 7 2.4 7.8 .8 8.9 1.8 9.3 3.9 9.4 5.2 9 7.2 8.3 9.3 6 9.8 1.7 12.6 .3 12-.3 14-.9 14-.4
13.6 .5 13.6 .4 12.8 0 17.3-.7 14.8-.8 10.8-.7 9.2-1.5 10.5-2.6 9.2-5.1 6.2-8.9 3-9.9-1.3-9.3-4.9-7.7-9.3-4.2-7-1.5 3
5.1 4 6.6-.3 6-2.6 5.7-3.9 4.4-4.9 3.5-6.2
1.7-6.5-.2-6-1.5-5.6-3.2-3.9-6.9-4.6-8.4-7.4-8.1-9.1-6.9-10.5-4.6-11.8-2.8-13.4-.7-13.8 .4-13.7 1-13.3
.9-13.3-1.1-11.6-2.6-7.9-3.7-5.8-4.4-4.1-5.8-2.6-7-2-8.1-2.8-8.1-4.2-7.2-4.9-6.3-6-4.2-6.6-1.9-6.6 .2-6.2 1.9-4.2
4.8-3.5 4.7-4.2 2-4.6 .8-5.7 .3-5.4 1-3.5 4.8-2 5.3z"/><path class="e-belly e-k" d="M119-42c0 0-8.2
.3-11-2-2.8-2.3-6-12-6-12 0 0 8.7 3.3 12 2 3.3-1.3 8-10 8-10 0 0 2.7 9 5 12 2.3 3 9 6 9 6 0 0-5.2 5.3-8 6-2.8
.7-9-2-9-2z"/><defs><path id="e-i28" d="M-16-44c0 0 3-24 6-34 3-10 10-28 10-28 0 0 16-4 26-6 10-2 34-4 34-4 0 0-10
15-4 18 6 3 38 2 38 2 0 0-18 11-16 16 2 5 26 16 26 16 0 0-18 0-30 4-12 4-29 16-40 20-11 4-18 7-26
6-8-1-24-10-24-10z"/></defs><use href="#e-i28" class="e-card"/><use href="#e-i28" class="e-dragl" x=".8" y=".8"/><path
class="e-drag" opacity=".5" d="M0-106c0 0 56 8 56 8 0 0 4-18 4-18 0 0-24 2-34 4-10 2-26 6-26 6z"/><path class="e-drag"
opacity=".45" d="M0-106c0 0 78 26 78 26 0 0 26 16 26 16 0 0-37 5-54-2-17-7-50-40-50-40z"/><path id="e-i29" class="e-j"
d="M-16-44c0 0 3-24 6-34 3-10 10-28 10-28 0 0 16-4 26-6 10-2 34-4 34-4 0 0-10 15-4 18 6 3 38 2 38 2 0 0-18 11-16 16 2
5 26 16 26 16 0 0-18 0-30 4-12 4-29 16-40 20-11 4-18 7-26 6-8-1-24-10-24-10z"/><use href="#e-i29" x=".9" y=".7"/><path
class="e-k" d="M0-106Q30-108 94-96M0-106Q50-98 104-64M0-106Q20-80 34-40"/><path class="e-belly e-k3"
d="M0-106q-6-5-4-11q4 4 7 9"/><path class="e-drag e-k3" d="M-16-44c-1-6 1-22 4-32 3-10 12-30 12-30 0 0-3 17-4 28-1 11
0 38 0 38 0 0-11 2-12-4z"/><path class="e-drag" d="M24 10c0 0-5-14-4-20 1-6 5-14 10-18 5-4 14-5 20-4 6 1 14 5 18 10 4
5 6 13 6 18 0 5-7 9-8 12-1 3 6 5 4 6-2 1-7 2-14 2-7 0-21 0-26-1-5-1-6-5-6-5z"/><path class="e-dragd" opacity=".55"
d="M40 12c.7-2 15.7-3 20-8 4.3-5 3.7-20.7 6-22 2.3-1.3 8 9.7 8 14 0 4.3-7.3 9-8 12-.7 3 5.7 4.7 4 6-1.7 1.3-9 2.3-14
2-5-.3-16.7-2-16-4z"/><path id="e-i30" class="e-j" d="M24 10c0 0-5-14-4-20 1-6 5-14 10-18 5-4 14-5 20-4 6 1 14 5 18 10
4 5 6 13 6 18 0 5-7 10-8 12"/><use href="#e-i30" x=".8" y=".7"/><path class="e-drag e-k" d="M24 10q-8-2-11 4q2 5 8 4q2
4 8 2q4 4 9 1q14 2 30-7"/><path class="e-k" d="M14 16l-3 4M22 18l-2 4M31 20l-1 4"/><path class="e-drag" d="M-44-34c3-2
10 1 14 4 4 3 8 11 8 16 0 5-4 12-6 16-2 4-5 7-6 10-1 3 4 4 2 6-2 2-8 4-12 4-4 0-11 0-14-1-3-1-5-4-4-6 1-2 7-3 10-6 3-3
6-8 6-13 0-5-4-11-4-16 0-5 3-12 6-14z"/><path class="e-dragd" opacity=".55" d="M-28-22c1.3-.7 6 4 6 8 0 4-4 11.7-6
16-2 4.3-5.3 7.3-6 10-.7 2.7 3.3 4.7 2 6-1.3 1.3-9.3 4.3-10 2-.7-2.3 4-11 6-16 2-5 4.7-9.7 6-14 1.3-4.3 .7-11.3
2-12z"/><path id="e-i31" class="e-j" d="M-30-30c1 3 8 11 8 16 0 5-4 12-6 16-2 4-5 7-6 10-1 3 4 4 2 6-2 2-8 4-12 4-4
0-11 0-14-1-3-1-5-4-4-6 1-2 7-3 10-6 3-3 6-8 6-13 0-5-4-11-4-16 0-5 5-12 6-14"/><use href="#e-i31" x=".8"
y=".7"/><path class="e-kn" d="M-60 17q-4 1-5 6M-53 20q-3 1-3 5M-45 21q-2 1-1 5"/><path class="e-k2" d="M-4-30q3 4 6
0M6-22q3 4 6 0M-12-18q3 4 6 0M-66-86q3 3 5-1M-62-72q3 3 5-1M34-20q3 4 6 0M46-22q3 4 6 0M42-10q3 4 6 0M56-12q3 4 6
0M0-12q3 4 6 0"/><path class="e-belly e-k" d="M-82-108c2-10 10-16 22-16c-8 4-12 10-13 19z"/><path class="e-k2"
d="M-74-119q3 1 4 4M-79-114q4 0 5 4"/><path class="e-dragl e-k" d="M-74-98c4-6 12-8 18-4c-5 1-6 4-6 7c-4 2-9
1-12-3z"/><path class="e-k" d="M-127-82c8 4 18 3 26-1c4-2 7-1 9 2"/><path class="e-card e-k2" d="M-119-80l1.5
4l2.5-3.5M-110-80l1.5 4l2-4"/><path class="e-card e-k" d="M-106-97c3-6 12-8 17-2c0 6-5 9-9 9c-5 0-8-3-8-7z"/><ellipse
class="e-ik" cx="-98.5" cy="-96" rx="2.6" ry="4"/><circle class="e-card" cx="-99.5" cy="-98" r="1.1"/><path
class="e-kn" d="M-109-101q8-8 21-3"/><path class="e-kn" d="M-123-90q1-3 4-2"/><path class="e-k2" d="M-92-86q3 1
6-1"/><ellipse class="e-ember" cx="-97" cy="-85" rx="5" ry="2" opacity=".35"/></g>
<g id="e-ruby"><path class="e-ruby e-k3" d="M-4.5-9h9l4.5 7.5l-9 11l-9-11z"/><path class="e-k2"
d="M-9-1.5h18M-4.5-9l1.5 7.5l3 11l3-11l1.5-7.5M-3-1.5h6"/><path class="e-hl" d="M-4-7.500l-3 5h3z"/></g>
<g id="e-emerald"><path class="e-emerald e-k3" d="M-4.5-10h9l3.5 3.5v13l-3.5 3.5h-9l-3.5-3.5v-13z"/><path class="e-k2"
d="M-2.5-6h5l1.5 1.5v9l-1.5 1.5h-5l-1.5-1.5v-9zM-4.5-10l2 4M4.5-10l-2 4M4.5 10l-2-4M-4.5 10l2-4"/><path class="e-hl"
d="M-6.5-6l2 2v7l-2 1z"/></g>
<g id="e-garnet"><path class="e-garnet e-k3" d="M0-10.5c2 4 8 8 8 13a8 8 0 0 1-16 0c0-5 6-9 8-13z"/><path
class="e-k2w" d="M0-10.5l-3 11l3 9.5l3-9.5zM-8 2l5-1.5h6l5 1.5"/><path class="e-hl" d="M-4-3c-2 2-2.500 4-2
6l2-1z"/></g>
<g id="e-turquoise"><path class="e-turq e-k3" d="M0-8c6 0 9.500 3.600 9.500 8s-3.500 8.300-9.500
8.300s-9.500-3.900-9.500-8.300s3.500-8 9.500-8z"/><path class="e-k2" d="M-5 3.500q2-2 4-.5t5-1.500M1-6q1 2.500 4
2.500"/><path class="e-hl" d="M-6-1.500q1-3.500 5-4.300q-2 2-2.500 4z"/></g>
<g id="e-cf"><path class="e-card e-k3" d="M-13.5-20.5q13-1.2 27-.2q1 20 .2 40.4q-13 1.4-27.2.4q-1.2-20 0-40.6z"/><path
class="e-kl" d="M-11-18q11-.8 22-.1q.5 17.500 0 35.600q-11 .8-22 .3q-.7-18 0-35.800z"/></g><g id="e-cb"><path
class="e-cardd e-k3" d="M-13.5-20.5q13-1.2 27-.2q1 20 .2 40.4q-13 1.4-27.2.4q-1.2-20 0-40.6z"/></g><g id="e-co"><path
class="e-coin e-k2" d="M0-3.300c2.300 0 3.600 1.400 3.600 3.300s-1.400 3.400-3.600
3.400s-3.600-1.500-3.600-3.400s1.300-3.300 3.600-3.300z"/></g>
</defs>
<symbol id="p-knight-lion" viewBox="-50 -50 100 100"><g transform="translate(0 42)scale(1.75)"
style="color:var(--gold, #c8952c)"><use href="#e-kn"/><path class="e-cc" d="M8.6-16c0 .7-2.2 1.1-2.5 2-.3 .8 1.2 2.5
.9 3.1-.4 .5-2.5-.4-3.2 .1-.8 .5-.5 2.8-1.1 3-.7 .2-1.8-1.8-2.7-1.8-.9 0-2 2-2.7 1.8-.6-.2-.3-2.5-1.1-3-.7-.5-2.8
.4-3.2-.1-.3-.6 1.2-2.3 .9-3.1-.3-.9-2.5-1.3-2.5-2 0-.7 2.2-1.1 2.5-2 .3-.8-1.2-2.5-.9-3.1 .4-.5 2.5 .4 3.2-.1 .8-.5
.5-2.8 1.1-3 .7-.2 1.8 1.8 2.7 1.8 .9 0 2-2 2.7-1.8 .6 .2 .3 2.5 1.1 3 .7 .5 2.8-.4 3.2 .1 .3 .6-1.2 2.3-.9 3.1 .3 .9
2.5 1.3 2.5 2z"/><path class="e-card" d="M-4-19q4-2.4 8 0q1 4-1.2 6.4q-2.8 3-5.6 0q-2.2-2.4-1.2-6.4z"/><path
class="e-k2" d="M-2-17.4v1.3M2-17.4v1.3M0-14.6v1.8M-1.4-12.5q1.4 1 2.8 0"/></g></symbol>
<symbol id="p-knight-tower" viewBox="-50 -50 100 100"><g transform="translate(0 42)scale(1.75)"
style="color:var(--ember, #b5432a)"><use href="#e-kn"/><path class="e-cc"
d="M-6.5-24.5h3v2.5h2.2v-2.5h3v2.5h2.2v-2.5h3v5.8l-1.7 1.4v9h-10v-9l-1.7-1.4z"/><path class="e-card"
d="M-2-8.500v-4.300q2.300-2.700 4.300 0v4.300z"/></g></symbol>
<symbol id="p-knight-star" viewBox="-50 -50 100 100"><g transform="translate(0 42)scale(1.75)"
style="color:var(--amethyst, #7a4a94)"><use href="#e-kn"/><path class="e-cc" d="M0-24l2 5.2 5.6 .3-4.4 3.6 1.5
5.4-4.7-3.1-4.7 3.1 1.5-5.4-4.4-3.6 5.6-.3z"/></g></symbol>
<symbol id="p-knight-oak" viewBox="-50 -50 100 100"><g transform="translate(0 42)scale(1.75)"
style="color:var(--emerald, #1f7a5c)"><use href="#e-kn"/><path class="e-cc" d="M-1.200-7l.2-5q-5
1.800-6.800-1.600q-1.400-3 1.200-4.600q-1.600-3.400 1.800-4.800q1.600-2.800 5-1.600q3.200-1.400 5 1.600q3.400 1.400
1.800 4.800q2.600 1.800 1 4.800q-1.800 3-6.600 1.600l.2 4.800z"/></g></symbol>
<symbol id="p-knight-wave" viewBox="-50 -50 100 100"><g transform="translate(0 42)scale(1.75)"
style="color:var(--sapphire, #2f5fa8)"><use href="#e-kn"/><path class="e-cw" d="M-8.5-19.5q2.4-4.5 5.2-1t5.6
0t6-.5M-8.2-13.5q2.4-4.5 5.2-1t5.6 0t5-.5M-5-8q2-3.5 4-.6t4.5-.6"/></g></symbol>
<symbol id="p-dragon-left" viewBox="-50 -50 100 100"><use href="#e-dragon" transform="scale(.365)translate(-3
43)"/></symbol>
<symbol id="p-dragon-right" viewBox="-50 -50 100 100"><use href="#e-dragon" transform="scale(-.365 .365)translate(-3
43)"/></symbol>
<symbol id="p-gem-back" viewBox="-50 -50 100 100"><g transform="scale(2.3)"><use href="#e-cb"/><path class="e-kl"
d="M-9-16h18v32h-18z"/><path class="e-k2" d="M0-8l6 8l-6 8l-6-8zM-6 0h12"/></g></symbol>
<symbol id="p-gold-back" viewBox="-50 -50 100 100"><g transform="scale(2.3)"><use href="#e-cb"/><path class="e-kl"
d="M-9-16h18v32h-18z"/><path class="e-k2" d="M0-7a7 7 0 1 0 .1 0zM0-4a4 4 0 1 0 .1 0z"/></g></symbol>
<symbol id="p-card-ruby" viewBox="-50 -50 100 100"><g transform="scale(2.3)"><use href="#e-cf"/><use href="#e-ruby"
transform="scale(1.15)"/></g></symbol>
<symbol id="p-card-emerald" viewBox="-50 -50 100 100"><g transform="scale(2.3)"><use href="#e-cf"/><use
href="#e-emerald" transform="scale(1.15)"/></g></symbol>
<symbol id="p-card-garnet" viewBox="-50 -50 100 100"><g transform="scale(2.3)"><use href="#e-cf"/><use
href="#e-garnet" transform="scale(1.15)"/></g></symbol>
<symbol id="p-card-turquoise" viewBox="-50 -50 100 100"><g transform="scale(2.3)"><use href="#e-cf"/><use
href="#e-turquoise" transform="scale(1.15)"/></g></symbol>
<symbol id="p-card-gold-1" viewBox="-50 -50 100 100"><g transform="scale(2.3)"><use href="#e-cf"/><text class="e-cn"
y="0">1</text><use href="#e-co" x="0" y="10"/></g></symbol>
<symbol id="p-card-gold-2" viewBox="-50 -50 100 100"><g transform="scale(2.3)"><use href="#e-cf"/><text class="e-cn"
y="0">2</text><use href="#e-co" x="-4.5" y="10"/><use href="#e-co" x="4.5" y="10"/></g></symbol>
<symbol id="p-card-gold-3" viewBox="-50 -50 100 100"><g transform="scale(2.3)"><use href="#e-cf"/><text class="e-cn"
y="0">3</text><use href="#e-co" x="-4.5" y="12"/><use href="#e-co" x="4.5" y="12"/><use href="#e-co" x="0"
y="6"/></g></symbol>
<symbol id="p-card-gold-4" viewBox="-50 -50 100 100"><g transform="scale(2.3)"><use href="#e-cf"/><text class="e-cn"
y="0">4</text><use href="#e-co" x="-4.5" y="13"/><use href="#e-co" x="4.5" y="13"/><use href="#e-co" x="-4.5"
y="6"/><use href="#e-co" x="4.5" y="6"/></g></symbol>
<symbol id="p-card-gold-5" viewBox="-50 -50 100 100"><g transform="scale(2.3)"><use href="#e-cf"/><text class="e-cn"
y="0">5</text><use href="#e-co" x="-7" y="13"/><use href="#e-co" x="0" y="13"/><use href="#e-co" x="7" y="13"/><use
href="#e-co" x="-4" y="6.5"/><use href="#e-co" x="4" y="6.5"/></g></symbol>
<symbol id="p-ruby" viewBox="-50 -50 100 100"><use href="#e-ruby" transform="scale(4.2)"/></symbol>
<symbol id="p-emerald" viewBox="-50 -50 100 100"><use href="#e-emerald" transform="scale(4.2)"/></symbol>
<symbol id="p-garnet" viewBox="-50 -50 100 100"><use href="#e-garnet" transform="scale(4.2)"/></symbol>
<symbol id="p-turquoise" viewBox="-50 -50 100 100"><use href="#e-turquoise" transform="scale(4.2)"/></symbol>
<symbol id="p-gold" viewBox="-50 -50 100 100"><g transform="scale(2.3)"><use href="#e-cb" transform="translate(-2
-1)rotate(-8)"/><use href="#e-cf" transform="rotate(5)"/><use href="#e-co" transform="scale(2.4)"/></g></symbol>
<symbol id="p-bonus" viewBox="-50 -50 100 100"><use href="#e-ruby" transform="translate(-22 -22)scale(2)"/><use
href="#e-emerald" transform="translate(22 -22)scale(2)"/><use href="#e-garnet" transform="translate(-22
24)scale(2)"/><use href="#e-turquoise" transform="translate(22 24)scale(2)"/></symbol>
<symbol id="p-treasure" viewBox="-50 -50 100 100"><g transform="translate(0 40)scale(1.9)"><path class="e-wood e-k"
d="M-24-27q2-15 24-15t24 15q-24 5-48 0z"/><path class="e-coin e-k3" d="M-21-25q21-9 42 0l1 5h-44z"/><path
class="e-wood e-k" d="M-22-22q22 4 44 0l-2 22q-20 4-40 0z"/><path class="e-k2" d="M-22-13q22 4 43 0"/><path
class="e-kb" d="M-14-20.5l1 22M14-20.5l-1 22M-14-40l-2 11M14-40l2 11"/><path class="e-gold e-k3" d="M-4-18h8v8q-4 3-8
0z"/></g></symbol>
<symbol id="p-rod" viewBox="-50 -50 100 100"><path class="e-sh" d="M-49-3h98v12h-98z"/><path class="e-wood e-k"
d="M-49.500-6q50-2 99 0q1 6 0 12q-50 2-99 0q-1-6 0-12z"/><path class="e-woodd" opacity=".7" d="M-48 2q48 2 96 0v4q-48
2-96 0z"/><path class="e-k2" d="M-44-2q14-1 24 0M20-1q12 1 24 0M-40 3q10 1 18 0M24 3q8-1 16 0"/><path class="e-gold
e-k" d="M-13-8q13-2 26 0v16q-13 2-26 0z"/><path class="e-kc" d="M-6-4q3 4 1 9M0-5q3 4 1 10M6-4q3 4 1 9"/></symbol>
<symbol id="p-rod-end-left" viewBox="-50 -50 100 100"><path class="e-sh" d="M-49-3h98v12h-98z"/><path class="e-wood
e-k" d="M-49.500-6q50-2 99 0q1 6 0 12q-50 2-99 0q-1-6 0-12z"/><path class="e-woodd" opacity=".7" d="M-48 2q48 2 96
0v4q-48 2-96 0z"/><path class="e-k2" d="M-44-2q14-1 24 0M20-1q12 1 24 0M-40 3q10 1 18 0M24 3q8-1 16 0"/><path
class="e-gold e-k" d="M-13-8q13-2 26 0v16q-13 2-26 0z"/><path class="e-kc" d="M-6-4q3 4 1 9M0-5q3 4 1 10M6-4q3 4 1
9"/><path class="e-woodd e-k" d="M-49-8q-1 8 0 16h7q2-8 0-16z"/></symbol>
<symbol id="p-rod-end-right" viewBox="-50 -50 100 100"><path class="e-sh" d="M-49-3h98v12h-98z"/><path class="e-wood
e-k" d="M-49.500-6q50-2 99 0q1 6 0 12q-50 2-99 0q-1-6 0-12z"/><path class="e-woodd" opacity=".7" d="M-48 2q48 2 96
0v4q-48 2-96 0z"/><path class="e-k2" d="M-44-2q14-1 24 0M20-1q12 1 24 0M-40 3q10 1 18 0M24 3q8-1 16 0"/><path
class="e-gold e-k" d="M-13-8q13-2 26 0v16q-13 2-26 0z"/><path class="e-kc" d="M-6-4q3 4 1 9M0-5q3 4 1 10M6-4q3 4 1
9"/><path class="e-woodd e-k" d="M49-8q1 8 0 16h-7q-2-8 0-16z"/></symbol>`;
