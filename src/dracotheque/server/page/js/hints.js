/** Hints below a prompt: which choices there are, and which rules forbid others. A switch turns them on. */

import { get, getOnce } from "./api.js";
import { el, fill } from "./dom.js";
import { gameFile } from "./game-files.js";
import { firstSentence, paragraph } from "./markdown.js";
import { language, rulebook, say, t } from "./i18n.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("./i18n.js").Rule} Rule */
/** @typedef {import("../protocol").Hints} Answer */
/** @typedef {import("../protocol").Choice} Choice */
/** @typedef {import("../protocol").Phrase} Phrase */

const ENABLED_KEY = "dracotheque.teach";
const READ_RULES_KEY = "dracotheque.rules"; // rules that were shown in full on this device
const GOALS_KEY = "dracotheque.goals"; // games whose goal was read and followed by a choice on this device
const FINISHED_GAMES_KEY = "dracotheque.known"; // games that were played to their end on this device
/** @type {Answer} */
const NOTHING = { blocked: [], promising: [], places: [] };

/**
 * What this device has kept under a key, if it can be read.
 * @template T @param {string} key @param {T} otherwise @returns {T}
 */
export function kept(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} key @returns {Set<string>} */
const recall = (key) => new Set(kept(key, /** @type {string[]} */ ([])));

/** @param {string} key @param {string} value */
const remember = (key, value) => localStorage.setItem(key, JSON.stringify([...recall(key).add(value)]));

/** The texts of a game’s tutorial, by key. @param {string} game @returns {Promise<Record<string, string>>} */
export const tutorialTexts = (game) => getOnce(gameFile(game, `tutorial/${language}.json`)).catch(() => ({}));

export class Hints {
  /** The prompt whose rule is shown in full, until there is another. */
  atLength = "";
  /** The choices that the server was asked about last. @type {Choice[] | null} */
  asked = null;

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.first = !recall(FINISHED_GAMES_KEY).has(page.game.name);
    this.facts = Promise.resolve(NOTHING);
  }

  /** Whether hints are unfolded, as chosen last on this device. */
  get on() {
    return localStorage.getItem(ENABLED_KEY) === "yes";
  }

  /** Unfold or fold hints. */
  turn() {
    localStorage.setItem(ENABLED_KEY, this.on ? "no" : "yes");
    this.page.show();
    /** @type {HTMLElement | null} */ (this.page.promptPanel.querySelector(".tool.help"))?.focus(); // it was made again
  }

  /** Whether to say what one plays for: until the first own choice in a game of this kind. */
  get needsGoal() {
    return this.first && this.page.mine.length > 0 && !this.page.tutorial && !recall(GOALS_KEY).has(this.page.game.name);
  }

  /** Note that something was chosen: what one plays for is known now. */
  chosen() {
    if (this.needsGoal) remember(GOALS_KEY, this.page.game.name);
  }

  /** Note that a game of mine has come to its end: the next one has no hints unless they are turned on. */
  finish() {
    if (this.page.mine.length) remember(FINISHED_GAMES_KEY, this.page.game.name);
  }

  /** What the server says about the choices now; asked once for the same choices. @returns {Promise<Answer>} */
  ask() {
    const { page } = this;
    const choices = page.shown.prompt?.choices ?? null;
    if (this.asked !== choices) this.facts = get(`${page.path}/hints?seat=${page.viewpoint}`).catch(() => this.unasked());
    this.asked = choices;
    return this.facts;
  }

  /** Nothing was said: the same question may be asked again, when the line is back. */
  unasked() {
    this.asked = null;
    return NOTHING;
  }

  /** A key that identifies a prompt. */
  get moment() {
    const { move_number: moves, prompt, viewpoint } = this.page.shown;
    return `${moves}/${prompt?.prompt_id ?? 0}/${viewpoint}`;
  }

  /** The hints for the prompt, if they are on. @returns {HTMLElement | null} */
  panel() {
    const { prompt } = this.page.shown;
    if (!this.on || !prompt?.choices?.length) return null;
    const sheet = el("section.choice-hints", { "aria-label": t("hints.title") });
    this.write(sheet, prompt.rule, prompt.choices);
    return sheet;
  }

  /** @param {HTMLElement} sheet @param {string} id @param {Choice[]} choices */
  async write(sheet, id, choices) {
    const { game, tutorial, shown, sidePanel } = this.page;
    const long = !tutorial && this.isNew(`${shown.table.game}:${id}`);
    // Without a rulebook the choices are still counted; when the line is back, the panel is made again.
    const read = rulebook(shown.table.game).catch(() => /** @type {Map<string, Rule>} */ (new Map()));
    const named = game.web.includes("tutorial") ? tutorialTexts(game.name) : {};
    const [book, { blocked }, words] = await Promise.all([read, this.ask(), named]);
    const show = (/** @type {string} */ rule) => sidePanel.showRule(rule);
    // Where a tutorial explains the game in its own words, the rule's would be too much.
    fill(sheet, !tutorial && ruleText(book.get(id), long, show), kinds(choices, words),
      ...blocked.map((each) => notNow(each, book.get(each.rule), long, show)));
  }

  /** Whether a rule is shown for the first time on this device, or still in full. @param {string} rule */
  isNew(rule) {
    if (!recall(READ_RULES_KEY).has(rule)) this.atLength = this.moment;
    remember(READ_RULES_KEY, rule);
    return this.atLength === this.moment;
  }
}

/**
 * A rule: the first time its whole paragraph, later its first sentence.
 * @param {Rule | undefined} rule @param {boolean} long @param {(rule: string) => void} show
 */
function ruleText(rule, long, show) {
  if (!rule) return null;
  const text = long ? rule.text.split("\n\n")[0] : firstSentence(rule.text);
  return el("div.rule-text", {}, title(rule, show), " ", ...paragraph(text));
}

/** The title of a rule, which opens it. @param {Rule} rule @param {(rule: string) => void} show */
const title = (rule, show) =>
  el("button.hint-rule", { onclick: () => show(rule.id), title: t("rule.show") }, rule.title);

/** How many choices of each kind there are. @param {Choice[]} choices @param {Record<string, string>} words */
function kinds(choices, words) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const choice of choices) {
    const name = words[`kind:${keyOf(choice.preview)}`];
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const all = el("li.all", {}, t("hints.choices", { count: choices.length }));
  return el("ul.kinds", {}, all, ...[...counts].map(([name, count]) => el("li", {}, el("b", {}, count), ` ${name}`)));
}

/** What a preview says first. @param {Phrase | null | undefined} preview @returns {string} */
function keyOf(preview) {
  if (!preview) return "";
  const [key, { part } = {}] = preview;
  return Array.isArray(part) ? keyOf(part) : key;
}

/**
 * What a rule forbids to choose.
 * @param {{ choices: Phrase[], more?: number }} blocked @param {Rule | undefined} rule @param {boolean} long
 * @param {(rule: string) => void} show
 */
function notNow({ choices, more = 0 }, rule, long, show) {
  if (!rule) return null;
  const names = [...choices.map(say), ...(more ? [t("hints.more", { count: more })] : [])].join(" · ");
  return el("p.blocked", {}, el("span", {}, t("hints.not", { names })), " ", title(rule, show),
    long && el("span", {}, " ", firstSentence(rule.text)));
}
