/** The pieces in the scene: where they stand, how they walk, are carried, tumble and stand up again. */

import * as THREE from "/page/vendor/three.js";
import { free } from "./dragon.js";
import { easeBoth, easeOut } from "./timeline.js";
import { BACK, HALL, isSpot, LANDING, placeOf, RISE, ROCK, standing, walk } from "./geometry.js";
import { make, turnOf } from "./piece-models.js";

/** @typedef {import("./picking.js").PickingRenderer} PickingRenderer */
/** @typedef {import("./rock-playback.js").RockPlayback} RockPlayback */
/** @typedef {import("/page/protocol").Piece} Piece */
/** @typedef {{ group: any, piece: Piece, hit: any }} Figure */
/** @typedef {Record<string, Piece>} Pieces */

const HOP = 240; // milliseconds for a step of a walk, as all the next
const CARRY = 620;
const RIGHT = 520;
const TUMBLE = 820;
const REST = 420; // after a fall, before anybody stands up
const BACK_HOME = 900;
const FREE = 2600;

/**
 * How large the things are that the pointer meets: width, height, depth, middle.
 * @type {Record<string, [number, number, number, number]>}
 */
const SOLID = { pawn: [2, 5, 2, 2.5], shield: [3.8, 3.6, 1.6, 1.8], rock: [3.6, 3.6, 3.6, 0] };

export class PieceMotion {
  /** @type {Map<string, Figure>} */
  standing = new Map();
  /** The pieces lie as the rock left them. */
  strewn = false;
  /** Whether the dragon is free. */
  freed = false;

  /** @param {PickingRenderer} stage @param {string[]} seats the colours of the seats */
  constructor(stage, seats) {
    this.stage = stage;
    this.shop = { colours: stage.colours, stuff: stage.stuff, seats, ready: () => stage.wake() };
  }

  /** The pieces as they are shown. @returns {Pieces} */
  get pieces() {
    return Object.fromEntries([...this.standing].map(([id, { piece }]) => [id, piece]));
  }

  /** Take everything off the stairs. */
  clear() {
    for (const id of [...this.standing.keys()]) this.remove(id);
    this.strewn = false;
    this.stage.wake();
  }

  /** @param {string} id */
  remove(id) {
    const { group, hit } = /** @type {Figure} */ (this.standing.get(id));
    this.stage.scene.remove(group);
    this.stage.targets = this.stage.targets.filter((target) => target !== hit);
    this.standing.delete(id);
  }

  /** Put every piece where it belongs; resolves when all have arrived. @param {Pieces} pieces @param {boolean} still */
  async show(pieces, still) {
    for (const id of this.standing.keys()) if (!(id in pieces)) this.remove(id);
    const before = this.pieces;
    const arrivals = Object.entries(pieces).map(([id, piece]) => this.put(id, piece, before[id], pieces, still));
    this.strewn = false;
    this.stage.wake();
    await Promise.all(arrivals);
    await this.liberate(
      Object.values(pieces).some(({ place }) => place === "chamber"),
      still,
    );
  }

  /**
   * Free the dragon once a pawn is with it; in a replay it may be caught again.
   * @param {boolean} freed @param {boolean} still
   */
  async liberate(freed, still) {
    const { dragon, motion } = this.stage;
    if (!dragon || freed === this.freed) return;
    this.freed = freed;
    if (!freed || still) free(dragon, freed ? 1 : 0);
    else await motion.run(FREE, (way) => free(dragon, way));
    this.stage.wake();
  }

  /**
   * @param {string} id @param {Piece} piece @param {Piece | undefined} before @param {Pieces} pieces
   * @param {boolean} still
   */
  put(id, piece, before, pieces, still) {
    const figure = this.standing.get(id) ?? this.come(id, piece);
    const { group, hit } = figure;
    this.standing.set(id, { ...figure, piece });
    if (hit) hit.userData.key = piece.place;
    const [at, turn] = [new THREE.Vector3(...standing(piece)), turnOf(piece)];
    const settle = () => (
      group.position.copy(at),
      group.quaternion.copy(turn),
      group.scale.setScalar(1),
      (group.visible = true)
    );
    if (still) return settle();
    const arrived = group.position.distanceTo(at) < 0.01 && group.quaternion.angleTo(turn) < 0.02;
    if (before && arrived && (before.value ?? 0) === (piece.value ?? 0)) return undefined;
    return this.travel(group, piece, before, at, turn, pieces).then(settle);
  }

  /** @param {string} id @param {Piece} piece @returns {Figure} */
  come(id, piece) {
    const group = make(id, piece, this.shop);
    group.position.set(...standing(piece));
    group.quaternion.copy(turnOf(piece));
    const size = SOLID[(piece.seat ?? -1) >= 0 ? "pawn" : piece.kind];
    const hit = size ? this.stage.block(piece.place, [size[0], size[1], size[2]], [0, size[3], 0]) : null;
    if (hit) (group.add(hit), this.stage.targets.push(hit));
    this.stage.scene.add(group);
    return { group, piece, hit };
  }

  // --- Paths ---------------------------------------------------------------------------------------------------------
  /**
   * @param {any} group @param {Piece} piece @param {Piece | undefined} before @param {any} at @param {any} turn
   * @param {Pieces} pieces
   */
  async travel(group, piece, before, at, turn, pieces) {
    this.look(at);
    if (piece.kind.startsWith("die")) return this.tumble(group, at, turn);
    if (!before) return this.carry(group, at, turn, RIGHT, 3, new THREE.Vector3(at.x, at.y + 3, at.z));
    const walks = piece.kind === "pawn" && before.kind === "pawn" && before.place !== piece.place && !this.strewn;
    if (walks) return this.walk(group, before.place, piece, pieces);
    if (piece.kind === "rock" && piece.place !== "rock" && before.place !== "rock") return this.bounce(group, at);
    const far = group.position.distanceTo(at);
    return this.carry(group, at, turn, far < 3 ? RIGHT : CARRY, far < 3 ? 1.2 : 2 + far * 0.16);
  }

  /**
   * Carry something in a bow, turning it on the way.
   * @param {any} group @param {any} to @param {any} turn @param {number} long @param {number} high
   * @param {any} [from]
   */
  carry(group, to, turn, long, high, from = group.position.clone()) {
    const turned = group.quaternion.clone();
    return this.stage.motion.run(long, (way) => {
      const eased = easeBoth(way);
      group.position.lerpVectors(from, to, eased);
      group.position.y += Math.sin(eased * Math.PI) * high;
      group.quaternion.slerpQuaternions(turned, turn, eased);
    });
  }

  /**
   * Move a pawn from step to step in hops.
   * @param {any} group @param {string} from @param {Piece} piece @param {Pieces} pieces
   */
  walk(group, from, piece, pieces) {
    const keys = walk(from, piece.place, pieces.shield?.place ?? "", pieces.door?.place ?? "");
    const stops = keys.map(
      (key, number) => new THREE.Vector3(...(number === keys.length - 1 ? standing(piece) : placeOf(key))),
    );
    const points = [group.position.clone(), ...stops];
    return this.stage.motion.run(HOP * stops.length, (way) => {
      const place = Math.min(way * stops.length, stops.length - 1e-6);
      const hop = Math.floor(place);
      const part = place - hop;
      const [one, other] = [points[hop], points[hop + 1]];
      const high = 1.3 + Math.max(0, other.y - one.y) * 0.35;
      group.position.lerpVectors(one, other, easeBoth(part));
      group.position.y += 4 * part * (1 - part) * high;
      const squash = 1 + 0.12 * Math.sin(part * Math.PI) - 0.14 * Math.max(0, 1 - Math.abs(part - 1) * 9);
      group.scale.set(1 / Math.sqrt(squash), squash, 1 / Math.sqrt(squash));
    });
  }

  /** Move the rock down some steps, where there is no recording. @param {any} group @param {any} to */
  bounce(group, to) {
    const from = group.position.clone();
    const hops = Math.max(1, Math.round(Math.abs(from.y - to.y) / RISE));
    return this.stage.motion.run(130 * hops, (way) => {
      const part = (way * hops) % 1;
      group.position.lerpVectors(from, to, way);
      group.position.y += 4 * part * (1 - part);
      group.rotateX(0.2);
    });
  }

  /** Throw a die. @param {any} group @param {any} to @param {any} turn */
  tumble(group, to, turn) {
    const from = new THREE.Vector3(to.x + 7, to.y + 5, to.z + 6);
    const spin = new THREE.Quaternion();
    const axis = new THREE.Vector3(-0.7, 0.3, 0.65).normalize();
    return this.stage.motion.run(TUMBLE, (way) => {
      const eased = easeOut(way);
      const hop = Math.abs(Math.cos(eased * Math.PI * 2.5)) * (1 - eased) * 4;
      group.position.lerpVectors(from, to, eased);
      group.position.y = to.y + hop + (1 - eased) * 0.5;
      group.quaternion.copy(turn).premultiply(spin.setFromAxisAngle(axis, (1 - eased) * 9));
    });
  }

  /** Turn the dragon's head towards something. @param {any} at */
  look(at) {
    const head = this.stage.dragon?.head;
    if (!head) return;
    const to = this.glance(at);
    const from = { x: head.rotation.x, y: head.rotation.y };
    this.stage.motion.run(380, (way) =>
      head.rotation.set(from.x + (to.x - from.x) * easeBoth(way), from.y + (to.y - from.y) * easeBoth(way), 0),
    );
  }

  /** @param {{ x: number, y: number, z: number }} at */
  glance({ x, y, z }) {
    const [dy, dz] = [HALL + 8.5 - y, z - BACK + 4];
    return {
      x: Math.min(0.75, Math.atan2(dy, Math.max(dz, 4)) * 0.8),
      y: Math.max(-1, Math.min(1, Math.atan2(x, Math.max(dz, 4)) * 1.3)),
    };
  }

  // --- The fall ------------------------------------------------------------------------------------------------------
  /** Play a recorded fall, the camera following; the pieces stay where it ends. @param {RockPlayback} fall */
  async fall(fall) {
    const rock = this.standing.get("rock");
    const { stage } = this;
    if (!rock) return;
    this.strewn = true;
    this.pose(fall, 0, false);
    const start = /** @type {any} */ (fall.at(0).rock);
    if (start) {
      const lift = new THREE.Vector3(start.position.x, LANDING + ROCK + 0.3, start.position.z);
      await this.carry(rock.group, lift, start.turned, CARRY, 7);
    }
    const watch = (/** @type {number} */ seconds) => (
      stage.eye.follow(rock.group.position, seconds),
      this.follow(rock.group.position)
    );
    stage.watchers.push(watch);
    await stage.motion.run(fall.seconds * 1000, (way) => this.pose(fall, way * fall.seconds, true));
    await stage.motion.run(REST, () => {});
    stage.watchers.splice(stage.watchers.indexOf(watch), 1);
    const here = { ...stage.eye.now, target: stage.eye.now.target.clone() };
    await stage.motion.run(BACK_HOME, (way) => {
      stage.eye.now = { ...here, target: here.target.clone() };
      stage.eye.near(stage.eye.wanted(), easeBoth(way));
    });
  }

  /** @param {any} at */
  follow(at) {
    const { x, y } = this.glance(at);
    this.stage.dragon?.head.rotation.set(x, y, 0);
  }

  /**
   * Put rock and pawns where they were at a time of a fall.
   * @param {RockPlayback} fall @param {number} seconds @param {boolean} rolling
   */
  pose(fall, seconds, rolling) {
    const { rock, pawns } = fall.at(seconds);
    const ball = this.standing.get("rock");
    if (ball && rolling) {
      ball.group.visible = Boolean(rock);
      if (rock) (ball.group.position.copy(rock.position), ball.group.quaternion.copy(rock.turned));
    }
    for (const { group, piece } of this.standing.values()) {
      const pose = pawns.get(piece.seat ?? -1);
      if (pose) (group.position.copy(pose.position), group.quaternion.copy(pose.turned), group.scale.setScalar(1));
    }
  }

  // --- Hints ---------------------------------------------------------------------------------------------------------
  /** The points over which a choice leads, for an arrow. @param {string[]} way @returns {[number, number, number][]} */
  road(way) {
    const [from, to] = [way[0], way[way.length - 1]];
    const { shield, door } = this.pieces;
    const pawn = [...this.standing.values()].find(({ piece }) => piece.place === from && (piece.seat ?? -1) >= 0);
    const walks = pawn && (isSpot(to) || to.startsWith("door")) && from !== shield?.place;
    const keys = walks ? [from, ...walk(from, to, shield?.place ?? "", door?.place ?? "")] : way;
    return keys.map((key, number) => (pawn && !number ? standing(pawn.piece) : placeOf(key)));
  }
}
