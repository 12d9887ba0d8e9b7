/** The page: its head, and the shelf or a table beneath. */

import { get, post } from "./api.js";
import { byId, confirmed, crestOf, el, fill, picture, select } from "./dom.js";
import { aboutMe, openShelf } from "./shelf.js";
import { TablePage } from "./table.js";
import { LANGUAGES, language, learn, t } from "./words.js";
import { attempt } from "./wrong.js";

/** The head: home, who I am, language, sun or moon. @param {any} me */
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
  const theme = el("button.quiet.theme", { onclick: () => turn(theme) });
  nameTheme(theme);
  const brand = el("a.brand", { href: "/" }, picture("gem"), "Dracothèque");
  fill(byId("head"), brand, el("nav", {}, mine, languages, theme));
}

/** Let day become night, or night day. @param {HTMLElement} button */
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

/** Become who has the key behind the #, if whoever holds this device wants that; then forget the key. */
async function takeKey() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!key) return;
  history.replaceState(null, "", location.pathname);
  if (await confirmed(t("key.title"), t("key.become"), t("key.yes"))) await attempt(post("/api/me/become", { key }));
}

async function open() {
  document.documentElement.lang = language;
  const table = location.pathname.match(/^\/t\/(\w+)/)?.[1];
  await learn();
  await takeKey();
  const me = await get("/api/me");
  head(me);
  if (table) await new TablePage(table, me).open();
  else await openShelf(me);
}

await attempt(open());
