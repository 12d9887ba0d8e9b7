/** The caption of the move that is being shown: who does what, in one line below the board. */

import { crestOf, el, fill, picture } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./i18n.js";
import { captionOf } from "./log.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").MoveRecord} MoveRecord */

/** The line that tells the move being shown, with a button that skips what is still to come. @param {TablePage} page */
export function captionLine(page) {
  const words = el("p.caption", { "aria-live": "polite", onclick: () => page.skip() });
  const skip = el("button.skip.quiet", { onclick: () => page.skip(), "aria-label": t("skip"), title: t("skip"),
    html: icon("skip") });
  return el("div.telling", {}, words, skip);
}

/**
 * Tell a move, or add it to the caption where it goes on with the move before.
 * @param {TablePage} page @param {MoveRecord} record @param {boolean} [goesOn]
 */
export function showCaption(page, record, goesOn = false) {
  const text = captionOf(page, record);
  if (!text || !page.caption) return; // the caption before stays
  if (goesOn && page.caption.lastElementChild) return page.caption.lastElementChild.append(` ${text}`);
  const { player = -1 } = record;
  const actor = player >= 0 ? crestOf(page.shown.seats[player].crest) : picture("die");
  fill(page.caption, actor, el("span", {}, text));
}
