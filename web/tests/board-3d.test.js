/** The stair in 3D: how pawns walk, and how a recorded fall is read. */

import { describe, expect, test } from "vitest";

import { RockPlayback } from "../../src/dracotheque/games/save_the_dragon/web/3d/rock-playback.js";
import { KEYS, placeOf, standing, walk } from "../../src/dracotheque/games/save_the_dragon/web/3d/geometry.js";

describe("walk", () => {
  test("goes up and aside, never down", () => {
    expect(walk("a1", "b3", "c9", "door-a")).toHaveLength(3);
    expect(walk("floor", "c2", "a9", "door-a")).toEqual(["c1", "c2"]);
    expect(walk("b5", "b2", "a9", "door-a")).toEqual(["b2"]); // no walk leads there
  });

  test("goes around the shield", () => {
    expect(walk("b1", "b3", "b2", "door-a")).not.toContain("b2");
    expect(walk("b1", "b3", "a2", "door-a")).toEqual(["b2", "b3"]);
  });

  test("goes to the dragon through an open door", () => {
    expect(walk("b9", "chamber", "a1", "door-a")).toEqual(["door-b", "chamber"]);
    expect(walk("b9", "chamber", "a1", "door-b")).toHaveLength(3);
  });
});

describe("places", () => {
  test("are all apart from each other", () => {
    const points = KEYS.map((key) => placeOf(key).join());
    expect(new Set(points).size).toBe(27 + 3 + 5);
  });

  test("give every seat room on the floor", () => {
    const spots = [0, 1, 2, 3].map((seat) => standing({ kind: "pawn", place: "floor", seat }).join());
    expect(new Set(spots).size).toBe(4);
  });
});

describe("a recorded fall", () => {
  /** Two frames: the rock and the pawn of seat 2 are let go, then the rock alone moves on, and is taken away. */
  const path = () => {
    const bytes = new DataView(new ArrayBuffer(6 + (1 + 28) + (1 + 14) + 1));
    [0x52, 0x6b, 1, 0b100].forEach((byte, at) => bytes.setUint8(at, byte));
    bytes.setUint16(4, 3, true);
    let at = 6;
    const frame = (/** @type {number} */ moved, /** @type {number[][]} */ ...poses) => {
      bytes.setUint8(at++, moved);
      for (const part of poses.flat()) (bytes.setInt16(at, part, true), (at += 2));
    };
    frame(0b11, [500, 1000, 1500, 32767, 0, 0, 0], [0, 500, 0, 32767, 0, 0, 0]);
    frame(0b01, [1500, 1000, 500, 32767, 0, 0, 0]);
    frame(0x80);
    return btoa(String.fromCharCode(...new Uint8Array(bytes.buffer)));
  };

  test("says where everything was, also between two frames", () => {
    const fall = new RockPlayback({ path: path() });
    expect(fall.seconds).toBeCloseTo(2 / 30);
    const { rock, pawns } = fall.at(0.5 / 30);
    expect(rock?.position.toArray()).toEqual([2, 2, -2]); // right, up, towards us
    expect([...pawns.keys()]).toEqual([2]);
    expect(pawns.get(2)?.position.toArray()).toEqual([0, 0, -1]);
  });

  test("ends without the rock where that was taken away", () => {
    const fall = new RockPlayback({ path: path() });
    expect(fall.at(99).rock).toBeNull();
    expect(fall.at(99).pawns.size).toBe(1);
  });

  test("is refused where it is something else", () => {
    expect(() => new RockPlayback({ path: btoa("something else") })).toThrow("not the path of a rock");
  });
});
