/** After the game: who has won, the game again move by move, its log and its dice. */

import { get } from "./api.js";
import { crestOf, el, select } from "./dom.js";
import { lines } from "./drawer.js";
import { begin } from "./opening.js";
import { say, t } from "./words.js";
import { attempt } from "./wrong.js";

/** @typedef {import("./table.js").TablePage} TablePage */

const PACE = 900; // milliseconds a move

/** The result, and what can be done with a finished game. @param {TablePage} page @returns {any[]} */
export function showEnd(page) {
  const { view } = page;
  const result = /** @type {NonNullable<typeof view.result>} */ (view.result);
  const names = result.winners.map((seat) => page.name(seat)).join(", ");
  const order = view.seats.map((_, seat) => seat).sort((one, other) => result.scores[other] - result.scores[one]);
  const scores = order.map((seat) => el("li", { class: result.winners.includes(seat) ? "won" : "" },
    crestOf(view.seats[seat].crest), el("span", {}, page.name(seat)), el("b", {}, result.scores[seat])));
  const resigned = result.resigned != null && el("p", {}, t("resigned", { name: page.name(result.resigned) }));
  const why = el("button.quiet.rule", { onclick: () => page.drawer.showRule(result.ending) }, t("rule.ending"));
  return [
    el("p.turn", {}, t("over")),
    el("h2", {}, result.winners.length === 1 ? t("wins", { name: names }) : t("win", { names })),
    resigned, el("ol.scores", {}, ...scores), !resigned && el("p.row", {}, why),
    page.replay ? replayDesk(page) : afterwards(page),
  ];
}

/** @param {TablePage} page */
function afterwards(page) {
  const { view } = page;
  const next = view.rematch
    ? el("a.button.main", { href: `/t/${view.rematch}` }, t("rematch.go"))
    : page.mine.length > 0 && el("button.main", { onclick: () => offer(page) }, t("rematch"));
  return el("div.column", {}, next,
    el("button.replay", { onclick: () => replay(page) }, t("replay")),
    el("a.button", { href: `${page.path}/log`, download: true }, t("download")),
    el("a.button", { href: "/" }, t("home")));
}

/** Offer another game, and go there. @param {TablePage} page */
async function offer(page) {
  await page.do("rematch");
  const { rematch, seats } = page.view;
  const alone = seats.every((seat) => seat.kind === "bot" || seat.mine);
  if (rematch) await begin(rematch, (page.mine[0] + 1) % seats.length, alone);
}

/** @param {TablePage} page */
async function replay(page) {
  await page.drawer.wholeStory();
  page.replay = { move: 0, seat: page.look };
  step(page, 0);
}

/** Go to a moment of the game. @param {TablePage} page @param {number} move */
function step(page, move) {
  const replay = /** @type {NonNullable<TablePage["replay"]>} */ (page.replay);
  const last = page.view.moves ?? 0;
  replay.move = Math.max(0, Math.min(last, move));
  if (replay.move === last) stop(page);
  page.newsList.replaceChildren(...lines(page, replay.move ? [page.drawer.story[replay.move - 1]] : []));
  page.show();
}

/** @param {TablePage} page */
function stop(page) {
  clearInterval(page.replay?.timer);
  if (page.replay) page.replay.timer = undefined;
}

/** Let it run, or hold it. @param {TablePage} page */
function run(page) {
  const replay = /** @type {NonNullable<TablePage["replay"]>} */ (page.replay);
  if (replay.timer) stop(page);
  else replay.timer = setInterval(() => step(page, replay.move + 1), PACE);
  page.show();
}

/** The slider, the steps and the seat to look from. @param {TablePage} page */
function replayDesk(page) {
  const replay = /** @type {NonNullable<TablePage["replay"]>} */ (page.replay);
  const moves = page.view.moves ?? 0;
  const button = (/** @type {string} */ key, /** @type {() => void} */ onclick) =>
    el(`button.step-${key}`, { onclick }, t(`replay.${key}`));
  /** @type {[string, string][]} */
  const seats = page.view.seats.map((_, seat) => [`${seat}`, page.name(seat)]);
  const slide = (/** @type {any} */ event) => step(page, Number(event.target.value));
  return el("div.column.replaying", {},
    el("label", {}, t("replay.move", { move: replay.move, moves }),
      el("input", { type: "range", min: 0, max: moves, value: replay.move, onchange: slide })),
    el("p.row", {}, button("back", () => step(page, replay.move - 1)),
      button(replay.timer ? "hold" : "run", () => run(page)), button("on", () => step(page, replay.move + 1))),
    el("label", {}, t("replay.from"), select([["-1", t("replay.spectator")], ...seats], `${replay.seat}`, {
      onchange: (/** @type {any} */ event) => ((replay.seat = Number(event.target.value)), page.show()),
    })),
    button("end", () => {
      stop(page);
      page.replay = null;
      page.show();
    }));
}

/** What the table promised about its dice, and after the game whether that was kept. @param {TablePage} page */
export async function dice(page) {
  const found = await attempt(get(`${page.path}/dice`));
  if (!found) return [];
  const over = found.fair !== undefined && found.fair !== null;
  const facts = ["commit", "luck", "seed"].filter((name) => found[name]);
  const rows = facts.flatMap((name) => [el("dt", {}, t(`dice.${name}`)), el("dd", {}, el("code", {}, found[name]))]);
  const verdict = found.fair ? "fair" : "unfair";
  return [
    el("p", {}, t("dice.about")),
    over && el(`p.verdict.${verdict}`, {}, say({ key: verdict, gaps: {} })),
    over && el("p", {}, say({ key: "draws", gaps: { count: found.draws } })),
    el("dl", {}, ...rows),
    over ? el("p.soft", {}, t("dice.yourself")) : el("p.soft", {}, t("dice.later")),
  ];
}
