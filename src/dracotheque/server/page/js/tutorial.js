/** The tutorial: a short real game in which bubbles explain prompts and events when they come first. */

import { get, post } from "./api.js";
import { el, fill, picture } from "./dom.js";
import { createTable, startAndGo } from "./create-table.js";
import { gameFile } from "./game-files.js";
import { made, symbol } from "./svg.js";
import { tutorialTexts, kept } from "./hints.js";
import { t } from "./i18n.js";
import { attempt } from "./errors.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").GameInfo} GameInfo */
/** @typedef {import("../protocol").MoveRecord} MoveRecord */
/** @typedef {import("../protocol").Phrase} Phrase */
/**
 * How a first game is set up, what is pointed at on the board, and which events are explained as another is.
 * @typedef {{ players: number, board?: string, options?: Record<string, string>,
 *   points?: Record<string, string[]>, same?: Record<string, string> }} Plan
 */

const STORAGE_KEY = "dracotheque.guide"; // the table of the tutorial on this device, and which texts it has shown
const SMALLEST = 32; // of a flame, in units of the drawing
const TALL = 30; // pixels that a piece in 3D stands above its place
const OPENING = ["opening.1", "opening.2", "opening.3"];

/** @returns {{ table: string, said: string[] }} */
const recall = () => kept(STORAGE_KEY, { table: "", said: [] });

/** @param {string} game @returns {Promise<Plan>} */
const planOf = (game) => get(gameFile(game, "tutorial/plan.json"));

// --- In the lobby ----------------------------------------------------------------------------------------------------
/** The button on a game that opens its first game. @param {GameInfo} game */
export function tutorialButton(game) {
  const learn = async () => {
    button.disabled = true;
    await attempt(openFirst(game));
    button.disabled = false;
  };
  const about = { onclick: learn, title: t("tutorial.about") };
  const button = el("button.start-tutorial", about, drawing("librarian"), t("tutorial.learn"));
  return button;
}

/** Open a short real game with hatchlings, and note that it is the tutorial. @param {GameInfo} game */
async function openFirst(game) {
  const { players, board = null, options = {} } = await planOf(game.name);
  const bots = Array.from({ length: players - 1 }, () => ({ kind: "bot", level: "hatchling" }));
  const wish = { game: game.name, seats: [{ kind: "me" }, ...bots], board, options, begin: false };
  const { table } = await post("/api/tables", wish);
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ table, said: [] }));
  await startAndGo(table, 0, true);
}

// --- At the table ----------------------------------------------------------------------------------------------------
export class Tutorial {
  /** What is still to be said. @type {string[]} */
  waiting = [];
  /** What is being said, or was said last. */
  saying = "";
  /** Whether the bubble is open. */
  talks = false;
  /** The prompt at which the bubble was closed. */
  hushed = "";
  /** The arrows over a board in 3D. @type {HTMLElement | undefined} */
  hung = undefined;

  /** The tutorial of a table, if it is one. @param {TablePage} page @returns {Promise<Tutorial | null>} */
  static async of(page) {
    const { table, said } = recall();
    if (table !== page.id || !page.game.web.includes("tutorial")) return null;
    const [plan, words] = await Promise.all([planOf(page.game.name), tutorialTexts(page.game.name)]);
    return new Tutorial(page, plan, { ...words, marks: t("tutorial.marks") }, new Set(said));
  }

  /** @param {TablePage} page @param {Plan} plan @param {Record<string, string>} words @param {Set<string>} said */
  constructor(page, plan, words, said) {
    this.page = page;
    this.plan = plan;
    this.words = words;
    this.said = said;
    this.text = el("p.saying", { role: "status" });
    this.bubble = el("div.bubble", { onclick: () => this.waiting.length && this.next() }, this.text);
    this.buttons = el("div.row");
    const again = { onclick: () => this.open(), "aria-label": t("tutorial.again"), title: t("tutorial.again") };
    this.element = el("aside.tutorial.quiet", { "aria-label": t("tutorial.title") }, this.bubble,
      el("button.tutorial-dragon", again, drawing("librarian")), this.buttons);
    page.promptPanel.parentElement?.before(this.element);
    this.escape = (/** @type {KeyboardEvent} */ event) => this.key(event);
    addEventListener("keydown", this.escape);
    // A board that is drawn, or drawn again by another light, is pointed at again.
    this.watcher = new MutationObserver(() => page.shown && this.show());
    this.watcher.observe(page.board, { childList: true, subtree: true });
  }

  /** Escape closes the bubble, unless it closes something else. @param {KeyboardEvent} event */
  key(event) {
    const panel = /** @type {Element} */ (event.target).closest(".side-panel.open");
    if (event.key === "Escape" && !panel && !document.querySelector("dialog[open]")) this.hush();
  }

  /**
   * Take in what has been shown: what is new is explained.
   * @param {MoveRecord[]} moves @param {boolean} begins whether the table is shown from its beginning
   */
  hear(moves, begins) {
    const { page } = this;
    const { prompt, result, table } = page.shown;
    if (begins && !this.said.size) this.waiting = [...OPENING];
    if (!begins) this.follow(moves);
    if (table.status === "over" && result) {
      this.waiting = [`end:${result.ending}`, "end", "real"];
      if (!begins) this.talks = false; // what was being said no longer matters
    } else if (prompt && page.asked === page.viewpoint && page.viewpoint >= 0) this.want(this.keyOf("question", [prompt.rule, prompt.phrase]));
    this.waiting = this.waiting.filter((key) => this.words[key] && !this.said.has(key));
    if (!this.talks && this.waiting.length) this.next();
    else this.show();
  }

  /** Explain the events of moves; an own choice ends the explanation before. @param {MoveRecord[]} moves */
  follow(moves) {
    if (moves.some(({ player }) => this.page.isMine(player))) {
      this.waiting = [];
      this.talks = false;
    }
    const keys = moves.flatMap(({ events }) => events.map((event) => this.keyOf("event", event)));
    const fresh = keys.filter((key) => this.words[key] && !this.said.has(key));
    if (!fresh.length) return;
    // How it began and how it ended: what is left out now is explained when it happens again.
    this.waiting = this.waiting.filter((key) => !key.startsWith("event"));
    if (!this.talks) this.want(fresh[0]);
    this.want(fresh[fresh.length - 1]);
  }

  /** @param {string} key */
  want(key) {
    if (!this.waiting.includes(key)) this.waiting.push(key);
  }

  /**
   * Under which key a question or event is explained: by its rule and phrase, or by its rule alone.
   * @param {"question" | "event"} kind @param {[rule: string, phrase: Phrase]} happened
   */
  keyOf(kind, [rule, [phrase]]) {
    const plain = `${kind}:${rule}`;
    const exact = `${plain}/${phrase.split(".").slice(1).join(".")}`;
    const key = this.words[exact] ? exact : plain;
    return this.plan.same?.[key] ?? key;
  }

  /** Say the next thing. */
  next() {
    const key = this.waiting.shift();
    if (!key) return this.hush();
    this.saying = key;
    this.said.add(key);
    this.talks = true;
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ table: this.page.id, said: [...this.said] }));
    this.show();
  }

  /** Close the bubble; the game goes on, and so does the tutorial. */
  hush() {
    this.hushed = this.page.hints.moment;
    this.talks = false;
    this.waiting = [];
    this.show();
  }

  /** Say again what was said last. */
  open() {
    this.talks = !this.talks && Boolean(this.saying);
    this.show();
  }

  /** End the tutorial. */
  end() {
    localStorage.removeItem(STORAGE_KEY);
    removeEventListener("keydown", this.escape);
    this.watcher.disconnect();
    this.point([]);
    this.mark();
    this.element.remove();
    this.page.tutorial = null;
    this.page.show();
  }

  /** Show what is being said, what it points at, and which choices look good. */
  show() {
    const { page, talks } = this;
    this.element.classList.toggle("quiet", !talks);
    this.element.dataset.saying = talks ? this.saying : "";
    const text = talks ? this.words[this.saying] : "";
    if (this.text.textContent !== text) fill(this.text, text);
    this.offer();
    this.point(talks ? this.plan.points?.[this.saying] ?? [] : []);
    if (page.offered && page.shown.prompt?.choices?.length) this.advise();
    else this.mark();
  }

  /** Offer what can be done with the bubble; buttons that stay the same stay under the finger. */
  offer() {
    const more = this.waiting.length > 0;
    const over = this.page.shown.table.status === "over";
    const now = this.talks ? `${more} ${over}` : "";
    if (this.buttons.dataset.now === now) return;
    this.buttons.dataset.now = now;
    const focused = this.buttons.contains(document.activeElement);
    fill(this.buttons, ...(now ? this.actions(more, over) : []));
    if (focused) this.buttons.querySelector("button")?.focus();
  }

  /** @param {boolean} more whether there is more to say @param {boolean} over whether the game is over */
  actions(more, over) {
    return [
      more && el("button.main.next", { onclick: () => this.next() }, t("tutorial.next")),
      over && !more && el("button.main.real", { onclick: () => this.playReal() }, t("tutorial.real")),
      !more && !over && el("button.next", { onclick: () => this.hush() }, t("tutorial.good")),
      el("button.quiet.known", { onclick: () => this.end() }, t(over ? "close" : "tutorial.known")),
    ];
  }

  /** Open the game as it is meant to be played, with as many as usual. */
  async playReal() {
    const { name, default_players: usual } = this.page.game;
    localStorage.removeItem(STORAGE_KEY);
    const kinds = Array.from({ length: usual }, (_, seat) => (seat ? "bot" : "me"));
    await createTable({ game: name, seats: kinds.map((kind) => (kind === "bot" ? { kind, level: "hatchling" } : { kind })) });
  }

  /** Point at parts of the drawn board. @param {string[]} points places, or selectors of pieces */
  point(points) {
    this.arrows = this.lay("pointing", this.arrows, points, arrow);
    this.hang(points);
  }

  /** Hang arrows over a board in 3D, which are gone as soon as it is turned. @param {string[]} points */
  hang(points) {
    const { board, svgBoard } = this.page;
    const stage = board.querySelector(".board-3d");
    const now = points.join();
    if (this.hung?.isConnected && this.hung.dataset.points === now) return;
    this.hung?.remove();
    if (!stage || !now) return;
    const { left, top } = stage.getBoundingClientRect();
    const shield = /** @type {any} */ (svgBoard)?.last?.board.pieces.shield?.place;
    const arrows = points.flatMap((point) => {
      const piece = point.startsWith(".");
      const [x, y] = /** @type {any} */ (board).screenPlace?.(piece ? shield : point) ?? [];
      if (x === undefined) return [];
      const style = `left:${x - left}px;top:${y - top - (piece ? TALL : 0)}px`;
      return el("i", { style, html: `<svg viewBox="-16 -40 32 42">${arrow(0)}</svg>` });
    });
    if (!arrows.length) return;
    this.hung = el("div.hung.pointing", { "data-points": now }, ...arrows);
    stage.append(this.hung);
    stage.addEventListener("pointerdown", () => this.hung?.remove(), { once: true });
  }

  /**
   * Lay signs over places or pieces of the drawn board, in the stead of those that lie there.
   * @param {string} name @param {SVGElement | undefined} before @param {string[]} points
   * @param {(room: number) => string} sign
   */
  lay(name, before, points, sign) {
    const drawn = this.page.board.querySelector("svg.drawn");
    const now = points.join();
    if (before?.isConnected && before.dataset.points === now) return before;
    before?.remove();
    if (!drawn || !now) return undefined;
    const layer = made("g", { class: name, "data-points": now });
    layer.innerHTML = points.map((point) => placed(drawn, point, sign)).join("");
    drawn.append(layer);
    return layer;
  }

  /** Mark the choices that a good player would look at first. */
  async advise() {
    const { moment } = this.page.hints;
    const { promising, places } = await this.page.hints.ask();
    if (this.page.tutorial !== this || this.page.hints.moment !== moment) return;
    this.mark(promising, places);
    if (!promising.length || this.waiting.length || this.said.has("marks") || this.hushed === moment) return;
    this.want("marks");
    if (this.talks) this.offer();
    else this.next();
  }

  /** Mark choices and the places they lead to with a flame. @param {number[]} [actions] @param {string[]} [places] */
  mark(actions = [], places = []) {
    this.flames = this.lay("flames", this.flames, places, flame);
    const good = new Set(actions.map(String));
    for (const button of this.page.promptPanel.querySelectorAll("button.choice")) {
      const is = good.has(/** @type {HTMLElement} */ (button).dataset.action ?? "");
      if (button.classList.contains("promising") === is) continue;
      button.classList.toggle("promising", is);
      if (is) button.append(el("span.flame", { title: t("tutorial.promising") }, drawing("flame", t("tutorial.promising"))));
      else button.querySelector(".flame")?.remove();
    }
  }
}

/**
 * A sign where a place or a piece is.
 * @param {Element} drawn @param {string} point @param {(room: number) => string} sign
 */
function placed(drawn, point, sign) {
  const selector = point.startsWith(".") ? point : `[data-place="${point}"]`;
  const node = /** @type {SVGElement | null} */ (drawn.querySelector(selector));
  if (!node) return "";
  const { x, y, r = 40 } = node.dataset;
  const at = x === undefined ? node.style.transform.replace(/px|rotate.*/g, "") : `translate(${x}, ${y})`;
  return `<g transform="${at}">${sign(Number(r))}</g>`;
}

/** An arrow above a place, and a ring around it. @param {number} room */
const arrow = (room) => `<circle r="${room * 1.1}"/><path d="M0 ${-room}l-13-17h8v-19h10v19h8z"/>`;

/** A flame beside a place. @param {number} room */
function flame(room) {
  const size = Math.max(room, SMALLEST);
  const [x, y] = [room * 0.45, -room / 2 - size];
  return `<use href="${symbol("tutorial", "flame")}" x="${x}" y="${y}" width="${size}" height="${size}"/>`;
}

/** A drawing of the tutorial. @param {string} name @param {string} [label] */
function drawing(name, label) {
  const svg = picture(name, label);
  svg.firstElementChild?.setAttribute("href", symbol("tutorial", name));
  return svg;
}
