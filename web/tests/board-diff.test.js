/** What is different between two boards. */

import { describe, expect, test } from "vitest";
import { crowds, difference, gained, held, ranks } from "../../src/dracotheque/server/page/js/board-diff.js";

/** Pieces by "id kind place", perhaps with a value. @param {...string} written @returns {Record<string, any>} */
const pieces = (...written) => Object.fromEntries(written.map((line) => {
  const [id, kind, place, value = "0"] = line.split(" ");
  return [id, { kind, place, value: Number(value) }];
}));

describe("the difference between two boards", () => {
  const before = pieces("ann knight 3", "ben knight 5", "card back pile", "coin gold purse 2", "ring ring 7");

  test("is nothing where nothing happened", () => {
    expect(difference(before, structuredClone(before)))
      .toEqual({ came: [], went: [], moved: [], changed: [], shifted: [] });
  });

  test("tells who went elsewhere from who made room", () => {
    const after = pieces("ann knight 5", "ben knight 5", "card back pile", "coin gold purse 2", "ring ring 7");
    expect(difference(before, after)).toEqual({ came: [], went: [], moved: ["ann"], changed: [], shifted: ["ben"] });
  });

  test("tells who came and who went", () => {
    const after = pieces("ann knight 3", "ben knight 5", "card back pile", "coin gold purse 2", "stone stone 7");
    expect(difference(before, after)).toEqual({ came: ["stone"], went: ["ring"], moved: [], changed: [], shifted: [] });
  });

  test("tells what is another thing, has another value, looks another way or has another owner", () => {
    const after = pieces("ann knight 3", "ben knight-ring 5", "card ruby pile", "coin gold purse 3", "ring ring 7");
    Object.assign(after.ring, { turn: 90 });
    Object.assign(after.ann, { seat: 2 });
    expect(difference(before, after).changed.sort()).toEqual(["ann", "ben", "card", "coin", "ring"]);
  });

  test("ignores what is only left out of a message", () => {
    const plain = { dot: { kind: "dot", place: "1" } };
    const full = { dot: { kind: "dot", place: "1", seat: -1, value: 0, turn: 0 } };
    expect(difference(plain, full).changed).toEqual([]);
  });

  test("of a piece that moves and changes is both", () => {
    const after = { ...before, ben: { kind: "knight-ring", place: "9" } };
    expect(difference(before, after)).toMatchObject({ moved: ["ben"], changed: ["ben"], shifted: [] });
  });
});

describe("who shares a place", () => {
  const pile = pieces("card-10 back pile", "card-2 back pile", "card-1 back pile", "ann knight 3");

  test("stands in an order that counts as people do", () => {
    expect(crowds(pile).get("pile")).toEqual(["card-1", "card-2", "card-10"]);
    expect(ranks(pile)).toEqual({
      "card-1": { rank: 0, count: 3 }, "card-2": { rank: 1, count: 3 }, "card-10": { rank: 2, count: 3 },
      ann: { rank: 0, count: 1 },
    });
  });

  test("keeps that order however the server lists it", () => {
    const turned = Object.fromEntries(Object.entries(pile).reverse());
    expect(ranks(turned)).toEqual(ranks(pile));
  });
});

describe("what lies before the seats", () => {
  const before = [[{ kind: "ruby", count: 2 }, { kind: "gold", value: 5 }], []];
  const after = [[{ kind: "ruby", count: 2 }, { kind: "gold", value: 5 }], [{ kind: "ruby" }]];

  test("is counted, one where no number is said", () => {
    expect(held(before, 0, "ruby")).toEqual({ count: 2, value: 0 });
    expect(held(before, 0, "gold")).toEqual({ count: 1, value: 5 });
    expect(held(before, 1, "gold")).toEqual({ count: 0, value: 0 });
    expect(held(before, 5, "gold")).toEqual({ count: 0, value: 0 });
  });

  test("tells who gained something", () => {
    expect(gained(before, after, "ruby")).toEqual([1]);
    expect(gained(before, after, "gold")).toEqual([]);
    expect(gained([], after, "ruby")).toEqual([0, 1]);
  });
});
