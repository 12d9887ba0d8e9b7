/** Who has won, in a sentence. */

import { language, say, t } from "./words.js";

/** @typedef {import("./table.js").TablePage} TablePage */
/** @typedef {import("../../../../../web/src/messages").ScoreRow} ScoreRow */

/** Say who has won, with how much, and what made the difference. @param {TablePage} page @param {ScoreRow[]} rows */
export function verdict(page, rows) {
  const result = /** @type {NonNullable<TablePage["view"]["result"]>} */ (page.view.result);
  const { winners, scores, resigned } = result;
  if (resigned != null) return givenUp(page, resigned, winners[0]);
  const [winner] = winners;
  const most = amount(page, scores[winner]);
  if (winners.length > 1) return t("end.shared", { names: listed(page, winners), amount: most });
  const you = isYou(page, winner) ? "-you" : "";
  if (page.view.game === "save-the-dragon") return t(`end.freed${you}`, { seat: called(page, winner) });
  const won = t(`end.won${you}`, { seat: called(page, winner), amount: most });
  return behind(page, won, winner, rows);
}

/**
 * Add what the next one had, or what broke the tie.
 * @param {TablePage} page @param {string} won @param {number} winner @param {ScoreRow[]} rows
 */
function behind(page, won, winner, rows) {
  const { scores } = /** @type {NonNullable<TablePage["view"]["result"]>} */ (page.view.result);
  const others = scores.filter((_, seat) => seat !== winner);
  const most = Math.max(...others);
  const count = scores[winner] - most;
  const tie = rows.filter((row) => row.kind === "tie").at(-1);
  if (!count) return t("end.tie", { won, tie: tie ? say(tie.phrase) : "" });
  const next = scores.flatMap((score, seat) => (seat !== winner && score === most ? [seat] : []));
  return t(next.length > 1 ? "end.margin-several" : "end.margin", { won, than: listed(page, next, true), count });
}

/** @param {TablePage} page @param {number} loser @param {number} winner */
function givenUp(page, loser, winner) {
  if (isYou(page, loser)) return t("end.resigned-you", { winner: called(page, winner, true) });
  if (isYou(page, winner)) return t("end.resigned-for-you", { loser: called(page, loser) });
  return t("end.resigned", { loser: called(page, loser), winner: called(page, winner, true) });
}

/** Whether only I sit at this screen, on that seat. @param {TablePage} page @param {number} seat */
const isYou = (page, seat) => page.mine.length === 1 && page.mine[0] === seat;

/** So many points, coins or seals. @param {TablePage} page @param {number} count */
const amount = (page, count) => t(`end.amount.${page.view.game}`, { count });

/**
 * How a seat is called at the beginning of a sentence or inside one: by name, or “The Lion”, “the Lion”.
 * @param {TablePage} page @param {number} seat @param {boolean} [inside]
 */
export function called(page, seat, inside = false) {
  const { crest, kind, name } = page.view.seats[seat];
  const said = say({ key: `seat.${crest}`, gaps: {} });
  return inside && !(kind === "person" && name) ? said[0].toLowerCase() + said.slice(1) : said;
}

/** @param {TablePage} page @param {number[]} seats @param {boolean} [inside] */
const listed = (page, seats, inside = false) =>
  new Intl.ListFormat(language).format(seats.map((seat, number) => called(page, seat, inside || number > 0)));
