/** The board of Save the Dragon: in 3D, or flat on weak machines and for reduced motion; a switch changes it. */

import { get } from "/page/js/api.js";
import { el, fill } from "/page/js/dom.js";
import { CALM } from "/page/js/animation.js";
import { say } from "/page/js/i18n.js";
import { loadSheet } from "/page/js/svg.js";
import { FlatBoard } from "../flat-board.js";

/** @typedef {import("/page/js/table-page.js").TablePage} TablePage */
/** @typedef {import("/page/board-module").BoardModule} BoardModule */
/** @typedef {import("/page/js/move-queue.js").Moment} Moment */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("/page/protocol").Choice} Choice */
/** @typedef {import("/page/protocol").BoardState} BoardState */
/** @typedef {import("/page/protocol").Recording} Recording */

const KEPT = "dracotheque.stair";
const SEATS = 4;

export class Board3d extends FlatBoard {
  open = true;
  /** What draws in 3D. @type {Scene | null} */
  solid = null;
  flat = localStorage.getItem(KEPT) ? localStorage.getItem(KEPT) === "flat" : CALM.matches;
  /** The moment that is shown. @type {Moment | null} */
  last = null;
  /** The recording that has been shown last. @type {Recording | null} */
  fallen = null;
  falls = 0;
  /** The 3D board, as long as it is being built. @type {Promise<void> | undefined} */
  building = undefined;
  host = el("div.board-3d");
  spots = el("ul.places", { "aria-label": say(["stair.places"]) });
  turner = el("button.solid-switch", { onclick: () => this.turnOver() });

  /** @param {TablePage} page @param {BoardModule} module */
  constructor(page, module) {
    super(page, module);
    if (!document.getElementById("board-3d-css")) {
      const href = "/page/games/save-the-dragon/3d.css";
      document.head.append(el("link", { id: "board-3d-css", rel: "stylesheet", href }));
    }
    page.board.parentElement?.append(this.turner);
    this.nameTurner();
    page.board.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const plain = event.target === page.board && !event.ctrlKey && !event.altKey && !event.metaKey;
      if (plain && !page.replay && this.solid?.stage.key(event.key)) event.preventDefault();
    });
    addEventListener("pagehide", (event) => event.persisted || this.close());
    page.board.screenPlace = (/** @type {string} */ key) => this.solid?.stage.screen(key) ?? null;
    page.board.placeMiddle = (/** @type {string} */ key) => this.solid?.stage.middle(key) ?? null;
  }

  // --- Flat or in 3D ------------------------------------------------------------------------------------------------
  nameTurner() {
    fill(this.turner, this.flat ? "3D" : "2D");
    this.turner.title = say([this.flat ? "stair.solid" : "stair.flat"]);
    this.turner.setAttribute("aria-label", this.turner.title);
    this.page.board.dataset.stair = this.flat ? "flat" : "solid";
  }

  /** Show the other kind of board, from now on. */
  async turnOver() {
    localStorage.setItem(KEPT, this.flat ? "solid" : "flat");
    await this.become(!this.flat);
  }

  /** @param {boolean} flat */
  async become(flat) {
    const { last } = this;
    this.finish();
    this.clear();
    this.close();
    this.flat = flat;
    this.nameTurner();
    if (last) await this.show({ ...last, still: true, recording: undefined });
  }

  /** Give the 3D board back. */
  close() {
    this.solid?.dispose();
    this.solid = null;
    this.host.remove();
  }

  /** @override */
  async layOut() {
    if (this.flat || !this.places.size) await super.layOut(); // it knows what the places are called
    if (this.zoom) this.nearness = this.zoom;
    this.zoom = this.flat ? this.nearness : undefined;
    if (this.flat) return;
    const theme = document.documentElement.dataset.theme ?? "";
    if (this.solid && this.built !== theme) this.close();
    if (!this.solid) await (this.building ??= this.build(theme).finally(() => (this.building = undefined)));
    if (this.flat) await this.layOut();
    else if (!this.host.isConnected) this.page.board.replaceChildren(this.host);
  }

  /** Build the stair in 3D; where that does not work, the board is flat. @param {string} theme */
  async build(theme) {
    this.page.board.replaceChildren(this.host);
    const hooks = {
      point: (/** @type {string} */ key, /** @type {boolean} */ touch) => this.point(key, { touch }),
      take: (/** @type {string} */ key) => this.take(key),
      drop: (/** @type {string} */ key) => this.drop(key),
      over: (/** @type {string | null} */ key) => this.hover(key ?? ""),
      lost: () => this.become(true),
    };
    this.built = theme;
    this.solid = await Promise.all([styled(), loadSheet("crests")])
      .then(() => import("./scene.js"))
      .then(({ open }) => open(this.host, hooks, this.colours()))
      .catch((why) => (console.warn("no board in 3D:", why), null));
    this.flat = !this.solid;
    this.nameTurner();
    if (this.solid) this.host.replaceChildren(this.solid.canvas, this.spots);
    this.turner.hidden = this.flat && !localStorage.getItem(KEPT);
    this.solid?.stage.resize();
  }

  /** The colours of the seats. @returns {string[]} */
  colours() {
    return Array.from({ length: SEATS }, (_, seat) => {
      const mark = el(`i.seat-${seat}`);
      this.host.append(mark);
      const colour = getComputedStyle(mark).getPropertyValue("--seat").trim();
      mark.remove();
      return colour;
    });
  }

  // --- A moment -----------------------------------------------------------------------------------------------------
  /** @override @param {Moment} moment @returns {Promise<boolean>} */
  async show(moment) {
    const turn = (this.turn += 1);
    const forward = moment.moveNumber >= (this.last?.moveNumber ?? 0);
    const found = this.fetchRecording(moment);
    await this.layOut();
    if (turn !== this.turn) return false;
    this.last = moment;
    this.noteRoller(moment.record);
    const { solid, page } = this;
    solid?.stage.motion.begin();
    page.board.toggleAttribute("data-moving", !this.isQuiet(moment) || Boolean(moment.recording));
    const fall = await found;
    if (turn !== this.turn || solid !== this.solid) return false;
    if (fall) await this.fallDown(fall);
    if (turn !== this.turn || solid !== this.solid) return false;
    // While a rock falls, the moves repeat step by step what the recording has shown already.
    const { moveNumber } = moment;
    const falling = forward && !moment.still && this.isOfFall(moveNumber) && moveNumber !== this.fallen?.last;
    const shown = falling || (this.flat ? await this.showFlat(moment) : await this.showSolid(moment, Boolean(fall)));
    if (shown && (turn === this.turn || this.flat)) page.board.removeAttribute("data-moving");
    return shown;
  }

  /** Whether nothing is to be seen in motion. @param {Moment} moment */
  isQuiet({ still }) {
    return still || CALM.matches || !(this.flat ? this.standing.size : this.solid?.figures.standing.size);
  }

  /** @param {Moment} moment */
  showFlat(moment) {
    this.crop(moment.board);
    return super.show(moment);
  }

  /** @param {Moment} moment @param {boolean} fell whether a fall has just been shown */
  async showSolid(moment, fell) {
    const { turn, solid } = this;
    if (solid) solid.figures.roller = this.roller;
    await solid?.figures.show(moment.board.pieces, this.isQuiet(moment) && !fell);
    if (turn !== this.turn || solid !== this.solid) return false;
    this.holdings = moment.board.holdings;
    this.describe(moment.board);
    this.light();
    return true;
  }

  /** Show a fall, and count it. @param {Recording} fall */
  async fallDown(fall) {
    this.fallen = fall;
    await (this.flat ? this.fallFlat(fall) : this.solid?.fall(fall));
    this.falls += 1;
    this.page.board.dataset.falls = String(this.falls);
  }

  /** Whether a move belongs to the fall that has been shown. @override @param {number} move */
  isOfFall(move) {
    const { first = 0, last = 0 } = this.fallen ?? {};
    return Boolean(this.fallen) && move >= first && move <= last;
  }

  /**
   * The recording of what is to be seen falling before a moment, if any.
   * @param {Moment} moment @returns {Promise<Recording | null>}
   */
  async fetchRecording({ recording }) {
    if (!recording) return null;
    /** @type {Recording | null} */
    const found = await get(recording).catch(() => null);
    return found?.path ? found : null;
  }

  /** Say in words what stands where on the 3D board. @param {BoardState} board */
  describe({ pieces }) {
    const what = Object.values(pieces)
      .flatMap(({ label }) => (label ? [say(label)] : []))
      .join(", ");
    const { canvas } = /** @type {Scene} */ (this.solid);
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", say(["stair.label", { what }]));
  }

  /** @override */
  finish() {
    super.finish();
    this.solid?.stage.finish();
  }

  /** @override */
  clear() {
    super.clear();
    this.solid?.figures.clear();
    this.last = this.fallen = null;
  }

  // --- What may be chosen -------------------------------------------------------------------------------------------
  /** @override */
  light() {
    if (this.flat || !this.solid) return super.light();
    const { handles, lifted, page } = this;
    if (page.offered) page.board.dataset.offered = String(this.last?.moveNumber ?? 0);
    else delete page.board.dataset.offered;
    this.host.dataset.marks = handles.size ? this.marks : "";
    const piece = this.marks === "piece";
    const marks = new Map([...handles].map((key) => [key, { piece, price: piece ? 0 : this.priceOf(key) }]));
    this.solid.mark(marks, lifted, page.viewpoint);
    this.nameTouchable();
    return this.showAim();
  }

  /** List what can be touched for the keyboard: each place named once, with who stands there. */
  nameTouchable() {
    const { touchable, spots } = this;
    const focused = /** @type {HTMLElement | null} */ (spots.querySelector("button:focus"));
    const before = focused?.dataset.place ?? "";
    spots.hidden = !touchable.size;
    fill(spots, ...[...touchable].map((key) => el("li", {}, this.placeButton(key))));
    if (!focused) return;
    const next = this.held && before === this.held ? [...this.targets.keys()][0] : before;
    spots.querySelector(`[data-place="${next}"]`)?.focus();
  }

  /** @param {string} key */
  placeButton(key) {
    const pressed = this.sources.has(key) ? { "aria-pressed": String(key === this.lifted) } : {};
    const how = { onclick: () => this.point(key), onfocus: () => this.hint(key), onblur: () => this.hint("") };
    return el("button", { "data-place": key, ...pressed, ...how }, this.titleOf(key));
  }

  /** A place in words, with what stands on it and what it costs to go there. @param {string} key */
  titleOf(key) {
    const here = Object.values(this.last?.board.pieces ?? {}).flatMap(({ place, label }) =>
      place === key && label ? [say(label)] : []);
    const cost = this.priceOf(key);
    const more = [...here, ...(cost ? [say(["tokens", { count: cost }])] : [])];
    return more.length ? `${this.nameOf(key)}: ${more.join(", ")}` : this.nameOf(key);
  }

  /** Take up the piece at a place to drag it; say whether there is one. @param {string} key */
  take(key) {
    if (!this.sources.has(key) || this.page.isResting) return false;
    if (this.lifted !== key) this.pickUp(key);
    return true;
  }

  /** Put the piece that is dragged down at a place. @param {string} key */
  drop(key) {
    if (this.targets.has(key)) this.point(key);
    else this.hover("");
  }

  /** @override @param {Choice[]} choices */
  trace(choices) {
    if (this.flat || !this.solid) return super.trace(choices);
    return this.solid.trace(choices.map((choice) => this.way(choice)));
  }

  /** @override @param {{ clientX: number, clientY: number }} [at] */
  nearer(at) {
    if (this.flat || !this.solid) return super.nearer(at);
    return this.solid.nearer([...this.handles]);
  }
}

/** Wait until the colours are there. */
function styled() {
  const link = /** @type {HTMLLinkElement} */ (document.getElementById("board-3d-css"));
  if (link.sheet) return Promise.resolve();
  return new Promise((resolve, reject) => {
    link.addEventListener("load", resolve, { once: true });
    link.addEventListener("error", reject, { once: true });
  });
}
