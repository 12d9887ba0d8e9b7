/** The log: how the parts of moves are joined to lines, and lines to turns; what a caption says. */

import { beforeEach, describe, expect, test, vi } from "vitest";
import { words } from "./page.js";

const ENGLISH = {
  "seat.lion": "Yellow", "seat.tower": "Red", "seat.star": "Purple",
  "log.turn": "{number} · {seat}", "log.setup": "Set-up", "log.line": "{actor}: {text}", "log.to": "to",
  "log.and": "{first}, {rest}", "log.then": "{first}; {rest}", "log.stop": "{first}. {rest}",
  "log.lots": "{seat} starts", "log.way": ", {start}\u00a0→\u00a0{to}", "log.takes": "; takes {card}",
  "log.seal": ". Seal {number} of 3!", "log.bonus": ", +{number}", "log.dragon.name": "Dragon",
  "log.dragon.door": "Dragon, door {door}", "log.hit": "; hits {seat}", "log.tokens.one": "{count} token",
  "log.tokens.many": "{count} tokens", "event.next": "{seat} is next.", "event.takes": "{seat} takes {card}.",
};

/** @type {typeof import("../../src/dracotheque/server/page/js/log.js")} */
let log;
/** @type {any} */
const page = { shown: { seats: [{ crest: "lion" }, { crest: "tower" }, { crest: "star" }] } };
const nameOf = (/** @type {number} */ seat) => /** @type {[string]} */ ([`seat.${["lion", "tower", "star"][seat]}`]);

beforeEach(async () => {
  const answers = { "/page/locale/en.json": {}, "/api/games/x/words/en": { entries: ENGLISH },
    "/api/games/tables/words/en": { entries: {} } };
  const i18n = await words({}, answers);
  await i18n.learn("x");
  log = await import("../../src/dracotheque/server/page/js/log.js");
  return () => vi.unstubAllGlobals();
});

const way = (/** @type {string} */ start, /** @type {string} */ to) => ["log.way", { start, to }];
const event = (/** @type {string} */ key, /** @type {object} */ gaps = {}) => ["some.rule", [`event.${key}`, gaps]];
const move = (/** @type {any[]} */ lines, /** @type {any[]} */ events = [], /** @type {object} */ more = {}) =>
  /** @type {any} */ ({ player: 0, events, lines, ...more });

/** What is read of some moves. @param {any[]} moves @param {boolean} [whole] */
function read(moves, whole = true) {
  const turns = new log.TurnLog(nameOf, whole);
  for (const each of moves) turns.add(each);
  return turns.turns.map(({ lines }) => lines.map(log.said));
}

describe("parts", () => {
  test("are joined by the sign that they begin with; the first one loses it", () => {
    expect(read([move([[1, []]]), move([[1, [way("T5", "T10"), ["log.takes", { card: "gold" }]]]])]))
      .toEqual([["1 · Red: T5\u00a0→\u00a0T10; takes gold."]]);
  });

  test("of a way that goes on are one way, in one move or in two", () => {
    expect(read([move([[1, []]]), move([[1, [way("T5", "T10")]]]), move([[1, [way("T10", "T16")]]])]))
      .toEqual([["1 · Red: T5\u00a0→\u00a0T10\u00a0→\u00a0T16."]]);
    expect(read([move([[1, []]]), move([[1, [way("T5", "T10"), way("U10", "T16")]]])])[0][0]).toContain(", U10");
  });

  test("after an exclamation mark begin anew", () => {
    expect(log.join(log.join("T16", ". Seal 1 of 3!"), ", +1 amulet")).toBe("T16. Seal 1 of 3! +1 amulet");
  });

  test("that are numbers say an event in short, or in full where there is no shorter form", () => {
    const events = [event("takes", { seat: ["seat.tower"], card: "gold" }), event("next", { seat: ["seat.star"] })];
    expect(read([move([[1, []]]), move([[1, [0]], [-1, [1]]], events)]))
      .toEqual([["1 · Red: takes gold.", "Purple is next."]]);
  });

  test("that count are in the singular or in the plural", () => {
    const events = [1, 2].map((count) => event("tokens", { count }));
    expect(read([move([[1, []]]), move([[1, [0, 1]]], events)])[0]).toEqual(["1 · Red: 1 token 2 tokens."]);
  });
});

describe("lines", () => {
  test("of one actor are joined across moves, and a thing may be named at more length first", () => {
    const lines = [[["log.dragon.door", { door: "a" }], []], [["log.dragon.name"], [["log.hit", { seat: ["seat.star"] }]]]];
    expect(read([move([[0, []]]), move([[0, [way("b1", "b2")]]]), move([lines[0]]), move([lines[1]])]))
      .toEqual([["1 · Yellow: b1\u00a0→\u00a0b2.", "Dragon, door a: hits Purple."]]);
  });

  test("with an icon stand alone, and go on in their own move only", () => {
    expect(read([move([[0, []]]), move([[0, [way("a", "b")]]]), move([[0, [["log.bonus", { number: 4 }]], "bonus"]])]))
      .toEqual([["1 · Yellow: a\u00a0→\u00a0b.", "Yellow: +4."]]);
  });

  test("are not continued beyond eighty characters", () => {
    const long = [["log.takes", { card: "x".repeat(60) }]];
    expect(read([move([[0, []]]), move([[0, long]]), move([[0, long]])])[0]).toHaveLength(2);
  });

  test("have the events that name their seat, the others those of the one before; none is lost", () => {
    const turns = new log.TurnLog(nameOf);
    const events = [event("a"), event("b", { seat: ["seat.star"] }), event("c"), event("d", { seat: ["seat.lion"] })];
    turns.add(move([[0, []]], [event("z")]));
    turns.add(move([[0, [way("a", "b")]], [2, [way("c", "d")]]], events));
    turns.add(move([], [event("e")]));
    const keys = turns.turns[1].lines.map(({ events: told }) => told.map(([, [key]]) => key.slice(6)).join(""));
    expect(turns.turns[0].lines[0].events).toEqual([event("z")]);
    expect(keys).toEqual(["ad", "bce"]);
  });
});

describe("turns", () => {
  test("begin where a seat has no parts, with a number; what is before is the set-up, in one line", () => {
    const lots = event("lots", { seat: ["seat.tower"] });
    const moves = [move([[-1, [0]], [1, []]], [lots]), move([[1, [way("a", "b")]], [2, []]]), move([[2, [way("c", "d")]]])];
    const turns = [["Set-up: Red starts."], ["1 · Red: a\u00a0→\u00a0b."], ["2 · Purple: c\u00a0→\u00a0d."]];
    expect(read(moves)).toEqual(turns);
  });

  test("of a game that announces none are those of its players", () => {
    const told = (/** @type {number} */ player, /** @type {string} */ crest) =>
      move([[-1, [0]]], [event("next", { seat: [`seat.${crest}`] })], { player });
    expect(read([told(0, "lion"), told(-1, "star"), told(1, "tower")]))
      .toEqual([["Yellow is next. Purple is next."], ["Red is next."]]);
  });

  test("out of their game have no numbers", () => {
    expect(read([move([[1, []]]), move([[1, [way("a", "b")]]])], false)).toEqual([["Red: a\u00a0→\u00a0b."]]);
  });
});

test("a log keeps vaguer events and lines where there are some", () => {
  const record = move([[0, [0]]], [event("takes", { card: "gold 5" })], { log: [event("takes", { card: "gold" })] });
  expect(log.asKept(record)).toMatchObject({ events: record.log, lines: record.lines });
  expect(log.asKept({ ...record, log_lines: [[0, []]] }).lines).toEqual([[0, []]]);
  expect(log.asKept(move([[0, [0]]]))).toEqual(move([[0, [0]]]));
});

describe("a caption", () => {
  test("says one move with its actor, as many lines as twelve words hold", () => {
    const record = move([[0, [way("a", "b")]], [1, []], [2, [["log.takes", { card: "one two three four five six seven" }]]]]);
    expect(log.captionOf(page, record)).toBe("Yellow: a\u00a0→\u00a0b.");
    expect(log.captionLines(page, record)).toHaveLength(2);
  });

  test("is the first sentence of a move that the log leaves out, and empty where nothing is told", () => {
    expect(log.captionOf(page, move([[1, []]], [event("next", { seat: ["seat.star"] })]))).toBe("Purple is next.");
    expect(log.captionOf(page, move([]))).toBe("");
  });
});
