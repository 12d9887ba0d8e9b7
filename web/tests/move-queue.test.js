/** The queue of moves: boards from patches, gaps, and what is shown one by one or set down at once. */

import { beforeEach, describe, expect, test, vi } from "vitest";
import { unfold } from "../../src/dracotheque/server/page/js/game-record.js";
import { LastRound, still } from "../../src/dracotheque/server/page/js/last-round.js";
import { applyPatch, filledIn, MoveQueue, withChoices } from "../../src/dracotheque/server/page/js/move-queue.js";

const knight = { kind: "knight", place: "3", seat: 1 };
const ruby = { kind: "ruby", count: 2 };
const gold = { kind: "gold", value: 5 };

describe("a patch", () => {
  const board = () => ({ pieces: { ann: knight, gem: { kind: "gem", place: "7" } }, holdings: [[ruby, gold], []] });

  test("replaces pieces whole, removes them, and lets others come", () => {
    const record = { player: 0, events: [], pieces: { ann: { kind: "knight", place: "4" }, gem: null, dot: knight } };
    expect(applyPatch(board(), record).pieces).toEqual({ ann: { kind: "knight", place: "4" }, dot: knight });
  });

  test("replaces what lies before a seat, and takes over what is named by its number", () => {
    const { holdings } = applyPatch(board(), { player: 0, events: [], holdings: { 0: [1, { kind: "pearl" }], 1: [ruby] } });
    expect(holdings).toEqual([[gold, { kind: "pearl" }], [ruby]]);
  });

  test("leaves the board before as it was", () => {
    const before = board();
    applyPatch(before, { player: 0, events: [], pieces: { ann: null, gem: knight }, holdings: { 0: [] } });
    expect(before).toEqual(board());
  });

  test("after the other makes every board of a game", () => {
    const moves = ["4", "5"].map((place) => ({ events: [], pieces: { ann: { ...knight, place } } }));
    const { boards } = unfold({ first: 0, move_number: 2, moves, board: board() });
    expect(boards.map(({ pieces }) => pieces.ann.place)).toEqual(["3", "4", "5"]);
  });
});

describe("a prompt", () => {
  const choices = [{ action: 3, name: /** @type {[string, {}]} */ (["walk", {}]) }];
  /** @param {number} id @param {object} [more] @returns {any} */
  const prompt = (id, more) => ({ rule: "walk", phrase: ["walk", {}], seats: [0], prompt_id: id, ...more });

  test("that was put before keeps its choices", () => {
    expect(withChoices(prompt(4, { choices }), prompt(4))).toEqual(prompt(4, { choices }));
  });

  test("that is another, or for somebody else, has only its own", () => {
    expect(withChoices(prompt(4, { choices }), prompt(5))).toEqual(prompt(5));
    expect(withChoices(prompt(0, { choices }), prompt(0))).toEqual(prompt(0));
    expect(withChoices(prompt(4, { choices }), null)).toBeNull();
  });
});

const WALK = ["walk", ["event.walks", {}]];

describe("the queue", () => {
  /** What was drawn and committed, in order. @type {string[]} */
  let seen;
  /** Lets the drawing that is going on arrive. @type {(() => void)[]} */
  let arrive;
  /** @type {any} */
  let viewer;
  /** @type {MoveQueue} */
  let queue;

  beforeEach(() => {
    seen = [];
    arrive = [];
    viewer = {
      isCalm: false, isDrawn: true, isReplaying: false,
      turnsAway: () => false,
      begin: (/** @type {any} */ record) => seen.push(`tell ${record.name}`),
      hold: vi.fn(),
      draw: vi.fn(({ moveNumber, still }) => {
        seen.push(`${still ? "set down" : "draw"} ${moveNumber}`);
        return still ? Promise.resolve() : new Promise((resolve) => arrive.push(/** @type {() => void} */ (resolve)));
      }),
      commit: (/** @type {any[]} */ steps) => seen.push(steps.map(nameOf).join(" ")),
      note: vi.fn(), finish: vi.fn(), sync: vi.fn(),
    };
    queue = new MoveQueue(viewer);
  });

  /** @param {any} step */
  const nameOf = (step) => (step.type === "move" ? `move ${step.moveNumber}` : step.type);
  const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
  /** @param {number} revision @param {object} [more] @returns {any} */
  const snapshot = (revision, more) => ({
    type: "snapshot", protocol: 2, revision, move_number: 0, table: { status: "playing" }, seats: [], viewpoint: 0,
    board: { pieces: {}, holdings: [] }, ...more,
  });
  /** @param {number} revision @param {number} last @param {number} count @returns {any} */
  const update = (revision, last, count) => ({
    type: "update", revision, move_number: last,
    moves: Array.from({ length: count }, (_, move) => ({ name: last - count + move + 1, player: 0, events: [WALK] })),
  });
  /** @param {...any} messages */
  async function say(...messages) {
    for (const message of messages) queue.receive(message);
    void queue.run();
    await settled();
  }
  async function arrived() {
    arrive.shift()?.();
    await settled();
  }

  test("shows one move after the other, the prompt with the last", async () => {
    await say(snapshot(4));
    await arrived();
    seen = [];
    await say(update(5, 2, 2));
    expect(seen).toEqual(["tell 1", "draw 1"]);
    expect([queue.isBusy, queue.isTelling]).toEqual([true, true]);
    await arrived();
    expect(seen).toEqual(["tell 1", "draw 1", "move 1", "tell 2", "draw 2"]);
    await arrived();
    expect(seen.slice(-2)).toEqual(["draw 2", "move 2 update"]);
    expect([queue.isBusy, queue.isTelling]).toEqual([false, false]);
  });

  test("shows every move for its time, however many there are", async () => {
    await say(snapshot(4));
    await arrived();
    seen = [];
    await say(update(5, 30, 30));
    for (let move = 0; move < 30; move += 1) await arrived();
    expect(seen.filter((each) => each.startsWith("tell"))).toHaveLength(30);
    expect(viewer.hold.mock.calls.map(([, , waiting]) => waiting)).toEqual(Array.from({ length: 30 }, (_, left) => 30 - left));
  });

  test("shows a move that nothing is told of together with the next", async () => {
    await say(snapshot(4));
    await arrived();
    seen = [];
    const silent = update(5, 3, 3);
    silent.moves[0].events = silent.moves[1].events = [];
    await say(silent);
    await arrived();
    expect(seen).toEqual(["tell 3", "draw 3", "move 1 move 2 move 3 update"]);
  });

  test("tells the outcome of a fall after it was seen", async () => {
    await say(snapshot(4));
    await arrived();
    seen = [];
    const fall = update(5, 1, 1);
    fall.moves[0].recording = "/fall";
    await say(fall);
    expect(seen).toEqual(["draw 1"]);
    await arrived();
    expect(seen).toEqual(["draw 1", "tell 1", "move 1 update"]);
  });

  test("shows the last round again and ends where it was", async () => {
    const round = new LastRound();
    const board = (/** @type {string} */ place) => ({ pieces: { ann: { ...knight, place } }, holdings: [] });
    const move = (/** @type {number} */ player, /** @type {number} */ number) => /** @type {any} */ ({
      type: "move", record: { name: number, player, events: [WALK] }, board: board(String(number)), moveNumber: number,
    });
    round.add(move(0, 1), true);
    expect(round.isEmpty).toBe(true);
    for (const [player, number] of [[1, 2], [-1, 3], [2, 4]]) round.add(move(player, number), false);
    expect(round.steps(2).map(({ moveNumber }) => moveNumber)).toEqual([3, 4]);
    expect(round.steps(1).map(({ moveNumber }) => moveNumber)).toEqual([1, 2, 3]);
    void queue.again([...round.steps(), still(board("4"), 4)]);
    for (let step = 0; step < 5; step += 1) {
      await settled();
      await arrived();
    }
    expect(seen.filter((each) => !each.startsWith("replay"))).toEqual(
      ["set down 1", "tell 2", "draw 2", "tell 3", "draw 3", "tell 4", "draw 4", "set down 4"]);
  });

  test("waits for nothing where there is no board yet", async () => {
    viewer.isDrawn = false;
    await say(snapshot(4));
    expect(seen).toEqual(["draw 0", "snapshot"]);
    expect(queue.isBusy).toBe(false);
  });

  test("asks once for a snapshot where a message is missing, and goes on from there", async () => {
    viewer.isCalm = true;
    await say(snapshot(4), update(6, 3, 1), update(7, 4, 1));
    expect(viewer.sync).toHaveBeenCalledTimes(1);
    expect([queue.revision, queue.isBusy]).toEqual([4, true]);
    await say(snapshot(7, { move_number: 4 }), update(8, 5, 1));
    expect(viewer.sync).toHaveBeenCalledTimes(1);
    expect([queue.revision, queue.moveNumber, queue.isBusy]).toEqual([8, 5, false]);
  });

  test("asks for a snapshot where an answer is ahead of what was heard", async () => {
    viewer.isCalm = true;
    await say(snapshot(4));
    queue.expect(4);
    expect(viewer.sync).not.toHaveBeenCalled();
    queue.expect(5);
    queue.expect(5);
    expect(viewer.sync).toHaveBeenCalledTimes(1);
    queue.lost();
    expect(queue.isBusy).toBe(false);
  });

  test("ignores what a snapshot has shown already", async () => {
    viewer.isCalm = true;
    await say(snapshot(7, { move_number: 4 }), update(7, 4, 1), update(6, 3, 1));
    expect(viewer.sync).not.toHaveBeenCalled();
    expect(seen).toEqual(["set down 4", "snapshot"]);
  });

  test("sets everything down at once where nothing is to move", async () => {
    viewer.isCalm = true;
    await say(snapshot(4), update(5, 2, 2), update(6, 3, 1));
    expect(seen).toEqual(["set down 3", "snapshot move 1 move 2 update move 3 update"]);
  });

  test("sets down what is left when somebody does not want to wait", async () => {
    await say(snapshot(4));
    await arrived();
    seen = [];
    await say(update(5, 3, 3));
    queue.skip();
    expect(viewer.finish).toHaveBeenCalled();
    await arrived();
    expect(seen).toEqual(["tell 1", "draw 1", "move 1", "set down 3", "move 2 move 3 update"]);
    await say(update(6, 4, 1));
    expect(seen.at(-1)).toBe("draw 4"); // what comes later takes its time again
  });

  test("names the recording of a fall, unless nobody wants to wait", async () => {
    await say(snapshot(4));
    await arrived();
    const fall = update(5, 2, 2);
    fall.moves[1].recording = "/fall";
    await say(fall);
    await arrived();
    expect(viewer.draw.mock.lastCall[0]).toMatchObject({ moveNumber: 2, still: false, recording: "/fall" });
    viewer.isCalm = true;
    await arrived();
    await say({ ...fall, revision: 6, move_number: 4 });
    expect(viewer.draw.mock.lastCall[0]).toMatchObject({ moveNumber: 4, still: true, recording: undefined });
  });

  test("shows nothing to the next player at the screen", async () => {
    await say(snapshot(4));
    await arrived();
    seen = [];
    viewer.turnsAway = () => true;
    await say(update(5, 2, 2));
    expect(seen).toEqual(["move 1 move 2 update"]);
  });

  test("gives what is dropped, the move being drawn first, and does not commit that again", async () => {
    await say(snapshot(4));
    await arrived();
    seen = [];
    await say(update(5, 2, 2));
    expect(queue.drop().map(nameOf)).toEqual(["move 1", "move 2", "update"]);
    await arrived();
    expect(seen).toEqual(["tell 1", "draw 1"]);
  });

  test("goes on where a drawing fails", async () => {
    await say(snapshot(4));
    await arrived();
    seen = [];
    viewer.draw.mockImplementationOnce(() => Promise.reject(new Error("no such symbol")));
    queue.receive(update(5, 1, 1));
    await expect(queue.run()).rejects.toThrow("no such symbol");
    expect([seen, queue.isBusy]).toEqual([["tell 1", "move 1 update"], false]);
  });

  test("passes on chat at once, also into a snapshot that is not shown yet", async () => {
    await say(snapshot(4), { type: "chat", revision: 5, seat: 1, text: "well done" });
    expect(viewer.note).toHaveBeenCalledTimes(1);
    const [step] = queue.drop();
    expect(step).toMatchObject({ snapshot: { chat: [{ text: "well done" }] } });
  });

  test("knows a line of somebody muted only by its number", async () => {
    await say(snapshot(4), { type: "chat", revision: 5, seat: -1, text: "" });
    expect(queue.drop()[0]).toMatchObject({ snapshot: { chat: [] } });
    expect(queue.revision).toBe(5);
  });
});

test("what a snapshot leaves out is filled in", () => {
  const sent = /** @type {any} */ ({ type: "snapshot", revision: 3, viewpoint: -1 });
  expect(filledIn(sent)).toMatchObject({ board: null, prompt: null, recent: [], chat: [], result: null });
});
