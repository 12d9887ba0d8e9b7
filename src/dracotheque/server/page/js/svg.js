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
