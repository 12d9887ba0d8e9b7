import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { soundsOf } from "../../src/dracotheque/server/page/js/sound.js";

const GAMES = ["emerald", "dragons_cave", "gran", "save_the_dragon"];

/** What one move made happen. @param {...string} keys */
const told = (...keys) => [{ player: 0, events: keys.map((key) => ({ rule: "any", phrase: { key } })) }];

/** The ends of the keys of a game's events. @param {string} game */
function eventsOf(game) {
  const words = readFileSync(new URL(`../../src/dracotheque/games/${game}/words/en.toml`, import.meta.url), "utf8");
  const section = words.match(/^\[event\]\n(.*?)^\[(?!event)/ms)?.[1] ?? "";
  return [...section.matchAll(/^(\w+) = /gm), ...section.matchAll(/^\[event\.(\w+)\]/gm)].map(([, key]) => key);
}

test("each kind of sound is heard once, in the order of what happens", () => {
  expect(soundsOf(told("event.walks", "event.walks", "event.coins", "event.passes"))).toEqual(["step", "coin"]);
});

test("what has no sound is silent", () => expect(soundsOf(told("event.next", "odd"))).toEqual([]));

test("a long move is not a noise", () => {
  const all = told("event.walks", "event.card", "event.coins", "event.die", "event.lets_go", "event.shuts", "event.flies");
  expect(soundsOf(all).length).toBeLessThanOrEqual(5);
});

test.each(GAMES)("%s can be heard", (game) => {
  const events = eventsOf(game);
  expect(events.length).toBeGreaterThan(30);
  expect(new Set(events.flatMap((key) => soundsOf(told(`event.${key}`)))).size).toBeGreaterThan(3);
});
