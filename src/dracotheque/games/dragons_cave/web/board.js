/** Dragon's Cave: its pieces, drawn in line and wash, and how they stand in the cave. */

import { held } from "/page/js/board-diff.js";

/** @typedef {import("/page/protocol").Piece} Piece */
/** @typedef {import("/page/board-module").Flight} Flight */
/** @typedef {import("/page/board-module").Place} Place */
/** @typedef {import("/page/protocol").BoardState} BoardState */

// --- Symbols -------------------------------------------------------------------------------------------------------
/** @param {string} name @param {string} content */
const symbol = (name, content) => `<symbol id="p-${name}" viewBox="-50 -50 100 100">${content}</symbol>`;

/** @param {string} name @param {number} x @param {number} y @param {number} [scale] */
const use = (name, x, y, scale = 1) => `<use href="#d-${name}" transform="translate(${x} ${y}) scale(${scale})"/>`;

/** A number on a label below a thing. @param {number} number */
const label = (number) => `<use href="#d-label"/>
  <text class="d-number" y="41">${number}</text>`;

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

/** What shows a number: the treasure, purses and open chests. */
export const symbols = `<defs>${rows()}</defs>${COUNTS.map((coins) => symbol(`treasure-${coins}`, heap(coins))
  + symbol(`purse-${coins}`, use("purse", 0, -6, 0.95) + label(coins))
  + symbol(`chest-open-${coins}`, use("opened", 0, -6, 0.95) + label(coins))).join("")}`;

/** @param {Piece} piece @returns {string} */
export function symbolOf({ kind, place, seat, value = 0 }) {
  if (kind === "dragon") return place === "bed" ? "p-dragon-asleep" : "p-dragon";
  if (kind.startsWith("dwarf")) return `p-${kind}-${seat}`;
  return ["treasure", "purse", "chest-open"].includes(kind) ? `p-${kind}-${value}` : `p-${kind}`;
}

/** @type {Record<string, number>} */
const SIZES = {
  dragon: 108, treasure: 300, role: 56, purse: 78, chest: 48, "chest-open": 54, "fist-left": 62, "fist-right": 62,
};

/** @param {Piece} piece @returns {number} */
export function size({ kind, place }) {
  if (kind.startsWith("dwarf")) return 84;
  if (place === "bed") return 360;
  if (kind.startsWith("card") || kind.startsWith("peek")) return place.startsWith("open") ? 50 : 78;
  return SIZES[kind] ?? 50;
}

/** Dwarves on a space leave its picture in sight. @type {number[][]} */
const STAND = [[], [38], [-34, 38], [-40, 2, 42], [-51, -17, 17, 51]];
const SPACE = 62;
const OPEN = 42;

/**
 * How several share a place.
 * @param {number} rank @param {number} count @param {number} room @returns {[number, number]}
 */
export function stand(rank, count, room) {
  if (room === SPACE) return [STAND[Math.min(count, 4)][rank % 4], 3 * (rank % 2)];
  if (room === OPEN) return [(rank % 3) * 27 - 27, count > 3 ? (rank < 3 ? -17 : 20) : 0];
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
const ONE_BY_ONE = 90; // milliseconds from a coin to the next, as all the next
const DRAGON_SITS = 300;
const CARDS_TURN = 320;
const ROUND_ENDS = 1300;

/** First the dragon takes its place, then cards turn, dwarves go, and the sign passes on. @param {Piece} before */
export function delay({ kind }) {
  if (/^(card-back|peek-)/.test(kind)) return DRAGON_SITS;
  if (kind.startsWith("dwarf")) return DRAGON_SITS + CARDS_TURN;
  return kind === "role" ? CARDS_TURN : 0;
}

/** Dwarves trot. @param {Piece} piece */
export const hop = ({ kind }) => (kind.startsWith("dwarf") ? 7 : kind === "dragon" ? 60 : 0);

/** Fists are shaken before they are held out. @param {Piece} piece */
export const shakes = ({ kind }) => kind.startsWith("fist");

/** Cards are turned over. @param {Piece} before @param {Piece} after */
export const flips = (before, after) =>
  /^(card-back|peek-)/.test(before.kind) && after.kind.startsWith("card-") && after.kind !== "card-back";

/**
 * Coins hop one by one: from the treasure to a purse, from purse to purse, from a purse to its chest.
 * @param {BoardState} before @param {BoardState} after @returns {Flight[]}
 */
export function flights(before, after) {
  const more = after.holdings.map((_, seat) =>
    held(after.holdings, seat, "purse").value - held(before.holdings, seat, "purse").value);
  const left = (/** @type {BoardState} */ { pieces }) => pieces.treasure?.value ?? 0;
  const walking = Object.keys(after.pieces).some((id) => id.startsWith("dwarf")
    && before.pieces[id]?.place !== after.pieces[id].place);
  const late = walking ? ROUND_ENDS : 0;
  const losers = more.flatMap((coins, seat) => (coins < 0 ? [seat] : []));
  const winners = more.flatMap((coins, seat) => (coins > 0 ? [seat] : []));
  const won = winners.flatMap((seat) => {
    const from = left(after) < left(before) ? "treasure" : losers.length ? `purse-${losers[0]}` : `chest-${seat}`;
    return hopping(more[seat], from, `purse-${seat}`, late);
  });
  const banked = winners.length ? []
    : losers.flatMap((seat) => hopping(-more[seat], `purse-${seat}`, `chest-${seat}`, late));
  return [...won, ...banked];
}

/** @param {number} coins @param {string} from @param {string} to @param {number} late @returns {Flight[]} */
const hopping = (coins, from, to, late) => Array.from({ length: Math.min(MOST_HOPS, coins) }, (_, number) => ({
  symbol: "p-coin", size: 34, from: { place: from }, to: { place: to }, delay: late + ONE_BY_ONE * number, high: 50,
  duration: 420,
}));

/**
 * Remove the mats that no player needs, and centre the others.
 * @param {SVGSVGElement} drawing @param {number} players
 */
export function lay(drawing, players) {
  const mats = /** @type {SVGGElement[]} */ ([...drawing.querySelectorAll("[data-mat]")]);
  const [first, second] = mats.map((mat) => Number(mat.dataset.mat));
  const aside = ((mats.length - players) * (second - first)) / 2;
  for (const mat of mats.slice(players)) mat.remove();
  for (const mat of mats.slice(0, players)) {
    mat.setAttribute("transform", `translate(${aside} 0) ${mat.getAttribute("transform")}`);
    for (const place of /** @type {NodeListOf<SVGElement>} */ (mat.querySelectorAll("[data-place]"))) {
      place.dataset.x = String(Number(place.dataset.x) + aside);
    }
  }
}
