/** The drawn board: pieces stand at places, what may be chosen glows, and a move is seen. */

import { loaded } from "./api.js";
import { CALM, Motion, along, falling, growing, shaking, unfolding } from "./motion.js";
import { Pointing } from "./pointing.js";
import { crowds, difference, ranks } from "./scenes.js";
import { adorn, made } from "./svg.js";
import { say } from "./words.js";

/** @typedef {import("./table.js").TablePage} TablePage */
/** @typedef {import("../../../../../web/src/messages").Piece} Piece */
/** @typedef {import("../../../../../web/src/messages").Choice} Choice */
/** @typedef {import("../../../../../web/src/messages").Told} Told */
/** @typedef {Record<string, Piece>} Pieces */
/** @typedef {import("./pointing.js").Place} Place */
/**
 * Without `touched` it is a moment that is over.
 * @typedef {{ pieces: Pieces, touched?: Record<string, string[]>, question?: string, holdings: any[][] }} Scene
 */
/**
 * Where something flies from or to: a place, a piece, or what lies before a seat.
 * @typedef {{ place?: string, figure?: string, seat?: number }} End
 */
/**
 * Something that flies beside the pieces; `of` is the piece it stands for: one that went, or one that comes with it.
 * @typedef {{ symbol: string, turned?: string, size: number, from: End, to: End, seat?: number, of?: string,
 *   delay?: number, duration?: number, high?: number }} Flight
 */
/**
 * What a game adds: its pieces as symbols, how large they are, how several share a place, and how they move.
 * @typedef {{ symbols: string, symbolOf: (piece: Piece) => string, size: (piece: Piece) => number,
 *   stand: (rank: number, count: number, room: number) => [number, number],
 *   open?: boolean, lay?: (drawing: SVGSVGElement, players: number) => void,
 *   tag?: (label: string) => string, written?: number,
 *   follow?: (before: Pieces, after: Pieces) => Pieces,
 *   between?: (piece: Piece, from: Place, to: Place, places: Map<string, Place>, told?: Told) => [number, number][],
 *   roams?: (piece: Piece) => boolean, hop?: (piece: Piece) => number, delay?: (before: Piece, after: Piece) => number,
 *   falls?: (piece: Piece) => boolean, shakes?: (piece: Piece) => boolean,
 *   flips?: (before: Piece, after: Piece) => boolean,
 *   flights?: (before: Scene, after: Scene, told?: Told) => Flight[],
 *   thrown?: (told: Told) => { symbol: string, faces: string[] } | null }} Kit
 */

const TRAVEL = 300; // milliseconds a piece is on its way, as all the next
const A_SPACE = 110; // more for every space it passes
const LONGEST = 1200;
const APPEAR = 220;
const TURN = 240;
const UNFOLD = 700;
const TUMBLE = 520;

export class DrawnBoard extends Pointing {
  /** @type {Map<string, { node: SVGUseElement, piece: Piece, at: [number, number] }>} */
  standing = new Map();
  /** How figures look. @type {WeakMap<Element, string>} */
  worn = new WeakMap();
  /** Pieces that are on their way out. @type {Map<string, { piece: Piece, at: [number, number] }>} */
  leaving = new Map();
  /** What lay before the seats. @type {any[][]} */
  holdings = [];
  motion = new Motion();
  /** Whether everybody sees the same on it, so that it may stay while the screen goes from hand to hand. */
  open = Boolean(this.kit.open);
  /** What was told of the move that is shown. @type {Told | undefined} */
  told = undefined;
  /** Counts what was shown: what a moment left undone is not done in the next. */
  turn = 0;

  /**
   * Find out whether a game is drawn, and load what it adds.
   * @param {TablePage} page @returns {Promise<DrawnBoard | null>}
   */
  static async of(page) {
    if (!page.box.drawn) return null;
    const kit = await loaded(import(`./boards/${page.box.name}.js`));
    return kit.board?.(page, kit) ?? new DrawnBoard(page, kit);
  }

  /** @override @param {SVGSVGElement} drawing */
  draw(drawing) {
    this.standing.clear();
    this.layers.figures.replaceChildren();
    super.draw(drawing);
  }

  /** Take everything off the board: it is not for the next who looks. */
  clear() {
    this.turn += 1;
    this.standing.clear();
    this.holdings = [];
    this.offer(undefined);
    for (const layer of [this.layers.figures, this.layers.dice]) layer.replaceChildren();
  }

  // --- A moment ---------------------------------------------------------------------------------------------------
  /**
   * Show a scene: what stands where, and what I may choose; resolves when all has arrived.
   * @param {Scene} scene @param {boolean} still @param {Told} [told]
   */
  async show(scene, still, told) {
    await this.layOut();
    const turn = (this.turn += 1);
    this.offer(undefined);
    const quiet = still || CALM.matches || !this.standing.size;
    this.motion.begin();
    this.page.board.toggleAttribute("data-moving", !quiet);
    this.told = told;
    if (!quiet && told) await this.cast(told);
    if (turn !== this.turn) return;
    await this.stand(scene, quiet, told);
    if (turn !== this.turn) return;
    this.page.board.removeAttribute("data-moving");
    this.holdings = scene.holdings;
    this.order();
    this.nameCrowds();
    this.offer(scene.touched, scene.question);
  }

  /** Let all motion arrive at once. */
  finish() {
    this.motion.finish();
  }

  /**
   * Put every piece where it belongs; those that were elsewhere travel.
   * @param {Scene} scene @param {boolean} still @param {Told} [told]
   */
  async stand(scene, still, told) {
    const before = Object.fromEntries([...this.standing].map(([id, { piece }]) => [id, piece]));
    const pieces = this.kit.follow?.(before, scene.pieces) ?? scene.pieces;
    const change = difference(before, pieces);
    const earlier = { pieces: before, holdings: this.holdings };
    const flights = still ? [] : this.kit.flights?.(earlier, { ...scene, pieces }, told) ?? [];
    const flown = new Set(flights.map(({ of }) => of));
    const flying = flights.map((flight) => this.fly(flight)); // from where things still are
    const turned = (/** @type {string} */ id) => change.came.some((other) => this.turnsInto(before[id], pieces[other]));
    const gone = change.went.map((id) => this.leave(id, still || flown.has(id), turned(id)));
    const standing = ranks(pieces);
    const arriving = Object.entries(pieces).map(([id, piece]) => {
      const { rank, count } = standing[id];
      return this.put(id, piece, rank, count, still, flights.find(({ of }) => of === id));
    });
    await Promise.all([...flying, ...gone, ...arriving]);
  }

  /**
   * @param {string} id @param {Piece} piece @param {number} rank @param {number} count @param {boolean} still
   * @param {Flight | undefined} flight
   */
  put(id, piece, rank, count, still, flight) {
    const place = this.places.get(piece.place);
    if (!place) return undefined;
    const [dx, dy] = this.kit.stand(rank, count, place.r);
    /** @type {[number, number]} */
    const at = [place.x + dx, place.y + dy];
    const before = this.standing.get(id);
    const node = before?.node ?? this.figure();
    this.standing.set(id, { node, piece, at });
    const look = () => this.dress(node, piece);
    if (!before || still || !this.kit.flips?.(before.piece, piece)) look();
    node.style.transform = moved(at, piece.turn ?? 0);
    if (still) return undefined;
    if (!before) return this.appear(node, at, piece, flight);
    return this.change(node, before, piece, place, at, look);
  }

  /**
   * Give a figure its looks, its size and its name, where it does not have them.
   * @param {SVGUseElement} node @param {Piece} piece
   */
  dress(node, piece) {
    const [symbol, size] = [this.kit.symbolOf(piece), this.kit.size(piece)];
    const look = `figure ${piece.kind}${(piece.seat ?? -1) >= 0 ? ` seat-${piece.seat}` : ""}`;
    const name = piece.label ? say(piece.label) : "";
    const worn = [symbol, size, look, name].join("|");
    if (this.worn.get(node) === worn) return; // drawing it again would take time
    this.worn.set(node, worn);
    adorn(node, { href: `#${symbol}`, x: -size / 2, y: -size / 2, width: size, height: size, class: look });
    for (const old of ["role", "aria-label", "aria-hidden"]) node.removeAttribute(old);
    adorn(node, name ? { role: "img", "aria-label": name } : { "aria-hidden": "true" });
  }

  /** @returns {SVGUseElement} */
  figure() {
    const node = /** @type {SVGUseElement} */ (made("use", {}));
    this.layers.figures.append(node);
    return node;
  }

  // --- Coming, going, turning, travelling -------------------------------------------------------------------------
  /**
   * Let a piece come: with what flies, from above, turned over, or out of nothing.
   * @param {SVGUseElement} node @param {[number, number]} at @param {Piece} piece @param {Flight | undefined} flight
   */
  appear(node, at, piece, flight) {
    const spot = (/** @type {number[]} */ point, turn = piece.turn ?? 0) => moved(point, turn);
    const delay = flight ? (flight.delay ?? 0) + (flight.duration ?? TRAVEL) : 0;
    const other = [...this.leaving.values()].find((each) => this.turnsInto(each.piece, piece));
    if (other) {
      const late = (this.kit.delay?.(other.piece, piece) ?? 0) + TURN / 2;
      const frames = unfolding(other.at, at, spot);
      return this.motion.play(node, frames, { duration: frames.length > 2 ? UNFOLD : TURN / 2, delay: late });
    }
    if (this.kit.falls?.(piece) && !flight) {
      return this.motion.play(node, falling(at, spot), { duration: 460, easing: "ease-in" });
    }
    if (this.kit.shakes?.(piece)) return this.motion.play(node, shaking(at, spot), { duration: 620, delay });
    return this.motion.play(node, growing(spot(at)), { duration: APPEAR, delay });
  }

  /** Whether a piece that goes is another that comes, turned over. @param {Piece} one @param {Piece} other */
  turnsInto(one, other) {
    const same = one.place === other.place || ((one.seat ?? -1) >= 0 && one.seat === other.seat);
    return same && Boolean(this.kit.flips?.(one, other));
  }

  /**
   * Take a piece away; `turned` where it only shows its other side.
   * @param {string} id @param {boolean} still @param {boolean} turned
   */
  async leave(id, still, turned) {
    const there = this.standing.get(id);
    if (!there) return;
    this.standing.delete(id);
    if (!still) {
      this.leaving.set(id, there);
      const here = moved(there.at, there.piece.turn ?? 0);
      const frames = turned ? [{ transform: here }, { transform: `${here} scale(0, 1)` }] : growing(here).reverse();
      const delay = turned ? this.kit.delay?.(there.piece, there.piece) ?? 0 : 0;
      await this.motion.play(there.node, frames, { duration: turned ? TURN / 2 : APPEAR, delay, fill: "both" });
      this.leaving.delete(id);
    }
    there.node.remove();
  }

  /**
   * Turn a piece that looks another way or shows its other side, then let it go where it goes.
   * @param {SVGUseElement} node @param {{ piece: Piece, at: [number, number] }} before @param {Piece} piece
   * @param {Place} place @param {[number, number]} at @param {() => void} look
   */
  async change(node, before, piece, place, at, look) {
    const from = this.places.get(before.piece.place);
    const goes = from && (from !== place || this.kit.roams?.(piece));
    const by = goes && this.kit.between ? this.kit.between(piece, from, place, this.places, this.told) : [];
    const turns = this.kit.flips?.(before.piece, piece);
    if (turns) await this.flip(node, before, look);
    if (from !== place || by.length) await this.travel(node, before, piece, at, by);
    else if (before.at[0] !== at[0] || before.at[1] !== at[1]) await this.shift(node, before, piece, at);
  }

  /** @param {SVGUseElement} node @param {{ piece: Piece, at: [number, number] }} before @param {() => void} look */
  async flip(node, before, look) {
    const here = moved(before.at, before.piece.turn ?? 0);
    const [flat, open] = [{ transform: `${here} scale(0, 1)` }, { transform: here }];
    // It stays where it was until it has turned, though its own place is already the next.
    await this.motion.play(node, [open, flat], { duration: TURN / 2, easing: "ease-in" });
    look();
    await this.motion.play(node, [flat, open], { duration: TURN / 2 });
  }

  /**
   * Let a piece go its way, above the others.
   * @param {SVGUseElement} node @param {{ piece: Piece, at: [number, number] }} before @param {Piece} piece
   * @param {[number, number]} at @param {[number, number][]} by
   */
  travel(node, before, piece, at, by) {
    const way = along([before.at, ...by, at], (point) => moved(point, piece.turn ?? 0), this.kit.hop?.(piece) ?? 0);
    this.layers.figures.append(node);
    const duration = Math.min(LONGEST, TRAVEL + A_SPACE * by.length);
    return this.motion.play(node, way, { duration, delay: this.kit.delay?.(before.piece, piece) ?? 0 });
  }

  /**
   * Let a piece make room for others.
   * @param {SVGUseElement} node @param {{ at: [number, number] }} before @param {Piece} piece @param {[number, number]}
   * at
   */
  shift(node, before, piece, at) {
    const way = along([before.at, at], (point) => moved(point, piece.turn ?? 0));
    return this.motion.play(node, way, { duration: APPEAR });
  }

  /** Let something fly over the page. @param {Flight} flight */
  async fly({ from, to, size, ...flight }) {
    const [start, end] = [this.spot(from), this.spot(to)];
    if (!start || !end) return;
    const pixels = size * (this.zoom?.unit ?? 1);
    const shrink = to.seat === undefined ? 1 : Math.min(1, 24 / pixels);
    await this.motion.fly({ ...flight, size: pixels, from: start, to: end, shrink });
  }

  /** Where on the screen something is. @param {End} end */
  spot({ place, figure, seat }) {
    if (seat !== undefined) {
      const card = this.page.seats.children[seat]?.querySelector(".holdings, .crest");
      const rect = (card?.childElementCount ? card : this.page.seats.children[seat])?.getBoundingClientRect();
      return rect && { x: rect.x + Math.min(rect.width / 2, 40), y: rect.y + rect.height / 2 };
    }
    const [x, y] = (figure && this.standing.get(figure)?.at) || [];
    if (x !== undefined && y !== undefined) return this.zoom?.toScreen({ x, y });
    const found = place && this.places.get(place);
    return found ? this.zoom?.toScreen(found) : undefined;
  }

  /** Throw a die at the board's edge, where one was thrown, and let it settle. @param {Told} told */
  async cast(told) {
    const thrown = this.kit.thrown?.(told);
    this.layers.dice.replaceChildren();
    if (!thrown || !this.zoom) return;
    const { x, y, width, height } = this.zoom.whole;
    const size = Math.max(64, 44 / this.zoom.unit);
    const at = [x + width - size * 0.85, y + height - size * 0.85];
    const die = made("use", { x: -size / 2, y: -size / 2, width: size, height: size, class: "die" });
    this.layers.dice.append(die);
    const show = (/** @type {string} */ face) => die.setAttribute("href", `#${face}`);
    const rolled = thrown.faces.map((face, number) =>
      setTimeout(() => show(face), (TUMBLE * number) / (thrown.faces.length + 1)));
    show(thrown.faces[0] ?? thrown.symbol);
    const spin = (/** @type {number} */ dx, /** @type {number} */ dy, /** @type {number} */ turn) =>
      ({ transform: `translate(${at[0] + dx}px, ${at[1] + dy}px) rotate(${turn}deg)` });
    /** @type {SVGElement} */ (die).style.transform = spin(0, 0, 0).transform;
    await this.motion.play(die, [spin(-260, -90, -540), spin(-150, 0, -300), spin(-80, -40, -160), spin(-30, 0, -40),
      spin(0, 0, 0)], { duration: TUMBLE });
    rolled.forEach(clearTimeout);
    show(thrown.symbol);
  }

  /** Whoever stands farther down stands before the others. */
  order() {
    const { figures } = this.layers;
    const sorted = [...this.standing.values()].sort((one, other) => one.at[1] - other.at[1]).map(({ node }) => node);
    if (sorted.some((node, number) => figures.children[number] !== node)) figures.append(...sorted);
  }

  /** Name every place with who stands there. */
  nameCrowds() {
    const pieces = Object.fromEntries([...this.standing].map(([id, { piece }]) => [id, piece]));
    const here = crowds(pieces);
    for (const [key, { node, label }] of this.places) {
      const names = (here.get(key) ?? []).flatMap((id) => (pieces[id].label ? [say(pieces[id].label)] : []));
      const counted = [...new Set(names)].map((name) => {
        const many = names.filter((other) => other === name).length;
        return many > 1 ? `${many} × ${name}` : name;
      });
      node.setAttribute("aria-label", counted.length ? `${label}: ${counted.join(", ")}` : label);
    }
  }

  /**
   * Ways lead as pieces go: through every place between.
   * @override @param {Place[]} way @returns {[number, number][]}
   */
  road(way) {
    const [from, to] = [way[0], way[way.length - 1]];
    const piece = [...this.standing.values()].find((each) => this.places.get(each.piece.place) === from)?.piece;
    const by = piece && way.length === 2 && this.kit.between ? this.kit.between(piece, from, to, this.places) : [];
    return [[from.x, from.y], ...by, [to.x, to.y]];
  }
}

/** @param {[number, number] | number[]} at @param {number} turn */
const moved = ([x, y], turn) => `translate(${x}px, ${y}px) rotate(${turn}deg)`;
