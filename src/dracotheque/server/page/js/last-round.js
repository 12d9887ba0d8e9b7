/** The moves since the own last choice: what others did, to be seen again, and in a few words beside each player. */

/** @typedef {import("../protocol").BoardState} BoardState */
/** @typedef {import("../protocol").MoveRecord} MoveRecord */
/** @typedef {import("./move-queue.js").MoveStep} MoveStep */
/** @typedef {import("./move-queue.js").ReplayStep} ReplayStep */

export class LastRound {
  /** The board after the own last choice. @type {BoardState | null} */
  start = null;
  /** @type {MoveStep[]} */
  moves = [];

  /** Forget everything: the board was not made by moves that were seen. @param {BoardState | null} board */
  restart(board) {
    this.start = board;
    this.moves = [];
  }

  /** Take in a move that was shown; an own one begins another round. @param {MoveStep} step @param {boolean} own */
  add(step, own) {
    if (own) this.restart(step.board);
    else this.moves.push(step);
  }

  /** Whether there is something to be seen again. */
  get isEmpty() {
    return !this.start || !this.moves.length;
  }

  /** By whose choice a move was made: chance belongs to the choice before it. @param {number} index */
  actor(index) {
    return this.moves.slice(0, index + 1).findLast(({ record }) => (record.player ?? -1) >= 0)?.record.player ?? -1;
  }

  /**
   * The steps that show the round again, or one player's part of it: each stretch from the board before it.
   * @param {number | null} seat @returns {ReplayStep[]}
   */
  steps(seat = null) {
    /** @type {ReplayStep[]} */
    const steps = [];
    this.moves.forEach(({ record, board, moveNumber }, index) => {
      if (!board || (seat !== null && this.actor(index) !== seat)) return;
      const before = this.moves[index - 1]?.board ?? this.start;
      if (before && steps.at(-1)?.board !== before) steps.push(still(before, moveNumber - 1));
      steps.push({ type: "replay", record, board, moveNumber, news: [record], still: false });
    });
    return steps;
  }
}

/** A board that is set down. @param {BoardState} board @param {number} moveNumber @returns {ReplayStep} */
export const still = (board, moveNumber) => ({ type: "replay", board, moveNumber, news: [], still: true });
