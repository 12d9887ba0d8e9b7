/** Finds the place under a pointer, and lights the places that can be chosen. */

import * as THREE from "/page/vendor/three.js";
import { BACK, HALF, HALL, isSpot, KEYS, LANDING, LANE, placeOf, RISE, TREAD } from "./geometry.js";
import { glow } from "./materials.js";
import { cuboid } from "./mesh-builder.js";
import { Renderer } from "./renderer.js";

/** @typedef {[number, number, number]} Point */
/** @typedef {{ point: (key: string) => void, over: (key: string | null) => void, lost: () => void }} Hooks */

const CLICK = 8; // pixels that a pointer may slip
const FINGER = 26; // pixels: so far from a place that shines a finger still means it

export class PickingRenderer extends Renderer {
  /** What the pointer meets: places, and the pieces that stand on them. @type {any[]} */
  targets = [];
  /** @type {Map<string, any>} */
  lights = new Map();
  /** Over which place the pointer is. @type {string | null} */
  hovered = null;

  /** @param {HTMLElement} host @param {Hooks} hooks @param {boolean} weak */
  constructor(host, hooks, weak) {
    super(host, weak);
    this.hooks = hooks;
    this.glow = glow(this.colours);
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
   * The place that a finger means: the nearest of those that shine, if it is within reach.
   * @param {number} x @param {number} y
   */
  touched(x, y) {
    const key = this.pick(x, y);
    if (key && this.lights.has(key)) return key;
    const near = [...this.lights.keys()]
      .map((lit) => {
        const [sx, sy] = this.onScreen(new THREE.Vector3(...placeOf(lit)));
        return { lit, far: Math.hypot(sx - x, sy - y) };
      })
      .sort((one, other) => one.far - other.far)[0];
    return near && near.far <= FINGER ? near.lit : key;
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

  /** Hear the pointer: a click points, a drag turns the tower, the wheel comes nearer. */
  listen() {
    const { hooks } = this;
    const canvas = /** @type {HTMLCanvasElement} */ (this.canvas);
    /** @type {{ x: number, y: number, far: boolean } | null} */
    let held = null;
    canvas.addEventListener("pointerdown", (event) => {
      held = { x: event.clientX, y: event.clientY, far: false };
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!held) return this.over(event.pointerType === "mouse" ? this.pick(event.clientX, event.clientY) : null);
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      if (!held.far && Math.hypot(dx, dy) < CLICK) return undefined;
      if (!held.far) (canvas.setPointerCapture(event.pointerId), canvas.classList.add("held"));
      held = { x: event.clientX, y: event.clientY, far: true };
      this.eye.orbit(-dx / 240, event.pointerType === "mouse" ? dy / 300 : 0);
      return this.wake();
    });
    const release = () => (canvas.classList.remove("held"), (held = null));
    canvas.addEventListener("pointerup", (event) => {
      const meant = event.pointerType === "mouse" ? this.pick : this.touched;
      const key = held && !held.far ? meant.call(this, event.clientX, event.clientY) : null;
      release();
      if (key) hooks.point(key);
    });
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerleave", () => held || this.over(null));
    canvas.addEventListener("dblclick", () => (this.eye.straighten(), this.wake()));
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.eye.zoom(Math.exp(event.deltaY / 400));
        this.wake();
      },
      { passive: false },
    );
    canvas.addEventListener("webglcontextlost", (event) => (event.preventDefault(), this.frame === -1 || hooks.lost()));
  }

  /** @param {string | null} key */
  over(key) {
    this.canvas.classList.toggle("may", Boolean(key && this.lights.has(key)));
    if (key === this.hovered) return;
    this.hovered = key;
    this.hooks.over(key);
  }

  // --- Light where something may be chosen --------------------------------------------------------------------------
  /** Light these places, and no others. @param {Iterable<string>} keys */
  shine(keys) {
    for (const light of this.lights.values())
      (this.scene.remove(light), light.geometry.dispose(), light.material.dispose());
    this.lights.clear();
    for (const key of new Set(keys)) {
      const light = this.light(key);
      this.lights.set(key, light);
      this.scene.add(light);
    }
    this.canvas.classList.remove("may");
    this.wake();
  }

  /** @param {string} key */
  light(key) {
    const [x, y, z] = placeOf(key);
    const upright = key.startsWith("door");
    const [wide, high] = upright ? [5, 6.4] : isSpot(key) ? [5, 3.9] : key === "floor" ? [9, 10] : [5, 5];
    const light = new THREE.Mesh(
      new THREE.PlaneGeometry(wide, high),
      new THREE.MeshBasicMaterial({
        map: this.glow,
        transparent: true,
        depthWrite: false,
        opacity: 0.82,
        polygonOffset: true,
        polygonOffsetFactor: -2,
      }),
    );
    if (!upright) light.rotation.x = -Math.PI / 2;
    light.position.set(
      x,
      upright ? LANDING + 3.1 : key === "rock" ? LANDING + 0.08 : key.startsWith("die") ? 0.2 : y + 0.06,
      upright ? BACK + 0.62 : z,
    );
    return light;
  }

  /** Brighten some of the lights. @param {Set<string>} keys */
  brighten(keys) {
    for (const [key, light] of this.lights) {
      light.material.opacity = keys.has(key) ? 1 : 0.82;
      light.scale.setScalar(keys.has(key) ? 1.12 : 1);
    }
    this.wake();
  }
}
