/** What is marked on the stairs: pieces that may be taken up, or the places they may go to, tinted by their price. */

import * as THREE from "/page/vendor/three.js";
import { BACK, isSpot, LANDING, LANE, placeOf, RISE, TREAD } from "./geometry.js";
import { arch, glow, tile, token } from "./materials.js";
import { outline } from "./mesh-builder.js";

/** @typedef {import("./renderer.js").Renderer} Renderer */
/** What a place is marked as: a piece to be taken up, or where it may go, for some tokens. */
/** @typedef {{ piece: boolean, price: number }} Mark */

const GAP = 0.16; // between a mark and the edge of its cell
const HALO = 0.36; // how thick the outline is of a piece that may be taken up
const COIN = 1.9;
const FAINT = 0.85;

export class Marks {
  /** What is drawn for each place. @type {Map<string, any>} */
  drawn = new Map();
  /** The outlines of pieces. @type {any[]} */
  halos = [];
  /** @type {Map<string, any>} */
  textures = new Map();

  /** @param {Renderer} stage */
  constructor(stage) {
    this.stage = stage;
    // It is drawn over everything but the piece itself, so that only its rim is seen.
    const over = { side: THREE.BackSide, depthTest: false };
    this.gold = new THREE.MeshBasicMaterial({ color: stage.colours["may-light"], ...over });
  }

  /** Whether a place is marked. @param {string} key */
  has(key) {
    return this.drawn.has(key);
  }

  /** The places that are marked. */
  get keys() {
    return [...this.drawn.keys()];
  }

  /**
   * Mark these places, and no others; the piece that is taken up keeps its outline.
   * @param {Map<string, Mark>} marks @param {string} lifted @param {(key: string) => any} figureAt
   */
  show(marks, lifted, figureAt) {
    this.clear();
    if (lifted) this.surround(figureAt(lifted));
    for (const [key, { piece, price }] of marks) {
      const group = this.place(key, price, piece);
      this.drawn.set(key, group);
      this.stage.scene.add(group);
      if (piece) this.surround(figureAt(key));
    }
    this.stage.wake();
  }

  clear() {
    for (const halo of this.halos) {
      for (const part of halo.parent?.children ?? []) part.renderOrder = 0;
      halo.removeFromParent();
    }
    for (const group of this.drawn.values()) {
      this.stage.scene.remove(group);
      for (const mesh of group.children) (mesh.geometry.dispose(), mesh.material.dispose());
    }
    this.drawn.clear();
    this.halos = [];
  }

  /** Draw an outline around a piece. @param {any} figure */
  surround(figure) {
    const body = figure?.children[0]?.geometry;
    if (!body) return;
    figure.userData.halo ??= new THREE.Mesh(outline(body, HALO), this.gold);
    for (const part of figure.children) part.renderOrder = 2;
    figure.userData.halo.renderOrder = 1;
    figure.add(figure.userData.halo);
    this.halos.push(figure.userData.halo);
  }

  /**
   * Tint a place, and lay tokens before it for what it costs; a door that may be taken up is framed.
   * @param {string} key @param {number} price @param {boolean} piece
   */
  place(key, price, piece) {
    const group = new THREE.Group();
    const [x, y, z] = placeOf(key);
    if (isSpot(key)) {
      const [wide, deep, high] = [LANE - GAP, TREAD - GAP, RISE - GAP];
      group.add(this.sheet("tread", price, wide, deep, [x, y + 0.05, z], true));
      group.add(this.sheet("riser", price, wide, high, [x, y - RISE / 2, z + TREAD / 2 + 0.09], false));
    } else if (key.startsWith("door")) {
      group.add(this.sheet(piece ? "arch" : "glow", price, 5.4, 6.6, [x, LANDING + 3.2, BACK + 0.62], false));
    } else {
      const [on, wide] = key === "rock" ? [LANDING + 0.08, 5] : [y + 0.06, 9];
      group.add(this.sheet("glow", price, wide, wide, [x, on, z], true));
    }
    for (let coin = 0; coin < price; coin++) group.add(this.coin(key, x + (coin - (price - 1) / 2) * (COIN + 0.1)));
    return group;
  }

  /**
   * A tinted sheet, lying or upright.
   * @param {string} kind @param {number} price @param {number} wide @param {number} high
   * @param {[number, number, number]} at @param {boolean} lies
   */
  sheet(kind, price, wide, high, at, lies) {
    const tint = price ? "paid" : "free";
    const { colours } = this.stage;
    /** @type {Record<string, () => any>} */
    const makers = {
      glow: () => glow(colours),
      arch: () => arch(colours),
      tread: () => tile(colours, tint, false),
      riser: () => tile(colours, tint, true),
    };
    const sheet = this.plane(wide, high, this.texture(`${kind} ${tint}`, makers[kind]));
    if (lies) sheet.rotation.x = -Math.PI / 2;
    sheet.position.set(...at);
    return sheet;
  }

  /** A token before a place, at some distance from the middle of the stairs. @param {string} key @param {number} x */
  coin(key, x) {
    const [, y, z] = placeOf(key);
    const { stage } = this;
    const coin = this.plane(COIN, COIN, this.texture("token", () => token(stage.colours, () => stage.wake())));
    coin.position.set(x, isSpot(key) ? y - RISE / 2 : LANDING + 1.2, isSpot(key) ? z + TREAD / 2 + 0.12 : BACK + 0.7);
    coin.renderOrder = 1;
    return coin;
  }

  /** @param {number} wide @param {number} high @param {any} map */
  plane(wide, high, map) {
    const how = { map, transparent: true, depthWrite: false, opacity: FAINT, polygonOffset: true };
    return new THREE.Mesh(
      new THREE.PlaneGeometry(wide, high),
      new THREE.MeshBasicMaterial({ ...how, polygonOffsetFactor: -2 }),
    );
  }

  /** @param {string} name @param {() => any} make */
  texture(name, make) {
    const made = this.textures.get(name) ?? make();
    this.textures.set(name, made);
    return made;
  }

  /** Brighten the marks of some places. @param {Set<string>} keys */
  brighten(keys) {
    for (const [key, group] of this.drawn) {
      for (const { material } of group.children) material.opacity = keys.has(key) ? 1 : FAINT;
    }
    this.stage.wake();
  }
}
