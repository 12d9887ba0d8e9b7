/** The result of a game, as a sentence. */

import { gameText, language, say, t } from "./i18n.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").ScoreRow} ScoreRow */

const ordinals = new Intl.PluralRules(language, { type: "ordinal" });

/**
 * The headline: how the only player at this screen did, or else who has won.
 * @param {TablePage} page @param {ScoreRow[]} rows
 */
export function resultText(page, rows) {
  const { winners, resigned } = resultOf(page);
  const me = ownSeat(page);
  if (me === null) return winnersText(page, rows);
  if (resigned != null) return givenUp(page, resigned, winners[0], me);
  return winners.includes(me) ? victory(page, rows, me) : defeat(page, rows, me);
}

/**
 * The sentence that names the winners, their points and what made the difference.
 * @param {TablePage} page @param {ScoreRow[]} rows
 */
export function winnersText(page, rows) {
  const { winners, scores, resigned } = resultOf(page);
  if (resigned != null) return givenUp(page, resigned, winners[0], null);
  const [winner] = winners;
  const most = amount(scores[winner]);
  if (winners.length > 1) return t("end.shared", { names: listed(page, winners), amount: most });
  return wordedVictory(page, winner) ?? behind(page, t("end.won", { name: page.name(winner), amount: most }), winner, rows);
}

/** The seat of the only player at this screen, or null. @param {TablePage} page */
export const ownSeat = (page) => (page.mine.length === 1 ? page.mine[0] : null);

/** @param {TablePage} page */
const resultOf = (page) => /** @type {NonNullable<TablePage["shown"]["result"]>} */ (page.shown.result);

/** How a game that is not won by points words its victory. @param {TablePage} page @param {number} winner */
const wordedVictory = (page, winner) => gameText("end.won", { seat: page.name(winner), name: page.name(winner) });

/** @param {TablePage} page @param {ScoreRow[]} rows @param {number} me */
function victory(page, rows, me) {
  const { winners, scores } = resultOf(page);
  const partners = winners.filter((seat) => seat !== me);
  const mine = amount(scores[me]);
  if (partners.length) return t("end.shared-you", { names: listed(page, partners), amount: mine });
  const worded = gameText("end.won_you");
  if (worded !== undefined) return worded;
  const lead = scores[me] - Math.max(...scores.filter((_, seat) => seat !== me));
  if (lead) return t("end.lead", { amount: amount(lead) });
  return t("end.tie", { won: t("end.won-you", { amount: mine }), tie: tiebreak(rows) });
}

/** @param {TablePage} page @param {ScoreRow[]} rows @param {number} me */
function defeat(page, rows, me) {
  const { winners, scores } = resultOf(page);
  const worded = wordedVictory(page, winners[0]);
  if (worded !== undefined) {
    const step = rows.find((row) => row.kind === "aside")?.counts[me];
    return (step && gameText("end.lost_you", { seat: page.name(winners[0]), step })) || worded;
  }
  const ahead = scores.filter((score, seat) => score > scores[me] || winners.includes(seat)).length;
  const place = t(`end.place.${ordinals.select(ahead + 1)}`, { number: ahead + 1, players: scores.length });
  const count = scores[winners[0]] - scores[me];
  const known = { place, amount: amount(scores[me]), than: listed(page, winners) };
  if (!count) return t("end.behind-tie", { ...known, tie: tiebreak(rows) });
  return t(winners.length > 1 ? "end.behind-several" : "end.behind", { ...known, count });
}

/**
 * Add what the next one had, or what broke the tie.
 * @param {TablePage} page @param {string} won @param {number} winner @param {ScoreRow[]} rows
 */
function behind(page, won, winner, rows) {
  const { scores } = resultOf(page);
  const others = scores.filter((_, seat) => seat !== winner);
  const most = Math.max(...others);
  const count = scores[winner] - most;
  if (!count) return t("end.tie", { won, tie: tiebreak(rows) });
  const next = scores.flatMap((score, seat) => (seat !== winner && score === most ? [seat] : []));
  return t(next.length > 1 ? "end.margin-several" : "end.margin", { won, than: listed(page, next), count });
}

/** @param {TablePage} page @param {number} loser @param {number} winner @param {number | null} me */
function givenUp(page, loser, winner, me) {
  if (me === loser) return t("end.resigned-you", { winner: page.name(winner) });
  if (me === winner) return t("end.resigned-for-you", { loser: page.name(loser) });
  return t("end.resigned", { loser: page.name(loser), winner: page.name(winner) });
}

/** What broke the tie. @param {ScoreRow[]} rows */
function tiebreak(rows) {
  const tie = rows.filter((row) => row.kind === "tie").at(-1);
  return tie ? say(tie.phrase) : "";
}

/** So many points, coins or seals, as the game calls them. @param {number} count */
const amount = (count) => gameText("end.amount", { count }) ?? say(["generic.amount", { count }]);

/** @param {TablePage} page @param {number[]} seats */
const listed = (page, seats) => new Intl.ListFormat(language).format(seats.map((seat) => page.name(seat)));
