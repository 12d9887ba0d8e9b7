/** The prompt, its choices, and which player has to hold the screen for them: as of the moment that is shown. */

import { clientSeed, post } from "./api.js";
import { dialog, el, fill, select } from "./dom.js";
import { showGameOver } from "./game-over.js";
import { icon } from "./icons.js";
import { mayTakeBack } from "./table-menu.js";
import { levelsAt } from "./levels.js";
import { attempt } from "./errors.js";
import { gameText, say, t } from "./i18n.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */

const FEW = 3; // choices without a place of their own: as many stand in the bar
const LIST_KEY = "dracotheque.choices"; // whether all choices are listed also where they are on the board

/**
 * Several people at one screen: look from the seat that chooses, and where it chooses in secret, only once the screen
 * has been passed on, also to the player whom all were watching just now.
 * @param {TablePage} page
 */
export function settle(page) {
  const { asked, mine, viewpoint } = page;
  const { prompt } = page.shown;
  const secret = Boolean(prompt?.secret);
  if (page.cover && (page.cover.seat !== asked || !secret)) uncover(page);
  if (mine.length < 2 || page.turning) return;
  if (prompt && isHeldFor(page, prompt)) page.holder = secret ? { seat: viewpoint, prompt: prompt.prompt_id ?? 0 } : null;
  else if (viewpoint !== -1) page.turnTo(null);
  else if (asked !== null && secret) cover(page, asked);
  else if (asked !== null) page.turnTo(asked);
}

/**
 * Whether the player at the screen may see a prompt: a public one, or a secret one for which it was passed on. Another
 * secret prompt needs no new cover if the own secret choice was the only move since: nobody else has looked in between.
 * @param {TablePage} page @param {import("../protocol").Prompt} prompt
 */
function isHeldFor({ asked, holder, viewpoint }, { prompt_id: id = 0, secret }) {
  if (asked !== viewpoint || !secret) return asked === viewpoint;
  return holder?.seat === viewpoint && [0, 1].includes(id - (holder.prompt ?? id));
}

/** @param {TablePage} page @param {number} seat */
function cover(page, seat) {
  if (page.cover) return;
  const name = page.name(seat);
  const mine = () => {
    uncover(page);
    page.holder = { seat, prompt: null };
    page.turnTo(seat);
    page.show();
  };
  page.cover = {
    seat,
    close: dialog(t("pass.title", { name }), [
      el("p", {}, t("pass.about", { name })),
      el("p.row", {}, el("button.main.big", { onclick: mine, autofocus: true }, t("pass.me", { name }))),
    ], { sealed: true }),
  };
}

/** @param {TablePage} page */
function uncover(page) {
  page.cover?.close();
  page.cover = null;
}

/** What the panel showed last; it is made again only when that changes, so that nothing moves under a finger. */
let laidOut = "";
/** Whether a key was pressed last, and not a pointer. */
let keyboard = false;
/** Whether the next choice that can be made gets the focus: the one before had it. */
let focusNext = false;

/** Show the prompt and its choices, or what else there is to do before and after a game. @param {TablePage} page */
export function showPrompt(page) {
  const { shown, viewpoint, turning } = page;
  const { status } = shown.table;
  const now = JSON.stringify([shown.table, shown.prompt, shown.seats, shown.result, viewpoint, turning,
    page.socket.connected, page.hints.on, page.exactValues.on, Boolean(page.replay), page.lastRound.isEmpty,
    mayTakeBack(page)]);
  if (now !== laidOut) {
    laidOut = now;
    const focused = page.promptPanel.contains(document.activeElement) || document.activeElement === document.body;
    focusNext = focused && keyboard;
    const parts = { open: beforeGame, playing: prompt, over: showGameOver, closed: () => [el("p", {}, t("status.closed"))] };
    fill(page.promptPanel, ...parts[status](page));
    page.svgBoard?.promptChanged();
  }
  offer(page);
}

/**
 * Enable the choices, or disable them while moves are being shown; an unchanged list is not built again.
 * @param {TablePage} page
 */
function offer(page) {
  const { promptPanel } = page;
  const barred = page.sending || page.isResting || page.queue.isBusy || !page.socket.connected;
  if (barred && keyboard && promptPanel.contains(document.activeElement)) focusNext = true; // it loses it now
  for (const button of promptPanel.querySelectorAll("button.choice")) button.disabled = barred;
  page.svgBoard?.offer();
  if (barred || !focusNext) return;
  focusNext = false;
  promptPanel.querySelector("button.choice:enabled")?.focus();
}

/** @param {TablePage} page */
function prompt(page) {
  const { prompt: asked } = page.shown;
  if (!asked || page.turning) return [el("p.soft.wait", {}, t("wait"))];
  const mine = page.asked === page.viewpoint && page.viewpoint >= 0;
  const alone = mine && page.mine.length === 1;
  const choices = mine ? asked.choices ?? [] : [];
  const controls = mine ? page.svgBoard?.module.controls?.(page, choices) : null;
  const list = el("ol.choices", { class: "choices" }, ...choices.map((choice, number) => choiceButton(page, choice, number)));
  return [
    el("div.ask", {},
      el("p.turn", {}, alone ? t("turn.mine") : whoseTurn(page, mine ? [page.viewpoint] : asked.seats)),
      el("h2", { class: mine ? "" : "theirs" }, say(asked.phrase)),
      page.hints.needsGoal && el("p.goal", {}, gameText("promise") ?? "")),
    mine && aid(page, asked.rule),
    mine && page.exactValues.mark(list),
    controls ? el("div.controls", {}, controls) : list,
    barTools(page, choices, list, Boolean(controls)),
  ];
}

/** The rule of the prompt and what it forbids now, unfolded by “?”. @param {TablePage} page @param {string} rule */
function aid(page, rule) {
  const read = el("button.quiet.rule", { onclick: () => page.sidePanel.showRule(rule) }, t("rule"));
  return el("div.aid", { hidden: !page.hints.on }, page.hints.panel(), read);
}

/**
 * What stands beside every prompt: all choices as a list, the player aid, the last round again, and undo.
 * @param {TablePage} page @param {import("../protocol").Choice[]} choices @param {HTMLElement} list
 * @param {boolean} hasControls whether one chooses with something else than the list
 */
function barTools(page, choices, list, hasControls) {
  const loose = choices.filter((choice) => !choice.places?.length);
  const placed = Boolean(page.svgBoard) && !hasControls && choices.length > loose.length;
  const folded = placed && loose.length <= FEW && !listed(page);
  list.classList.toggle("folded", folded);
  const tool = (/** @type {string} */ name, /** @type {() => void} */ onclick, more = {}) =>
    el(`button.tool.${name}`, { onclick, "aria-label": t(`bar.${name}`), title: t(`bar.${name}`), html: icon(name), ...more });
  return el("div.bar-tools", {},
    choices.length > 0 && placed && tool("all", () => togglePart(page, "list"), { "aria-expanded": String(!folded) }),
    choices.length > 0 && tool("help", () => togglePart(page, "aid"), { "aria-expanded": String(page.hints.on) }),
    tool("again", () => void page.seeAgain(), { disabled: page.lastRound.isEmpty }),
    page.mine.length > 0 && tool("undo", () => void page.do("take-back", { move_number: page.shown.move_number }),
      { class: "tool undo tool-take-back", disabled: !mayTakeBack(page) }));
}

/** Whether all choices are to be listed: as on this device before, or where each has a number. @param {TablePage} page */
const listed = (page) => localStorage.getItem(LIST_KEY) === "list" || page.exactValues.on;

/** Unfold or fold all choices, or the player aid. @param {TablePage} page @param {"list" | "aid"} part */
export function togglePart(page, part) {
  if (part === "aid") return page.hints.turn();
  const list = page.promptPanel.querySelector(".choices");
  const button = page.promptPanel.querySelector(".bar-tools .all");
  if (!list || !button) return;
  const folded = list.classList.toggle("folded");
  localStorage.setItem(LIST_KEY, folded ? "board" : "list");
  button.setAttribute("aria-expanded", String(!folded));
  if (!folded) list.querySelector("button")?.focus();
}

/** Name the seats that have to choose. @param {TablePage} page @param {number[]} seats */
function whoseTurn(page, seats) {
  const names = seats.map((seat) => page.name(seat)).join(", ");
  return seats.length === 1 ? t("turn.of", { name: names }) : t("turn.several-of", { names });
}

/** @param {TablePage} page @param {import("../protocol").Choice} choice @param {number} number */
function choiceButton(page, choice, number) {
  const name = say(choice.name);
  const placed = Boolean(choice.places?.length);
  const point = () => page.svgBoard?.foreshow(choice);
  const leave = () => page.svgBoard?.foreshow(null);
  return el(`li${placed ? ".placed" : ""}`, {}, el("button.choice", { onclick: () => page.choose(choice), "data-action": choice.action,
    onpointerenter: point, onfocus: point, onpointerleave: leave, onblur: leave },
    el("span.number", { "aria-hidden": "true" }, number + 1),
    el("span", {}, el("b", {}, name[0].toUpperCase() + name.slice(1)),
      choice.preview && el("small", {}, say(choice.preview)))));
}

/** Show all choices, where they are folded. @param {TablePage} page */
function unfold(page) {
  if (page.promptPanel.querySelector(".choices.folded")) togglePart(page, "list");
}

/** Digits go to the choice of that number. @param {TablePage} page */
export function watchDigits(page) {
  let typed = "";
  /** @type {number | undefined} */
  let timer;
  addEventListener("pointerdown", () => (keyboard = false));
  addEventListener("keydown", (event) => {
    keyboard = true;
    const target = /** @type {Element} */ (event.target);
    const elsewhere = event.ctrlKey || event.altKey || event.metaKey || target.closest("input, select, dialog");
    if (elsewhere || !/^\d$/.test(event.key)) return;
    const buttons = page.promptPanel.querySelectorAll("button.choice");
    if (buttons.length) unfold(page);
    typed = buttons[Number(typed + event.key) - 1] ? typed + event.key : event.key;
    buttons[Number(typed) - 1]?.focus();
    clearTimeout(timer);
    timer = setTimeout(() => (typed = ""), 900);
  });
}

// --- Before the game -------------------------------------------------------------------------------------------------
/** @param {TablePage} page */
function beforeGame(page) {
  const { seats, table } = page.shown;
  if (page.mine.some((seat) => !seats[seat].ready && seats[seat].ready !== undefined)) return accept(page);
  const free = seats.some((seat) => seat.kind === "open");
  if (!page.mine.length && (page.invitation || free)) return sitDown(page);
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    page.do("start", { level: new FormData(/** @type {HTMLFormElement} */ (event.target)).get("level") });
  };
  /** @type {[string, string][]} */
  const levels = levelsAt(page.game, table.players, table.options, table.rules).map((level) => [level, t(`level.${level}`)]);
  return [el("h2", {}, t("wait.players")), el("p.soft", {}, table.host ? t("wait.host") : t("wait.others")),
    table.host && el("form.row", { onsubmit: start },
      select(levels, "squire", { name: "level", "aria-label": t("setup.level") }),
      el("button.main", {}, t("start.fill")))];
}

/** @param {TablePage} page */
function sitDown(page) {
  const { title } = page.game;
  const host = page.shown.seats.find((seat) => seat.kind === "person" && seat.name)?.name;
  const name = el("input", { id: "sit-name", value: page.me.name, maxlength: 24, autocomplete: "nickname" });
  const sit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!page.me.name && name.value.trim()) await attempt(post("/api/me", { name: name.value, crest: page.me.crest }));
    await takeSeat(page, { name: name.value });
    fill(document.querySelector(".me .name") ?? el("i"), name.value || t("me.nobody"));
  };
  return [
    el("h2", {}, host ? t("sit.invited", { name: host, title }) : t("sit.title", { title })),
    el("form", { onsubmit: sit }, el("label", { for: "sit-name" }, t("me.name")), name,
      el("p.row", {}, el("button.main.big", {}, t("sit.down")))),
  ];
}

/** @param {TablePage} page */
function accept(page) {
  const yes = el("button.main.big", { onclick: () => takeSeat(page, {}) }, t("rematch.yes"));
  return [el("h2", {}, t("rematch.asked")), el("p.row", {}, yes)];
}

/**
 * Take a seat; the invitation is then of no more use and leaves the address.
 * @param {TablePage} page @param {object} wish
 */
async function takeSeat(page, wish) {
  const asked = { ...wish, invitation: page.invitation, client_seed: clientSeed() };
  const sat = await attempt(post(`${page.path}/sit`, asked), page.shown.table.game);
  if (!sat) return;
  page.invitation = "";
  history.replaceState(null, "", location.pathname);
  page.socket.reopen();
}
