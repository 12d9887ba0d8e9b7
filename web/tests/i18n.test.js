import { describe, expect, test } from "vitest";
import { words } from "./page.js";

/** What a server would say in a language. @param {string} language @param {Record<string, any>} [entries] */
const server = (language, { own = {}, tables = {}, game = {} } = {}) => ({
  [`/page/locale/${language}.json`]: own,
  [`/api/games/tables/words/${language}`]: { entries: tables },
  [`/api/games/emerald/words/${language}`]: { entries: game },
});

const COINS = { "coins.one": "{count} coin", "coins.many": "{count} coins" };

describe("the language", () => {
  test.each([
    [{ spoken: ["it-CH", "fr"] }, "it"],
    [{ spoken: ["ja", "de-AT"] }, "de"],
    [{ spoken: ["ja", "pt"] }, "en"],
    [{ chosen: "fr", spoken: ["de"] }, "fr"],
    [{ chosen: "tlh", spoken: ["de"] }, "de"],
  ])("of %o is %s", async (reader, expected) => {
    expect((await words(reader)).language).toBe(expected);
  });
});

describe("the page's own sentences", () => {
  test("have their gaps filled with numbers, names and phrases", async () => {
    const { learn, t } = await words({}, server("en", {
      own: { greet: "{name} has {things}." },
      tables: COINS,
    }));
    await learn();
    expect(t("greet", { name: "Ann", things: ["coins", { count: 3 }] })).toBe("Ann has 3 coins.");
  });

  test("that are missing show their key, so that it is noticed", async () => {
    const { has, learn, t } = await words({}, server("en"));
    await learn();
    expect(t("no.such.sentence")).toBe("no.such.sentence");
    expect(has("no.such.sentence")).toBe(false);
  });
});

describe("phrases of the server", () => {
  test.each([
    ["en", 0, "0 coins"], ["en", 1, "1 coin"], ["en", 2, "2 coins"],
    ["de", 0, "0 coins"], ["de", 1, "1 coin"],
    ["it", 0, "0 coins"], ["it", 1, "1 coin"],
    ["fr", 0, "0 coin"], ["fr", 1, "1 coin"], ["fr", 2, "2 coins"],
  ])("count as one does in %s: %d", async (language, count, expected) => {
    const { learn, say } = await words({ chosen: language }, server(language, { game: COINS }));
    await learn("emerald");
    expect(say(["coins", { count }])).toBe(expected);
  });

  test("of the game come before those of all tables", async () => {
    const { learn, say } = await words({}, server("en", { game: { dice: "the die" }, tables: { dice: "dice" } }));
    await learn("emerald");
    expect(say(["dice", {}])).toBe("the die");
  });

  test("nest, and numbers and names stand for themselves", async () => {
    const { learn, say } = await words({}, server("en", { game: { ...COINS, takes: "{who} takes {what}." } }));
    await learn("emerald");
    expect(say(["takes", { who: "Ben", what: ["coins", { count: 1 }] }]))
      .toBe("Ben takes 1 coin.");
    expect([say(7), say("Ben"), say(null)]).toEqual(["7", "Ben", "null"]);
  });

  test("call persons by name, bots and nameless persons by their crest", async () => {
    const { callByName, learn, say } = await words({}, server("en", {
      game: { "seat.lion": "the Lion", "seat.tower": "the Tower", "seat.star": "the Star" },
    }));
    await learn("emerald");
    callByName([
      { crest: "lion", kind: "person", name: "Ann" },
      { crest: "tower", kind: "bot", name: "Ben" },
      { crest: "star", kind: "person" },
    ]);
    expect(["lion", "tower", "star"].map((crest) => say([`seat.${crest}`, {}]))).toEqual(["Ann", "the Tower", "the Star"]);
    callByName([]);
    expect(say(["seat.lion", {}])).toBe("the Lion");
  });
});
