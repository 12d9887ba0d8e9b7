/** The list of players: seats, whose turn it is, and the menu of each seat. */

import { post } from "./api.js";
import { crestOf, dialog, el, fill, passOn, select } from "./dom.js";
import { levelsAt } from "./levels.js";
import { attempt } from "./errors.js";
import { language, say, t } from "./i18n.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").Holding} Holding */

let shown = "";

/** @param {TablePage} page */
export function showPlayers(page) {
  const { result, seats, table } = page.shown;
  const now = JSON.stringify([seats, table.status, page.turn, result?.winners, table.host]);
  if (now === shown) return;
  shown = now;
  const menus = () => [...page.playerList.children].map((seat) => seat.querySelector("details"));
  const open = menus().map((menu) => menu?.open);
  fill(page.playerList, ...seats.map((_, number) => seatCard(page, number)));
  page.showHoldings();
  menus().forEach((menu, number) => menu && (menu.open = Boolean(open[number])));
}

/** @param {TablePage} page @param {number} number */
function seatCard(page, number) {
  const { result, seats } = page.shown;
  const seat = seats[number];
  const turn = page.turn.includes(number);
  const won = result?.winners.includes(number);
  const name = page.name(number);
  const actions = actionsOf(page, number);
  const about = [seat.name && t(`crest.${seat.crest}`), kindOf(seat)].filter(Boolean).join(" · ");
  const note = won ? t("won") : "";
  return el(`li.seat.seat-${number}${turn ? ".turn" : ""}${won ? ".won" : ""}${seat.mine ? ".mine" : ""}`, {
    "aria-current": turn ? "true" : null },
    crestOf(seat.crest),
    el("div.who", {}, el("strong", {}, name), el("small", {}, about)),
    el("span.score", { role: "img", hidden: true }),
    el(`ul.holdings.seat-${number}`),
    note && el("span.note", {}, note),
    inviteButton(page, number),
    actions.length > 0 && el("details.menu", {}, el("summary", { "aria-label": t("seat.menu", { name }) }, "⋯"),
      el("div", {}, ...actions)));
}

/**
 * Show the score and the rank of every seat, and what lies before it, in pictures where the game has them.
 * @param {TablePage} page @param {boolean} pictures
 */
export function showHoldings(page, pictures) {
  const scores = page.holdings.map((held) => held.find(isScore));
  const ranks = ranksOf(scores, page.shown.result?.winners);
  [...page.playerList.children].forEach((card, seat) => {
    const held = (page.holdings[seat] ?? []).filter((each) => !isScore(each));
    fill(/** @type {Element} */ (card.querySelector(".holdings")), ...held.map(pictures ? holding : holdingInWords));
    const place = /** @type {HTMLElement} */ (card.querySelector(".score"));
    const score = scores[seat];
    place.hidden = !score;
    if (score) showScore(place, page.name(seat), score, ranks[seat]);
  });
}

/** @param {Holding} held */
const isScore = ({ kind }) => kind === "score" || kind === "score-part";

/**
 * The rank of each seat by the scores that are shown, the winners first; 0 for all where the scores do not differ.
 * @param {(Holding | undefined)[]} scores @param {number[]} [winners] @returns {number[]}
 */
export function ranksOf(scores, winners = []) {
  const points = scores.map((score, seat) => (winners.includes(seat) ? Infinity : score?.count ?? 1));
  if (points.every((each) => each === points[0])) return points.map(() => 0);
  return points.map((own) => 1 + points.filter((other) => other > own).length);
}

/** @param {HTMLElement} place @param {string} name @param {Holding} score @param {number} rank */
function showScore(place, name, { kind, count = 1, value, label }, rank) {
  const more = kind === "score-part" ? ` + ${value ?? "?"}` : value == null ? "" : `/${value}`;
  const ordinal = rank ? ordinalOf(rank) : "";
  const said = (label ? say(label) : String(count)) + (kind === "score-part" ? more : "");
  place.ariaLabel = t("seat.score", { name, score: [said, ordinal].filter(Boolean).join(", ") });
  place.title = place.ariaLabel;
  fill(place, el("b", {}, count, el("i", {}, more)), el(`span.rank${rank === 1 ? ".first" : ""}`, {}, ordinal));
}

/** The endings of ranks, by the plural rules of ordinals. @type {Partial<Record<Intl.LDMLPluralRule, string>>} */
const ORDINALS = { one: "rank.one", two: "rank.two", few: "rank.few" };

/** A rank as it is said: 1st, 2nd. @param {number} rank */
function ordinalOf(rank) {
  const rule = new Intl.PluralRules(language, { type: "ordinal" }).select(rank);
  return t(ORDINALS[rule] ?? "rank.other", { rank });
}

/** @param {Holding} held */
const holdingInWords = ({ label, count = 1 }) => el("li.in-words", {}, label ? say(label) : count);

/** @param {Holding} held */
function holding(held) {
  const { kind, count = 1, value, label } = held;
  const said = label ? say(label) : "";
  const sign = el("span.sign", { html: `<svg viewBox="-50 -50 100 100"><use
    href="#p-${kind}" x="-50" y="-50" width="100" height="100"/></svg>` });
  const number = [count === 1 ? "" : `×${count}`, value == null ? "" : `= ${value}`].filter(Boolean).join(" ");
  return el(number ? "li.numbered" : "li", { title: said, "aria-label": said }, sign, number);
}

/** @param {any} seat */
function kindOf(seat) {
  if (seat.substitute) return t("seat.substitute", { level: t(`level.${seat.substitute}`) });
  if (seat.kind === "bot") return `${t("seat.bot")} · ${t(`level.${seat.level}`)}`;
  if (seat.kind === "link") return t("seat.link");
  if (seat.kind === "open") return t("seat.open");
  if (seat.ready === false) return t("seat.asked");
  return seat.mine ? t("you") : seat.muted ? t("seat.muted") : "";
}

/** @param {TablePage} page @param {number} number */
function inviteButton(page, number) {
  const { seats, table } = page.shown;
  if (table.status !== "open" || !table.host || !["link", "open"].includes(seats[number].kind)) return null;
  const invite = async () => {
    const made = await attempt(post(`${page.path}/invite`, { seat: number }), table.game);
    if (made) dialog(t("invite.title"), [el("p", {}, t("invite.about")), passOn(made)]);
  };
  return el("button.main", { onclick: invite }, t("invite"));
}

/** What can be done about one seat now. @param {TablePage} page @param {number} number @returns {HTMLElement[]} */
function actionsOf(page, number) {
  const { seats, table } = page.shown;
  const seat = seats[number];
  const playing = table.status === "playing";
  const free = table.status === "open" && table.host && ["link", "open"].includes(seat.kind);
  /** @type {[boolean | undefined, string, string, object][]} */
  const all = [
    [playing && seat.mine && Boolean(seat.substitute), "seat.come-back", "resume-seat", {}],
    [table.status === "open" && seat.mine && !table.host, "seat.leave", "leave", {}],
    [free, "seat.to-bot", "change-seat", { request: { kind: "bot" } }],
    [seat.kind === "person" && !seat.mine && !seat.muted, "seat.mute", "mute", { on: true }],
    [seat.kind === "person" && !seat.mine && seat.muted, "seat.unmute", "mute", { on: false }],
  ];
  const act = (/** @type {string} */ command, /** @type {object} */ fields) => (/** @type {any} */ event) => {
    event.target.closest("details").open = false;
    page.do(command, { seat: number, ...fields });
  };
  const buttons = all.filter(([fits]) => fits)
    .map(([, key, command, fields]) => el("button", { onclick: act(command, fields) }, t(key)));
  return playing && seat.mine && !seat.substitute ? [handOver(page, number), ...buttons] : buttons;
}

/** Choose the level of a bot that plays in this seat meanwhile. @param {TablePage} page @param {number} number */
function handOver(page, number) {
  const { players, options, practice, rules } = page.shown.table;
  /** @type {[string, string][]} */
  const levels = levelsAt(page.game, players, options, rules)
    .filter((level) => practice || level !== "oracle") // no perfect play against other people
    .map((level) => [level, t(`level.${level}`)]);
  const chosen = (/** @type {any} */ event) => {
    event.preventDefault();
    event.target.closest("details").open = false;
    page.do("assign-substitute", { seat: number, level: new FormData(event.target).get("level") });
  };
  return el("form.column.hand-over", { onsubmit: chosen },
    select(levels, "squire", { name: "level", "aria-label": t("setup.level") }), el("button", {}, t("seat.hand-over")));
}
