/** The board of Save the Dragon: in 3D where the machine can and nobody minds, else flat; a switch turns it over. */

import { get } from "../api.js";
import { el, fill } from "../dom.js";
import { DrawnBoard } from "../drawn.js";
import { along, CALM } from "../motion.js";
import { say, t } from "../words.js";

/** @typedef {import("../table.js").TablePage} TablePage */
/** @typedef {import("../drawn.js").Kit} Kit */
/** @typedef {import("../drawn.js").Scene} Scene */
/** @typedef {import("./solid.js").Solid} Solid */
/** @typedef {import("../../../../../../web/src/messages").Choice} Choice */
/** @typedef {import("../../../../../../web/src/messages").Told} Told */
/** @typedef {import("../../../../../../web/src/messages").Fall} Fall */

const KEPT = "dracotheque.stair";
const SEATS = 4;
const LEDGE = "rock"; // where the rock lies while it does not fall
const HOP = 130; // milliseconds for a step that the flat rock comes down

export class StairBoard extends DrawnBoard {
  open = true;
  /** What draws in 3D. @type {Solid | null} */
  solid = null;
  flat = localStorage.getItem(KEPT) ? localStorage.getItem(KEPT) === "flat" : CALM.matches;
  /** The scene that is shown, and of which move it is. @type {{ scene: Scene, move: number } | null} */
  last = null;
  /** The fall that has been shown last. @type {Fall | null} */
  fallen = null;
  falls = 0;
  /**
   * Up to which move nobody wanted to wait, in the game or in a replay of it.
   * @type {{ move: number, replay: TablePage["replay"] }}
   */
  hurried = { move: -1, replay: null };
  /** The 3D board, as long as it is being built. @type {Promise<void> | undefined} */
  building = undefined;
  host = el("div.stair-3d");
  spots = el("ul.places", { "aria-label": t("stair.places") });
  turner = el("button.solid-switch", { onclick: () => this.turnOver() });

  /** @param {TablePage} page @param {Kit} kit */
  constructor(page, kit) {
    super(page, kit);
    if (!document.getElementById("stair-css")) {
      document.head.append(el("link", { id: "stair-css", rel: "stylesheet", href: "/page/css/stair.css" }));
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
    this.turner.title = t(this.flat ? "stair.solid" : "stair.flat");
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
    if (last) await this.show(last.scene, true);
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
    this.solid = await styled()
      .then(() => import("./solid.js"))
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
  /** @override @param {Scene} scene @param {boolean} still @param {Told} [told] */
  async show(scene, still, told) {
    await this.layOut();
    const move = Number(this.page.board.dataset.shown ?? 0);
    const forward = move >= (this.last?.move ?? 0);
    const fall = this.fallOf(scene, move, still);
    this.last = { scene, move };
    if (this.flat) return this.showFlat(scene, still, told, fall);
    const turn = (this.turn += 1);
    this.offer(undefined);
    const { solid, page } = this;
    solid?.stage.motion.begin();
    const quiet = still || CALM.matches || !solid?.figures.standing.size;
    page.board.toggleAttribute("data-moving", !quiet || Boolean(fall));
    const found = await fall;
    if (turn !== this.turn || solid !== this.solid) return undefined;
    if (found) await this.fallDown(found);
    if (turn !== this.turn || solid !== this.solid) return undefined;
    // While a rock falls the moves tell step by step what has been seen already.
    const falling = forward && !still && this.isOfFall(move) && move !== this.fallen?.last;
    if (!falling) await solid?.figures.show(scene.pieces, quiet && !found);
    if (turn !== this.turn || solid !== this.solid) return undefined;
    page.board.removeAttribute("data-moving");
    this.holdings = scene.holdings;
    this.describe(scene);
    this.offer(scene.touched, scene.question);
    return undefined;
  }

  /** Show a fall, and count it. @param {Fall} fall */
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
   * The fall that is to be seen before a scene, if any.
   * @param {Scene} scene @param {number} move @param {boolean} still @returns {Promise<Fall | null> | null}
   */
  fallOf(scene, move, still) {
    const before = this.last?.move ?? move;
    const hurried = this.hurried.replay === this.page.replay ? this.hurried.move : -1;
    if (CALM.matches || document.hidden || move <= before || move <= hurried) return null;
    if (this.isOfFall(move)) return null;
    if (this.flat && !still) return null; // there it is told move by move
    const falls = scene.pieces.rock?.place !== LEDGE;
    if (!falls && (!still || this.page.replay)) return null; // move by move none can be missed
    const since = still ? `&since=${before}` : "";
    return get(`${this.page.path}/fall?move=${move}${since}`)
      .then((found) => (found.path ? found : null))
      .catch(() => null);
  }

  /**
   * On the flat board the rock hops down its lanes where the moves in between are not shown.
   * @param {Scene} scene @param {boolean} still @param {Told | undefined} told
   * @param {Promise<Fall | null> | null} fall
   */
  async showFlat(scene, still, told, fall) {
    const found = still ? await fall : null;
    const rock = this.standing.get("rock");
    if (found && rock) {
      this.fallen = found;
      const stops = (found.lanes ?? []).flatMap((lane, step) => this.places.get(`${"abc"[lane]}${9 - step}`) ?? []);
      const points = [rock.at, ...stops.map(({ x, y }) => [x, y])];
      this.motion.begin();
      rock.node.parentNode?.append(rock.node);
      await this.motion.play(
        rock.node,
        along(points, ([x, y]) => `translate(${x}px, ${y}px)`, 24),
        { duration: HOP * points.length },
      );
      this.falls += 1;
      this.page.board.dataset.falls = String(this.falls);
    }
    await super.show(scene, still, told);
  }

  /** Say in words what stands where. @param {Scene} scene */
  describe({ pieces }) {
    const what = Object.values(pieces)
      .flatMap(({ label }) => (label ? [say(label)] : []))
      .join(", ");
    const { canvas } = /** @type {Solid} */ (this.solid);
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", t("stair.label", { what }));
  }

  /** @override */
  finish() {
    const { replay, view } = this.page;
    this.hurried = { replay, move: replay ? replay.move : Math.max(this.hurried.move, view?.moves ?? -1) };
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
    if (this.touched) this.page.board.dataset.offered = String(this.last?.move ?? 0);
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
  const link = /** @type {HTMLLinkElement} */ (document.getElementById("stair-css"));
  if (link.sheet) return Promise.resolve();
  return new Promise((resolve, reject) => {
    link.addEventListener("load", resolve, { once: true });
    link.addEventListener("error", reject, { once: true });
  });
}
