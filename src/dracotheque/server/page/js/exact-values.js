/** Exact values: how often each choice wins, at set-ups that are solved. */

import { get } from "./api.js";
import { el, fill } from "./dom.js";
import { language, say, t } from "./i18n.js";
import { isSolved } from "./levels.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").ActionValue} ActionValue */

const BEST = 5; // choices that are listed for a moment that is over
const STORAGE_KEY = "dracotheque.chances"; // and a table: whether chances are shown there, as long as this tab is open
const EQUAL = 0.00002; // what two choices may differ by and still be as good
const percents = new Intl.NumberFormat(language, {
  style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1,
});

export class ExactValues {
  /** The switch of a replay; that of a game stands among the tools. @type {HTMLElement | null} */
  switch = null;
  /** What was chosen from at the moment of a finished game that is looked at. */
  element = el("section.exact-values", { hidden: true, "aria-live": "polite" });

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /** Whether chances are shown: only if asked for. */
  get on() {
    return sessionStorage.getItem(`${STORAGE_KEY}.${this.page.id}`) === "on";
  }

  /** Whether exact values may be shown: the game has them, and no other person plays, or the game is over. */
  get ready() {
    const { game, mine, shown: { table } } = this.page;
    const free = table.status === "playing" ? table.practice && mine.length > 0 : table.status === "over";
    return Boolean(free) && table.rules === game.rules && isSolved(game, table.players, table.options);
  }

  /** Show chances, or show them no more. */
  turn() {
    const { page } = this;
    sessionStorage.setItem(`${STORAGE_KEY}.${page.id}`, this.on ? "off" : "on");
    page.show();
    if (page.replay) return this.look(page.replay.move);
    /** @type {HTMLElement | null} */ (page.menu.querySelector(".tool-exact-values"))?.focus(); // it was made again
  }

  /**
   * What it says, or nothing where it does not answer.
   * @param {string} [asked] @returns {Promise<import("../protocol").ActionValues | null>}
   */
  ask(asked = "") {
    return get(`${this.page.path}/action-values${asked}`).catch(() => null);
  }

  /** Write on the buttons how often each choice wins; returns what stands above them. @param {HTMLElement} list */
  mark(list) {
    if (!this.on || !this.ready) return null;
    const about = el("p.exact-values-about", { "aria-live": "polite" }, t("exact-values.about"));
    this.ask().then((said) => (said ? this.#write(list, about, said.choices) : fill(about, t("exact-values.failed"))));
    return about;
  }

  /** @param {HTMLElement} list @param {HTMLElement} about @param {ActionValue[]} choices best first */
  #write(list, about, choices) {
    const best = choices.filter(({ share }) => choices[0].share - share < EQUAL);
    for (const choice of choices) {
      const button = list.querySelector(`[data-action="${choice.action}"]`);
      button?.classList.toggle("best", best.includes(choice));
      button?.append(el("span.win-share", {}, percents.format(choice.share)));
    }
    const gaps = { choice: best[0]?.name, count: best.length, share: percents.format(best[0]?.share) };
    if (choices.length > 1) about.append(" ", el("b", {}, t(best.length > 1 ? "exact-values.equal" : "exact-values.best", gaps)));
  }

  /** The switch for a replay, and below it what was chosen from. */
  inReplay() {
    if (!this.ready) return [];
    this.switch = el("button.tool-exact-values", {
      onclick: () => this.turn(), "aria-pressed": String(this.on),
    }, t("tool.exact-values"));
    return [this.switch, this.element];
  }

  /** List what was chosen from after some moves of a finished game. @param {number} move */
  async look(move) {
    const { element, page } = this;
    element.hidden = true;
    if (this.switch) this.switch.ariaPressed = String(this.on);
    if (!this.on || !this.ready) return;
    const said = await this.ask(`?move=${move}`);
    if (!this.on || page.replay?.move !== move) return;
    fill(element, ...(said ? this.#list(said) : [el("p", {}, t("exact-values.failed"))]));
    element.hidden = !element.firstChild;
  }

  /** @param {import("../protocol").ActionValues} said */
  #list({ seat, choices, made }) {
    if (!choices.length) return [];
    const listed = choices.filter(({ action }, number) => number < BEST || action === made);
    return [el("h3", {}, t("exact-values.title", { name: this.page.name(seat) })),
      el("ul", {}, ...listed.map((choice) => line(choice, choice.action === made)))];
  }
}

/** @param {ActionValue} choice @param {boolean} made */
const line = ({ name, share }, made) => el(`li${made ? ".made" : ""}`, {}, el("b.win-share", {}, percents.format(share)),
  el("span", {}, say(name), made && el("small", {}, ` · ${t("exact-values.made")}`)));
