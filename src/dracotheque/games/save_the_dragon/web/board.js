/** Save the Dragon on the page: its pieces as symbols, how they move on the flat board, and the board in 3D. */

import { Board3d } from "./3d/board.js";

/** @typedef {import("/page/js/svg-board.js").Place} Place */
/** @typedef {import("/page/protocol").Piece} Piece */

export const CRESTS = ["lion", "tower", "star", "oak"];
const INK = "var(--outline, #2a2018)";
const CARD = "#fffaf0";
const SKIN = "#eec39a";

const LINE = `stroke="${INK}" stroke-width="2.2" stroke-linejoin="round" stroke-linecap="round"`;
const THIN = `stroke="${INK}" stroke-width="1.4" stroke-linejoin="round" stroke-linecap="round"`;

/** @param {string} d @param {string} fill @param {string} [line] */
const shape = (d, fill, line = LINE) => `<path d="${d}" fill="${fill}" ${line}/>`;
/** @param {string} d @param {string} [line] */
const stroke = (d, line = THIN) => `<path d="${d}" fill="none" ${line}/>`;
/** Shade a part. @param {string} d @param {number} [much] */
const shade = (d, much = 0.2) => `<path d="${d}" fill="#2a2018" opacity="${much}"/>`;
/** @param {string} d @param {number} [much] */
const shine = (d, much = 0.4) => `<path d="${d}" fill="#fff" opacity="${much}"/>`;
/** @param {string} name @param {string} drawn */
const symbol = (name, drawn) => `<symbol id="p-${name}" viewBox="-50 -50 100 100">${drawn}</symbol>`;

// --- Crests, as on every board, about their own zero and 18 wide -----------------------------------------------------
/** @type {Record<string, string>} */
const SIGNS = {
  lion: `<path fill="var(--seat)" d="M8.6 0
c0 .7-2.2 1.1-2.5 2-.3.8 1.2 2.5.9 3.1-.4.5-2.5-.4-3.2.1-.8.5-.5 2.8-1.1 3-.7.2-1.8-1.8-2.7-1.8-.9 0-2 2-2.7
1.8-.6-.2-.3-2.5-1.1-3-.7-.5-2.8.4-3.2-.1-.3-.6 1.2-2.3.9-3.1-.3-.9-2.5-1.3-2.5-2 0-.7 2.2-1.1 2.5-2
.3-.8-1.2-2.5-.9-3.1.4-.5 2.5.4 3.2-.1.8-.5.5-2.8 1.1-3 .7-.2 1.8 1.8 2.7 1.8.9 0 2-2 2.7-1.8.6.2.3 2.5 1.1 3 .7.5
2.8-.4 3.2.1.3.6-1.2 2.3-.9 3.1.3.9 2.5 1.3 2.5 2z"/><path fill="${CARD}" d="M-4-3q4-2.4 8 0q1 4-1.2 6.4q-2.8 3-5.6
0q-2.2-2.4-1.2-6.4z"/><path fill="none" stroke="${INK}" stroke-width=".9" stroke-linecap="round"
 d="M-2-1.4v1.3M2-1.4v1.3M0 1.4v1.8M-1.4 3.5q1.4 1 2.8 0"/>`,
  tower: `<path fill="var(--seat)" d="M-6.5-8.5h3v2.5h2.2v-2.5h3v2.5h2.2v-2.5h3v5.8l-1.7 1.4
v9h-10v-9l-1.7-1.4z"/><path fill="${CARD}" d="M-2 7.7v-4.5q2.3-2.7 4.3 0v4.5z"/>`,
  star: `<path fill="var(--seat)" d="M0-9
l2.2 5.7 6.2.3-4.9 4 1.7 6-5.2-3.4-5.2 3.4 1.7-6-4.9-4 6.2-.3z"/>`,
  oak: `<path fill="var(--seat)" d="M-1.2 9l.2-5q-5 1.8-6.8-1.6q-1.4-3 1.2-4.6
q-1.6-3.4 1.8-4.8q1.6-2.8 5-1.6q3.2-1.4 5 1.6q3.4 1.4 1.8 4.8q2.6 1.8 1 4.8
q-1.8 3-6.6 1.6l.2 4.8z"/>`,
};

// --- Pawns: princes and princesses, told apart by crest, hair and headgear -------------------------------------------
/** What is behind the head. @type {Record<string, string>} */
const HAIR = {
  lion: shape("M-17-18q-4-8 2-13q4-9 15-8t15 8q6 5 2 13q2 8-6 11h-22q-8-3-6-11z", "#8a5a2b", THIN),
  tower: shape("M-13-24q0-11 13-11t13 11v12h-26z", "#3c2c22", THIN),
  star: shape("M-13-24q0-11 13-11t13 11q0 14 6 24q-8 5-14 0h-10q-6 5-14 0q6-10 6-24z", "#c9923a", THIN),
  oak: shape("M-13-24q0-11 13-11t13 11q1 6-1 10h-24q-2-4-1-10zM9-14q8 2 7 12q-1 8-6 12q-3-7-1-12q0-6-4-10z",
    "#6b3a22", THIN),
};
/** What is on the head. @type {Record<string, string>} */
const HATS = {
  lion: shape("M-12-28l-3-15 8 6 7-10 7 10 8-6-3 15q-12-4-24 0z", "var(--gold, #c8952c)") +
    `<circle cx="0" cy="-33" r="2.4" fill="#b5432a"/>`,
  tower: shape("M-14-25v-17h6v4h5v-4h6v4h5v-4h6v17q-14-5-28 0z", "#b9b4a6") + stroke("M-14-32q14-4 28 0") +
    stroke("M0-31v9", LINE),
  star: shape("M-12-26q4-14 13-23q6 10 11 23q-12-5-24 0z", "var(--seat)") + stroke("M-8-34q9 3 17 1") +
    shape("M1-50l1.5 3.6 3.9.3-3 2.5.9 3.8-3.3-2-3.3 2 .9-3.8-3-2.5 3.9-.3z", "#f6d981", THIN),
  oak: shape("M-15-24q-3-6 2-9q0-7 7-7q4-6 9-2q8-1 8 6q6 4 3 11q-15-5-29 1z", "var(--seat)") +
    stroke("M-8-31q4 1 5 5M2-37q1 5-1 9M10-33q-4 2-4 6") + shape("M9-41q5-4 7 0q2 4-2 6q-5 0-5-6z", "#b98649", THIN),
};

/** @param {string} crest */
const pawn = (crest) =>
  `<g transform="translate(0 40) scale(1.16 1) translate(0 -40)">` + shade("M-30 40q30-10 62 0q-31 10-62 0z") +
  shape("M-25 33q25-6 50 0l2 7q-27 7-54 0z", "var(--seat)") + shade("M-25 33q25-6 50 0l2 7q-27 7-54 0z") +
  shape("M-21 35q-3-31 9-46h24q12 15 9 46q-21 6-42 0z", "var(--seat)") +
  shade("M7-11h5q12 15 9 46q-6 2-12 2.4q7-22-2-48.4z") + HAIR[crest] +
  shape("M-12-20q0-12 12-12t12 12q0 11-12 11t-12-11z", SKIN) +
  `<path d="M-5-20v.1M5-20v.1" stroke="${INK}" stroke-width="3.2" stroke-linecap="round"/>` +
  stroke("M-3.5-14q3.5 3 7 0") + HATS[crest] +
  shape("M-15-5q15-4 30 0q3 21-15 34q-18-13-15-34z", CARD) +
  `<g transform="translate(0 9) scale(1.35 1.5)">${SIGNS[crest]}</g></g>`;

const DAZED = [[-44, -14], [-28, -22], [-45, 40]].map(([x, y]) =>
  `<path transform="translate(${x} ${y})" d="M0-5
l1.4 3.5 3.7.3-2.9 2.4.9 3.6-3.1-2-3.1 2 .9-3.6-2.9-2.4 3.7-.3z" ` +
  `fill="#f6d981" ${THIN}/>`).join("");
const BANG = ["#2a2018", "#f6d981"].map((colour, number) =>
  `<path d="M30-32l10-10M36-18h11M18-40l4-9" fill="none"
 stroke="${colour}" stroke-width="${6 - 2.6 * number}" stroke-linecap="round"/>`)
  .join("");

/** @param {string} crest */
const pawns = (crest) =>
  symbol(`pawn-${crest}`, pawn(crest)) +
  symbol(`struck-${crest}`, `<g transform="rotate(-15 -20 40)">${pawn(crest)}</g>${BANG}`) +
  symbol(`fallen-${crest}`, shade("M-46 38q48-12 94 0q-46 12-94 0z") +
    `<g transform="translate(2 17) rotate(-94) scale(.92)">${pawn(crest)}</g>${DAZED}`);

// --- Shield, door, rock ----------------------------------------------------------------------------------------------
const PLATE = "M0-45q-16 14-42 12q-4 50 42 78q46-28 42-78q-26 2-42-12z";
const SHIELD = shade("M-34 42q34-10 72 0q-36 10-72 0z") + shape(PLATE, "#d9b25a") +
  shape("M0-36q-14 10-34 10q-2 40 34 62q36-22 34-62q-20 0-34-10z", "var(--sapphire, #2f5fa8)") +
  shade("M0-36q14 10 34 10q2 40-34 62z", 0.25) + stroke("M0-36v72", LINE) +
  shape("M-16 14l16-28 16 28-16-9z", "#f3dfae", THIN) +
  `<g fill="${INK}"><circle cx="-37" cy="-28" r="1.8"/><circle cx="37" cy="-28" r="1.8"/>` +
  `<circle cx="0" cy="41" r="1.8"/></g>` +
  shine("M-29-21q10 0 18-5q-10 12-12 34q-7-14-6-29z", 0.22);
const LEAF = "M-39 48v-56a39 39 0 0 1 78 0v56z";
const DOOR = shape(LEAF, "#b98649") + shade("M20-41.5q19 12 19 33.5v56h-19z", 0.18) +
  stroke("M-20-41v89M0-46v94M20-41v89", LINE) +
  stroke("M-31-20q2 5 0 9M-10 16q2 6 0 10M10-24q2 6 0 11M30 10q-2 6 0 10") +
  shape("M-39-8h64q6 0 6 5t-6 5h-64zM-39 28h64q6 0 6 5t-6 5h-64z", "#6d685d", THIN) +
  `<g fill="#2a2018"><circle cx="-30" cy="-3" r="2"/><circle cx="-10" cy="-3" r="2"/><circle cx="10" cy="-3" r="2"/>` +
  `<circle cx="-30" cy="33" r="2"/><circle cx="-10" cy="33" r="2"/><circle cx="10" cy="33" r="2"/></g>` +
  `<circle cx="27" cy="15" r="6" fill="none" stroke="#2a2018" stroke-width="5"/>` +
  `<circle cx="27" cy="15" r="6" fill="none" stroke="#d9b25a" stroke-width="2.6"/>`;
const BOULDER =
  "M-40 12q-6-18 6-28q2-16 20-20q14-9 28 0q16 2 20 18q12 12 4 28q0 18-18 22q-12 12-28 6q-16 4-22-8q-8-6-10-18z";
const ROCK = shade("M-42 40q40-12 86 0q-44 12-86 0z", 0.25) + shape(BOULDER, "var(--stone, #8b8578)") +
  shine("M-34-10q4-16 20-22q12-8 22-2q-16 4-20 16q-14 0-22 8z", 0.32) +
  shade("M38 10q0 18-18 22q-12 12-28 6q-12 3-18-4q22 2 36-8q18-6 28-16z", 0.28) +
  stroke("M-26-14q10 6 8 16l8 8M14-28q-4 12 6 16q10 2 12 12M-8 26q8-8 18-6M-34 8l8 4M24 22l6-4M2-12l4 3") +
  stroke("M-16-26q6-5 12-5M-22 22q6 5 12 6M30 4q4 4 3 9");

// --- Dice and tokens -------------------------------------------------------------------------------------------------
const FOOT = "M-3 9q-4-6-2-12q2-6 6-5q5 1 4 8q0 6-3 9zM-4 12h7q1 6-3 6t-4-6z";
/** @param {number} x @param {number} y @param {number} scale */
const foot = (x, y, scale) => `<path transform="translate(${x} ${y - 4 * scale}) scale(${scale}) rotate(14)"
 d="${FOOT}" fill="#2a2018"/>`;
/** @param {string} colour @param {string} drawn */
const die = (colour, drawn) => shade("M-36 38q38-12 80 0q-40 13-80 0z", 0.25) +
  shape("M-32-32h64q8 0 8 8v54q0 8-8 8h-64q-8 0-8-8v-54q0-8 8-8z", colour) +
  shade("M32-32q8 0 8 8v54q0 8-8 8h-64q-5 0-7-4h60q7 0 7-8v-62z", 0.22) + drawn;
/** @type {[number, number, number][][]} */
const PRINTS = [[[-2, 2, 1.9]], [[-17, 10, 1.35], [14, -8, 1.35]], [[-21, 14, 1.1], [-2, 1, 1.1], [17, -12, 1.1]]];
const DICE = PRINTS.map((prints, number) =>
  symbol(`die-${number + 1}`, die(CARD, prints.map((print) => foot(...print)).join("")))).join("") +
  symbol("die-rock", die("#e7c6b4", `<g transform="translate(-2 0) scale(.62)">${ROCK}</g>`)) +
  symbol("die-change", die("#e7c6b4", `<g transform="translate(-18 -6) scale(.42)">${SHIELD}</g>` +
    `<g transform="translate(17 6) scale(.44)">${DOOR}</g>`));
const TOKEN = shape("M-40 0a40 40 0 1 1 80 0a40 40 0 1 1-80 0z", "var(--gold, #c8952c)") +
  shape("M-30 0a30 30 0 1 1 60 0a30 30 0 1 1-60 0z", "#f6d981") + foot(-4, 2, 2.1) + stroke("M18-20v14M11-13h14", LINE);

/** The sides of the dice, for those that have six. @type {Record<string, string>} */
export const faces = {
  "die-1": PRINTS[0].map((print) => foot(...print)).join(""),
  "die-2": PRINTS[1].map((print) => foot(...print)).join(""),
  "die-3": PRINTS[2].map((print) => foot(...print)).join(""),
  "die-rock": `<g transform="scale(.8)">${ROCK}</g>`,
  "die-change": `<g transform="translate(-20 -8) scale(.5)">${SHIELD}</g>` +
    `<g transform="translate(20 8) scale(.5)">${DOOR}</g>`,
};

/** A crest on its little shield. @param {string} crest */
export const sign = (crest) =>
  shape("M-40-42q40-9 80 0q7 52-40 90q-47-38-40-90z", CARD, `stroke="${INK}" stroke-width="6"`) +
  `<g transform="translate(0 -6) scale(3.4)">${SIGNS[crest]}</g>`;

/**
 * The board on which they stand.
 * @param {import("/page/js/table-page.js").TablePage} page @param {import("/page/js/svg-board.js").BoardModule} module
 */
export const board = (page, module) => new Board3d(page, module);

export const symbols = CRESTS.map(pawns).join("") + symbol("shield", SHIELD) + symbol("door", DOOR) +
  symbol("rock", ROCK) + DICE + symbol("token", TOKEN);

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
