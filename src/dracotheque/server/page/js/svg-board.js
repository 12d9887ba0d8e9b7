/** The board as SVG: pieces stand at places, what may be chosen glows, and a move is seen. */

import { CALM, Animator, along, falling, gathering, growing, parting, shaking, unfolding } from "./animation.js";
import { BoardInput } from "./board-input.js";
import { counted } from "./board-preview.js";
import { boardOf, piecesOf } from "./game-files.js";
import { pace } from "./pace.js";
import { crowds, difference, ranks } from "./board-diff.js";
import { adorn, made } from "./svg.js";
import { say } from "./i18n.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").Piece} Piece */
/** @typedef {import("../protocol").Choice} Choice */
/** @typedef {import("../protocol").MoveRecord} MoveRecord */
/** @typedef {import("../protocol").BoardState} BoardState */
/** @typedef {import("../board-module").BoardModule} BoardModule */
/** @typedef {import("../board-module").End} End */
/** @typedef {import("../board-module").Flight} Flight */
/** @typedef {import("../board-module").Place} Place */
/** @typedef {import("./choice-picker.js").Option} Option */
/** @typedef {import("../board-module").Stage} Stage */
/** @typedef {import("./move-queue.js").Moment} Moment */

const TRAVEL = 300; // milliseconds a piece is on its way, as all the next
const A_SPACE = 110; // more for every space it passes
const LONGEST = 900;
const APPEAR = 220;
const TURN = 240;
const UNFOLD = 700;
const TUMBLE = 620;
const CROWD = 3; // pieces: so many are spread when they are pointed at
const FAN = 44; // units of the drawing from one to the next, as all the next
const WIDEST = 220; // all of them
const RISE = 26; // every other one
const LEAST_COUNT = 22;
const COUNT = 12; // pixels

export class SvgBoard extends BoardInput {
  /** @type {Map<string, { node: SVGUseElement, piece: Piece, at: [number, number] }>} */
  standing = new Map();
  /** How figures look. @type {WeakMap<Element, string>} */
  worn = new WeakMap();
  /** Pieces that are on their way out. @type {Map<string, { piece: Piece, at: [number, number] }>} */
  leaving = new Map();
  /** Where pieces that go in the move that is being shown are turned over. @type {Record<string, Stage>} */
  stages = {};
  /** What lay before the seats. @type {any[][]} */
  holdings = [];
  animator = new Animator();
  /** Whether everybody sees the same on it, so that it may stay while the screen goes from hand to hand. */
  open = Boolean(this.module.open);
  /** Whether the bar lies below the board, which is wide, or beside it. @type {"wide" | "tall"} */
  shape = this.module.wide ? "wide" : "tall";
  /** The move that is being shown. @type {MoveRecord | undefined} */
  record = undefined;
  /** The place whose pieces are spread. */
  fanned = "";
  /** Counts what was shown: what a moment left undone is not done in the next. */
  turn = 0;

  /**
   * Load the board of a game and its pieces, or else what is shown of any game.
   * @param {TablePage} page @returns {Promise<SvgBoard>}
   */
  static async of(page) {
    const [module, pieces] = await Promise.all([boardOf(page.game), piecesOf(page.game)]);
    if (!document.getElementById("symbols")) { // the board and the seats draw from them
      const symbols = pieces + (module.symbols ?? "");
      document.body.insertAdjacentHTML("beforeend", `<svg id="symbols" aria-hidden="true">${symbols}</svg>`);
    }
    return module.board?.(page, module) ?? new SvgBoard(page, module);
  }

  /** @override @param {SVGSVGElement} drawing */
  draw(drawing) {
    this.standing.clear();
    this.layers.figures.replaceChildren();
    super.draw(drawing);
  }

  /** Take everything off the board: the next viewer must not see it. */
  clear() {
    this.turn += 1;
    this.standing.clear();
    this.holdings = [];
    this.light();
    for (const layer of [this.layers.figures, this.layers.dice]) layer.replaceChildren();
  }

  // --- A moment ---------------------------------------------------------------------------------------------------
  /**
   * Show a moment: all pieces, and what may be chosen; resolves when all has arrived, with whether it is shown.
   * @param {Moment} moment @returns {Promise<boolean>}
   */
  async show({ board, still, record }) {
    const turn = (this.turn += 1);
    await this.layOut();
    if (turn !== this.turn) return false;
    const quiet = still || CALM.matches || !this.standing.size;
    this.animator.begin();
    this.page.board.toggleAttribute("data-moving", !quiet);
    this.record = record;
    if (!quiet && record) await this.cast(record);
    if (turn !== this.turn) return false;
    await this.stand(board, quiet, record);
    if (turn !== this.turn) return false;
    this.page.board.removeAttribute("data-moving");
    this.holdings = board.holdings;
    this.order();
    this.nameCrowds();
    this.count(board.pieces);
    this.light();
    this.frame();
    return true;
  }

  /** Whether a move belongs to a fall that has been shown as a whole. @param {number} move */
  isOfFall(move) {
    return move < 0;
  }

  /** Finish all animations at once. */
  finish() {
    this.animator.finish();
  }

  /**
   * Put every piece where it belongs; those that were elsewhere travel.
   * @param {BoardState} board @param {boolean} still @param {MoveRecord} [record]
   */
  async stand(board, still, record) {
    const before = Object.fromEntries([...this.standing].map(([id, { piece }]) => [id, piece]));
    const pieces = this.module.follow?.(before, board.pieces) ?? board.pieces;
    const change = difference(before, pieces);
    const earlier = { pieces: before, holdings: this.holdings };
    this.stages = still ? {} : this.module.stages?.(earlier, { ...board, pieces }, record, this.places) ?? {};
    const flights = still ? [] : this.module.flights?.(earlier, { ...board, pieces }, record, this.places) ?? [];
    const flown = new Set(flights.map(({ of }) => of));
    const flying = flights.map((flight) => this.fly(flight)); // from where things still are
    const turned = (/** @type {string} */ id) => change.came.some((other) => this.turnsInto(before[id], pieces[other]));
    const gone = change.went.map((id) => this.leave(id, still || flown.has(id), turned(id)));
    const standing = ranks(pieces, this.page.viewpoint);
    this.count(pieces, true);
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
    const [dx, dy] = this.module.stand(rank, count, place.r);
    /** @type {[number, number]} */
    const at = [place.x + dx, place.y + dy];
    const before = this.standing.get(id);
    const node = before?.node ?? this.figure();
    this.standing.set(id, { node, piece, at });
    const look = () => this.dress(node, piece);
    if (!before || still || !this.module.flips?.(before.piece, piece)) look();
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
    const [symbol, size] = [this.module.symbolOf(piece), this.module.size(piece)];
    const seat = piece.seat ?? -1;
    const mine = seat === this.page.viewpoint ? " mine" : "";
    const look = `figure ${piece.kind}${seat >= 0 ? ` seat-${seat}${mine}` : ""}`;
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
   * Animate a new piece: with what flies, from above, turned over, or growing.
   * @param {SVGUseElement} node @param {[number, number]} at @param {Piece} piece @param {Flight | undefined} flight
   */
  appear(node, at, piece, flight) {
    const spot = (/** @type {number[]} */ point, turn = piece.turn ?? 0) => moved(point, turn);
    const delay = flight ? (flight.delay ?? 0) + (flight.duration ?? TRAVEL) : 0;
    const other = [...this.leaving.values()].find((each) => this.turnsInto(each.piece, piece));
    const [, stage] = Object.entries(this.stages).find(([id]) => other && this.leaving.get(id) === other) ?? [];
    if (stage) return this.animator.play(node, [{ opacity: 0 }, { opacity: 0 }], { duration: stage.leaves + TURN });
    if (other) {
      const late = (this.module.delay?.(other.piece, piece) ?? 0) + TURN / 2;
      const frames = unfolding(other.at, at, spot);
      return this.animator.play(node, frames, { duration: frames.length > 2 ? UNFOLD : TURN / 2, delay: late });
    }
    if (this.module.falls?.(piece) && !flight) {
      return this.animator.play(node, falling(at, spot), { duration: 460, easing: "ease-in" });
    }
    if (this.module.shakes?.(piece)) return this.animator.play(node, shaking(at, spot), { duration: 620, delay });
    return this.animator.play(node, growing(spot(at)), { duration: APPEAR, delay });
  }

  /** Whether a piece that goes is another that comes, turned over. @param {Piece} one @param {Piece} other */
  turnsInto(one, other) {
    const same = one.place === other.place || ((one.seat ?? -1) >= 0 && one.seat === other.seat);
    return same && Boolean(this.module.flips?.(one, other));
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
      if (this.stages[id]) await this.turnUp(there.node, there.at, this.stages[id]);
      const shrinks = turned ? [{ transform: here }, { transform: `${here} scale(0, 1)` }] : growing(here).reverse();
      const frames = this.stages[id] ? [{ opacity: 0 }] : shrinks;
      const delay = turned ? this.module.delay?.(there.piece, there.piece) ?? 0 : 0;
      await this.animator.play(there.node, frames, { duration: turned ? TURN / 2 : APPEAR, delay, fill: "both" });
      this.leaving.delete(id);
    }
    there.node.remove();
  }

  /**
   * Bring a card to where all are turned over, turn it when its time has come, and bring it back.
   * @param {SVGUseElement} node @param {[number, number]} home @param {Stage} stage
   */
  async turnUp(node, home, stage) {
    const spot = (/** @type {number[]} */ at) => moved(at, 0);
    this.layers.figures.append(node);
    const [edge, opens] = [TURN / 2, stage.turns + TURN / 2];
    await this.animator.play(node, gathering(home, stage, spot, edge), { duration: opens, fill: "both" });
    node.setAttribute("href", `#${stage.symbol}`);
    const rest = stage.leaves - opens + TURN;
    await this.animator.play(node, parting(home, stage, spot, edge), { duration: rest, fill: "both" });
  }

  /**
   * Turn a piece that looks another way or shows its other side, then move it.
   * @param {SVGUseElement} node @param {{ piece: Piece, at: [number, number] }} before @param {Piece} piece
   * @param {Place} place @param {[number, number]} at @param {() => void} look
   */
  async change(node, before, piece, place, at, look) {
    const from = this.places.get(before.piece.place);
    const goes = from && (from !== place || this.module.roams?.(piece));
    const by = goes && this.module.between ? this.module.between(piece, from, place, this.places, this.record) : [];
    const turns = this.module.flips?.(before.piece, piece);
    if (turns) await this.flip(node, before, look);
    if (from !== place || by.length) await this.travel(node, before, piece, at, by);
    else if (before.at[0] !== at[0] || before.at[1] !== at[1]) await this.shift(node, before, piece, at);
  }

  /** @param {SVGUseElement} node @param {{ piece: Piece, at: [number, number] }} before @param {() => void} look */
  async flip(node, before, look) {
    const here = moved(before.at, before.piece.turn ?? 0);
    const [flat, open] = [{ transform: `${here} scale(0, 1)` }, { transform: here }];
    // It stays where it was until it has turned, though its own place is already the next.
    await this.animator.play(node, [open, flat], { duration: TURN / 2, easing: "ease-in" });
    look();
    await this.animator.play(node, [flat, open], { duration: TURN / 2 });
  }

  /**
   * Move a piece along its path, above the others.
   * @param {SVGUseElement} node @param {{ piece: Piece, at: [number, number] }} before @param {Piece} piece
   * @param {[number, number]} at @param {[number, number][]} by
   */
  travel(node, before, piece, at, by) {
    const way = along([before.at, ...by, at], (point) => moved(point, piece.turn ?? 0), this.module.hop?.(piece) ?? 0);
    this.layers.figures.append(node);
    const duration = Math.min(LONGEST, TRAVEL + A_SPACE * by.length);
    return this.animator.play(node, way, { duration, delay: this.module.delay?.(before.piece, piece) ?? 0 });
  }

  /**
   * Move a piece aside, to make room for others.
   * @param {SVGUseElement} node @param {{ at: [number, number] }} before @param {Piece} piece @param {[number, number]}
   * at
   */
  shift(node, before, piece, at) {
    const way = along([before.at, at], (point) => moved(point, piece.turn ?? 0));
    return this.animator.play(node, way, { duration: APPEAR });
  }

  /** Fly a picture over the page. @param {Flight} flight */
  async fly({ from, to, size, ...flight }) {
    const [start, end] = [this.spot(from), this.spot(to)];
    if (!start || !end) return;
    const pixels = size * (this.zoom?.unit ?? 1);
    const shrink = to.seat === undefined ? 1 : Math.min(1, 24 / pixels);
    await this.animator.fly({ ...flight, size: pixels, from: start, to: end, shrink });
  }

  /** Where on the screen something is. @param {End} end */
  spot({ selector, at, place, figure, seat }) {
    const shown = selector && document.querySelector(selector)?.getBoundingClientRect();
    if (shown) return { x: shown.x + shown.width / 2, y: shown.y + shown.height / 2 };
    if (at) return this.zoom?.toScreen(at);
    if (seat !== undefined) {
      const card = this.page.playerList.children[seat]?.querySelector(".holdings, .crest");
      const rect = (card?.childElementCount ? card : this.page.playerList.children[seat])?.getBoundingClientRect();
      return rect && { x: rect.x + Math.min(rect.width / 2, 40), y: rect.y + rect.height / 2 };
    }
    const [x, y] = (figure && this.standing.get(figure)?.at) || [];
    if (x !== undefined && y !== undefined) return this.zoom?.toScreen({ x, y });
    const found = place && this.places.get(place);
    return found ? this.zoom?.toScreen(found) : undefined;
  }

  /** Show a thrown die at the board's edge. @param {MoveRecord} record */
  async cast(record) {
    const thrown = this.module.thrown?.(record);
    this.layers.dice.replaceChildren();
    if (!thrown || !this.zoom) return;
    const { x, y, width, height } = this.zoom.whole;
    const size = Math.max(64, 44 / this.zoom.unit);
    const at = [x + width - size * 0.85, y + height - size * 0.85];
    const die = made("use", { x: -size / 2, y: -size / 2, width: size, height: size, class: "die" });
    this.layers.dice.append(die);
    const show = (/** @type {string} */ face) => die.setAttribute("href", `#${face}`);
    const rolled = thrown.faces.map((face, number) =>
      setTimeout(() => show(face), (pace() * TUMBLE * number) / (thrown.faces.length + 1)));
    show(thrown.faces[0] ?? thrown.symbol);
    const spin = (/** @type {number} */ dx, /** @type {number} */ dy, /** @type {number} */ turn) =>
      ({ transform: `translate(${at[0] + dx}px, ${at[1] + dy}px) rotate(${turn}deg)` });
    /** @type {SVGElement} */ (die).style.transform = spin(0, 0, 0).transform;
    await this.animator.play(die, [spin(-260, -90, -540), spin(-150, 0, -300), spin(-80, -40, -160), spin(-30, 0, -40),
      spin(0, 0, 0)], { duration: TUMBLE });
    rolled.forEach(clearTimeout);
    show(thrown.symbol);
  }

  /** Pieces that stand farther down are drawn before the others. */
  order() {
    const { figures } = this.layers;
    const sorted = [...this.standing.values()].sort((one, other) => one.at[1] - other.at[1]).map(({ node }) => node);
    if (sorted.some((node, number) => figures.children[number] !== node)) figures.append(...sorted);
  }

  /** Name every place with the pieces on it. */
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
   * Write how many pieces there are where that counts; `soon` while they are on their way.
   * @param {Record<string, Piece>} pieces @param {boolean} [soon]
   */
  count(pieces, soon = false) {
    const { badge } = this.module;
    if (!badge) return;
    const unit = this.zoom?.unit ?? 1;
    const size = Math.max(LEAST_COUNT, COUNT / unit);
    const fresh = [...crowds(pieces)].flatMap(([key, ids]) => {
      const place = this.places.get(key);
      const text = place && badge(ids.map((id) => pieces[id]), key);
      if (!text || !place) return [];
      const [x, y] = [place.x + place.r * 0.85, place.y - place.r * 0.55];
      return [counted(text, "badge", x, y, size * 0.72, size)];
    });
    if (!soon) return this.layers.badges.replaceChildren(...fresh);
    for (const old of [...this.layers.badges.children]) if (!fresh.some((one) => one.isEqualNode(old))) old.remove();
    return undefined;
  }

  // --- Touching -----------------------------------------------------------------------------------------------------
  /** The pieces that can be touched at a place: one's own, or else whatever stands there. @param {string} key */
  movable(key) {
    const here = [...this.standing.values()].filter(({ piece }) => piece.place === key);
    const own = here.filter(({ piece }) => piece.seat === this.page.viewpoint);
    return own.length ? own : here;
  }

  /** @override @param {string} key */
  raises(key) {
    return this.sources.has(key) && this.movable(key).length > 0;
  }

  /** @override */
  raise() {
    const { sources, lifted, marks } = this;
    const [held] = lifted ? this.movable(lifted).slice(-1) : [];
    const outlined = new Set(marks === "piece" ? [...sources].flatMap((key) => this.movable(key)) : []);
    const seat = this.page.viewpoint >= 0 ? ` seat-${this.page.viewpoint}` : "";
    adorn(this.layers.figures, { class: `figures${seat}`, "aria-hidden": "true" }); // the places say what stands there
    for (const each of this.standing.values()) {
      each.node.classList.toggle("to-move", outlined.has(each));
      each.node.classList.toggle("lifted", each === held);
    }
    this.count(Object.fromEntries([...this.standing].map(([id, { piece }]) => [id, piece])));
  }

  /** The piece that a choice moves. @param {Option} choice @returns {Piece | undefined} */
  moved(choice) {
    const [from] = this.way(choice);
    const here = this.movable(from).map(({ piece }) => piece);
    const all = [...this.standing.values()].map(({ piece }) => piece).filter(({ place }) => place === from);
    const { prompt } = this.page.shown;
    return (prompt && this.module.carried?.(prompt.phrase, all, this.page.viewpoint)) ?? here.at(-1);
  }

  /** @override @param {Option} choice @param {Place} end @returns {SVGElement | null} */
  ghostOf(choice, end) {
    if (this.way(choice).length < 2) return null;
    const piece = this.moved(choice);
    if (!piece) return null;
    const node = /** @type {SVGUseElement} */ (made("use", {}));
    this.dress(node, { ...piece, label: null });
    node.classList.add("ghost");
    const there = [...this.standing.values()].filter((each) => this.places.get(each.piece.place) === end).length;
    const [dx, dy] = end.r ? this.module.stand(there, there + 1, end.r) : [0, 0];
    node.style.transform = moved([end.x + dx, end.y + dy], 0);
    return node;
  }

  /** @override @param {string} key */
  fan(key) {
    const crowd = [...this.standing.values()].filter(({ piece }) => piece.place === key);
    const place = this.places.get(key);
    const spread = this.module.badge && place && crowd.length >= CROWD;
    if (this.fanned === (spread ? key : "")) return;
    for (const { node } of this.standing.values()) node.style.removeProperty("translate");
    this.fanned = spread ? key : "";
    if (!spread) return;
    crowd.sort((one, other) => one.at[0] - other.at[0]).forEach(({ node, at: [x, y] }, number) => {
      const aside = (number - (crowd.length - 1) / 2) * Math.min(FAN, WIDEST / crowd.length) - (x - place.x);
      node.style.setProperty("translate", `${aside}px ${place.y - y - (number % 2 ? RISE : 0)}px`);
    });
  }

  /**
   * A path leads as its piece goes: through every place between.
   * @override @param {Place[]} way @returns {[number, number][]}
   */
  road(way) {
    const piece = [...this.standing.values()].find((each) => this.places.get(each.piece.place) === way[0])?.piece;
    return way.flatMap((to, number) => {
      const from = way[number - 1];
      const by = piece && from && this.module.between ? this.module.between(piece, from, to, this.places) : [];
      return [...by, /** @type {[number, number]} */ ([to.x, to.y])];
    });
  }
}

/** @param {[number, number] | number[]} at @param {number} turn */
const moved = ([x, y], turn) => `translate(${x}px, ${y}px) rotate(${turn}deg)`;
