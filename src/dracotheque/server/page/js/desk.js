/** What I am asked, and what I may choose; and who has to hold the screen for it. */

import { luck, post } from "./api.js";
import { dialog, el, fill, select } from "./dom.js";
import { showEnd } from "./end.js";
import { levelsAt } from "./oracle.js";
import { attempt } from "./wrong.js";
import { say, t } from "./words.js";

/** @typedef {import("./table.js").TablePage} TablePage */

const MANY = 8; // choices: more stand in two columns

/**
 * Several people at one screen: look from the seat that chooses, and where it chooses in secret, only once the screen
 * has been passed on. Until then the page has been sent nothing that only that seat may see.
 * @param {TablePage} page
 */
export function settle(page) {
  const { asked, look, mine, view } = page;
  const secret = Boolean(view.question?.secret);
  if (page.cover && (page.cover.seat !== asked || !secret)) uncover(page);
  if (mine.length < 2 || page.turning || asked === look) return;
  if (look !== -1) turnTo(page, null);
  else if (asked !== null && secret) cover(page, asked);
  else if (asked !== null) turnTo(page, asked);
}

/** Look from one of my seats, or as a spectator does. @param {TablePage} page @param {number | null} seat */
function turnTo(page, seat) {
  page.turning = true;
  page.do("look", { seat });
}

/** @param {TablePage} page @param {number} seat */
function cover(page, seat) {
  if (page.cover) return;
  const name = page.name(seat);
  const mine = () => {
    uncover(page);
    turnTo(page, seat);
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

/** What the desk showed last; it is made anew only when that changes, so that nothing moves under a finger. */
let shown = "";
/** Whether a key was pressed last, and not a pointer. */
let keyboard = false;

/** Show the question and its choices, or what else there is to do before and after a game. @param {TablePage} page */
export function showDesk(page) {
  const { view, look, turning, sending } = page;
  const now = JSON.stringify([view.status, view.question, view.seats, view.result, view.rematch, look, turning, sending,
    page.live.connected, page.teacher.on, page.oracle.on, Boolean(page.replay)]);
  if (now === shown) return;
  shown = now;
  const focused = page.desk.contains(document.activeElement) || document.activeElement === document.body;
  const parts = { open: beforeGame, playing: question, over: showEnd, closed: () => [el("p", {}, t("status.closed"))] };
  fill(page.desk, ...parts[view.status](page));
  page.drawn?.askedAnew();
  // Whoever chooses with the keyboard finds the next choice under it.
  if (focused && keyboard) page.desk.querySelector("button.choice:enabled")?.focus();
}

/** @param {TablePage} page */
function question(page) {
  const asked = page.view.question;
  if (!asked || page.turning) return [el("p.soft", {}, t("wait"))];
  const mine = page.asked === page.look && page.look >= 0;
  const alone = mine && page.mine.length === 1;
  const choices = mine ? asked.choices ?? [] : [];
  const list = el(`ol.choices${choices.length > MANY ? ".many" : ""}`, {},
    ...choices.map((choice, number) => choiceButton(page, choice, number)));
  return [
    el("p.turn", {}, alone ? t("turn.mine") : whoseTurn(page, mine ? [page.look] : asked.seats)),
    el("h2", { class: mine ? "" : "theirs" }, say(asked.phrase)),
    el("p.row", {}, el("button.quiet.rule", { onclick: () => page.drawer.showRule(asked.rule) }, t("rule"))),
    mine && page.teacher.lesson(),
    mine && page.oracle.mark(list),
    list,
  ];
}

/** Say who has to choose. @param {TablePage} page @param {number[]} seats */
function whoseTurn(page, seats) {
  const names = seats.map((seat) => page.name(seat)).join(", ");
  return seats.length === 1 ? t("turn.of", { name: names }) : t("turn.several-of", { names });
}

/** @param {TablePage} page @param {any} choice @param {number} number */
function choiceButton(page, choice, number) {
  const name = say(choice.name);
  const disabled = page.sending || !page.live.connected;
  const point = () => page.drawn?.foreshow(choice);
  const leave = () => page.drawn?.foreshow(null);
  return el("li", {}, el("button.choice", { onclick: () => page.choose(choice), disabled, "data-action": choice.action,
    onpointerenter: point, onfocus: point, onpointerleave: leave, onblur: leave },
    el("span.number", { "aria-hidden": "true" }, number + 1),
    el("span", {}, el("b", {}, name[0].toUpperCase() + name.slice(1)),
      choice.preview && el("small", {}, say(choice.preview)))));
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
    const buttons = page.desk.querySelectorAll("button.choice");
    typed = buttons[Number(typed + event.key) - 1] ? typed + event.key : event.key;
    buttons[Number(typed) - 1]?.focus();
    clearTimeout(timer);
    timer = setTimeout(() => (typed = ""), 900);
  });
}

// --- Before the game -------------------------------------------------------------------------------------------------
/** @param {TablePage} page */
function beforeGame(page) {
  const { view } = page;
  if (page.mine.some((seat) => !view.seats[seat].ready && view.seats[seat].ready !== undefined)) return accept(page);
  const free = view.seats.some((seat) => seat.kind === "open");
  if (!page.mine.length && (page.invitation || free)) return sitDown(page);
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    page.do("start", { level: new FormData(/** @type {HTMLFormElement} */ (event.target)).get("level") });
  };
  /** @type {[string, string][]} */
  const levels = levelsAt(page.box, view.players, view.options, view.rules).map((level) => [level, t(`level.${level}`)]);
  return [el("h2", {}, t("wait.players")), el("p.soft", {}, view.host ? t("wait.host") : t("wait.others")),
    view.host && el("form.row", { onsubmit: start },
      select(levels, "squire", { name: "level", "aria-label": t("setup.level") }),
      el("button.main", {}, t("start.fill")))];
}

/** @param {TablePage} page */
function sitDown(page) {
  const { title } = page.box;
  const host = page.view.seats.find((seat) => seat.kind === "person" && seat.name)?.name;
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
  const asked = { ...wish, invitation: page.invitation, luck: luck() };
  const sat = await attempt(post(`${page.path}/sit`, asked), page.view.game);
  if (!sat) return;
  page.invitation = "";
  history.replaceState(null, "", location.pathname);
  page.live.reopen();
}
