/** Input on the empty board: its places, what is marked, fingers, mouse and keys; what they mean is the picker's. */

import { get } from "./api.js";
import { BoardPreview } from "./board-preview.js";
import { el } from "./dom.js";
import { adorn, made } from "./svg.js";
import { language, t } from "./i18n.js";
import { showSelected } from "./selected-choice.js";
import { Zoom } from "./zoom.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../board-module").BoardModule} BoardModule */
/** @typedef {import("../protocol").Choice} Choice */
/** @typedef {import("../board-module").Place} Place */
/** @typedef {{ x: number, y: number }} Point */

const FINGER = 22; // pixels: so far from a place that may be chosen a tap still means it
const APART = 40; // pixels between two places that fingers tell apart
const AROUND = 70; // pixels around a finger in which two places must be distinguished
const NEAREST = 2.4; // times: so near comes what a finger would not hit
const SEA = 16; // places: of more than these the marks are dots
const DOT = 3; // pixels
const READABLE = 10.5; // pixels
const COARSE = matchMedia("(pointer: coarse)");

export class BoardInput extends BoardPreview {
  theme = "";
  /** The drawing that is on its way. @type {Promise<void> | undefined} */
  laying = undefined;
  /** Over which place the pointer is. */
  over = "";
  /** Whether the board came nearer to what may be chosen by itself. */
  near = false;

  /** @param {TablePage} page @param {BoardModule} module */
  constructor(page, module) {
    super(page, module);
    addEventListener("keydown", (event) => event.key === "Escape" && this.escape());
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
    this.zoom = new Zoom(drawing, this.page.board, () => this.resized());
    this.watch(drawing);
    this.lens();
  }

  /** The drawing is larger or smaller than it was. */
  resized() {
    this.drawing?.classList.toggle("unreadable", this.unreadable);
    this.light();
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
      if (this.zoom?.dragged) return;
      const { pointerType } = /** @type {PointerEvent} */ (event);
      if (pointerType === "touch" && this.comesNearer(/** @type {PointerEvent} */ (event))) return;
      this.point(this.pick(/** @type {PointerEvent} */ (event)), { touch: pointerType === "touch" });
    });
    drawing.addEventListener("dblclick", (event) => {
      if (!this.touchable.has(this.pick(/** @type {PointerEvent} */ (event)))) this.nearer(event);
    });
    drawing.addEventListener("pointermove", (event) => {
      this.hover(event.pointerType === "touch" ? "" : this.pick(event));
      if (event.pointerType === "mouse") this.carry({ x: event.clientX, y: event.clientY });
    });
    drawing.addEventListener("pointerleave", () => (this.hover(""), this.carry(null)));
  }

  /** What a touch does something with: the marked places, and the other pieces that can be picked up. */
  get touchable() {
    return new Set([...this.handles, ...this.sources]);
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
    const finger = { x: event.clientX, y: event.clientY };
    return this.nearest(finger, this.handles) ?? this.nearest(finger, this.sources) ?? key;
  }

  /** The nearest of some places, if a finger reaches it. @param {Point} finger @param {Set<string>} keys */
  nearest(finger, keys) {
    const unit = this.zoom?.unit ?? 1;
    return this.onScreen(keys).map(({ key, x, y }) => ({ key, far: Math.hypot(x - finger.x, y - finger.y) }))
      .filter(({ key, far }) => far <= Math.max(FINGER, (this.places.get(key)?.r ?? 0) * unit))
      .sort((one, other) => one.far - other.far)[0]?.key;
  }

  /** Where some places are on the screen. @param {Iterable<string>} keys */
  onScreen(keys) {
    return [...keys].flatMap((key) => {
      const place = this.places.get(key);
      const at = place && this.zoom?.toScreen(place);
      return at ? [{ key, x: at.x, y: at.y }] : [];
    });
  }

  /**
   * Come nearer where a finger could not tell two marked places apart; gives whether it does.
   * @param {PointerEvent} event
   */
  comesNearer(event) {
    const finger = { x: event.clientX, y: event.clientY };
    const around = this.onScreen(this.handles).filter(({ x, y }) => Math.hypot(x - finger.x, y - finger.y) < AROUND);
    const gap = apart(around);
    if (!this.zoom || gap >= APART || this.zoom.scale >= NEAREST || this.selected) return false;
    this.lookAt(this.zoom.toDrawing(finger), NEAREST);
    return true;
  }

  /** Look at a point of the drawing from nearer. @param {Point} at @param {number} scale */
  lookAt(at, scale) {
    this.near = scale > 1;
    this.zoom?.look(scale, at);
    this.light();
  }

  /** Where fingers choose, come nearer to marked places that are close to each other; else see the whole again. */
  frame() {
    const { zoom } = this;
    if (!zoom || !COARSE.matches || (zoom.scale > 1 && !this.near)) return;
    const spots = [...this.touchable].flatMap((key) => this.places.get(key) ?? []);
    const gap = apart(spots) * zoom.fitting;
    if (!spots.length || gap >= APART) return void (this.near && this.lookAt(zoom.middle, 1));
    const [left, top] = [Math.min(...spots.map(({ x, r }) => x - r)), Math.min(...spots.map(({ y, r }) => y - r))];
    const [right, bottom] = [Math.max(...spots.map(({ x, r }) => x + r)), Math.max(...spots.map(({ y, r }) => y + r))];
    const { width, height } = this.page.board.getBoundingClientRect();
    const room = Math.min(width / (right - left), height / (bottom - top)) / zoom.fitting;
    const scale = Math.min(room, Math.max(NEAREST, APART / gap));
    if (scale > MATTERS) this.lookAt({ x: (left + right) / 2, y: (top + bottom) / 2 }, scale);
    else if (this.near) this.lookAt(zoom.middle, 1);
  }

  /**
   * Come nearer to a point of the screen, or else to what may be chosen; or step back.
   * @param {{ clientX: number, clientY: number }} [at]
   */
  nearer(at) {
    if (!this.zoom) return;
    this.near = false;
    const lit = [...this.handles].flatMap((key) => this.places.get(key) ?? []);
    const mean = (/** @type {"x" | "y"} */ axis) => lit.reduce((sum, each) => sum + each[axis], 0) / lit.length;
    const there = at && this.zoom.toDrawing({ x: at.clientX, y: at.clientY });
    this.zoom.toggle(there ?? (lit.length ? { x: mean("x"), y: mean("y") } : undefined));
  }

  // --- What may be chosen -----------------------------------------------------------------------------------------
  /** Mark what can be touched, when other choices are offered than before; go on where the one before promised it. */
  offer() {
    const { offered } = this.page;
    if (offered === this.offered) return;
    this.offered = offered;
    if (!offered || this.aim.key) this.aim = {}; // a button may be under its pointer already
    this.over = "";
    this.renew();
    const next = offered && this.promised();
    if (next) return void this.page.choose(next);
    this.light();
    this.frame();
  }

  /** The panel was laid out again: a button that goes is not left by any pointer. */
  promptChanged() {
    if (this.selected) showSelected(this.page, this.selected);
    this.foreshow(null);
  }

  /** Mark what can be touched, as large as it is now, and show where that leads which is pointed at. */
  light() {
    const { handles, marks, lifted, touchable, targets } = this;
    this.layers.glow.replaceChildren();
    this.carry(null);
    for (const { node } of this.places.values()) if (node.dataset.touch) this.putOut(node);
    const far = new Set([...targets].filter(([, options]) => options.every(({ then }, number) =>
      then && this.way(options[number]).length > 2)).map(([key]) => key));
    for (const key of touchable) this.lightAt(key, handles.has(key) ? marks : "", key === lifted);
    const plain = marks === "target" ? handles : new Set([...handles].filter((key) => !this.raises(key)));
    for (const key of plain) this.ring(key, handles.size > SEA ? "dot" : far.has(key) ? "far" : "near");
    this.raise();
    this.showAim();
  }

  /** @param {SVGGElement} node */
  putOut(node) {
    node.classList.remove("may");
    node.setAttribute("role", "img");
    for (const name of ["tabindex", "data-touch", "data-mark", "aria-pressed"]) node.removeAttribute(name);
  }

  /** @param {string} key @param {string} mark @param {boolean} lifted */
  lightAt(key, mark, lifted) {
    const place = this.places.get(key);
    if (!place) return;
    const { node, x, y } = place;
    const r = this.reach(key) / (this.zoom?.unit ?? 1);
    this.layers.glow.append(made("circle", { class: "reach", "data-reach": key, cx: x, cy: y, r }));
    node.classList.toggle("may", Boolean(mark));
    adorn(node, { role: "button", tabindex: 0, "data-touch": "yes", ...(mark && { "data-mark": mark }) });
    if (this.sources.has(key)) node.setAttribute("aria-pressed", String(lifted));
    node.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.point(key);
      if (this.held === key) this.places.get([...this.targets.keys()][0])?.node.focus();
    };
    node.onfocus = () => this.hint(key);
    node.onblur = () => this.hint("");
  }

  /** Draw a ring around a marked place, or a dot on it. @param {string} key @param {"near" | "far" | "dot"} kind */
  ring(key, kind) {
    const place = this.places.get(key);
    if (!place) return;
    const unit = this.zoom?.unit ?? 1;
    const large = { near: Math.max(place.r * 1.12, 9 / unit), far: Math.max(place.r * 0.8, 6 / unit), dot: DOT / unit };
    const r = large[kind];
    const parts = { near: ["halo", "casing", "ring"], far: ["halo", "ring"], dot: ["casing", "spot"] }[kind];
    const circles = parts.map((name) => made("circle", { class: name, cx: place.x, cy: place.y, r }));
    const mark = made("g", { class: `mark ${kind}`, "data-at": key });
    mark.append(...circles);
    this.layers.glow.append(mark);
  }

  /** Whether the piece at a place can be marked itself. @param {string} key @returns {boolean} */
  raises(key) {
    return key === "";
  }

  /** Lift and outline the pieces that can be touched. */
  raise() {}

  /**
   * How many pixels around a place mean it: a finger's breadth, but no farther than half way to the next.
   * @param {string} key
   */
  reach(key) {
    const { x, y } = /** @type {Place} */ (this.places.get(key));
    const unit = this.zoom?.unit ?? 1;
    const others = [...this.touchable].flatMap((other) => (other === key ? [] : this.places.get(other) ?? []));
    return Math.min(FINGER, ...others.map((other) => (Math.hypot(other.x - x, other.y - y) * unit) / 2));
  }

  /** Escape puts down what is picked up; its place has the focus then. */
  escape() {
    const { held } = this;
    const focused = this.page.board.contains(document.activeElement);
    if (document.querySelector("dialog[open]") || !this.letGo() || !focused) return;
    this.places.get(held)?.node.focus();
  }

  /** The pointer is over a place, or over none. @param {string} key */
  hover(key) {
    const lit = this.touchable.has(key) ? key : "";
    if (lit !== this.over) this.hint(lit);
    this.over = lit;
    this.fan(key);
    this.drawing?.classList.toggle("pointed", Boolean(lit));
  }

  /** Spread the pieces that crowd at a place. @param {string} key */
  fan(key) {
    void key;
  }

  // --- Names that can be read -------------------------------------------------------------------------------------
  /** Whether names written on the drawing are too small to be read now. */
  get unreadable() {
    return (this.zoom?.unit ?? 1) * (this.module.written ?? READABLE) < READABLE;
  }
}

const MATTERS = 1.15; // times: less does not make it easier to hit

/** How near the nearest two of some points are. @param {Point[]} points */
function apart(points) {
  const pairs = points.flatMap((one, number) =>
    points.slice(number + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)));
  return Math.min(Infinity, ...pairs);
}
