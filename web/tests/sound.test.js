import { readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { setSounds, soundsOf } from "../../src/dracotheque/server/page/js/sound.js";

const GAMES = ["emerald", "dragons_cave", "gran", "save_the_dragon"];

/** What one move made happen. @param {...string} keys */
const made = (...keys) =>
  [{ player: 0, events: keys.map((key) => /** @type {[string, [string, {}]]} */ (["any", [key, {}]])) }];

/** The ends of the keys of a game's events. @param {string} game */
function eventsOf(game) {
  const words = readFileSync(new URL(`../../src/dracotheque/games/${game}/locale/en.toml`, import.meta.url), "utf8");
  const section = words.match(/^\[event\]\n(.*?)^\[(?!event)/ms)?.[1] ?? "";
  return [...section.matchAll(/^(\w+) = /gm), ...section.matchAll(/^\[event\.(\w+)\]/gm)].map(([, key]) => key);
}

/** What a game's own table says. @param {string} game */
const tableOf = (game) =>
  JSON.parse(readFileSync(new URL(`../../src/dracotheque/games/${game}/web/sounds.json`, import.meta.url), "utf8"));

beforeEach(() => setSounds({ step: ["walks"], coin: ["coins"], card: ["card"], dice: ["die"], rock: ["lets_go"],
  door: ["shuts"], wing: ["flies"] }));

test("each kind of sound is heard once, in the order of what happens", () => {
  expect(soundsOf(made("event.walks", "event.walks", "event.coins", "event.passes"))).toEqual(["step", "coin"]);
});

test("what has no sound is silent", () => expect(soundsOf(made("event.next", "odd"))).toEqual([]));

test("a long move is not a noise", () => {
  const all = made("event.walks", "event.card", "event.coins", "event.die", "event.lets_go", "event.shuts", "event.flies");
  expect(soundsOf(all).length).toBeLessThanOrEqual(5);
});

test.each(GAMES)("%s can be heard", (game) => {
  const events = eventsOf(game);
  setSounds(tableOf(game));
  expect(Object.values(tableOf(game)).flat().filter((key) => !events.includes(key))).toEqual([]);
  expect(events.length).toBeGreaterThan(30);
  expect(new Set(events.flatMap((key) => soundsOf(made(`event.${key}`)))).size).toBeGreaterThan(3);
});
