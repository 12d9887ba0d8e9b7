/** A first game with a guide: a small dragon who keeps the library says what matters when it matters. */

import { get, post } from "./api.js";
import { el, fill, picture } from "./dom.js";
import { begin, go } from "./opening.js";
import { made } from "./svg.js";
import { guideWords, kept } from "./teach.js";
import { t } from "./words.js";
import { attempt } from "./wrong.js";

/** @typedef {import("./table.js").TablePage} TablePage */
/** @typedef {import("../../../../../web/src/messages").BoxView} BoxView */
/** @typedef {import("../../../../../web/src/messages").Phrase} Phrase */
/**
 * How a first game is set up, what is pointed at on the board, and which events are explained as another is.
 * @typedef {{ players: number, board?: string, options?: Record<string, string>,
 *   points?: Record<string, string[]>, same?: Record<string, string> }} Plan
 */

const KEPT = "dracotheque.guide"; // the guided table of this device, and what was said at it
const SMALLEST = 32; // of a flame, in units of the drawing
const TALL = 30; // pixels that a piece in 3D stands above its place
const OPENING = ["opening.1", "opening.2", "opening.3"];

/** @returns {{ table: string, said: string[] }} */
const recall = () => kept(KEPT, { table: "", said: [] });

/** @param {string} game @returns {Promise<Plan>} */
const planOf = (game) => get(`/page/guides/${game}.json`);

// --- On the shelf ----------------------------------------------------------------------------------------------------
/** The button on a box that opens its first game. @param {BoxView} box */
export function guideButton(box) {
  const learn = async () => {
    button.disabled = true;
    await attempt(openFirst(box));
    button.disabled = false;
  };
  const about = { onclick: learn, title: t("guide.about") };
  const button = el("button.learn", about, drawing("librarian"), t("guide.learn"));
  return button;
}

/** Open a short real game with hatchlings, and note that it is guided. @param {BoxView} box */
async function openFirst(box) {
  const { players, board = null, options = {} } = await planOf(box.name);
  const bots = Array.from({ length: players - 1 }, () => ({ kind: "bot", level: "hatchling" }));
  const wish = { game: box.name, seats: [{ kind: "me" }, ...bots], board, options, begin: false };
  const { table } = await post("/api/tables", wish);
  localStorage.setItem(KEPT, JSON.stringify({ table, said: [] }));
  await begin(table, 0, true);
}

// --- At the table ----------------------------------------------------------------------------------------------------
export class Guide {
  /** What is still to be said. @type {string[]} */
  waiting = [];
  /** What is being said, or was said last. */
  saying = "";
  /** Whether the bubble is open. */
  talks = false;
  /** The question at which the guide was asked to be quiet. */
  hushed = "";
  /** The arrows over a board in 3D. @type {HTMLElement | undefined} */
  hung = undefined;

  /** The guide of a table, if it has one. @param {TablePage} page @returns {Promise<Guide | null>} */
  static async of(page) {
    const { table, said } = recall();
    if (table !== page.id) return null;
    const [plan, words] = await Promise.all([planOf(page.box.name), guideWords(page.box.name)]);
    return new Guide(page, plan, { ...words, marks: t("guide.marks") }, new Set(said));
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
    const again = { onclick: () => this.open(), "aria-label": t("guide.again"), title: t("guide.again") };
    this.element = el("aside.guide.quiet", { "aria-label": t("guide.title") }, this.bubble,
      el("button.keeper", again, drawing("librarian")), this.buttons);
    page.whole.insertBefore(this.element, page.desk);
    page.whole.classList.add("guided");
    this.escape = (/** @type {KeyboardEvent} */ event) => this.key(event);
    addEventListener("keydown", this.escape);
    const measure = () => page.whole.style.setProperty("--guide-room", `${this.element.offsetHeight}px`);
    this.ruler = new ResizeObserver(measure);
    this.ruler.observe(this.element);
    // A board that is drawn, or drawn anew by another light, is pointed at again.
    this.watcher = new MutationObserver(() => page.view && this.show());
    this.watcher.observe(page.board, { childList: true, subtree: true });
  }

  /** Escape closes the bubble, unless it closes something else. @param {KeyboardEvent} event */
  key(event) {
    const drawer = /** @type {Element} */ (event.target).closest(".drawer.open");
    if (event.key === "Escape" && !drawer && !document.querySelector("dialog[open]")) this.hush();
  }

  /** Take in what happened at the table: what is new is explained. @param {any} news */
  hear(news) {
    const { page } = this;
    const { question, result, status } = page.view;
    if (news.is === "table" && !this.said.size) this.waiting = [...OPENING];
    if (news.is === "moved") this.follow(news.told);
    if (status === "over" && result) {
      this.waiting = [`end:${result.ending}`, "end", "real"];
      if (news.is === "moved") this.talks = false; // what was being said no longer matters
    } else if (question && page.asked === page.look && page.look >= 0) this.want(this.keyOf("question", question));
    this.waiting = this.waiting.filter((key) => this.words[key] && !this.said.has(key));
    if (!this.talks && this.waiting.length) this.next();
    else this.show();
  }

  /**
   * Explain what a move made happen; my own choice ends what was being said.
   * @param {import("./drawer.js").Told[]} told
   */
  follow(told) {
    if (told.some(({ player }) => this.page.isMine(player))) {
      this.waiting = [];
      this.talks = false;
    }
    const keys = told.flatMap(({ events }) => events.map((event) => this.keyOf("event", event)));
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
   * @param {"question" | "event"} kind @param {{ rule: string, phrase: Phrase }} happened
   */
  keyOf(kind, { rule, phrase }) {
    const plain = `${kind}:${rule}`;
    const exact = `${plain}/${phrase.key.split(".").slice(1).join(".")}`;
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
    localStorage.setItem(KEPT, JSON.stringify({ table: this.page.id, said: [...this.said] }));
    this.show();
  }

  /** Close the bubble; the game goes on, and so does the guide. */
  hush() {
    this.hushed = this.page.teacher.moment;
    this.talks = false;
    this.waiting = [];
    this.show();
  }

  /** Say again what was said last. */
  open() {
    this.talks = !this.talks && Boolean(this.saying);
    this.show();
  }

  /** Leave the guide: I know this. */
  end() {
    localStorage.removeItem(KEPT);
    removeEventListener("keydown", this.escape);
    this.watcher.disconnect();
    this.ruler.disconnect();
    this.point([]);
    this.mark();
    this.element.remove();
    this.page.whole.classList.remove("guided");
    this.page.guide = null;
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
    if (page.view.question?.choices?.length && page.view.status === "playing") this.advise();
    else this.mark();
  }

  /** Offer what can be done with the bubble; buttons that stay the same stay under the finger. */
  offer() {
    const more = this.waiting.length > 0;
    const over = this.page.view.status === "over";
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
      more && el("button.main.next", { onclick: () => this.next() }, t("guide.next")),
      over && !more && el("button.main.real", { onclick: () => this.playReal() }, t("guide.real")),
      !more && !over && el("button.next", { onclick: () => this.hush() }, t("guide.good")),
      el("button.quiet.known", { onclick: () => this.end() }, t(over ? "close" : "guide.known")),
    ];
  }

  /** Open the box as it is meant to be played, with as many as usual. */
  async playReal() {
    const { name, usual } = this.page.box;
    localStorage.removeItem(KEPT);
    const kinds = Array.from({ length: usual }, (_, seat) => (seat ? "bot" : "me"));
    await go({ game: name, seats: kinds.map((kind) => (kind === "bot" ? { kind, level: "hatchling" } : { kind })) });
  }

  /** Point at parts of the drawn board. @param {string[]} points places, or selectors of pieces */
  point(points) {
    this.arrows = this.lay("pointing", this.arrows, points, arrow);
    this.hang(points);
  }

  /** Hang arrows over a board in 3D, which are gone as soon as it is turned. @param {string[]} points */
  hang(points) {
    const { board, drawn } = this.page;
    const stage = board.querySelector(".stair-3d");
    const now = points.join();
    if (this.hung?.isConnected && this.hung.dataset.points === now) return;
    this.hung?.remove();
    if (!stage || !now) return;
    const { left, top } = stage.getBoundingClientRect();
    const shield = /** @type {any} */ (drawn)?.last?.scene.pieces.shield?.place;
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
    const { moment } = this.page.teacher;
    const { promising, places } = await this.page.teacher.ask();
    if (this.page.guide !== this || this.page.teacher.moment !== moment) return;
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
    for (const button of this.page.desk.querySelectorAll("button.choice")) {
      const is = good.has(/** @type {HTMLElement} */ (button).dataset.action ?? "");
      if (button.classList.contains("promising") === is) continue;
      button.classList.toggle("promising", is);
      if (is) button.append(el("span.flame", { title: t("guide.promising") }, drawing("flame", t("guide.promising"))));
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
  return `<use href="/page/guide.svg#flame" x="${x}" y="${y}" width="${size}" height="${size}"/>`;
}

/** One of the guide's own drawings. @param {string} name @param {string} [label] */
function drawing(name, label) {
  const svg = picture(name, label);
  svg.firstElementChild?.setAttribute("href", `/page/guide.svg#${name}`);
  return svg;
}
