/** Renders the tower with its lights, and only when something has changed. */

import * as THREE from "/page/vendor/three.js";
import { dragon } from "./dragon.js";
import { Camera } from "./camera.js";
import { FLAMES, flames } from "./scenery.js";
import { easeBoth, Timeline } from "./timeline.js";
import { BACK, HALF, HALL, WALL } from "./geometry.js";
import { palette, steps } from "./materials.js";
import { tower } from "./tower.js";

/** @typedef {[number, number, number]} Point */

const SHARP = 2; // device pixels a pixel, at most
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i; // no graphics card draws
const SLOW = 0.045; // seconds from one picture to the next
const PATIENCE = 6; // slow pictures until it draws roughly
const ROUGH = 0.6; // of the usual sharpness
const NEAR = 0.55; // of the way to what is looked at nearer
const DIE = 96; // pixels: a die is at least so high on the screen …
const DIE_SHARE = 0.14; // … and such a part of the picture
const EDGE_SHARE = 0.71; // of the height at which it is seen, the edge of a die
const SUN = [26, 60, 12];

/** Whether this machine can draw in 3D at all, and whether it does so without a graphics card. */
export function able() {
  const found = document.createElement("canvas").getContext("webgl2");
  const named = found?.getExtension("WEBGL_debug_renderer_info");
  const name = named ? String(found?.getParameter(named.UNMASKED_RENDERER_WEBGL)) : "";
  found?.getExtension("WEBGL_lose_context")?.loseContext();
  return found ? { weak: SOFTWARE.test(name) } : null;
}

export class Renderer {
  scene = new THREE.Scene();
  eye = new Camera();
  motion = new Timeline(() => this.wake());
  /** What is called at every picture. @type {((seconds: number) => void)[]} */
  watchers = [];
  /** Is called when the picture has another size. */
  fitted = () => {};
  frame = 0;
  drawn = 0;
  sharp = 0;

  /** @param {HTMLElement} host @param {boolean} weak whether the machine draws without a card */
  constructor(host, weak) {
    this.host = host;
    this.weak = weak;
    this.late = weak ? PATIENCE + 1 : 0;
    this.colours = palette(host);
    this.renderer = new THREE.WebGLRenderer({ antialias: !weak, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.canvas = this.renderer.domElement;
    this.stuff = stuff(this.colours);
    this.build();
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(host);
  }

  /** Put everything on the stage that is always there. */
  build() {
    const { scene, colours } = this;
    this.dragon = dragon(colours, this.stuff);
    scene.add(tower(colours, this.stuff), flames(colours), this.dragon.group);
    const much = (/** @type {string} */ name) => Number(colours[`${name}-much`]);
    const sun = new THREE.DirectionalLight(colours.sun, much("sun"));
    sun.position.set(...SUN);
    sun.target.position.set(0, 14, -20);
    sun.castShadow = true;
    sun.shadow.mapSize.setScalar(this.weak ? 1024 : 2048);
    Object.assign(sun.shadow.camera, { left: -46, right: 40, top: 46, bottom: -40, near: 1, far: 160 });
    sun.shadow.bias = -0.0006;
    sun.shadow.normalBias = 0.12;
    sun.shadow.intensity = 0.62;
    scene.add(sun, sun.target, new THREE.HemisphereLight(colours["sky-light"], colours["ground-light"], much("sky")));
    if (much("torch")) {
      for (const [x, y, z] of FLAMES) this.lamp([x * 0.9, y + 1.4, z + 4], 110, 40);
      this.lamp([-4, HALL + 8, BACK + 2], 80, 26);
      this.lamp([3, 24, 8], 420, 60);
    }
  }

  /** @param {Point} at @param {number} much @param {number} far */
  lamp(at, much, far) {
    const light = new THREE.PointLight(this.colours.flame, much, far, 1.7);
    light.position.set(...at);
    this.scene.add(light);
  }

  // --- Drawing -------------------------------------------------------------------------------------------------------
  /** Something has changed: draw once more. */
  wake() {
    this.frame ||= requestAnimationFrame((now) => this.draw(now));
  }

  /** @param {number} now */
  draw(now) {
    this.frame = 0;
    const seconds = this.last ? Math.min(0.1, (now - this.last) / 1000) : 0;
    const moving = this.motion.go(now);
    for (const watch of this.watchers) watch(seconds);
    this.sharpen(moving, seconds);
    this.renderer.shadowMap.needsUpdate = !moving || !this.weak;
    this.renderer.render(this.scene, this.eye.camera);
    this.drawn += 1;
    this.last = moving ? now : 0;
    if (moving) this.wake();
  }

  /**
   * A machine that is slow draws roughly while something moves, and finely once it rests.
   * @param {boolean} moving @param {number} seconds
   */
  sharpen(moving, seconds) {
    if (seconds > SLOW) this.late += 1;
    const sharp = Math.min(devicePixelRatio, SHARP) * (moving && this.late > PATIENCE ? ROUGH : 1);
    if (sharp === this.sharp) return;
    this.sharp = sharp;
    this.renderer.setPixelRatio(sharp);
    this.renderer.setSize(this.host.clientWidth, this.host.clientHeight, false);
  }

  /** Finish all animations at once. */
  finish() {
    this.motion.hurry();
    this.wake();
  }

  /** Look nearer or from another side by the keyboard; say whether the key is one for that. @param {string} key */
  key(key) {
    const turns = /** @type {Record<string, () => void>} */ ({
      "+": () => this.eye.zoom(0.8),
      "-": () => this.eye.zoom(1.25),
      0: () => this.eye.straighten(),
      ArrowLeft: () => this.eye.orbit(-0.12, 0),
      ArrowRight: () => this.eye.orbit(0.12, 0),
      ArrowUp: () => this.eye.orbit(0, 0.08),
      ArrowDown: () => this.eye.orbit(0, -0.08),
    });
    turns[key]?.();
    if (key in turns) this.wake();
    return key in turns;
  }

  /** Come nearer to the middle of some points, or step back so far that all is seen. @param {any[]} points */
  nearer(points) {
    const middle = points.reduce((sum, point) => sum.addScaledVector(point, 1 / points.length), new THREE.Vector3());
    if (this.eye.own.zoom < 0.9) this.eye.straighten();
    else this.eye.approach(points.length ? middle : null, NEAR);
    this.wake();
  }

  /** Fit into its frame. */
  resize() {
    const { clientWidth, clientHeight } = this.host;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.eye.fit(clientWidth, clientHeight);
    this.fitted();
    this.wake();
  }

  /**
   * See the stairs alone, or more; resolves when the camera is there.
   * @param {"stairs" | "hall" | "lap"} sight @param {number} [long] milliseconds on the way
   */
  see(sight, long = 0) {
    const { eye, host } = this;
    if (eye.sight === sight) return Promise.resolve();
    const { now } = eye;
    eye.sight = sight;
    eye.fit(host.clientWidth || 1, host.clientHeight || 1);
    this.fitted();
    if (!long) return Promise.resolve(this.wake());
    eye.now = now;
    return this.comeHome(long);
  }

  /** Let the camera come back to where it belongs. @param {number} long in milliseconds */
  comeHome(long) {
    const { eye } = this;
    const here = { ...eye.now, target: eye.now.target.clone() };
    return this.motion.run(long, (way) => {
      eye.now = { ...here, target: here.target.clone() };
      eye.near(eye.wanted(), easeBoth(way));
    });
  }

  /**
   * How long the edge of a die is at a place, in centimetres, and how far to the right it lies: beside the wall of the
   * stairs, as far as the picture reaches.
   * @param {Point} at @returns {[number, number]}
   */
  dieAt(at) {
    const [high, point] = [this.host.clientHeight || 600, new THREE.Vector3(...at)];
    const edge = (Math.max(DIE, high * DIE_SHARE) * EDGE_SHARE) / this.eye.unitAt(point, high);
    return [edge, Math.min(HALF + WALL + 0.4, this.eye.rightAt(point, high) - 1.12 * edge) + 0.56 * edge];
  }

  /** Give everything back to the machine. */
  dispose() {
    cancelAnimationFrame(this.frame);
    this.motion.hurry();
    this.frame = -1; // nothing is drawn any more
    this.watch.disconnect();
    this.scene.traverse((/** @type {any} */ thing) => {
      thing.geometry?.dispose();
      for (const material of [thing.material].flat()) (material?.map?.dispose(), material?.dispose());
    });
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }
}

/** What things are made of. @param {import("./materials.js").Palette} colours */
function stuff(colours) {
  const gradientMap = steps();
  return {
    toon: (more = {}) => new THREE.MeshToonMaterial({ gradientMap, ...more }),
    ink: new THREE.MeshBasicMaterial({ color: colours.outline }),
    links: new THREE.MeshToonMaterial({ gradientMap, color: colours.iron }),
    outlines: new THREE.MeshBasicMaterial({ color: colours.outline, side: THREE.BackSide }),
    pencil: new THREE.MeshBasicMaterial({
      color: colours.outline,
      transparent: true,
      opacity: 0.46,
      depthWrite: false,
    }),
  };
}
