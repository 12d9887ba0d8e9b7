/** What one chooses with in Dragon's Cave: a hand of cards, five niches, two fists to fill, two fists to open. */

import { crestOf, el, fill } from "/page/js/dom.js";
import { gameText, say } from "/page/js/i18n.js";
import { carry } from "./carry.js";

const STYLE = "/page/games/dragons-cave/controls.css"; // asked for here, since the lobby has no use for it

/** @typedef {import("/page/protocol").Choice} Choice */
/** @typedef {import("/page/js/table-page.js").TablePage} TablePage */
/** @typedef {{ key: string, from: number, armed: HTMLElement | null }} Touched */

const SECOND_DWARF = 6; // the numbers of actions, as in rules/state.py
const NICHE = 12;
const FISTS = 17;
const HOLD = 19;
const CARD_SHAPE = "-45 -63 90 126";
const DOOR_SHAPE = "-64 -150 128 166";
const PIECE_SHAPE = "-50 -50 100 100";
const FIST_SHAPE = "-36 -42 72 88";
const MOST_DOTS = 3; // coins: more are one and their number
const MOST_PILED = 12;

/** What one chooses with now. @param {TablePage} page @param {Choice[]} choices @returns {HTMLElement | null} */
export function controls(page, choices) {
  if (!document.querySelector(`link[href="${STYLE}"]`)) document.head.append(el("link", { rel: "stylesheet", href: STYLE }));
  if (!choices.length) return null;
  const [{ action }] = choices;
  if (action >= HOLD) return split(page, choices);
  if (action >= FISTS) return guess(page, choices);
  return action >= NICHE ? doors(page, choices) : hand(page, choices);
}

/** @param {string} key @param {Record<string, any>} [gaps] */
const word = (key, gaps) => gameText(`table.${key}`, gaps) ?? key;

/** A drawing of this game, or the middle of it. @param {string} name @param {string} shape @param {string} [seen] */
function drawing(name, shape, seen = shape) {
  const [x, y, width, height] = shape.split(" ");
  return el("span.drawing", { html: `<svg viewBox="${seen}" aria-hidden="true">
    <use href="#p-${name}" x="${x}" y="${y}" width="${width}" height="${height}"/></svg>` });
}

/** @param {boolean} right */
const fist = (right) => drawing(`fist-${right ? "right" : "left"}`, PIECE_SHAPE, FIST_SHAPE);

/** A phrase, beginning large. @param {any} phrase */
const sentence = (phrase) => capital(say(phrase));

/** @param {string} text */
const capital = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** The phrases in a phrase, itself first. @param {any} phrase @returns {Generator<[string, any]>} */
function* phrasesIn(phrase) {
  if (!Array.isArray(phrase)) return;
  yield /** @type {[string, any]} */ (phrase);
  for (const gap of Object.values(phrase[1] ?? {})) yield* phrasesIn(gap);
}

/** The last word of the first key that begins so: “rope” of “card.rope”. @param {any} phrase @param {string} begin */
function nameIn(phrase, begin) {
  const [key] = [...phrasesIn(phrase)].find(([each]) => each.startsWith(begin)) ?? [""];
  return key.slice(begin.length);
}

/** The first number of coins that a phrase names. @param {any} phrase */
const coinsIn = (phrase) => Number([...phrasesIn(phrase)].find(([key]) => key === "coins" || key === "gain")?.[1]?.count ?? 0);

/** A number of coins, as coins where they are few. @param {number} count */
function coins(count) {
  const coin = () => el("i.coin");
  const dots = count > MOST_DOTS ? [el("b.count", {}, count), coin()] : Array.from({ length: count }, coin);
  return el("span.coins", { "aria-hidden": "true" }, ...dots);
}

// --- A button that commits -----------------------------------------------------------------------------------------
/**
 * A button that stands for a choice. A mouse or a key commits at once; a finger first shows where that leads.
 * @param {TablePage} page @param {string} look @param {Choice} choice @param {...any} children
 */
function chooser(page, look, choice, ...children) {
  const point = () => page.svgBoard?.foreshow(choice);
  const leave = () => page.svgBoard?.foreshow(null);
  const commit = () => {
    button.classList.add("chosen");
    page.choose(choice);
  };
  let touched = false;
  const press = () => {
    if (touched && !button.classList.contains("armed")) return arm(button, point);
    return commit();
  };
  /** @type {HTMLButtonElement} */
  const button = el(`button.choice.${look}`, {
    "data-action": choice.action, onclick: press, onfocus: point, onblur: leave, onpointerenter: point,
    onpointerleave: leave, onkeydown: () => (touched = false),
    onpointerdown: (/** @type {PointerEvent} */ event) => (touched = event.pointerType === "touch"),
  }, ...children);
  return { button, commit };
}

/**
 * A finger means this button: show where it leads, until the next tap.
 * @param {HTMLElement} button @param {() => void} point
 */
function arm(button, point) {
  const armed = button.closest(".cave-controls")?.querySelectorAll(".armed") ?? [];
  for (const other of armed) other.classList.remove("armed");
  button.classList.add("armed");
  point();
}

/** What is read aloud of a choice: its name, and where it leads. @param {Choice} choice */
const spoken = (choice) => el("span.unseen", {}, el("b", {}, sentence(choice.name)),
  choice.preview && el("small", {}, ` – ${say(choice.preview)}`));

// --- A hand of cards -------------------------------------------------------------------------------------------------
/** For which dwarf a card is chosen, with two players. */
let second = false;

/**
 * Every card of mine: those in hand are choices, those that were played stay where they were.
 * @param {TablePage} page @param {Choice[]} choices
 */
function hand(page, choices) {
  const dwarves = [false, true].filter((other) => choices.some(({ action }) => action >= SECOND_DWARF === other));
  if (!dwarves.includes(second)) [second] = dwarves;
  const whole = el("div.cave-controls.cave-hand", { role: "group", "aria-label": word("hand") });
  const show = () => fill(whole, dwarves.length > 1 && switches(page, show), cards(page, choices));
  show();
  return whole;
}

/** Choose for which dwarf the card is. @param {TablePage} page @param {() => void} show */
function switches(page, show) {
  const tab = (/** @type {boolean} */ other) => el("button.cave-dwarf", {
    "aria-pressed": String(second === other),
    onclick: () => {
      second = other;
      show();
    },
  }, drawing(`dwarf${other ? "-second" : ""}-${page.viewpoint}`, PIECE_SHAPE),
  word(other ? "dwarf_second" : "dwarf_first"));
  return el("div.cave-dwarves", {}, tab(false), tab(true));
}

/** @param {TablePage} page @param {Choice[]} choices */
function cards(page, choices) {
  const mine = page.shown.board?.holdings[page.viewpoint] ?? [];
  const all = mine.flatMap(({ kind }) => kind.match(/^(?:pip|spent)-(.+)/)?.[1] ?? []);
  const offered = choices.filter(({ action }) => action >= SECOND_DWARF === second);
  return el("div.cave-cards", {}, ...all.map((name) => {
    const choice = offered.find((each) => nameIn(each.name, "card.") === name);
    return choice ? cardInHand(page, name, choice) : playedCard(name);
  }));
}

/** A card with its picture and its name. @param {string} name */
const face = (name) => el("span.face", { "aria-hidden": "true" }, drawing(`hand-${name}`, CARD_SHAPE),
  el("span.title", {}, capital(gameText(name === "chest" ? "drawn.chest_card" : `picture.${name}`) ?? name)));

/** @param {TablePage} page @param {string} name @param {Choice} choice */
function cardInHand(page, name, choice) {
  const { button, commit } = chooser(page, "cave-card", choice,
    face(name), whither(choice), spoken(choice));
  carry(button, page.board, commit);
  return button;
}

/** @param {string} name */
const playedCard = (name) => el("div.cave-card.played", {
  role: "img", "aria-label": capital(word("played", { card: [`card.${name}`] })),
}, face(name), el("span.whither"));

/** Where a card leads and what it brings: “→ 9 · ●●”. @param {Choice} choice */
function whither(choice) {
  const place = choice.places?.at(-1) ?? "";
  const goes = (choice.places?.length ?? 0) > 1 && !place.startsWith("chest");
  const target = /^\d+$/.test(place) ? place : gameText("drawn.lair");
  const count = coinsIn(choice.preview);
  return el("span.whither", { "aria-hidden": "true" }, goes && el("strong", {}, `→ ${target}`),
    goes && count > 0 && "·", count > 0 && coins(count));
}

// --- Five niches -----------------------------------------------------------------------------------------------------
/** Every niche, and over it who can have played its card. @param {TablePage} page @param {Choice[]} choices */
function doors(page, choices) {
  const pieces = Object.values(page.shown.board?.pieces ?? {}).filter(({ kind }) => kind === "suspect");
  return el("div.cave-controls.cave-doors", { role: "group", "aria-label": word("doors") }, ...choices.map((choice) => {
    const over = pieces.filter(({ place }) => place === `over-${choice.action - NICHE}`);
    const crests = over.map(({ seat = 0, value = 0 }) => el("span.suspect", {},
      crestOf(page.shown.seats[seat].crest), el("strong", {}, value)));
    return chooser(page, "cave-door", choice, el("span.suspects", { "aria-hidden": "true" }, ...crests),
      drawing(`door-${nameIn(choice.name, "picture.")}`, DOOR_SHAPE), spoken(choice)).button;
  }));
}

// --- Two fists -------------------------------------------------------------------------------------------------------
/** How many coins are in the left fist, and at which prompt. */
let filled = { key: "", left: 0 };

/**
 * Put the coins into two fists; at first all are in the right one.
 * @param {TablePage} page @param {Choice[]} choices
 */
function split(page, choices) {
  const purse = choices.length - 1;
  const key = page.offered || `${page.viewpoint}/${page.shown.prompt?.prompt_id}`;
  if (filled.key !== key) filled = { key, left: 0 };
  const sides = [false, true].map((right) =>
    fistToFill(page.viewpoint, right, () => put(filled.left + (right ? 1 : -1))));
  const slider = el("input.cave-slider", { type: "range", min: 0, max: purse, step: 1, "aria-label": word("slider"),
    oninput: () => put(purse - Number(slider.value)) });
  const hold = el("button.choice.main.big", { onclick: () => page.choose(choices[filled.left]) }, word("hold_out"));
  /** @param {number} left */
  const put = (left) => {
    filled.left = Math.max(0, Math.min(purse, left));
    slider.value = String(purse - filled.left);
    hold.dataset.action = String(choices[filled.left].action);
    sides[0].hold(filled.left);
    sides[1].hold(purse - filled.left);
  };
  put(filled.left);
  return el("div.cave-controls.cave-split", { role: "group", "aria-label": word("fists") },
    el("div.cave-fists", {}, ...sides.map(({ side }) => side)), slider, hold);
}

/**
 * A fist and its coins, of which a tap puts one into the other.
 * @param {number} seat @param {boolean} right @param {() => void} move
 */
function fistToFill(seat, right, move) {
  const pile = el("span.pile", { "aria-hidden": "true" });
  const count = el("b.count");
  const side = el(`button.cave-side.seat-${seat}`, { onclick: move }, pile,
    fist(right), el("span.held", {}, word(right ? "right" : "left"), " ", count));
  /** @param {number} coins */
  const hold = (coins) => {
    const label = word("move", { fist: word(right ? "left" : "right"), coins });
    side.setAttribute("aria-label", `${word(right ? "right" : "left")}: ${coins}. ${label}`);
    count.textContent = String(coins);
    const piled = Math.min(coins, MOST_PILED);
    while (pile.children.length > piled) pile.lastElementChild.remove();
    while (pile.children.length < piled) pile.append(el("i.coin"));
  };
  return { side, hold };
}

/** Point to one of two fists. @param {TablePage} page @param {Choice[]} choices */
function guess(page, choices) {
  const place = choices[0].places?.[0] ?? "";
  const seat = Number(place.split("-")[1] ?? -1);
  return el("div.cave-controls.cave-guess.cave-fists", { role: "group", "aria-label": word("fists") },
    ...choices.map((choice) => {
      const side = choice.action === FISTS ? "left" : "right";
      return chooser(page, `cave-side.cave-fist.${side}.seat-${seat}`, choice,
        fist(side === "right"), el("span.held", { "aria-hidden": "true" }, word(side)), spoken(choice)).button;
    }));
}
