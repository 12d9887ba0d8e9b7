/** Setting a box up: who sits where, what is agreed on. */

import { crestOf, dialog, el, fill, select } from "./dom.js";
import { go } from "./opening.js";
import { levelsOf } from "./oracle.js";
import { firstSentence } from "./prose.js";
import { CRESTS, coverOf, mySeat } from "./shelf.js";
import { has, rulebook, t } from "./words.js";
import { attempt } from "./wrong.js";

/** @typedef {import("../../../../../web/src/messages").BoxView} BoxView */
/** @typedef {import("../../../../../web/src/messages").Me} Me */
/** @typedef {{ kind: string, name?: string, level?: string }} Wish */
/** @typedef {{ level: string, why: string }} Level */

const KINDS = ["me", "screen", "link", "open", "bot"];
const PATIENCE = [0, 120, 600, 3_600, 86_400, 259_200];

/** Open a box and agree on everything before the game. @param {BoxView} box @param {Me} me */
export async function setUp(box, me) {
  const book = await attempt(rulebook(box.name));
  if (!book) return;
  const mine = mySeat(me, box.usual);
  /** @type {Wish[]} */
  const seats = CRESTS.map((_, number) => ({ kind: number === mine ? "me" : "bot", level: "squire", name: "" }));
  let players = box.usual;
  /** @type {Level[]} */
  let offered = [];
  const rows = el("ol.seat-wishes");
  const levels = el("dl.levels", { "aria-label": t("setup.level") });
  const listed = el("input", { type: "checkbox", name: "listed" });
  const show = () => {
    offered = levelsOf(box, players, Object.fromEntries(new FormData(form)));
    const bots = seats.slice(0, players).filter((seat) => seat.kind === "bot").map((seat) => levelOf(seat, offered));
    fill(levels, ...offered.map((each) => aboutLevel(each, bots.includes(each.level))));
    levels.hidden = !bots.length;
    fill(rows, ...seats.slice(0, players).map((_, number) => seatRow(offered, seats, number, show)));
    for (const pill of form.querySelectorAll("[data-seat]")) pill.hidden = Number(pill.dataset.seat) > players;
  };
  const numbers = Array.from({ length: box.most - box.fewest + 1 }, (_, more) => box.fewest + more);
  const count = numbers.map((number) => pill("players", `${number}`, `${number}`, number === players, () => {
    players = number;
    if (!seats.slice(0, players).some((seat) => seat.kind === "me")) seats[0].kind = "me";
    show();
  }));
  const boards = { name: "board", values: ["", ...box.boards], rule: "option.board" };
  const options = [...box.options, ...(box.boards.length ? [boards] : [])];
  /** @type {[string, string][]} */
  const patience = PATIENCE.map((seconds) => [`${seconds}`, t(`patience.${seconds}`)]);
  const begin = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const settled = seats.slice(0, players).map((seat) => ({ ...seat, level: levelOf(seat, offered) }));
    await go(wish(box, new FormData(form), settled));
  };
  const form = el("form", { onsubmit: begin },
    el("fieldset", {}, el("legend", {}, t("setup.players")), el("div.pills", {}, ...count)),
    el("fieldset", {}, el("legend", {}, t("setup.seats")), rows, levels),
    ...options.map((option) => optionField(option, book.get(option.rule), show)),
    el("fieldset", {}, el("legend", {}, t("setup.patience")), el("p.soft", {}, t("setup.patience-about")),
      select(patience, "0", { name: "patience", "aria-label": t("setup.patience") })),
    el("label.check", {}, listed, el("span", {}, t("setup.listed"))),
    el("p.row", {}, el("button.main", {}, t("setup.begin"))));
  show();
  dialog(box.title, [form], { kind: `.wide.box-open.${box.name}`, lid: coverOf(box) });
}

/**
 * The level of a bot: the one wished for, which is kept in mind; while that cannot sit down, the best that can.
 * @param {Wish} seat @param {Level[]} levels
 */
function levelOf(seat, levels) {
  const free = levels.filter(({ why }) => !why).map(({ level }) => level);
  return free.find((level) => level === seat.level) ?? free.at(-1) ?? "";
}

/** How a level plays; those at the table stand out. @param {Level} offered @param {boolean} used */
const aboutLevel = ({ level, why }, used) => el(`div${used ? ".used" : ""}`, {},
  el("dt", {}, t(`level.${level}`)), el("dd", {}, unless(why, t(`level.about.${level}`))));

/** Say something, and what stands in its way. @param {string} why @param {string} text */
const unless = (why, text) => (why ? `${text} (${why})` : text);

/**
 * One seat: its crest, who sits there, and that one's name or level.
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
 * Something to agree on, with the sentence of its rule.
 * @param {{ name: string, values: string[], rule: string }} option @param {any} rule @param {() => void} show
 */
function optionField(option, rule, show) {
  const pills = option.values.map((value, number) => {
    const made = pill(option.name, value, valueName(option.name, value), number === 0, show);
    if (/^\d$/.test(value)) made.dataset.seat = value;
    return made;
  });
  return el("fieldset", {}, el("legend", {}, rule?.title ?? option.name),
    el("p.soft", {}, rule ? firstSentence(rule.text) : ""), el("div.pills", {}, ...pills));
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
 * @param {() => void} [onchange]
 */
function pill(name, value, text, checked, onchange = () => {}) {
  return el("label.pill", {}, el("input", { type: "radio", name, value, checked, onchange }), el("span", {}, text));
}

/** @param {Wish} seat */
const seatWish = ({ kind, name, level }) =>
  kind === "screen" ? { kind, name } : kind === "bot" ? { kind, level } : { kind };

/** What is asked of the server. @param {BoxView} box @param {FormData} form @param {Wish[]} seats */
function wish(box, form, seats) {
  // A seat that was named before the table became smaller is no longer meant.
  const fits = (/** @type {any} */ value) => Number.isNaN(Number(value)) || Number(value) <= seats.length;
  const options = box.options.map((option) => [option.name, form.get(option.name)]).filter(([, value]) => fits(value));
  return {
    game: box.name,
    seats: seats.map(seatWish),
    options: Object.fromEntries(options),
    board: form.get("board") || null,
    patience: Number(form.get("patience")) || null,
    listed: form.has("listed") || seats.some((seat) => seat.kind === "open"),
  };
}
