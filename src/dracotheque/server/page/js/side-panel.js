/** The side panel: what happened, the rulebook, and the chat. On a phone it is a sheet from below. */

import { get } from "./api.js";
import { crestOf, el, fill } from "./dom.js";
import { asKept, LogView } from "./log.js";
import { openingOf, paragraph } from "./markdown.js";
import { rulebook, rulebookText, say, t } from "./i18n.js";
import { attempt } from "./errors.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").MoveRecord} MoveRecord */

const TABS = ["log", "rules", "chat"];
const ROOMY = matchMedia("(min-width: 1700px)"); // there the panel is open from the beginning

export class SidePanel {
  /**
   * What every move made happen, as the log keeps it; of those that were made while this page was not there once the
   * log is seen.
   * @type {(MoveRecord | undefined)[]}
   */
  moves = [];
  /** Of how many moves the log has lines. */
  written = 0;
  tab = "log";
  /** The past, while it is on its way. @type {Promise<void> | undefined} */
  loading = undefined;
  /** The revision of the line of the chat that was read last. */
  read = 0;

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.log = new LogView(page);
    /** @type {Record<string, any>} */
    this.panels = { log: el("div.log", {}, this.log.element), rules: el("div.rules"), chat: el("div.chat") };
    this.tabs = Object.fromEntries(TABS.map((name) => [name, el("button", {
      role: "tab",
      id: `tab-${name}`,
      onclick: () => this.open(name),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.walk(name, event.key),
    }, t(`tab.${name}`))]));
    for (const [name, panel] of Object.entries(this.panels)) {
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", `tab-${name}`);
      panel.tabIndex = name === "log" ? -1 : 0; // its lines are a Tab stop
    }
    const close = () => this.element.classList.remove("open");
    const cross = el("button.cross", { "aria-label": t("close"), onclick: close }, "×");
    const escape = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && close();
    this.element = el("aside.side-panel", { onkeydown: escape },
      el("div.tabs", {}, el("div", { role: "tablist" }, ...Object.values(this.tabs)), cross),
      ...Object.values(this.panels));
    if (ROOMY.matches) this.element.classList.add("open");
    this.lines = el("ol.said", { "aria-live": "polite" });
    this.field = el("input", { maxlength: 280, "aria-label": t("chat.say"), placeholder: t("chat.say") });
    this.talk = el("form.row", { onsubmit: (/** @type {Event} */ event) => this.speak(event) },
      this.field, el("button.main", {}, t("chat.send")));
    fill(this.panels.chat, this.lines, this.talk);
    this.choose("log");
  }

  /** Show one of the three. @param {string} name */
  choose(name) {
    this.tab = name;
    for (const each of TABS) {
      this.panels[each].hidden = each !== name;
      this.tabs[each].setAttribute("aria-selected", String(each === name));
      this.tabs[each].tabIndex = each === name ? 0 : -1;
    }
  }

  /** Open one of the three; the rulebook where it matters now. @param {string} name */
  open(name) {
    this.choose(name);
    this.element.classList.add("open");
    this.show();
    if (name === "rules") this.findRule(this.inForce);
  }

  /** Open what was shown last, or close it. */
  toggle() {
    if (this.element.classList.contains("open")) this.element.classList.remove("open");
    else this.open(this.tab);
  }

  /** Arrows go from tab to tab. @param {string} name @param {string} key */
  walk(name, key) {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!way) return;
    const next = TABS[(TABS.indexOf(name) + way + TABS.length) % TABS.length];
    this.open(next);
    this.tabs[next].focus();
  }

  /** The rule of what is asked now, or of what ended the game. */
  get inForce() {
    const { prompt, result } = this.page.shown;
    return prompt?.rule ?? result?.ending ?? "";
  }

  show() {
    this.showChat();
    if (this.tab === "log") this.showLog();
    if (this.tab === "rules") this.showRules();
  }

  /** Note a move that has been seen. @param {number} moveNumber @param {MoveRecord} record */
  add(moveNumber, record) {
    this.moves[moveNumber - 1] = record;
  }

  /**
   * Go on from a number of moves; what was taken back is forgotten.
   * @param {number} moveNumber @param {boolean} takenBack
   */
  reach(moveNumber, takenBack) {
    if (takenBack) this.moves.fill(undefined, moveNumber);
    this.moves.length = moveNumber;
    if (this.written <= moveNumber) return;
    this.written = 0;
    this.log.clear();
  }

  /** Write what the log does not show yet; what happened before this page was open is fetched once it is seen. */
  showLog() {
    const missing = Array.from(this.moves).indexOf(undefined);
    const until = missing < 0 ? this.moves.length : missing;
    if (until > this.written) {
      const kept = /** @type {MoveRecord[]} */ (this.moves.slice(this.written, until));
      this.log.add(kept.map(asKept));
      this.written = until;
      this.panels.log.scrollTop = this.panels.log.scrollHeight;
    }
    const seen = this.panels.log.offsetParent !== null;
    if (missing >= 0 && seen) this.loading ??= this.fetchPast(missing);
  }

  /** Fetch moves that were made while this page was not there. @param {number} first */
  async fetchPast(first) {
    /** @type {import("../protocol").MoveList | null} */
    const found = await get(`${this.page.path}/moves?first=${first}&seat=${this.page.viewpoint}`).catch(() => null);
    this.loading = undefined;
    if (!found?.moves.length) return; // they are asked for again when something else is shown
    found.moves.forEach((record, number) => {
      if (first + number < this.moves.length) this.moves[first + number] ??= record;
    });
    this.showLog(); // and fetch what is still missing
  }

  /** Lay the rulebook open, and mark the rule now in force. */
  async showRules() {
    const { rules } = this.panels;
    const { game } = this.page.shown.table;
    const book = await attempt(Promise.all([rulebookText(game), rulebook(game)]));
    if (!book) return; // it is laid open when the line is back
    if (!rules.children.length) {
      const [markdown, paragraphs] = book;
      fill(rules,
        ...openingOf(markdown).map(({ title, text }) => el("section", {}, el("h3", {}, title), ...paragraph(text))),
        ...[...paragraphs.values()].map((rule) =>
          el("section", { id: `rule-${rule.id}` }, el("h3", {}, rule.title), ...paragraph(rule.text))));
    }
    for (const section of rules.children) section.classList.toggle("in-force", section.id === `rule-${this.inForce}`);
  }

  /** Turn to a rule and mark it. @param {string} id */
  async findRule(id) {
    const { rules } = this.panels;
    await this.showRules();
    for (const section of rules.children) section.classList.toggle("found", section.id === `rule-${id}`);
    const found = document.getElementById(`rule-${id}`);
    if (found) rules.scrollTop = found.offsetTop - 8;
  }

  /** Open the rulebook at a rule. @param {string} id */
  async showRule(id) {
    this.choose("rules");
    this.element.classList.add("open");
    this.element.scrollIntoView({ block: "nearest" });
    await this.findRule(id);
    this.panels.rules.focus({ preventScroll: true });
  }

  showChat() {
    const { chat, seats } = this.page.shown;
    const isOpen = this.tab === "chat" && this.panels.chat.offsetParent !== null;
    if (isOpen) this.read = chat.at(-1)?.revision ?? 0;
    const unread = (chat.at(-1)?.revision ?? 0) > this.read;
    for (const sign of [this.tabs.chat, this.page.tools]) sign.classList.toggle("unread", unread);
    this.talk.hidden = !this.page.mine.length;
    if (this.lines.children.length && this.lines.dataset.last === JSON.stringify(chat.at(-1))) return;
    this.lines.dataset.last = JSON.stringify(chat.at(-1)) ?? "";
    fill(this.lines, ...(chat.length ? chat.map((line) => el("li", {}, crestOf(seats[line.seat].crest),
      el("span", {}, el("b", {}, this.page.name(line.seat)), " ", line.text))) : [el("li.soft", {}, t("chat.none"))]));
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /** @param {Event} event */
  async speak(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    const seat = this.page.viewpoint >= 0 ? this.page.viewpoint : this.page.mine[0];
    if (text && (await this.page.do("send-chat", { seat, text }))) this.field.value = "";
  }
}
