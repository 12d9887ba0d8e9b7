/** Dragon's Cave: its pieces, drawn in line and wash, and how they stand in the cave. */

import { held } from "/page/js/board-diff.js";

/** @typedef {import("/page/protocol").Piece} Piece */
/** @typedef {import("/page/js/svg-board.js").Flight} Flight */
/** @typedef {import("/page/js/svg-board.js").Place} Place */
/** @typedef {import("/page/protocol").BoardState} BoardState */

// --- The pen -----------------------------------------------------------------------------------------------------
/** @type {Record<string, string>} */
const DAY = {
  card: "#fffaf0", ink: "#2a2018", ember: "#b5432a", smoke: "#fffaf0", "rock-deep": "#b7a39b", lamp: "#f5c877",
  road: "#f3e2b6", wood: "#b98649", "wood-deep": "#8a5c2e", rope: "#d8b47a", steel: "#d9d6cc",
  "steel-deep": "#a9a59a", coin: "#e2b03f", "coin-light": "#f6d981", "coin-deep": "#a9781f", dragon: "#3f9c72",
  "dragon-light": "#8cc79c", "dragon-deep": "#1f7a5c", belly: "#f1dd9c", skin: "#eec39a", beard: "#fbf3e2",
  shard: "#a77cc0", "shard-light": "#e3d0ee", "shard-deep": "#7a4a94", bat: "#6f6478",
};
/** By candle-light, where it is another colour. @type {Record<string, string>} */
const NIGHT = {
  card: "#f3e7c8", ink: "#0b0e1b", ember: "#c8533a", smoke: "#8b90b0", "rock-deep": "#363b5a", lamp: "#f4b54c",
  road: "#8d8068", wood: "#bd8a4a", "wood-deep": "#6d4722", steel: "#b9bed2", "steel-deep": "#7f85a0",
  coin: "#e8b849", "coin-light": "#f8e3a0", dragon: "#3fa97b", "dragon-light": "#86cfa0", "dragon-deep": "#1c7054",
  belly: "#efd487",
};
const LINES = `
.d-k, .d-k2, .d-k3, .d-k4 { stroke: ${DAY.ink}; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round }
.d-k2 { stroke-width: 0.9 }
.d-k3 { stroke-width: 1.3 }
.d-k4 { stroke-width: 2.4 }
.d-no.d-no, .d-band.d-band.d-band { fill: none }
.d-band { stroke: currentColor; stroke-linejoin: round }
.d-half { opacity: 0.5 }
.d-shadow { fill: #05070f; opacity: 0.22 }
.d-shine { fill: #fff; opacity: 0.3 }
.d-crest { fill: var(--seat, ${DAY.coin}) }
.d-number { font: 700 24px Alegreya, Georgia, serif; text-anchor: middle; fill: #2a2018 }
[data-theme="night"] :is(.d-k, .d-k2, .d-k3, .d-k4) { stroke: ${NIGHT.ink} }
`;

/** A class for every colour. @param {Record<string, string>} colours @param {string} [where] */
const washes = (colours, where = "") => Object.entries(colours)
  .map(([name, colour]) => `${where}.d-${name} { fill: ${colour}; color: ${colour} }`).join("\n");

// --- What is drawn by hand, each thing about its own zero ----------------------------------------------------------
/** What spaces, niches and cards show. @type {Record<string, string>} */
const PICTURES = {
  pickaxe: `<path class="d-wood d-k3" d="M-17 14l4 5L10-6l-5-5z"/><path class="d-k2 d-no" d="M-11 12l16-17"/>
 <path class="d-steel d-k3" d="M-13-19q18-3 26 5t6 26q-4-12-11-18q-8-7-21-13z"/>
 <path class="d-steel-deep" d="M1-13q8 4 10 8q5 5 7 14q-3-8-9-14q-5-5-12-9z"/>
 <path class="d-wood-deep d-k3" d="M2-10l6-5l7 7l-5 6z"/>`,
  lantern: `<path class="d-k3 d-no" d="M-6-17q0-8 6-8t6 8"/><path class="d-ember d-k3" d="M-10-11q2-8 10-8t10 8z"/>
 <path class="d-lamp d-k3" d="M-9-11h18l3 22h-24z"/><path class="d-coin" d="M0-7q8 9 3 16h-6q-5-7 3-16z"/>
 <path class="d-card" d="M0 0q4 5 1 9h-3q-2-4 2-9z"/><path class="d-k2 d-no" d="M-4-11l-1 22M4-11l1 22"/>
 <path class="d-ember d-k3" d="M-14 11h28v6q-14 5-28 0z"/>`,
  rope: `<path class="d-ink d-band" d="M13 13q5 6 9 4M17 0a17 17 0 1 1-34 0a17 17 0 1 1 34 0zM11 0a11 11 0 1 1-22 0a11
 11 0 1 1 22 0zM4.5 0a4.5 4.5 0 1 1-9 0a4.5 4.5 0 1 1 9 0z" style="stroke-width:7.6px;"/>
<path class="d-rope d-band" d="M13 13q5 6 9 4M17 0a17 17 0 1 1-34 0a17 17 0 1 1 34 0zM11 0a11 11 0 1 1-22 0a11
 11 0 1 1 22 0zM4.5 0a4.5 4.5 0 1 1-9 0a4.5 4.5 0 1 1 9 0z" style="stroke-width:5px;"/>
<path class="d-wood-deep d-band" d="M13 13q5 6 9 4M17 0a17 17 0 1 1-34 0a17 17 0 1 1 34 0zM11 0a11 11 0 1 1-22
 0a11 11 0 1 1 22 0zM4.5 0a4.5 4.5 0 1 1-9 0a4.5 4.5 0 1 1 9 0z" style="stroke-width:5px;stroke-dasharray:1 4"/>`,
  barrel: `<path class="d-wood d-k3" d="M-13-18q13-4 26 0q9 18 0 36q-13 4-26 0q-9-18 0-36z"/>
 <path class="d-wood-deep d-half" d="M6-19l7 1q9 18 0 36l-7 1q6-19 0-38z"/>
 <path class="d-k2 d-no" d="M-6-19q-5 19 0 38M6-19q5 19 0 38"/>
<path class="d-steel d-k3" d="M-15-12q15 4 30 0l2 5q-17 4-34 0z"/>
 <path class="d-steel d-k3" d="M-17 6q17 4 34 0l-2 6q-15 4-30 0z"/>
 <path class="d-wood-deep d-k3" d="M-13-18q0-4 13-4t13 4t-13 3t-13-3z"/>`,
  crystal: `<path class="d-shard-deep d-k3" d="M8 17l-3-20l7-8l7 7l-3 20zM-9 17l-9-16l2-8l8 2l5 20z"/>
 <path class="d-shard d-k3" d="M-7 18l-4-29l8-12l9 11l-2 30z"/>
<path class="d-shard-light" d="M-6 16l-4-27l6-9l1 38z"/>
 <path class="d-k2 d-no" d="M-3-23l1 42M-11-11l8 3l9-4M12-11l-2 27M-16-7l6 4"/>
 <path class="d-rock-deep d-k3" d="M-19 18q5-5 10-2q6-3 10 0q6-4 10 0q6-3 9 3q-19 5-39-1z"/>`,
  mushroom: `<path class="d-card d-k3" d="M-7 18q2-12-1-20h11q-2 10 2 20q-6 2-12 0z"/>
 <path class="d-ember d-k3" d="M-22-1q0-19 20-19t20 19q-20 6-40 0z"/>
 <path class="d-card d-k2" d="M-11-12q5-4 7 0t-4 4t-3-4zM3-10q5-2 6 2t-4 3t-2-5zM-4-18q4-1 5 1t-5-1zM-18-4q3-2
 4 1z"/> <path class="d-card d-k3" d="M11 18q2-5 0-9h6q-1 5 1 9z"/>
<path class="d-ember d-k3" d="M7 10q1-9 8-9t7 9q-7 3-15 0z"/> <path class="d-k2 d-no" d="M-6 5l2 0M-2 3l4 0"/>`,
  bat: `<path class="d-bat d-k3" d="M0-4q8-14 24-11q-4 5-2 12q-6-2-8 4q-5-2-6 4q-4 3-8 3q-4 0-8-3q-1-6-6-4q-2-6-8-4
 q2-7-2-12q16-3 24 11z"/>
<path class="d-k2 d-no" d="M-20-13q7 5 6 13M20-13q-7 5-6 13M-8-4q-5-6-12-9M8-4q5-6 12-9"/>
 <path class="d-bat d-k3" d="M-7 0q-1-8-2-14l6 4q3-1 6 0l6-4q-1 6-2 14q1 12-7 15q-8-3-7-15z"/>
 <path class="d-lamp d-k2" d="M-5-4q3-2 4 2q-3 2-4-2zM5-4q-3-2-4 2q3 2 4-2z"/>
 <path class="d-card" d="M-3 3h2l-1 4zM3 3h-2l1 4z"/>
<path class="d-k2 d-no" d="M-3 3q3 2 6 0M-3 10l1 1M2 10l1 1"/>`,
  cart: `<path class="d-coin d-k3" d="M-15-7q2-7 7-5q3-7 9-3q6-4 8 2q6-2 7 6z"/>
 <path class="d-steel d-k3" d="M-21-8h42l-6 19h-30z"/><path class="d-steel-deep" d="M8-8h12l-5 18h-10z"/>
 <path class="d-k2 d-no" d="M-6-9q3-3 6 0M4-8q3-3 6 0M-19-3h38M-8-8l2 19M8-8l-2 19"/>
 <circle class="d-wood d-k3" cx="-10" cy="14" r="6"/><circle class="d-wood d-k3" cx="10" cy="14" r="6"/>
 <path class="d-k2 d-no" d="M-10 9v10M-15 14h10M10 9v10M5 14h10"/>`,
};
/** Their colours in the caves of the box. @type {Record<string, string>} */
const COLOURS = {
  pickaxe: "#c8952c", lantern: "#1f7a5c", rope: "#b5432a", barrel: "#2f5fa8", crystal: "#7a4a94", mushroom: "#8f6a4a",
  bat: "#5a5268", cart: "#8b8578", chest: "#6b5a48",
};
/** @type {Record<string, string>} */
const CRESTS = {
  lion: `<path class="d-crest" d="M8.6 0c0 .7-2.2 1.1-2.5 2-.3 .8 1.2 2.5 .9 3.1-.4 .5-2.5-.4-3.2 .1-.8 .5-.5 2.8 -1.1
 3-.7 .2-1.8-1.8-2.7-1.8-.9 0-2 2-2.7 1.8-.6-.2-.3-2.5-1.1-3-.7-.5-2.8 .4-3.2-.1-.3-.6 1.2-2.3 .9-3.1
 -.3-.9-2.5-1.3-2.5-2 0-.7 2.2-1.1 2.5-2 .3-.8-1.2-2.5-.9-3.1 .4-.5 2.5 .4 3.2-.1 .8-.5 .5-2.8 1.1-3 .7-.2 1.8
 1.8 2.7 1.8 .9 0 2-2 2.7-1.8 .6 .2 .3 2.5 1.1 3 .7 .5 2.8-.4 3.2 .1 .3 .6-1.2 2.3-.9 3.1 .3 .9 2.5 1.3 2.5
 2z"/><path class="d-card" d="M-4-3q4-2.4 8 0q1 4-1.2 6.4q-2.8 3-5.6 0q-2.2-2.4-1.2-6.4z"/>
 <path class="d-k2 d-no" d="M-2-1.4v1.3M2-1.4v1.3M0 1.4v1.8M-1.4 3.5q1.4 1 2.8 0"/>`,
  tower: `<path class="d-crest" d="M-6.5-8.5h3v2.5h2.2v-2.5h3v2.5h2.2v-2.5h3v5.8l-1.7 1.4v9h-10v-9l-1.7-1.4z"/>
 <path class="d-card" d="M-2 7.7v-4.5q2.3-2.7 4.3 0v4.5z"/>`,
  star: `<path class="d-crest" d="M0-9l2.2 5.7 6.2 .3-4.9 4 1.7 6-5.2-3.4-5.2 3.4 1.7-6-4.9-4 6.2-.3z"/>`,
  oak: `<path class="d-crest" d="M-1.2 9l.2-5q-5 1.8-6.8-1.6q-1.4-3 1.2-4.6q-1.6-3.4 1.8-4.8q1.6-2.8 5-1.6 q3.2-1.4 5
 1.6q3.4 1.4 1.8 4.8q2.6 1.8 1 4.8q-1.8 3-6.6 1.6l.2 4.8z"/>`,
};
const DWARF = `<path class="d-shadow" d="M-16 0q20-9 40 0q-20 9-40 0z"/>
 <path class="d-wood-deep d-k3" d="M-13-1q0-6 6-6t6 6q-6 3-12 0zM1-1q0-6 6-6t6 6q-6 3-12 0z"/>
 <path class="d-crest d-k" d="M-15-5q-4-17 5-28h20q9 11 5 28q-15 5-30 0z"/>
 <path class="d-shadow" d="M6-33h4q9 11 5 28q-5 2-10 2q6-14 1-30z"/>
 <path class="d-card d-k" d="M-13-24q13-3 26 0q2 18-13 28q-15-10-13-28z"/>
 <path class="d-skin d-k3" d="M-10-37q0-9 10-9t10 9q0 8-10 8t-10-8z"/>
 <path class="d-beard d-k3" d="M-12-40q3 5 7 4q5-2 5 0q0-2 5 0q4 1 7-4q3 11-3 15q-4 3-9 7q-5-4-9-7q-6-4-3-15z"/>
 <path class="d-k2 d-no" d="M-6-31q0 4 3 7M6-31q0 4-3 7M0-30v8"/>
<circle class="d-skin d-k3" cx="0" cy="-37" r="3.4"/>
 <path class="d-crest d-k" d="M-14-40q2-10 9-17q6-6 15-9q-2 5 0 10q3 8 4 16q-14-5-28 0z"/>
 <path class="d-shadow" d="M4-62q3-3 6-4q-2 5 0 10q3 8 4 16l-6-1q0-12-4-21z"/>
 <path class="d-card d-k3" d="M-15-39q15-6 30 0q2 4-1 5q-14-5-28 0q-3-1-1-5z"/>
 <path class="d-k4 d-no" d="M-4.5-37.5v.1M4.5-37.5v.1"/>`;
const FEATHER = `<path class="d-belly d-k3" d="M10-44q4-14 16-18q0 14-12 22zM12-42q5-8 10-14"/>`;
const COIN = `<ellipse class="d-coin-deep d-k3" cx="0" cy="1.6" rx="8" ry="6.4"/>
<ellipse class="d-coin d-k3" rx="8" ry="6.4"/> <ellipse class="d-coin-light" rx="5" ry="3.8"/>
<path class="d-coin" d="M-1.5-2.5h3v5h-3z"/>`;
const AWAKE = `<path class="d-shadow" d="M-46 0q50-12 100 0q-50 12-100 0z"/>
<path class="d-dragon d-k" d="M28 -2C28.7 -4 40 -4.7 44 -8C48 -11.3 51.3 -17.7 52 -22C52.7 -26.3 47.8 -31 48
 -34C48.2 -37 51 -41.7 53 -40C55 -38.3 59.8 -30 60 -24C60.2 -18 57.3 -8.7 54 -4C50.7 0.7 44.3 3.7 40 4C35.7 4.3
 27.3 0 28 -2z"/><path class="d-belly d-k" d="M50-34q-10 0-12-8q8 1 10-7q4 7 11 6q-2 8-9 9z"/>
<path class="d-dragon-light d-k" d="M4 -52C2.7 -59.7 7.7 -75.3 12 -84C16.3 -92.7 25 -103.7 30 -104C35 -104.3
 38.3 -92.7 42 -86C45.7 -79.3 51.7 -68 52 -64C52.3 -60 46 -65 44 -62C42 -59 42.7 -47.3 40 -46C37.3 -44.7 31.3
 -55.3 28 -54C24.7 -52.7 24 -38.3 20 -38C16 -37.7 5.3 -44.3 4 -52z"/>
<path class="d-k d-no" d="M30-104q4 24 14 42M30-104q-4 28-2 50M30-104q-12 30-10 64"/>
<path class="d-belly d-k3" d="M-5 2q3-8 2-13q6 5 9 12z" transform="translate(0 -86)rotate(30)"/>
<path class="d-belly d-k3" d="M-5 2q3-8 2-13q6 5 9 12z" transform="translate(7 -70)rotate(60)"/>
<path class="d-belly d-k3" d="M-5 2q3-8 2-13q6 5 9 12z" transform="translate(12 -54)rotate(50)"/>
<path class="d-dragon d-k" d="M-14 0C-24 -3 -22.3 -11.3 -24 -18C-25.7 -24.7 -24.7 -34 -24 -40C-23.3 -46 -19.3
 -51 -20 -54C-20.7 -57 -24.3 -57.7 -28 -58C-31.7 -58.3 -37.8 -55.5 -42 -56C-46.2 -56.5 -50.8 -58.5 -53
 -61C-55.2 -63.5 -56.5 -68.3 -55 -71C-53.5 -73.7 -47.2 -74.5 -44 -77C-40.8 -79.5 -39.3 -83.3 -36 -86C-32.7
 -88.7 -28.7 -92.3 -24 -93C-19.3 -93.7 -12.3 -92.5 -8 -90C-3.7 -87.5 -0.3 -82.7 2 -78C4.3 -73.3 4 -67 6 -62C8
 -57 9.7 -52.3 14 -48C18.3 -43.7 27.7 -41.3 32 -36C36.3 -30.7 39.3 -22 40 -16C40.7 -10 45 -2.7 36 0C27 2.7 -4 3
 -14 0z"/>
<path class="d-dragon-deep d-half" d="M4 0C1.5 -2.3 16.7 -8.3 20 -14C23.3 -19.7 21 -33.7 24 -34C27 -34.3 36.2
 -21.7 38 -16C39.8 -10.3 40.7 -2.7 35 0C29.3 2.7 6.5 2.3 4 0z"/>
<path class="d-belly d-k2" d="M-14 -1C-17.5 -3.8 -21.5 -11.5 -23 -18C-24.5 -24.5 -23.7 -34 -23 -40C-22.3 -46
 -21 -52.3 -19 -54C-17 -55.7 -13.2 -53 -11 -50C-8.8 -47 -7.2 -41.7 -6 -36C-4.8 -30.3 -4.7 -21.8 -4 -16C-3.3
 -10.2 -0.3 -3.5 -2 -1C-3.7 1.5 -10.5 1.8 -14 -1z"/>
<path class="d-k2 d-no" d="M-19-46q6-2 10 1M-23-36q8-2 15 2M-23-26q9-2 17 2M-21-15q9-1 16 2"/>
<path class="d-dragon d-k" d="M6 0C2.7 -3.8 2.3 -14.7 4 -20C5.7 -25.3 11.3 -31.3 16 -32C20.7 -32.7 28.5 -28.7
 32 -24C35.5 -19.3 38.3 -8.5 37 -4C35.7 0.5 29.2 2.3 24 3C18.8 3.7 9.3 3.8 6 0z"/>
<path class="d-dragon d-k" d="M-2 2q-3-8 6-9q14-2 22 2q4 6-2 8q-14 3-26-1z"/>
<path class="d-dragon d-k" d="M-20-34q-7 14-5 26q-7 2-7 8q8 4 16 0q0-10 6-22z"/>
<path class="d-belly d-k" d="M-20-90q-2-14 10-22q-1 10 5 20zM-8-90q4-12 15-14q-4 8-4 17z"/>
<path class="d-dragon-light d-k3" d="M-12-70q8-8 16-2q-4 2-4 7q-8 2-12-5z"/>
<path class="d-card d-k3" d="M-39-76q4-8 13-4q2 8-4 10q-8 1-9-6z"/>
<circle class="d-ink" cx="-33.5" cy="-75" r="2.9"/><circle class="d-card" cx="-34.3" cy="-76.4" r="1"/>
<path class="d-card d-k2" d="M-48-62l1.5 4l2.5-3.5M-41-62l1.5 4l2-4"/>
<path class="d-k4 d-no" d="M-42-80q8-6 17-1M-50-71q1-2 3-1"/>
<path class="d-k d-no" d="M-54-64q10 5 20 2q5-2 8 1M4-3l-2 4M12-4l-1 4M-28-3l-1 4M-22-3v4"/>
<path class="d-k2 d-no" d="M-10 -62q3 4 6 0M4 -44q3 4 6 0M14 -20q3 4 6 0M22 -14q3 4 6 0M-4 -80q3 4 6 0M20 -26q3
 4 6 0"/>`;
const ASLEEP = `<path class="d-dragon d-k" d="M84 -26C87.7 -32 107.7 -30 118 -30C128.3 -30 139 -29 146 -26C153 -23
 158.3 -16.7
 160 -12C161.7 -7.3 159.3 -1 156 2C152.7 5 145 6 140 6C135 6 127.3 3.7 126 2C124.7 0.3 129.3 -2.7 132 -4C134.7
 -5.3 140.3 -4.3 142 -6C143.7 -7.7 145.7 -13 142 -14C138.3 -15 127.7 -15.3 120 -12C112.3 -8.7 102 8.3 96 6C90
 3.7 80.3 -20 84 -26z"/><path class="d-belly d-k" d="M128 0q-4-10-14-10q4 6 0 14q8 4 14-4z"/>
<path class="d-belly d-k3" d="M-5 2q3-8 2-13q6 5 9 12z" transform="translate(62 -68)rotate(18)"/>
<path class="d-belly d-k3" d="M-5 2q3-8 2-13q6 5 9 12z" transform="translate(82 -62)rotate(28)"/>
<path class="d-belly d-k3" d="M-5 2q3-8 2-13q6 5 9 12z" transform="translate(100 -46)rotate(44)"/>
<path class="d-belly d-k3" d="M-5 2q3-8 2-13q6 5 9 12z" transform="translate(112 -28)rotate(60)"/>
<path class="d-belly d-k3" d="M-5 2q3-8 2-13q6 5 9 12z" transform="translate(132 -28)rotate(20)"/>
<path class="d-belly d-k3" d="M-5 2q3-8 2-13q6 5 9 12z" transform="translate(150 -20)rotate(45)"/>
<path class="d-dragon d-k" d="M-90 6C-99.3 1.7 -97.7 -9.3 -96 -18C-94.3 -26.7 -88.3 -38.7 -80 -46C-71.7 -53.3
 -58.3 -57.7 -46 -62C-33.7 -66.3 -20.7 -70 -6 -72C8.7 -74 26.7 -76 42 -74C57.3 -72 74 -67.3 86 -60C98 -52.7 109
 -40.3 114 -30C119 -19.7 125 -4.3 116 2C107 8.3 86 7 60 8C34 9 -15 8.3 -40 8C-65 7.7 -80.7 10.3 -90 6z"/>
<path class="d-dragon-deep d-half" d="M-80 6C-100 3.2 -73.3 -8.3 -60 -10C-46.7 -11.7 -20 -4 0 -4C20 -4 41.3 -9
 60 -10C78.7 -11 103 -12 112 -10C121 -8 122.7 -0.8 114 2C105.3 4.8 92.3 6.3 60 7C27.7 7.7 -60 8.8 -80 6z"/>
<path class="d-belly d-k3" d="M-5 2q3-8 2-13q6 5 9 12z" transform="translate(-40 -66)rotate(-16)"/>
<path class="d-belly d-k3" d="M-5 2q3-8 2-13q6 5 9 12z" transform="translate(-60 -70)rotate(-8)"/>
<path class="d-belly d-k3" d="M-5 2q3-8 2-13q6 5 9 12z" transform="translate(-80 -72)rotate(-4)"/>
<path class="d-dragon" d="M-22 -58C-23.7 -63 -40 -65.7 -50 -68C-60 -70.3 -72.7 -72 -82 -72C-91.3 -72 -99.3 -69
 -106 -68C-112.7 -67 -116.8 -67.7 -122 -66C-127.2 -64.3 -132.8 -61.3 -137 -58C-141.2 -54.7 -142.8 -48.7 -147
 -46C-151.2 -43.3 -157.3 -44 -162 -42C-166.7 -40 -172.3 -37.5 -175 -34C-177.7 -30.5 -179 -24.8 -178 -21C-177
 -17.2 -173.7 -13.5 -169 -11C-164.3 -8.5 -156.8 -7 -150 -6C-143.2 -5 -134.5 -4.3 -128 -5C-121.5 -5.7 -115.8
 -7.7 -111 -10C-106.2 -12.3 -103.8 -16.7 -99 -19C-94.2 -21.3 -88.2 -22.8 -82 -24C-75.8 -25.2 -69 -23.7 -62
 -26C-55 -28.3 -46.7 -32.7 -40 -38C-33.3 -43.3 -20.3 -53 -22 -58z"/>
<path class="d-k d-no" d="M-50 -68C-55.3 -68.7 -72.7 -72 -82 -72C-91.3 -72 -99.3 -69 -106 -68C-112.7 -67 -116.8
 -67.7 -122 -66C-127.2 -64.3 -132.8 -61.3 -137 -58C-141.2 -54.7 -142.8 -48.7 -147 -46C-151.2 -43.3 -157.3 -44
 -162 -42C-166.7 -40 -172.3 -37.5 -175 -34C-177.7 -30.5 -179 -24.8 -178 -21C-177 -17.2 -173.7 -13.5 -169
 -11C-164.3 -8.5 -156.8 -7 -150 -6C-143.2 -5 -134.5 -4.3 -128 -5C-121.5 -5.7 -115.8 -7.7 -111 -10C-106.2 -12.3
 -103.8 -16.7 -99 -19C-94.2 -21.3 -88.2 -22.8 -82 -24C-75.8 -25.2 -65.3 -25.7 -62 -26"/>
<path class="d-dragon-light d-k" d="M-28 -56C-30 -62 -25 -74 -20 -82C-15 -90 -6.3 -101 2 -104C10.3 -107 20
 -102.7 30 -100C40 -97.3 50.3 -94.7 62 -88C73.7 -81.3 96.3 -65 100 -60C103.7 -55 89 -60.7 84 -58C79 -55.3 74.3
 -44.7 70 -44C65.7 -43.3 63 -55.3 58 -54C53 -52.7 45.3 -36.7 40 -36C34.7 -35.3 31.7 -50.7 26 -50C20.3 -49.3
 11.7 -32.7 6 -32C0.3 -31.3 -2.3 -42 -8 -46C-13.7 -50 -26 -50 -28 -56z"/>
<path class="d-k d-no" d="M2-104q34 18 56 50M2-104q16 26 24 54M2-104q0 30-10 58M2-104q50 10 82 46"/>
<path class="d-belly d-k3" d="M2-104q-8-3-8-10q6 2 11 8z"/>
<path class="d-dragon d-k" d="M46 6C40.3 0.8 41.7 -13.7 44 -22C46.3 -30.3 52.7 -40.3 60 -44C67.3 -47.7 80 -47.7
 88 -44C96 -40.3 105 -30 108 -22C111 -14 111 -1.2 106 4C101 9.2 88 8.7 78 9C68 9.3 51.7 11.2 46 6z"/>
<path class="d-dragon-deep d-half" d="M62 6C64 4.7 86 5 92 0C98 -5 95.7 -20.7 98 -24C100.3 -27.3 104.8 -24.7
 106 -20C107.2 -15.3 109.3 -0.7 105 4C100.7 8.7 87.2 7.7 80 8C72.8 8.3 60 7.3 62 6z"/>
<path class="d-dragon d-k" d="M34 8q-4-10 8-12q20-4 34 2q6 8-2 12q-22 4-40-2z"/>
<path class="d-belly d-k2" d="M-111 -10C-112.2 -13.5 -103.8 -16.7 -99 -19C-94.2 -21.3 -88.2 -22.8 -82 -24C-75.8
 -25.2 -68 -24 -62 -26C-56 -28 -48.3 -37 -46 -36C-43.7 -35 -44.7 -25.3 -48 -20C-51.3 -14.7 -58.7 -7.7 -66
 -4C-73.3 -0.3 -84.5 3 -92 2C-99.5 1 -109.8 -6.5 -111 -10z"/>
<path class="d-k2 d-no" d="M-98-18q4 10 10 17M-84-23q2 11 6 18M-66-25q-1 9 0 15"/>
<path class="d-belly d-k" d="M-122-65q-2-17 14-26q-3 12 2 23zM-106-68q5-14 20-17q-7 8-7 17z"/>
<path class="d-dragon-light d-k3" d="M-112-44q8-9 19-5q-5 3-5 9q-8 3-14-4z"/>
<path class="d-ember d-half" d="M-134-19q6-5 12 0q-6 5-12 0z"/>
<path class="d-k4 d-no" d="M-146-33q8 7 17 0M-171-29q1-3 4-2"/>
<path class="d-k d-no" d="M-142-28l-2 4M-134-28l1 4M-150-45q8-8 20-4M-175-19q20 9 38 5q8-2 12 2M42-3l-3
 5M52-4l-2 6"/><path class="d-dragon d-k" d="M-128 8q-4-9 8-10q18-2 30 2q8 6 2 10q-22 4-40-2z"/>
<path class="d-k d-no" d="M-120 1l-3 5M-110 0l-2 6"/>
<path class="d-k2 d-no" d="M-24 -50q3 4 6 0M-52 -50q3 4 6 0M-74 -56q3 4 6 0M-96 -52q3 4 6 0M16 -22q3 4 6 0M-4
 -18q3 4 6 0M66 -28q3 4 6 0M80 -18q3 4 6 0M86 -32q3 4 6 0"/>
<path class="d-smoke d-k3" d="M-182-42q-5-4-1-8q6-2 7 3q0 5-6 5zM-190-58q-7-5-1-11q8-4 11 3q0 8-10 8z"/>
<path class="d-smoke d-k3" d="M-184-80q-9-7-1-15q11-5 14 5q0 10-13 10z"/>`;
const PURSE = `<path class="d-shadow" d="M-30 34q30-10 64 0q-30 12-64 0z"/>
<path class="d-wood d-k" d="M-13-18q-26 22-24 44q4 14 37 14t37-14q2-22-24-44q-13 5-26 0z"/>
<path class="d-shadow" d="M10-17l4-1q25 22 23 44q-3 12-28 14q18-26 1-57z"/>
<path class="d-wood d-k" d="M-14-20q-8-12-14-16q10-2 15 3q6-9 13-4q8-5 13 4q6-5 15-3q-7 5-14 16q-14 5-28 0z"/>
<path class="d-crest d-k" d="M-18-21q18 7 36 0l1 6q-19 7-38 0z"/>
<path class="d-crest d-k3" d="M12-15q10 4 14 16l-7-1q-2-8-10-13z"/>`;
const BOX = `<path class="d-shadow" d="M-40 34q42-9 86 0q-42 11-86 0z"/>
<path class="d-wood d-k" d="M-38-4h76v36q-38 5-76 0z"/><path class="d-wood-deep d-half" d="M10-4h28v36q-14 2-28 2z"/>
<path class="d-k2 d-no" d="M-34 8h20M14 20h20M-30 24h14"/>
<path class="d-steel d-k3" d="M-30-4h9v37l-9-1zM21-4h9v36l-9 1z"/>`;
const LID = `<path class="d-wood d-k" d="M-40-2q-2-30 14-32h52q16 2 14 32q-40 5-80 0z"/>
<path class="d-steel d-k3" d="M-31-1q-2-24 7-33h9q-8 9-7 34zM31-1q2-24-7-33h-9q8 9 7 34z"/>
<path class="d-crest d-k" d="M-10-6h20v16q-10 8-20 0z"/>
<path class="d-ink" d="M0-2a3 3 0 0 1 2 5l1 6h-6l1-6a3 3 0 0 1 2-5z"/>`;
const OPENED = `<path class="d-wood-deep d-k" d="M-36-6l-4-30q40-8 80 0l-4 30z"/>
<path class="d-coin d-k3" d="M-34-4q4-14 16-11q6-10 16-4q10-6 16 3q14-3 20 12z"/>
<path class="d-k2 d-no" d="M-20-10q4-3 8 0M-4-13q4-3 8 0M10-9q4-3 8 0"/>`;
const FIST = `<path class="d-shadow" d="M-28 40q28-10 60 0q-28 10-60 0z"/>
<path class="d-crest d-k" d="M-18 18q-3 14-2 25q20 5 38 0q2-12 0-25z"/>
<path class="d-card d-k" d="M-22 12q20-6 42 0l1 10q-22 5-44 0z"/>
<path class="d-skin d-k" d="M-26-6q-4-22 6-28q7-4 12 0q6-5 12-1q7-4 12 2q9 0 11 12q3 18-6 35q-20 6-41 1q-5-8-6-21z"/>
<path class="d-k3 d-no" d="M-9-33q-3 12-1 22M3-35q-2 12 0 22M15-32q0 10-2 20"/>
<path class="d-skin d-k" d="M-25-2q2-9 14-8q14 1 21 6q4 5-2 8q-6 2-16-1q-8 6-15 4q-4-4-2-9z"/>
<path class="d-shadow" d="M16-30q9 1 10 10q3 18-6 35l-8 2q10-22 4-47z"/>`;
const HEAD = `<circle class="d-dragon-light d-k" r="44"/><circle class="d-card d-k3" r="37"/>
<g transform="translate(26 58) scale(.86)">
<path class="d-dragon d-k" d="M-10 -22q-6-14-12-20q-10 4-24-2q-14-2-16-12q2-10 14-14q8-14 24-18q18 0 26 16
q10 18 8 44q-8 8-20 6z"/><path class="d-belly d-k" d="M-24-84q-4-13 8-23q0 11 7 21zM-10-84q3-12 15-16q-3 9-3 19z"/>
<path class="d-card d-k3" d="M-38-66q5-8 13-4q2 8-4 10q-8 1-9-6z"/><circle class="d-ink" cx="-32" cy="-65" r="3"/>
<path class="d-k4 d-no" d="M-42-71q9-6 18-1M-56-60q1-2 3-1"/><path class="d-k d-no" d="M-60-53q14 7 26 2q6-2 9 2"/>
<path class="d-card d-k2" d="M-54-51l2 5l3-4M-46-49l2 5l2-5"/>
<path class="d-k2 d-no" d="M-12-60q3 4 6 0M-4-46q3 4 6 0M-14-40q3 4 6 0"/></g>`;

// --- Symbols -------------------------------------------------------------------------------------------------------
/** @param {string} name @param {string} drawn */
const symbol = (name, drawn) => `<symbol id="p-${name}" viewBox="-50 -50 100 100">${drawn}</symbol>`;

/** @param {string} drawn @param {number} x @param {number} y @param {number} scale */
const at = (drawn, x, y, scale = 1) => `<g transform="translate(${x} ${y}) scale(${scale})">${drawn}</g>`;

/** @param {string} name @param {number} x @param {number} y @param {number} [scale] */
const use = (name, x, y, scale = 1) => `<use href="#d-${name}" transform="translate(${x} ${y}) scale(${scale})"/>`;

const SHEET = "M-33-46q33-3 66 0q3 0 3 4q-3 42 0 84q0 4-3 4q-33 3-66 0q-3 0-3-4q3-42 0-84q0-4 3-4z";
const INNER = "M-28-40q28-2 56 0q-2 40 0 80q-28 2-56 0q2-40 0-80z";

/** A card's face. @param {string} name */
function face(name) {
  const picture = name === "chest" ? at(BOX + LID.replaceAll("d-crest", "d-coin"), 0, 3, 0.66) : use(name, 0, 0, 1.22);
  return `<path class="d-card d-k" d="${SHEET}"/><path class="d-k3" fill="${COLOURS[name]}" d="${INNER}"/>
    <circle class="d-card d-k3" r="27"/>${picture}`;
}

/** A card's back: the dragon's eye in a net of scales, in the colour of its owner. */
const back = () => {
  const scales = [-30, -18, -6, 6, 18, 30].map((y, row) =>
    [-22, -11, 0, 11, 22].map((x) => `M${x - 5 + (row % 2) * 5} ${y}q5 8 10 0`).join("")).join("");
  return `<path class="d-card d-k" d="${SHEET}"/><path class="d-crest d-k3" d="${INNER}"/>
    <path class="d-k2 d-no d-half" d="${scales}"/><path class="d-card d-k" d="M-22 0q22-20 44 0q-22 20-44 0z"/>
    <circle class="d-coin d-k3" r="9"/><path class="d-ink" d="M0-8q5 8 0 16q-5-8 0-16z"/>`;
};

/** A card of mine that lies face down: its back, and what I know of it. @param {string} name */
const peek = (name) => {
  const picture = name === "chest" ? at(BOX + LID.replaceAll("d-crest", "d-coin"), 0, 3, 0.5) : use(name, 0, 0, 0.95);
  return `<use href="#d-back"/><circle class="d-k" fill="${COLOURS[name]}" r="25"/>
    <circle class="d-card d-k3" r="20.5"/>${picture}`;
};

/** A number on a label below a thing. @param {number} number */
const label = (number) => `<path class="d-card d-k3" d="M-17 22q17-3 34 0q2 11 0 22q-17 3-34 0q-2-11 0-22z"/>
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
  const plaque = `<g transform="translate(0 28)"><path class="d-wood d-k" d="M-42-14q42-4 84 0l2 30q-44 4-88 0z"/>
    <text class="d-number" x="-12" y="10">${coins}</text>${use("coin", 24, 0, 1.3)}</g>`;
  return `<g transform="scale(.3333)">${layers.reverse().join("")}${plaque}</g>`;
}

const SEATS = Object.keys(CRESTS);
const COUNTS = Array.from({ length: MOST_COINS + 1 }, (_, number) => number);

/** @param {string} id @param {string} drawn */
const once = (id, drawn) => `<g id="d-${id}">${drawn}</g>`;

export const symbols = `<style>${washes(DAY)}${washes(NIGHT, '[data-theme="night"] ')}${LINES}</style><defs>
${Object.entries(PICTURES).map(([name, drawn]) => once(name, drawn)).join("")}
${once("coin", COIN)}${once("back", back())}${once("purse", PURSE)}${once("opened", OPENED + BOX)}
${once("dwarf", DWARF)}${once("second", DWARF.replaceAll("d-beard", "d-wood-deep") + FEATHER)}${rows()}</defs>
${symbol("dragon", at(AWAKE, -2, 33, 0.72))}${symbol("dragon-asleep", at(ASLEEP, 4, 10, 0.2778))}
${SEATS.map((crest, seat) => symbol(`dwarf-${seat}`, use("dwarf", 0, 43, 1.31) + at(CRESTS[crest], 0, 30, 1.31))
  + symbol(`dwarf-second-${seat}`, use("second", 0, 43, 1.31) + at(CRESTS[crest], 0, 30, 1.31))).join("")}
${Object.keys(COLOURS).map((name) => symbol(`card-${name}`, face(name)) + symbol(`peek-${name}`, peek(name))).join("")}
${symbol("coin", use("coin", 0, 0, 4.6))}${symbol("card-back", '<use href="#d-back"/>')}${symbol("role", HEAD)}
${symbol("purse", use("purse", 0, 4))}${symbol("chest", BOX + LID)}${symbol("chest-open", use("opened", 0, 4))}
${symbol("fist-left", FIST)}${symbol("fist-right", `<g transform="scale(-1 1)">${FIST}</g>`)}
${COUNTS.map((coins) => symbol(`treasure-${coins}`, heap(coins))
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
 * Take away the mats of those who do not play, and lay the others in the middle.
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
