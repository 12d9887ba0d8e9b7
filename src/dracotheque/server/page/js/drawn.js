/** The drawn board: pieces stand at places, what may be chosen glows, and a move is seen. */

import { get } from "./api.js";
import { el } from "./dom.js";
import { language, say, t } from "./words.js";

/** @typedef {import("./table.js").TablePage} TablePage */
/** @typedef {import("../../../../../web/src/messages").Piece} Piece */
/** @typedef {import("../../../../../web/src/messages").Choice} Choice */
/** @typedef {{ x: number, y: number, r: number, node: SVGGElement }} Place */
/** @typedef {{ pieces: Record<string, Piece>, touched: Record<string, string[]>, holdings: any[] }} Scene */
/**
 * What a game adds: its pieces as symbols, how large they are and how several share a place.
 * @typedef {{ symbols: string, symbolOf: (piece: Piece) => string, size: (piece: Piece) => number,
 *   stand: (rank: number, count: number, room: number) => [number, number],
 *   follow?: (before: Record<string, Piece>, after: Record<string, Piece>) => Record<string, Piece>,
 *   between?: (piece: Piece, from: Place, to: Place) => [number, number][] }} Kit
 */

const SVG = "http://www.w3.org/2000/svg";
const TRAVEL = 420; // milliseconds a piece is on its way
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

export class DrawnBoard {
  /** @type {Map<string, Place>} */
  places = new Map();
  /** @type {Map<string, { node: SVGUseElement, piece: Piece, at: [number, number] }>} */
  standing = new Map();
  /** @type {string[][]} */
  offered = [];
  theme = "";

  /** @param {TablePage} page @param {Kit} kit */
  constructor(page, kit) {
    this.page = page;
    this.kit = kit;
  }

  /** Find out whether a game is drawn, and load what it adds. @param {TablePage} page @returns {Promise<DrawnBoard | null>} */
  static async of(page) {
    if (!page.box.drawn) return null;
    return new DrawnBoard(page, await import(`./boards/${page.box.name}.js`));
  }

  /** Draw the empty board, by day or by night. */
  async layOut() {
    const theme = document.documentElement.dataset.theme ?? "";
    if (this.drawing && !this.drawing.isConnected) this.page.board.replaceChildren(this.drawing);
    if (this.theme === theme) return;
    const { svg } = await get(`${this.page.path}/art?lang=${language}&night=${theme === "night"}`);
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    this.drawing = /** @type {SVGSVGElement} */ (document.importNode(parsed, true));
    this.drawing.setAttribute("class", "drawn");
    this.glow = this.layer("glow");
    this.figures = this.layer("figures");
    this.hints = this.layer("hints");
    for (const node of /** @type {NodeListOf<SVGGElement>} */ (this.drawing.querySelectorAll("[data-place]"))) {
      const [x, y, r] = ["x", "y", "r"].map((name) => Number(node.dataset[name] ?? 0));
      this.places.set(node.dataset.place ?? "", { x, y, r, node });
      node.addEventListener("click", () => this.point(node.dataset.place ?? ""));
    }
    this.standing.clear();
    this.symbols();
    this.theme = theme;
    this.page.board.replaceChildren(this.drawing);
  }

  /** Put the game's symbols into the page once: the board and the seats draw from them. */
  symbols() {
    if (document.getElementById("symbols")) return;
    document.body.insertAdjacentHTML("beforeend", `<svg id="symbols" aria-hidden="true">${this.kit.symbols}</svg>`);
  }

  /** @param {string} name */
  layer(name) {
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("class", name);
    this.drawing?.append(group);
    return group;
  }

  /** Show a scene: what stands where, and what I may choose. @param {Scene} scene @param {boolean} still */
  async show(scene, still) {
    await this.layOut();
    const before = Object.fromEntries([...this.standing].map(([id, { piece }]) => [id, piece]));
    this.stand(this.kit.follow?.(before, scene.pieces) ?? scene.pieces, still || CALM.matches);
    this.offer(scene.touched);
  }

  /** Put every piece where it belongs; those that were elsewhere travel. @param {Record<string, Piece>} pieces @param {boolean} still */
  stand(pieces, still) {
    /** @type {Map<string, string[]>} */
    const crowds = new Map();
    for (const [id, piece] of Object.entries(pieces)) crowds.set(piece.place, [...(crowds.get(piece.place) ?? []), id]);
    for (const [id, { node }] of this.standing) {
      if (!(id in pieces)) (node.remove(), this.standing.delete(id));
    }
    for (const [key, crowd] of crowds) {
      const place = this.places.get(key);
      if (place) crowd.sort().forEach((id, rank) => this.put(id, pieces[id], place, rank, crowd.length, still));
    }
  }

  /**
   * @param {string} id @param {Piece} piece @param {Place} place @param {number} rank @param {number} count
   * @param {boolean} still
   */
  put(id, piece, place, rank, count, still) {
    const [dx, dy] = this.kit.stand(rank, count, place.r);
    /** @type {[number, number]} */
    const at = [place.x + dx, place.y + dy];
    const before = this.standing.get(id);
    const node = before?.node ?? this.figure();
    const size = this.kit.size(piece);
    node.setAttribute("href", `#${this.kit.symbolOf(piece)}`);
    for (const [name, value] of [["x", -size / 2], ["y", -size / 2], ["width", size], ["height", size]]) {
      node.setAttribute(String(name), String(value));
    }
    node.setAttribute("class", `figure ${piece.kind}${(piece.seat ?? -1) >= 0 ? ` seat-${piece.seat}` : ""}`);
    if (piece.label) node.setAttribute("aria-label", say(piece.label));
    node.style.transform = moved(at, piece.turn ?? 0);
    if (before && !still && (before.at[0] !== at[0] || before.at[1] !== at[1])) this.travel(node, before, piece, place, at);
    this.standing.set(id, { node, piece, at });
  }

  /** @returns {SVGUseElement} */
  figure() {
    const node = document.createElementNS(SVG, "use");
    node.setAttribute("role", "img");
    this.figures?.append(node);
    return node;
  }

  /**
   * Let a piece go its way; who does not want to wait clicks anywhere.
   * @param {SVGUseElement} node @param {{ piece: Piece, at: [number, number] }} before @param {Piece} piece
   * @param {Place} place @param {[number, number]} at
   */
  travel(node, before, piece, place, at) {
    const from = this.places.get(before.piece.place);
    const by = from && from !== place && this.kit.between ? this.kit.between(piece, from, place) : [];
    const frames = [before.at, ...by, at].map((point) => ({ transform: moved(point, piece.turn ?? 0) }));
    this.figures?.append(node); // above the others while it moves
    const way = node.animate(frames, { duration: TRAVEL * Math.min(3, 1 + by.length / 4), easing: "ease-out" });
    addEventListener("pointerdown", () => way.finish(), { once: true });
  }

  // --- Choosing on the board ------------------------------------------------------------------------------------------
  /** The choices I have, if I am asked. @returns {Choice[]} */
  get choices() {
    const { page } = this;
    const mine = page.asked === page.look && page.look >= 0 && !page.replay && !page.turning;
    return mine ? page.view.question?.choices ?? [] : [];
  }

  /** Let the places glow that a choice leads to or begins at. @param {Record<string, string[]>} touched */
  offer(touched) {
    this.touched = touched;
    this.glow?.replaceChildren();
    this.hints?.replaceChildren();
    for (const { node } of this.places.values()) {
      node.classList.remove("may");
      node.removeAttribute("tabindex");
    }
    for (const key of new Set(this.choices.map((choice) => this.handle(choice)))) this.light(key);
  }

  /** Where a choice is taken hold of: where it begins if that tells it apart, else where it leads. @param {Choice} choice */
  handle(choice) {
    const [first, ...rest] = this.touched?.[choice.action] ?? [];
    return rest.length && this.sharing(rest[rest.length - 1]) > 1 ? first : rest[rest.length - 1] ?? first;
  }

  /** From how many places choices lead to one. @param {string} key */
  sharing(key) {
    const ways = this.choices.map((choice) => this.touched?.[choice.action] ?? []).filter((way) => way.at(-1) === key);
    return new Set(ways.map((way) => way[0])).size;
  }

  /** @param {string | undefined} key */
  light(key) {
    const place = key && this.places.get(key);
    if (!place) return;
    const ring = document.createElementNS(SVG, "circle");
    for (const [name, value] of [["cx", place.x], ["cy", place.y], ["r", place.r * 1.15]]) {
      ring.setAttribute(String(name), String(value));
    }
    this.glow?.append(ring);
    const { node } = place;
    node.classList.add("may");
    node.setAttribute("tabindex", "0");
    node.onkeydown = (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), this.point(key));
    node.onpointerenter = node.onfocus = () => this.hint(key);
    node.onpointerleave = node.onblur = () => this.hints?.replaceChildren();
  }

  /** The choices that are taken hold of at a place. @param {string} key */
  at(key) {
    return this.choices.filter((choice) => this.handle(choice) === key);
  }

  /** Show where the choices at a place lead. @param {string} key */
  hint(key) {
    this.hints?.replaceChildren();
    for (const choice of this.at(key)) {
      const way = (this.touched?.[choice.action] ?? []).map((each) => this.places.get(each));
      const line = document.createElementNS(SVG, "polyline");
      line.setAttribute("points", way.map((place) => (place ? `${place.x},${place.y}` : "")).join(" "));
      this.hints?.append(line);
    }
    this.page.foretell(this.at(key));
  }

  /** Choose at a place, ask which where several are meant, or say why nothing is. @param {string} key */
  point(key) {
    const meant = this.at(key).length ? this.at(key)
      : this.choices.filter((choice) => (this.touched?.[choice.action] ?? []).includes(key));
    if (meant.length === 1) this.page.choose(meant[0]);
    else if (meant.length) this.ask(meant);
    else if (this.choices.length) this.page.whyNot(key);
  }

  /** Ask which of several choices at one place is meant. @param {Choice[]} meant */
  ask(meant) {
    const buttons = meant.map((choice) => el("button", {
      onclick: () => (close(), this.page.choose(choice)),
    }, say(choice.name), choice.preview && el("small", {}, say(choice.preview))));
    const close = this.page.sheet(t("which"), el("div.column", {}, ...buttons));
  }
}

/** @param {[number, number] | number[]} at @param {number} turn */
const moved = ([x, y], turn) => `translate(${x}px, ${y}px) rotate(${turn}deg)`;
