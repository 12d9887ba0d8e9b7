/** The choice that is selected and not made yet: what it is called, what it leads to, and Go. */

import { el, fill, select } from "./dom.js";
import { say, t } from "./i18n.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").Choice} Choice */

const STORAGE_KEY = "dracotheque.confirm";
const SETTINGS = ["always", "final", "never"];

/** Which choices a second touch must confirm on this device: all, those that cannot be undone, or none. */
export function confirmation() {
  const kept = localStorage.getItem(STORAGE_KEY) ?? "";
  return SETTINGS.includes(kept) ? kept : "final";
}

/** The setting for it, as a drop-down list. @returns {HTMLElement} */
export function confirmationSetting() {
  const keep = (/** @type {Event} */ event) =>
    localStorage.setItem(STORAGE_KEY, /** @type {HTMLSelectElement} */ (event.target).value);
  const options = SETTINGS.map((way) => /** @type {[string, string]} */ ([way, t(`confirm.${way}`)]));
  return el("label.confirmation", {}, `${t("confirm")} `, select(options, confirmation(), { onchange: keep }));
}

/**
 * Show the selected choice in the prompt panel, or nothing.
 * @param {TablePage} page @param {Choice | null} choice
 */
export function showSelected(page, choice) {
  const panel = page.promptPanel;
  const found = panel.querySelector(".selected-choice");
  if (!found && !choice) return;
  const place = found ?? el("p.selected-choice", { "aria-live": "polite" });
  if (!found) panel.append(place);
  place.toggleAttribute("hidden", !choice);
  fill(place, ...(choice ? parts(page, choice) : []));
}

/** @param {TablePage} page @param {Choice} choice */
function parts(page, choice) {
  const name = say(choice.name);
  const shown = `${name[0].toUpperCase()}${name.slice(1)}`;
  return [
    el("span", {}, el("b", {}, shown), choice.preview && el("small", {}, say(choice.preview))),
    el("button.main.go", { onclick: () => page.choose(choice), "aria-label": `${t("go")}: ${shown}` }, `${t("go")} ✓`),
  ];
}
