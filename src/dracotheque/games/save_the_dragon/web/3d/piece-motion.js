/** The pieces in the scene: where they stand, how they walk, are carried, tumble and stand up again. */

import * as THREE from "/page/vendor/three.js";
import { play } from "/page/js/sound.js";
import { free } from "./dragon.js";
import { burstChain, fliesBy, fly, LAP } from "./lap.js";
import { easeBoth, easeOut } from "./timeline.js";
import { BACK, HALL, isSpot, LANDING, LEAF, placeOf, RISE, ROCK, standing, STEPS, walk } from "./geometry.js";
import { EDGE, make, turnOf } from "./piece-models.js";

/** @typedef {import("./picking.js").PickingRenderer} PickingRenderer */
/** @typedef {import("./rock-playback.js").RockPlayback} RockPlayback */
/** @typedef {import("/page/protocol").Piece} Piece */
/** @typedef {{ group: any, piece: Piece, hit: any }} Figure */
/** @typedef {Record<string, Piece>} Pieces */

const HOP = 240; // milliseconds for a step of a walk, as all the next
const CARRY = 620;
const RIGHT = 520;
const TUMBLE = 950;
const FLIGHT = 0.45; // of a throw, until the die touches the ground
const BEHIND = 1.4; // of its edge the second die lies behind the first, as it is seen
const LIES = 0.62; // of its edge the middle of a tipped die is above the ground
const REST = 420; // after a fall, before anybody stands up
const BACK_HOME = 700;
const LONGEST = 4000; // a fall: what takes longer is shown faster
const STILL = 900; // a picture of a fall, for who wants no motion
const THUNDER = 0.5; // seconds from one thunder to the next
const AJAR = 1.5; // radians: so far a door opens
const SWING = 620;
const GHOST = 0.55; // how much is seen of a piece that is foreshown
const LIFT = 0.8; // how high a piece is held that has been taken up
const LIFTED = new Set(["shield", "door", "rock"]);

/**
 * How large the things are that the pointer meets: width, height, depth, middle.
 * @type {Record<string, [number, number, number, number]>}
 */
const SOLID = { pawn: [2, 5, 2, 2.5], shield: [3.8, 3.6, 1.6, 1.8], rock: [3.6, 3.6, 3.6, 0] };

/** @param {Piece} piece */
const isDie = ({ kind }) => kind.startsWith("die");

export class PieceMotion {
  /** @type {Map<string, Figure>} */
  standing = new Map();
  /** The pieces lie as the rock left them. */
  strewn = false;
  /** The seat that chooses. */
  chooser = -1;
  /** The id of the pawn that rolls the dice. */
  roller = "";
  /** Whether the dragon is free. */
  freed = false;

  /** What ghosts are made of. @type {Map<any, any>} */
  faints = new Map();

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
    const [winner = ""] = Object.entries(pieces).find(([, { place }]) => place === "chamber") ?? [];
    await this.liberate(winner, still);
  }

  /**
   * Free the dragon once a pawn is with it: its chain bursts, and it flies a lap of honour; in a replay it may be
   * caught again.
   * @param {string} winner the pawn that is with it, if any @param {boolean} still
   */
  async liberate(winner, still) {
    const { stage } = this;
    const { dragon } = stage;
    const freed = Boolean(winner);
    if (!dragon || freed === this.freed) return;
    this.freed = freed;
    if (!freed || still) {
      free(dragon, freed ? 1 : 0);
      return stage.see(freed ? "hall" : "stairs");
    }
    const { group, piece } = /** @type {Figure} */ (this.standing.get(winner));
    const links = burstChain(dragon, stage.stuff.links);
    stage.scene.add(links);
    play("stone", "wing");
    const comes = stage.see("lap", LAP / 6);
    await stage.motion.run(LAP, (way) => (fly(links, way), fliesBy(dragon, group, way)));
    await comes;
    stage.scene.remove(links);
    for (const link of links.children) link.geometry.dispose();
    free(dragon, 1);
    group.position.copy(this.spot(piece));
    group.quaternion.copy(turnOf(piece));
    await stage.see("hall", CARRY);
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
    const [at, turn] = [this.spot(piece), turnOf(piece)];
    const settle = () => (
      group.position.copy(at),
      group.quaternion.copy(turn),
      group.scale.setScalar(this.sizeOf(piece)),
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
    group.position.copy(this.spot(piece));
    group.quaternion.copy(turnOf(piece));
    group.scale.setScalar(this.sizeOf(piece));
    const size = SOLID[(piece.seat ?? -1) >= 0 ? "pawn" : piece.kind];
    const hit = size ? this.stage.block(piece.place, [size[0], size[1], size[2]], [0, size[3], 0]) : null;
    if (hit) (group.add(hit), this.stage.targets.push(hit));
    this.stage.scene.add(group);
    return { group, piece, hit };
  }

  /** Where a piece stands; a die lies on the ground, however large it is. @param {Piece} piece */
  spot(piece) {
    const at = new THREE.Vector3(...standing(piece));
    if (!isDie(piece)) return at;
    const [edge, x] = this.stage.dieAt(placeOf(piece.place));
    const behind = piece.kind === "die-action" ? (BEHIND * edge) / Math.sin(this.stage.eye.home.lift) : 0;
    return at.set(x, at.y + LIES * edge, at.z - behind);
  }

  /** How large a piece is: a die so large that its number is read on the smallest screen. @param {Piece} piece */
  sizeOf(piece) {
    return isDie(piece) ? this.stage.dieAt(placeOf(piece.place))[0] / EDGE : 1;
  }

  /** The picture has another size now: so have the dice. */
  fit() {
    for (const { group, piece } of this.standing.values()) {
      if (isDie(piece)) (group.position.copy(this.spot(piece)), group.scale.setScalar(this.sizeOf(piece)));
    }
  }

  // --- Paths ---------------------------------------------------------------------------------------------------------
  /**
   * @param {any} group @param {Piece} piece @param {Piece | undefined} before @param {any} at @param {any} turn
   * @param {Pieces} pieces
   */
  async travel(group, piece, before, at, turn, pieces) {
    this.look(at);
    if (isDie(piece)) return this.tumble(group, at, turn, this.sizeOf(piece));
    if (before && piece.kind === "door") return this.swing(group, at);
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

  /** Open the door where it hangs, and shut it where it belongs now. @param {any} group @param {any} to */
  swing(group, to) {
    const from = group.position.clone();
    const about = new THREE.Vector3(0, 1, 0);
    return this.stage.motion.run(SWING, (way) => {
      const opens = way < 0.5;
      const angle = AJAR * easeBoth(opens ? 2 * way : 2 - 2 * way);
      const at = opens ? from : to;
      group.position.set(at.x - LEAF * (1 - Math.cos(angle)), at.y, at.z - LEAF * Math.sin(angle));
      group.quaternion.setFromAxisAngle(about, angle);
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

  /**
   * Throw a die from the pawn whose turn it is: it bounces twice and grows as it comes nearer.
   * @param {any} group @param {any} to @param {any} turn @param {number} size
   */
  tumble(group, to, turn, size) {
    const thrower = this.standing.get(this.roller)?.group.position ?? new THREE.Vector3(to.x + 7, 5, to.z + 6);
    const from = new THREE.Vector3(thrower.x, thrower.y + 4, thrower.z);
    const spin = new THREE.Quaternion();
    const axis = new THREE.Vector3(-0.7, 0.3, 0.65).normalize();
    return this.stage.motion.run(TUMBLE, (way) => {
      const [flown, rolled] = [Math.min(1, way / FLIGHT), Math.max(0, (way - FLIGHT) / (1 - FLIGHT))];
      const hop = rolled ? Math.abs(Math.sin(rolled * Math.PI * 2)) * (1 - rolled) * 3 : Math.sin(flown * Math.PI) * 5;
      group.position.lerpVectors(from, to, 0.9 * flown + 0.1 * easeOut(rolled));
      group.position.y = Math.max(to.y, group.position.y) + hop;
      group.scale.setScalar(size * (0.35 + 0.65 * flown));
      group.quaternion.copy(turn).premultiply(spin.setFromAxisAngle(axis, (1 - easeOut(way)) * 14));
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
  /**
   * Play a recorded fall, the camera following; resolves when all lies still, and the pieces stay as they lie.
   * @param {RockPlayback} fall @param {boolean} calm whether only its beginning and its end are shown
   */
  async fall(fall, calm) {
    const rock = this.standing.get("rock");
    const { stage } = this;
    if (!rock) return;
    this.strewn = true;
    this.hideDice(true);
    this.pose(fall, 0, false);
    await this.release(rock.group, fall.at(0).rock, calm);
    if (calm) {
      this.pose(fall, fall.seconds, true);
      this.hideDice(false);
      return stage.motion.run(STILL, () => {});
    }
    const watch = (/** @type {number} */ seconds) => (
      stage.eye.follow(rock.group.position, seconds),
      this.follow(rock.group.position)
    );
    stage.watchers.push(watch);
    await this.roll(fall);
    await stage.motion.run(REST, () => {});
    stage.watchers.splice(stage.watchers.indexOf(watch), 1);
    await this.comeHome();
    return this.hideDice(false);
  }

  /** Keep the dice out of the way of a falling rock. @param {boolean} hidden */
  hideDice(hidden) {
    for (const { group, piece } of this.standing.values()) if (isDie(piece)) group.visible = !hidden;
  }

  /**
   * Carry the rock to the door through which it is let go.
   * @param {any} rock @param {import("./rock-playback.js").Pose | null} start @param {boolean} calm
   */
  async release(rock, start, calm) {
    if (!start) return;
    const at = new THREE.Vector3(start.position.x, LANDING + ROCK + 0.3, start.position.z);
    if (!calm) return this.carry(rock, at, start.turned, CARRY, 7);
    rock.position.copy(at);
    return this.stage.motion.run(STILL, () => {});
  }

  /** Let the rock roll, thunder and shake the ground where it lands. @param {RockPlayback} fall */
  roll(fall) {
    const landings = [...fall.landings];
    const long = Math.min(LONGEST, fall.seconds * 1000);
    let thundered = -Infinity;
    return this.stage.motion.run(long, (way) => {
      const seconds = way * fall.seconds;
      this.pose(fall, seconds, true);
      if (!(landings[0] <= seconds)) return;
      while (landings[0] <= seconds) landings.shift();
      this.stage.eye.tremor = 1;
      if (seconds - thundered < THUNDER || way === 1) return;
      thundered = seconds;
      play("rock");
    });
  }

  /** Let the camera come back to where it belongs. */
  comeHome() {
    this.stage.eye.tremor = 0;
    return this.stage.comeHome(BACK_HOME);
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

  // --- What is foreshown ---------------------------------------------------------------------------------------------
  /** The piece at a place that can be taken up: the pawn of who chooses, or what stands there. @param {string} key */
  at(key) {
    const here = [...this.standing.values()].filter(({ piece }) => piece.place === key && !isDie(piece));
    return here.find(({ piece }) => piece.seat === this.chooser) ?? here[0];
  }

  /** Whether a choice leads a pawn along. @param {string[]} way */
  walks([from]) {
    return (this.at(from)?.piece.seat ?? -1) >= 0;
  }

  /** The piece of a choice at the end of its way, to be seen through. @param {string[]} way */
  ghost(way) {
    const [from, to] = [way[0], way[way.length - 1]];
    const figure = this.at(from);
    if (!figure) return undefined;
    const piece = { ...figure.piece, place: to };
    const ghost = figure.group.clone(true);
    for (const part of [...ghost.children]) {
      if (!part.visible || part.material === this.stage.marks.gold) ghost.remove(part);
      else part.material = this.faint(part.material);
    }
    ghost.position.set(...standing(piece));
    ghost.quaternion.copy(turnOf(piece));
    ghost.scale.setScalar(1);
    return ghost;
  }

  /** What a ghost is made of. @param {any} material */
  faint(material) {
    const made = this.faints.get(material) ?? material.clone();
    this.faints.set(material, Object.assign(made, { transparent: true, opacity: GHOST }));
    return made;
  }

  /** Lift the piece at a place, and no other. @param {string} key */
  lift(key) {
    for (const { group, piece } of this.standing.values()) {
      if (!LIFTED.has(piece.kind)) continue;
      const [x, y, z] = standing(piece);
      group.position.set(x, y + (piece.place === key ? LIFT : 0), z);
    }
    this.stage.wake();
  }

  /** The points over which a choice leads, for an arrow. @param {string[]} way @returns {[number, number, number][]} */
  road(way) {
    const [from, to] = [way[0], way[way.length - 1]];
    const { shield, door } = this.pieces;
    if (from === "rock") return [placeOf(to), ...lane(to).map(placeOf)];
    const pawn = this.walks(way) ? this.at(from) : undefined;
    const goes = pawn && (isSpot(to) || to.startsWith("door"));
    const keys = goes ? [from, ...walk(from, to, shield?.place ?? "", door?.place ?? "")] : way;
    return keys.map((key, number) => (pawn && !number ? standing(pawn.piece) : placeOf(key)));
  }
}

/** The spots below a door, from the top. @param {string} door */
const lane = (door) => Array.from({ length: STEPS }, (_, step) => `${door[5]}${STEPS - step}`);
