/** What the page says: in every language, and as a printer would set it. */

import { describe, expect, test } from "vitest";
import { allSentences, catalogueKeys, games, LANGUAGES, scripts, scriptsOf, sentences } from "./page.js";

/** @param {string} text */
const gaps = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, gap]) => gap).sort();

/** The sentences of a language in which something is found. @param {string} language @param {RegExp} wrong */
const withFault = (language, wrong) => allSentences(language).filter(([, text]) => wrong.test(text));

describe.each(LANGUAGES)("%s", (language) => {
  test("has every sentence, with the same gaps", () => {
    const [english, here] = [sentences("en"), sentences(language)];
    expect(Object.keys(here).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(here)) expect(gaps(text), key).toEqual(gaps(english[key]));
  });

  test("is set with real quotes, apostrophes, dashes and dots", () => {
    expect(withFault(language, /["'`]|\.\.\.| - |--/)).toEqual([]);
  });

  test("has no sentence that is empty or ends in space", () => {
    expect(withFault(language, /^\s*$|^\s|\s$|  /)).toEqual([]);
  });
});

describe("the typography of", () => {
  test("French keeps its signs from being torn off", () => {
    expect(withFault("fr", /[^\u00a0\u202f][;:!?»]|«[^\u00a0\u202f]|[“”„]/)).toEqual([]);
  });

  test("German quotes like „this“", () => {
    expect(withFault("de", /”|«|»|“(?!\P{L}|$)/u)).toEqual([]);
    for (const [key, text] of allSentences("de")) {
      expect([...text.matchAll(/„/g)].length, key).toBe([...text.matchAll(/“/g)].length);
    }
  });

  test("English quotes like “this”", () => expect(withFault("en", /„|«|»/)).toEqual([]));

  test("Italian quotes like «this» or “this”", () => expect(withFault("it", /„|« | »/)).toEqual([]));
});

test("every sentence that the page says is written down", () => {
  const written = sentences("en");
  const said = scripts().flatMap((script) => [...script.matchAll(/\bt\("([^"]+)"/g)].map(([, key]) => key));
  expect(said.length).toBeGreaterThan(50);
  expect(said.filter((key) => !(key in written) && !(`${key}.one` in written && `${key}.many` in written))).toEqual([]);
});

test("every family of sentences that the page chooses from has members", () => {
  const written = Object.keys(sentences("en"));
  const families = scripts().flatMap((script) => [...script.matchAll(/\bt\(`([\w.-]+)\$\{/g)].map(([, key]) => key));
  expect(families.length).toBeGreaterThan(3);
  expect(families.filter((family) => !written.some((key) => key.startsWith(family)))).toEqual([]);
});

test("every sentence that the board of a game says is in the game's catalogue", () => {
  const said = games().flatMap((game) => {
    const phrases = scriptsOf(game).flatMap((script) => [...script.matchAll(/\bsay\(\[([^\]]+)\]/g)]);
    const keys = phrases.flatMap(([, phrase]) => [...phrase.matchAll(/"([\w.]+)"/g)].map(([, key]) => key));
    const written = catalogueKeys(game);
    const known = (/** @type {string} */ key) => [key, `${key}.one`].some((each) => written.includes(each));
    return keys.map((key) => ({ key, known: known(key) }));
  });
  expect(said.map(({ key }) => key)).toContain("stair.solid");
  expect(said.filter(({ known }) => !known)).toEqual([]);
});
