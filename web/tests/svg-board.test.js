/** How the pieces of the drawn boards move: their paths, what flies beside them, and what a die shows. */

import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import * as emerald from "../../src/dracotheque/games/emerald/web/board.js";
import * as gran from "../../src/dracotheque/games/gran/web/board.js";

vi.stubGlobal("matchMedia", () => ({ matches: false }));
vi.stubGlobal("localStorage", { getItem: () => null });
vi.stubGlobal("navigator", { languages: ["en"] });
const cave = await import("../../src/dracotheque/games/dragons_cave/web/board.js");
const { along, unfolding } = await import("../../src/dracotheque/server/page/js/animation.js");

/** A place of a board that is not drawn. @param {string} key @param {number} x @param {number} y @returns {any} */
const place = (key, x, y) => ({ x, y, r: 40, label: key, node: { dataset: { place: key } } });

/** @param {any[]} all @returns {Map<string, any>} */
const places = (...all) => new Map(all.map((each) => [each.label, each]));

/**
 * A board with some pieces, and what lies before the seats.
 * @param {Record<string, any>} pieces @param {...any[]} holdings
 */
const board = (pieces, ...holdings) => ({ pieces, holdings });

/**
 * A move that made something happen.
 * @param {number} player @param {string} key @param {object} [gaps] @returns {any}
 */
const made = (player, key, gaps = {}) => ({ player, events: [["", [key, gaps]]] });

describe("a way", () => {
  const write = (/** @type {number[]} */ [x, y]) => `${x},${y}`;

  test("takes as long for every stretch as it is far", () => {
    const frames = along([[0, 0], [30, 0], [30, 10]], write);
    expect(frames).toEqual([
      { transform: "0,0", offset: 0 }, { transform: "30,0", offset: 0.75 }, { transform: "30,10", offset: 1 },
    ]);
  });

  test("goes up and down for a piece that hops", () => {
    expect(along([[0, 0], [10, 0]], write, 8).map(({ transform }) => transform)).toEqual(["0,0", "5,-8", "10,0"]);
  });

  test("to where one is already goes nowhere", () => {
    expect(along([[5, 5], [5, 5]], write).map(({ offset }) => offset)).toEqual([0, 0]);
  });

  test("of what is turned over begins where its back lay", () => {
    expect(unfolding([1, 1], [1, 1], write)).toHaveLength(2);
    const frames = unfolding([1, 1], [9, 9], write).map(({ transform }) => transform);
    expect(frames).toEqual(["1,1 scale(0, 1)", "1,1", "1,1", "9,9"]);
  });
});

describe("in Emerald", () => {
  const road = places(place("5", 0, 0), place("6", 10, 0), place("7", 20, 0), place("8", 30, 0),
    place("perch-1", 0, 100), place("perch-2", 50, 100), place("perch-3", 99, 100));

  test("a knight walks through every field between", () => {
    const [from, to] = [road.get("5"), road.get("8")];
    expect(emerald.between({ kind: "knight-lion", place: "8" }, from, to, road)).toEqual([[10, 0], [20, 0]]);
  });

  test("the dragon flies over the caves that are named, even back to its own", () => {
    const perch = road.get("perch-1");
    const flight = made(-1, "event.flight.2", { first: 2, cave: 1 });
    const way = emerald.between({ kind: "dragon", place: "perch-1" }, perch, perch, road, flight);
    expect(way.map(([x]) => x)).toEqual([50]);
    expect(emerald.thrown(flight)).toMatchObject({ symbol: "p-thrown-2" });
    expect(emerald.thrown(made(0, "event.leads"))).toBeNull();
  });

  test("the knight that walked is the one whose place is free, not the one with its number", () => {
    const before = { a1: { kind: "knight-lion", place: "5" }, a2: { kind: "knight-lion", place: "6" } };
    const after = { a1: { kind: "knight-lion", place: "6" }, a2: { kind: "knight-lion", place: "8" } };
    expect(emerald.follow(before, after)).toEqual({ a1: { kind: "knight-lion", place: "8" }, a2: before.a2 });
  });

  test("the fields that a knight walks are counted to its end", () => {
    expect(emerald.steps(road.get("5"), road.get("8"), road).map(({ label }) => label)).toEqual(["6", "7", "8"]);
    expect(emerald.steps(place("2", 0, 0), road.get("6"), road).map(({ label }) => label)).toEqual(["5", "6"]);
  });

  test("knights that stand together are counted, a knight alone and cards are not", () => {
    const [lion, star, card] = ["knight-lion", "knight-star", "card-ruby"].map((kind) => ({ kind, place: "7" }));
    expect(emerald.badge([lion, star, card], "7")).toBe("×2");
    expect([emerald.badge([lion, card], "7"), emerald.badge([lion, star], "21")]).toEqual(["", ""]);
  });

  test("what lies at a cave is said in pictures, with a flame where the dragon wakes", () => {
    const cards = ["preview.either", { gem: ["gem.ruby"], gold: ["card.gold", { value: 3 }] }];
    const symbols = (/** @type {any} */ preview) => emerald.chip(preview)?.map((part) => /** @type {any} */ (part).symbol);
    expect(symbols(["preview.cave", { cards }])).toEqual(["p-card-ruby", "p-card-gold-3"]);
    expect(symbols(["preview.cave_wakes", { cards }])).toEqual(["p-card-ruby", "p-card-gold-3", "p-flame"]);
    expect(symbols(["preview.way", {}])).toEqual([]);
    expect(emerald.chip(["preview.rests", {}])).toBeUndefined(); // it is said in words
  });

  test("a card flies to the seat that took it, and gold that is laid away turns over", () => {
    const [ruby, coins] = [{ kind: "card-ruby", place: "gem-1" }, { kind: "card-gold", place: "gold-1" }];
    const pile = { "gem-1-3": ruby, "gold-1-2": coins };
    const taken = emerald.flights(board(pile, [], []), board({ "gold-1-2": coins }, [], [{ kind: "ruby" }]));
    expect(taken).toMatchObject([{ of: "gem-1-3", symbol: "p-card-ruby", to: { seat: 1 }, turned: undefined }]);
    const hidden = emerald.flights(board(pile, [], []), board({ "gem-1-3": ruby }, [{ kind: "gold", count: 1 }], []));
    expect(hidden).toMatchObject([{ of: "gold-1-2", to: { seat: 0 }, turned: "p-gold-back" }]);
  });
});

describe("in Dragon's Cave", () => {
  const purses = (/** @type {number[]} */ ...coins) => coins.map((value) => [{ kind: "purse", value }]);
  const treasure = (/** @type {number} */ value, more = {}) =>
    ({ treasure: { kind: "treasure", place: "treasure", value }, ...more });
  const end = (/** @type {any} */ { place, seat }) => place ?? `seat ${seat}`;
  const hops = (/** @type {any} */ before, /** @type {any} */ after) =>
    cave.flights(before, after).map(({ from, to }) => `${end(from)} > ${end(to)}`);
  const spaces = places(place("0", 0, 900), place("1", 100, 800), place("2", 300, 400));

  test("coins hop one by one from the treasure into the purse", () => {
    expect(hops(board(treasure(9), ...purses(0, 1)), board(treasure(7), ...purses(2, 1))))
      .toEqual(["treasure > seat 0", "treasure > seat 0"]);
    const flights = cave.flights(board(treasure(9), ...purses(0)), board(treasure(6), ...purses(3)));
    expect(new Set(flights.map(({ delay }) => delay)).size).toBe(3);
  });

  test("coins that are banked hop into the own chest, coins that were lost back to the treasure", () => {
    expect(hops(board(treasure(7), ...purses(2, 1)), board(treasure(7), ...purses(0, 1))))
      .toEqual(["seat 0 > chest-0", "seat 0 > chest-0"]);
    const lost = hops(board(treasure(7), ...purses(2, 1)), board(treasure(8), ...purses(1, 1)));
    expect(lost).toEqual(["seat 0 > treasure"]);
  });

  test("sealed cards are brought together, lie still, and turn one after the other as the move tells it", () => {
    const back = (/** @type {number} */ seat) => ({ kind: "card-back", place: `card-${seat}`, seat });
    const before = board({ "card-lion": { ...back(0), kind: "peek-rope" }, "card-star": back(2) });
    const told = [["dragon.place", ["event.dragon", { seat: ["seat.tower"] }]],
      ["chest.safe", ["event.safe", { seat: ["seat.star"] }]],
      ["move.ahead", ["event.ahead", { seat: ["seat.lion"], card: ["card.rope"] }]]];
    const stages = cave.stages(before, board({}), /** @type {any} */ ({ player: 1, events: told }), spaces);
    const [star, lion] = [stages["card-star"], stages["card-lion"]];
    expect([star.symbol, lion.symbol]).toEqual(["p-card-chest", "p-card-rope"]);
    expect(star.turns - star.gathered).toBeGreaterThanOrEqual(800);
    expect(lion.turns).toBeGreaterThan(star.turns);
    expect(cave.delay({ kind: "dwarf", place: "2" })).toBe(lion.leaves);
    expect(cave.stages(before, before, undefined, spaces)).toEqual({});
    expect(cave.delay({ kind: "dwarf", place: "2" })).toBe(0);
  });

  test("both fists open with what was in them, first the one that was chosen", () => {
    const fist = (/** @type {string} */ side) => ({ kind: `fist-${side}`, place: `${side}-1`, seat: 1 });
    const before = board(treasure(5, { "left-tower": fist("left"), "right-tower": fist("right") }), ...purses(0, 7));
    const opened = cave.flights(before, board(treasure(7), ...purses(0, 5)), made(0, "event.right_fist"), spaces)
      .filter(({ of }) => of);
    expect(opened.map(({ symbol, turned }) => [symbol, turned])).toEqual([["p-fist-left", "p-palm-5"],
      ["p-fist-right", "p-palm-2"]]);
    expect(opened[1].delay).toBeLessThan(opened[0].delay ?? 0);
  });

  test("a card that is laid comes from the hand, and turns over on its way", () => {
    const after = board({ "card-lion": { kind: "peek-rope", place: "card-0", seat: 0 } }, [], []);
    expect(cave.flights(board({}, [], []), after)).toMatchObject([{ symbol: "p-card-rope", turned: "p-peek-rope",
      from: { seat: 0, selector: ".cave-card.chosen" }, of: "card-lion" }]);
    const back = board({ "card-lion": { kind: "card-back", place: "card-0", seat: 0 } }, [], []);
    expect(cave.flights(board({}, [], []), back)).toMatchObject([{ symbol: "p-card-back", from: { seat: 0 } }]);
  });

  test("cards turn over, backs do not", () => {
    expect(cave.flips({ kind: "card-back", place: "card-0" }, { kind: "card-rope", place: "card-0" })).toBe(true);
    expect(cave.flips({ kind: "peek-rope", place: "card-0" }, { kind: "card-rope", place: "card-0" })).toBe(true);
    expect(cave.flips({ kind: "card-rope", place: "card-0" }, { kind: "card-back", place: "card-0" })).toBe(false);
  });
});

describe("in Gran", () => {
  const knight = (/** @type {number} */ seat, /** @type {string} */ at, load = "") =>
    ({ kind: `knight${load}`, place: at, seat });

  test("the ring passes from hand to hand", () => {
    const before = board({ one: knight(0, "3", "-ring"), two: knight(1, "4") }, [], []);
    const after = board({ one: knight(0, "3"), two: knight(1, "4", "-ring") }, [], []);
    expect(gran.flights(before, after)).toMatchObject([{ symbol: "p-ring", from: { place: "3" }, to: { place: "4" } }]);
    expect(gran.flights(before, before)).toEqual([]);
  });

  test("a seal flies to the seat that gained it, and a dragon with the knight that flies", () => {
    const before = board({ one: knight(0, "3", "-ring") }, [{ kind: "seal-wanted" }]);
    const after = board({ one: knight(0, "9", "-ring") }, [{ kind: "seal-tirad" }, { kind: "seal-wanted" }]);
    expect(gran.flights(before, after)).toMatchObject([{ symbol: "p-seal-tirad", to: { seat: 0 } }]);
    const flown = gran.flights(before, board(after.pieces, []), made(0, "event.flies"));
    expect(flown).toMatchObject([{ symbol: "p-dragon", from: { place: "3" }, to: { place: "9" } }]);
  });

  test("a stone, the ring or the knight that was attacked is carried, else the own knight", () => {
    const crowd = [knight(1, "4"), knight(0, "4")];
    expect(gran.carried(["question.exile", {}], crowd, 0)).toBe(crowd[0]);
    expect(gran.carried(["question.stone"], [], 0)).toMatchObject({ kind: "stone" });
    expect(gran.carried(["question.drop", {}], crowd, 0)).toMatchObject({ kind: "ring" });
    expect(gran.carried(["question.first"], crowd, 0)).toBeUndefined();
  });

  test("what a point brings is said in pictures, and in words where there is none", () => {
    const attack = ["preview.attack", { whom: ["whom.star"] }];
    const both = ["preview.joined", { part: attack, rest: ["preview.duel", { percent: 44 }] }];
    expect(gran.chip(both)).toEqual([attack, { symbol: "p-dragon" }, "44 %"]);
    expect(gran.chip(["preview.seal", { of: ["of.urgad"] }])).toEqual([{ symbol: "p-seal-urgad" }, "+1"]);
    expect(gran.chip(["preview.amulets", { amulets: ["amulets", { count: 2 }] }])).toEqual([{ symbol: "p-amulet" }, "+2"]);
    expect(gran.chip(["preview.no_stone"])).toEqual([]);
  });

  test("a duel shows its die", () => {
    expect(gran.thrown(made(-1, "event.loses_duel", { pips: 4 }))).toMatchObject({ symbol: "p-thrown-4" });
    expect(gran.thrown(made(0, "event.goes"))).toBeNull();
  });

  test("a point is called by its name alone", () => {
    expect(gran.tag("E9 – black point, Elgad")).toBe("E9");
    expect(gran.tag("the raft")).toBe("");
  });
});

/** What is drawn for a page or a game, as text. @param {string} path */
const svg = (path) => readFileSync(new URL(`../../src/dracotheque/${path}.svg`, import.meta.url), "utf8");

/** The ids in some SVG. @param {string} text */
const idsOf = (text) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

const COMPUTED = { dragons_cave: cave.symbols, emerald: emerald.symbols, gran: gran.symbols, save_the_dragon: "" };
describe.each(Object.entries(COMPUTED))("the symbols of %s", (game, computed) => {
  test("each have a name of their own, and use only what is there", () => {
    const symbols = svg(`games/${game}/web/pieces`) + computed;
    const ids = idsOf(symbols);
    expect(ids.filter((id, number) => ids.indexOf(id) !== number)).toEqual([]);
    const crests = idsOf(svg("server/page/crests")).map((id) => `crests-${id}`);
    const elsewhere = ["a-dragon", ...crests]; // the dragon is drawn on the map
    const used = [...symbols.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((id) => !ids.includes(id) && !elsewhere.includes(id))).toEqual([]);
  });
});

test("what the 3D board paints of the pieces uses no other parts", () => {
  const pieces = svg("games/save_the_dragon/web/pieces");
  for (const id of ["s-badge", "s-rock", "s-shield", "s-door", "s-steps-1", "s-steps-2", "s-steps-3"]) {
    const [, part] = pieces.match(new RegExp(`<g id="${id}">(.*?)</g>`, "s")) ?? [];
    expect(part, id).toContain("<path");
    expect(part, id).not.toContain("<use");
  }
});
