/** The page: its head, and the lobby or a table beneath. */

import { get, loaded, post, Problem } from "./api.js";
import { byId, confirmed, crestOf, el, fill, picture, select } from "./dom.js";
import { aboutMe, openLobby, readLobby } from "./lobby.js";
import { want, wanted } from "./sound.js";
import { LANGUAGES, language, learn, t } from "./i18n.js";
import { attempt } from "./errors.js";

/** The head of the page: home, profile, language, sound, theme. @param {any} me */
function head(me) {
  const languages = select(Object.entries(LANGUAGES), language, {
    "aria-label": t("language"),
    onchange: (/** @type {any} */ event) => {
      localStorage.setItem("dracotheque.language", event.target.value);
      location.reload();
    },
  });
  const mine = el("button.quiet.me", { onclick: () => aboutMe(me), "aria-label": t("me.title") },
    crestOf(me.crest || "lion"), el("span.name", {}, me.name || t("me.nobody")));
  const sound = el("button.quiet.sound", { onclick: () => (want(!wanted()), nameSound(sound)) });
  nameSound(sound);
  const theme = el("button.quiet.theme", { onclick: () => turn(theme) });
  nameTheme(theme);
  const brand = el("a.brand", { href: "/" }, picture("gem"), "Dracothèque");
  fill(byId("head"), brand, el("nav", {}, mine, languages, sound, theme));
}

/** Show on the switch whether there is sound, and say what it brings. @param {HTMLElement} button */
function nameSound(button) {
  const on = wanted();
  button.setAttribute("aria-label", t(on ? "sound.off" : "sound.on"));
  button.title = t(on ? "sound.off" : "sound.on");
  fill(button, picture(on ? "bell" : "bell-still"));
}

/** Switch between the light and the dark theme. @param {HTMLElement} button */
function turn(button) {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "night" ? "day" : "night";
  localStorage.setItem("dracotheque.theme", root.dataset.theme);
  nameTheme(button);
  dispatchEvent(new Event("theme"));
}

/** Show on the switch what it brings. @param {HTMLElement} button */
function nameTheme(button) {
  const next = document.documentElement.dataset.theme === "night" ? "day" : "night";
  button.setAttribute("aria-label", t(`theme.${next}`));
  button.title = t(`theme.${next}`);
  fill(button, picture(next === "day" ? "sun" : "moon"));
}

/** Take over the identity of the key behind the #, once that is confirmed; then forget the key. */
async function takeKey() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!key) return;
  history.replaceState(null, "", location.pathname);
  if (await confirmed(t("key.title"), t("key.become"), t("key.yes"))) await attempt(post("/api/me/become", { key }));
}

/** Register the service worker: for installing, and for the page that says the server is away; needs HTTPS. */
function settleIn() {
  const keep = () => navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => undefined);
  if (!("serviceWorker" in navigator)) return;
  if (document.readyState === "complete") void keep();
  else addEventListener("load", keep);
}

/** Open a table. @param {string} id @param {any} me @param {Promise<typeof import("./table-page.js")>} parts */
async function openTable(id, me, parts) {
  await new (await parts).TablePage(id, me).open();
}

/** Ask for everything at once, and show the lobby or a table. */
async function open() {
  document.documentElement.lang = language;
  const table = location.pathname.match(/^\/t\/(\w+)/)?.[1];
  const parts = table ? loaded(import("./table-page.js")) : undefined;
  const lobby = table ? undefined : readLobby();
  const known = location.hash.includes("key=") ? undefined : get("/api/me");
  for (const early of [lobby, known, parts]) early?.catch(() => undefined); // it is said where it is needed
  await learn();
  await takeKey();
  const me = await (known ?? get("/api/me"));
  head(me);
  if (table && parts) await openTable(table, me, parts);
  else await openLobby(me, lobby);
}

/** Open the page; if the line breaks meanwhile, come back to it (load-error.js). */
async function openOrComeBack() {
  try {
    await open();
    dispatchEvent(new Event("opened"));
  } catch (why) {
    if (why instanceof Problem && why.code === "lost") dispatchEvent(new Event("lost"));
    throw why;
  }
}

settleIn();
await attempt(openOrComeBack());
