/** Where a choice leads, before it is made: its way with counted steps, a ghost of the piece, and what it brings. */

import { ChoicePicker, FEW } from "./choice-picker.js";
import { el } from "./dom.js";
import { say, t } from "./i18n.js";
import { made } from "./svg.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("./choice-picker.js").Option} Option */
/** @typedef {import("../board-module").BoardModule} BoardModule */
/** @typedef {import("../board-module").Place} Place */
/** @typedef {import("../protocol").Choice} Choice */
/** @typedef {{ x: number, y: number }} Point */

const LAYERS = ["glow", "figures", "badges", "hints", "tags", "dice"];
const WRITING = 13; // pixels: so large are names and counts on the board
const STEP = 8; // pixels: half a counted step
const AWAY = 8; // pixels between a target and what is said of it

export class BoardPreview extends ChoicePicker {
  /** @type {Map<string, Place>} */
  places = new Map();
  /** How large the drawing is seen. @type {import("./zoom.js").Zoom | undefined} */
  zoom = undefined;
  /** The layers over the drawing, from below: marks, pieces, counts, where a choice leads, names, a die. */
  layers = Object.fromEntries(LAYERS.map((name) => [name, made("g", { class: name })]));
  /** What is pointed at: a place, or a choice by its button. @type {{ key?: string, choice?: Choice | null }} */
  aim = {};
  chipLayer = el("div.choice-chips", { "aria-hidden": "true" });
  /** The piece that sticks to the pointer. @type {SVGElement | null} */
  ghost = null;

  /** @param {TablePage} page @param {BoardModule} module */
  constructor(page, module) {
    super(page);
    this.module = module;
  }

  /** @override @param {string} key */
  nameOf(key) {
    return this.places.get(key)?.label ?? "";
  }

  /** Where a place is on the screen. @param {string} key @returns {Point | undefined} */
  screenOf(key) {
    const solid = /** @type {any} */ (this.page.board).screenPlace?.(key);
    if (solid) return { x: solid[0], y: solid[1] };
    const place = this.places.get(key);
    return place && this.zoom?.toScreen(place);
  }

  // --- What is pointed at -------------------------------------------------------------------------------------------
  /** Show where the choices at a place lead, and which buttons they are. @param {string} key */
  hint(key) {
    this.aim = { key };
    this.showAim();
  }

  /** Show where a choice leads, or its way no more. @param {Choice | null} choice */
  foreshow(choice) {
    if (!choice && !this.aim.choice) return;
    this.aim = { choice };
    this.showAim();
  }

  /** @override */
  letGo() {
    this.aim = {};
    return super.letGo();
  }

  /** What is shown: what is pointed at, or selected, or all of a piece that can go to few places. @returns {Option[]} */
  get foreseen() {
    const { key = "", choice } = this.aim;
    if (choice) return this.choices.some(({ action }) => action === choice.action) ? [choice] : [];
    if (key && this.touchable.has(key) && !(key === this.lifted && !this.targets.has(key))) return this.at(key);
    if (this.selected) return [this.selected];
    const { targets } = this;
    return this.lifted && targets.size <= FEW ? [...targets.values()].flat() : [];
  }

  /** What a touch does something with. @returns {Set<string>} */
  get touchable() {
    return this.handles;
  }

  /** @override */
  showAim() {
    const { key = "" } = this.aim;
    const shown = this.foreseen;
    this.layers.hints.replaceChildren();
    this.layers.tags.replaceChildren();
    this.trace(shown);
    this.chips(shown);
    this.page.foretell(key ? shown : this.selected ? [this.selected] : []);
    const pointed = key && this.touchable.has(key) ? this.places.get(key) : undefined;
    if (!pointed) return;
    const { x, y, r } = pointed;
    const room = Math.max(r * 1.12, 9 / (this.zoom?.unit ?? 1));
    this.layers.hints.append(made("circle", { class: "held", cx: x, cy: y, r: room }));
    this.layers.tags.append(...this.tag(pointed, r));
  }

  /** Draw where choices lead. @param {Option[]} choices */
  trace(choices) {
    const drawn = new Set();
    for (const choice of choices) {
      const way = this.way(choice).flatMap((key) => this.places.get(key) ?? []);
      const name = way.map(({ x, y }) => `${x},${y}`).join(" ");
      if (!way.length || drawn.has(name)) continue;
      drawn.add(name);
      const points = this.road(way).map(([x, y]) => `${x},${y}`).join(" ");
      const lines = way.length > 1 ? ["casing", "line"].map((kind) => made("polyline", { class: kind, points })) : [];
      this.layers.hints.append(...lines, ...this.end(choice, way), ...this.steps(choice, way));
    }
  }

  /** What stands at the end of a way: a ghost of the piece, or a ring. @param {Option} choice @param {Place[]} way */
  end(choice, way) {
    const end = way[way.length - 1];
    const ghost = this.ghostOf(choice, end);
    if (ghost) return [ghost];
    const spot = { cx: end.x, cy: end.y, r: end.r * 0.8 };
    return ["casing", "aim"].map((name) => made("circle", { class: name, ...spot }));
  }

  /**
   * The piece that a choice moves, as it would stand at a place.
   * @param {Option} choice @param {Place} end @returns {SVGElement | null}
   */
  ghostOf(choice, end) {
    return choice && end && null;
  }

  /** The points a way leads through. @param {Place[]} way @returns {[number, number][]} */
  road(way) {
    return way.map(({ x, y }) => [x, y]);
  }

  /** The steps of a way, counted where there are several. @param {Option} choice @param {Place[]} way */
  steps(choice, way) {
    const [from, end] = [way[0], way[way.length - 1]];
    const passed = way.length === 2 ? this.module.steps?.(from, end, this.places) ?? [end] : way.slice(1);
    if (passed.length < 2) return [];
    const unit = this.zoom?.unit ?? 1;
    return passed.map(({ x, y, r }, number) => {
      const last = number === passed.length - 1;
      const at = last ? [x - Math.min(r, 26 / unit), y + Math.min(r, 26 / unit) * 0.5] : [x, y];
      return counted(String(number + 1), "step", at[0], at[1], STEP / unit, WRITING / unit);
    });
  }

  // --- What it brings -----------------------------------------------------------------------------------------------
  /** Say at their targets what choices bring. @param {Option[]} choices */
  chips(choices) {
    const { board } = this.page;
    const frame = board.parentElement;
    if (!frame) return;
    if (!this.chipLayer.isConnected) frame.append(this.chipLayer);
    const chips = choices.length > FEW ? [] : choices.flatMap((choice) => this.chip(choice) ?? []);
    this.chipLayer.replaceChildren(...chips.map(({ node }) => node));
    const edge = frame.getBoundingClientRect();
    for (const { node, x, y, room } of chips) {
      const { offsetWidth: wide, offsetHeight: high } = node;
      const left = Math.max(4, Math.min(edge.width - wide - 4, x - edge.left - wide / 2));
      const above = y - edge.top - room - high - AWAY;
      node.style.left = `${left}px`;
      node.style.top = `${above > 4 ? above : Math.min(edge.height - high - 4, y - edge.top + room + AWAY)}px`;
    }
  }

  /** @param {Option} choice */
  chip(choice) {
    const key = this.handle(choice);
    const at = choice.preview && this.screenOf(key);
    if (!choice.preview || !at) return undefined;
    const parts = this.module.chip?.(choice.preview) ?? [choice.preview];
    const node = el("span.choice-chip", {}, ...parts.map(said));
    return { node, x: at.x, y: at.y, room: Math.max(24, (this.places.get(key)?.r ?? 0) * (this.zoom?.unit ?? 1)) };
  }

  /**
   * The name of a place, written large beside it where its own can't be read.
   * @param {Place} place @param {number} r @returns {SVGElement[]}
   */
  tag(place, r) {
    const name = this.module.tag?.(place.label);
    if (!name || !this.unreadable) return [];
    const size = WRITING / (this.zoom?.unit ?? 1);
    const text = made("text", { class: "tag", x: place.x, y: place.y + r + size * 0.95, "font-size": size });
    text.textContent = name;
    return [text];
  }

  /** Whether names written on the drawing are too small to be read now. */
  get unreadable() {
    return false;
  }

  // --- Which of several ---------------------------------------------------------------------------------------------
  /** Ask at a place which of several choices is meant. @override @param {Option[]} options @param {string} key */
  ask(options, key) {
    this.closeBubble();
    const button = (/** @type {Option} */ option) => {
      const foreshow = () => this.foreshow(option);
      return el("button", { onclick: () => this.commit(option), onpointerenter: foreshow, onfocus: foreshow },
        el("b", {}, say(option.name)), option.preview && el("small", {}, say(option.preview)));
    };
    const buttons = options.map(button);
    const bubble = el("div.choice-bubble", { role: "group", "aria-label": t("which") }, ...buttons);
    const away = (/** @type {Event} */ { target }) =>
      bubble.contains(/** @type {Node} */ (target)) || this.closeBubble();
    this.closeBubble = () => {
      this.closeBubble = () => {};
      removeEventListener("pointerdown", away, true);
      bubble.remove();
      this.foreshow(null);
    };
    addEventListener("pointerdown", away, true);
    document.body.append(bubble);
    this.lay(bubble, key);
    buttons[0].focus();
  }

  /** Lay a bubble beside a place, inside the window. @param {HTMLElement} bubble @param {string} key */
  lay(bubble, key) {
    const { left, top, width, height } = this.page.board.getBoundingClientRect();
    const { x, y } = this.screenOf(key) ?? { x: left + width / 2, y: top + height / 2 };
    const room = (this.places.get(key)?.r ?? 20) * (this.zoom?.unit ?? 1) + AWAY;
    const { offsetWidth: wide, offsetHeight: high } = bubble;
    const above = y - room - high;
    bubble.style.left = `${Math.max(8, Math.min(innerWidth - wide - 8, x - wide / 2))}px`;
    bubble.style.top = `${above > 8 ? above : Math.max(8, Math.min(innerHeight - high - 8, y + room))}px`;
  }

  // --- What sticks to the pointer -----------------------------------------------------------------------------------
  /** Carry a ghost of the piece that may be laid in many places. @param {Point | null} pointer */
  carry(pointer) {
    const [option] = [...this.targets.values()][0] ?? [];
    const free = !this.aim.key && this.targets.size > FEW && option && this.way(option).length > 1;
    if (!pointer || !this.zoom || !free) return void (this.ghost = this.ghost?.remove() ?? null);
    const { x, y } = this.zoom.toDrawing(pointer);
    this.ghost ??= this.ghostOf(option, /** @type {Place} */ ({ x, y, r: 0 }));
    if (!this.ghost) return;
    this.ghost.style.transform = `translate(${x}px, ${y}px)`;
    if (!this.ghost.isConnected) this.layers.tags.append(this.ghost);
  }
}

/** A part of what is said at a target. @param {import("../board-module").ChipPart} part */
function said(part) {
  if (typeof part === "string" || Array.isArray(part)) return el("span", {}, say(part));
  const drawn = `<use href="#${part.symbol}" x="-50" y="-50" width="100" height="100"/>`;
  return el("i", { html: `<svg viewBox="-50 -50 100 100">${drawn}</svg>` });
}

/**
 * A count on a small round plate.
 * @param {string} text @param {string} kind @param {number} x @param {number} y @param {number} r @param {number} size
 */
export function counted(text, kind, x, y, r, size) {
  const group = made("g", { class: `counted ${kind}` });
  const wide = Math.max(r, text.length * size * 0.34);
  const label = made("text", { x, y: y + size * 0.35, "font-size": size });
  label.textContent = text;
  group.append(made("rect", { x: x - wide, y: y - r, width: 2 * wide, height: 2 * r, rx: r }), label);
  return group;
}
