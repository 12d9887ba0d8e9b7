/** The end of a game: result, score table, rematch, replay, and the check of the dice. */

import { get, post, Problem } from "./api.js";
import { crestOf, el, fill } from "./dom.js";
import { goToAnalysis, showAnalysis } from "./analysis.js";
import { startAndGo } from "./create-table.js";
import { replayFrom } from "./replay.js";
import { resultText } from "./result-text.js";
import { say, t } from "./i18n.js";
import { attempt } from "./errors.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").ScoreRow} ScoreRow */

const SPARKS = 14;
const LEAVES = 9;
/** The score sheets of tables, once they have come. @type {WeakMap<TablePage, ScoreRow[]>} */
const sheets = new WeakMap();

/** The result, and what can be done with a finished game. @param {TablePage} page @returns {any[]} */
export function showGameOver(page) {
  showAnalysis(page);
  if (page.linked) follow(page);
  if (page.replay) return [page.replay.element];
  const result = el("div.result.column");
  showResult(page, result);
  return [result, afterwards(page)];
}

/** Go to the moment that the address names. @param {TablePage} page */
function follow(page) {
  const { move, seat } = /** @type {NonNullable<TablePage["linked"]>} */ (page.linked);
  page.linked = null;
  replayFrom(page, move, seat);
}

/** @param {TablePage} page @param {HTMLElement} place */
async function showResult(page, place) {
  const rows = sheets.get(page);
  if (rows) return fillResult(page, place, rows);
  const found = await attempt(get(`${page.path}/score`));
  if (found) sheets.set(page, found.rows); // else it is asked for again when the line is back
  fillResult(page, place, found?.rows ?? []);
}

/** @param {TablePage} page @param {HTMLElement} place @param {ScoreRow[]} rows */
function fillResult(page, place, rows) {
  const result = /** @type {NonNullable<typeof page.shown.result>} */ (page.shown.result);
  const given = result.resigned != null;
  const why = el("button.quiet.rule", { onclick: () => page.sidePanel.showRule(result.ending) }, t("rule.ending"));
  fill(place, laurel(page, result.winners), el("p.turn", {}, t("over")), el("h2", {}, resultText(page, rows)),
    nextGame(page), scoreSheet(page, given ? rows.filter((row) => row.kind !== "tie") : rows),
    given ? el("p.soft", {}, t("end.as-it-stood")) : el("p.row", {}, why));
}

// --- The score sheet ---------------------------------------------------------------------------------------------
/** @param {TablePage} page @param {ScoreRow[]} rows */
function scoreSheet(page, rows) {
  const { winners = [] } = page.shown.result ?? {};
  const won = (/** @type {number} */ seat) => (winners.includes(seat) ? "won" : "");
  const heads = page.shown.seats.map((seat, number) => el("th", { scope: "col", class: won(number) },
    el("span.wreathed", {}, won(number) && el("span.wreath", { html: wreath("") }), crestOf(seat.crest)),
    el("small", { title: page.name(number) }, page.name(number))));
  const few = rows.filter((row) => (row.kind ?? "points") === "points").length === 1;
  const body = rows.filter((row) => !(few && row.kind === "total"));
  return el("table.scores", {}, el("caption.unseen", {}, t("end.sheet")),
    el("thead", {}, el("tr", {}, el("td"), ...heads)),
    el("tbody", {}, ...body.map((row) => scoreRow(page, row, won))));
}

/** @param {TablePage} page @param {ScoreRow} row @param {(seat: number) => string} won */
function scoreRow(page, row, won) {
  const { kind = "points", phrase, rule, counts } = row;
  const name = say(phrase);
  const what = el("button.quiet", { title: t("rule.show"), onclick: () => page.sidePanel.showRule(rule) },
    el("span", {}, kind === "tie" && el("small", {}, t("end.tie-row"), " "), name[0].toUpperCase() + name.slice(1)));
  const none = kind === "points" ? "–" : 0;
  const count = (/** @type {number | null} */ number) => (number === null ? "" : number || none);
  return el(`tr.${kind}`, {}, el("th", { scope: "row" }, what),
    ...counts.map((number, seat) => el("td", { class: won(seat) }, count(number))));
}

// --- A small celebration -----------------------------------------------------------------------------------------
/** A laurel round the winner's crest, and a few sparks. @param {TablePage} page @param {number[]} winners */
function laurel(page, winners) {
  const sparks = Array.from({ length: SPARKS }, (_, number) => spark(number)).join("");
  return el("div.laurel", { "aria-hidden": "true" }, el("span", { html: wreath(`<g class="sparks">${sparks}</g>`) }),
    el("span.crests", {}, ...winners.map((seat) => crestOf(page.shown.seats[seat].crest))));
}

/** Two branches of laurel, and what is drawn with them. @param {string} more */
function wreath(more) {
  const leaves = Array.from({ length: LEAVES }, (_, number) => leaf(number)).join("");
  const branch = `<path class="stem" d="M0 46C-30 44-50 22-48-14"/>${leaves}`;
  const both = `<g>${branch}</g><g transform="scale(-1 1)">${branch}</g>`;
  return `<svg viewBox="-70 -36 140 92" aria-hidden="true">${both}${more}</svg>`;
}

/** One pair of leaves on the left branch. @param {number} number */
function leaf(number) {
  const along = (number + 0.6) / LEAVES;
  const angle = Math.PI * (0.53 + 0.62 * along);
  const [x, y] = [52 * Math.cos(angle), 4 + 44 * Math.sin(angle)];
  const turn = (angle * 180) / Math.PI + 90;
  const size = 1.1 - 0.45 * along;
  const blade = `<path d="M0 0C4-5 12-6 18 0 12 5 4 4 0 0z"/>`;
  const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  const place = (/** @type {number} */ lean) => `<g class="leaf"
    transform="${at} rotate(${(turn + lean).toFixed(0)}) scale(${size.toFixed(2)})">${blade}</g>`;
  return place(-38) + place(34);
}

/** @param {number} number */
function spark(number) {
  const angle = (2 * Math.PI * (number + 0.3)) / SPARKS;
  const far = number % 2 ? 84 : 70;
  const [x, y] = [far * Math.cos(angle), 0.62 * far * Math.sin(angle)];
  const star = "M0-5 1.200-1.200 5 0 1.200 1.200 0 5-1.200 1.200-5 0-1.200-1.200z";
  return `<path class="spark k${number % 3}" style="--x: ${x.toFixed(0)}px; --y: ${y.toFixed(0)}px" d="${star}"/>`;
}

// --- What can be done now ----------------------------------------------------------------------------------------
/** @param {TablePage} page */
function nextGame(page) {
  const { rematch } = page.shown.table;
  if (rematch) return el("a.button.main", { href: `/t/${rematch}` }, t("rematch.go"));
  return page.mine.length > 0 && el("button.main", { onclick: () => offer(page) }, t("rematch"));
}

/** @param {TablePage} page */
function afterwards(page) {
  return el("div.column.afterwards", {},
    el("button.to-analysis", { onclick: () => goToAnalysis(page) }, t("analysis.title")),
    el("button.replay", { onclick: () => replay(page) }, t("replay")),
    el("a.button", { href: `${page.path}/log`, download: true }, t("download")),
    el("a.button", { href: "/" }, t("home")));
}

/** See the game again from its beginning, the keyboard on what lets it run. @param {TablePage} page */
async function replay(page) {
  await replayFrom(page, 0);
  page.promptPanel.querySelector(".step-run")?.focus({ preventScroll: true });
}

/** Offer another game, and go there. @param {TablePage} page */
async function offer(page) {
  await page.do("rematch");
  const { seats, table: { rematch } } = page.shown;
  const alone = seats.every((seat) => seat.kind === "bot" || seat.mine);
  if (rematch) await startAndGo(rematch, (page.mine[0] + 1) % seats.length, alone);
}

// --- The dice ----------------------------------------------------------------------------------------------------
/** What the table promised about its dice, and after the game whether that was kept. @param {TablePage} page */
export async function dice(page) {
  const found = await attempt(get(`${page.path}/dice`));
  if (!found) return [];
  const over = found.fair !== undefined && found.fair !== null;
  return [
    el("p", {}, t("dice.about")),
    ...(over ? judged(found) : []),
    facts(found),
    over ? el("p.soft", {}, t("dice.yourself")) : el("p.soft", {}, t("dice.later")),
    el("hr"), verifyFile(),
  ];
}

/** What was found about some dice. @param {any} found */
function judged(found) {
  const verdict = found.fair ? "fair" : "unfair";
  const draws = found.fair && el("p", {}, say(["draws", { count: found.draws }]));
  return [el(`p.verdict.${verdict}`, {}, say([verdict])), draws];
}

/** @param {any} found */
function facts(found) {
  const known = ["commitment", "client_seed", "seed"].filter((name) => found[name]);
  return el("dl", {}, ...known.flatMap((name) =>
    [el("dt", {}, t(`dice.${name}`)), el("dd", {}, el("code", {}, found[name]))]));
}

/** Check the dice of a saved log. */
function verifyFile() {
  const answer = el("div.column", { role: "status" });
  const field = el("input.unseen", {
    type: "file", id: "log-file", accept: ".json,application/json",
    onchange: async () => {
      const [file] = field.files ?? [];
      if (file) fill(answer, ...(await checked(file)));
      field.value = "";
    },
  });
  return el("section.column.verify", {}, el("h3", {}, t("dice.file")), el("p.soft", {}, t("dice.file-about")),
    field, el("label.button", { for: "log-file" }, t("dice.choose")), answer);
}

/** Say what is to be said of the dice of a file. @param {File} file */
async function checked(file) {
  try {
    const found = await post("/api/verify", JSON.parse(await file.text()));
    return [el("p.soft", {}, t("dice.of", { file: file.name, table: found.table })), ...judged(found)];
  } catch (problem) {
    const known = problem instanceof Problem && problem.code !== "bad_message";
    return [el("p.verdict.unfair", {}, known ? say(problem.phrase) : t("dice.no-log"))];
  }
}
