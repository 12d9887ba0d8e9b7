/** The menu of a table: take back, resign, close, hints, exact values, dice. */

import { confirmed, dialog, el, fill } from "./dom.js";
import { dice } from "./game-over.js";
import { t } from "./i18n.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */

let shown = "";

/** @param {TablePage} page */
export function showTableMenu(page) {
  const { table } = page.shown;
  const playing = table.status === "playing";
  const seated = page.mine.length > 0;
  const tools = {
    "take-back": playing && !page.replay && mayTakeBack(page),
    resign: playing && page.mine.length === 1 && table.players === 2,
    close: Boolean(table.host) && (table.status === "open" || (playing && Boolean(table.practice))),
    hints: playing && seated,
    "exact-values": playing && page.exactValues.ready,
    dice: seated || table.status === "over",
  };
  const wanted = Object.entries(tools).flatMap(([name, on]) => (on ? [name] : []));
  /** @type {Record<string, boolean>} */
  const switches = { hints: page.hints.on, "exact-values": page.exactValues.on };
  const now = `${wanted} ${Object.values(switches)}`;
  if (shown === now) return;
  shown = now;
  const button = (/** @type {string} */ name) => el(`button.quiet.tool-${name}`, {
    onclick: () => DOES[name](page),
    "aria-pressed": name in switches ? String(switches[name]) : null,
  }, t(`tool.${name}`));
  fill(page.menu, ...wanted.map(button));
}

/**
 * Whether a choice can be taken back: no other player has seen anything new since; alone, any choice.
 * @param {TablePage} page
 */
function mayTakeBack(page) {
  const players = page.shown.recent.map(({ player = -1 }) => player);
  const last = players.findLastIndex((player) => player >= 0);
  if (page.shown.table.practice) return players.some((player) => page.isMine(player));
  return page.isMine(players[last]) && last === players.length - 1;
}

/** @type {Record<string, (page: TablePage) => any>} */
const DOES = {
  "take-back": (page) => page.do("take-back", { move_number: page.shown.move_number }),
  resign: async (page) => {
    const sure = await confirmed(t("tool.resign"), t("resign.sure"), t("resign.yes"));
    if (sure) await page.do("resign", { seat: page.mine[0] });
  },
  close: async (page) => {
    const sure = await confirmed(t("tool.close"), t("close.sure"), t("close.yes"));
    if (sure && (await page.do("close"))) location.assign("/");
  },
  hints: (page) => page.hints.turn(),
  "exact-values": (page) => page.exactValues.turn(),
  dice: async (page) => dialog(t("tool.dice"), await dice(page)),
};
