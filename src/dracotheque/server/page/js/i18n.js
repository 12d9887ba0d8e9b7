/** Texts in the reader's language: the page's own, and the phrases that the server sends. */

import { get, getOnce } from "./api.js";

/** @typedef {import("../protocol").Phrase} Phrase */

/** @type {Record<string, string>} */
export const LANGUAGES = { en: "English", fr: "Français", it: "Italiano", de: "Deutsch" };

/** The language chosen last, or else the first of the browser's that is spoken here. */
export const language = [localStorage.getItem("dracotheque.language"), ...navigator.languages]
  .map((each) => (each || "").slice(0, 2)).find((each) => each in LANGUAGES) || "en";

/** @type {Record<string, string>} */
let own = {};
/** @type {Record<string, string>[]} */
let catalogues = [];
/** @type {Record<string, string>} */
let names = {};

/** Learn the page's own sentences, those of all tables, and those of a game. @param {string} [game] */
export async function learn(game) {
  const page = get(`/page/locale/${language}.json`);
  [own, ...catalogues] = await Promise.all([page, game ? wordsOf(game) : {}, wordsOf("tables")]);
}

/** The catalogue of a game. @param {string} game @returns {Promise<Record<string, string>>} */
export async function wordsOf(game) {
  return (await get(`/api/games/${game}/words/${language}`)).entries;
}

/**
 * Call persons by their own names wherever a phrase names a player.
 * @param {{ crest: string, name?: string, kind: string }[]} seats
 */
export function callByName(seats) {
  const named = seats.filter((seat) => seat.kind === "person" && seat.name);
  names = Object.fromEntries(named.map((seat) => [`seat.${seat.crest}`, seat.name || ""]));
}

/** A sentence of the page's own. @param {string} key @param {Record<string, any>} [gaps] @returns {string} */
export function t(key, gaps = {}) {
  return filled(found([own], key, gaps) ?? key, gaps);
}

/** Whether the page has a sentence of its own. @param {string} key */
export const has = (key) => key in own;

/** A phrase of the server's, a name or a number. @param {Phrase | string | number | any} said @returns {string} */
export function say(said) {
  if (!Array.isArray(said)) return String(said);
  const [key, gaps = {}] = said;
  return names[key] ?? filled(found(catalogues, key, gaps) ?? key, gaps);
}

/**
 * A sentence of the game at this table, where its catalogue has it.
 * @param {string} key @param {Record<string, any>} [gaps]
 */
export function gameText(key, gaps = {}) {
  const text = found(catalogues, key, gaps);
  return text === undefined ? undefined : filled(text, gaps);
}

/**
 * @param {Record<string, string>[]} entries
 * @param {string} key
 * @param {Record<string, any>} gaps
 * @returns {string | undefined}
 */
function found(entries, key, gaps) {
  const single = gaps.count === 1 || (language === "fr" && gaps.count === 0); // « 0 pièce » but “0 coins”
  for (const known of entries) {
    const text = known[key] ?? ("count" in gaps ? known[`${key}.${single ? "one" : "many"}`] : undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** @param {string} text @param {Record<string, any>} gaps */
const filled = (text, gaps) => text.replace(/\{(\w+)\}/g, (_, gap) => say(gaps[gap]));

/** @typedef {{ id: string, title: string, text: string }} Rule */

/** @param {string} game @returns {Promise<{ markdown: string, rules: Rule[] }>} */
const rulesOf = (game) => getOnce(`/api/games/${game}/rules/${language}`);

/** The rulebook of a game, every paragraph by its id. @param {string} game */
export async function rulebook(game) {
  const { rules } = await rulesOf(game);
  return new Map(rules.map((rule) => [rule.id, rule]));
}

/** The rulebook of a game as it is written, in Markdown. @param {string} game */
export const rulebookText = async (game) => (await rulesOf(game)).markdown;

/** When something was, as one says it: today the hour, else the day. @param {number} seconds since 1970 */
export function when(seconds) {
  const then = new Date(seconds * 1000);
  const today = then.toDateString() === new Date().toDateString();
  return then.toLocaleString(language, today ? { timeStyle: "short" } : { dateStyle: "medium" });
}
