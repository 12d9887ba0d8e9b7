/** Opening a table, and beginning where nobody has to be waited for. */

import { luck, post } from "./api.js";
import { attempt } from "./wrong.js";

/** Open a table and go there. @param {{ seats: { kind: string }[] } & Record<string, any>} wish */
export async function go(wish) {
  const opened = await attempt(post("/api/tables", { ...wish, begin: false }));
  if (!opened) return;
  const full = wish.seats.every((seat) => seat.kind !== "link" && seat.kind !== "open");
  await begin(opened.table, wish.seats.findIndex((seat) => seat.kind === "me"), full);
}

/**
 * Bring luck to a table that has committed to its seed, begin where nobody has to be waited for, and go there.
 * @param {string} table @param {number} seat @param {boolean} full
 */
export async function begin(table, seat, full) {
  const path = `/api/tables/${table}/do`;
  if (seat >= 0) await attempt(post(path, { do: "bring-luck", seat, luck: luck() }));
  if (full) await attempt(post(path, { do: "start" }));
  location.assign(`/t/${table}`);
}
