/** The analysis of a finished game: win probabilities as a curve, and its key moments. */

import { get } from "./api.js";
import { crestOf, el, fill, picture } from "./dom.js";
import { mark, replayFrom, seeHappen } from "./replay.js";
import { made } from "./svg.js";
import { ownSeat } from "./result-text.js";
import { language, say, t } from "./i18n.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").Analysis} Analysis */
/** @typedef {import("../protocol").TurningPoint} TurningPoint */

const [WIDE, HIGH] = [600, 200]; // units of the curve; it is stretched to its room
const APART = 13; // of 100: so far crests stand from each other at least

/** Where the moments of a table are shown. @type {WeakMap<TablePage, HTMLElement>} */
const places = new WeakMap();
/** What the first moment says in the panel of the result, as soon as it is known. @type {WeakMap<TablePage, any>} */
const firsts = new WeakMap();

/** Show the moments below the board, once; they are asked for only now. @param {TablePage} page */
export function showAnalysis(page) {
  if (places.has(page)) return;
  const section = el("section.analysis", { id: "analysis", tabindex: -1, "aria-labelledby": "analysis-title" });
  places.set(page, section);
  page.frame.parentElement?.append(section);
  look(page, section);
}

/** The first moment in short, for the panel of the result; its room is kept until it is known. @param {TablePage} page */
export function firstMoment(page) {
  return el("div.first-moment", {}, firsts.get(page) ?? waiting());
}

const waiting = () => el("p.soft", {}, t("analysis.wait"));

/** @param {TablePage} page @param {any} first */
function tellFirst(page, first) {
  firsts.set(page, first);
  const place = page.promptPanel.querySelector(".first-moment");
  if (place) fill(place, first);
}

/** Bring the moments into sight. @param {TablePage} page */
export function goToAnalysis(page) {
  const section = places.get(page);
  section?.scrollIntoView({ block: "start" });
  section?.focus({ preventScroll: true });
}

/** @param {TablePage} page @param {HTMLElement} section */
async function look(page, section) {
  const title = el("h2", { id: "analysis-title" }, t("analysis.title"));
  fill(section, title, el("p.soft", { role: "status" }, t("analysis.wait")));
  tellFirst(page, waiting());
  /** @type {Analysis | null} */
  const found = await get(`${page.path}/analysis`).catch(() => null);
  if (found?.ready) {
    found.moments = ownFirst(found.moments, ownSeat(page));
    tellFirst(page, found.moments.length ? shortCard(page, found.moments[0], found.exact) : el("p.soft", {}, t("analysis.none")));
    fill(section, title, curve(page, found), story(page, found));
    mark(page, found.moments.map((moment) => moment.move));
  } else {
    const again = el("button", { onclick: () => look(page, section) }, t("analysis.again"));
    const why = () => el("p.soft", {}, t(found ? "analysis.preparing" : "analysis.failed"));
    tellFirst(page, why());
    fill(section, title, why(), el("p.row", {}, again));
  }
}

/**
 * The moments in order, those that a player decided first, then those that changed that player's chances.
 * @param {TurningPoint[]} moments @param {number | null} me
 */
export function ownFirst(moments, me) {
  const rank = (/** @type {TurningPoint} */ { player, seat }) => (player === me ? 0 : seat === me ? 1 : 2);
  return me === null ? moments : [...moments].sort((one, other) => rank(one) - rank(other));
}

// --- The curve ---------------------------------------------------------------------------------------------------
/** @param {TablePage} page @param {Analysis} found */
function curve(page, found) {
  const first = found.moves[0];
  const length = Math.max(1, (found.moves.at(-1) ?? 0) - first);
  const x = (/** @type {number} */ move) => (100 * (move - first)) / length;
  const svg = drawing(found, ownSeat(page), (move) => (WIDE * (move - first)) / length);
  svg.setAttribute("aria-label", inWords(page, found));
  const cursor = el("i.cursor", { hidden: true });
  const marks = found.moments.map((moment, number) => el("button.spot", {
    style: `left: ${x(moment.move)}%; top: ${100 - 100 * moment.after}%`, tabindex: -1, "aria-hidden": "true",
    title: t("moment.move", { move: moment.move }), onclick: () => seeHappen(page, moment),
  }, number + 1));
  const field = el("div.field", {
    onclick: (/** @type {any} */ event) => {
      if (event.target.closest("button")) return;
      const { left, width } = field.getBoundingClientRect();
      replayFrom(page, first + Math.round((length * (event.clientX - left)) / width));
    },
  }, svg, cursor, ...marks);
  page.whole.addEventListener("replay", (/** @type {any} */ event) => {
    cursor.hidden = event.detail === null || event.detail < first;
    cursor.style.left = `${x(event.detail)}%`;
  });
  return el("figure.curve", {},
    el("span.scale", { "aria-hidden": "true" }, ...[1, 0.5, 0].map((share) => el("small", {}, percent(share)))),
    field, el("div.ends", { "aria-hidden": "true" }, ...ends(page, found)),
    el("figcaption.soft", {}, t(found.exact ? "analysis.about-exact" : "analysis.about")));
}

/** @param {Analysis} found @param {number | null} me @param {(move: number) => number} x */
function drawing(found, me, x) {
  const svg = made("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img" });
  for (const share of [0, 0.25, 0.5, 0.75, 1]) svg.append(line("grid", [[0, HIGH * share], [WIDE, HIGH * share]]));
  found.chances.forEach((shares, seat) => {
    svg.append(line(`win-share seat-${seat}${seat === me ? " own" : ""}`, shares.map((share, at) => [x(found.moves[at]), HIGH * (1 - share)])));
  });
  return svg;
}

/** @param {string} kind @param {number[][]} points */
function line(kind, points) {
  return made("polyline", { class: kind, points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ") });
}

/** The crests at the ends of their lines, none upon another. @param {TablePage} page @param {Analysis} found */
function ends(page, found) {
  const tops = found.chances.map((shares) => 100 - 100 * (shares.at(-1) ?? 0));
  const order = tops.map((_, seat) => seat).sort((one, other) => tops[one] - tops[other] || one - other);
  const lowest = 100 - APART * (order.length - 1);
  order.forEach((seat, rank) => {
    const least = rank ? tops[order[rank - 1]] + APART : 0;
    tops[seat] = Math.max(least, Math.min(tops[seat], lowest + APART * rank));
  });
  return page.shown.seats.map((seat, number) => el("span", { style: `top: ${tops[number]}%` }, crestOf(seat.crest)));
}

/** The curve in words, for screen readers. @param {TablePage} page @param {Analysis} found */
function inWords(page, found) {
  const lives = found.chances.map((shares, seat) => t("analysis.life", {
    name: page.name(seat), first: percent(shares[0]), lowest: percent(Math.min(...shares)),
    highest: percent(Math.max(...shares)), last: percent(shares.at(-1) ?? 0),
  }));
  return [t("analysis.curve"), ...lives].join(" ");
}

const percents = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
/** @param {number} share */
const percent = (share) => percents.format(share);

// --- The moments -------------------------------------------------------------------------------------------------
/** @param {TablePage} page @param {Analysis} found */
function story(page, found) {
  if (!found.moments.length) return el("p", {}, t("analysis.none"));
  return el("ol.key-moments", {}, ...found.moments.map((moment, number) => el("li", {}, card(page, moment, number + 1, found.exact))));
}

/** @param {TablePage} page @param {TurningPoint} moment @param {number} number @param {boolean} [exact] */
function card(page, moment, number, exact) {
  const up = moment.after > moment.before;
  const [before, after] = [percent(moment.before), percent(moment.after)];
  return el("button.key-moment", { onclick: () => seeHappen(page, moment) },
    el("span.number", { "aria-hidden": "true" }, number),
    el("span.what", {},
      kindOf(page, moment),
      el("span", {}, whatHappened(moment)),
      el(`span.shift.${up ? "up" : "down"}`, {}, crestOf(page.shown.seats[moment.seat].crest),
        t("moment.shift", { name: page.name(moment.seat), before, after })),
      moment.better && el("span.better", {}, betterChoice(moment.better, exact))));
}

/**
 * The first moment in two lines: what would have been better, or else what happened.
 * @param {TablePage} page @param {TurningPoint} moment @param {boolean} [exact]
 */
function shortCard(page, moment, exact) {
  const { better } = moment;
  return el("button.key-moment", { onclick: () => seeHappen(page, moment) },
    el("span.what", {}, kindOf(page, moment),
      el("span.brief", {}, better ? betterChoice(better, exact) : whatHappened(moment))),
    el("b.look", {}, t("moment.look")));
}

/** Whose moment it is, of which kind, and when. @param {TablePage} page @param {TurningPoint} moment */
function kindOf(page, moment) {
  const byChance = moment.player < 0;
  const kind = byChance ? "luck" : moment.player === moment.seat ? "choice" : "blow";
  const way = moment.after > moment.before ? "up" : "down";
  return el("span.kind", {}, byChance ? picture("die") : crestOf(page.shown.seats[moment.player].crest),
    el("b", {}, t(`moment.${kind}-${way}`)), el("small", {}, t("moment.move", { move: moment.move })));
}

/** @param {TurningPoint} moment */
const whatHappened = (moment) => moment.events.map(([, phrase]) => say(phrase)).join(" ");

/** @param {NonNullable<TurningPoint["better"]>} better @param {boolean} [exact] */
const betterChoice = (better, exact) => t(exact ? "moment.better-exact" : "moment.better", {
  choice: say(better.name), share: percent(better.share),
});
