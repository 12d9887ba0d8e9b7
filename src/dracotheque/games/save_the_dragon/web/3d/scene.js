/** The 3D scene: renderer, pieces and arrows, for the board that shows them. */

import * as THREE from "/page/vendor/three.js";
import { CALM } from "/page/js/animation.js";
import { MeshBuilder, outline, tapered } from "./mesh-builder.js";
import { RockPlayback } from "./rock-playback.js";
import { PieceMotion } from "./piece-motion.js";
import { PickingRenderer } from "./picking.js";
import { placeOf } from "./geometry.js";
import { able } from "./renderer.js";

/** @typedef {[number, number, number]} Point */

const FEW = 3; // choices: with more of them pieces are not foreshown

/**
 * Build the stair in an element, or null where this machine cannot.
 * @param {HTMLElement} host @param {import("./picking.js").Hooks} hooks @param {string[]} seats
 */
export function open(host, hooks, seats) {
  const machine = able();
  return machine && new Scene(host, hooks, seats, machine.weak);
}

export class Scene {
  /** What is foreshown: arrows and ghosts of pieces. @type {any[]} */
  drawn = [];

  /**
   * @param {HTMLElement} host
   * @param {import("./picking.js").Hooks} hooks @param {string[]} seats @param {boolean} weak
   */
  constructor(host, hooks, seats, weak) {
    this.stage = new PickingRenderer(host, hooks, weak);
    this.figures = new PieceMotion(this.stage, seats);
    this.stage.fitted = () => this.figures.fit();
    this.canvas = this.stage.canvas;
  }

  /**
   * Play a fall as the server recorded it; resolves when all lies still.
   * @param {import("/page/protocol").Recording} message
   */
  fall(message) {
    return this.figures.fall(new RockPlayback(message), CALM.matches);
  }

  /**
   * Mark places, the pieces that may be taken up, and the one that is.
   * @param {Map<string, import("./marks.js").Mark>} marks @param {string} lifted @param {number} seat who chooses
   */
  mark(marks, lifted, seat) {
    const { figures, stage } = this;
    figures.chooser = seat;
    figures.lift(lifted);
    stage.marks.show(marks, lifted, (key) => figures.at(key)?.group);
  }

  /**
   * Show where some paths lead: arrows, and where there are few the piece at their ends; a rock rolls down its lane.
   * @param {string[][]} paths
   */
  trace(paths) {
    for (const drawn of this.drawn) {
      this.stage.scene.remove(drawn);
      drawn.geometry?.dispose();
    }
    const leading = paths.filter((path) => path.length > 1);
    const ghosts = leading.length > FEW ? [] : leading.flatMap((path) => this.figures.ghost(path) ?? []);
    const arrows = leading.filter((path) => path[0] === "rock" || !ghosts.length || this.figures.walks(path));
    this.drawn = [...arrows.flatMap((path) => this.arrow(this.figures.road(path))), ...ghosts];
    if (this.drawn.length) this.stage.scene.add(...this.drawn);
    this.stage.marks.brighten(new Set(paths.flatMap((path) => path.slice(-1))));
  }

  /** @param {Point[]} stops */
  arrow(stops) {
    const points = stops.flatMap(([x, y, z], number) => {
      const next = stops[number + 1];
      if (!next) return [/** @type {Point} */ ([x, y + 1, z])];
      const over = Math.hypot(next[0] - x, next[1] - y, next[2] - z) * 0.14 + 1.4;
      const middle = /** @type {Point} */ ([(x + next[0]) / 2, Math.max(y, next[1]) + over, (z + next[2]) / 2]);
      return [/** @type {Point} */ ([x, y + 0.9, z]), middle];
    });
    const { colours, stuff } = this.stage;
    const end = new THREE.Vector3(...points[points.length - 1]);
    const way = end
      .clone()
      .sub(new THREE.Vector3(...points[points.length - 2]))
      .normalize();
    const turn = new THREE.Euler().setFromQuaternion(
      new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), way),
    );
    const builder = new MeshBuilder()
      .add(tapered(points, [0.16, 0.2, 0.22], 6), colours["may-light"])
      .add(new THREE.ConeGeometry(0.62, 1.3, 10), colours["may-light"], [end.x, end.y, end.z], {
        turn: [turn.x, turn.y, turn.z],
      });
    const geometry = builder.shape();
    return [
      new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ vertexColors: true })),
      new THREE.Mesh(outline(geometry, 0.1), stuff.outlines),
    ];
  }

  /** Look nearer at some places, or at the whole again. @param {string[]} keys */
  nearer(keys) {
    this.stage.nearer(keys.map((key) => new THREE.Vector3(...placeOf(key))));
  }

  dispose() {
    this.stage.dispose();
  }
}
