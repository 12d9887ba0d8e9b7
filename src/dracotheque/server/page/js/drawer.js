/** The drawer: what happened, the rulebook, and what is said. On a phone it is a sheet from below. */

import { get } from "./api.js";
import { crestOf, el, fill, picture } from "./dom.js";
import { paragraph } from "./prose.js";
import { rulebook, say, t } from "./words.js";
import { attempt } from "./wrong.js";

/** @typedef {import("./table.js").TablePage} TablePage */
/** @typedef {import("../../../../../web/src/messages").Told} Told */

const TABS = ["log", "rules", "chat"];

/**
 * One line for everything that happened; each opens the rulebook at its rule.
 * @param {TablePage} page @param {Told[]} told @returns {HTMLElement[]}
 */
export function lines(page, told) {
  const who = (/** @type {number} */ player) => (player >= 0 ? crestOf(page.view.seats[player].crest) : picture("die"));
  return told.flatMap(({ player, events }) => events.map((event, number) => el("li", {},
    el("button.line", { title: t("rule.show"), onclick: () => page.drawer.showRule(event.rule) },
      number ? el("span.crest") : who(player), el("span", {}, say(event.phrase))))));
}

export class Drawer {
  /** Whether something happened that the log does not show yet. */
  changed = true;
  /** Everything that happened, move by move. @type {Told[]} */
  story = [];
  tab = "log";
  loading = false;
  read = 0;

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.log = el("ol");
    /** @type {Record<string, any>} */
    this.panels = { log: el("div.log", {}, this.log), rules: el("div.rules"), chat: el("div.chat") };
    this.tabs = Object.fromEntries(TABS.map((name) => [name, el("button", {
      role: "tab",
      id: `tab-${name}`,
      onclick: () => this.open(name),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.walk(name, event.key),
    }, t(`tab.${name}`))]));
    for (const [name, panel] of Object.entries(this.panels)) {
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", `tab-${name}`);
      panel.tabIndex = 0;
    }
    const close = () => this.element.classList.remove("open");
    const cross = el("button.cross", { "aria-label": t("close"), onclick: close }, "×");
    const escape = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && close();
    this.element = el("aside.drawer", { onkeydown: escape },
      el("div.tabs", {}, el("div", { role: "tablist" }, ...Object.values(this.tabs)), cross),
      ...Object.values(this.panels));
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
    const { question, result } = this.page.view;
    return question?.rule ?? result?.ending ?? "";
  }

  show() {
    this.showChat();
    if (this.tab === "log" && this.changed) this.showLog();
    if (this.tab === "rules") this.showRules();
  }

  /** Forget what was taken back. @param {number} moves */
  forget(moves) {
    this.story.length = Math.min(this.story.length, moves);
    fill(this.log, ...lines(this.page, this.story));
  }

  /** Ask what happened since the log was shown last; told again, what was laid away is told without its value. */
  async showLog() {
    if (this.loading) return;
    this.loading = true;
    while (this.changed) {
      this.changed = false;
      const first = this.story.length;
      const found = await get(`${this.page.path}/story?first=${first}`).catch(() => null);
      if (!found || found.first !== this.story.length) continue;
      this.story.push(...found.told);
      this.log.append(...lines(this.page, found.told));
      if (found.told.length && this.story.length < found.moves) this.changed = true;
    }
    this.panels.log.scrollTop = this.panels.log.scrollHeight;
    this.loading = false;
  }

  /** The rest of the story at once, for a replay. */
  async wholeStory() {
    this.changed = true;
    await this.showLog();
    return this.story;
  }

  /** Lay the rulebook open, and mark the rule now in force. */
  async showRules() {
    const { rules } = this.panels;
    const book = await attempt(rulebook(this.page.view.game));
    if (!book) return; // it is laid open when the line is back
    if (!rules.children.length) {
      fill(rules, ...[...book.values()].map((rule) =>
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
    await this.findRule(id);
    this.panels.rules.focus({ preventScroll: true });
  }

  showChat() {
    const chat = this.page.view.chat ?? [];
    const isOpen = this.tab === "chat" && this.panels.chat.offsetParent !== null;
    if (isOpen) this.read = chat.at(-1)?.number ?? 0;
    this.tabs.chat.classList.toggle("unread", (chat.at(-1)?.number ?? 0) > this.read);
    this.talk.hidden = !this.page.mine.length;
    if (this.lines.children.length && this.lines.dataset.last === JSON.stringify(chat.at(-1))) return;
    this.lines.dataset.last = JSON.stringify(chat.at(-1)) ?? "";
    fill(this.lines, ...(chat.length ? chat.map((line) => el("li", {}, crestOf(this.page.view.seats[line.seat].crest),
      el("span", {}, el("b", {}, this.page.name(line.seat)), " ", line.text))) : [el("li.soft", {}, t("chat.none"))]));
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /** @param {Event} event */
  async speak(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    const seat = this.page.look >= 0 ? this.page.look : this.page.mine[0];
    if (text && (await attempt(this.page.live.do("say", { seat, text })))) this.field.value = "";
  }
}
