/** The rulebook's few marks, as elements: paragraphs, lists, what is bold or stressed. */

import { el } from "./dom.js";

/** Set a rule's text. @param {string} text @returns {HTMLElement[]} */
export function paragraph(text) {
  return text.split(/\n{2,}/).map((block) => {
    const lines = block.split("\n");
    const items = lines.filter((line) => /^\s*(-|\d+\.) /.test(line));
    if (items.length !== lines.length) return el("p", {}, ...stressed(lines.join(" ")));
    const list = /^\s*\d/.test(block) ? "ol" : "ul";
    return el(list, {}, ...items.map((item) => el("li", {}, ...stressed(item.replace(/^\s*(-|\d+\.) /, "")))));
  });
}

/** The first sentence of a text. @param {string} text */
export const firstSentence = (text) => text.split(/\n\n/)[0].match(/^.*?[.!?](?=\s|$)/s)?.[0] ?? text;

/** @param {string} text @returns {(HTMLElement | string)[]} */
function stressed(text) {
  return text.split(/(\*\*.+?\*\*|\*.+?\*|`.+?`)/).map((part) => {
    if (part.startsWith("**")) return el("strong", {}, part.slice(2, -2));
    if (/^[*`]./.test(part)) return el(part[0] === "*" ? "em" : "code", {}, part.slice(1, -1));
    return part;
  });
}
