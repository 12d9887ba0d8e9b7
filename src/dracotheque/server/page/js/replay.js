/** The game again: move by move, by hand or by itself, from any seat; and links to a moment of it. */

import { el, fill, select } from "./dom.js";
import { GameRecord } from "./game-record.js";
import { t } from "./i18n.js";
import { attempt } from "./errors.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */

const PACE = 1_100; // milliseconds a move
const BREATH = 700; // milliseconds before a moment is seen to happen
const SETTLED = 200; // milliseconds after which the address follows: browsers allow few changes of it in a row
const SPEEDS = [0.5, 1, 2];
const CALM = matchMedia("(prefers-reduced-motion: reduce)");
/** What the buttons show, in a square of 24. @type {Record<string, string>} */
const SIGNS = {
  first: "M6 5v14M19 5 9 12l10 7z",
  back: "M17 5 7 12l10 7z",
  run: "M7 4.500 19 12 7 19.500z",
  hold: "M8 5v14M16 5v14",
  on: "M7 5l10 7-10 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
};
/** The moves that mattered, for the slider. @type {WeakMap<TablePage, number[]>} */
const marked = new WeakMap();

/** Which moment the address names, if it does. @returns {{ move: number, seat: number } | null} */
export function momentInAddress() {
  const asked = new URLSearchParams(location.search);
  const number = (/** @type {string} */ name) => Number(/^\d{1,6}$/.exec(asked.get(name) ?? "")?.[0] ?? -1);
  return number("move") < 0 ? null : { move: number("move"), seat: number("seat") };
}

/**
 * Begin to look at the game again, or go on with it, at a move; the way back is that of the browser.
 * @param {TablePage} page @param {number} move @param {number} [seat]
 */
export async function replayFrom(page, move, seat = page.viewpoint) {
  if (page.replay) return page.replay.go(move);
  watch(page);
  const viewer = seat < page.shown.seats.length ? seat : -1;
  page.replay = new Replay(page, viewer);
  if (!history.state?.replay) {
    history.replaceState(null, "", location.pathname);
    history.pushState({ replay: true }, "", location.pathname);
  }
  const arrived = page.replay.go(move);
  page.board.parentElement?.scrollIntoView({ block: "nearest" });
  await arrived;
}

/**
 * See something happen: the game as it was before, and then the move, or all moves of a fall.
 * @param {TablePage} page @param {{ since: number, move: number }} moment
 */
export async function seeHappen(page, { since, move }) {
  await replayFrom(page, CALM.matches ? move : since);
  page.board.parentElement?.scrollIntoView({ block: "nearest" });
  if (!CALM.matches) page.replay?.runTo(move);
}

/** Mark the moves that mattered on the slider. @param {TablePage} page @param {number[]} moves */
export function mark(page, moves) {
  marked.set(page, moves);
  page.replay?.showMarks();
}

/** @type {TablePage | null} */
let watched = null;

/** Listen for the keys of a replay and for the browser's way back. @param {TablePage} page */
function watch(page) {
  if (watched) return;
  watched = page;
  addEventListener("keydown", (event) => page.replay?.press(event));
  addEventListener("popstate", () => {
    const asked = momentInAddress();
    if (!asked) page.replay?.close();
    else replayFrom(page, asked.move, asked.seat);
  });
}

/**
 * A finished game being looked at again. What changes with every move is kept out of the prompt panel, which is
 * laid out once: a slider that is made again would slip from the finger.
 */
export class Replay {
  #page;
  #move = 0;
  #seat;
  #speed = 1;
  /** @type {number | undefined} */
  #timer;
  /** @type {number | undefined} */
  #noting;
  #running = false;
  /** After which move it holds by itself. */
  #goal = Infinity;
  #record;
  /** The moment that is on the board, or on its way there. @type {{ move: number, seat: number } | null} */
  #drawn = null;
  /** Counts the moments that were wanted: what was fetched for one before is not shown any more. */
  #wanted = 0;
  #element;
  #parts;

  /** @param {TablePage} page @param {number} seat */
  constructor(page, seat) {
    this.#page = page;
    this.#seat = seat;
    this.#record = new GameRecord(page.path);
    this.#parts = this.#make();
    this.#element = this.#layOut();
    this.showMarks();
  }

  /** How many moves have been made in what is shown. */
  get move() {
    return this.#move;
  }

  /** From where it is seen: a seat, or -1. */
  get seat() {
    return this.#seat;
  }

  get element() {
    return this.#element;
  }

  get #last() {
    return this.#page.shown.move_number;
  }

  #make() {
    const page = this.#page;
    /** @type {[string, string][]} */
    const seats = page.shown.seats.map((_, seat) => [`${seat}`, page.name(seat)]);
    return {
      where: el("span", { "aria-live": "off" }),
      slider: el("input", {
        type: "range", min: 0, max: this.#last, value: 0,
        oninput: (/** @type {any} */ event) => (this.#hold(), this.go(Number(event.target.value))),
      }),
      marks: el("span.marks", { "aria-hidden": "true" }),
      run: this.#button("run", () => this.#toggle()),
      speeds: SPEEDS.map((speed) => el("button.speed", { onclick: () => this.#pace(speed) }, speedName(speed))),
      seat: select([["-1", t("replay.spectator")], ...seats], `${this.#seat}`, {
        onchange: (/** @type {any} */ event) => this.#lookFrom(Number(event.target.value)),
      }),
      copy: el("button.copy-link", { onclick: () => this.#copy() }, t("replay.link")),
    };
  }

  #layOut() {
    const { where, slider, marks, run, speeds, seat, copy } = this.#parts;
    this.#pace(1);
    return el("div.column.replaying", {},
      el("h2", {}, t("replay")),
      el("label", {}, where, el("span.track", {}, marks, slider)),
      el("div.steps", { role: "group", "aria-label": t("replay.steps") },
        this.#button("first", () => this.#jump(0)), this.#button("back", () => this.#jump(this.#move - 1)), run,
        this.#button("on", () => this.#jump(this.#move + 1)), this.#button("last", () => this.#jump(this.#last))),
      el("div.speeds", { role: "group", "aria-label": t("replay.speed") }, ...speeds),
      el("label", {}, t("replay.from"), seat),
      ...this.#page.exactValues.inReplay(),
      copy,
      el("button.step-end", { onclick: () => this.#leave() }, t("replay.end")),
      el("p.soft.keys", {}, t("replay.keys")));
  }

  /** @param {string} name @param {() => void} onclick */
  #button(name, onclick) {
    const button = el(`button.step-${name}`, { onclick });
    sign(button, name);
    return button;
  }

  /** Go to a moment of the game; resolves when it is seen. @param {number} move */
  async go(move) {
    const page = this.#page;
    clearTimeout(this.#timer);
    this.#move = Math.max(0, Math.min(this.#last, move));
    if (this.#move >= Math.min(this.#goal, this.#last)) this.#hold();
    this.#note();
    this.#show();
    page.show();
    page.exactValues.look(this.#move);
    page.whole.dispatchEvent(new CustomEvent("replay", { detail: this.#move }));
    const next = performance.now() + PACE / this.#speed;
    const wanted = await this.#draw();
    // What takes longer than others has the time to be seen.
    if (this.#running && wanted === this.#wanted) this.#goOn(Math.max(0, next - performance.now()));
  }

  /** Go on to the next move after a while. @param {number} wait milliseconds */
  #goOn(wait) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.go(this.#move + 1), wait);
  }

  /** Show this moment on the board, with the move that leads there where that is the next; returns its name. */
  async #draw() {
    const [page, move, seat, drawn] = [this.#page, this.#move, this.#seat, this.#drawn];
    const wanted = (this.#wanted += 1);
    const found = await attempt(this.#record.at(seat, move));
    if (!found || wanted !== this.#wanted || page.replay !== this) return wanted;
    const { board, record } = found;
    const [next, back] = [move - 1, move + 1].map((near) => drawn?.seat === seat && drawn.move === near);
    this.#drawn = { move, seat };
    await page.queue.replay({
      type: "replay", board, moveNumber: move, record: next ? record : undefined, news: record ? [record] : [],
      still: !next && !back,
    });
    return wanted;
  }

  /** Draw the same moment again, by another light. */
  redraw() {
    this.#drawn = null;
    void this.#draw();
  }

  /** Play up to a move, after a pause. @param {number} move */
  runTo(move) {
    this.#run(move);
    this.#goOn(BREATH);
  }

  /** Go there by hand: it no longer runs by itself. @param {number} move */
  #jump(move) {
    this.#hold();
    this.go(move);
  }

  /** Play or pause; at the end it begins again. */
  #toggle() {
    if (this.#running) return this.#hold();
    this.#run(Infinity);
    this.go(this.#move === this.#last ? 0 : this.#move + 1);
  }

  /** @param {number} goal the move after which it holds by itself */
  #run(goal) {
    this.#running = true;
    this.#goal = goal;
    sign(this.#parts.run, "hold");
  }

  #hold() {
    clearTimeout(this.#timer);
    this.#running = false;
    sign(this.#parts.run, "run");
  }

  /** @param {number} speed */
  #pace(speed) {
    this.#speed = speed;
    this.#parts.speeds.forEach((button, number) => (button.ariaPressed = String(SPEEDS[number] === speed)));
  }

  /** @param {number} seat */
  #lookFrom(seat) {
    this.#seat = seat;
    this.#note();
    this.#page.show();
    void this.#draw();
  }

  /** Write this moment into the address, once it is settled. */
  #note() {
    clearTimeout(this.#noting);
    this.#noting = setTimeout(() => history.replaceState({ replay: true }, "", this.#address), SETTLED);
  }

  /** Where this moment is to be found. */
  get #address() {
    return `${location.pathname}?move=${this.#move}${this.#seat >= 0 ? `&seat=${this.#seat}` : ""}`;
  }

  async #copy() {
    const { copy } = this.#parts;
    const link = location.origin + this.#address;
    // Without https there is no clipboard: then the address itself is what can be copied.
    const done = await (navigator.clipboard?.writeText(link).then(() => true, () => false) ?? Promise.resolve(false));
    fill(copy, done ? t("copied") : link);
    setTimeout(() => fill(copy, t("replay.link")), done ? 2_000 : 12_000);
  }

  #show() {
    const { where, slider } = this.#parts;
    fill(where, t("replay.move", { move: this.#move, moves: this.#last }));
    slider.value = this.#move;
    slider.setAttribute("aria-valuetext", where.textContent);
  }

  showMarks() {
    const share = (/** @type {number} */ move) => `calc(12px + (100% - 24px) * ${move / Math.max(1, this.#last)})`;
    const moves = marked.get(this.#page) ?? [];
    fill(this.#parts.marks, ...moves.map((move) => el("i", { style: `left: ${share(move)}` })));
  }

  /** The keys of a replay, unless they are meant for something else. @param {KeyboardEvent} event */
  press(event) {
    const target = /** @type {Element} */ (event.target);
    const elsewhere = event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented
      || target.closest("input, select, textarea, dialog, .side-panel, .board");
    const presses = event.key === " " && target.closest("button, a, summary");
    if (elsewhere || presses) return;
    const moves = { ArrowLeft: this.#move - 1, ArrowRight: this.#move + 1, Home: 0, End: this.#last };
    if (event.key === " ") this.#toggle();
    else if (event.key in moves) this.#jump(moves[/** @type {keyof typeof moves} */ (event.key)]);
    else return;
    event.preventDefault();
  }

  #leave() {
    if (history.state?.replay) history.back();
    else this.close();
  }

  /** Back to the result. */
  close() {
    const page = this.#page;
    clearTimeout(this.#timer);
    clearTimeout(this.#noting);
    this.#hold();
    this.#wanted += 1;
    page.replay = null;
    page.backToEnd();
    page.show();
    const lost = document.activeElement === document.body;
    if (lost) page.promptPanel.querySelector("button.replay")?.focus({ preventScroll: true });
    page.whole.dispatchEvent(new CustomEvent("replay", { detail: null }));
  }
}

/** Put a sign on a button, with its name. @param {HTMLElement} button @param {string} name */
function sign(button, name) {
  if (button.dataset.sign === name) return;
  button.dataset.sign = name;
  button.className = `step-${name}`;
  button.title = t(`replay.${name}`);
  button.setAttribute("aria-label", t(`replay.${name}`));
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${SIGNS[name]}"/></svg>`;
}

/** @param {number} speed */
const speedName = (speed) => `${speed === 0.5 ? "½" : speed}\u00a0×`;
