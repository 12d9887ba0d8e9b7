/** The board of Save the Dragon: in 3D, or flat on weak machines and for reduced motion; a switch changes it. */

import { get } from "/page/js/api.js";
import { el, fill } from "/page/js/dom.js";
import { SvgBoard } from "/page/js/svg-board.js";
import { along, CALM } from "/page/js/animation.js";
import { say } from "/page/js/i18n.js";
import { loadSheet } from "/page/js/svg.js";

/** @typedef {import("/page/js/table-page.js").TablePage} TablePage */
/** @typedef {import("/page/board-module").BoardModule} BoardModule */
/** @typedef {import("/page/js/move-queue.js").Moment} Moment */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("/page/protocol").Choice} Choice */
/** @typedef {import("/page/protocol").BoardState} BoardState */
/** @typedef {import("/page/protocol").Recording} Recording */

const KEPT = "dracotheque.stair";
const SEATS = 4;
const LEDGE = "rock"; // where the rock lies while it does not fall
const HOP = 130; // milliseconds for a step that the flat rock comes down

export class Board3d extends SvgBoard {
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
      point: (/** @type {string} */ key) => this.point(key),
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
    if (this.flat) return this.showFlat(moment, await found);
    const { solid, page } = this;
    solid?.stage.motion.begin();
    const quiet = moment.still || CALM.matches || !solid?.figures.standing.size;
    page.board.toggleAttribute("data-moving", !quiet || Boolean(moment.recording));
    const fall = await found;
    if (turn !== this.turn || solid !== this.solid) return false;
    if (fall) await this.fallDown(fall);
    if (turn !== this.turn || solid !== this.solid) return false;
    // While a rock falls, the moves repeat step by step what the recording has shown already.
    const { moveNumber } = moment;
    const falling = forward && !moment.still && this.isOfFall(moveNumber) && moveNumber !== this.fallen?.last;
    if (!falling) await solid?.figures.show(moment.board.pieces, quiet && !fall);
    if (turn !== this.turn || solid !== this.solid) return false;
    page.board.removeAttribute("data-moving");
    this.holdings = moment.board.holdings;
    this.describe(moment.board);
    this.light();
    return true;
  }

  /** Show a fall, and count it. @param {Recording} fall */
  async fallDown(fall) {
    this.fallen = fall;
    await this.solid?.fall(fall);
    this.falls += 1;
    this.page.board.dataset.falls = String(this.falls);
  }

  /** Whether a move belongs to the fall that has been shown. @param {number} move */
  isOfFall(move) {
    const { first = 0, last = 0 } = this.fallen ?? {};
    return Boolean(this.fallen) && move >= first && move <= last;
  }

  /**
   * The recording of what is to be seen falling before a moment, if any.
   * @param {Moment} moment @returns {Promise<Recording | null>}
   */
  async fetchRecording({ still, recording }) {
    if (!recording || (this.flat && !still)) return null; // the flat board shows it move by move
    /** @type {Recording | null} */
    const found = await get(recording).catch(() => null);
    return found?.path ? found : null;
  }

  /**
   * On the flat board the rock hops down its lanes where the moves in between are not shown.
   * @param {Moment} moment @param {Recording | null} fall
   */
  async showFlat(moment, fall) {
    const rock = this.standing.get("rock");
    if (fall && rock) {
      this.fallen = fall;
      const stops = (fall.lanes ?? []).flatMap((lane, step) => this.places.get(`${"abc"[lane]}${9 - step}`) ?? []);
      const points = [rock.at, ...stops.map(({ x, y }) => [x, y])];
      this.animator.begin();
      rock.node.parentNode?.append(rock.node);
      await this.animator.play(
        rock.node,
        along(points, ([x, y]) => `translate(${x}px, ${y}px)`, 24),
        { duration: HOP * points.length },
      );
      this.falls += 1;
      this.page.board.dataset.falls = String(this.falls);
    }
    return super.show(moment);
  }

  /** Say in words what stands where. @param {BoardState} board */
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
    const handles = [...this.handles];
    if (this.page.offered) this.page.board.dataset.offered = String(this.last?.moveNumber ?? 0);
    else delete this.page.board.dataset.offered;
    this.spots.hidden = !handles.length;
    this.solid.stage.shine(handles);
    fill(
      this.spots,
      ...handles.map((key) =>
        el(
          "li",
          {},
          el(
            "button",
            {
              "data-place": key,
              onclick: () => this.point(key),
              onfocus: () => this.hint(key),
              onblur: () => this.hint(""),
            },
            this.places.get(key)?.label ?? key,
          ),
        ),
      ),
    );
    return this.showAim();
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
