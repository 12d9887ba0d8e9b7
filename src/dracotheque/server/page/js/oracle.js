/** The Oracle: the level that plays perfectly where a game is solved, and says how often each choice wins. */

import { get } from "./api.js";
import { el, fill } from "./dom.js";
import { language, say, t } from "./words.js";

/** @typedef {import("./table.js").TablePage} TablePage */
/** @typedef {import("../../../../../web/src/messages").BoxView} BoxView */
/** @typedef {import("../../../../../web/src/messages").Chance} Chance */

const BEST = 5; // choices that are told of a moment that is over
const EQUAL = 0.00002; // what two choices may differ by and still be as good
const percents = new Intl.NumberFormat(language, {
  style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1,
});

/** Whether the Oracle knows a box, set up like this. @param {BoxView} box @param {number} players @param {any} options */
function knows({ solved }, players, options) {
  return solved != null && players === solved.players
    && Object.entries(solved.options).every(([name, value]) => options[name] === value);
}

/**
 * The levels that can sit at a table; of rules that are no longer in force the Oracle knows nothing.
 * @param {BoxView} box @param {number} players @param {any} options @param {number} [rules]
 */
export const levelsAt = (box, players, options, rules = box.rules) =>
  [...box.levels, ...(rules === box.rules && knows(box, players, options) ? ["oracle"] : [])];

export class Oracle {
  /** Whether chances are shown: nobody is told who has not asked. */
  on = false;
  /** What was chosen from at the moment of a finished game that is looked at. */
  element = el("section.chances", { hidden: true, "aria-live": "polite" });

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /** Whether it may be asked: it knows the game, and nobody else plays, or nobody any more. */
  get ready() {
    const { box, mine, replay, view } = this.page;
    const free = view.status === "playing" ? view.practice && mine.length > 0 : view.status === "over" && replay;
    return Boolean(free) && view.rules === box.rules && knows(box, view.players, view.options);
  }

  /** Show chances, or show them no more. */
  turn() {
    this.on = !this.on;
    this.page.show();
    if (this.page.replay) this.look(this.page.replay.move);
    /** @type {HTMLElement | null} */ (this.page.tools.querySelector(".tool-chances"))?.focus(); // it was made anew
  }

  /** @param {string} [asked] @returns {Promise<{ seat: number, choices: Chance[], made?: number | null }>} */
  ask(asked = "") {
    return get(`${this.page.path}/chances${asked}`).catch(() => ({ seat: -1, choices: [] }));
  }

  /** Write on the buttons of my choices how often each wins. @param {HTMLElement} list */
  async mark(list) {
    if (!this.on || !this.ready) return;
    const { choices } = await this.ask();
    for (const { action, share } of choices) {
      const button = list.querySelector(`[data-action="${action}"]`);
      button?.classList.toggle("best", choices[0].share - share < EQUAL);
      button?.append(el("span.chance", {}, percents.format(share)));
    }
  }

  /** Tell what was chosen from after some moves of a finished game. @param {number} move */
  async look(move) {
    const { element, page } = this;
    element.hidden = true;
    if (!this.on || !this.ready) return;
    const { seat, choices, made } = await this.ask(`?move=${move}`);
    if (!this.on || page.replay?.move !== move || !choices.length) return;
    const told = choices.filter(({ action }, number) => number < BEST || action === made);
    fill(element, el("h3", {}, t("chances.title", { name: page.name(seat) })),
      el("ul", {}, ...told.map((choice) => line(choice, choice.action === made))));
    element.hidden = false;
  }
}

/** @param {Chance} choice @param {boolean} made */
const line = ({ name, share }, made) => el(`li${made ? ".made" : ""}`, {}, el("b.chance", {}, percents.format(share)),
  el("span", {}, say(name), made && el("small", {}, ` · ${t("chances.made")}`)));
