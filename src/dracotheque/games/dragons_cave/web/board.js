/** Dragon's Cave: its pieces, drawn in line and wash, and how they stand in the cave. */

import { held } from "/page/js/board-diff.js";
export { controls } from "./controls.js";

/** @typedef {import("/page/protocol").Piece} Piece */
/** @typedef {import("/page/board-module").Flight} Flight */
/** @typedef {import("/page/board-module").Place} Place */
/** @typedef {import("/page/board-module").Stage} Stage */
/** @typedef {import("/page/protocol").BoardState} BoardState */
/** @typedef {import("/page/protocol").MoveRecord} MoveRecord */

// --- Symbols -------------------------------------------------------------------------------------------------------
/** @param {string} name @param {string} content */
const symbol = (name, content) => `<symbol id="p-${name}" viewBox="-50 -50 100 100">${content}</symbol>`;

/** @param {string} name @param {number} x @param {number} y @param {number} [scale] */
const use = (name, x, y, scale = 1) => `<use href="#d-${name}" transform="translate(${x} ${y}) scale(${scale})"/>`;

/** A number on a label below a thing. @param {number} number */
const label = (number) => `<use href="#d-label"/>
  <text class="d-number" y="41">${number}</text>`;

/** What somebody has to lose. @param {number} number */
const stake = (number) => `<use href="#d-stake"/><text class="d-number d-stake" y="41">${number}</text>`;

const MOST_COINS = 60;
const ROWS = [15, 13, 11, 9, 7, 5]; // coins of the treasure, from the ground up

/** Where a coin lies in its row: from the middle outwards. @param {number} row @param {number} coin */
const spot = (row, coin) => {
  const side = coin % 2 ? Math.ceil(coin / 2) : -coin / 2;
  return [side * 18 + ((coin * 7 + row * 5) % 5) - 2, 10 - row * 11 + ((coin * 3 + row) % 4) - 2];
};

/** Every beginning of every row, drawn once. */
const rows = () => ROWS.flatMap((room, row) => Array.from({ length: room }, (_, count) =>
  `<g id="d-row-${row}-${count + 1}">${Array.from({ length: count + 1 }, (_, coin) => {
    const [x, y] = spot(row, coin);
    return use("coin", x, y, 1.3);
  }).join("")}</g>`)).join("");

/** The treasure: row upon row, and a plaque that counts it. @param {number} coins */
function heap(coins) {
  let left = coins;
  const layers = ROWS.map((room, row) => {
    const here = Math.min(room, left);
    left -= here;
    return here ? `<use href="#d-row-${row}-${here}"/>` : "";
  });
  const plaque = `<g transform="translate(0 28)"><use href="#d-plaque"/>
    <text class="d-number" x="-12" y="10">${coins}</text>${use("coin", 24, 0, 1.3)}</g>`;
  return `<g transform="scale(.3333)">${layers.reverse().join("")}${plaque}</g>`;
}

const COUNTS = Array.from({ length: MOST_COINS + 1 }, (_, number) => number);
const SEATS = [0, 1, 2, 3];
const MOST_IN_PALM = 5;

/** An open hand with coins on it, and their number. @param {number} coins */
function palm(coins) {
  const held = Array.from({ length: Math.min(MOST_IN_PALM, coins) }, (_, coin) => {
    const row = Math.floor(coin / 3);
    return use("coin", (coin % 3) * 12 - 12 + 6 * row, -2 - 9 * row, 0.95);
  });
  return use("palm", 0, -5, 0.78) + held.join("") + label(coins);
}

/** What shows a number: the treasure, open chests, open hands, and who may have a card. */
export const symbols = `<defs>${rows()}</defs>${COUNTS.map((coins) => symbol(`treasure-${coins}`, heap(coins))
  + symbol(`palm-${coins}`, palm(coins))
  + symbol(`chest-open-${coins}`, use("opened", 0, -6, 0.95) + label(coins))
  + SEATS.map((seat) => symbol(`suspect-${seat}-${coins}`, use(`suspect-${seat}`, 0, 0) + stake(coins))).join(""))
  .join("")}`;

/** @param {Piece} piece @returns {string} */
export function symbolOf({ kind, place, seat, value = 0 }) {
  if (kind === "dragon") return place === "bed" ? "p-dragon-asleep" : "p-dragon";
  if (kind.startsWith("dwarf")) return `p-${kind}-${seat}`;
  if (kind === "suspect") return `p-suspect-${seat}-${value}`;
  return ["treasure", "chest-open"].includes(kind) ? `p-${kind}-${value}` : `p-${kind}`;
}

/** How large the banners of the seats are, and what lies on them: on a low board they are smaller. */
let banners = 1;

/** @type {Record<string, number>} */
const SIZES = { dragon: 108, treasure: 300, suspect: 62 };
/** @type {Record<string, number>} */
const ON_BANNERS = { role: 118, chest: 62, "chest-open": 66, "fist-left": 104, "fist-right": 104 };
const CARD = 150;

/** @param {Piece} piece @returns {number} */
export function size({ kind, place }) {
  if (kind.startsWith("dwarf")) return 84;
  if (place === "bed") return 360;
  if (kind in ON_BANNERS) return ON_BANNERS[kind] * banners;
  return SIZES[kind] ?? CARD * banners;
}

/** Dwarves on a space leave its picture in sight. @type {number[][]} */
const STAND = [[], [38], [-34, 38], [-40, 2, 42], [-51, -17, 17, 51]];
const SPACE = 62;
const OVER_DOOR = 60;

/**
 * How several share a place.
 * @param {number} rank @param {number} count @param {number} room @returns {[number, number]}
 */
export function stand(rank, count, room) {
  if (room === SPACE) return [STAND[Math.min(count, 4)][rank % 4], 3 * (rank % 2)];
  if (room === OVER_DOOR) return [(rank - (count - 1) / 2) * 44, 0];
  return [(rank - (count - 1) / 2) * Math.min(44, (2 * room) / count), 0];
}

/**
 * A dwarf goes through every space between; where the tunnel turns, around the bend.
 * @param {Piece} piece @param {Place} from @param {Place} to @param {Map<string, Place>} places
 * @returns {[number, number][]}
 */
export function between(piece, from, to, places) {
  if (!piece.kind.startsWith("dwarf")) return [];
  const spaces = [...places].filter(([key]) => /^\d+$/.test(key))
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, { x, y }]) => /** @type {[number, number]} */ ([x, y]));
  const [start, end] = [from, to].map(({ node }) => numberOf(node.dataset.place ?? "", spaces.length));
  const step = Math.sign(end - start);
  /** @type {[number, number][]} */
  const way = [];
  for (let here = start; step && here !== end; here += step) {
    const [one, other] = [spaces[here], spaces[here + step]];
    if (one && other && Math.abs(one[1] - other[1]) > BEND) way.push(bend(one, other, spaces));
    if (other && here + step !== end) way.push(other);
  }
  return way;
}

const BEND = 90;

/** @param {string} place @param {number} lair */
const numberOf = (place, lair) => (/^\d+$/.test(place) ? Number(place) : lair);

/**
 * Swing out where one lap leads up to the next.
 * @param {number[]} one @param {number[]} other @param {number[][]} spaces
 */
function bend(one, other, spaces) {
  const middle = spaces.slice(1).reduce((sum, [x]) => sum + x / (spaces.length - 1), 0);
  const out = (one[0] + other[0]) / 2 > middle ? 100 : -100;
  return /** @type {[number, number]} */ ([(one[0] + other[0]) / 2 + out, (one[1] + other[1]) / 2]);
}

// --- What is seen of a move --------------------------------------------------------------------------------------
const MOST_HOPS = 8; // coins: of more only so many are seen
const ONE_BY_ONE = 60; // milliseconds from a coin to the next, as all the next
const GATHER = 380; // the cards are brought together
const STILL = 800; // nobody breathes
const CARD_TURNS = 360; // from one card to the next
const LOOK = 420; // at the last card, before the dwarves go
const DWARVES_GO = 700;
const FISTS_MEET = 560;
const FIST_OPENS = 520; // from one fist to the other
const PALM_STAYS = 1000;
const TURNED_UP = new Set(["move.ahead", "lair.enter", "fright.back", "lair.guarded", "chest.safe"]);
/** When the cards of the move that is being shown have been turned. */
let turned = 0;

/** Dwarves go, and the sign passes on, when all cards have been turned. @param {Piece} before */
export const delay = ({ kind }) => (kind.startsWith("dwarf") || kind === "role" ? turned : 0);

/** Dwarves trot. @param {Piece} piece */
export const hop = ({ kind }) => (kind.startsWith("dwarf") ? 7 : kind === "dragon" ? 60 : 0);

/** Fists are shaken before they are held out. @param {Piece} piece */
export const shakes = ({ kind }) => kind.startsWith("fist");

/** Cards are turned over. @param {Piece} before @param {Piece} after */
export const flips = (before, after) => isSealed(before) && /^card-(?!back)/.test(after.kind);

/** @param {Piece} piece */
const isSealed = ({ kind }) => /^(card-back|peek-)/.test(kind);

/**
 * The cards that a move turns up, seat by seat from the dragon's left: each is brought to the middle of the board, where
 * all lie still before the first is turned.
 * @param {BoardState} before @param {BoardState} after @param {MoveRecord} [record]
 * @param {Map<string, Place>} [places] @returns {Record<string, Stage>}
 */
export function stages(before, after, record, places) {
  const cards = shownCards(record).flatMap(({ crest, symbol }) => {
    const id = `card-${crest}`;
    return before.pieces[id] && isSealed(before.pieces[id]) && !after.pieces[id] ? [{ id, symbol }] : [];
  });
  turned = cards.length ? GATHER + STILL + CARD_TURNS * (cards.length - 1) + LOOK : 0;
  const [x, y] = middle(places);
  return Object.fromEntries(cards.map(({ id, symbol }, number) => [id, {
    x: x + (number - (cards.length - 1) / 2) * CARD * 1.55, y, symbol, scale: 1.9 / banners,
    gathered: GATHER, turns: GATHER + STILL + CARD_TURNS * number, leaves: turned,
  }]));
}

/** Cards that turn and fists that open: the caption comes when they have been seen. @param {MoveRecord} record */
export const isReveal = ({ events }) => events.some(([rule]) => TURNED_UP.has(rule) || rule === "fright.guess");

/** Which cards a move turned up, by its events. @param {MoveRecord} [record] */
const shownCards = (record) => (record?.events ?? []).flatMap(([rule, [, gaps = {}]]) => {
  const [seat, card] = [nameIn(gaps.seat, "seat."), nameIn(gaps.card, "card.")];
  return TURNED_UP.has(rule) && seat ? [{ crest: seat, symbol: `p-card-${card || "chest"}` }] : [];
});

/**
 * The last word of the first key that begins so, in a phrase or its gaps: “rope” of “card.rope”.
 * @param {any} said @param {string} begin @returns {string}
 */
function nameIn(said, begin) {
  if (!Array.isArray(said)) return "";
  const [key, gaps = {}] = said;
  if (key.startsWith(begin)) return key.slice(begin.length);
  return Object.values(gaps).map((gap) => nameIn(gap, begin)).find(Boolean) ?? "";
}

/** The middle of the path. @param {Map<string, Place>} [places] */
function middle(places = new Map()) {
  const path = [...places].flatMap(([key, place]) => (/^[1-9]/.test(key) ? [place] : []));
  const [xs, ys] = [path.map(({ x }) => x), path.map(({ y }) => y)];
  return path.length ? [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2] : [0, 0];
}

/**
 * Beside the pieces fly cards that are laid, coins one by one, and fists that open.
 * @param {BoardState} before @param {BoardState} after @param {MoveRecord} [record]
 * @param {Map<string, Place>} [places] @returns {Flight[]}
 */
export function flights(before, after, record, places) {
  const opened = openFists(before, after, record, places);
  const walking = Object.keys(after.pieces).some((id) => id.startsWith("dwarf")
    && before.pieces[id]?.place !== after.pieces[id].place);
  const late = opened.length ? FISTS_MEET + FIST_OPENS + PALM_STAYS / 2 : turned + (walking ? DWARVES_GO : 0);
  return [...laid(before, after), ...opened, ...coins(before, after, late)];
}

/**
 * Cards that are laid: mine from my hand, turning over, others' from their seats.
 * @param {BoardState} before @param {BoardState} after @returns {Flight[]}
 */
function laid(before, after) {
  return Object.entries(after.pieces).flatMap(([id, piece]) => {
    if (before.pieces[id] || !isSealed(piece)) return [];
    const mine = piece.kind.startsWith("peek-");
    const from = { seat: piece.seat, ...(mine && { selector: ".cave-card.chosen" }) };
    const face = mine ? piece.kind.replace("peek", "p-card") : symbolOf(piece);
    return [{ symbol: face, ...(mine && { turned: symbolOf(piece) }), size: size(piece), seat: piece.seat, from, to: { place: piece.place }, of: id, high: 30,
      duration: 440 }];
  });
}

/**
 * Coins hop one by one: from the treasure to a purse or back, from a purse to its chest.
 * @param {BoardState} before @param {BoardState} after @param {number} late @returns {Flight[]}
 */
function coins(before, after, late) {
  const left = (/** @type {BoardState} */ { pieces }) => pieces.treasure?.value ?? 0;
  return after.holdings.flatMap((_, seat) => {
    const more = held(after.holdings, seat, "purse").value - held(before.holdings, seat, "purse").value;
    if (more > 0) return hopping(more, { place: "treasure" }, { seat }, late);
    if (more < 0 && left(after) > left(before)) return hopping(-more, { seat }, { place: "treasure" }, late);
    return more < 0 ? hopping(-more, { seat }, { place: `chest-${seat}` }, late) : [];
  });
}

/**
 * @param {number} many @param {import("/page/board-module").End} from @param {import("/page/board-module").End} to
 * @param {number} late @returns {Flight[]}
 */
const hopping = (many, from, to, late) => Array.from({ length: Math.min(MOST_HOPS, many) }, (_, number) => ({
  symbol: "p-coin", size: 34, from, to, delay: late + ONE_BY_ONE * number, high: 50, duration: 420,
}));

/**
 * Both fists come to the middle and open, the one that was pointed at first; what was in it is what the purse lost.
 * @param {BoardState} before @param {BoardState} after @param {MoveRecord} [record]
 * @param {Map<string, Place>} [places] @returns {Flight[]}
 */
function openFists(before, after, record, places) {
  const fists = Object.entries(before.pieces).filter(([id, { kind }]) => kind.startsWith("fist") && !after.pieces[id]);
  const sides = (record?.events ?? []).map(([, [key]]) => key.match(/(left|right)_fist/)?.[1]);
  const pointed = sides.find(Boolean) ?? "left";
  const [x, y] = middle(places);
  return fists.map(([id, { kind, place, seat = -1 }]) => {
    const side = kind.slice(5);
    const purse = held(after.holdings, seat, "purse").value;
    const first = side === pointed;
    const inside = first ? held(before.holdings, seat, "purse").value - purse : purse;
    return { symbol: `p-${kind}`, turned: `p-palm-${inside}`, size: 240, seat, from: { place },
      to: { at: { x: x + (side === "left" ? -140 : 140), y } }, of: id, high: 0, grow: 0.4 * banners,
      delay: first ? 0 : FIST_OPENS, duration: FISTS_MEET, stays: PALM_STAYS + (first ? FIST_OPENS : 0) };
  });
}

/**
 * Remove the banners that no player needs.
 * @param {SVGSVGElement} drawing @param {number} players
 */
export function lay(drawing, players) {
  const hung = /** @type {SVGGElement[]} */ ([...drawing.querySelectorAll("[data-mat]")]);
  banners = Number(hung[0]?.dataset.scale ?? 1);
  for (const banner of hung.slice(players)) banner.remove();
}
