/** The analysis of a finished game: win probabilities as a curve, and its key moments. */

import { get } from "./api.js";
import { crestOf, el, fill, picture } from "./dom.js";
import { mark, replayFrom, seeHappen } from "./replay.js";
import { made } from "./svg.js";
import { language, say, t } from "./i18n.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").Analysis} Analysis */
/** @typedef {import("../protocol").TurningPoint} TurningPoint */

const [WIDE, HIGH] = [600, 200]; // units of the curve; it is stretched to its room
const APART = 13; // of 100: so far crests stand from each other at least

/** Where the moments of a table are shown. @type {WeakMap<TablePage, HTMLElement>} */
const places = new WeakMap();

/** Show the moments below the board, once; they are asked for only now. @param {TablePage} page */
export function showAnalysis(page) {
  if (places.has(page)) return;
  const section = el("section.analysis", { id: "analysis", tabindex: -1, "aria-labelledby": "analysis-title" });
  places.set(page, section);
  page.frame.parentElement?.append(section);
  look(page, section);
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
  /** @type {Analysis | null} */
  const found = await get(`${page.path}/analysis`).catch(() => null);
  if (found?.ready) {
    fill(section, title, curve(page, found), story(page, found));
    mark(page, found.moments.map((moment) => moment.move));
  } else {
    const again = el("button", { onclick: () => look(page, section) }, t("analysis.again"));
    fill(section, title, el("p.soft", {}, t(found ? "analysis.preparing" : "analysis.failed")), el("p.row", {}, again));
  }
}

// --- The curve ---------------------------------------------------------------------------------------------------
/** @param {TablePage} page @param {Analysis} found */
function curve(page, found) {
  const first = found.moves[0];
  const length = Math.max(1, (found.moves.at(-1) ?? 0) - first);
  const x = (/** @type {number} */ move) => (100 * (move - first)) / length;
  const svg = drawing(found, (move) => (WIDE * (move - first)) / length);
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

/** @param {Analysis} found @param {(move: number) => number} x */
function drawing(found, x) {
  const svg = made("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img" });
  for (const share of [0, 0.25, 0.5, 0.75, 1]) svg.append(line("grid", [[0, HIGH * share], [WIDE, HIGH * share]]));
  found.chances.forEach((shares, seat) => {
    svg.append(line(`win-share seat-${seat}`, shares.map((share, at) => [x(found.moves[at]), HIGH * (1 - share)])));
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
  const byChance = moment.player < 0;
  const up = moment.after > moment.before;
  const own = moment.player === moment.seat;
  const kind = byChance ? "luck" : own ? "choice" : "blow";
  const what = moment.events.map(([, phrase]) => say(phrase)).join(" ");
  const [before, after] = [percent(moment.before), percent(moment.after)];
  return el("button.key-moment", { onclick: () => seeHappen(page, moment) },
    el("span.number", { "aria-hidden": "true" }, number),
    el("span.what", {},
      el("span.kind", {}, byChance ? picture("die") : crestOf(page.shown.seats[moment.player].crest),
        el("b", {}, t(`moment.${kind}-${up ? "up" : "down"}`)),
        el("small", {}, t("moment.move", { move: moment.move }))),
      el("span", {}, what),
      el(`span.shift.${up ? "up" : "down"}`, {}, crestOf(page.shown.seats[moment.seat].crest),
        t("moment.shift", { name: page.name(moment.seat), before, after })),
      moment.better && el("span.better", {}, t(exact ? "moment.better-exact" : "moment.better", {
        choice: say(moment.better.name), share: percent(moment.better.share),
      }))));
}
