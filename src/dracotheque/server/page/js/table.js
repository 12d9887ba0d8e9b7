/** A table: what the server says goes in, and every part of the page is shown anew from that. */

import { get, Problem } from "./api.js";
import { showBoard } from "./board.js";
import { settle, showDesk, watchDigits } from "./desk.js";
import { byId, complain, dialog, el, fill, picture } from "./dom.js";
import { DrawnBoard } from "./drawn.js";
import { Drawer, lines } from "./drawer.js";
import { Guide } from "./guide.js";
import { Live } from "./live.js";
import { firstSentence } from "./prose.js";
import { Oracle } from "./oracle.js";
import { momentInAddress } from "./replay.js";
import { showHoldings, showSeats } from "./seats.js";
import { Teacher } from "./teach.js";
import { showTools } from "./tools.js";
import { callByName, learn, rulebook, t } from "./words.js";
import { attempt, unlessLost } from "./wrong.js";

/** @typedef {import("../../../../../web/src/messages").TableView} TableView */
/** @typedef {import("../../../../../web/src/messages").Told} Told */

export class TablePage {
  view = /** @type {TableView} */ (/** @type {unknown} */ (undefined));
  live = /** @type {Live} */ (/** @type {unknown} */ (undefined));
  drawer = /** @type {Drawer} */ (/** @type {unknown} */ (undefined));
  /** What happened since I chose last, as it was told then. @type {Told[]} */
  news = [];
  /** Whether the view from another seat is on its way: until then nothing of this one is shown. */
  turning = false;
  /** Whether a choice of mine is on its way. */
  sending = false;
  /** Which moment of a finished game is shown. @type {import("./replay.js").Replay | null} */
  replay = null;
  /** The moment that the address names. @type {{ move: number, seat: number } | null} */
  linked = null;
  /**
   * The sheet that covers the screen until it is in the right hands.
   * @type {{ seat: number, close: () => void } | null}
   */
  cover = null;
  /** The drawn board, where the game has one. @type {DrawnBoard | null} */
  drawn = null;
  /** Says what is possible by which rule. */
  teacher = /** @type {Teacher} */ (/** @type {unknown} */ (undefined));
  /** Says how often each choice wins, where that is known. */
  oracle = new Oracle(this);
  /** Who explains a first game. @type {Guide | null} */
  guide = null;
  /** What lies before every seat. @type {import("../../../../../web/src/messages").Holding[][]} */
  holdings = [];

  /** @param {string} id @param {{ name: string, crest: string }} me */
  constructor(id, me) {
    this.id = id;
    this.me = me;
    this.invitation = new URLSearchParams(location.hash.slice(1)).get("sit") ?? "";
    this.path = `/api/tables/${id}`;
  }

  /** Show the table, and everything that happens at it from now on. */
  async open() {
    const view = await unlessLost(get(this.path));
    const home = el("p.lonely", {}, picture("gem"), el("a.button.main", { href: "/" }, t("home")));
    if (!view) return fill(byId("main"), home);
    if (view.status === "over") this.linked = momentInAddress();
    await learn(view.game);
    this.box = (await get("/api/games")).boxes.find((/** @type {any} */ box) => box.name === view.game);
    document.title = `${this.box.title} · Dracothèque`;
    this.teacher = new Teacher(this);
    this.layOut();
    this.guide = await Guide.of(this);
    this.drawn = await DrawnBoard.of(this);
    this.live = new Live(this.id, (news) => this.hear(news));
    watchDigits(this);
    addEventListener("theme", () => this.view && this.show());
  }

  /** Make the parts of the page. */
  layOut() {
    this.seats = el("ul.seats", { "aria-label": t("seats") });
    this.desk = el("section.desk", { "aria-label": t("desk") });
    this.board = el("div.board", { role: "img", "aria-label": t("board", { title: this.box.title }), tabindex: 0 });
    this.newsList = el("ul.news", { "aria-live": "polite", "aria-label": t("news") });
    this.tools = el("div.tools.row");
    this.drawer = new Drawer(this);
    const lid = el(`div.lid.cover.${this.box.name}`, {}, picture(this.box.name), el("h2", {}, this.box.title));
    const frame = el("div.board-frame", { hidden: true }, this.board);
    this.whole = el("div.at-table", {}, this.seats, this.desk,
      el("section.middle", {}, frame, lid, this.newsList, this.tools), this.drawer.element);
    fill(byId("main"), this.whole);
  }

  /** Take in what the server says. @param {any} news */
  hear(news) {
    switch (news.is) {
      case "table": this.takeTable(news); break;
      case "moved": this.takeMove(news); break;
      case "seats": Object.assign(this.view, { seats: news.seats, status: news.status }); break;
      case "said": this.view.chat = [...(this.view.chat ?? []), news]; break;
      case "rematch": this.view.rematch = news.table; break;
      case "refused": attempt(Promise.reject(new Problem(news.problem)), this.view?.game); return;
      case "lost": this.lost(); return;
      default: return;
    }
    settle(this);
    this.show();
    this.guide?.hear(news);
    if (this.view.status === "over") this.teacher.finish();
  }

  /** @param {TableView} view */
  takeTable(view) {
    const again = this.view && this.news.length && this.view.moves === view.moves;
    this.view = view;
    this.turning = this.sending = false;
    byId("banner").hidden = true;
    if (!again) this.tell(view.told ?? [], true);
    this.drawer.changed = true;
  }

  /** @param {any} news */
  takeMove(news) {
    const { told, moves, question, result, status } = news;
    Object.assign(this.view, { moves, question, result, status: status ?? "playing" });
    if (news.taken_back) {
      this.view.number = news.number; // after so many moves it may be another game now
      this.drawer.forget(moves);
    }
    this.tell(told, news.taken_back || told.some((/** @type {Told} */ each) => this.isMine(each.player)));
    this.drawer.changed = true;
  }

  /** Tell what happened; what was told before my last choice goes. @param {Told[]} told @param {boolean} anew */
  tell(told, anew) {
    callByName(this.view.seats);
    this.news = anew ? told : [...this.news, ...told];
    if (anew) fill(this.newsList);
    this.newsList.append(...lines(this, told));
    this.newsList.scrollTop = this.newsList.scrollHeight;
  }

  /** Say that the line is broken; nothing can be chosen until it is back. */
  lost() {
    fill(byId("banner"), t("lost"));
    byId("banner").hidden = false;
    this.turning = this.sending = false;
    if (this.view) this.show();
  }

  /** Show everything as it is now. */
  show() {
    callByName(this.view.seats);
    showSeats(this);
    showDesk(this);
    showTools(this);
    showBoard(this);
    this.drawer.show();
    this.guide?.show();
    this.whole.toggleAttribute("data-drawn", Boolean(this.drawn));
    this.whole.dataset.moment = String(this.view.moves ?? 0);
    const mine = this.asked !== null && this.view.status === "playing";
    document.title = `${mine ? "● " : ""}${this.box.title} · Dracothèque`;
  }

  /** Day or night, as it is now. */
  get theme() {
    return document.documentElement.dataset.theme ?? "";
  }

  /** Make a choice. @param {{ action: number }} choice */
  async choose(choice) {
    if (this.sending || !this.live.connected) return;
    this.sending = true;
    this.show();
    await this.do("move", { seat: this.look, at: this.view.question?.at ?? 0, action: choice.action });
    this.sending = false;
    this.show();
  }

  /** Point to the buttons of choices, and to what they lead to. @param {{ action: number }[]} choices */
  foretell(choices) {
    const meant = new Set(choices.map((choice) => String(choice.action)));
    for (const button of this.desk.querySelectorAll("button.choice")) {
      button.classList.toggle("meant", meant.has(/** @type {HTMLElement} */ (button).dataset.action ?? ""));
    }
  }

  /** Say by which rule nothing can be chosen at a place. @param {string} place */
  async whyNot(place) {
    const why = await attempt(get(`${this.path}/why?seat=${this.look}&place=${encodeURIComponent(place)}`));
    const book = why && (await attempt(rulebook(this.view.game)));
    if (!book) return;
    const rule = book.get(why.rule);
    complain(el("b", {}, rule?.title ?? ""), el("p", {}, firstSentence(rule?.text ?? "")),
      el("button.quiet.rule", { onclick: () => this.drawer.showRule(why.rule) }, t("rule")));
  }

  /** Show a sheet; gives what closes it. @param {string} title @param {Node} content */
  sheet(title, content) {
    return dialog(title, [content]);
  }

  /** Show what lies before every seat, beside its name. */
  showHoldings() {
    [...this.seats.children].forEach((seat, number) => showHoldings(seat, this.holdings[number] ?? []));
  }

  /** Do something at the table, or say why not. @param {string} command @param {object} [wishes] */
  do(command, wishes) {
    return attempt(this.live.do(command, wishes), this.view.game);
  }

  /** The seats of whoever sits at this screen. @returns {number[]} */
  get mine() {
    return this.view.seats.flatMap((seat, number) => (seat.mine ? [number] : []));
  }

  /** @param {number} seat */
  isMine(seat) {
    return seat >= 0 && Boolean(this.view.seats[seat]?.mine);
  }

  /** The first of my seats that has to choose, unless a bot does for it. @returns {number | null} */
  get asked() {
    const asked = this.view.question?.seats ?? [];
    return asked.find((seat) => this.isMine(seat) && !this.view.seats[seat].stand_in) ?? null;
  }

  /** From where the table is seen: a seat, or -1. */
  get look() {
    return this.view.look ?? -1;
  }

  /** How somebody at the table is called: by name, or by the crest. @param {number} seat @returns {string} */
  name(seat) {
    return this.view.seats[seat].name || t(`crest.${this.view.seats[seat].crest}`);
  }
}
