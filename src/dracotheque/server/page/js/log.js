/** The log: a block for each turn, in it a line for each actor, joined from what every move adds to it. */

import { crestOf, el, fill, picture } from "./dom.js";
import { gameText, language, say, t } from "./i18n.js";
import { made } from "./svg.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").MoveRecord} MoveRecord */
/** @typedef {import("../protocol").GameEvent} GameEvent */
/** @typedef {import("../protocol").LogLine} LogLine */
/** @typedef {import("../protocol").Phrase} Phrase */
/** @typedef {number | Phrase} Actor a seat, -1, or a thing by its name */
/** What one actor did in a turn. @typedef {{ actor: Actor, label: Phrase | null, text: string, icon: string,
 *   events: GameEvent[], records: MoveRecord[] }} Line */
/** The block of a turn, or of the set-up. @typedef {{ seat: number, number: number, lines: Line[] }} Turn */

const LONGEST = language === "en" ? 80 : 100; // characters, after which a line is not continued
const ARROW = "\u00a0→\u00a0";
const ENDS = /[.!?…]$/;
/** How a part is joined to those before, by the sign that it begins with. @type {Record<string, string>} */
const JOINED = { ",": "log.and", ";": "log.then", ".": "log.stop" };
const CAPTION_WORDS = 12;
/** The icons of lines, in a square of 24. @type {Record<string, string>} */
const ICONS = {
  captured: "M12 3c1 4 5 6 5 11a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 3 2 3 1-3-1-6 1-10z",
  bonus: "M12 3l2.600 6 6.400.500-4.900 4.200 1.500 6.300L12 16.700 6.400 20l1.500-6.300L3 9.500 9.400 9z",
  seal: "M12 3a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM8.500 14.500 7 21l5-2.500L17 21l-1.500-6.500",
  win: "M4 18h16M4 15 3 6l5 4 4-6 4 6 5-4-1 9z",
};

// --- Joining: as presentation/turn_log.py does ------------------------------------------------------------------------
/** The turns of a game, made move by move. */
export class TurnLog {
  /** @type {Turn[]} */
  turns;
  /** Whether the game says when a turn begins; else another player begins one. */
  announced = false;

  /** @param {(seat: number) => Phrase} nameOf @param {boolean} [whole] whether it has the game from its first move */
  constructor(nameOf, whole = true) {
    this.nameOf = nameOf;
    this.whole = whole;
    this.turns = [{ seat: -1, number: 0, lines: [newLine(-1, whole ? ["log.setup"] : null)] }];
  }

  /** The turn that was begun last. */
  get last() {
    return /** @type {Turn} */ (this.turns.at(-1));
  }

  /** Add a move; gives the lines that it began or continued. @param {MoveRecord} record @returns {Line[]} */
  add(record) {
    const { player = -1, events, lines = [] } = record;
    /** @type {Line[]} */
    const targets = [];
    this.announced ||= lines.some(begins);
    if (!this.announced && this.whole && player >= 0 && player !== this.last.seat) this.begin(player, null);
    if (events.length && lines.every(begins)) targets.push(/** @type {Line} */ (this.last.lines.at(-1)));
    for (const line of lines) {
      if (!begins(line)) targets.push(...this.continue(line, record));
      else this.announce(/** @type {number} */ (line[0]), targets);
    }
    this.divide(events, targets);
    for (const line of targets) if (!line.records.includes(record)) line.records.push(record);
    return targets;
  }

  /** Begin a turn as the game says. @param {number} seat @param {Line[]} used lines of the move that says so */
  announce(seat, used) {
    const name = this.nameOf(seat);
    this.begin(seat, this.whole ? ["log.turn", { seat: name, number: this.last.number + 1 }] : name, used);
  }

  /**
   * Begin a turn with a line that its player's first line continues.
   * @param {number} seat @param {Phrase | null} label @param {Line[]} [used]
   */
  begin(seat, label, used = []) {
    const [first] = this.turns[0].lines;
    const nothing = !first.text && !first.events.length && !used.includes(first);
    if (this.turns.length === 1 && nothing) this.turns.pop(); // nothing was set up
    const number = (this.turns.at(-1)?.number ?? 0) + 1;
    this.turns.push({ seat, number, lines: [newLine(label ? seat : -1, label)] });
  }

  /**
   * Join a line to the last one of the turn if it has the same actor, else add it; gives what it is now.
   * @param {LogLine} line @param {MoveRecord} record @returns {Line[]}
   */
  continue([actor, parts, icon = ""], { events }) {
    let last = /** @type {Line} */ (this.last.lines.at(-1));
    if (!sameActor(last.actor, actor) || (icon && last.text)) last = this.newLine(actor);
    last.icon = icon || last.icon;
    const used = [last];
    for (const part of parts) {
      const text = partText(part, events);
      const joined = join(last.text, text);
      const label = typeof actor === "number" && actor >= 0 ? this.nameOf(actor) : last.label; // without a number
      if (last.text && said({ label, text: joined }).length > LONGEST) used.push((last = this.newLine(actor)));
      last.text = join(last.text, text);
    }
    return used;
  }

  /** Add a line to the turn. @param {Actor} actor */
  newLine(actor) {
    const line = newLine(actor, typeof actor !== "number" ? actor : actor < 0 ? null : this.nameOf(actor));
    this.last.lines.push(line);
    return line;
  }

  /** Add the events of a move to its lines: to that of the seat they name, else to that of the one before. @param {GameEvent[]} events @param {Line[]} lines */
  divide(events, lines) {
    let [line] = lines;
    for (const event of events) {
      const name = /** @type {any} */ (event[1][1]?.seat)?.[0];
      const named = lines.find(({ actor }) => typeof actor === "number" && actor >= 0 && this.nameOf(actor)[0] === name);
      line = named ?? line;
      line.events.push(event);
    }
  }
}

/** Whether a line says that the turn of a seat begins. @param {LogLine} line */
const begins = ([actor, parts]) => typeof actor === "number" && !parts.length;

/** @param {Actor} actor @param {Phrase | null} label @returns {Line} */
const newLine = (actor, label) => ({ actor, label, text: "", icon: "", events: [], records: [] });

/**
 * Whether two actors are one: a thing may be named at more length the first time (`log.rock.door`, `log.rock.name`).
 * @param {Actor} one @param {Actor} other
 */
function sameActor(one, other) {
  if (typeof one === "number" || typeof other === "number") return one === other;
  const root = (/** @type {Phrase} */ [key]) => key.split(".").slice(0, 2).join(".");
  return root(one) === root(other);
}

/**
 * A part in words: an event's sentence where the catalogue has no shorter form of it.
 * @param {number | Phrase} part @param {GameEvent[]} events @returns {string}
 */
function partText(part, events) {
  if (typeof part !== "number") return say(part);
  const [key, gaps] = events[part][1];
  return gameText(key.replace(/^event\./, "log."), gaps) ?? say(events[part][1]);
}

/**
 * Join a part to a text as the sign says that it begins with; a way that begins where the text ends goes on.
 * @param {string} text @param {string} part
 */
export function join(text, part) {
  const sign = part[0] in JOINED ? part[0] : "";
  const bare = part.slice(sign.length).trimStart();
  if (!text) return bare;
  const start = bare.includes(ARROW) ? bare.slice(0, bare.indexOf(ARROW)) : null;
  if (start !== null && (text === start || text.endsWith(` ${start}`) || text.endsWith(`\u00a0${start}`))) {
    return text + bare.slice(start.length);
  }
  if (!sign || ENDS.test(text)) return `${text} ${bare}`;
  return say([JOINED[sign], { first: text, rest: bare }]);
}

/** A line as it is read. @param {Pick<Line, "label" | "text">} line */
export function said({ label, text }) {
  const whole = !label ? text : text ? say(["log.line", { actor: label, text }]) : say(label);
  return !whole || ENDS.test(whole) ? whole : `${whole}.`;
}

/** A text as it is read aloud. @param {string} text */
const aloud = (text) => text.replaceAll(ARROW, ` ${say(["log.to"])} `);

/** A move as the log keeps it, without the values of what was laid away since. @param {MoveRecord} record @returns {MoveRecord} */
export function asKept(record) {
  const { events, log, lines, log_lines: keptLines } = record;
  if (!log) return record;
  return { ...record, events: events.map((event, number) => log[number] ?? event), lines: keptLines ?? lines };
}

// --- Captions ---------------------------------------------------------------------------------------------------------
/** What a move makes known, line by line, without other moves. @param {TablePage} page @param {MoveRecord} record */
export function captionLines(page, record) {
  const log = new TurnLog(namesOf(page), false);
  const lines = (record.lines ?? []).filter((line) => !begins(line));
  return lines.flatMap((line) => log.continue(line, record)).filter(({ text, label }) => text || label).map(said);
}

/**
 * What is shown while a move is seen: its lines up to twelve words; its first sentence where the log has nothing of it.
 * @param {TablePage} page @param {MoveRecord} record @returns {string}
 */
export function captionOf(page, record) {
  const [first, ...others] = captionLines(page, record);
  if (!first) return record.events.length ? say(record.events[0][1]) : "";
  const wordsOf = (/** @type {string} */ text) => text.split(/\s+/).length;
  let caption = first;
  for (const line of others) {
    if (wordsOf(caption) + wordsOf(line) > CAPTION_WORDS) break;
    caption += ` ${line}`;
  }
  return caption;
}

/** How the seats of a table are named in phrases. @param {TablePage} page @returns {(seat: number) => Phrase} */
const namesOf = (page) => (seat) => [`seat.${page.shown.seats[seat].crest}`];

// --- On the page ------------------------------------------------------------------------------------------------------
/**
 * The log as a list with one Tab stop; arrows go from line to line, Enter or a tap opens what a line tells in short.
 * A line that is hovered or has the focus is announced by an event `log-line` with its moves, so that the board can show
 * where they were made; with none when it is left.
 */
export class LogView {
  /** @type {Map<Line, { row: HTMLElement, open: boolean }>} */
  rows = new Map();
  /** @type {Map<Turn, HTMLElement>} */
  blocks = new Map();

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.log = new TurnLog(namesOf(page));
    this.element = el("ol.log-turns", {
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
      onfocusin: (/** @type {any} */ event) => this.stop(event.target),
      onfocusout: () => this.point(null),
    });
  }

  /** Forget everything. */
  clear() {
    this.log = new TurnLog(namesOf(this.page));
    this.rows.clear();
    this.blocks.clear();
    fill(this.element);
  }

  /** Write down moves. @param {MoveRecord[]} records */
  add(records) {
    const { log } = this;
    const touched = new Set(records.flatMap((record) => log.add(record)));
    for (const line of touched) this.write(line);
    const stops = this.stops;
    if (stops.length && !stops.some(({ tabIndex }) => tabIndex === 0)) stops[stops.length - 1].tabIndex = 0;
  }

  /** Write a line, or write it again where a move continued it. @param {Line} line */
  write(line) {
    const entry = this.rows.get(line);
    if (entry) return this.lay(line, entry);
    const turn = this.log.turns.find(({ lines }) => lines.includes(line));
    if (!turn) return undefined;
    const block = this.blockOf(turn);
    for (const each of turn.lines) { // those before it have nothing but a name
      if (this.rows.has(each)) continue;
      const made = { row: el("div.log-row"), open: false };
      this.rows.set(each, made);
      block.append(made.row);
      this.lay(each, made);
    }
    return undefined;
  }

  /** @param {Turn} turn */
  blockOf(turn) {
    const known = this.blocks.get(turn);
    if (known) return known;
    const block = el("li.turn");
    this.blocks.set(turn, block);
    this.element.append(block);
    return block;
  }

  /** Put the texts of a line into its row; what is focused stays. @param {Line} line @param {{ row: HTMLElement, open: boolean }} entry */
  lay(line, entry) {
    const text = said(line) || line.events.map(([, phrase]) => say(phrase)).join(" ");
    const button = entry.row.querySelector("button") ?? this.button(line, entry);
    fill(button, this.sign(line), el("span.text", {}, text), icon(line.icon));
    button.setAttribute("aria-label", aloud(text));
    button.setAttribute("aria-expanded", String(entry.open));
    const details = entry.open ? el("ul.details", {}, ...line.events.map((event) => this.detail(event))) : "";
    entry.row.hidden = !text;
    entry.row.classList.toggle("marked", line.icon !== "");
    for (const child of [...entry.row.children]) if (child !== button) child.remove();
    entry.row.append(details);
  }

  /** @param {Line} line @param {{ row: HTMLElement, open: boolean }} entry @returns {HTMLElement} */
  button(line, entry) {
    const button = el("button.line", {
      tabindex: -1,
      onclick: () => {
        entry.open = !entry.open;
        this.lay(line, entry);
      },
      onpointerenter: () => this.point(line.records),
      onpointerleave: () => this.point(null),
      onfocus: () => this.point(line.records),
    });
    entry.row.append(button);
    return button;
  }

  /** A full sentence, which opens the rulebook at its rule. @param {GameEvent} event */
  detail([rule, phrase]) {
    const show = () => this.page.sidePanel.showRule(rule);
    return el("li", {}, el("button.detail", { tabindex: -1, title: t("rule.show"), onclick: show }, say(phrase)));
  }

  /** The crest of who begins a turn; a die for chance. @param {Line} line */
  sign(line) {
    const turn = this.log.turns.find(({ lines }) => lines[0] === line);
    if (!turn) return el("span.crest");
    const seat = turn.seat >= 0 ? this.page.shown.seats[turn.seat] : null;
    return seat ? crestOf(seat.crest) : picture("die");
  }

  /** Say which moves a line tells of, so that the board can show where they were made. @param {MoveRecord[] | null} records */
  point(records) {
    this.element.dispatchEvent(new CustomEvent("log-line", { bubbles: true, detail: records }));
  }

  // --- Keys -----------------------------------------------------------------------------------------------------------
  /** Everything that arrows go to. @returns {HTMLElement[]} */
  get stops() {
    return [...this.element.querySelectorAll("button")].filter((button) => !button.closest("[hidden]"));
  }

  /** Make something the one Tab stop. @param {HTMLElement} button */
  stop(button) {
    for (const each of this.stops) each.tabIndex = each === button ? 0 : -1;
  }

  /** Arrows go from line to line. @param {KeyboardEvent} event */
  press(event) {
    const { stops } = this;
    const now = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: stops.length - 1 }[event.key];
    if (next === undefined || !stops[next]) return;
    event.preventDefault();
    stops[next].focus();
  }
}

/** The icon of a line, if it has one. @param {string} name */
function icon(name) {
  if (!ICONS[name]) return null;
  const svg = made("svg", { class: `log-icon ${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" });
  svg.append(made("path", { d: ICONS[name] }));
  return svg;
}
