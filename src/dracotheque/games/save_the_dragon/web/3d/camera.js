/** The camera: shows the whole tower, follows a falling rock, and can be turned a little. */

import * as THREE from "/page/vendor/three.js";
import { BACK, HALL, LANDING, YARD } from "./geometry.js";

const NARROW = 44; // degrees from top to bottom
const MARGIN = 0.96;
const LIFT = 0.6; // radians above the horizon
const NEAR_LIFT = 0.44; // while it follows a rock
const TURN = { wide: 0.42, tall: 0.12 }; // radians to the right of the middle
const FREE = { turn: 0.9, low: 0.22, high: 1.05, near: 0.45, far: 1.15 };
const QUICK = 3.2; // how fast it follows, a second

/** What must be seen: floor, dice, the wall and the dragon. */
const SEEN = [
  [-16, 0, 7.8],
  [15.6, 0, 4.6],
  [0, 0, 7.4],
  [-15, LANDING, BACK],
  [15, LANDING, BACK],
  [-5, HALL + 11.6, BACK - 6],
  [5, HALL + 11.6, BACK - 6],
  [-14.6, HALL + 5, BACK],
  [14.6, HALL + 5, BACK],
].map(([x, y, z]) => new THREE.Vector3(x, y, z));

export class Camera {
  camera = new THREE.PerspectiveCamera(NARROW, 1, 4, 400);
  /** Where it is. */
  now = { target: new THREE.Vector3(), distance: 70, turn: 0, lift: LIFT };
  /** Where it belongs. */
  home = { target: new THREE.Vector3(), distance: 90, turn: 0, lift: LIFT };
  /**
   * How the viewer has turned it, and what it looks at.
   * @type {{ turn: number, lift: number, zoom: number, focus: any }}
   */
  own = { turn: 0, lift: 0, zoom: 1, focus: null };

  /** See everything in a picture of a size. @param {number} width @param {number} height */
  fit(width, height) {
    this.camera.aspect = width / height;
    this.home.turn = width > height * 0.95 ? TURN.wide : TURN.tall;
    const slope = Math.tan((NARROW * Math.PI) / 360);
    this.home.target.set(0, 16, -16);
    this.home.distance = 70;
    for (let round = 0; round < 12; round++) {
      this.stand(this.home);
      const seen = SEEN.map((point) => point.clone().project(this.camera));
      const [left, right] = [Math.min(...seen.map(({ x }) => x)), Math.max(...seen.map(({ x }) => x))];
      const [low, high] = [Math.min(...seen.map(({ y }) => y)), Math.max(...seen.map(({ y }) => y))];
      const [dx, dy] = [(left + right) / 2, (low + high) / 2].map((part) => part * slope * this.home.distance);
      const side = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
      const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
      this.home.target.addScaledVector(side, dx * this.camera.aspect).addScaledVector(up, dy);
      this.home.distance *= 1 + 0.8 * (Math.max(right - left, high - low) / 2 / MARGIN - 1);
    }
    this.rest();
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
    this.camera.lookAt(target);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  /** Follow something that falls, for a moment. @param {any} point @param {number} seconds since the moment before */
  follow(point, seconds) {
    const { home } = this;
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
    this.own.lift = Math.min(FREE.high - LIFT, Math.max(FREE.low - LIFT, this.own.lift + lift));
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
