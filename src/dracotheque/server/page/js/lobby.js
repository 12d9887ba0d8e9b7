/** The lobby: all games, own tables, tables to join and to watch, and the profile. */

import { get, post } from "./api.js";
import { byId, crestOf, dialog, el, fill, passOn, picture } from "./dom.js";
import { addStyle, coverPath } from "./game-files.js";
import { tutorialButton } from "./tutorial.js";
import { createTable } from "./create-table.js";
import { setUp } from "./table-setup.js";
import { t, when, wordsOf } from "./i18n.js";
import { attempt } from "./errors.js";

/** @typedef {import("../protocol").GameInfo} GameInfo */
/** @typedef {import("../protocol").Listing} Listing */
/** @typedef {import("../protocol").Me} Me */

export const CRESTS = ["lion", "tower", "star", "oak", "wave", "falcon"];
const REFRESH_MS = 8_000;
const READY_POLL_MS = 1_500;

/** @type {Map<string, GameInfo>} */
const games = new Map();

/** @typedef {{ game: GameInfo, promise: string }} Offer */

/** Read all games, each with its one-line description. @returns {Promise<Offer[]>} */
export async function readLobby() {
  /** @type {GameInfo[]} */
  const found = (await get("/api/games")).games;
  return Promise.all(found.map(async (game) => {
    const [{ promise }] = await Promise.all([wordsOf(game.name), addStyle(game)]);
    return { game, promise };
  }));
}

/** Show the lobby. @param {Me} me @param {Promise<Offer[]>} [read] its games, if they are already on their way */
export async function openLobby(me, read = readLobby()) {
  document.title = "Dracothèque";
  const list = el("section.game-list", { "aria-label": t("lobby.title") });
  const lists = el("section.lists");
  const welcome = el("div.welcome", {}, el("h1", {}, t("lobby.title")), el("p", {}, t("lobby.promise")));
  const library = el("div.lobby", {}, el("div.window", { "aria-hidden": "true" }), welcome, list);
  fill(byId("main"), library, lists);
  showGames(list, me, await read);
  const refresh = () => document.hidden || showLists(lists);
  await refresh();
  setInterval(refresh, REFRESH_MS);
  document.addEventListener("visibilitychange", refresh);
}

/**
 * List the games; while rules are still being compiled, look again.
 * @param {HTMLElement} list @param {Me} me @param {Offer[]} offers
 */
function showGames(list, me, offers) {
  for (const { game } of offers) games.set(game.name, game);
  fill(list, ...offers.map(({ game, promise }) => gameCard(game, promise, me)));
  if (offers.some(({ game }) => !game.ready)) setTimeout(() => awaitReady(list), READY_POLL_MS);
}

/** Take the note away from games that have become ready. @param {HTMLElement} list */
async function awaitReady(list) {
  const found = (await attempt(get("/api/games")))?.games ?? [];
  for (const game of found) if (game.ready) list.querySelector(`.${game.name} .preparing`)?.remove();
  if (list.querySelector(".preparing")) setTimeout(() => awaitReady(list), READY_POLL_MS);
}

/**
 * The card of a game: its cover, its facts, and the buttons that begin a game.
 * @param {GameInfo} game @param {string} promise @param {Me} me
 */
function gameCard(game, promise, me) {
  const begin = async () => {
    play.disabled = true; // until the table is there, and against a second click
    await playNow(game, me);
    play.disabled = false;
  };
  const open = () => setUp(game, me);
  const play = el("button.main", { onclick: begin }, t("play.now"));
  return el(`article.game-card.${game.name}`, {},
    // Without a mouse it is opened with the button below.
    el("div.card-cover", {}, coverOf(game, { onclick: open })),
    el("div.card-body", {},
      el("p.promise", {}, promise ?? ""),
      factsOf(game),
      !game.ready && el("p.preparing", {}, t("game.preparing")),
      el("p.row", {}, play, el("button.set-up", { onclick: open }, t("play.set-up")),
        game.web.includes("tutorial") && tutorialButton(game))));
}

/** The printed cover of a game. @param {GameInfo} game @param {Record<string, any>} [props] */
export function coverOf(game, props = {}) {
  const drawn = el("img", { src: coverPath(game), alt: "", width: 300, height: 400 });
  const designer = game.designer && el("p.designer", {}, game.designer, game.year > 0 && el("span", {}, ` · ${game.year}`));
  const printed = el("div", {}, el("h2", {}, game.title), designer);
  return el(`div.cover.${game.name}`, props, drawn, printed);
}

/** How many play, how long, from which age: as printed on a game, and in words. @param {GameInfo} game */
function factsOf(game) {
  const players = game.min_players === game.max_players ? `${game.max_players}` : `${game.min_players}–${game.max_players}`;
  /** @type {[boolean, string, string, string][]} */
  const facts = [
    [true, "people", players, t("game.players", { players })],
    [game.minutes !== "", "hourglass", `${game.minutes} min`, t("game.minutes", { minutes: game.minutes })],
    [game.age > 0, "cake", `${game.age}+`, t("game.age", { age: game.age })],
  ];
  return el("ul.facts", {}, ...facts.filter(([known]) => known).map(([, sign, printed, said]) => el("li", { title: said },
    picture(sign), el("span", { "aria-hidden": "true" }, printed), el("span.unseen", {}, said))));
}

/** Start a game against bots at once. @param {GameInfo} game @param {Me} me */
async function playNow(game, me) {
  const seat = mySeat(me, game.default_players);
  const kinds = Array.from({ length: game.default_players }, (_, number) => (number === seat ? "me" : "bot"));
  await createTable({ game: game.name, seats: kinds.map((kind) => ({ kind })) });
}

/** The seat with the preferred crest, if the game has it; else the first. @param {Me} me @param {number} players */
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
    el("img", { src: coverPath(games.get(listed.game)), alt: "", width: 33, height: 44 }),
    el("strong", {}, games.get(listed.game)?.title ?? listed.game), el("span.player-list", {}, ...seats),
    el("span.state", {}, stateOf(listed)), el("time.soft", {}, when(listed.updated)));
}

/** @param {Listing} listed */
function stateOf(listed) {
  if (listed.status !== "playing") return t(`status.${listed.status}`);
  if (listed.my_turn) return t("turn.mine");
  const asked = listed.asked ?? [];
  return asked.length === 1 ? t("turn.of", { name: called(listed.seats[asked[0]]) }) : t("turn.several");
}

/** The name of a seat in a list. @param {any} seat @returns {string} */
export function called(seat) {
  if (seat.name) return seat.name;
  if (seat.mine) return t("you");
  return seat.kind === "person" || seat.kind === "bot" ? t(`crest.${seat.crest}`) : t("seat.free");
}

/** The profile: name, crest, and the link to continue on another device. @param {Me} me */
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
