/** Building the page: elements, crests, dialogs, and telling why something was not done. */

import { adorn, made } from "./svg.js";
import { t } from "./words.js";

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
  svg.append(made("use", { href: `/page/art.svg#${name}` }));
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
 * @param {{ sealed?: boolean, kind?: string, lid?: HTMLElement }} [how] sealed: only its own button closes it; kind: its
 *   classes; lid: what slides off it first
 */
export function dialog(title, children, how = {}) {
  const close = () => box.remove();
  const cross = el("button.cross", { "aria-label": t("close"), onclick: close }, "×");
  const box = el(`dialog.sheet${how.sealed ? ".sealed" : ""}${how.kind ?? ""}`, { "aria-label": title },
    el("header", {}, el("h2", {}, title), !how.sealed && cross), ...children);
  // Browsers close any dialog at the second Escape; a sealed one comes back.
  box.addEventListener("close", () => (how.sealed ? box.showModal() : close()));
  box.addEventListener("cancel", (/** @type {Event} */ event) => how.sealed && event.preventDefault());
  // A click beside the sheet closes it.
  box.addEventListener("click", (/** @type {Event} */ event) => !how.sealed && event.target === box && close());
  document.body.append(box);
  box.showModal();
  if (how.lid) slideOff(box, how.lid);
  return close;
}

/** Let a lid lie on a sheet and slide off. @param {HTMLElement} box @param {HTMLElement} cover */
function slideOff(box, cover) {
  const { left, top, width, height } = box.getBoundingClientRect();
  const lid = el("div.lid-off", { "aria-hidden": "true", onanimationend: () => lid.remove() }, cover);
  Object.assign(lid.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  box.append(lid);
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
