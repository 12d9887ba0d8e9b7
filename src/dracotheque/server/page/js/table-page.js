/** A table: what the server says goes into the queue, and every part of the page shows the moment that has been seen. */

import { get, Problem } from "./api.js";
import { byId, complain, dialog, el, fill, picture } from "./dom.js";
import { addStyle, soundsFor } from "./game-files.js";
import { Tutorial } from "./tutorial.js";
import { captionLine, showCaption } from "./caption.js";
import { LastRound, still } from "./last-round.js";
import { MoveQueue, note } from "./move-queue.js";
import { beatTime, pace, Wait } from "./pace.js";
import { ExactValues } from "./exact-values.js";
import { settle, showPrompt, togglePart, watchDigits } from "./prompt-panel.js";
import { firstSentence } from "./markdown.js";
import { momentInAddress } from "./replay.js";
import { showHoldings, showPlayers } from "./player-list.js";
import { SidePanel } from "./side-panel.js";
import { TableSocket } from "./socket.js";
import { play, setSounds, soundsOf } from "./sound.js";
import { SvgBoard } from "./svg-board.js";
import { Hints } from "./hints.js";
import { showTableMenu, tableTools } from "./table-menu.js";
import { callByName, learn, rulebook, t } from "./i18n.js";
import { attempt, unlessLost } from "./errors.js";

/** @typedef {import("../protocol").BoardState} BoardState */
/** @typedef {import("../protocol").Choice} Choice */
/** @typedef {import("../protocol").GameInfo} GameInfo */
/** @typedef {import("../protocol").Holding} Holding */
/** @typedef {import("../protocol").MoveRecord} MoveRecord */
/** @typedef {import("../protocol").Prompt} Prompt */
/** @typedef {import("./move-queue.js").Moment} Moment */
/** @typedef {import("./move-queue.js").ReplayStep} ReplayStep */
/** @typedef {import("./move-queue.js").Snapshot} Snapshot */
/** @typedef {import("./move-queue.js").Step} Step */
/** @typedef {import("./move-queue.js").Viewer} Viewer */

const SMALL = matchMedia("(max-width: 700px), (max-height: 500px)"); // there the tools stand beside the players
const DEAD_TIME = 350; // milliseconds after a choice in which no other is made

/** @implements {Viewer} */
export class TablePage {
  /** The moment that is shown: what comes after it is in the queue alone. */
  shown = /** @type {Snapshot} */ (/** @type {unknown} */ (undefined));
  socket = /** @type {TableSocket} */ (/** @type {unknown} */ (undefined));
  sidePanel = /** @type {SidePanel} */ (/** @type {unknown} */ (undefined));
  queue = new MoveQueue(this);
  /** Whether the view from another seat is on its way: until then nothing of this one is shown. */
  turning = false;
  /** Whether a choice of mine is on its way. */
  sending = false;
  /** Until when nothing can be chosen, so that a double click makes one choice. */
  restsUntil = 0;
  /** Which seat of mine was to choose when something was asked last. @type {number | null} */
  lastAsked = null;
  /** Which moment of a finished game is shown. @type {import("./replay.js").Replay | null} */
  replay = null;
  /** The moment that the address names. @type {{ move: number, seat: number } | null} */
  linked = null;
  /**
   * The sheet that covers the screen until it is in the right hands.
   * @type {{ seat: number, close: () => void } | null}
   */
  cover = null;
  /**
   * To whom the screen was passed on for a secret prompt; the prompt is known once it is seen from that seat.
   * @type {{ seat: number, prompt: number | null } | null}
   */
  holder = null;
  /** The drawn board, where the game has one. @type {SvgBoard | null} */
  svgBoard = null;
  /** Says which choices there are, and why not others. */
  hints = /** @type {Hints} */ (/** @type {unknown} */ (undefined));
  /** How often each choice wins, where that is known. */
  exactValues = new ExactValues(this);
  /** The tutorial, in a first game. @type {Tutorial | null} */
  tutorial = null;
  /** What lies before every seat. @type {Holding[][]} */
  holdings = [];
  /** What others did since the own last choice. */
  lastRound = new LastRound();
  /** The time a move takes at least. */
  beat = new Wait();
  /** Whose move is being shown, or was shown last; -1 before any. */
  acting = -1;
  game = /** @type {GameInfo} */ (/** @type {unknown} */ (undefined));

  /** @param {string} id @param {{ name: string, crest: string }} me */
  constructor(id, me) {
    this.id = id;
    this.me = me;
    this.invitation = new URLSearchParams(location.hash.slice(1)).get("sit") ?? "";
    this.path = `/api/tables/${id}`;
  }

  /** Show the table, and everything that happens at it from now on. */
  async open() {
    /** @type {Snapshot | undefined} */
    const found = await unlessLost(get(this.path));
    const home = el("p.lonely", {}, picture("gem"), el("a.button.main", { href: "/" }, t("home")));
    if (!found) return fill(byId("main"), home);
    const { game, status } = found.table;
    if (status === "over") this.linked = momentInAddress();
    await learn(game);
    this.game = (await get("/api/games")).games.find((/** @type {GameInfo} */ each) => each.name === game);
    if (!this.game) return fill(byId("main"), home);
    document.title = `${this.game.title} · Dracothèque`;
    const [sounds] = await Promise.all([soundsFor(this.game), addStyle(this.game)]);
    setSounds(sounds);
    this.hints = new Hints(this);
    this.layOut();
    this.tutorial = await Tutorial.of(this);
    this.svgBoard = await SvgBoard.of(this);
    this.socket = new TableSocket(this.id, (message) => this.receive(message));
    watchDigits(this);
    watchKeys(this);
    this.board.addEventListener("click", () => this.queue.isBusy && this.skip());
    addEventListener("pace", () => this.shown && this.show());
    document.addEventListener("visibilitychange", () => document.hidden && this.skip());
    addEventListener("theme", () => this.shown && this.redraw());
  }

  /** Make the parts of the page. */
  layOut() {
    this.playerList = el("ul.player-list", { "aria-label": t("seats") });
    this.promptPanel = el("section.prompt-panel", { "aria-label": t("prompt") });
    this.telling = captionLine(this);
    this.caption = /** @type {HTMLElement} */ (this.telling.firstElementChild);
    this.board = el("div.board", { role: "img", "aria-label": t("board", { title: this.game.title }), tabindex: 0 });
    this.menu = el("div.table-menu", { id: "table-menu", popover: "auto" });
    this.sidePanel = new SidePanel(this);
    const cover = el(`div.table-cover.cover.${this.game.name}`, {}, picture(this.game.name), el("h2", {}, this.game.title));
    this.frame = el("div.board-frame", { hidden: true }, this.board);
    this.tools = tableTools(this);
    this.whole = el("div.at-table", {}, el("h1.unseen", {}, this.game.title),
      el("section.middle", {}, this.frame, cover), el("div.bar", {}, el("div.slot", {}, this.promptPanel, this.telling)),
      el("div.side", {}, this.playerList, this.sidePanel.element), this.menu);
    fill(byId("main"), this.whole);
    document.documentElement.classList.add("has-table");
    const place = () => (SMALL.matches ? this.whole : byId("head").querySelector("nav"))?.prepend(this.tools);
    SMALL.addEventListener("change", place);
    place();
  }

  // --- What the server says -----------------------------------------------------------------------------------------
  /** Take in what the server says. @param {any} message */
  receive(message) {
    if (message.type === "lost") return this.lost();
    if (message.type === "rejected") {
      return void attempt(Promise.reject(new Problem(message.problem)), this.shown?.table.game);
    }
    if (message.type === "ack") return undefined; // of a sync: the snapshot has come already
    this.queue.receive(message);
    this.whole.dataset.known = String(this.queue.moveNumber);
    if (this.shown) this.show(); // what was asked is not to be chosen any more
    return void this.queue.run();
  }

  /** Say that the line is broken; nothing can be chosen until it is back. */
  lost() {
    fill(byId("banner"), t("lost"));
    byId("banner").hidden = false;
    this.sending = false; // but `turning` stays: what is being turned away may be a secret, and a snapshot ends it
    this.queue.lost();
    if (this.shown) this.show();
  }

  /** Ask for what is missing. */
  sync() {
    this.socket.sync();
  }

  // --- Showing one moment after the other ---------------------------------------------------------------------------
  /** Whether moves are not to be seen one by one. */
  get isCalm() {
    return pace() === 0 || document.hidden || !this.svgBoard;
  }

  /** Whether there is a board to be moved. */
  get isDrawn() {
    return this.board.dataset.shown !== undefined;
  }

  /** Whether a finished game is seen again. */
  get isReplaying() {
    return this.replay !== null;
  }

  /** @param {Prompt | null} prompt */
  turnsAway(prompt) {
    if (!this.shown || this.mine.length < 2 || this.svgBoard?.open) return false;
    return this.turning || (this.viewpoint !== -1 && this.askedBy(prompt) !== this.viewpoint);
  }

  /** Whether a move reveals what was secret: its caption comes when that has been seen. @param {MoveRecord} record */
  isReveal(record) {
    return Boolean(this.svgBoard?.module.isReveal?.(record));
  }

  /** Tell a move that is being shown; the moves of a fall together. @param {MoveRecord} record @param {number} move */
  begin(record, move) {
    if (!this.replay) this.whole.toggleAttribute("data-telling", true);
    if ((record.player ?? -1) >= 0) this.acting = record.player ?? -1;
    showCaption(this, record, this.svgBoard?.isOfFall(move - 1));
    showPlayers(this);
    if (!this.replay) play(...soundsOf([record]));
  }

  /**
   * Give a move of another the time to be seen; a fall has been seen when its captions come.
   * @param {MoveRecord} record @param {number} move @param {number} waiting
   */
  hold(record, move, waiting) {
    const seen = this.replay || this.isMine(record.player) || this.svgBoard?.isOfFall(move + 1);
    return seen ? undefined : this.beat.start(beatTime(waiting));
  }

  /** @param {Moment} moment */
  async draw(moment) {
    this.frame.hidden = false;
    const drawn = await this.svgBoard?.show(moment).catch((/** @type {unknown} */ why) => {
      if (!(why instanceof Problem)) throw why;
      return false; // the line broke: the board is drawn with the next moment
    });
    if (drawn === false || this.isDrawn || this.replay || !this.shown.board) return;
    this.lay(this.shown.board, this.shown.move_number); // drawn for the first time: that was not waited for
  }

  /**
   * Say which moment is shown, and show what lies before every seat then.
   * @param {BoardState} board @param {number} moveNumber
   */
  lay(board, moveNumber) {
    this.holdings = board.holdings;
    this.board.style.minHeight = "";
    const now = String(moveNumber);
    for (const part of [this.board, this.promptPanel]) if (part.dataset.shown !== now) part.dataset.shown = now;
    if (this.turning) return;
    this.playerList.classList.remove("turned");
    this.showHoldings();
  }

  /** @param {Step[]} steps what has been seen @param {boolean} still whether nothing was heard of it */
  commit(steps, still) {
    const before = { asked: this.lastAsked, status: this.shown?.table.status };
    for (const step of steps) this.take(step);
    const updates = steps.flatMap((step) => (step.type === "update" ? [step.message] : []));
    const records = steps.flatMap((step) => (step.type === "move" ? [step.record] : []));
    if (still) {
      play(...soundsOf(records));
      for (const record of records) showCaption(this, record);
    }
    if (steps.every(({ type }) => type === "replay")) return;
    if (steps.some(({ type }) => type !== "move")) {
      this.lastAsked = this.asked;
      if (updates.length) this.ring(before);
      settle(this);
    }
    this.show();
    const snapshot = steps.some(({ type }) => type === "snapshot");
    if (snapshot || updates.length) this.tutorial?.hear(updates.flatMap(({ moves }) => moves), snapshot);
    if (this.shown.table.status === "over") this.hints.finish();
  }

  /** Play the sound of the end, or of an own turn. @param {{ asked: number | null, status?: string }} before */
  ring(before) {
    const ends = this.shown.table.status === "over" && before.status !== "over";
    const mine = !ends && this.asked !== null && before.asked === null;
    play(...(ends ? ["win"] : mine ? ["turn"] : []));
  }

  /** Make a step the shown state. @param {Step} step */
  take(step) {
    const { shown } = this;
    switch (step.type) {
      case "snapshot": this.takeSnapshot(step.snapshot); break;
      case "move":
        Object.assign(shown, { move_number: step.moveNumber, board: step.board, prompt: null }); // it is answered
        this.tell(step, this.isMine(step.record.player));
        this.sidePanel.add(step.moveNumber, step.record);
        if (step.board && this.isDrawn && !this.replay) this.lay(step.board, step.moveNumber);
        break;
      case "update": {
        const { revision, prompt = null, result = null, status = "playing" } = step.message;
        Object.assign(shown, { revision, prompt, result, table: { ...shown.table, status } });
        break;
      }
      case "seats": {
        const { seats, status } = step.message;
        Object.assign(shown, { seats, table: { ...shown.table, status } });
        break;
      }
      case "replay": this.takeMoment(step); break;
      default:
    }
  }

  /** @param {Snapshot} snapshot */
  takeSnapshot(snapshot) {
    const { shown } = this;
    const again = shown?.recent.length && shown.move_number === snapshot.move_number;
    this.shown = again ? { ...snapshot, recent: shown.recent } : snapshot;
    this.turning = this.sending = false;
    byId("banner").hidden = true;
    this.frame.hidden = !snapshot.board || snapshot.table.status === "closed";
    if (!again) this.lastRound.restart(snapshot.board);
    if (snapshot.board && this.isDrawn && !this.replay) this.lay(snapshot.board, snapshot.move_number);
    this.sidePanel.reach(snapshot.move_number, Boolean(snapshot.taken_back));
  }

  /** @param {ReplayStep} step */
  takeMoment({ board, moveNumber, news }) {
    if (this.replay && news.length) showCaption(this, news[0]);
    this.lay(board, moveNumber);
  }

  /** Finish all animations. */
  finish() {
    this.svgBoard?.finish();
    this.beat.end();
  }

  /** Go on to the newest moment at once; a second tap on the same spot is no choice. */
  skip() {
    if (this.queue.isBusy) this.rest();
    this.queue.skip();
  }

  /** Take no choice for a moment. */
  rest() {
    this.restsUntil = performance.now() + DEAD_TIME;
    setTimeout(() => this.show(), DEAD_TIME + 1);
  }

  /** Show again what others did since the own last choice, or one player's part of it. @param {number | null} [seat] */
  async seeAgain(seat = null) {
    const { board, move_number: moveNumber } = this.shown;
    const steps = this.lastRound.steps(seat);
    if (this.queue.isBusy || this.replay || !board || !steps.length) return;
    const shown = this.queue.again([...steps, still(board, moveNumber)]);
    this.show();
    await shown;
    this.show();
  }

  /** @param {Parameters<typeof note>[1]} message */
  note(message) {
    if (this.shown) note(this.shown, message);
  }

  /** Take in a move that was shown. @param {import("./move-queue.js").MoveStep} step @param {boolean} own */
  tell(step, own) {
    callByName(this.shown.seats);
    this.shown.recent = own ? [step.record] : [...this.shown.recent, step.record];
    this.lastRound.add(step, own);
  }

  /** Show everything as it is now. */
  show() {
    const { shown } = this;
    callByName(shown.seats);
    showPlayers(this);
    showPrompt(this);
    showTableMenu(this);
    this.sidePanel.show();
    this.tutorial?.show();
    this.whole.dataset.moment = String(shown.move_number);
    this.whole.dataset.stage = this.replay ? "replay" : shown.table.status;
    this.whole.dataset.shape = this.svgBoard?.shape ?? "tall";
    this.whole.toggleAttribute("data-telling", this.queue.isTelling);
    this.whole.toggleAttribute("data-drawn", Boolean(this.svgBoard));
    this.whole.toggleAttribute("data-controls", Boolean(this.svgBoard?.module.controls));
    const mine = this.asked !== null && shown.table.status === "playing";
    document.title = `${mine ? "● " : ""}${this.game.title} · Dracothèque`;
  }

  /** Draw the same moment again, by day or by night. */
  redraw() {
    const { board, move_number: moveNumber } = this.shown;
    if (this.replay) this.replay.redraw();
    else if (board && !this.queue.drawing) void this.draw({ board, moveNumber, still: true });
    this.show();
  }

  /** Show the end of the game after a replay of it. */
  backToEnd() {
    const { board, move_number: moveNumber, recent } = this.shown;
    if (board) void this.queue.replay({ type: "replay", board, moveNumber, news: recent, still: true });
  }

  /** See the table from one of the own seats, or as a spectator. @param {number | null} seat */
  turnTo(seat) {
    this.turning = true;
    this.playerList.classList.add("turned");
    if (!this.svgBoard?.open) this.hideBoard();
    this.do("set-viewpoint", { seat });
  }

  /** Take the pieces away, their room left so that nothing jumps: the next viewer must not see them. */
  hideBoard() {
    const { board, queue, svgBoard } = this;
    const steps = queue.drop();
    if (board.firstChild) board.style.minHeight = `${board.offsetHeight}px`;
    svgBoard?.finish();
    svgBoard?.clear();
    board.replaceChildren();
    delete board.dataset.shown;
    if (steps.length) this.commit(steps, true);
  }

  // --- Commands -----------------------------------------------------------------------------------------------------
  /** Whether something was chosen or skipped just now. */
  get isResting() {
    return performance.now() < this.restsUntil;
  }

  /** Make a choice. @param {Choice} choice */
  async choose(choice) {
    if (this.sending || this.isResting || this.queue.isBusy || !this.socket.connected) return;
    this.sending = true;
    this.hints.chosen();
    this.rest();
    this.svgBoard?.plan(choice);
    this.show();
    const { prompt } = this.shown;
    await this.do("move", { seat: this.viewpoint, prompt_id: prompt?.prompt_id ?? 0, action: choice.action });
    this.sending = false;
    this.show();
  }

  /** Point to the buttons of choices, and to what they lead to. @param {Choice[]} choices */
  foretell(choices) {
    const meant = new Set(choices.map((choice) => String(choice.action)));
    for (const button of this.promptPanel.querySelectorAll("button.choice")) {
      button.classList.toggle("meant", meant.has(/** @type {HTMLElement} */ (button).dataset.action ?? ""));
    }
  }

  /** Say by which rule nothing can be chosen at a place. @param {string} place */
  async whyNot(place) {
    const asked = `${this.path}/refusal?seat=${this.viewpoint}&place=${encodeURIComponent(place)}`;
    const refusal = await attempt(get(asked));
    const book = refusal && (await attempt(rulebook(this.shown.table.game)));
    if (!book) return;
    const rule = book.get(refusal.rule);
    complain(el("b", {}, rule?.title ?? ""), el("p", {}, firstSentence(rule?.text ?? "")),
      el("button.quiet.rule", { onclick: () => this.sidePanel.showRule(refusal.rule) }, t("rule")));
  }

  /** Show a sheet; gives what closes it. @param {string} title @param {Node} content */
  sheet(title, content) {
    return dialog(title, [content]);
  }

  /** Show the score of every seat and what lies before it, beside its name. */
  showHoldings() {
    showHoldings(this, this.game.web.includes("board"));
  }

  /** Do something at the table, or say why not. @param {string} command @param {object} [fields] */
  async do(command, fields) {
    const ack = await attempt(this.socket.send(command, fields), this.shown.table.game);
    if (ack) this.queue.expect(ack.revision);
    return ack;
  }

  /** The seats that are played at this screen. @returns {number[]} */
  get mine() {
    return this.shown.seats.flatMap((seat, number) => (seat.mine ? [number] : []));
  }

  /** Whether a seat is played at this screen; chance is not. @param {number} [seat] */
  isMine(seat = -1) {
    return seat >= 0 && Boolean(this.shown.seats[seat]?.mine);
  }

  /** The first own seat that has to choose, unless a bot plays for it. @returns {number | null} */
  get asked() {
    return this.askedBy(this.shown.prompt);
  }

  /** @param {Prompt | null} prompt @returns {number | null} */
  askedBy(prompt) {
    const asked = prompt?.seats ?? [];
    return asked.find((seat) => this.isMine(seat) && !this.shown.seats[seat].substitute) ?? null;
  }

  /** The key of the prompt whose choices may be made now; empty where there is none. */
  get offered() {
    const { prompt, revision, viewpoint } = this.shown;
    const mine = this.asked === viewpoint && viewpoint >= 0 && !this.replay && !this.turning && !this.queue.isBusy
      && !this.isResting;
    return mine && prompt ? [viewpoint, revision, prompt.prompt_id].join("/") : "";
  }

  /** From where the table is seen: a seat, or -1. */
  get viewpoint() {
    return this.shown.viewpoint;
  }

  /** The seats whose turn it is in what is shown: while a move is being seen, the seat that makes it. */
  get turn() {
    if (this.shown.table.status !== "playing") return [];
    return this.queue.isTelling && this.acting >= 0 ? [this.acting] : this.shown.prompt?.seats ?? [];
  }

  /** The name of a seat: that of its player, or of its crest. @param {number} seat @returns {string} */
  name(seat) {
    return this.shown.seats[seat].name || t(`crest.${this.shown.seats[seat].crest}`);
  }
}

/** L lists all choices, U undoes, R shows the last round again, Space skips, ? explains. @param {TablePage} page */
function watchKeys(page) {
  /** @type {Record<string, () => void>} */
  const keys = {
    l: () => togglePart(page, "list"),
    "?": () => togglePart(page, "aid"),
    u: () => page.promptPanel.querySelector(".tool-take-back")?.click(),
    r: () => void page.seeAgain(),
    " ": () => page.skip(),
  };
  addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    const elsewhere = event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented
      || target.closest("input, select, textarea, dialog");
    const key = event.key.toLowerCase();
    if (elsewhere || !keys[key] || page.replay || !page.shown) return;
    if (key === " " && (!page.queue.isBusy || target.closest("button, a, summary"))) return;
    event.preventDefault();
    keys[key]();
  });
}
