/** Finds the place under a pointer, and marks the places that can be chosen; a marked piece can be dragged. */

import * as THREE from "/page/vendor/three.js";
import { BACK, HALF, HALL, isSpot, KEYS, LANDING, LANE, placeOf, RISE, TREAD } from "./geometry.js";
import { Marks } from "./marks.js";
import { cuboid } from "./mesh-builder.js";
import { Renderer } from "./renderer.js";

/** @typedef {[number, number, number]} Point */
/**
 * What hears the pointer: it pressed a place, is over one, or drops a piece there that it has dragged.
 * @typedef {{
 *   point: (key: string, touch: boolean) => void,
 *   over: (key: string | null) => void,
 *   take: (key: string) => boolean,
 *   drop: (key: string) => void,
 *   lost: () => void,
 * }} Hooks
 */
/** @typedef {{ x: number, y: number, far: boolean, key: string | null, drags: boolean }} Held */

const CLICK = 8; // pixels that a pointer may slip
const FINGER = 34; // pixels: so far from a marked place a finger still means it

export class PickingRenderer extends Renderer {
  /** What the pointer meets: places, and the pieces that stand on them. @type {any[]} */
  targets = [];
  /** Over which place the pointer is. @type {string | null} */
  hovered = null;

  /** @param {HTMLElement} host @param {Hooks} hooks @param {boolean} weak */
  constructor(host, hooks, weak) {
    super(host, weak);
    this.hooks = hooks;
    this.marks = new Marks(this);
    this.targets = KEYS.map((key) => this.target(key));
    this.scene.add(...this.targets);
    this.listen();
  }

  // --- Pointing -----------------------------------------------------------------------------------------------------
  /** What stands for a place when it is pointed at; it is not seen. @param {string} key */
  target(key) {
    const [x, y, z] = placeOf(key);
    if (isSpot(key)) return this.block(key, [LANE, RISE, TREAD], [x, y - RISE / 2, z]);
    if (key.startsWith("door")) return this.block(key, [LANE, 6.6, 1.6], [x, LANDING + 3.3, BACK]);
    if (key === "floor") return this.block(key, [2 * HALF + 14, 0.2, 15], [-4, 0, 8]);
    if (key === "chamber") return this.block(key, [18, 9, 8], [0, HALL + 4.5, BACK - 6]);
    return this.block(key, [4, 3.6, 3.6], [x, y + 0.4, z]);
  }

  /** @param {string} key @param {Point} size @param {Point} at */
  block(key, size, at) {
    const block = new THREE.Mesh(cuboid(...size), this.stuff.ink);
    block.position.set(...at);
    block.visible = false;
    block.userData.key = key;
    return block;
  }

  /**
   * The place that a finger means: the nearest of those that are marked, if it is within reach.
   * @param {number} x @param {number} y
   */
  touched(x, y) {
    const key = this.pick(x, y);
    if (key && this.marks.has(key)) return key;
    const near = this.marks.keys
      .map((marked) => {
        const [sx, sy] = this.middle(marked);
        return { marked, far: Math.hypot(sx - x, sy - y) };
      })
      .sort((one, other) => one.far - other.far)[0];
    return near && near.far <= FINGER ? near.marked : key;
  }

  /** The middle of a place, on the page. @param {string} key */
  middle(key) {
    return this.onScreen(new THREE.Vector3(...placeOf(key)));
  }

  /** Where on the page a point in space is. @param {any} point @returns {[number, number]} */
  onScreen(point) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const { x, y } = point.project(this.eye.camera);
    return [left + ((x + 1) / 2) * width, top + ((1 - y) / 2) * height];
  }

  /** The place at a point of the page. @param {number} x @param {number} y @returns {string | null} */
  pick(x, y) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(((x - left) / width) * 2 - 1, 1 - ((y - top) / height) * 2), this.eye.camera);
    this.scene.updateMatrixWorld();
    return ray.intersectObjects(this.targets, false)[0]?.object.userData.key ?? null;
  }

  /**
   * The point of the page at which a place is seen, so that it can be clicked.
   * @param {string} key @returns {[number, number] | null}
   */
  screen(key) {
    const block = this.targets.find((target) => target.userData.key === key);
    if (!block) return null;
    this.scene.updateMatrixWorld();
    const { width: w, height: h, depth: d } = block.geometry.parameters;
    for (const [u, v, t] of [
      [0, 0.5, 0],
      [0, 0.5, 0.35],
      [0, 0, 0.5],
      [-0.3, 0.5, 0.3],
      [0.3, 0.5, 0.3],
      [-0.35, 0.1, 0.5],
      [0.35, 0.1, 0.5],
      [0, 0.3, 0.5],
      [0.4, 0.5, 0],
      [-0.4, 0.5, 0],
    ]) {
      const [x, y] = this.onScreen(new THREE.Vector3(u * w, v * h, t * d).applyMatrix4(block.matrixWorld));
      if (this.pick(x, y) === key) return [x, y];
    }
    return null;
  }

  /** Hear the pointer: a click points, a marked piece is dragged, else a drag turns the tower. */
  listen() {
    const canvas = /** @type {HTMLCanvasElement} */ (this.canvas);
    /** @type {Held | null} */
    this.held = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary) return;
      this.held = { x: event.clientX, y: event.clientY, far: false, key: this.meant(event), drags: false };
    });
    canvas.addEventListener("pointermove", (event) => this.moved(event));
    canvas.addEventListener("pointerup", (event) => this.released(event));
    canvas.addEventListener("pointercancel", () => this.letGo());
    canvas.addEventListener("pointerleave", () => this.held || this.over(null));
    canvas.addEventListener("dblclick", (event) => {
      if (!this.marks.has(this.meant(event) ?? "")) (this.eye.straighten(), this.wake());
    });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      if (this.frame !== -1) this.hooks.lost();
    });
  }

  /** The place that a pointer means: a mouse points exactly. @param {MouseEvent} event */
  meant(event) {
    const { clientX, clientY } = event;
    const exact = !("pointerType" in event) || event.pointerType === "mouse";
    return exact ? this.pick(clientX, clientY) : this.touched(clientX, clientY);
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const { held } = this;
    if (!held) return this.over(event.pointerType === "mouse" ? this.pick(event.clientX, event.clientY) : null);
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.far && Math.hypot(dx, dy) < CLICK) return undefined;
    if (!held.far) {
      this.canvas.setPointerCapture(event.pointerId);
      held.drags = Boolean(held.key) && this.hooks.take(held.key ?? "");
      this.canvas.classList.add("held");
    }
    Object.assign(held, { x: event.clientX, y: event.clientY, far: true });
    if (held.drags) return this.over(this.touched(event.clientX, event.clientY));
    this.eye.orbit(-dx / 240, event.pointerType === "mouse" ? dy / 300 : 0);
    return this.wake();
  }

  /** @param {PointerEvent} event */
  released(event) {
    const { held } = this;
    const key = held?.drags ? this.touched(event.clientX, event.clientY) : this.meant(event);
    this.letGo();
    if (!held || !event.isPrimary) return;
    if (held.drags) this.hooks.drop(key ?? "");
    else if (!held.far) this.hooks.point(key ?? "", event.pointerType !== "mouse");
  }

  letGo() {
    this.canvas.classList.remove("held");
    this.held = null;
  }

  /** With Ctrl held the wheel comes nearer, else it scrolls the page. @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.eye.zoom(Math.exp(event.deltaY / 400));
    this.wake();
  }

  /** @param {string | null} key */
  over(key) {
    this.canvas.classList.toggle("may", Boolean(key && this.marks.has(key)));
    if (key === this.hovered) return;
    this.hovered = key;
    this.hooks.over(key);
  }
}
