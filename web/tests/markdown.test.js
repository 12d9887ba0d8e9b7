/** What stands in a rulebook before its first rule, as the page finds it. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { LANGUAGES, words } from "./page.js";

const GAMES = ["emerald", "dragons_cave", "gran", "save_the_dragon"];
const BOOKS = GAMES.flatMap((game) => LANGUAGES.map((language) => [game, language]));
const FOLDER = new URL("../../src/dracotheque/games/", import.meta.url);

await words({});
const { firstSentence, openingOf } = await import("../../src/dracotheque/server/page/js/markdown.js");

describe("the opening of a rulebook", () => {
  test.each(BOOKS)("of %s (%s) is its welcome, its summary and its list of components", (game, language) => {
    const markdown = readFileSync(new URL(`${game}/rulebook/${language}.md`, FOLDER), "utf8");
    const opening = openingOf(markdown);
    expect(opening).toHaveLength(3);
    expect(markdown.startsWith(`# ${opening[0].title}\n`)).toBe(true);
    for (const { title, text } of opening) {
      expect(title).not.toBe("");
      expect(text).not.toBe("");
      expect(text).not.toMatch(/^#|\{#/m);
    }
    expect(opening[2].text).toMatch(/^(- \d+.+\n?)+$/);
  });

  test("ends before the first section with rules", () => {
    const markdown = "# Title\n\nHello.\n\n## Pieces\n\n- 1 die\n\n## Rules\n\n### One {#one}\n\nDo.\n";
    expect(openingOf(markdown)).toEqual([{ title: "Title", text: "Hello." }, { title: "Pieces", text: "- 1 die" }]);
  });
});

test("a ruling of our own is not in the first sentence of a rule", () => {
  expect(firstSentence("Stay. Or go.\n\n> **Our ruling.** Nobody says so.")).toBe("Stay.");
});
