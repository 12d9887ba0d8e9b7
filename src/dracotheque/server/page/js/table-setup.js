/** The dialog that sets a table up: players, levels, options. */

import { crestOf, dialog, el, fill, select } from "./dom.js";
import { createTable } from "./create-table.js";
import { levelsOf } from "./levels.js";
import { firstSentence } from "./markdown.js";
import { CRESTS, coverOf, mySeat } from "./lobby.js";
import { has, rulebook, t } from "./i18n.js";
import { attempt } from "./errors.js";

/** @typedef {import("../protocol").GameInfo} GameInfo */
/** @typedef {import("../protocol").Me} Me */
/** @typedef {{ kind: string, name?: string, level?: string }} Wish */
/** @typedef {{ level: string, why: string }} Level */

const KINDS = ["me", "screen", "link", "open", "bot"];
const TURN_TIMEOUTS = [0, 120, 600, 3_600, 86_400, 259_200];

/** Open the dialog that sets up a new game. @param {GameInfo} game @param {Me} me */
export async function setUp(game, me) {
  const book = await attempt(rulebook(game.name));
  if (!book) return;
  const mine = mySeat(me, game.default_players);
  /** @type {Wish[]} */
  const seats = CRESTS.map((_, number) => ({ kind: number === mine ? "me" : "bot", level: "squire", name: "" }));
  let players = game.default_players;
  /** @type {Level[]} */
  let offered = [];
  const rows = el("ol.seat-setup");
  const levels = el("dl.levels", { "aria-label": t("setup.level") });
  const listed = el("input", { type: "checkbox", name: "listed" });
  const show = () => {
    offered = levelsOf(game, players, Object.fromEntries(new FormData(form)));
    const bots = seats.slice(0, players).filter((seat) => seat.kind === "bot").map((seat) => levelOf(seat, offered));
    fill(levels, ...offered.map((each) => aboutLevel(each, bots.includes(each.level))));
    levels.hidden = !bots.length;
    fill(rows, ...seats.slice(0, players).map((_, number) => seatRow(offered, seats, number, show)));
    for (const pill of form.querySelectorAll("[data-seat]")) pill.hidden = Number(pill.dataset.seat) > players;
  };
  const numbers = Array.from({ length: game.max_players - game.min_players + 1 }, (_, more) => game.min_players + more);
  const count = numbers.map((number) => pill("players", `${number}`, `${number}`, number === players, () => {
    players = number;
    if (!seats.slice(0, players).some((seat) => seat.kind === "me")) seats[0].kind = "me";
    show();
  }));
  const boards = { name: "board", values: ["", ...game.boards], rule: "option.board" };
  const options = [...game.options, ...(game.boards.length ? [boards] : [])];
  /** @type {[string, string][]} */
  const timeouts = TURN_TIMEOUTS.map((seconds) => [`${seconds}`, t(`turn-timeout.${seconds}`)]);
  const begin = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const settled = seats.slice(0, players).map((seat) => ({ ...seat, level: levelOf(seat, offered) }));
    await createTable(wish(game, new FormData(form), settled));
  };
  const form = el("form", { onsubmit: begin },
    el("fieldset", {}, el("legend", {}, t("setup.players")), el("div.pills", {}, ...count)),
    el("fieldset", {}, el("legend", {}, t("setup.seats")), rows, levels),
    ...options.map((option) => optionField(option, book.get(option.rule), show)),
    el("fieldset", {}, el("legend", {}, t("setup.turn-timeout")), el("p.soft", {}, t("setup.turn-timeout-about")),
      select(timeouts, "0", { name: "turn_timeout", "aria-label": t("setup.turn-timeout") })),
    el("label.check", {}, listed, el("span", {}, t("setup.listed"))),
    el("p.row", {}, el("button.main", {}, t("setup.begin"))));
  show();
  dialog(game.title, [form], { kind: `.wide.setup-dialog.${game.name}`, cover: coverOf(game) });
}

/**
 * The level of a bot: the one wished for, or, while that is not ready, the best that is.
 * @param {Wish} seat @param {Level[]} levels
 */
function levelOf(seat, levels) {
  const free = levels.filter(({ why }) => !why).map(({ level }) => level);
  return free.find((level) => level === seat.level) ?? free.at(-1) ?? "";
}

/** How a level plays; those at the table stand out. @param {Level} offered @param {boolean} used */
const aboutLevel = ({ level, why }, used) => el(`div${used ? ".used" : ""}`, {},
  el("dt", {}, unless(why, t(`level.${level}`))), el("dd", {}, t(`level.about.${level}`)));

/** Say something, and what stands in its way. @param {string} why @param {string} text */
const unless = (why, text) => (why ? `${text} (${why})` : text);

/**
 * One seat: its crest, the kind of its player, and a name or level.
 * @param {Level[]} levels @param {Wish[]} seats @param {number} number @param {() => void} show
 */
function seatRow(levels, seats, number, show) {
  const seat = seats[number];
  const name = t(`crest.${CRESTS[number]}`);
  const change = (/** @type {any} */ event) => {
    if (event.target.value === "me") for (const other of seats) if (other.kind === "me") other.kind = "screen";
    seat.kind = event.target.value;
    show();
  };
  /** @type {[string, string][]} */
  const kinds = KINDS.map((each) => [each, t(`kind.${each}`)]);
  const kind = select(kinds, seat.kind, { "aria-label": name, onchange: change });
  /** @type {[string, string, boolean][]} */
  const offered = levels.map(({ level, why }) => [level, unless(why, t(`level.${level}`)), Boolean(why)]);
  const level = select(offered, levelOf(seat, levels), {
    "aria-label": t("setup.level"),
    onchange: (/** @type {any} */ event) => {
      seat.level = event.target.value;
      show();
    },
  });
  const called = el("input", {
    value: seat.name, maxlength: 24, placeholder: t("setup.name"), "aria-label": t("setup.name"),
    oninput: (/** @type {any} */ event) => (seat.name = event.target.value),
  });
  return el("li", {}, crestOf(CRESTS[number]), kind, seat.kind === "bot" && level, seat.kind === "screen" && called);
}

/**
 * Something to agree on, with the sentence of its rule; where several seats can be named, each is ticked.
 * @param {{ name: string, values: string[], rule: string, several?: boolean }} option @param {any} rule
 * @param {() => void} show
 */
function optionField(option, rule, show) {
  const change = (/** @type {any} */ event) => {
    if (option.several) keepOneAnswer(pills.map((made) => made.querySelector("input")), event.target);
    show();
  };
  const pills = option.values.map((value, number) => {
    const isSeat = /^\d$/.test(value);
    const type = isSeat && option.several ? "checkbox" : "radio";
    const made = pill(option.name, value, valueName(option.name, value), number === 0, change, type);
    if (isSeat) made.dataset.seat = value;
    return made;
  });
  return el("fieldset", {}, el("legend", {}, rule?.title ?? option.name),
    el("p.soft", {}, rule ? firstSentence(rule.text) : "", option.several ? ` ${t("setup.several")}` : ""),
    el("div.pills", {}, ...pills));
}

/**
 * Seats that are ticked, or one of the other values: never both, and never neither.
 * @param {HTMLInputElement[]} inputs @param {HTMLInputElement} changed
 */
function keepOneAnswer(inputs, changed) {
  const seats = inputs.filter(({ type }) => type === "checkbox"), others = inputs.filter((each) => !seats.includes(each));
  if (others.includes(changed)) for (const seat of seats) seat.checked = false;
  else for (const other of others) other.checked = false;
  if (!inputs.some(({ checked }) => checked)) others[0].checked = true;
}

/** @param {string} option @param {string} value */
function valueName(option, value) {
  if (/^\d$/.test(value)) return t(`crest.${CRESTS[Number(value) - 1]}`);
  return has(`option.${option}.${value}`) ? t(`option.${option}.${value}`) : value;
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} text
 * @param {boolean} checked
 * @param {(event: Event) => void} [onchange]
 * @param {string} [type]
 */
function pill(name, value, text, checked, onchange = () => {}, type = "radio") {
  return el("label.pill", {}, el("input", { type, name, value, checked, onchange }), el("span", {}, text));
}

/** @param {Wish} seat */
const seatWish = ({ kind, name, level }) =>
  kind === "screen" ? { kind, name } : kind === "bot" ? { kind, level } : { kind };

/** What is asked of the server. @param {GameInfo} game @param {FormData} form @param {Wish[]} seats */
function wish(game, form, seats) {
  // A seat that was named before the table became smaller is no longer meant.
  const fits = (/** @type {any} */ value) => Number.isNaN(Number(value)) || Number(value) <= seats.length;
  const options = game.options.map(({ name }) => [name, form.getAll(name).filter(fits).join("+")]);
  return {
    game: game.name,
    seats: seats.map(seatWish),
    options: Object.fromEntries(options.filter(([, value]) => value)),
    board: form.get("board") || null,
    turn_timeout: Number(form.get("turn_timeout")) || null,
    listed: form.has("listed") || seats.some((seat) => seat.kind === "open"),
  };
}
