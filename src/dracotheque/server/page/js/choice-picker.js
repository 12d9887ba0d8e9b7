/** ChoicePicker: which pieces can be touched, where the one that was touched may go, and which choice that is. */

import { confirmation, showSelected } from "./selected-choice.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").Phrase} Phrase */
/** @typedef {import("../protocol").Choice} Choice */
/**
 * A choice as it is picked; one that goes on at once has the place that the next choice is to lead to.
 * @typedef {Choice & { then?: string }} Option
 */

export class ChoicePicker {
  /** The prompt whose choices are offered on the board, or nothing. */
  offered = "";
  /** The place whose piece was touched. */
  held = "";
  /** What was chosen and waits for a second touch, or for Go. @type {Option | null} */
  selected = null;
  /** Where the choice that was made is to go on to in the prompt after its own. */
  planned = { place: "", after: 0 };
  /** Closes the bubble that asks which of several choices is meant. */
  closeBubble = () => {};
  /** What the offered choices come to, made once. @type {{ of: Choice[], options: Option[] }} */
  found = { of: [], options: [] };

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /** The choices that may be made now: none while moves are being shown. @returns {Choice[]} */
  get choices() {
    return this.page.offered ? this.page.shown.prompt?.choices ?? NOTHING : NOTHING;
  }

  /** The places of a choice, from where to where. @param {Choice} choice */
  way(choice) {
    return choice.places ?? [];
  }

  /** Where a choice leads. @param {Choice} choice */
  handle(choice) {
    return this.way(choice).at(-1) ?? "";
  }

  /** Where the piece stands that a choice moves; empty where it only names a place. @param {Choice} choice */
  source(choice) {
    const way = this.way(choice);
    return way.length > 1 ? way[0] : "";
  }

  /** Everything that can be picked: the choices, and those that go on at once. @returns {Option[]} */
  get options() {
    const { choices } = this;
    if (this.found.of === choices) return this.found.options;
    this.found = { of: choices, options: choices.flatMap((choice) => this.extended(choice)) };
    return this.found.options;
  }

  /** A choice, and where it may go on to. @param {Choice} choice @returns {Option[]} */
  extended(choice) {
    const end = this.handle(choice);
    const { [end]: stays, ...farther } = choice.onward ?? {};
    const near = { ...choice, ...(stays === undefined ? {} : { then: end }) };
    return [near, ...Object.entries(farther).map(([then, preview]) => this.goingOn(choice, then, preview))];
  }

  /**
   * A choice that goes on to another place, under the name of that place.
   * @param {Choice} choice @param {string} then @param {Phrase | null} preview @returns {Option}
   */
  goingOn(choice, then, preview) {
    const name = /** @type {any} */ (this.nameOf(then) || choice.name); // a name is said as it is
    return { ...choice, name, preview, then, places: [...this.way(choice), then] };
  }

  /** The name of a place. @param {string} key @returns {string} */
  nameOf(key) {
    return key && "";
  }

  // --- What can be touched ------------------------------------------------------------------------------------------
  /** The places whose piece can be touched. @returns {Set<string>} */
  get sources() {
    return new Set(this.choices.map((choice) => this.source(choice)).filter(Boolean));
  }

  /** Where the piece stands that is picked up: the touched one, or the only one. */
  get lifted() {
    const { sources } = this;
    if (sources.has(this.held)) return this.held;
    return sources.size === 1 ? [...sources][0] : "";
  }

  /** What is marked: pieces to touch, or where the picked-up piece may go. @returns {"piece" | "target"} */
  get marks() {
    return this.sources.size && !this.lifted ? "piece" : "target";
  }

  /** Where the picked-up piece may go, and what else has a place: none before a piece is picked up. */
  get targets() {
    /** @type {Map<string, Option[]>} */
    const found = new Map();
    if (this.marks === "piece") return found;
    const { lifted, sources } = this;
    for (const option of this.options) {
      const from = this.source(option);
      if (from ? from !== lifted : sources.size > 1) continue;
      const key = this.handle(option);
      if (key) found.set(key, [...(found.get(key) ?? []), option]);
    }
    return found;
  }

  /** The marked places: all of one kind. @returns {Set<string>} */
  get handles() {
    if (this.marks === "target") return new Set(this.targets.keys());
    // Where several pieces can be touched, what only names a place is touched as they are.
    return new Set([...this.sources, ...this.choices.filter((choice) => !this.source(choice)).map((choice) =>
      this.handle(choice))].filter(Boolean));
  }

  /** What is meant at a place: the choices that lead there, or else those of its piece. @param {string} key */
  at(key) {
    const leading = this.targets.get(key);
    return leading ?? this.options.filter((option) => this.way(option)[0] === key && !option.then);
  }

  // --- Touching -----------------------------------------------------------------------------------------------------
  /**
   * Touch a place: pick up its piece, go there with the one that is picked up, or let go.
   * @param {string} key @param {{ touch?: boolean }} [how] touch: by a finger, which covers what it touches
   */
  point(key, { touch = false } = {}) {
    if (this.page.isResting) return;
    const { lifted, targets } = this;
    const only = !this.held && key && key === lifted && targets.size === 1 ? [...targets.values()][0] : undefined;
    const there = targets.get(key) ?? this.alone(key) ?? only;
    if (there) this.go(there, key, touch);
    else if (this.sources.has(key) && key !== lifted) this.pickUp(key);
    else this.touchElsewhere(key);
  }

  /** The choices that only name a place, where several pieces can be touched. @param {string} key */
  alone(key) {
    if (this.marks !== "piece") return undefined;
    const found = this.choices.filter((choice) => !this.source(choice) && this.handle(choice) === key);
    return found.length ? found : undefined;
  }

  /**
   * Go to a place, or ask for what else is needed to know that it is meant.
   * @param {Option[]} options @param {string} key @param {boolean} touch
   */
  go(options, key, touch) {
    const { selected } = this;
    if (selected && options.some((option) => isSame(option, selected))) this.commit(selected);
    else if (options.length > 1) this.ask(options, key);
    else if (this.confirms(touch)) this.select(options[0]);
    else this.commit(options[0]);
  }

  /** Whether a touch on a target only selects it. @param {boolean} touch */
  confirms(touch) {
    const wanted = confirmation();
    if (wanted !== "final") return wanted === "always";
    // What was picked up by hand has shown its ghosts: where everything can be taken back, the next touch may go there.
    return touch && !(this.held && this.targets.size <= FEW && this.page.shown.table.practice);
  }

  /** Let go, and say by which rule nothing can be chosen at a place. @param {string} key */
  touchElsewhere(key) {
    const own = key === this.held;
    this.letGo();
    if (key && !own && this.choices.length) this.page.whyNot(key);
  }

  /** Pick up the piece at a place. @param {string} key */
  pickUp(key) {
    this.closeBubble();
    this.held = key;
    this.mark(null);
    this.light();
  }

  /** Put down what is picked up, and select nothing; gives whether there was anything. */
  letGo() {
    const had = Boolean(this.held || this.selected);
    this.closeBubble();
    this.held = "";
    this.mark(null);
    if (had) this.light();
    return had;
  }

  /** Select a choice, to be made by a second touch or by Go. @param {Option} option */
  select(option) {
    this.closeBubble();
    this.mark(option);
    this.showAim();
  }

  /** Say what is selected. @param {Option | null} option */
  mark(option) {
    if (this.selected === option) return;
    this.selected = option;
    showSelected(this.page, option);
  }

  /** Make a choice. @param {Option} option */
  commit(option) {
    this.closeBubble();
    this.page.choose(option);
  }

  // --- Another prompt -----------------------------------------------------------------------------------------------
  /** Forget what was picked up and selected: other choices are offered than before. */
  renew() {
    this.closeBubble();
    this.held = "";
    this.mark(null);
  }

  /** Remember where a choice that is made now is to go on to. @param {Option} option */
  plan({ then = "" }) {
    this.planned = { place: then, after: this.page.shown.prompt?.prompt_id ?? 0 };
  }

  /** The choice that was promised with the one before, if the next prompt offers it; asked once. */
  promised() {
    const { place, after } = this.planned;
    if (!place || after === (this.page.shown.prompt?.prompt_id ?? 0)) return undefined;
    this.planned = { place: "", after: 0 };
    const there = this.choices.filter((choice) => this.handle(choice) === place);
    return there.length === 1 ? there[0] : undefined;
  }

  // --- What a board does with it ------------------------------------------------------------------------------------
  /** Mark what can be touched. */
  light() {}

  /** Show where that leads which is pointed at. */
  showAim() {}

  /** Ask which of several choices at one place is meant. @param {Option[]} options @param {string} key */
  ask(options, key) {
    if (key) this.select(options[0]);
  }
}

/** So many targets show their ghosts at once. */
export const FEW = 3;
/** @type {Choice[]} */
const NOTHING = [];

/** Whether two are the same choice that goes on to the same place. @param {Option} one @param {Option | null} other */
export const isSame = (one, other) => one.action === other?.action && (one.then ?? "") === (other?.then ?? "");
