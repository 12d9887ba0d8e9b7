/** The “teach me” switch: before each of my choices, what is possible and which rule makes it so. */

import { get, getOnce } from "./api.js";
import { el, fill } from "./dom.js";
import { firstSentence, paragraph } from "./prose.js";
import { language, rulebook, say, t } from "./words.js";

/** @typedef {import("./table.js").TablePage} TablePage */
/** @typedef {import("./words.js").Rule} Rule */
/** @typedef {import("../../../../../web/src/messages").Lesson} Lesson */
/** @typedef {import("../../../../../web/src/messages").Choice} Choice */
/** @typedef {import("../../../../../web/src/messages").Phrase} Phrase */

const SWITCH = "dracotheque.teach";
const MET = "dracotheque.rules"; // rules that a lesson has told at length on this device
const KNOWN = "dracotheque.known"; // games that were played to their end on this device
/** @type {Lesson} */
const NOTHING = { barred: [], promising: [], places: [] };

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

/** What the guide of a game says, by key. @param {string} game @returns {Promise<Record<string, string>>} */
export const guideWords = (game) => getOnce(`/page/guides/${game}.${language}.json`).catch(() => ({}));

export class Teacher {
  /** The question whose lesson is told at length: it stays so until another is asked. */
  atLength = "";
  /** The question that the server was asked about last. */
  asked = "";

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.first = !recall(KNOWN).has(page.box.name);
    this.facts = Promise.resolve(NOTHING);
  }

  /** Whether lessons are given: as was said last on this device, else in the first game of a box. */
  get on() {
    const said = localStorage.getItem(SWITCH);
    return said ? said === "yes" : this.first;
  }

  /** Turn lessons on or off. */
  turn() {
    localStorage.setItem(SWITCH, this.on ? "no" : "yes");
    this.page.show();
    /** @type {HTMLElement | null} */ (this.page.tools.querySelector(".tool-teach"))?.focus(); // it was made anew
  }

  /** Note that a game of mine has come to its end: the next one needs no lessons unless they are wished for. */
  finish() {
    if (this.page.mine.length) remember(KNOWN, this.page.box.name);
  }

  /** What the server says about my choices now; asked once a question. @returns {Promise<Lesson>} */
  ask() {
    const { page, moment } = this;
    if (this.asked !== moment) this.facts = get(`${page.path}/lesson?seat=${page.look}`).catch(() => this.unasked());
    this.asked = moment;
    return this.facts;
  }

  /** Nothing was said: the same question may be asked again, when the line is back. */
  unasked() {
    this.asked = "";
    return NOTHING;
  }

  /** What a question is known by. */
  get moment() {
    const { view, look } = this.page;
    return `${view.moves ?? 0}/${view.question?.at ?? 0}/${look}`;
  }

  /** The lesson that stands under my question, if lessons are given. @returns {HTMLElement | null} */
  lesson() {
    const question = this.page.view.question;
    if (!this.on || !question?.choices?.length) return null;
    const sheet = el("section.lesson", { "aria-label": t("teach.title") });
    this.write(sheet, question.rule, question.choices);
    return sheet;
  }

  /** @param {HTMLElement} sheet @param {string} id @param {Choice[]} choices */
  async write(sheet, id, choices) {
    const { box, drawer, guide, view } = this.page;
    const long = !guide && this.isNew(`${view.game}:${id}`);
    // Without a rulebook the choices are still counted; when the line is back, the desk is laid out anew.
    const read = rulebook(view.game).catch(() => /** @type {Map<string, Rule>} */ (new Map()));
    const [book, { barred }, words] = await Promise.all([read, this.ask(), guideWords(box.name)]);
    const show = (/** @type {string} */ rule) => drawer.showRule(rule);
    // Where a guide explains the game in its own words, the rule's would be too much.
    fill(sheet, !guide && told(book.get(id), long, show), kinds(choices, words),
      ...barred.map((each) => notNow(each, book.get(each.rule), long, show)));
  }

  /** Whether a rule is told for the first time on this device, or is still being told. @param {string} rule */
  isNew(rule) {
    if (!recall(MET).has(rule)) this.atLength = this.moment;
    remember(MET, rule);
    return this.atLength === this.moment;
  }
}

/**
 * A rule: the first time its whole paragraph, later its first sentence.
 * @param {Rule | undefined} rule @param {boolean} long @param {(rule: string) => void} show
 */
function told(rule, long, show) {
  if (!rule) return null;
  const text = long ? rule.text.split("\n\n")[0] : firstSentence(rule.text);
  return el("div.told", {}, title(rule, show), " ", ...paragraph(text));
}

/** The title of a rule, which opens it. @param {Rule} rule @param {(rule: string) => void} show */
const title = (rule, show) =>
  el("button.lesson-rule", { onclick: () => show(rule.id), title: t("rule.show") }, rule.title);

/** How many choices of each kind there are. @param {Choice[]} choices @param {Record<string, string>} words */
function kinds(choices, words) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const choice of choices) {
    const name = words[`kind:${keyOf(choice.preview)}`];
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const all = el("li.all", {}, t("teach.choices", { count: choices.length }));
  return el("ul.kinds", {}, all, ...[...counts].map(([name, count]) => el("li", {}, el("b", {}, count), ` ${name}`)));
}

/** What a preview says first. @param {Phrase | null | undefined} preview @returns {string} */
function keyOf(preview) {
  const part = /** @type {any} */ (preview?.gaps)?.part;
  return part ? keyOf(part) : preview?.key ?? "";
}

/**
 * What a rule keeps me from choosing.
 * @param {{ choices: Phrase[], more?: number }} barred @param {Rule | undefined} rule @param {boolean} long
 * @param {(rule: string) => void} show
 */
function notNow({ choices, more = 0 }, rule, long, show) {
  if (!rule) return null;
  const names = [...choices.map(say), ...(more ? [t("teach.more", { count: more })] : [])].join(" · ");
  return el("p.not-now", {}, el("span", {}, t("teach.not", { names })), " ", title(rule, show),
    long && el("span", {}, " ", firstSentence(rule.text)));
}
