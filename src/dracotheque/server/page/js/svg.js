/** Parts of drawings; nothing else is needed for them. */

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

/** The sheets of symbols that are in the page, or on their way. @type {Set<string>} */
const sheets = new Set();

/**
 * Name a symbol of a sheet: `crests` or `tutorial`. The sheet is put into the page once, so that pictures that come later ask
 * the server for nothing.
 * @param {string} sheet @param {string} name
 */
export function symbol(sheet, name) {
  if (!sheets.has(sheet)) addSheet(sheet).catch(() => sheets.delete(sheet)); // the next picture asks again
  return `#${sheet}-${name}`;
}

/** @param {string} sheet */
async function addSheet(sheet) {
  sheets.add(sheet);
  const answer = await fetch(`/page/${sheet}.svg`);
  if (!answer.ok) throw new Error(answer.statusText);
  const text = (await answer.text()).replaceAll(' id="', ` id="${sheet}-`);
  document.body.insertAdjacentHTML("beforeend", `<div class="sheets" aria-hidden="true">${text}</div>`);
}
