/** Building the page: elements, crests, dialogs, and error messages. */

import { adorn, made, symbol } from "./svg.js";
import { t } from "./i18n.js";

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Make an element: `el("button.main", { onclick }, "Play")`; a property that is false or null is left out.
 * @param {string} name a tag and classes @param {Record<string, any>} [props] @param {...(Child | Child[])} children
 * @returns {any}
 */
export function el(name, props = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(props)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "html") Object.assign(element, { [key === "html" ? "innerHTML" : key]: value });
    else if (value !== false && value != null) element.setAttribute(key, value === true ? "" : String(value));
  }
  if (children.length) fill(element, ...children);
  return element;
}

/**
 * Put children into an element in place of what is there.
 * @param {Element} element @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  const kept = children.flat().filter((child) => child != null && child !== false && child !== "");
  element.replaceChildren(...kept.map((child) => (child instanceof Node ? child : String(child))));
}

/** Find an element by its id. @param {string} id @returns {HTMLElement} */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** A picture of the page's own drawings. @param {string} name @param {string} [label] */
export function picture(name, label) {
  const svg = made("svg", { class: `picture ${name}`, viewBox: "0 0 64 64" });
  adorn(svg, label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" });
  svg.append(made("use", { href: symbol("crests", name) }));
  return svg;
}

/** A crest: its colour and its figure, the same as on the boards. @param {string} crest */
export function crestOf(crest) {
  return el(`span.crest.${crest}`, { "aria-hidden": "true" }, picture("shield"), picture(`crest-${crest}`));
}

/**
 * A drop-down list; a choice that is barred is shown all the same.
 * @param {[key: string, text: string, barred?: boolean][]} choices @param {string} value
 * @param {Record<string, any>} [props]
 */
export function select(choices, value, props = {}) {
  const options = choices.map(([key, text, disabled]) =>
    el("option", { value: key, selected: key === value, disabled }, text));
  return el("span.select", {}, el("select", props, ...options));
}

/**
 * Show a sheet over the page until it is closed; give a function that closes it.
 * @param {string} title @param {Child[]} children
 * @param {{ sealed?: boolean, kind?: string, cover?: HTMLElement }} [how] sealed: only its own button closes it; kind: its
 *   classes; cover: what slides off it first
 */
export function dialog(title, children, how = {}) {
  const close = () => sheet.remove();
  const cross = el("button.cross", { "aria-label": t("close"), onclick: close }, "×");
  const sheet = el(`dialog.sheet${how.sealed ? ".sealed" : ""}${how.kind ?? ""}`, { "aria-label": title },
    el("header", {}, el("h2", {}, title), !how.sealed && cross), ...children);
  // Browsers close any dialog at the second Escape; a sealed one comes back.
  sheet.addEventListener("close", () => (how.sealed ? sheet.showModal() : close()));
  sheet.addEventListener("cancel", (/** @type {Event} */ event) => how.sealed && event.preventDefault());
  // A click beside the sheet closes it.
  sheet.addEventListener("click", (/** @type {Event} */ event) => !how.sealed && event.target === sheet && close());
  document.body.append(sheet);
  sheet.showModal();
  if (how.cover) slideOff(sheet, how.cover);
  return close;
}

/** Lay a cover on a sheet and slide it off. @param {HTMLElement} sheet @param {HTMLElement} cover */
function slideOff(sheet, cover) {
  const { left, top, width, height } = sheet.getBoundingClientRect();
  const moving = el("div.cover-off", { "aria-hidden": "true", onanimationend: () => moving.remove() }, cover);
  Object.assign(moving.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  sheet.append(moving);
}

/**
 * Ask before something that cannot be undone.
 * @param {string} title @param {string} text @param {string} yes @returns {Promise<boolean>}
 */
export function confirmed(title, text, yes) {
  return new Promise((resolve) => {
    const answer = (/** @type {boolean} */ said) => () => (resolve(said), close());
    const agree = el("button.main", { onclick: answer(true) }, yes);
    const close = dialog(title, [
      el("p", {}, text),
      el("p.row", {}, agree, el("button", { onclick: answer(false) }, t("no"))),
    ]);
  });
}

/**
 * A link to be passed on: its text, a button that copies it, and its QR code.
 * @param {{ link: string, qr: string }} passed
 */
export function passOn({ link, qr }) {
  const field = el("input", { readonly: true, value: link, "aria-label": t("link"), onfocus: () => field.select() });
  const copy = el("button.main", {
    onclick: async () => {
      field.select();
      // Without https there is no clipboard: the old way still works there.
      await (navigator.clipboard?.writeText(link) ?? Promise.resolve(document.execCommand("copy")));
      fill(copy, t("copied"));
    },
  }, t("copy"));
  const code = el("div.qr", { html: qr, role: "img", "aria-label": t("qr") });
  return el("div.pass-on", {}, el("p.row", {}, field, copy), code);
}

/** Say why something was not done, with the paragraph of the rule where one forbids it. @param {Child[]} sentences */
export function complain(...sentences) {
  const note = el("div.complaint", {}, el("div", {}, ...sentences),
    el("button.cross", { "aria-label": t("close"), onclick: () => note.remove() }, "×"));
  byId("complaints").replaceChildren(note);
  setTimeout(() => note.remove(), 12_000);
}
