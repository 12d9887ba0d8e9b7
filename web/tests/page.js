/** The page's modules without a browser: a language, and what the server would answer. */

import { readdirSync, readFileSync } from "node:fs";
import { vi } from "vitest";

export const PAGE = new URL("../../src/dracotheque/server/page/", import.meta.url);
export const LANGUAGES = ["en", "fr", "it", "de"];

/** The page's own sentences in a language. @param {string} language @returns {Record<string, string>} */
export const sentences = (language) => JSON.parse(readFileSync(new URL(`words/${language}.json`, PAGE), "utf8"));

/** All that the page and the guides of the boxes say in a language. @param {string} language */
export function told(language) {
  const guides = readdirSync(new URL("guides/", PAGE)).filter((name) => name.endsWith(`.${language}.json`));
  const spoken = guides.flatMap((name) => Object.entries(JSON.parse(readFileSync(new URL(`guides/${name}`, PAGE), "utf8"))));
  return /** @type {[string, string][]} */ ([...Object.entries(sentences(language)), ...spoken]);
}

/** Every script of the page, as text. */
export function scripts() {
  const names = /** @type {string[]} */ (readdirSync(new URL("js/", PAGE), { recursive: true }));
  return names.filter((name) => name.endsWith(".js")).map((name) => readFileSync(new URL(`js/${name}`, PAGE), "utf8"));
}

/**
 * Load words.js as a reader's browser would.
 * @param {{ chosen?: string, spoken?: string[] }} reader the language chosen on the page, those of the browser
 * @param {Record<string, any>} [answers] what the server answers, by path
 */
export async function words(reader, answers = {}) {
  vi.resetModules();
  vi.stubGlobal("localStorage", { getItem: () => reader.chosen ?? null });
  vi.stubGlobal("navigator", { languages: reader.spoken ?? ["en"] });
  vi.stubGlobal("fetch", async (/** @type {string} */ path) => ({ ok: true, json: async () => answers[path] }));
  return import("../../src/dracotheque/server/page/js/words.js");
}
