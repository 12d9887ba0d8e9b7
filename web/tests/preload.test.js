/** The two pages name what they need, so that a browser fetches it at once and not one after the other. */

import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { PAGE, scripts } from "./page.js";

/** @param {string} path */
const read = (path) => readFileSync(new URL(path, PAGE), "utf8");

/** Every module that one needs before it can begin. @param {string} start @param {Set<string>} found */
function needed(start, found = new Set()) {
  if (found.has(start)) return found;
  found.add(start);
  for (const [, path] of read(start).matchAll(/^(?:import|export)\b[^;]*?from "(\.[^"]+)"/gm)) {
    needed(posix.join(posix.dirname(start), path), found);
  }
  return found;
}

test.each([
  ["index.html", ["js/main.js"]],
  ["table.html", ["js/main.js", "js/table-page.js"]],
])("%s", (page, starts) => {
  const named = [...read(page).matchAll(/(?:modulepreload" href|type="module" src)="\/page\/([^"]+)"/g)];
  const modules = new Set(starts.flatMap((start) => [...needed(start)]));
  expect(named.map(([, path]) => path).sort()).toEqual([...modules].sort());
});

test("every style sheet is asked for somewhere", () => {
  const asking = [read("index.html"), read("table.html"), ...scripts()].join("\n");
  const sheets = readdirSync(new URL("css/", PAGE));
  expect(sheets.length).toBeGreaterThan(5);
  expect(sheets.filter((name) => !asking.includes(`/page/css/${name}`))).toEqual([]);
});
