/** The camera: shows the whole tower, follows a falling rock, and can be turned a little. */

import * as THREE from "/page/vendor/three.js";
import { BACK, HALF, HALL, LANDING, LANE, RISE, STEPS, TREAD, WALL, YARD } from "./geometry.js";

const FIELD = { wide: 26, tall: 5 }; // degrees from top to bottom: so few that the ninth step is as large as the first
const MARGIN = 0.975;
const LOW = 540; // pixels: where there are no more, lanes take all the room they can get
const LIFT = { wide: 0.52, tall: 0.415 }; // radians above the horizon
const NEAR_LIFT = 0.44; // while it follows a rock
const TURN = { wide: 0.3, tall: 0 }; // radians to the right of the middle
const FREE = { turn: 0.9, low: 0.22, high: 1.05, near: 0.45, far: 1.6 };
const [BEFORE, BEYOND] = [110, 260]; // centimetres before and beyond what it looks at that are drawn
const QUICK = 3.2; // how fast it follows, a second
const FINGER = 64; // pixels: a lane is so broad, even on its highest step …
const STRETCH = 1.35; // … if the picture need not be stretched by more for it
const SHAKE = 0.7; // centimetres that the camera shakes when a rock lands …
const CALMER = 3.2; // … and how fast that ends, a second

/** What must be seen while one plays: the stairs with their doors, the ledge, and what stands on the floor. */
const STAIRS = points([
  [-HALF - WALL, 0, 4.6],
  [HALF + WALL, 0, 4.6],
  [-13, 0, 2],
  [12.4, 0, 2],
  [-13, LANDING + 3.9, BACK + 2],
  [HALF + WALL, LANDING + 6.5, BACK],
  [-HALF - WALL, LANDING + 6.5, BACK],
]);
/** What must be seen once somebody is with the dragon: its hall, above the doors. */
const HALL_TOO = points([
  [-5, HALL + 12.6, BACK - 6],
  [5, HALL + 12.6, BACK - 6],
  [-14.6, HALL + 5, BACK],
  [14.6, HALL + 5, BACK],
]);
/** What must be seen while the dragon flies round the tower. */
const LAP = points([
  [-23, HALL + 12, BACK - 6],
  [23, HALL + 12, BACK - 6],
  [0, HALL + 17, BACK - 6],
]);
/** The ends of the front edge of a lane on the highest step. */
const TOP_LANE = points([
  [-LANE / 2, STEPS * RISE, BACK + TREAD],
  [LANE / 2, STEPS * RISE, BACK + TREAD],
]);

export class Camera {
  camera = new THREE.PerspectiveCamera(FIELD.wide, 1);
  /** Where it is. */
  now = { target: new THREE.Vector3(), distance: 70, turn: 0, lift: LIFT.wide };
  /** Where it belongs. */
  home = { target: new THREE.Vector3(), distance: 90, turn: 0, lift: LIFT.wide };
  /**
   * How the viewer has turned it, and what it looks at.
   * @type {{ turn: number, lift: number, zoom: number, focus: any }}
   */
  own = { turn: 0, lift: 0, zoom: 1, focus: null };
  /** What is in sight. @type {"stairs" | "hall" | "lap"} */
  sight = "stairs";
  /** How much it trembles now, from 1 down to 0. */
  tremor = 0;

  /**
   * See the stairs in a picture of a size; where lanes would be too narrow for a finger, the picture is stretched.
   * @param {number} width @param {number} height
   */
  fit(width, height) {
    const wide = width > height * 1.12 && height > LOW;
    this.home.turn = wide ? TURN.wide : TURN.tall;
    this.home.lift = wide ? LIFT.wide : LIFT.tall;
    this.camera.fov = wide ? FIELD.wide : FIELD.tall;
    let stretch = 1;
    for (let round = 0; round < 4; round++) {
      this.camera.aspect = width / height / stretch;
      this.frame([...STAIRS, ...(this.sight === "stairs" ? [] : HALL_TOO), ...(this.sight === "lap" ? LAP : [])]);
      const [one, other] = TOP_LANE.map((point) => point.clone().project(this.camera));
      const lane = (Math.abs(other.x - one.x) / 2) * width;
      stretch = Math.max(1, Math.min(STRETCH, (stretch * FINGER) / lane));
    }
    this.tremor = 0;
    this.rest();
  }

  /**
   * How far to the right one sees at a point, where it belongs and is not turned.
   * @param {any} point @param {number} height of the picture
   */
  rightAt(point, height) {
    return this.home.target.x + (height * this.camera.aspect) / 2 / this.unitAt(point, height);
  }

  /** Half the height of what is seen at a distance of one. */
  get slope() {
    return Math.tan((this.camera.fov * Math.PI) / 360);
  }

  /** Stand so that some points are just in the picture. @param {any[]} wanted */
  frame(wanted) {
    const { slope } = this;
    this.home.target.set(0, 14, -16);
    this.home.distance = 25 / slope;
    for (let round = 0; round < 12; round++) {
      this.stand(this.home);
      const seen = wanted.map((point) => point.clone().project(this.camera));
      const [left, right] = [Math.min(...seen.map(({ x }) => x)), Math.max(...seen.map(({ x }) => x))];
      const [low, high] = [Math.min(...seen.map(({ y }) => y)), Math.max(...seen.map(({ y }) => y))];
      const [dx, dy] = [(left + right) / 2, (low + high) / 2].map((part) => part * slope * this.home.distance);
      const side = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
      const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
      this.home.target.addScaledVector(side, dx * this.camera.aspect).addScaledVector(up, dy);
      this.home.distance *= 1 + 0.8 * (Math.max(right - left, high - low) / 2 / MARGIN - 1);
    }
  }

  /** How many pixels high a centimetre is at a point, where it belongs. @param {any} point @param {number} height */
  unitAt(point, height) {
    const { x, y, z } = this.home.target;
    const [turn, lift] = [this.home.turn, this.home.lift];
    const ahead = new THREE.Vector3(Math.sin(turn) * Math.cos(lift), Math.sin(lift), Math.cos(turn) * Math.cos(lift));
    const far = this.home.distance - new THREE.Vector3(point.x - x, point.y - y, point.z - z).dot(ahead);
    return height / (2 * far * this.slope);
  }

  /** Be where it belongs, as far as the viewer has not turned it. */
  rest() {
    this.now = this.wanted();
    this.stand(this.now);
  }

  wanted() {
    const { home, own } = this;
    return {
      target: (own.focus ?? home.target).clone(),
      distance: home.distance * own.zoom,
      turn: home.turn + own.turn,
      lift: home.lift + own.lift,
    };
  }

  /** @param {{ target: any, distance: number, turn: number, lift: number }} how */
  stand({ target, distance, turn, lift }) {
    const flat = Math.cos(lift) * distance;
    this.camera.position.set(
      target.x + Math.sin(turn) * flat,
      target.y + Math.sin(lift) * distance,
      target.z + Math.cos(turn) * flat,
    );
    this.camera.position.y += Math.sin(this.tremor * 40) * this.tremor * SHAKE;
    this.camera.lookAt(target);
    Object.assign(this.camera, { near: Math.max(4, distance - BEFORE), far: distance + BEYOND });
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  /** Follow something that falls, for a moment. @param {any} point @param {number} seconds since the moment before */
  follow(point, seconds) {
    const { home } = this;
    this.tremor = Math.max(0, this.tremor - seconds * CALMER);
    const wish = {
      target: new THREE.Vector3(point.x * 0.6, Math.max(3, point.y + 1), Math.min(point.z - 1, YARD - 9)),
      distance: home.distance * 0.6,
      turn: home.turn * 0.7 + point.x * 0.02,
      lift: NEAR_LIFT,
    };
    this.near(wish, 1 - Math.exp(-QUICK * seconds));
  }

  /**
   * Come some part of the way nearer to how it should be.
   * @param {{ target: any, distance: number, turn: number, lift: number }} wish @param {number} part
   */
  near(wish, part) {
    const { now } = this;
    now.target.lerp(wish.target, part);
    now.distance += (wish.distance - now.distance) * part;
    now.turn += (wish.turn - now.turn) * part;
    now.lift += (wish.lift - now.lift) * part;
    this.stand(now);
  }

  /** Look from another side. @param {number} turn @param {number} lift */
  orbit(turn, lift) {
    this.own.turn = Math.min(FREE.turn, Math.max(-FREE.turn, this.own.turn + turn));
    const { lift: usual } = this.home;
    this.own.lift = Math.min(FREE.high - usual, Math.max(FREE.low - usual, this.own.lift + lift));
    this.rest();
  }

  /** Come nearer or go back. @param {number} times */
  zoom(times) {
    this.own.zoom = Math.min(FREE.far, Math.max(FREE.near, this.own.zoom * times));
    this.rest();
  }

  /** Look nearer at something. @param {any} focus @param {number} times */
  approach(focus, times) {
    this.own.focus = focus;
    this.zoom(times);
  }

  /** Look as at first. */
  straighten() {
    this.own = { turn: 0, lift: 0, zoom: 1, focus: null };
    this.rest();
  }
}

/** @param {number[][]} all */
function points(all) {
  return all.map(([x, y, z]) => new THREE.Vector3(x, y, z));
}
