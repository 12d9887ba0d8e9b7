/** The page's modules without a browser: a language, and what the server would answer. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { vi } from "vitest";

export const PAGE = new URL("../../src/dracotheque/server/page/", import.meta.url);
export const GAMES = new URL("../../src/dracotheque/games/", import.meta.url);
export const LANGUAGES = ["en", "fr", "it", "de"];

/** The page's own sentences in a language. @param {string} language @returns {Record<string, string>} */
export const sentences = (language) => JSON.parse(readFileSync(new URL(`locale/${language}.json`, PAGE), "utf8"));

/** The sentences of the page and of all tutorials in a language, with their keys. @param {string} language */
export function allSentences(language) {
  const tutorials = games().flatMap((game) => {
    const path = new URL(`${game}/tutorial/${language}.json`, GAMES);
    return Object.entries(JSON.parse(readFileSync(path, "utf8")));
  });
  return /** @type {[string, string][]} */ ([...Object.entries(sentences(language)), ...tutorials]);
}

/** The keys of a game's catalogue in English. @param {string} game @returns {string[]} */
export function catalogueKeys(game) {
  let table = "";
  return readFileSync(new URL(`${game}/locale/en.toml`, GAMES), "utf8").split("\n").flatMap((line) => {
    const [, header, key] = line.match(/^(?:\[([\w.-]+)\]|([\w.-]+) = )/) ?? [];
    if (header) table = `${header}.`;
    return key ? [table + key] : [];
  });
}

/** The folders of games that have something for the page. */
export const games = () => readdirSync(GAMES).filter((name) => existsSync(new URL(`${name}/web/`, GAMES)));

/** Every script of the page and of games, as text. */
export function scripts() {
  return [new URL("js/", PAGE), ...games().map((game) => new URL(`${game}/web/`, GAMES))].flatMap(scriptsIn);
}

/** The scripts of a game, as text. @param {string} game */
export const scriptsOf = (game) => scriptsIn(new URL(`${game}/web/`, GAMES));

/** @param {URL} folder */
function scriptsIn(folder) {
  const names = /** @type {string[]} */ (readdirSync(folder, { recursive: true }));
  return names.filter((name) => name.endsWith(".js")).map((name) => readFileSync(new URL(name, folder), "utf8"));
}

/**
 * Load i18n.js as a reader's browser would.
 * @param {{ chosen?: string, spoken?: string[] }} reader the language chosen on the page, those of the browser
 * @param {Record<string, any>} [answers] what the server answers, by path
 */
export async function words(reader, answers = {}) {
  vi.resetModules();
  vi.stubGlobal("localStorage", { getItem: () => reader.chosen ?? null });
  vi.stubGlobal("navigator", { languages: reader.spoken ?? ["en"] });
  vi.stubGlobal("fetch", async (/** @type {string} */ path) => ({ ok: true, json: async () => answers[path] }));
  return import("../../src/dracotheque/server/page/js/i18n.js");
}
