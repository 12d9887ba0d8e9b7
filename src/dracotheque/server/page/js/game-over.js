/** The end of a game: result, score table, rematch, replay, and the check of the dice. */

import { get, post, Problem } from "./api.js";
import { crestOf, el, fill } from "./dom.js";
import { firstMoment, goToAnalysis, showAnalysis } from "./analysis.js";
import { createTable, startAndGo } from "./create-table.js";
import { levelsAt } from "./levels.js";
import { replayFrom } from "./replay.js";
import { ownSeat, resultText, winnersText } from "./result-text.js";
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
    firstMoment(page), nextGame(page), scoreSheet(page, given ? rows.filter((row) => row.kind !== "tie") : rows),
    given ? el("p.soft", {}, t("end.as-it-stood")) : el("p.row", {}, why));
}

// --- The score sheet ---------------------------------------------------------------------------------------------
/** @param {TablePage} page @param {ScoreRow[]} rows */
function scoreSheet(page, rows) {
  const { winners = [] } = page.shown.result ?? {};
  const won = (/** @type {number} */ seat) => (winners.includes(seat) ? "won" : "");
  const order = columns(page);
  const heads = order.map((number) => el("th", { scope: "col", class: won(number) },
    el("span.wreathed", {}, won(number) && el("span.wreath", { html: wreath("") }), crestOf(page.shown.seats[number].crest)),
    el("small", { title: page.name(number) }, page.name(number))));
  const few = rows.filter((row) => (row.kind ?? "points") === "points").length === 1;
  const body = rows.filter((row) => !(few && row.kind === "total"));
  return el("table.scores", {}, el("caption.unseen", {}, t("end.sheet")),
    el("thead", {}, el("tr", {}, el("td"), ...heads)),
    el("tbody", {}, ...body.map((row) => scoreRow(page, row, order, won))));
}

/** The seats in the order of their columns: the own one first. @param {TablePage} page */
function columns(page) {
  const me = ownSeat(page);
  const seats = page.shown.seats.map((_, seat) => seat);
  return me === null ? seats : [me, ...seats.filter((seat) => seat !== me)];
}

/** @param {TablePage} page @param {ScoreRow} row @param {number[]} order @param {(seat: number) => string} won */
function scoreRow(page, row, order, won) {
  const { kind = "points", phrase, rule, counts } = row;
  const name = say(phrase);
  const what = el("button.quiet", { title: t("rule.show"), onclick: () => page.sidePanel.showRule(rule) },
    el("span", {}, kind === "tie" && el("small", {}, t("end.tie-row"), " "), name[0].toUpperCase() + name.slice(1)));
  const none = kind === "points" ? "–" : 0;
  const count = (/** @type {number | null} */ number) => (number === null ? "" : number || none);
  return el(`tr.${kind}`, {}, el("th", { scope: "row" }, what),
    ...order.map((seat) => el("td", { class: won(seat) }, count(counts[seat]))));
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
/** The way to the next game: again, against better bots, or another one. @param {TablePage} page */
function nextGame(page) {
  const { rematch } = page.shown.table;
  const again = rematch ? el("a.button.main", { href: `/t/${rematch}` }, t("rematch.go"))
    : page.mine.length > 0 && el("button.main", { onclick: () => offer(page) }, t("rematch"));
  const better = !rematch && betterBots(page);
  return el("div.next-game", {}, again,
    better && el("button.harder", { onclick: () => playHarder(page, better) }, t("rematch.harder")),
    el("a.button", { href: "/" }, t("home")));
}

/**
 * The seats with every bot one level up where there is one, or null: then others play, or no bot can be better.
 * @param {TablePage} page
 */
function betterBots({ game, mine, shown: { seats, table } }) {
  if (mine.length !== 1 || seats.some((seat) => seat.kind !== "bot" && !seat.mine)) return null;
  const levels = levelsAt(game, table.players, table.options, game.rules);
  const next = (/** @type {string | undefined} */ level) => {
    const now = levels.indexOf(level ?? "");
    return now < 0 ? level : levels[Math.min(now + 1, levels.length - 1)];
  };
  const wishes = seats.map((seat) => (seat.mine ? { kind: "me" } : { kind: "bot", level: next(seat.level) }));
  return wishes.some(({ level }, number) => level && level !== seats[number].level) ? wishes : null;
}

/** Play the same game again against better bots, everybody one seat further. @param {TablePage} page @param {any[]} seats */
async function playHarder(page, seats) {
  const { options, board, turn_timeout = null } = page.shown.table;
  const rotated = seats.map((_, number) => seats.at(number - 1));
  await createTable({ game: page.game.name, seats: rotated, options, board: board || null, turn_timeout, listed: false });
}

/** @param {TablePage} page */
function afterwards(page) {
  return el("div.column.afterwards", {},
    el("button.to-analysis", { onclick: () => goToAnalysis(page) }, t("analysis.title")),
    el("button.replay", { onclick: () => replay(page) }, t("replay")),
    shareButton(page),
    el("a.button", { href: `${page.path}/log`, download: true }, t("download")));
}

/** Passes the result and the link of the replay on, or copies them where the browser cannot. @param {TablePage} page */
function shareButton(page) {
  const button = el("button.share", { onclick: async () => {
    const text = winnersText(page, sheets.get(page) ?? []);
    const url = `${location.origin}/t/${page.id}?move=0`;
    if (navigator.share) return void navigator.share({ title: document.title, text, url }).catch(() => {}); // called off
    // Without https there is no clipboard: then the address itself is what can be copied.
    const copied = await (navigator.clipboard?.writeText(`${text} ${url}`).then(() => true, () => false) ?? false);
    fill(button, copied ? t("copied") : url);
    setTimeout(() => fill(button, t("share")), copied ? 2_000 : 12_000);
  } }, t("share"));
  return button;
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
