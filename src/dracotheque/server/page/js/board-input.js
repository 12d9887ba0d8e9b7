/** Input on the empty board: its places, which of them can be chosen, pointer and keyboard, and where a choice leads. */

import { get } from "./api.js";
import { ChoicePicker } from "./choice-picker.js";
import { el } from "./dom.js";
import { adorn, made } from "./svg.js";
import { language, t } from "./i18n.js";
import { Zoom } from "./zoom.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../board-module").BoardModule} BoardModule */
/** @typedef {import("../protocol").Choice} Choice */
/** @typedef {import("../board-module").Place} Place */

const LAYERS = ["glow", "figures", "hints", "tags", "dice"];
const FINGER = 22; // pixels: so far from a place that may be chosen a tap still means it
const WRITING = 13; // pixels: so large names are written beside places whose own are too small
const READABLE = 10.5; // pixels

export class BoardInput extends ChoicePicker {
  /** @type {Map<string, Place>} */
  places = new Map();
  theme = "";
  /** The drawing that is on its way. @type {Promise<void> | undefined} */
  laying = undefined;
  /** The layers over the drawing, from below: what glows, pieces, where a choice leads, names, a die. */
  layers = Object.fromEntries(LAYERS.map((name) => [name, made("g", { class: name })]));
  /** Over which place the pointer is. */
  over = "";
  /** What is pointed at: a place, or a choice by its button. @type {{ key?: string, choice?: Choice | null }} */
  aim = {};

  /** @param {TablePage} page @param {BoardModule} module */
  constructor(page, module) {
    super(page);
    this.module = module;
    page.board.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
      if (plain && this.zoom?.key(event.key)) event.preventDefault();
    });
  }

  /** Draw the empty board, by day or by night. */
  async layOut() {
    const theme = document.documentElement.dataset.theme ?? "";
    if (this.theme !== theme) await (this.laying ??= this.fetchDrawing(theme).finally(() => (this.laying = undefined)));
    if (this.drawing && !this.drawing.isConnected) this.page.board.replaceChildren(this.drawing);
  }

  /** @param {string} theme */
  async fetchDrawing(theme) {
    const { svg } = await get(`${this.page.path}/board.svg?lang=${language}&night=${theme === "night"}`);
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    this.draw(/** @type {SVGSVGElement} */ (/** @type {Element} */ (document.importNode(parsed, true))));
    this.theme = theme;
  }

  /** @param {SVGSVGElement} drawing */
  draw(drawing) {
    this.drawing = drawing;
    drawing.setAttribute("class", "drawn");
    this.module.lay?.(drawing, this.page.shown.seats.length);
    this.places.clear();
    for (const node of /** @type {NodeListOf<SVGGElement>} */ (drawing.querySelectorAll("[data-place]"))) {
      const [x, y, r] = ["x", "y", "r"].map((name) => Number(node.dataset[name] ?? 0));
      this.places.set(node.dataset.place ?? "", { x, y, r, node, label: node.getAttribute("aria-label") ?? "" });
    }
    drawing.append(...Object.values(this.layers));
    this.name(drawing);
    this.page.board.replaceChildren(drawing);
    this.zoom = new Zoom(drawing, this.page.board, () => this.light());
    this.watch(drawing);
    this.lens();
  }

  /** A glass in the corner of the board, to look nearer and back. */
  lens() {
    if (this.module.plain || this.page.board.nextElementSibling?.matches(".look-nearer")) return;
    const glass = `<svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M15 15l6 6M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0z"/>
      <path class="near" d="M10 7v6M7 10h6"/><path class="back" d="M7 10h6"/></svg>`;
    const label = t("tool.nearer");
    const nearer = { "aria-label": label, title: label, html: glass, onclick: () => this.nearer() };
    this.page.board.after(el(`button.look-nearer.${this.page.game.name}`, nearer));
  }

  /**
   * Name the board after the title of its drawing; its places are elements of their own, so it is no single image.
   * @param {SVGSVGElement} drawing
   */
  name(drawing) {
    const title = drawing.querySelector(":scope > title");
    drawing.setAttribute("role", "none");
    drawing.removeAttribute("aria-labelledby");
    adorn(this.page.board, { role: "group", "aria-label": title?.textContent ?? this.page.game.title });
    title?.remove(); // or it would be read under every pointer
  }

  // --- Fingers ----------------------------------------------------------------------------------------------------
  /** @param {SVGSVGElement} drawing */
  watch(drawing) {
    drawing.addEventListener("click", (event) => {
      const key = this.pick(/** @type {PointerEvent} */ (event));
      if (key && !this.zoom?.dragged) this.point(key);
    });
    drawing.addEventListener("dblclick", (event) => {
      if (!this.handles.has(this.pick(/** @type {PointerEvent} */ (event)) ?? "")) this.nearer(event);
    });
    drawing.addEventListener("pointermove", (event) =>
      this.hover(event.pointerType === "touch" ? "" : this.pick(event)));
    drawing.addEventListener("pointerleave", () => this.hover(""));
  }

  /**
   * Which place is meant: a finger means the nearest of those that may be chosen, a mouse what it points at.
   * @param {PointerEvent} event
   */
  pick(event) {
    const target = /** @type {Element} */ (event.target);
    const hit = /** @type {SVGElement | null} */ (target.closest("[data-place], [data-reach]"));
    const key = hit?.dataset.place ?? hit?.dataset.reach ?? "";
    if (key && (event.pointerType === "mouse" || this.handles.has(key))) return key;
    return this.nearest({ x: event.clientX, y: event.clientY }) ?? key;
  }

  /** The nearest place that may be chosen, if a finger reaches it. @param {{ x: number, y: number }} finger */
  nearest(finger) {
    const unit = this.zoom?.unit ?? 1;
    const reached = [...this.handles].flatMap((key) => {
      const place = this.places.get(key);
      const at = place && this.zoom?.toScreen(place);
      if (!at) return [];
      const far = Math.hypot(at.x - finger.x, at.y - finger.y);
      return far <= Math.max(FINGER, place.r * unit) ? [{ key, far }] : [];
    });
    return reached.sort((one, other) => one.far - other.far)[0]?.key;
  }

  /**
   * Come nearer to a point of the screen, or else to what may be chosen; or step back.
   * @param {{ clientX: number, clientY: number }} [at]
   */
  nearer(at) {
    if (!this.zoom) return;
    const lit = [...this.handles].flatMap((key) => this.places.get(key) ?? []);
    const mean = (/** @type {"x" | "y"} */ axis) => lit.reduce((sum, each) => sum + each[axis], 0) / lit.length;
    const there = at && this.zoom.toDrawing({ x: at.clientX, y: at.clientY });
    this.zoom.toggle(there ?? (lit.length ? { x: mean("x"), y: mean("y") } : undefined));
  }

  // --- What may be chosen -----------------------------------------------------------------------------------------
  /** Light the places that a choice leads to or begins at, when other choices are offered than before. */
  offer() {
    const { offered } = this.page;
    if (offered === this.offered) return;
    this.offered = offered;
    if (!offered || this.aim.key) this.aim = {}; // a button may be under its pointer already
    this.over = "";
    this.closeSheet();
    this.light();
  }

  /** The panel was laid out again: a button that goes is not left by any pointer. */
  promptChanged() {
    this.foreshow(null);
  }

  /** Light what may be chosen, as large as it is now, and show where that leads which is pointed at. */
  light() {
    this.layers.glow.replaceChildren();
    this.layers.tags.replaceChildren();
    for (const { node } of this.places.values()) {
      if (!node.classList.contains("may")) continue;
      node.classList.remove("may");
      node.removeAttribute("tabindex");
      node.setAttribute("role", "img");
    }
    for (const key of this.handles) this.lightAt(key);
    this.showAim();
  }

  /** @param {string} key */
  lightAt(key) {
    const place = this.places.get(key);
    if (!place) return;
    const { node, x, y } = place;
    const unit = this.zoom?.unit ?? 1;
    const r = Math.max(place.r * 1.12, 9 / unit);
    const rings = ["halo", "casing", "ring"].map((name) => made("circle", { class: name, cx: x, cy: y, r }));
    const reach = made("circle", { class: "reach", "data-reach": key, cx: x, cy: y, r: this.reach(key) / unit });
    this.layers.glow.append(...rings, reach);
    this.layers.tags.append(...this.tag(place, r));
    node.classList.add("may");
    node.setAttribute("role", "button");
    node.setAttribute("tabindex", "0");
    node.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.point(key);
    };
    node.onfocus = () => this.hint(key);
    node.onblur = () => this.hint("");
  }

  /**
   * How many pixels around a place mean it: a finger's breadth, but no farther than half way to the next.
   * @param {string} key
   */
  reach(key) {
    const { x, y } = /** @type {Place} */ (this.places.get(key));
    const unit = this.zoom?.unit ?? 1;
    const others = [...this.handles].flatMap((other) => (other === key ? [] : this.places.get(other) ?? []));
    return Math.min(FINGER, ...others.map((other) => (Math.hypot(other.x - x, other.y - y) * unit) / 2));
  }

  /**
   * The name of a place, written large beside it where its own can't be read.
   * @param {Place} place @param {number} r @returns {SVGElement[]}
   */
  tag(place, r) {
    const name = this.module.tag?.(place.label);
    const unit = this.zoom?.unit ?? 1;
    if (!name || unit * (this.module.written ?? 0) >= READABLE) return [];
    const size = WRITING / unit;
    const text = made("text", { class: "tag", x: place.x, y: place.y + r + size * 0.95, "font-size": size });
    text.textContent = name;
    return [text];
  }

  // --- Where it leads ---------------------------------------------------------------------------------------------
  /** The pointer is over a place, or over none. @param {string} key */
  hover(key) {
    const lit = this.handles.has(key) ? key : "";
    if (lit !== this.over) this.hint(lit);
    this.over = lit;
    this.drawing?.classList.toggle("pointed", Boolean(lit));
  }

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

  /** Show where that leads which is pointed at. */
  showAim() {
    const { key = "", choice } = this.aim;
    const meant = key ? this.at(key) : [];
    this.layers.hints.replaceChildren();
    this.trace(choice && this.choices.includes(choice) ? [choice] : meant);
    this.page.foretell(meant);
    const held = meant.length ? this.places.get(key) : undefined;
    if (held) this.layers.hints.append(made("circle", { class: "held", cx: held.x, cy: held.y, r: held.r * 1.12 }));
  }

  /** Draw the paths of choices on the board. @param {Choice[]} choices */
  trace(choices) {
    for (const choice of choices) {
      const way = this.way(choice).flatMap((key) => this.places.get(key) ?? []);
      const end = way.at(-1);
      if (!end) continue;
      const points = this.road(way).map(([x, y]) => `${x},${y}`).join(" ");
      const lines = way.length > 1 ? ["casing", "line"].map((name) => made("polyline", { class: name, points })) : [];
      const spot = { cx: end.x, cy: end.y, r: end.r * 0.8 };
      const aims = ["casing", "aim"].map((name) => made("circle", { class: name, ...spot }));
      this.layers.hints.append(...lines, ...aims);
    }
  }

  /** The points a way leads through. @param {Place[]} way @returns {[number, number][]} */
  road(way) {
    return way.map(({ x, y }) => [x, y]);
  }
}
