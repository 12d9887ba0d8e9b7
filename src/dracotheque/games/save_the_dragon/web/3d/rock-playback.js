/** A recorded fall of the rock, interpolated at any time. */

import * as THREE from "/page/vendor/three.js";
import { FRAMES, landings, read } from "../recording.js";

/** @typedef {{ position: any, turned: any }} Pose */
/** @typedef {{ rock: Pose | null, pawns: Map<number, Pose> }} Frame */
/** @typedef {import("../recording.js").Pose} Written */
/** @typedef {import("/page/protocol").Recording} Recording */

export class RockPlayback {
  /** @param {Recording} message */
  constructor({ path = "" }) {
    const frames = read(path);
    this.landings = landings(frames);
    /** @type {Frame[]} */
    this.frames = frames.map(({ rock, pawns }) => ({
      rock: rock && placed(rock),
      pawns: new Map([...pawns].map(([seat, pose]) => [seat, placed(pose)])),
    }));
  }

  /** How long it takes, in seconds. */
  get seconds() {
    return (this.frames.length - 1) / FRAMES;
  }

  /** What it was like at a time, between two frames if need be. @param {number} seconds @returns {Frame} */
  at(seconds) {
    const place = Math.min(this.frames.length - 1, Math.max(0, seconds * FRAMES));
    const [one, other] = [this.frames[Math.floor(place)], this.frames[Math.ceil(place)]];
    const way = place - Math.floor(place);
    const rock = one.rock && other.rock ? between(one.rock, other.rock, way) : other.rock;
    const pawns = [...one.pawns].map(
      ([seat, pose]) => /** @type {[number, Pose]} */ ([seat, between(pose, other.pawns.get(seat) ?? pose, way)]),
    );
    return { rock, pawns: new Map(pawns) };
  }
}

/** @param {Written} pose @returns {Pose} */
const placed = ({ position, turned }) => ({
  position: new THREE.Vector3(...position),
  turned: new THREE.Quaternion(...turned).normalize(),
});

/** @param {Pose} one @param {Pose} other @param {number} way */
function between(one, other, way) {
  return {
    position: one.position.clone().lerp(other.position, way),
    turned: one.turned.clone().slerp(other.turned, way),
  };
}
