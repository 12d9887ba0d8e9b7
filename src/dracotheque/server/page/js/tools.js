/** What concerns the whole table: take back, resign, put away, the dice. */

import { confirmed, dialog, el, fill } from "./dom.js";
import { dice } from "./end.js";
import { t } from "./words.js";

/** @typedef {import("./table.js").TablePage} TablePage */

let shown = "";

/** @param {TablePage} page */
export function showTools(page) {
  const { view } = page;
  const playing = view.status === "playing";
  const seated = page.mine.length > 0;
  const tools = {
    "take-back": playing && !page.replay && mayTakeBack(page),
    resign: playing && page.mine.length === 1 && view.players === 2,
    close: Boolean(view.host) && (view.status === "open" || (playing && Boolean(view.practice))),
    teach: playing && seated,
    chances: playing && page.oracle.ready,
    dice: seated || view.status === "over",
  };
  const wanted = Object.entries(tools).flatMap(([name, on]) => (on ? [name] : []));
  /** @type {Record<string, boolean>} */
  const switches = { teach: page.teacher.on, chances: page.oracle.on };
  const now = `${wanted} ${Object.values(switches)}`;
  if (shown === now) return;
  shown = now;
  const button = (/** @type {string} */ name) => el(`button.quiet.tool-${name}`, {
    onclick: () => DOES[name](page),
    "aria-pressed": name in switches ? String(switches[name]) : null,
  }, t(`tool.${name}`));
  fill(page.tools, ...wanted.map(button));
}

/** Whether there is a choice of mine that nobody has seen anything new after; alone, any. @param {TablePage} page */
function mayTakeBack(page) {
  const players = page.news.map((told) => told.player);
  const last = players.findLastIndex((player) => player >= 0);
  if (page.view.practice) return players.some((player) => page.isMine(player));
  return page.isMine(players[last]) && last === players.length - 1;
}

/** @type {Record<string, (page: TablePage) => any>} */
const DOES = {
  "take-back": (page) => page.do("take-back", { at: page.view.moves ?? 0 }),
  resign: async (page) => {
    const sure = await confirmed(t("tool.resign"), t("resign.sure"), t("resign.yes"));
    if (sure) await page.do("resign", { seat: page.mine[0] });
  },
  close: async (page) => {
    const sure = await confirmed(t("tool.close"), t("close.sure"), t("close.yes"));
    if (sure && (await page.do("close"))) location.assign("/");
  },
  teach: (page) => page.teacher.turn(),
  chances: (page) => page.oracle.turn(),
  dice: async (page) => dialog(t("tool.dice"), await dice(page)),
};
