/** The rulebook's few marks, as elements: paragraphs, lists, quotes, what is bold or stressed. */

import { el } from "./dom.js";

/** Set a rule's text. @param {string} text @returns {HTMLElement[]} */
export function paragraph(text) {
  return text.split(/\n{2,}/).map((block) => {
    const lines = block.split("\n");
    if (lines.every((line) => line.startsWith("> "))) {
      return el("blockquote", {}, ...paragraph(lines.map((line) => line.slice(2)).join("\n")));
    }
    const items = lines.filter((line) => /^\s*(-|\d+\.) /.test(line));
    if (items.length !== lines.length) return el("p", {}, ...stressed(lines.join(" ")));
    const list = /^\s*\d/.test(block) ? "ol" : "ul";
    return el(list, {}, ...items.map((item) => el("li", {}, ...stressed(item.replace(/^\s*(-|\d+\.) /, "")))));
  });
}

/**
 * What a rulebook says before its first section of rules, heading by heading.
 * @param {string} markdown @returns {{ title: string, text: string }[]}
 */
export function openingOf(markdown) {
  const [opening] = markdown.split(/^## .+\n+(?=### )/m, 1);
  const sections = opening.split(/^##? /m).slice(1).map((section) => section.split(/\n+(.*)/s));
  return sections.map(([title, text = ""]) => ({ title, text: text.trim() }));
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
