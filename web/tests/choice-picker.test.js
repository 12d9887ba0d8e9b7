/** What a touch on a place means: a piece is picked up, then goes; nothing is chosen twice, or without being meant. */

import { beforeEach, describe, expect, test } from "vitest";
import { words } from "./page.js";

await words({});
const { ChoicePicker } = await import("../../src/dracotheque/server/page/js/choice-picker.js");

/** What this device keeps of its settings. @type {string | null} */
let confirm = null;
beforeEach(() => {
  confirm = null;
  localStorage.getItem = (key) => (key === "dracotheque.confirm" ? confirm : null);
});

/** A picker that draws nothing, and writes down what it asks. */
class Drawn extends ChoicePicker {
  /** @type {any[]} */
  asked = [];

  /** @override @param {any} option */
  mark(option) {
    this.selected = option;
  }

  /** @override @param {any[]} options */
  ask(options) {
    this.asked = options;
  }
}

/**
 * A picker in front of a prompt: each choice by its places.
 * @param {(string[] | { places: string[], onward?: any })[]} choices @param {{ practice?: boolean }} [table]
 */
function picker(choices, table = {}) {
  const made = choices.map((choice, action) =>
    ({ action, name: [`action.${action}`], ...(Array.isArray(choice) ? { places: choice } : choice) }));
  const page = {
    offered: "yes", isResting: false, chosen: /** @type {any[]} */ ([]), refused: /** @type {string[]} */ ([]),
    shown: { prompt: { prompt_id: 7, choices: made }, table },
    choose: (/** @type {any} */ option) => page.chosen.push(option),
    whyNot: (/** @type {string} */ key) => page.refused.push(key),
  };
  return { page, picker: new Drawn(/** @type {any} */ (page)) };
}

const KNIGHTS = [["1", "4"], ["2", "5"], []];
const keys = (/** @type {Iterable<string>} */ all) => [...all].sort();

describe("where several pieces can be touched", () => {
  test("they are marked, and no target", () => {
    const { picker: board } = picker(KNIGHTS);
    expect([board.marks, keys(board.handles), board.targets.size]).toEqual(["piece", ["1", "2"], 0]);
  });

  test("a touch picks one up: then its targets are marked, and no piece", () => {
    const { picker: board, page } = picker(KNIGHTS);
    board.point("2");
    expect([board.marks, keys(board.handles), page.chosen]).toEqual(["target", ["5"], []]);
  });

  test("another can be picked up instead, and put down again", () => {
    const { picker: board } = picker(KNIGHTS);
    board.point("2");
    board.point("1");
    expect(keys(board.handles)).toEqual(["4"]);
    board.point("1");
    expect([board.marks, keys(board.handles)]).toEqual(["piece", ["1", "2"]]);
  });

  test("a target that was not lit is none, and says why", () => {
    const { picker: board, page } = picker(KNIGHTS);
    board.point("4");
    expect([page.chosen, page.refused]).toEqual([[], ["4"]]);
  });

  test("a mouse goes to a target at once", () => {
    const { picker: board, page } = picker(KNIGHTS);
    board.point("1");
    board.point("4");
    expect(page.chosen.map(({ action }) => action)).toEqual([0]);
  });
});

test("the only piece is picked up already", () => {
  const { picker: board } = picker([["1", "4"], ["1", "5"], ["1"]]);
  expect([board.marks, board.lifted, keys(board.handles)]).toEqual(["target", "1", ["1", "4", "5"]]);
});

test("where only places are asked for, they are marked", () => {
  const { picker: board, page } = picker([["4"], ["5"]]);
  expect([board.marks, keys(board.handles)]).toEqual(["target", ["4", "5"]]);
  board.point("4");
  expect(page.chosen).toHaveLength(1);
});

test("several choices that lead from one place to one are asked for there", () => {
  const { picker: board, page } = picker([["1", "4"], ["1", "4"], ["1", "5"]]);
  board.point("4");
  expect([board.asked.map(({ action }) => action), page.chosen]).toEqual([[0, 1], []]);
});

describe("a finger", () => {
  test("selects first, and goes with the second touch", () => {
    const { picker: board, page } = picker([["1", "4"], ["1", "5"]]);
    board.point("4", { touch: true });
    expect([page.chosen.length, board.selected?.action]).toEqual([0, 0]);
    board.point("5", { touch: true });
    expect([page.chosen.length, board.selected?.action]).toEqual([0, 1]);
    board.point("5", { touch: true });
    expect(page.chosen.map(({ action }) => action)).toEqual([1]);
  });

  test("goes to a ghost it has seen, where everything can be taken back", () => {
    const { picker: board, page } = picker(KNIGHTS, { practice: true });
    board.point("1", { touch: true });
    board.point("4", { touch: true });
    expect(page.chosen).toHaveLength(1);
  });

  test("only selects a ghost where it cannot be taken back", () => {
    const { picker: board, page } = picker(KNIGHTS);
    board.point("1", { touch: true });
    board.point("4", { touch: true });
    expect(page.chosen).toHaveLength(0);
  });

  test.each([["always", false, 0], ["never", true, 1]])("does as the setting %s says", (setting, touch, chosen) => {
    const { picker: board, page } = picker([["1", "4"], ["1", "5"]]);
    confirm = setting;
    board.point("4", { touch });
    expect(page.chosen).toHaveLength(chosen);
  });
});

test("nothing is picked up in the moment after a choice", () => {
  const { picker: board, page } = picker(KNIGHTS);
  page.isResting = true;
  board.point("1");
  expect(board.held).toBe("");
});

describe("a choice that may go on at once", () => {
  const WAYS = [{ places: ["1", "2"], onward: { 2: null, 3: ["preview.ring"] } },
    { places: ["1", "4"], onward: { 5: null } }];

  test("lights both points", () => {
    const { picker: board } = picker(WAYS);
    expect(keys(board.handles)).toEqual(["2", "3", "4", "5"]);
  });

  test("is chosen with one touch on the second, which the next prompt then answers", () => {
    const { picker: board, page } = picker(WAYS);
    board.point("3");
    expect(page.chosen).toMatchObject([{ action: 0, then: "3", places: ["1", "2", "3"], preview: ["preview.ring"] }]);
    board.plan(page.chosen[0]);
    expect(board.promised()).toBeUndefined(); // the same prompt
    page.shown.prompt = { prompt_id: 8, choices: [{ action: 9, name: ["action.9"], places: ["2", "3"] },
      { action: 8, name: ["action.8"], places: ["2"] }] };
    expect(board.promised()).toMatchObject({ action: 9 });
    expect(board.promised()).toBeUndefined(); // it is asked once
  });

  test("stops on the first where it may", () => {
    const { picker: board, page } = picker(WAYS);
    board.point("2");
    expect(page.chosen).toMatchObject([{ action: 0, then: "2" }]);
  });

  test("only goes to a first point where it may not stop", () => {
    const { picker: board, page } = picker(WAYS);
    board.point("4");
    expect(page.chosen).toMatchObject([{ action: 1 }]);
    expect(page.chosen[0].then).toBeUndefined();
  });
});
