/** Parts of drawings, and the sheets of symbols they are made of. */

import { getText } from "./api.js";

/** Make a part of a drawing. @param {string} name @param {Record<string, string | number>} attributes */
export function made(name, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  adorn(node, attributes);
  return /** @type {SVGElement} */ (node);
}

/** @param {Element} node @param {Record<string, string | number>} attributes */
export function adorn(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}

/** The sheets of symbols that are in the page, or on their way. @type {Map<string, Promise<void>>} */
const sheets = new Map();

/**
 * Name a symbol of a sheet: `crests` or `tutorial`. The sheet is put into the page once, so that later pictures need no
 * request.
 * @param {string} sheet @param {string} name
 */
export function symbol(sheet, name) {
  loadSheet(sheet).catch(() => undefined); // the next picture asks again
  return `#${sheet}-${name}`;
}

/** Put a sheet into the page, once; resolves when it is there. @param {string} sheet @returns {Promise<void>} */
export function loadSheet(sheet) {
  const loading = sheets.get(sheet) ?? addSheet(sheet);
  sheets.set(sheet, loading);
  loading.catch(() => sheets.delete(sheet));
  return loading;
}

/** @param {string} sheet */
async function addSheet(sheet) {
  const text = (await getText(`/page/${sheet}.svg`)).replaceAll(' id="', ` id="${sheet}-`);
  document.body.insertAdjacentHTML("beforeend", `<div class="sheets" aria-hidden="true">${text}</div>`);
}
