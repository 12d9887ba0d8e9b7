/** Gran: knights as cones on their amulets, the ring, the stones and the seals. */

import { faces, throwing } from "/page/js/dice.js";

/** @typedef {import("/page/protocol").Piece} Piece */
/** @typedef {import("/page/protocol").MoveRecord} MoveRecord */
/** @typedef {import("/page/js/svg-board.js").Flight} Flight */
/** @typedef {import("/page/js/svg-board.js").Place} Place */
/** @typedef {import("/page/protocol").BoardState} BoardState */

const CRESTS = ["lion", "tower", "star", "oak", "wave", "falcon"];
const AMULETS = [0, 1, 2, 3];
const LOADS = ["", "-ring", "-collar", "-ring-collar"];
const STONES = 16;
const LAYER = 4.5; // how far one amulet lifts a knight
const APART = 50; // from one knight to the next, where they share a point

// --- The pen: what is drawn here has the same lines by day and by night, as it stands on boards and beside names -----
const INK = "var(--piece-ink, #241a12)";
const SEAT = "var(--seat, #8b8578)";
const CARD = "var(--piece-card, #fffaf0)";
const GOLD = "var(--piece-gold, #e2b03f)";
const SHINE = "var(--piece-shine, #fbe39a)";
const EMBER = "var(--ember, #b5432a)";
const STEEL = "var(--piece-steel, #9ba0a6)";
const ROCK = "var(--piece-rock, #b9aea0)";
const ROCK_DEEP = "var(--piece-rock-deep, #857a6e)";
const ROCK_LIGHT = "var(--piece-rock-light, #ddd4c6)";
const LANDS = { tirad: "#b5432a", urgad: "#b98420", galad: "#4f8a52", elgad: "#3d6ea6" };

/** A line of the pen around what is drawn. @param {number} width */
const line = (width) => `stroke="${INK}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"`;
/** @param {string} d @param {string} fill @param {number} [width] @param {string} [more] */
const path = (d, fill, width = 0, more = "") => `<path d="${d}" fill="${fill}" ${width ? line(width) : ""} ${more}/>`;
/** @param {string} name @param {string} parts */
const part = (name, parts) => `<g id="p-${name}">${parts}</g>`;
/** @param {string} name @param {string} parts */
const symbol = (name, parts) => `<symbol id="p-${name}" viewBox="-50 -50 100 100">${parts}</symbol>`;
/** @param {string} name @param {number} [x] @param {number} [y] @param {number} [scale] */
const use = (name, x = 0, y = 0, scale = 1) =>
  `<use href="#p-${name}" transform="translate(${x} ${y}) scale(${scale})"/>`;

const dim = (/** @type {number} */ much) => `opacity="${much}"`;

/** A band of gold, seen from the side. @param {number} rx @param {number} ry */
const band = (rx, ry) => `<ellipse rx="${rx}" ry="${ry}" fill="none" stroke="${INK}" stroke-width="5.6"/>
  <ellipse rx="${rx}" ry="${ry}" fill="none" stroke="${GOLD}" stroke-width="3.2"/>
  <path d="M${-rx * 0.86} ${ry * 0.4}q${rx * 0.4} ${ry * 0.8} ${rx * 0.86} ${ry * 0.8}" fill="none" stroke="${SHINE}"
    stroke-width="1" stroke-linecap="round"/>`;

// --- The crests, in ink on a light disc: told apart by shape, whatever the colour ------------------------------------
/** @type {Record<string, string>} */
const SHAPES = {
  lion: path(`M8.6 0c0 .7-2.2 1.1-2.5 2-.3 .8 1.2 2.5 .9 3.1-.4 .5-2.5-.4-3.2 .1-.8 .5-.5 2.8-1.1 3-.7 .2-1.8-1.8-2.7
    -1.8-.9 0-2 2-2.7 1.8-.6-.2-.3-2.5-1.1-3-.7-.5-2.8 .4-3.2-.1-.3-.6 1.2-2.3 .9-3.1-.3-.9-2.5-1.3-2.5-2 0-.7 2.2-1.1
    2.5-2 .3-.8-1.2-2.5-.9-3.1 .4-.5 2.5 .4 3.2-.1 .8-.5 .5-2.8 1.1-3 .7-.2 1.8 1.8 2.7 1.8 .9 0 2-2 2.7-1.8 .6 .2
    .3 2.5 1.1 3 .7 .5 2.8-.4 3.2 .1 .3 .6-1.2 2.3-.9 3.1 .3 .9 2.5 1.3 2.5 2z`, INK)
    + path("M-4-3q4-2.4 8 0q1 4-1.2 6.4q-2.8 3-5.6 0q-2.2-2.4-1.2-6.4z", CARD)
    + path("M-2-1.4v1.3M2-1.4v1.3M0 1.4v1.8M-1.4 3.5q1.4 1 2.8 0", "none", 1),
  tower: path("M-6.5-8.5h3v2.5h2.2v-2.5h3v2.5h2.2v-2.5h3v5.8l-1.7 1.4v9h-10v-9l-1.7-1.4z", INK)
    + path("M-2 7.7v-4.5q2.3-2.7 4.3 0v4.5z", CARD),
  star: path("M0-9l2.2 5.7 6.2 .3-4.9 4 1.7 6-5.2-3.4-5.2 3.4 1.7-6-4.9-4 6.2-.3z", INK),
  oak: path(`M-1.2 9l.2-5q-5 1.8-6.8-1.6q-1.4-3 1.2-4.6q-1.6-3.4 1.8-4.8q1.6-2.8 5-1.6q3.2-1.4 5 1.6q3.4 1.4 1.8 4.8
    q2.6 1.8 1 4.8q-1.8 3-6.6 1.6l.2 4.8z`, INK),
  wave: path("M-8.5 5q0-11 8-12.5q6-1 8 4q-4-2.5-6 .5q-1 4 3 5q3 .5 4.5-1v4q-8 3.5-17.5 0z", INK)
    + path("M-6 4q1-8 6-9.5q-3 4-1.5 8q-2 2-4.5 1.5z", CARD),
  falcon: path(`M-8.5-6q4 0 6.5 3q0-3 2-4.5q2 1.5 2 4.5q2.5-3 6.5-3q-.5 6-5.5 8.5l1 1.5l-2.5 1l-1.5 4l-1.5-4l-2.5-1
    l1-1.5q-5-2.5-5.5-8.5z`, INK) + path("M-.8-4.5h1.6l-.8 2z", CARD),
};

// --- What is drawn once ----------------------------------------------------------------------------------------------
const CONE = path("M-14 0l11-35q3-4 6 0l11 35q-14 9-28 0z", SEAT, 1.9)
  + path("M2-36l12 36q-4 3-9 4q3-19-3-40z", INK, 0, dim(0.22)) + path("M-9.5-1l7.5-25q-1 13-3.5 27z", CARD, 0, dim(0.5))
  + `<circle cy="-8" r="10" fill="${CARD}" ${line(1.3)}/>`;
const COLLAR = path("M-8.5-21q8.5 5 17 0l2 5q-10.5 6-21 0z", STEEL, 1.4) + `<circle cy="-16.5" r="1.6" fill="${INK}"/>`
  + path("M9-16q6 1 5 6q-1 4 3 5", "none", 1.7) + path("M17-5q4-1 4 3t-4 3t-4-3t4-3z", "none", 1.7);
const RING = band(10, 7) + path("M-4.5-7.5l4.5-5.5l4.5 5.5l-4.5 4.5z", EMBER, 1)
  + path("M-2-7.5l2-3v4z", CARD, 0, dim(0.7));
const GLOW = [31, 26, 21, 16].map((r) => `<circle r="${r}" fill="${SHINE}" ${dim(0.15)}/>`).join("");
const STONE = path("M-15 9q16-8 34 0q-16 8-34 0z", INK, 0, dim(0.22))
  + path("M-15 9q-3-9 3-14q4-8 12-7q9 0 12 8q5 6 2 13q-14 5-29 0z", ROCK, 1.8)
  + path("M5-11q6 2 7 7q5 6 2 13l-9 2q5-10 0-22z", ROCK_DEEP)
  + path("M-11 2q0-5 4-8q3-3 7-3q-4 4-5 8q-3 4-6 3z", ROCK_LIGHT) + path("M-5 5l3-5l5 1M-1 10l2-3", "none", 0.9);
/** @param {string} colour */
const wax = (colour) =>
  path("M-15 1q-1-8 5-11q5-6 12-4q8-1 11 6q5 6 1 12q-2 9-11 9q-8 4-13-2q-6-3-5-10z", colour, 1.6)
  + path("M13-8q5 6 1 12q-2 9-11 9q-6 2-10 0q18-2 20-21z", INK, 0, dim(0.2))
  + `<circle r="10" fill="${INK}" ${dim(0.18)}/>` + path("M-11-4q2-6 8-7q-4 2-6 7q-1 2-2 0z", CARD, 0, dim(0.45));

/** @param {number} y @param {number} size @param {string} fill @param {string} written */
const writing = (y, size, fill, written) =>
  `<text y="${y}" font-size="${size}" fill="${fill}" text-anchor="middle" font-weight="700"
    font-family="Alegreya, Palatino, Georgia, serif">${written}</text>`;

/** A knight on its amulets. @param {string} crest @param {number} amulets @param {string} load */
function knight(crest, amulets, load) {
  const rings = Array.from({ length: amulets }, (_, number) => use("band", 0, 6 - LAYER * number)).join("");
  const collar = load.includes("collar") ? use("collar-worn", 0, -1) : "";
  const [glow, ring] = load.includes("ring") ? [use("glow", 0, -40), use("ring-worn", 0, -39, 1.15)] : ["", ""];
  return symbol(`knight${load}-${crest}-${amulets}`, `<g transform="scale(.78)">
    <ellipse cx="4" cy="${amulets ? 7 : 3}" rx="20" ry="7" fill="${INK}" ${dim(0.25)}/>${rings}
    <g transform="translate(0 ${4 - LAYER * amulets})">${glow}${use("cone")}${use(`crest-${crest}`, 0, -8, 0.9)}
    ${collar}${ring}</g></g>`);
}

/** The heap on the raft, as high as there are stones, and their number. @param {number} count */
function heap(count) {
  const spots = [[-17, 4], [17, 5], [0, 9], [-8, -10], [10, -11]].slice(0, Math.ceil(count / 3.2));
  const stones = spots.map(([x, y]) => use("rock", x, y, 0.95)).join("");
  const plate = path("M-13 14q13-3 26 0v18q-13 3-26 0z", CARD, 1.6);
  return symbol(`reserve-${count}`, `${stones}${plate}${writing(30, 18, INK, String(count))}`);
}

export const symbols = [
  part("band", band(15, 5)), part("cone", CONE), part("collar-worn", COLLAR), part("ring-worn", RING),
  part("glow", GLOW), part("rock", STONE),
  ...CRESTS.map((crest) => part(`crest-${crest}`, SHAPES[crest])),
  ...CRESTS.flatMap((crest) => AMULETS.flatMap((count) => LOADS.map((load) => knight(crest, count, load)))),
  symbol("ring", `${use("glow", 0, 0, 1.6)}${use("ring-worn", 0, 6, 2.9)}`),
  symbol("stone", use("rock", -2, 1, 2.6)),
  symbol("amulet", `<g transform="translate(0 2) scale(2.5)">${band(15, 8)}</g>`),
  symbol("collar", `<ellipse cy="-14" rx="32" ry="19" fill="none" stroke="${INK}" stroke-width="19"/>
    <ellipse cy="-14" rx="32" ry="19" fill="none" stroke="${STEEL}" stroke-width="12"/>
    <circle cy="5" r="9" fill="${GOLD}" ${line(3)}/>${path("M0 14v8", "none", 7)}
    <ellipse cy="33" rx="9" ry="12" fill="none" stroke="${INK}" stroke-width="9"/>
    <ellipse cy="33" rx="9" ry="12" fill="none" stroke="${STEEL}" stroke-width="4"/>`),
  ...Object.entries(LANDS).map(([land, colour]) =>
    symbol(`seal-${land}`, `<g transform="scale(2.8)">${wax(colour)}</g>
      ${writing(16, 46, CARD, land[0].toUpperCase())}`)),
  symbol("seal-wanted", `<circle r="36" fill="none" stroke="var(--soft, #6b5a48)" stroke-width="5"
    stroke-dasharray="9 8"/>`),
  ...Array.from({ length: STONES + 1 }, (_, count) => heap(count)),
  faces(6, "#fffaf0", "#2a2018"), symbol("dragon", `<use href="#a-dragon"/>`),
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

/** Stones that are laid fall on their point. @param {Piece} piece */
export const falls = ({ kind }) => kind === "stone";

/** Who or what has the ring: a knight, or the ring itself where it lies. @param {Record<string, Piece>} pieces */
const ringAt = (pieces) => Object.keys(pieces).find((id) => id === "ring" || pieces[id].kind.includes("-ring"));

/**
 * The ring passes from hand to hand; seals and amulets fly to whoever gains them, and a dragon flies before a flyer.
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
