/** The moves of a finished game as one seat saw them, and the board after each: fetched in stretches, and kept. */

import { get } from "./api.js";
import { applyPatch } from "./move-queue.js";

/** @typedef {import("../protocol").BoardState} BoardState */
/** @typedef {import("../protocol").MoveRecord} MoveRecord */
/** @typedef {import("../protocol").MoveList} MoveList */
/**
 * Some moves after one another: `boards[n]` is the board before `moves[n]`.
 * @typedef {{ boards: BoardState[], moves: MoveRecord[] }} Stretch
 */

const STRETCH = 200; // moves: as many as the server gives at a time

/** The boards of a stretch, made from its first by patches. @param {MoveList} found @returns {Stretch} */
export function unfold({ board, moves }) {
  const boards = [/** @type {BoardState} */ (board)];
  for (const record of moves) boards.push(applyPatch(boards[boards.length - 1], record));
  return { boards, moves };
}

export class GameRecord {
  /** @type {Map<string, Promise<Stretch>>} */
  stretches = new Map();

  /** @param {string} path of the table */
  constructor(path) {
    this.path = path;
  }

  /**
   * The board after a number of moves, and the move that led there.
   * @param {number} seat @param {number} moveNumber @returns {Promise<{ board: BoardState, record?: MoveRecord }>}
   */
  async at(seat, moveNumber) {
    const first = Math.floor(Math.max(0, moveNumber - 1) / STRETCH) * STRETCH;
    const { boards, moves } = await this.stretch(seat, first);
    return { board: boards[moveNumber - first], record: moves[moveNumber - first - 1] };
  }

  /** @param {number} seat @param {number} first */
  stretch(seat, first) {
    const key = `${seat}/${first}`;
    const found = this.stretches.get(key) ?? this.fetch(seat, first);
    this.stretches.set(key, found);
    found.catch(() => this.stretches.delete(key)); // it is asked for again
    return found;
  }

  /** @param {number} seat @param {number} first */
  async fetch(seat, first) {
    return unfold(await get(`${this.path}/moves?first=${first}&seat=${seat}`));
  }
}
