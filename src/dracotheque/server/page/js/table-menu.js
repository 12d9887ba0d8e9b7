/** What can be done at a table beside choosing: the tools in the head, and the menu that one of them opens. */

import { confirmed, dialog, el, fill } from "./dom.js";
import { dice } from "./game-over.js";
import { icon } from "./icons.js";
import { choosePace, paceName, PACES } from "./pace.js";
import { want, wanted } from "./sound.js";
import { t } from "./i18n.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */

let shown = "";

/** The way home, the log, and the menu. @param {TablePage} page */
export function tableTools(page) {
  const sign = (/** @type {string} */ name, /** @type {string} */ label, /** @type {object} */ more) =>
    el(`button.quiet.tool.${name}`, { "aria-label": label, title: label, html: icon(name), ...more });
  return el("div.table-tools", {},
    el("a.tool.home", { href: "/", "aria-label": t("home"), title: t("home"), html: icon("home") }),
    sign("log", t("tab.log"), { onclick: () => page.sidePanel.toggle() }),
    sign("more", t("tool.more"), { popovertarget: "table-menu" }));
}

/** @param {TablePage} page */
export function showTableMenu(page) {
  const { table } = page.shown;
  const playing = table.status === "playing";
  const seated = page.mine.length > 0;
  const tools = {
    resign: playing && page.mine.length === 1 && table.players === 2,
    close: Boolean(table.host) && (table.status === "open" || (playing && Boolean(table.practice))),
    "exact-values": playing && page.exactValues.ready,
    dice: seated || table.status === "over",
  };
  const wishes = Object.entries(tools).flatMap(([name, on]) => (on ? [name] : []));
  const now = `${wishes} ${page.exactValues.on} ${paceName()} ${wanted()}`;
  if (shown === now) return;
  shown = now;
  const button = (/** @type {string} */ name) => el(`button.quiet.tool-${name}`, {
    onclick: () => (page.menu.hidePopover(), DOES[name](page)),
    "aria-pressed": name === "exact-values" ? String(page.exactValues.on) : null,
  }, t(`tool.${name}`));
  const panel = (/** @type {string} */ tab) =>
    el(`button.quiet.tool-${tab}`, { onclick: () => (page.menu.hidePopover(), page.sidePanel.open(tab)) }, t(`tab.${tab}`));
  fill(page.menu, paceSetting(), ...["log", "rules", "chat"].map(panel), soundSwitch(page), ...wishes.map(button));
}

/** How fast moves are shown. */
function paceSetting() {
  const option = (/** @type {string} */ name) => el("label.pill", {},
    el("input", { type: "radio", name: "pace", value: name, checked: name === paceName(), onchange: () => choosePace(name) }),
    el("span", {}, t(`pace.${name}`)));
  return el("fieldset.pace", {}, el("legend", {}, t("pace")), el("div.pills", {}, ...PACES.map(option)));
}

/** @param {TablePage} page */
const soundSwitch = (page) => el("button.quiet.tool-sound", {
  onclick: () => (want(!wanted()), showTableMenu(page)), "aria-pressed": String(wanted()),
}, t("sound"));

/**
 * Whether a choice can be taken back: no other player has seen anything new since; alone, any choice.
 * @param {TablePage} page
 */
export function mayTakeBack(page) {
  if (page.shown.table.status !== "playing" || page.replay) return false;
  const players = page.shown.recent.map(({ player = -1 }) => player);
  const last = players.findLastIndex((player) => player >= 0);
  if (page.shown.table.practice) return players.some((player) => page.isMine(player));
  return page.isMine(players[last]) && last === players.length - 1;
}

/** @type {Record<string, (page: TablePage) => any>} */
const DOES = {
  resign: async (page) => {
    const sure = await confirmed(t("tool.resign"), t("resign.sure"), t("resign.yes"));
    if (sure) await page.do("resign", { seat: page.mine[0] });
  },
  close: async (page) => {
    const sure = await confirmed(t("tool.close"), t("close.sure"), t("close.yes"));
    if (sure && (await page.do("close"))) location.assign("/");
  },
  "exact-values": (page) => page.exactValues.turn(),
  dice: async (page) => dialog(t("tool.dice"), await dice(page)),
};
