/** The levels of bots that can take a seat; the one that plays perfectly only where a game is solved. */

import { t } from "./i18n.js";

/** @typedef {import("../protocol").GameInfo} GameInfo */

/** Whether a game is solved, set up like this. @param {GameInfo} game @param {number} players @param {any} options */
export function isSolved({ solved }, players, options) {
  return solved != null && players === solved.players
    && Object.entries(solved.options).every(([name, value]) => options[name] === value);
}

/**
 * The levels that can sit at a table; of earlier rules nothing is solved.
 * @param {GameInfo} game @param {number} players @param {any} options @param {number} rules
 */
export const levelsAt = (game, players, options, rules) =>
  [...game.levels, ...(rules === game.rules && isSolved(game, players, options) ? ["oracle"] : [])];

/**
 * Every level that a game has, and why one cannot sit down at a table that is set up like this.
 * @param {GameInfo} game @param {number} players @param {any} options @returns {{ level: string, why: string }[]}
 */
export function levelsOf(game, players, options) {
  const all = game.levels.map((level) => ({ level, why: "" }));
  if (!game.solved) return all;
  const why = players === game.solved.players ? t("level.not-so") : t(`level.for.${game.solved.players}`);
  return [...all, { level: "oracle", why: isSolved(game, players, options) ? "" : why }];
}
