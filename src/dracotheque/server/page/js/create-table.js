/** Creates a table, and starts the game where no seat is free. */

import { clientSeed, post } from "./api.js";
import { attempt } from "./errors.js";

/** Open a table and go there. @param {{ seats: { kind: string }[] } & Record<string, any>} wish */
export async function createTable(wish) {
  const opened = await attempt(post("/api/tables", { ...wish, begin: false }));
  if (!opened) return;
  const full = wish.seats.every((seat) => seat.kind !== "link" && seat.kind !== "open");
  await startAndGo(opened.table, wish.seats.findIndex((seat) => seat.kind === "me"), full);
}

/**
 * Add a client seed to the dice of a table that has committed to its seed, begin where nobody has to be waited
 * for, and go there.
 * @param {string} table @param {number} seat @param {boolean} full
 */
export async function startAndGo(table, seat, full) {
  const path = `/api/tables/${table}/do`;
  if (seat >= 0) await attempt(post(path, { type: "set-client-seed", seat, client_seed: clientSeed() }));
  if (full) await attempt(post(path, { type: "start" }));
  location.assign(`/t/${table}`);
}
