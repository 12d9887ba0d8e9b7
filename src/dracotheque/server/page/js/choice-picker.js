/** ChoicePicker on a board: which choices are meant at a place, which of several, and by which rule none. */

import { el } from "./dom.js";
import { say, t } from "./i18n.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").Choice} Choice */

export class ChoicePicker {
  /** The prompt whose choices are offered on the board, or nothing. */
  offered = "";
  /** Closes the sheet that asks which of several choices is meant. */
  closeSheet = () => {};

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /** The choices that may be made now: none while moves are being shown. @returns {Choice[]} */
  get choices() {
    return this.page.offered ? this.page.shown.prompt?.choices ?? [] : [];
  }

  /** The places of a choice, from where to where. @param {Choice} choice */
  way(choice) {
    return choice.places ?? [];
  }

  /**
   * Where a choice is picked up: where it begins if that distinguishes it, else where it leads.
   * @param {Choice} choice
   */
  handle(choice) {
    const [first, ...rest] = this.way(choice);
    return rest.length && this.sharing(rest[rest.length - 1]) > 1 ? first : rest[rest.length - 1] ?? first;
  }

  /** From how many places choices lead to one. @param {string} key */
  sharing(key) {
    const paths = this.choices.map((choice) => this.way(choice)).filter((path) => path.at(-1) === key);
    return new Set(paths.map((path) => path[0])).size;
  }

  /** The places where something can be taken hold of. @returns {Set<string>} */
  get handles() {
    return new Set(this.choices.map((choice) => this.handle(choice)).filter(Boolean));
  }

  /** The choices that are taken hold of at a place. @param {string} key */
  at(key) {
    return this.choices.filter((choice) => this.handle(choice) === key);
  }

  /** Choose at a place, ask which where several are meant, or say why nothing is. @param {string} key */
  point(key) {
    const meant = this.at(key).length ? this.at(key) : this.choices.filter((choice) => this.way(choice).includes(key));
    if (meant.length === 1) this.page.choose(meant[0]);
    else if (meant.length) this.ask(meant);
    else if (this.choices.length) this.page.whyNot(key);
  }

  /** Ask which of several choices at one place is meant. @param {Choice[]} meant */
  ask(meant) {
    const buttons = meant.map((choice) => el("button", {
      onclick: () => (this.closeSheet(), this.page.choose(choice)),
    }, say(choice.name), choice.preview && el("small", {}, say(choice.preview))));
    this.closeSheet = this.page.sheet(t("which"), el("div.column", {}, ...buttons));
  }
}
