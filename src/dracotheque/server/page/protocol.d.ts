// Made by `make types` from src/dracotheque/tables/{protocol,answers}.py; a test fails when it is stale.

/** A command was carried out, and is safe; `revision` is that of its event. */
export interface Ack {
  type: "ack";
  id: number;
  revision: number;
}

/** A choice, and how often it wins with perfect play of all seats from there on. */
export interface ActionValue {
  action: number;
  name: Phrase;
  share: number;
}

/** How often each choice of a seat wins, the best first; of a finished game also which was made. */
export interface ActionValues {
  seat: number;
  choices: ActionValue[];
  made?: number | null;
}

/** Every seat's chance of winning after some moves, and what changed them most; `ready` as in `GameInfo`. */
export interface Analysis {
  ready: boolean;
  moves: number[];
  chances: number[][];
  moments: TurningPoint[];
  exact?: boolean;
}

/** Let a bot play for me until I come back. */
export interface AssignSubstitute {
  type: "assign-substitute";
  id?: number;
  seat: number;
  level?: "beginner" | "dragon" | "easy" | "hard" | "hatchling" | "knight" | "medium" | "oracle" | "perfect" | "squire";
}

/** A choice that was clearly better, as far as its seat could know, and that seat's chance of winning with it. */
export interface BetterAction {
  name: Phrase;
  share: number;
}

/** A rule that forbids me something now: what, and how much more. */
export interface BlockedActions {
  rule: string;
  choices: Phrase[];
  more?: number;
}

/** The board as one viewpoint sees it: pieces by id, and the holdings of each seat. */
export interface BoardState {
  pieces: { [name: string]: Piece };
  holdings: Holding[][];
}

/** An empty board: SVG with a `data-place` for every place. */
export interface BoardSvg {
  svg: string;
}

/** What phrases say in one language. */
export interface CatalogView {
  entries: { [name: string]: string };
}

/** Change who gets a free seat; the host may, before the game. */
export interface ChangeSeat {
  type: "change-seat";
  id?: number;
  seat: number;
  request: SeatRequest;
}

/** One line of the chat. */
export interface ChatLine {
  revision: number;
  seat: number;
  text: string;
}

/** A seat wrote a line; clients that muted it get seat -1 and no text. */
export interface ChatMessage {
  type: "chat";
  revision: number;
  seat: number;
  text: string;
}

/** Something I may choose now: its number, its name, what it leads to, and its places on the board. */
export interface Choice {
  action: number;
  name: Phrase;
  preview?: Phrase | null;
  places?: string[];
  onward?: { [name: string]: Phrase | null };
}

/** Close a table that has not begun, or that has no other person. */
export interface Close {
  type: "close";
  id?: number;
}

/** A command was not carried out, and nothing has changed. */
export interface CommandRejected {
  type: "rejected";
  id: number;
  revision: number;
  problem: Problem;
}

/** Create a table; it begins at once where no seat is left to be taken, unless `begin` is false. */
export interface CreateTable {
  game: string;
  seats: SeatRequest[];
  options?: { [name: string]: string };
  board?: string | null;
  listed?: boolean;
  turn_timeout?: number | null;
  begin?: boolean;
}

/** What a table has promised about its dice, and after the game whether it was kept. */
export interface FairnessReport {
  table: string;
  commitment: string;
  client_seed: string;
  seed?: string;
  fair?: boolean | null;
  draws?: number;
  text?: string;
}

/** Something that happened, and the rule that made it so; it is sent as `[rule, phrase]`. */
export type GameEvent = [string, Phrase];

/** A game as the lobby shows it. */
export interface GameInfo {
  name: string;
  title: string;
  designer: string;
  year: number;
  min_players: number;
  max_players: number;
  default_players: number;
  age: number;
  minutes: string;
  rules: number;
  options: OptionView[];
  boards: string[];
  sealed: boolean;
  levels: string[];
  solved: Solved | null;
  web: string[];
  ready: boolean;
}

/** Every game. */
export interface GameList {
  games: GameInfo[];
}

/** Hints before a choice: what is not possible and why; what looks good and where it leads. */
export interface Hints {
  blocked: BlockedActions[];
  promising: number[];
  places: string[];
}

/** Something that lies before a seat: how many of a kind, and their value where the viewer may know it. */
export interface Holding {
  kind: string;
  count?: number;
  value?: number | null;
  label?: Phrase | null;
}

/** How a friend gets to a seat: the address's path and fragment, and a QR code (SVG) of the whole address. */
export interface Invitation {
  path: string;
  link: string;
  qr: string;
}

/** Ask for the invitation to a seat. */
export interface Invite {
  seat: number;
}

/** The key that brings me to another device. */
export interface Key {
  key: string;
}

/** Get up before the game begins. */
export interface Leave {
  type: "leave";
  id?: number;
  seat: number;
}

/** A table in a list: mine with whose turn it is, or one to join or watch. */
export interface Listing {
  table: string;
  game: string;
  players: number;
  status: string;
  seats: SeatView[];
  created: number;
  updated: number;
  move_number: number;
  asked?: number[];
  my_turn?: boolean;
}

/** Tables in a list. */
export interface Listings {
  tables: Listing[];
}

/** What an actor did: a seat, -1 or the name of a thing; phrases or numbers of events; an icon. */
export type LogLine = [number | Phrase, (number | Phrase)[], string?];

/** Who I am here; `guest` is false until a first request needs an identity. */
export interface Me {
  name: string;
  crest: string;
  guest: boolean;
}

/** Make a choice; `prompt_id` is that of the prompt it answers, so that none is answered twice or too late. */
export interface Move {
  type: "move";
  id?: number;
  seat: number;
  prompt_id: number;
  action: number;
}

/** A stretch of the moves of a game: of a running one events as the log keeps them, of a finished one all of it. */
export interface MoveList {
  first: number;
  move_number: number;
  moves: MoveRecord[];
  board?: BoardState | null;
  result?: Result | null;
}

/** One move, a seat's or chance's (-1): what happened, and what it changed on the board. */
export interface MoveRecord {
  events: GameEvent[];
  player?: number;
  log?: (GameEvent | null)[] | null;
  lines?: LogLine[];
  log_lines?: LogLine[] | null;
  pieces?: { [name: string]: PiecePatch | null };
  holdings?: { [name: string]: (number | Holding)[] };
  recording?: string;
}

/** Read no more chat of a seat, or read it again. */
export interface Mute {
  type: "mute";
  id?: number;
  seat: number;
  on?: boolean;
}

/** A link that signs me in on another device; it is as secret as a password. */
export interface MyKey {
  path: string;
  link: string;
  qr: string;
}

/** Something to agree on before a game; the first value is the default. */
export interface OptionView {
  name: string;
  values: string[];
  rule: string;
  several?: boolean;
}

/** A key of a catalogue of words and what fills its gaps: numbers, names or other phrases. */
export type Phrase = [string, { [name: string]: string | number | Phrase }?];

/** Something that stands at a place: what it is, whose (a seat, or -1), its value, which way it faces. */
export interface Piece {
  kind: string;
  place: string;
  seat?: number;
  value?: number;
  turn?: number;
  label?: Phrase | null;
}

/** A piece that a move has made, or what is different of one; with kind and place it is a whole piece. */
export interface PiecePatch {
  kind?: string;
  place?: string;
  seat?: number;
  value?: number;
  turn?: number;
  label?: Phrase | null;
}

/** Why something was not done: a code for programs, a sentence for people, and the rule where one was broken. */
export interface Problem {
  code: string;
  text: string;
  rule?: string;
  phrase?: Phrase | null;
}

/** My name, and my preferred crest. */
export interface Profile {
  name?: string;
  crest?: "" | "falcon" | "lion" | "oak" | "star" | "tower" | "wave";
}

/** What has to be decided now, by which rule and by whom; choices only for the seat I look from. */
export interface Prompt {
  rule: string;
  phrase: Phrase;
  seats: number[];
  prompt_id?: number;
  choices?: Choice[];
  secret?: boolean;
}

/** How a rock fell between two numbers of moves made; nothing where none fell. */
export interface Recording {
  first?: number;
  last?: number;
  lanes?: number[];
  rests?: number[];
  path?: string;
}

/** The rule by which nothing can be chosen at a place now. */
export interface Refusal {
  rule: string;
}

/** Offer another game, everyone one seat further. */
export interface Rematch {
  type: "rematch";
  id?: number;
}

/** Another game is offered at another table. */
export interface RematchOffer {
  type: "rematch";
  revision: number;
  table: string;
}

/** Give up a game of two. */
export interface Resign {
  type: "resign";
  id?: number;
  seat: number;
}

/** How a game came out; `ending` is the rule that ended it. */
export interface Result {
  ending: string;
  scores: number[];
  winners: number[];
  resigned?: number | null;
}

/** Play again myself. */
export interface ResumeSeat {
  type: "resume-seat";
  id?: number;
  seat: number;
}

/** One paragraph of a rulebook. */
export interface RuleView {
  id: string;
  title: string;
  text: string;
}

/** A rulebook: its text, and its paragraphs in order. */
export interface Rules {
  markdown: string;
  rules: RuleView[];
}

/** One row: what it counts, by which rule, and for every seat how much; None where a seat is not concerned. */
export interface ScoreRow {
  phrase: Phrase;
  rule: string;
  counts: (number | null)[];
  kind?: "aside" | "points" | "tie" | "total";
}

/** The score of a finished game, row by row as the rulebook adds it up. */
export interface ScoreSheet {
  rows: ScoreRow[];
}

/** Who gets a seat: me, another person on this device, a friend by link, a bot, or anyone. */
export interface SeatRequest {
  kind: "bot" | "link" | "me" | "open" | "screen";
  name?: string;
  level?: "beginner" | "dragon" | "easy" | "hard" | "hatchling" | "knight" | "medium" | "oracle" | "perfect" | "squire";
}

/** A seat as all clients see it, and whether it is mine. */
export interface SeatView {
  crest: string;
  kind: "bot" | "link" | "open" | "person";
  name?: string;
  level?: string;
  mine?: boolean;
  substitute?: string;
  ready?: boolean;
  muted?: boolean;
}

/** Someone joined, left, or lets a bot play. */
export interface SeatsUpdate {
  type: "seats";
  revision: number;
  status: "closed" | "open" | "over" | "playing";
  seats: SeatView[];
}

/** Send a line of chat to the table. */
export interface SendChat {
  type: "send-chat";
  id?: number;
  seat: number;
  text: string;
}

/** Add something of my own to the dice, before the game and after the table has committed to its seed. */
export interface SetClientSeed {
  type: "set-client-seed";
  id?: number;
  seat: number;
  client_seed: string;
}

/** See the table from one of my seats, or as a spectator does (a socket only). */
export interface SetViewpoint {
  type: "set-viewpoint";
  id?: number;
  seat?: number | null;
}

/** The set-up of a game for which perfect play is known, and the level `oracle` available. */
export interface Solved {
  players: number;
  options: { [name: string]: string };
}

/** Begin; free seats are filled with bots of a level, if one is named. */
export interface Start {
  type: "start";
  id?: number;
  level?: "beginner" | "dragon" | "easy" | "hard" | "hatchling" | "knight" | "medium" | "oracle" | "perfect" | "squire" | null;
}

/** Ask for a snapshot, because a message is missing (a socket only). */
export interface Sync {
  type: "sync";
  id?: number;
}

/** A table was opened. */
export interface TableCreated {
  table: string;
}

/** What was settled about a table, and how far it is. */
export interface TableInfo {
  id: string;
  game: string;
  rules: number;
  players: number;
  options: { [name: string]: string };
  board: string;
  status: "closed" | "open" | "over" | "playing";
  commitment: string;
  client_seed?: string;
  listed?: boolean;
  turn_timeout?: number | null;
  host?: boolean;
  practice?: boolean;
  rematch?: string;
}

/** The whole table as one viewer may see it: on connecting, on request, and where an update would not do. */
export interface TableSnapshot {
  type: "snapshot";
  protocol: 2;
  revision: number;
  move_number: number;
  table: TableInfo;
  seats: SeatView[];
  viewpoint: number;
  board?: BoardState | null;
  prompt?: Prompt | null;
  recent?: MoveRecord[];
  chat?: ChatLine[];
  result?: Result | null;
  taken_back?: boolean;
}

/** A choice was made, and its chance moves; the same for all viewers of one viewpoint. */
export interface TableUpdate {
  type: "update";
  revision: number;
  move_number: number;
  moves: MoveRecord[];
  prompt?: Prompt | null;
  result?: Result | null;
  status?: "closed" | "open" | "over" | "playing";
}

/** Take my last choice back; `move_number` is how many moves I saw. */
export interface TakeBack {
  type: "take-back";
  id?: number;
  move_number: number;
}

/** Take a seat: any free one, or the one an invitation is for. */
export interface TakeSeat {
  seat?: number | null;
  invitation?: string;
  name?: string;
  client_seed?: string;
}

/** A move, a seat's or chance's (-1), that changed the chance of winning of some seat much, and to what. */
export interface TurningPoint {
  since: number;
  move: number;
  player: number;
  seat: number;
  before: number;
  after: number;
  events: GameEvent[];
  better?: BetterAction | null;
}

export type Command = Move | SetClientSeed | TakeBack | SendChat | Mute | AssignSubstitute | ResumeSeat | Resign | ChangeSeat | Leave | Start | Close | Rematch | SetViewpoint | Sync;

export type Message = TableSnapshot | TableUpdate | SeatsUpdate | ChatMessage | RematchOffer | Ack | CommandRejected;
