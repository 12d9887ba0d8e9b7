/** The stair in 3D: how pawns walk, and how a recorded fall is read. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import * as THREE from "../../src/dracotheque/server/page/vendor/three.js";
import { Camera } from "../../src/dracotheque/games/save_the_dragon/web/3d/camera.js";
import { Timeline } from "../../src/dracotheque/games/save_the_dragon/web/3d/timeline.js";
import { seen as seenFlat } from "../../src/dracotheque/games/save_the_dragon/web/flat-fall.js";
import { landings } from "../../src/dracotheque/games/save_the_dragon/web/recording.js";
import { RockPlayback } from "../../src/dracotheque/games/save_the_dragon/web/3d/rock-playback.js";
import { KEYS, placeOf, standing, walk } from "../../src/dracotheque/games/save_the_dragon/web/3d/geometry.js";

const SPOTS = KEYS.filter((key) => /^[abc]\d$/.test(key));

/** Where places are seen in a picture of a size, in pixels. @param {number} width @param {number} height */
function seen(width, height) {
  const eye = new Camera();
  eye.fit(width, height);
  return (/** @type {string} */ key, dx = 0) => {
    const [x, y, z] = placeOf(key);
    const at = new THREE.Vector3(x + dx, y, z).project(eye.camera);
    return { x: ((at.x + 1) / 2) * width, y: ((1 - at.y) / 2) * height };
  };
}

describe("the camera", () => {
  test.each([
    [1120, 856, 1440, 900],
    [820, 724, 1024, 768],
  ])("gives the stairs, on a board of %i × %i pixels, 15 percent of the screen", (width, height, ...screen) => {
    const at = seen(width, height);
    const corners = ["a1", "c1", "a9", "c9"].flatMap((key) => [at(key, -2.6), at(key, 2.6)]);
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    const box = (Math.max(...xs) - Math.min(...xs)) * (Math.max(...ys) - Math.min(...ys));
    expect(box / (screen[0] * screen[1])).toBeGreaterThan(0.15);
  });

  test.each([
    [390, 420],
    [390, 600],
    [768, 700],
  ])("makes every cell broad and high enough for a finger, on a board of %i × %i pixels", (width, height) => {
    const at = seen(width, height);
    for (const key of SPOTS) {
      expect(at(key, 2.6).x - at(key, -2.6).x).toBeGreaterThan(60);
      const [above] = [`${key[0]}${Number(key[1]) + 1}`, "a9"].filter((other) => SPOTS.includes(other));
      if (above !== key && above[0] === key[0]) expect(at(key).y - at(above).y).toBeGreaterThan(34);
    }
  });

  test.each([[1120, 856], [390, 420], [390, 690], [360, 400], [520, 390]])(
    "sees every place where something stands, on a board of %i × %i pixels", (width, height) => {
      const at = seen(width, height);
      for (const key of KEYS.filter((each) => each !== "chamber")) {
        const { x, y } = at(key);
        expect(x > 0 && x < width && y > 0 && y < height, `${key} at ${x}, ${y}`).toBe(true);
      }
    });

  test("knows how many pixels a centimetre has", () => {
    const eye = new Camera();
    eye.fit(390, 600);
    const [foot, top] = [new THREE.Vector3(12, 0, 1), new THREE.Vector3(12, 0, 1)];
    const up = new THREE.Vector3().setFromMatrixColumn(eye.camera.matrixWorld, 1);
    top.addScaledVector(up, 3);
    const high = ((top.project(eye.camera).y - foot.clone().project(eye.camera).y) / 2) * 600;
    expect(eye.unitAt(foot, 600)).toBeCloseTo(high / 3, 0);
  });
});

describe("an animation", () => {
  beforeEach(() => {
    vi.stubGlobal("document", { hidden: false });
    vi.stubGlobal("localStorage", { getItem: () => null });
  });
  afterEach(() => vi.unstubAllGlobals());

  test("resolves once its end is shown, not before", async () => {
    const shown = /** @type {number[]} */ ([]);
    let over = false;
    const motion = new Timeline(() => {});
    const run = motion.run(1000, (way) => shown.push(way)).then(() => (over = true));
    motion.go(0);
    motion.go(600);
    await Promise.resolve();
    expect([shown, over]).toEqual([[0, 0.6], false]);
    motion.go(1000);
    await run;
    expect(shown.at(-1)).toBe(1);
  });

  test("is at its end at once where it is cut short, or nobody sees it", async () => {
    const shown = /** @type {number[]} */ ([]);
    const motion = new Timeline(() => {});
    const run = motion.run(1000, (way) => shown.push(way));
    motion.hurry();
    await run;
    await motion.run(1000, (way) => shown.push(way));
    expect(shown).toEqual([1, 1]);
    motion.begin();
    vi.stubGlobal("document", { hidden: true });
    await motion.run(1000, (way) => shown.push(way));
    expect(shown).toEqual([1, 1, 1]);
  });
});

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

  test("is seen on the flat board where it was", () => {
    const at = (/** @type {number} */ x, /** @type {number} */ y) => /** @type {any} */ ({ x, y, r: 40 });
    const places = new Map([["b1", at(480, 1130)], ["c1", at(700, 1130)], ["b9", at(480, 430)], ["c9", at(660, 430)]]);
    const { rock, pawns } = seenFlat(path(), places);
    expect(rock).toHaveLength(2);
    expect(rock[1].x).toBeGreaterThan(rock[0].x);
    expect(pawns.get(2)?.[0]).toMatchObject({ x: 480, turn: 0 });
  });

  test("thunders where the rock lands", () => {
    const heights = [5, 4.9, 4.5, 3.9, 3.1, 3.2, 3.6, 3.5, 3, 2.2, 2.2];
    const frames = heights.map((y) => ({ rock: { position: [0, y, 0], turned: [0, 0, 0, 1] }, pawns: new Map() }));
    expect(landings(/** @type {any} */ (frames))).toEqual([4 / 30, 9 / 30]);
  });

  test("is refused where it is something else", () => {
    expect(() => new RockPlayback({ path: btoa("something else") })).toThrow("not the path of a rock");
  });
});
