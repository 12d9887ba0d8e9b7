/** The flat board of Save the Dragon: the stairs fill it, dice are thrown large, a rock falls as it was recorded. */

import { CALM } from "/page/js/animation.js";
import { made } from "/page/js/svg.js";
import { SvgBoard } from "/page/js/svg-board.js";
import { play } from "/page/js/sound.js";
import { CRESTS, size } from "./board.js";
import { seen } from "./flat-fall.js";
import { FRAMES } from "./recording.js";

/** @typedef {import("/page/js/move-queue.js").Moment} Moment */
/** @typedef {import("/page/protocol").Piece} Piece */
/** @typedef {import("/page/protocol").MoveRecord} MoveRecord */
/** @typedef {import("/page/protocol").Recording} Recording */
/** @typedef {import("/page/board-module").Flight} Flight */
/** @typedef {import("./flat-fall.js").Seen} Seen */

const STAIRS_TOP = 252; // where the picture begins while nobody is with the dragon: its hall is above
const STAIRS_FOOT = 1322; // and where it ends
const SPENDING = new Set(["action.walk_with", "preview.wins_with"]);
const TOKEN = 34; // units
const THROW = 720; // milliseconds a die tumbles
const LANDS = 480; // and until it lies where it belongs
const DIE = 108; // pixels: so large it is thrown
const FACES = 90; // milliseconds each of its faces is seen
const LONGEST = 4000; // a fall: what takes longer is shown faster
const STILL = 900; // a picture of a fall, for who wants no motion
const ROLLS = new Set(["event.die", "event.rock", "event.change"]);
const DICE = { "die-steps": ["p-die-1", "p-die-2", "p-die-3"], "die-action": ["p-die-rock", "p-die-change"] };

export class FlatBoard extends SvgBoard {
  /** The id of the pawn that rolls the dice. */
  roller = "";
  /** How high the whole drawing is. */
  high = 0;

  /** Remember who rolls in a move. @param {MoveRecord} [record] */
  noteRoller(record) {
    const [, [, gaps] = []] = record?.events.find(([, [key]]) => ROLLS.has(key)) ?? [];
    const seat = /** @type {string[] | undefined} */ (gaps?.seat)?.[0] ?? "";
    if (seat) this.roller = `pawn-${seat.split(".")[1]}`;
  }

  /** @override @param {SVGSVGElement} drawing */
  draw(drawing) {
    super.draw(drawing);
    this.high = this.zoom?.whole.height ?? 0;
  }

  /** Show the stairs, and the hall too once somebody is in it. @param {Moment["board"]} board */
  crop({ pieces }) {
    const { zoom } = this;
    if (!zoom) return;
    const hall = Object.values(pieces).some(({ place }) => place === "chamber");
    const [top, foot] = hall ? [0, this.high] : [STAIRS_TOP, STAIRS_FOOT];
    if (zoom.whole.y === top && zoom.whole.height === foot - top) return;
    Object.assign(zoom.whole, { y: top, height: foot - top });
    zoom.to(1);
  }

  // --- What may be chosen -------------------------------------------------------------------------------------------
  /**
   * Where the piece may go; who can walk to a place for fewer tokens spends no more.
   * @override
   */
  get targets() {
    const all = super.targets;
    for (const [key, choices] of all) {
      const least = Math.min(...choices.map(price));
      all.set(key, choices.filter((choice) => price(choice) === least));
    }
    return all;
  }

  /** How many tokens it costs to go to a place. @param {string} key */
  priceOf(key) {
    const [choice] = this.targets.get(key) ?? [];
    return choice ? price(choice) : 0;
  }

  /**
   * An open door may be touched at once: it is seen shut, and shut by a second touch.
   * @override @param {string} key @param {{ touch?: boolean }} [how]
   */
  point(key, how) {
    const opens = this.marks === "piece" && key.startsWith("door") && !this.sources.has(key) && !this.page.isResting;
    const shut = opens && [...this.sources].find((source) => source.startsWith("door"));
    if (!shut) return super.point(key, how);
    this.pickUp(shut);
    const [option] = this.targets.get(key) ?? [];
    return option && this.select(option);
  }

  /** Cells are broad enough for a finger: one need not come nearer. @override */
  frame() {
    return undefined;
  }

  /** @override */
  comesNearer() {
    return false;
  }

  /** Lay tokens before what costs some. @override @param {string} key @param {"near" | "far" | "dot"} kind */
  ring(key, kind) {
    super.ring(key, this.marks === "target" && kind === "dot" ? "near" : kind);
    const [place, cost] = [this.places.get(key), this.priceOf(key)];
    if (!place) return;
    for (let token = 0; token < cost; token++) {
      const x = place.x + (token - (cost - 1) / 2) * TOKEN - TOKEN / 2;
      const how = { href: "#p-token", x, y: place.y + place.r, width: TOKEN, height: TOKEN };
      this.layers.glow.append(made("use", how));
    }
  }

  // --- Dice ---------------------------------------------------------------------------------------------------------
  /**
   * @override @param {SVGUseElement} node @param {[number, number]} at @param {Piece} piece
   * @param {Flight | undefined} flight
   */
  appear(node, at, piece, flight) {
    const faces = /** @type {Record<string, string[]>} */ (DICE)[piece.kind];
    return faces ? this.throwDie(node, at, piece, faces) : super.appear(node, at, piece, flight);
  }

  /**
   * Throw a die from the pawn whose turn it is, large over the board, then lay it down.
   * @param {SVGUseElement} node @param {[number, number]} at @param {Piece} piece @param {string[]} faces
   */
  async throwDie(node, at, piece, faces) {
    const { zoom } = this;
    const [x, y] = this.standing.get(this.roller)?.at ?? at;
    const large = Math.max(1, DIE / ((zoom?.unit ?? 1) * size(piece)));
    const middle = [(at[0] + 480) / 2, at[1] - 60 * large];
    const frame = (/** @type {number} */ dx, /** @type {number} */ dy, /** @type {number} */ turn, scale = large) => ({
      transform: `translate(${middle[0] + dx}px, ${middle[1] + dy}px) rotate(${turn}deg) scale(${scale})`,
    });
    const face = node.getAttribute("href") ?? "";
    let number = 0;
    const turning = setInterval(() => node.setAttribute("href", `#${faces[(number += 1) % faces.length]}`), FACES);
    const bounces = [frame(-40, -90, -300), frame(-20, 0, -150), frame(-6, -40, -60), frame(0, 0, 0)];
    const thrown = [frame(x - middle[0], y - middle[1], -540, 0.6), ...bounces];
    await this.animator.play(node, thrown, { duration: THROW });
    clearInterval(turning);
    node.setAttribute("href", face);
    const home = { transform: `translate(${at[0]}px, ${at[1]}px)` };
    const lies = [frame(0, 0, 0), { ...frame(0, 0, 0), offset: 0.6 }, home];
    await this.animator.play(node, lies, { duration: LANDS });
  }

  // --- The fall -----------------------------------------------------------------------------------------------------
  /** Play a recorded fall; resolves when all lies still, and the pieces stay as they lie. @param {Recording} fall */
  async fallFlat({ path = "" }) {
    const { rock, pawns } = seen(path, this.places);
    const frames = Math.max(...[rock, ...pawns.values()].map(({ length }) => length));
    const long = Math.min(LONGEST, (frames / FRAMES) * 1000);
    this.animator.begin();
    play("rock");
    const falling = [this.tumbleAlong("rock", rock, long)];
    for (const [seat, all] of pawns) falling.push(this.tumbleAlong(`pawn-${CRESTS[seat]}`, all, long));
    await Promise.all(falling);
  }

  /**
   * Move a piece through everything that was seen of it.
   * @param {string} id @param {Seen[]} all @param {number} long in milliseconds
   */
  async tumbleAlong(id, all, long) {
    const piece = this.standing.get(id);
    if (!piece || !all.length) return;
    const frames = all.map(({ x, y, turn }) => ({ transform: `translate(${x}px, ${y}px) rotate(${turn}deg)` }));
    const last = all[all.length - 1];
    piece.node.parentNode?.append(piece.node);
    piece.at = [last.x, last.y];
    piece.node.style.transform = frames[frames.length - 1].transform;
    const [moves, duration] = CALM.matches ? [frames.slice(-1), STILL] : [frames, long];
    await this.animator.play(piece.node, [...moves, ...moves.slice(-1)], { duration, easing: "linear" });
  }
}

/** How many tokens a choice costs. @param {import("/page/protocol").Choice} choice */
function price({ name, preview }) {
  const spends = [name, preview].find((phrase) => phrase && SPENDING.has(phrase[0]));
  return Number(spends?.[1]?.count ?? 0);
}
