/** The Oracle: the level that plays perfectly where a game is solved, and says how often each choice wins. */

import { get } from "./api.js";
import { el, fill } from "./dom.js";
import { language, say, t } from "./words.js";

/** @typedef {import("./table.js").TablePage} TablePage */
/** @typedef {import("../../../../../web/src/messages").BoxView} BoxView */
/** @typedef {import("../../../../../web/src/messages").Chance} Chance */

const BEST = 5; // choices that are told of a moment that is over
const KEPT = "dracotheque.chances"; // and a table: whether chances are shown there, as long as this tab is open
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
 * @param {BoxView} box @param {number} players @param {any} options @param {number} rules
 */
export const levelsAt = (box, players, options, rules) =>
  [...box.levels, ...(rules === box.rules && knows(box, players, options) ? ["oracle"] : [])];

/**
 * Every level that a box has, and why one cannot sit down at a table that is set up like this.
 * @param {BoxView} box @param {number} players @param {any} options @returns {{ level: string, why: string }[]}
 */
export function levelsOf(box, players, options) {
  const all = box.levels.map((level) => ({ level, why: "" }));
  if (!box.solved) return all;
  const why = players === box.solved.players ? t("level.not-so") : t(`level.for.${box.solved.players}`);
  return [...all, { level: "oracle", why: knows(box, players, options) ? "" : why }];
}

export class Oracle {
  /** The switch of a replay; that of a game stands among the tools. @type {HTMLElement | null} */
  switch = null;
  /** What was chosen from at the moment of a finished game that is looked at. */
  element = el("section.chances", { hidden: true, "aria-live": "polite" });

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /** Whether chances are shown: nobody is told who has not asked. */
  get on() {
    return sessionStorage.getItem(`${KEPT}.${this.page.id}`) === "on";
  }

  /** Whether it may be asked: it knows the game, and nobody else plays, or nobody any more. */
  get ready() {
    const { box, mine, view } = this.page;
    const free = view.status === "playing" ? view.practice && mine.length > 0 : view.status === "over";
    return Boolean(free) && view.rules === box.rules && knows(box, view.players, view.options);
  }

  /** Show chances, or show them no more. */
  turn() {
    const { page } = this;
    sessionStorage.setItem(`${KEPT}.${page.id}`, this.on ? "off" : "on");
    page.show();
    if (page.replay) return this.look(page.replay.move);
    /** @type {HTMLElement | null} */ (page.tools.querySelector(".tool-chances"))?.focus(); // it was made anew
  }

  /**
   * What it says, or nothing where it does not answer.
   * @param {string} [asked] @returns {Promise<import("../../../../../web/src/messages").Chances | null>}
   */
  ask(asked = "") {
    return get(`${this.page.path}/chances${asked}`).catch(() => null);
  }

  /** Write on the buttons of my choices how often each wins; gives what stands above them. @param {HTMLElement} list */
  mark(list) {
    if (!this.on || !this.ready) return null;
    const about = el("p.chances-about", { "aria-live": "polite" }, t("chances.about"));
    this.ask().then((said) => (said ? this.#write(list, about, said.choices) : fill(about, t("chances.failed"))));
    return about;
  }

  /** @param {HTMLElement} list @param {HTMLElement} about @param {Chance[]} choices best first */
  #write(list, about, choices) {
    const best = choices.filter(({ share }) => choices[0].share - share < EQUAL);
    for (const choice of choices) {
      const button = list.querySelector(`[data-action="${choice.action}"]`);
      button?.classList.toggle("best", best.includes(choice));
      button?.append(el("span.chance", {}, percents.format(choice.share)));
    }
    const gaps = { choice: best[0]?.name, count: best.length, share: percents.format(best[0]?.share) };
    if (choices.length > 1) about.append(" ", el("b", {}, t(best.length > 1 ? "chances.equal" : "chances.best", gaps)));
  }

  /** The switch for a replay, and below it what was chosen from. */
  inReplay() {
    if (!this.ready) return [];
    this.switch = el("button.tool-chances", {
      onclick: () => this.turn(), "aria-pressed": String(this.on),
    }, t("tool.chances"));
    return [this.switch, this.element];
  }

  /** Tell what was chosen from after some moves of a finished game. @param {number} move */
  async look(move) {
    const { element, page } = this;
    element.hidden = true;
    if (this.switch) this.switch.ariaPressed = String(this.on);
    if (!this.on || !this.ready) return;
    const said = await this.ask(`?move=${move}`);
    if (!this.on || page.replay?.move !== move) return;
    fill(element, ...(said ? this.#told(said) : [el("p", {}, t("chances.failed"))]));
    element.hidden = !element.firstChild;
  }

  /** @param {import("../../../../../web/src/messages").Chances} said */
  #told({ seat, choices, made }) {
    if (!choices.length) return [];
    const told = choices.filter(({ action }, number) => number < BEST || action === made);
    return [el("h3", {}, t("chances.title", { name: this.page.name(seat) })),
      el("ul", {}, ...told.map((choice) => line(choice, choice.action === made)))];
  }
}

/** @param {Chance} choice @param {boolean} made */
const line = ({ name, share }, made) => el(`li${made ? ".made" : ""}`, {}, el("b.chance", {}, percents.format(share)),
  el("span", {}, say(name), made && el("small", {}, ` · ${t("chances.made")}`)));
