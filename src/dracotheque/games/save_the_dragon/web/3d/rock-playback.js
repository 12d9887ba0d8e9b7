/** Decodes a recording of the falling rock, and interpolates it at any time. */

import * as THREE from "/page/vendor/three.js";

/** @typedef {{ position: any, turned: any }} Pose */
/** @typedef {{ rock: Pose | null, pawns: Map<number, Pose> }} Frame */
/** @typedef {import("/page/protocol").Recording} Recording */

const MARK = "Rk";
const HEAD = 6; // bytes
const POSE = 14;
const FRAMES = 30; // a second
const TAKEN = 0x80; // the rock has been taken away
const FINE = 500; // parts of a centimetre
const TURN = 32767;

export class RockPlayback {
  /** @param {Recording} message */
  constructor({ path = "" }) {
    this.frames = read(Uint8Array.from(atob(path), (sign) => sign.charCodeAt(0)));
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

/** @param {Pose} one @param {Pose} other @param {number} way */
function between(one, other, way) {
  return {
    position: one.position.clone().lerp(other.position, way),
    turned: one.turned.clone().slerp(other.turned, way),
  };
}

/** Read frame by frame; a body that is not written is where it was. @param {Uint8Array} bytes @returns {Frame[]} */
function read(bytes) {
  const view = new DataView(bytes.buffer);
  if (String.fromCharCode(bytes[0], bytes[1]) !== MARK || bytes[2] !== 1) throw new Error("not the path of a rock");
  const seats = [0, 1, 2, 3].filter((seat) => (bytes[3] >> seat) & 1);
  const count = view.getUint16(4, true);
  /** @type {(Pose | null)[]} */
  const poses = Array(seats.length + 1).fill(null);
  const frames = [];
  for (let number = 0, at = HEAD; number < count; number++) {
    const moved = view.getUint8(at++);
    for (let body = 0; body < poses.length; body++) {
      if (!((moved >> body) & 1)) continue;
      poses[body] = pose(view, at);
      at += POSE;
    }
    const pawns = seats.flatMap((seat, body) => {
      const found = poses[body + 1];
      return found ? [/** @type {[number, Pose]} */ ([seat, found])] : [];
    });
    frames.push({ rock: moved & TAKEN ? null : poses[0], pawns: new Map(pawns) });
  }
  return frames;
}

/**
 * The server says right, onwards, up; here it is right, up, towards us.
 * @param {DataView} view @param {number} at @returns {Pose}
 */
function pose(view, at) {
  const [right, on, up, w, i, j, k] = Array.from({ length: 7 }, (_, part) => view.getInt16(at + 2 * part, true));
  return {
    position: new THREE.Vector3(right / FINE, up / FINE, -on / FINE),
    turned: new THREE.Quaternion(i / TURN, k / TURN, -j / TURN, w / TURN).normalize(),
  };
}
