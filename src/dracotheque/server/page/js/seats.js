/** The seats: who sits where, whose turn it is, and what concerns one seat. */

import { post } from "./api.js";
import { crestOf, dialog, el, fill, passOn, select } from "./dom.js";
import { levelsAt } from "./oracle.js";
import { attempt } from "./wrong.js";
import { say, t } from "./words.js";

/** @typedef {import("./table.js").TablePage} TablePage */

let shown = "";

/** @param {TablePage} page */
export function showSeats(page) {
  const { view } = page;
  const now = JSON.stringify([view.seats, view.status, view.question?.seats, view.result?.winners, view.host]);
  if (now === shown) return;
  shown = now;
  const menus = () => [...page.seats.children].map((seat) => seat.querySelector("details"));
  const open = menus().map((menu) => menu?.open);
  fill(page.seats, ...view.seats.map((_, number) => seatCard(page, number)));
  page.showHoldings();
  menus().forEach((menu, number) => menu && (menu.open = Boolean(open[number])));
}

/** @param {TablePage} page @param {number} number */
function seatCard(page, number) {
  const { view } = page;
  const seat = view.seats[number];
  const turn = view.status === "playing" && view.question?.seats.includes(number);
  const won = view.result?.winners.includes(number);
  const name = page.name(number);
  const actions = actionsOf(page, number);
  const about = [seat.name && t(`crest.${seat.crest}`), kindOf(seat)].filter(Boolean).join(" · ");
  const note = turn ? t("turn.here") : won ? t("won") : "";
  return el(`li.seat${turn ? ".turn" : ""}${won ? ".won" : ""}${seat.mine ? ".mine" : ""}`, {},
    crestOf(seat.crest),
    el("div.who", {}, el("strong", {}, name), el("small", {}, about), el(`ul.holdings.seat-${number}`)),
    note && el("span.note", {}, note),
    inviteButton(page, number),
    actions.length > 0 && el("details.menu", {}, el("summary", { "aria-label": t("seat.menu", { name }) }, "⋯"),
      el("div", {}, ...actions)));
}

/** Show what lies before a seat. @param {Element} card @param {import("../../../../../web/src/messages").Holding[]} holdings */
export function showHoldings(card, holdings) {
  const list = card.querySelector(".holdings");
  if (list) fill(list, ...holdings.map(holding));
}

/** @param {import("../../../../../web/src/messages").Holding} held */
function holding(held) {
  const { kind, count = 1, value, label } = held;
  const said = label ? say(label) : "";
  const sign = el("span.sign", { html: `<svg viewBox="-50 -50 100 100"><use
    href="#p-${kind}" x="-50" y="-50" width="100" height="100"/></svg>` });
  const number = [count === 1 ? "" : `×${count}`, value == null ? "" : `= ${value}`].filter(Boolean).join(" ");
  return el("li", { title: said, "aria-label": said }, sign, number);
}

/** @param {any} seat */
function kindOf(seat) {
  if (seat.stand_in) return t("seat.stand-in", { level: t(`level.${seat.stand_in}`) });
  if (seat.kind === "bot") return `${t("seat.bot")} · ${t(`level.${seat.level}`)}`;
  if (seat.kind === "link") return t("seat.link");
  if (seat.kind === "open") return t("seat.open");
  if (seat.ready === false) return t("seat.asked");
  return seat.mine ? t("you") : seat.muted ? t("seat.muted") : "";
}

/** @param {TablePage} page @param {number} number */
function inviteButton(page, number) {
  const { view } = page;
  if (view.status !== "open" || !view.host || !["link", "open"].includes(view.seats[number].kind)) return null;
  const invite = async () => {
    const made = await attempt(post(`${page.path}/invite`, { seat: number }), view.game);
    if (made) dialog(t("invite.title"), [el("p", {}, t("invite.about")), passOn(made)]);
  };
  return el("button.main", { onclick: invite }, t("invite"));
}

/** What can be done about one seat now. @param {TablePage} page @param {number} number @returns {HTMLElement[]} */
function actionsOf(page, number) {
  const { view } = page;
  const seat = view.seats[number];
  const playing = view.status === "playing";
  const free = view.status === "open" && view.host && ["link", "open"].includes(seat.kind);
  /** @type {[boolean | undefined, string, string, object][]} */
  const all = [
    [playing && seat.mine && Boolean(seat.stand_in), "seat.come-back", "come-back", {}],
    [view.status === "open" && seat.mine && !view.host, "seat.leave", "leave", {}],
    [free, "seat.to-bot", "change-seat", { wish: { kind: "bot" } }],
    [seat.kind === "person" && !seat.mine && !seat.muted, "seat.mute", "mute", { on: true }],
    [seat.kind === "person" && !seat.mine && seat.muted, "seat.unmute", "mute", { on: false }],
  ];
  const act = (/** @type {string} */ command, /** @type {object} */ wishes) => (/** @type {any} */ event) => {
    event.target.closest("details").open = false;
    page.do(command, { seat: number, ...wishes });
  };
  const buttons = all.filter(([fits]) => fits)
    .map(([, key, command, wishes]) => el("button", { onclick: act(command, wishes) }, t(key)));
  return playing && seat.mine && !seat.stand_in ? [handOver(page, number), ...buttons] : buttons;
}

/** Let a bot play for me, of the level I choose. @param {TablePage} page @param {number} number */
function handOver(page, number) {
  const { players, options, practice, rules } = page.view;
  /** @type {[string, string][]} */
  const levels = levelsAt(page.box, players, options, rules)
    .filter((level) => practice || level !== "oracle") // between people nobody plays perfectly on tap
    .map((level) => [level, t(`level.${level}`)]);
  const chosen = (/** @type {any} */ event) => {
    event.preventDefault();
    event.target.closest("details").open = false;
    page.do("hand-over", { seat: number, level: new FormData(event.target).get("level") });
  };
  return el("form.column.hand-over", { onsubmit: chosen },
    select(levels, "squire", { name: "level", "aria-label": t("setup.level") }), el("button", {}, t("seat.hand-over")));
}
