// Made by `dracotheque types` from src/dracotheque/tables/messages.py; a test fails when it is stale.

/** An empty board, drawn: SVG with a `data-place` for every place. */
export interface Art {
  svg: string;
}

/** A rule that keeps me from choosing something now: what, and how much more. */
export interface Barred {
  rule: string;
  choices: Phrase[];
  more?: number;
}

/** A choice that was clearly better, as far as its seat could know, and that seat's chance of winning with it. */
export interface Better {
  name: Phrase;
  share: number;
}

/** What is printed on a box. */
export interface BoxView {
  name: string;
  title: string;
  designer: string;
  year: number;
  fewest: number;
  most: number;
  usual: number;
  age: number;
  minutes: string;
  rules: number;
  options: OptionView[];
  boards: string[];
  sealed: boolean;
  levels: string[];
  solved: Solved | null;
  drawn: boolean;
  ready: boolean;
}

/** Add something of my own to the dice, before the game and after the table has committed to its seed. */
export interface BringLuck {
  do: "bring-luck";
  id?: number;
  seat: number;
  luck: string;
}

/** A choice, and how often it wins if everybody plays perfectly from there on. */
export interface Chance {
  action: number;
  name: Phrase;
  share: number;
}

/** What every choice of a seat is worth, the best first; of a game that is over also which was made. */
export interface Chances {
  seat: number;
  choices: Chance[];
  made?: number | null;
}

/** Say anew who is to sit on a free seat; the host may, before the game. */
export interface ChangeSeat {
  do: "change-seat";
  id?: number;
  seat: number;
  wish: SeatWish;
}

/** Something I may choose now: its number, its name, and what it leads to. */
export interface Choice {
  action: number;
  name: Phrase;
  preview?: Phrase | null;
}

/** Put the box back on the shelf: a table that has not begun, or at which nobody else sits. */
export interface Close {
  do: "close";
  id?: number;
}

/** Play again myself. */
export interface ComeBack {
  do: "come-back";
  id?: number;
  seat: number;
}

/** What a table has promised about its dice, and after the game whether it was kept. */
export interface Dice {
  table: string;
  commit: string;
  luck: string;
  seed?: string;
  fair?: boolean | null;
  draws?: number;
  text?: string;
}

/** A command was carried out, and is safe; `number` is that of its event. */
export interface Done {
  is: "done";
  id: number;
  number: number;
}

/** A board in letters. */
export interface Drawn {
  html: string;
}

/** Something that happened, and the rule that made it so. */
export interface Event {
  rule: string;
  phrase: Phrase;
}

/** How a rock fell between two moments (numbers of moves made), or nothing where none fell. */
export interface Fall {
  first?: number;
  last?: number;
  lanes?: number[];
  rests?: number[];
  path?: string;
}

/** Let a bot play for me until I come back. */
export interface HandOver {
  do: "hand-over";
  id?: number;
  seat: number;
  level?: "dragon" | "hatchling" | "knight" | "oracle" | "squire";
}

/** Something that lies before a seat: how many of a kind, and what they are worth where that is to be seen. */
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
  do: "leave";
  id?: number;
  seat: number;
}

/** What a beginner should know before choosing: what is not possible and why; what looks good and where it leads. */
export interface Lesson {
  barred: Barred[];
  promising: number[];
  places: string[];
}

/** One line of the chat. */
export interface Line {
  number: number;
  seat: number;
  text: string;
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
  moves: number;
  asked?: number[];
  my_turn?: boolean;
}

/** Tables in a list. */
export interface Listings {
  tables: Listing[];
}

/** See the table from one of my seats, or as a spectator does (a socket only). */
export interface Look {
  do: "look";
  id?: number;
  seat?: number | null;
}

/** Who I am here; `guest` is false as long as nothing was asked of the server that needs somebody. */
export interface Me {
  name: string;
  crest: string;
  guest: boolean;
}

/** A position of a finished game, as one seat or a spectator saw it, and what led to it. */
export interface Moment {
  move: number;
  told: Told[];
  changed: { [name: string]: unknown };
  question?: Question | null;
}

/** Every seat's chance of winning after some moves, and the moves that changed them most; `ready`: see `BoxView`. */
export interface Moments {
  ready: boolean;
  moves: number[];
  chances: number[][];
  moments: TurningPoint[];
  exact?: boolean;
}

/** Make a choice; `at` is that of the question it answers, so that nothing is answered twice or too late. */
export interface Move {
  do: "move";
  id?: number;
  seat: number;
  at: number;
  action: number;
}

/** A choice was made, or taken back: what happened, and which fields are different now. */
export interface Moved {
  is: "moved";
  number: number;
  moves: number;
  told: Told[];
  changed: { [name: string]: unknown };
  question?: Question | null;
  taken_back?: boolean;
  result?: Result | null;
  status?: string;
}

/** Hear no more of a seat, or hear it again. */
export interface Mute {
  do: "mute";
  id?: number;
  seat: number;
  on?: boolean;
}

/** A link that brings me to another device: whoever has it is me. */
export interface MyKey {
  path: string;
  link: string;
  qr: string;
}

/** Another game is offered at another table. */
export interface Offered {
  is: "rematch";
  number: number;
  table: string;
}

/** Open a table; it begins at once where no seat is left to be taken, unless `begin` is false. */
export interface OpenTable {
  game: string;
  seats: SeatWish[];
  options?: { [name: string]: string };
  board?: string | null;
  listed?: boolean;
  patience?: number | null;
  begin?: boolean;
}

/** A table was opened. */
export interface Opened {
  table: string;
}

/** Something to agree on before a game; the first value is the default. */
export interface OptionView {
  name: string;
  values: string[];
  rule: string;
}

/** A key of a catalogue of words and what fills its gaps: numbers, names or other phrases. */
export interface Phrase {
  key: string;
  gaps?: { [name: string]: string | number | Phrase };
}

/** Something that stands at a place: what it is, whose (a seat, or -1), its value, which way it faces. */
export interface Piece {
  kind: string;
  place: string;
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

/** How I am called, and which crest I like to have. */
export interface Profile {
  name?: string;
  crest?: "" | "falcon" | "lion" | "oak" | "star" | "tower" | "wave";
}

/** What has to be decided now, by which rule and by whom; choices only for the seat I look from. */
export interface Question {
  rule: string;
  phrase: Phrase;
  seats: number[];
  at?: number;
  choices?: Choice[];
  secret?: boolean;
}

/** A command was not carried out, and nothing has changed. */
export interface RefusedCommand {
  is: "refused";
  id: number;
  number: number;
  problem: Problem;
}

/** Offer another game, everybody one seat further. */
export interface Rematch {
  do: "rematch";
  id?: number;
}

/** A stretch of a finished game; the first moment has every field, the others what changed. */
export interface Replay {
  moves: number;
  moments: Moment[];
  result: Result;
}

/** Give up a game of two. */
export interface Resign {
  do: "resign";
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

/** Somebody said something. */
export interface Said {
  is: "said";
  number: number;
  seat: number;
  text: string;
}

/** Say something to the table. */
export interface Say {
  do: "say";
  id?: number;
  seat: number;
  text: string;
}

/** What stands on a drawn board and lies before every seat, as one viewer sees it, and the places of my choices. */
export interface Scene {
  pieces: { [name: string]: Piece };
  holdings: Holding[][];
  touched: { [name: string]: string[] };
}

/** One row: what it counts, by which rule, and for every seat how much; None where a seat is not concerned. */
export interface ScoreRow {
  phrase: Phrase;
  rule: string;
  counts: (number | null)[];
  kind?: "aside" | "points" | "tie" | "total";
}

/** A seat as everybody sees it, and whether it is mine. */
export interface SeatView {
  crest: string;
  kind: "bot" | "link" | "open" | "person";
  name?: string;
  level?: string;
  mine?: boolean;
  stand_in?: string;
  ready?: boolean;
  muted?: boolean;
}

/** Who is to sit on a seat: me, another person at this screen, a friend by link, a bot, or whoever comes. */
export interface SeatWish {
  kind: "bot" | "link" | "me" | "open" | "screen";
  name?: string;
  level?: "dragon" | "hatchling" | "knight" | "oracle" | "squire";
}

/** Somebody came, went, or lets a bot play. */
export interface Seated {
  is: "seats";
  number: number;
  status: string;
  seats: SeatView[];
}

/** The score of a finished game, row by row as the rulebook adds it up. */
export interface Sheet {
  rows: ScoreRow[];
}

/** Every box. */
export interface Shelf {
  boxes: BoxView[];
}

/** Take a seat: any free one, or the one an invitation is for. */
export interface Sit {
  seat?: number | null;
  invitation?: string;
  name?: string;
  luck?: string;
}

/** How a box must be set up for perfect play to be known: then the level `oracle` can sit down. */
export interface Solved {
  players: number;
  options: { [name: string]: string };
}

/** Begin; free seats are filled with bots of a level, if one is named. */
export interface Start {
  do: "start";
  id?: number;
  level?: "dragon" | "hatchling" | "knight" | "oracle" | "squire" | null;
}

/** What happened at a table from one move to another; what was laid away is told without its value until the end. */
export interface Story {
  first: number;
  moves: number;
  told: Told[];
}

/** The whole table as one viewer may see it; sent first, and whenever a difference would not do. */
export interface TableView {
  is: "table";
  number: number;
  table: string;
  game: string;
  rules: number;
  players: number;
  options: { [name: string]: string };
  board: string;
  status: "closed" | "open" | "over" | "playing";
  seats: SeatView[];
  commit: string;
  luck?: string;
  listed?: boolean;
  patience?: number | null;
  host?: boolean;
  practice?: boolean;
  look?: number;
  moves?: number;
  fields?: { [name: string]: unknown };
  question?: Question | null;
  told?: Told[];
  chat?: Line[];
  result?: Result | null;
  rematch?: string;
}

/** Take my last choice back; `at` is how many moves I saw. */
export interface TakeBack {
  do: "take-back";
  id?: number;
  at: number;
}

/** What one move, a seat's or chance's (-1), made happen. */
export interface Told {
  player: number;
  events: Event[];
}

/** A move, a seat's or chance's (-1), that changed the chance of winning of some seat much, and to what. */
export interface TurningPoint {
  since: number;
  move: number;
  player: number;
  seat: number;
  before: number;
  after: number;
  events: Event[];
  better?: Better | null;
}

/** The rule by which nothing can be chosen at a place now. */
export interface WhyNot {
  rule: string;
}

/** What phrases say in one language. */
export interface Wording {
  entries: { [name: string]: string };
}

export type Command = Move | BringLuck | TakeBack | Say | Mute | HandOver | ComeBack | Resign | ChangeSeat | Leave | Start | Close | Rematch | Look;

export type News = TableView | Moved | Seated | Said | Offered | Done | RefusedCommand;
