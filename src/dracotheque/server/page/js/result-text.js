/** The result of a game, as a sentence. */

import { gameText, language, say, t } from "./i18n.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */
/** @typedef {import("../protocol").ScoreRow} ScoreRow */

/**
 * The sentence that names the winners, their points and what made the difference.
 * @param {TablePage} page @param {ScoreRow[]} rows
 */
export function resultText(page, rows) {
  const result = /** @type {NonNullable<TablePage["shown"]["result"]>} */ (page.shown.result);
  const { winners, scores, resigned } = result;
  if (resigned != null) return givenUp(page, resigned, winners[0]);
  const [winner] = winners;
  const most = amount(scores[winner]);
  if (winners.length > 1) return t("end.shared", { names: listed(page, winners), amount: most });
  const you = isYou(page, winner);
  // A game that words its victory itself is not won by points.
  const worded = gameText(you ? "end.won_you" : "end.won", { seat: page.name(winner), name: page.name(winner) });
  if (worded !== undefined) return worded;
  const won = t(you ? "end.won-you" : "end.won", { name: page.name(winner), amount: most });
  return behind(page, won, winner, rows);
}

/**
 * Add what the next one had, or what broke the tie.
 * @param {TablePage} page @param {string} won @param {number} winner @param {ScoreRow[]} rows
 */
function behind(page, won, winner, rows) {
  const { scores } = /** @type {NonNullable<TablePage["shown"]["result"]>} */ (page.shown.result);
  const others = scores.filter((_, seat) => seat !== winner);
  const most = Math.max(...others);
  const count = scores[winner] - most;
  const tie = rows.filter((row) => row.kind === "tie").at(-1);
  if (!count) return t("end.tie", { won, tie: tie ? say(tie.phrase) : "" });
  const next = scores.flatMap((score, seat) => (seat !== winner && score === most ? [seat] : []));
  return t(next.length > 1 ? "end.margin-several" : "end.margin", { won, than: listed(page, next), count });
}

/** @param {TablePage} page @param {number} loser @param {number} winner */
function givenUp(page, loser, winner) {
  if (isYou(page, loser)) return t("end.resigned-you", { winner: page.name(winner) });
  if (isYou(page, winner)) return t("end.resigned-for-you", { loser: page.name(loser) });
  return t("end.resigned", { loser: page.name(loser), winner: page.name(winner) });
}

/** Whether that seat is the only one played at this screen. @param {TablePage} page @param {number} seat */
const isYou = (page, seat) => page.mine.length === 1 && page.mine[0] === seat;

/** So many points, coins or seals, as the game calls them. @param {number} count */
const amount = (count) => gameText("end.amount", { count }) ?? say(["generic.amount", { count }]);

/** @param {TablePage} page @param {number[]} seats */
const listed = (page, seats) => new Intl.ListFormat(language).format(seats.map((seat) => page.name(seat)));
