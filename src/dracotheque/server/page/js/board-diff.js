/** What is different between two boards: pure, without a page. */

/** @typedef {import("../protocol").Piece} Piece */
/** @typedef {Record<string, Piece>} Pieces */
/** @typedef {{ rank: number, count: number }} Standing */
/**
 * Which pieces came, went, went elsewhere, are another thing now or look another way, or only made room for others.
 * @typedef {{ came: string[], went: string[], moved: string[], changed: string[], shifted: string[] }} Difference
 */

/**
 * Numbers in names count as numbers: the tenth card lies above the second.
 * @param {string} one @param {string} other
 */
const inOrder = (one, other) => one.localeCompare(other, "en", { numeric: true });

/** The ids of the pieces at each place, in a stable order. @param {Pieces} pieces */
export function crowds(pieces) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const id of Object.keys(pieces).sort(inOrder)) {
    const { place } = pieces[id];
    found.set(place, [...(found.get(place) ?? []), id]);
  }
  return found;
}

/**
 * As which of how many a piece stands at its place; those of a seat stand last, in front.
 * @param {Pieces} pieces @param {number} [seat] @returns {Record<string, Standing>}
 */
export function ranks(pieces, seat = -1) {
  const own = (/** @type {string} */ id) => Number(seat >= 0 && pieces[id].seat === seat);
  const each = [...crowds(pieces).values()].flatMap((crowd) =>
    crowd.sort((one, other) => own(one) - own(other)).map((id, rank) => /** @type {[string, Standing]} */ ([id, { rank, count: crowd.length }])));
  return Object.fromEntries(each);
}

/** @param {Pieces} before @param {Pieces} after @returns {Difference} */
export function difference(before, after) {
  const stayed = Object.keys(after).filter((id) => id in before);
  const moved = stayed.filter((id) => before[id].place !== after[id].place);
  const [were, are] = [ranks(before), ranks(after)];
  return {
    came: Object.keys(after).filter((id) => !(id in before)),
    went: Object.keys(before).filter((id) => !(id in after)),
    moved,
    changed: stayed.filter((id) => !looksAlike(before[id], after[id])),
    shifted: stayed.filter((id) => !moved.includes(id)
      && (were[id].rank !== are[id].rank || were[id].count !== are[id].count)),
  };
}

/** @param {Piece} one @param {Piece} other */
const looksAlike = (one, other) => one.kind === other.kind
  && (one.seat ?? -1) === (other.seat ?? -1) && (one.value ?? 0) === (other.value ?? 0)
  && (one.turn ?? 0) === (other.turn ?? 0);

/**
 * How many of a kind lie before a seat, and their value.
 * @param {any[][]} holdings @param {number} seat @param {string} kind
 */
export function held(holdings, seat, kind) {
  const found = (holdings[seat] ?? []).find((each) => each.kind === kind);
  return { count: found ? found.count ?? 1 : 0, value: found?.value ?? 0 };
}

/**
 * Before which seats there is more of a kind than there was.
 * @param {any[][]} before @param {any[][]} after @param {string} kind
 */
export function gained(before, after, kind) {
  return after.flatMap((_, seat) => (held(after, seat, kind).count > held(before, seat, kind).count ? [seat] : []));
}
