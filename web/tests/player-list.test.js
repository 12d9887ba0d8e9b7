/** The list of players: ranks by the scores that are shown. */

import { beforeEach, expect, test } from "vitest";
import { words } from "./page.js";

/** @type {typeof import("../../src/dracotheque/server/page/js/player-list.js")} */
let list;
const scores = (/** @type {number[]} */ ...counts) => counts.map((count) => ({ kind: "score", count }));

beforeEach(async () => {
  await words({});
  list = await import("../../src/dracotheque/server/page/js/player-list.js");
});

test("equal scores share a rank, and nobody has one while all are equal", () => {
  expect(list.ranksOf(scores(2, 5, 2, 0))).toEqual([2, 1, 2, 4]);
  expect(list.ranksOf(scores(3, 3))).toEqual([0, 0]);
  expect(list.ranksOf([undefined, undefined])).toEqual([0, 0]);
});

test("who has won comes first, whatever the scores are", () => {
  expect(list.ranksOf(scores(4, 9), [0])).toEqual([1, 2]);
});
