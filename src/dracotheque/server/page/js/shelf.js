/** The shelf: four boxes, my tables, tables to join and to watch, and who I am. */

import { get, post } from "./api.js";
import { byId, crestOf, dialog, el, fill, passOn, picture } from "./dom.js";
import { guideButton } from "./guide.js";
import { go } from "./opening.js";
import { setUp } from "./setup.js";
import { t, when, wordsOf } from "./words.js";
import { attempt } from "./wrong.js";

/** @typedef {import("../../../../../web/src/messages").BoxView} BoxView */
/** @typedef {import("../../../../../web/src/messages").Listing} Listing */
/** @typedef {import("../../../../../web/src/messages").Me} Me */

export const CRESTS = ["lion", "tower", "star", "oak", "wave", "falcon"];
const LOOK_AGAIN = 8_000;
const CARVING = 1_500;

/** @type {Map<string, BoxView>} */
const boxes = new Map();

/** @typedef {{ box: BoxView, promise: string }} Standing */

/** Read what stands on the shelf: every box, and what it promises. @returns {Promise<Standing[]>} */
export async function readShelf() {
  /** @type {BoxView[]} */
  const found = (await get("/api/games")).boxes;
  return Promise.all(found.map(async (box) => ({ box, promise: (await wordsOf(box.name)).promise })));
}

/** Show the shelf. @param {Me} me @param {Promise<Standing[]>} [read] what stands on it, if that is already on its way */
export async function openShelf(me, read = readShelf()) {
  document.title = "Dracothèque";
  const shelf = el("section.shelf", { "aria-label": t("shelf.title") });
  const lists = el("section.lists");
  const welcome = el("div.welcome", {}, el("h1", {}, t("shelf.title")), el("p", {}, t("shelf.promise")));
  const library = el("div.library", {}, el("div.window", { "aria-hidden": "true" }), welcome, shelf);
  fill(byId("main"), library, lists);
  showBoxes(shelf, me, await read);
  const refresh = () => document.hidden || showLists(lists);
  await refresh();
  setInterval(refresh, LOOK_AGAIN);
  document.addEventListener("visibilitychange", refresh);
}

/**
 * Put the boxes on the shelf; while pieces are still being carved, look again.
 * @param {HTMLElement} shelf @param {Me} me @param {Standing[]} standing
 */
function showBoxes(shelf, me, standing) {
  for (const { box } of standing) boxes.set(box.name, box);
  fill(shelf, ...standing.map(({ box, promise }) => boxCard(box, promise, me)));
  if (standing.some(({ box }) => !box.ready)) setTimeout(() => waitForCarving(shelf), CARVING);
}

/** Take the note away from boxes that have become ready. @param {HTMLElement} shelf */
async function waitForCarving(shelf) {
  const found = (await attempt(get("/api/games")))?.boxes ?? [];
  for (const box of found) if (box.ready) shelf.querySelector(`.${box.name} .carving`)?.remove();
  if (shelf.querySelector(".carving")) setTimeout(() => waitForCarving(shelf), CARVING);
}

/**
 * A box: what is printed on it, and the ways to open it.
 * @param {BoxView} box @param {string} promise @param {Me} me
 */
function boxCard(box, promise, me) {
  const begin = async () => {
    play.disabled = true; // until the pieces are carved, and against a second click
    await playNow(box, me);
    play.disabled = false;
  };
  const open = () => setUp(box, me);
  const play = el("button.main", { onclick: begin }, t("play.now"));
  return el(`article.box.${box.name}`, {},
    // Whoever uses no mouse opens it with the button below.
    el("div.stand", {}, coverOf(box, { onclick: open })),
    el("div.inside", {},
      el("p.promise", {}, promise),
      factsOf(box),
      !box.ready && el("p.carving", {}, t("box.carving")),
      el("p.row", {}, play, el("button.set-up", { onclick: open }, t("play.set-up")), guideButton(box))));
}

/** The printed cover of a box. @param {BoxView} box @param {Record<string, any>} [props] */
export function coverOf(box, props = {}) {
  const drawn = el("img", { src: `/page/covers/${box.name}.svg`, alt: "", width: 300, height: 400 });
  const designer = el("p.designer", {}, box.designer, el("span", {}, ` · ${box.year}`));
  const printed = el("div", {}, el("h2", {}, box.title), designer);
  return el(`div.cover.${box.name}`, props, drawn, printed);
}

/** How many play, how long, from which age: as printed on a box, and in words. @param {BoxView} box */
function factsOf(box) {
  const players = box.fewest === box.most ? `${box.most}` : `${box.fewest}–${box.most}`;
  /** @type {[string, string, string][]} */
  const facts = [
    ["people", players, t("box.players", { players })],
    ["hourglass", `${box.minutes} min`, t("box.minutes", { minutes: box.minutes })],
    ["cake", `${box.age}+`, t("box.age", { age: box.age })],
  ];
  return el("ul.facts", {}, ...facts.map(([sign, printed, said]) => el("li", { title: said },
    picture(sign), el("span", { "aria-hidden": "true" }, printed), el("span.unseen", {}, said))));
}

/** Sit down with squires at once. @param {BoxView} box @param {Me} me */
async function playNow(box, me) {
  const seat = mySeat(me, box.usual);
  const kinds = Array.from({ length: box.usual }, (_, number) => (number === seat ? "me" : "bot"));
  await go({ game: box.name, seats: kinds.map((kind) => ({ kind })) });
}

/** The seat with the crest I like, if the game has it; else the first. @param {Me} me @param {number} players */
export function mySeat(me, players) {
  const liked = CRESTS.indexOf(me.crest);
  return liked >= 0 && liked < players ? liked : 0;
}

/** @param {HTMLElement} lists */
async function showLists(lists) {
  const paths = ["/api/me/tables", "/api/tables", "/api/running"];
  const found = await attempt(Promise.all(paths.map(get)));
  if (!found) return;
  /** @type {Listing[][]} */
  const [mine, free, running] = found.map((/** @type {any} */ each) => each.tables);
  const not = new Set(mine.map((each) => each.table));
  const others = (/** @type {Listing[]} */ listed) => listed.filter((each) => !not.has(each.table));
  fill(lists,
    listOf("lists.mine", mine.filter((each) => each.status !== "closed"), "lists.none-mine"),
    listOf("lists.join", others(free), "lists.none-join"),
    listOf("lists.watch", others(running), ""));
}

/** @param {string} title @param {Listing[]} listed @param {string} none */
function listOf(title, listed, none) {
  if (!listed.length && !none) return null;
  const rows = listed.map((each) => el("li", {}, tableRow(each)));
  return el("div.list", {}, el("h2", {}, t(title)), listed.length ? el("ul", {}, ...rows) : el("p.soft", {}, t(none)));
}

/** @param {Listing} listed */
function tableRow(listed) {
  const seats = listed.seats.map((seat) => el("span.who", {}, crestOf(seat.crest), el("span", {}, called(seat))));
  return el(`a.table-row${listed.my_turn ? ".my-turn" : ""}`, { href: `/t/${listed.table}` },
    el("img", { src: `/page/covers/${listed.game}.svg`, alt: "", width: 33, height: 44 }),
    el("strong", {}, boxes.get(listed.game)?.title ?? listed.game), el("span.seats", {}, ...seats),
    el("span.state", {}, stateOf(listed)), el("time.soft", {}, when(listed.updated)));
}

/** @param {Listing} listed */
function stateOf(listed) {
  if (listed.status !== "playing") return t(`status.${listed.status}`);
  if (listed.my_turn) return t("turn.mine");
  const asked = listed.asked ?? [];
  return asked.length === 1 ? t("turn.of", { name: called(listed.seats[asked[0]]) }) : t("turn.several");
}

/** How somebody is called in a list. @param {any} seat @returns {string} */
export function called(seat) {
  if (seat.name) return seat.name;
  if (seat.kind === "bot") return t(`level.${seat.level}`);
  if (seat.kind !== "person") return t("seat.free");
  return seat.mine ? t("you") : t(`crest.${seat.crest}`);
}

/** Who I am: name, crest, and how to be the same on another device. @param {Me} me */
export function aboutMe(me) {
  const name = el("input", { id: "my-name", value: me.name, maxlength: 24, autocomplete: "nickname" });
  const crests = CRESTS.map((crest) => el("label.pick", {},
    el("input", { type: "radio", name: "crest", value: crest, checked: crest === (me.crest || "lion") }),
    crestOf(crest), t(`crest.${crest}`)));
  const key = el("div");
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const crest = new FormData(form).get("crest");
    if (await attempt(post("/api/me", { name: name.value, crest }))) location.reload();
  };
  const form = el("form", { onsubmit: save },
    el("label", { for: "my-name" }, t("me.name")), name,
    el("fieldset", {}, el("legend", {}, t("me.crest")), el("div.picks", {}, ...crests)),
    el("p.row", {}, el("button.main", {}, t("me.save"))));
  const showKey = async () => {
    const made = await attempt(post("/api/me/key"));
    if (made) fill(key, el("p", {}, t("key.warning")), passOn(made));
  };
  dialog(t("me.title"), [form, el("hr"), el("h3", {}, t("key.title")), el("p.soft", {}, t("key.about")),
    el("p.row", {}, el("button", { onclick: showKey }, t("key.show"))), key]);
}
