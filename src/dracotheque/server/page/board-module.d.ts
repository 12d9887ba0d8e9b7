/**
 * What the web/board.js of a game exports.
 *
 * Written by hand: protocol.d.ts beside it is generated from the messages of the server, and this is in none of them.
 */

import type { BoardState, Choice, MoveRecord, Phrase, Piece } from "./protocol";
import type { SvgBoard } from "./js/svg-board.js";
import type { TablePage } from "./js/table-page.js";

/** A place of the board's drawing: where it is, how much room it has, and how it is called. */
export interface Place {
  x: number;
  y: number;
  r: number;
  node: SVGGElement;
  label: string;
}

/** Where something flies from or to: an element, a point, a place, a piece, or what lies before a seat. */
export interface End {
  /** The first element that it finds, if it finds one. */
  selector?: string;
  at?: { x: number; y: number };
  place?: string;
  figure?: string;
  seat?: number;
}

/** Where a card that goes is brought and turned over before; times are in milliseconds from the move's beginning. */
export interface Stage {
  x: number;
  y: number;
  scale: number;
  /** The symbol of its other side. */
  symbol: string;
  gathered: number;
  turns: number;
  leaves: number;
}

/** Something that flies beside the pieces. Times are in milliseconds. */
export interface Flight {
  symbol: string;
  /** The symbol of its other side, where it is turned over on the way. */
  turned?: string;
  size: number;
  from: End;
  to: End;
  seat?: number;
  /** The piece it stands for: one that went, or one that comes with it. */
  of?: string;
  delay?: number;
  duration?: number;
  high?: number;
  /** How large it is where it begins, as a share of its size. */
  grow?: number;
  /** How long it stays where it has arrived. */
  stays?: number;
}

/** A part of what is said at a target: a text, a phrase, or a symbol. */
export type ChipPart = string | Phrase | { symbol: string };

/** A thrown die: the symbol of its face, and of those seen on the way. */
export interface Throw {
  symbol: string;
  faces: string[];
}

type Pieces = Record<string, Piece>;
type Point = [x: number, y: number];

export interface BoardModule {
  /** The id of the symbol that shows a piece: one of web/pieces.svg, or of `symbols`. */
  symbolOf(piece: Piece): string;
  /** How large a piece is, in units of the drawing. */
  size(piece: Piece): number;
  /** Where a piece stands that is one of several at a place, from its middle. */
  stand(rank: number, count: number, room: number): Point;

  /** Symbols that are computed, such as those with numbers; static drawings are in web/pieces.svg. */
  symbols?: string;
  /** Another board than the drawn one. */
  board?(page: TablePage, module: BoardModule): SvgBoard;
  /** Nothing on the board is for one seat alone, so that it may stay while the device goes from hand to hand. */
  open?: boolean;
  /** The board has no details to look at from nearer. */
  plain?: boolean;
  /** Whether the drawing is wider than high by a third or more: the bar then lies below it; else beside it. */
  wide?: boolean;
  /** Adapt the empty board to the number of players. */
  lay?(drawing: SVGSVGElement, players: number): void;
  /** The name of a place, in short. */
  tag?(label: string): string;
  /** How large names are written on the board, in units of the drawing. */
  written?: number;

  /** The piece that a choice moves, where it is not a seat's own or the only one at its first place. */
  carried?(question: Phrase, pieces: Piece[], seat: number): Piece | undefined;
  /** The places that are counted on a way, its end the last. */
  steps?(from: Place, to: Place, places: Map<string, Place>): Place[];
  /** What a choice brings, in short. */
  chip?(preview: Phrase): ChipPart[] | undefined;
  /** What is written beside the pieces of a place, where their number counts. */
  badge?(pieces: Piece[], place: string): string;
  /**
   * What one chooses with in place of the list of buttons; null where the list serves. A button that stands for a choice
   * is a `button.choice` with its `data-action`, and commits with `page.choose`.
   */
  controls?(page: TablePage, choices: Choice[]): HTMLElement | null;

  /** Renumber pieces that are alike, so that the right one is seen to move. */
  follow?(before: Pieces, after: Pieces): Pieces;
  /** The points on the way of a piece. */
  between?(piece: Piece, from: Place, to: Place, places: Map<string, Place>, record?: MoveRecord): Point[];
  /** Whether a piece may leave a place and come back to it in one move. */
  roams?(piece: Piece): boolean;
  /** How high a piece is lifted between two points. */
  hop?(piece: Piece): number;
  /** How many milliseconds a piece waits before it moves. */
  delay?(before: Piece, after: Piece): number;
  /** Whether a new piece falls on its place. */
  falls?(piece: Piece): boolean;
  /** Whether a new piece is shaken. */
  shakes?(piece: Piece): boolean;
  /** Whether a piece is turned over. */
  flips?(before: Piece, after: Piece): boolean;
  /** What flies beside the pieces in a move. */
  flights?(before: BoardState, after: BoardState, record?: MoveRecord, places?: Map<string, Place>): Flight[];
  /** Whether a move reveals what was secret, so that its caption comes only when it has been seen. */
  isReveal?(record: MoveRecord): boolean;
  /** Which pieces that go are turned over elsewhere first, by their ids. */
  stages?(before: BoardState, after: BoardState, record?: MoveRecord, places?: Map<string, Place>): Record<string, Stage>;
  /** The die of a move, if one is thrown. */
  thrown?(record: MoveRecord): Throw | null;
}
