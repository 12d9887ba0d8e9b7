/** The board for the seat that is looked from: every move is seen in order. */

import { get } from "./api.js";
import { questionOf } from "./choosing.js";
import { CALM } from "./motion.js";
import { waiting } from "./scenes.js";

/** @typedef {import("./table.js").TablePage} TablePage */
/** @typedef {{ seat: number, move: number, key: string, question?: string }} Moment */

const AGAIN = 1500; // milliseconds until the server is asked again for what it did not give
const SILENT = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock"]);

/** The moments of a game, shown one after the other. */
class Showing {
  /** What is seen now. @type {Moment | null} */
  shown = null;
  /** Counts what was dropped: whatever was asked for before is not shown any more. */
  era = 0;
  /** In which era moments are being shown. */
  running = -1;
  /** Up to which move nobody wants to wait. */
  hurry = -1;
  /** What will be wanted next. @type {{ address: string, scene: Promise<any> } | null} */
  ahead = null;

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    addEventListener("pointerdown", () => this.skip(), true);
    addEventListener("keydown", (event) => SILENT.has(event.key) || this.skip(), true);
    document.addEventListener("visibilitychange", () => document.hidden && this.skip());
  }

  /** Show what has not been seen yet, unless that is going on already. */
  async follow() {
    const { page } = this;
    // Between two seats nothing is seen: what lies before one is not for the other, unless all see the same.
    const turned = page.turning || (this.shown && this.shown.seat !== seatOf(page));
    if (turned) page.seats.classList.add("turned");
    if (turned && !page.drawn?.open) this.drop();
    if (page.turning || this.running === this.era) return;
    const { era } = this;
    this.running = era;
    try {
      while (await this.step(era));
    } catch (why) {
      if (era === this.era) this.shown = null; // begin anew, with the newest
      throw why;
    } finally {
      if (this.running === era) this.running = -1;
    }
  }

  /** Show the next moment; gives whether there may be another. @param {number} era */
  async step(era) {
    const { page } = this;
    const goal = page.turning ? null : goalOf(page);
    if (!goal || goal.key === this.shown?.key) return false;
    const { move, still } = this.next(goal);
    const newest = move === goal.move;
    const scene = await this.fetched(goal.seat, move);
    if (era !== this.era) return false;
    if (!scene) return this.missing(newest, goal.move);
    if (!newest) this.look(goal.seat, Math.min(move + 1, goal.move));
    const laid = await this.laid();
    if (era !== this.era) return false;
    if (!laid) return this.missing(true, goal.move);
    const told = move === this.shown?.move ? undefined : toldOf(page, move);
    this.shown = { seat: goal.seat, move, key: newest ? goal.key : "" };
    page.board.dataset.shown = String(move);
    const { question } = goal;
    await page.drawn?.show(newest ? { ...scene, question } : { ...scene, touched: undefined }, still, told);
    if (era !== this.era) return false;
    if (!page.turning && goal.seat === seatOf(page)) this.lay(scene.holdings ?? []);
    return true;
  }

  /** Lay out the empty board; gives whether that was possible. */
  async laid() {
    return this.page.drawn ? this.page.drawn.layOut().then(() => true, () => false) : true;
  }

  /** Which moment comes next, and whether it is only set down. @param {Moment} goal */
  next(goal) {
    const { shown, page } = this;
    const calm = CALM.matches || document.hidden || !page.drawn;
    if (!shown || calm) return { move: goal.move, still: true };
    const ahead = goal.move - shown.move;
    if (page.replay && (ahead < -1 || ahead > STRIDE)) return { move: goal.move, still: true };
    const skipped = Math.min(this.hurry, goal.move);
    if (!page.replay && skipped > shown.move) return { move: skipped, still: true };
    const [first] = waiting(shown.move, goal.move);
    if (first === undefined) return { move: goal.move, still: false }; // taken back, or asked anew
    return { move: first, still: first > shown.move + 1 };
  }

  /** @param {number} seat @param {number} move */
  addressOf(seat, move) {
    return `${this.page.path}/scene?seat=${seat}&move=${move}`;
  }

  /** Ask for what will be wanted next. @param {number} seat @param {number} move */
  look(seat, move) {
    const address = this.addressOf(seat, move);
    this.ahead = { address, scene: get(address).catch(() => null) };
  }

  /** What stood where after a move, or null where that is not to be had. @param {number} seat @param {number} move */
  async fetched(seat, move) {
    const address = this.addressOf(seat, move);
    if (this.ahead?.address !== address) this.look(seat, move);
    const { scene } = /** @type {NonNullable<Showing["ahead"]>} */ (this.ahead);
    this.ahead = null;
    return scene;
  }

  /**
   * Go on to the newest where a moment before it is not to be had; where that is not either, ask again later.
   * @param {boolean} newest @param {number} move
   */
  missing(newest, move) {
    this.hurry = Math.max(this.hurry, move);
    if (newest) setTimeout(() => this.follow(), AGAIN);
    return !newest;
  }

  /** Show what lies before every seat. @param {any[]} holdings */
  lay(holdings) {
    const { page } = this;
    page.board.style.minHeight = "";
    page.holdings = holdings;
    page.seats.classList.remove("turned");
    page.showHoldings();
  }

  /** Wait no longer: let everything arrive, and go on to the newest. */
  skip() {
    this.hurry = Math.max(this.hurry, this.page.view?.moves ?? -1);
    this.page.drawn?.finish();
  }

  /** Forget what was to be shown and take the drawing away, its room left so that nothing jumps. */
  drop() {
    const { board, drawn } = this.page;
    this.era += 1;
    this.shown = this.ahead = null;
    this.hurry = -1;
    if (board.firstChild) board.style.minHeight = `${board.offsetHeight}px`;
    drawn?.finish();
    drawn?.clear?.();
    board.replaceChildren();
    delete board.dataset.shown;
  }
}

const STRIDE = 3; // moves: a replay that is further behind jumps

/** @type {WeakMap<TablePage, Showing>} */
const showings = new WeakMap();

/** Show the board as it is now, and what happened until then. @param {TablePage} page */
export async function showBoard(page) {
  const laid = page.view.status !== "open" && page.view.status !== "closed";
  page.board.parentElement?.toggleAttribute("hidden", !laid);
  const showing = showings.get(page) ?? new Showing(page);
  showings.set(page, showing);
  if (laid) await showing.follow();
}

/**
 * The moment to be seen in the end; its key tells it apart from any other.
 * @param {TablePage} page @returns {Moment}
 */
function goalOf(page) {
  const { view, replay } = page;
  const [seat, move] = [seatOf(page), replay ? replay.move : view.moves ?? 0];
  const key = [seat, view.number, move, view.status, (view.question?.seats ?? []).join(), page.theme, Boolean(replay)];
  return { seat, move, key: key.join("/"), question: questionOf(page) };
}

/** @param {TablePage} page */
const seatOf = (page) => (page.replay ? page.replay.seat : page.look);

/** What was told of a move. @param {TablePage} page @param {number} move */
function toldOf(page, move) {
  if (page.replay) return page.drawer.story[move - 1];
  return page.news[page.news.length - 1 - ((page.view.moves ?? 0) - move)];
}
