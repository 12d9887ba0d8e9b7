/** The one queue of moves: what the server says is shown from here, one move after the other. Nothing else shows it. */

/** @typedef {import("../protocol").BoardState} BoardState */
/** @typedef {import("../protocol").MoveRecord} MoveRecord */
/** @typedef {import("../protocol").Piece} Piece */
/** @typedef {import("../protocol").Prompt} Prompt */
/** @typedef {import("../protocol").TableSnapshot} TableSnapshot */
/** @typedef {import("../protocol").TableUpdate} TableUpdate */
/** @typedef {import("../protocol").SeatsUpdate} SeatsUpdate */
/** @typedef {import("../protocol").ChatMessage} ChatMessage */
/** @typedef {import("../protocol").RematchOffer} RematchOffer */
/** A snapshot in which nothing is left out. @typedef {Required<TableSnapshot>} Snapshot */
/**
 * One step of what is shown: a move with the board after it; what an update says after its last move; a snapshot; who
 * sits where; or a moment of a replay, which a move leads to unless it is only set down.
 * @typedef {{ type: "move", record: MoveRecord, board: BoardState | null, moveNumber: number }} MoveStep
 * @typedef {{ type: "update", message: TableUpdate }} UpdateStep
 * @typedef {{ type: "snapshot", snapshot: Snapshot, board: BoardState | null, moveNumber: number }} SnapshotStep
 * @typedef {{ type: "seats", message: SeatsUpdate }} SeatsStep
 * @typedef {{ type: "replay", board: BoardState, moveNumber: number, record?: MoveRecord, news: MoveRecord[],
 *   still: boolean }} ReplayStep
 * @typedef {MoveStep | UpdateStep | SnapshotStep | SeatsStep | ReplayStep} Step
 */
/**
 * What is drawn: a board, the move that led to it if that is to be seen, and the recording of what it made fall.
 * @typedef {{ board: BoardState, moveNumber: number, still: boolean, record?: MoveRecord, recording?: string }} Moment
 */
/**
 * What shows the steps: `isCalm` where moves are not to be seen one by one, `isDrawn` once there is a board to be moved;
 * `turnsAway` says that the screen goes to another player, who must not see the moves before a prompt. A move begins
 * with its caption and sound, and holds the board for its time; the caption of what falls comes when it lies still.
 * @typedef {{
 *   readonly isCalm: boolean,
 *   readonly isDrawn: boolean,
 *   readonly isReplaying: boolean,
 *   turnsAway: (prompt: Prompt | null) => boolean,
 *   begin: (record: MoveRecord, moveNumber: number) => void,
 *   isReveal?: (record: MoveRecord) => boolean,
 *   hold: (record: MoveRecord, moveNumber: number, waiting: number) => Promise<void> | undefined,
 *   draw: (moment: Moment) => Promise<void>,
 *   commit: (steps: Step[], still: boolean) => void,
 *   note: (message: ChatMessage | RematchOffer) => void,
 *   finish: () => void,
 *   sync: () => void,
 * }} Viewer
 */

/**
 * The board after a move. A piece with kind and place is a whole one, else what is different of it; null removes it. A
 * seat's holdings are replaced whole, in which a number is an entry of the list before.
 * @param {BoardState} board @param {MoveRecord} record @returns {BoardState}
 */
export function applyPatch(board, { pieces = {}, holdings = {} }) {
  const next = { pieces: { ...board.pieces }, holdings: [...board.holdings] };
  for (const [id, piece] of Object.entries(pieces)) {
    if (piece) next.pieces[id] = piece.kind && piece.place ? /** @type {Piece} */ (piece) : { ...board.pieces[id], ...piece };
    else delete next.pieces[id];
  }
  for (const [seat, held] of Object.entries(holdings)) {
    const before = board.holdings[Number(seat)];
    next.holdings[Number(seat)] = held.map((each) => (typeof each === "number" ? before[each] : each));
  }
  return next;
}

/**
 * A prompt with the choices that are not sent again where it was put before.
 * @param {Prompt | null} before @param {Prompt | null | undefined} prompt @returns {Prompt | null}
 */
export function withChoices(before, prompt) {
  if (!prompt?.prompt_id || prompt.choices || before?.prompt_id !== prompt.prompt_id) return prompt ?? null;
  return { ...prompt, choices: before.choices };
}

/** A snapshot with everything in it that the server leaves out. @param {TableSnapshot} sent @returns {Snapshot} */
export const filledIn = (sent) => ({
  board: null, prompt: null, recent: [], chat: [], result: null, taken_back: false, ...sent,
});

/**
 * Write a line of the chat or the offer of another game into a snapshot; both are shown at once.
 * @param {Snapshot} snapshot @param {ChatMessage | RematchOffer} message
 */
export function note(snapshot, message) {
  if (message.type === "rematch") snapshot.table = { ...snapshot.table, rematch: message.table };
  else if (message.seat >= 0) snapshot.chat = [...snapshot.chat, message]; // else it is from a muted player
}

/**
 * A step that says where the board stands after it.
 * @param {Step} step @returns {step is MoveStep | SnapshotStep | ReplayStep}
 */
const hasBoard = (step) => step.type !== "update" && step.type !== "seats";

/** Whether a move changes nothing that is seen or said. @param {Step} step */
function isSilent(step) {
  if (step.type !== "move") return false;
  const { events, pieces = {}, holdings = {}, recording } = step.record;
  return !events.length && !recording && !Object.keys(pieces).length && !Object.keys(holdings).length;
}

export class MoveQueue {
  /** The number of the last table event that was taken in. */
  revision = -1;
  /** How many moves the server has sent. */
  moveNumber = 0;
  /** What is still to be shown. @type {Step[]} */
  steps = [];
  /** Whether a snapshot was asked for and has not come. */
  syncing = false;
  /** Whether a move is being drawn. */
  drawing = false;
  /** Whether what is in the queue now is shown without animation. */
  hurried = false;
  /** Counts what was dropped: what was being drawn then is not committed. */
  era = 0;
  /** The steps are being shown. @type {Promise<void> | null} */
  running = null;
  /** The board after the last step that was taken in. @type {BoardState | null} */
  board = null;
  /** What was asked last. @type {Prompt | null} */
  prompt = null;
  /** The steps that are being drawn. @type {Step[]} */
  current = [];

  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
  }

  /** Whether what is shown is not yet what the server has said. */
  get isBusy() {
    return this.drawing || this.syncing || this.steps.length > 0;
  }

  /** Whether moves are being seen, or wait to be. */
  get isTelling() {
    return this.isBusy && [...this.current, ...this.steps].some((step) => "record" in step && step.record);
  }

  /**
   * Take in what the server says, in order; where something is missing, ask for a snapshot.
   * @param {TableSnapshot | TableUpdate | SeatsUpdate | ChatMessage | RematchOffer} message
   */
  receive(message) {
    if (message.type === "snapshot") this.takeSnapshot(filledIn(message));
    else if (!this.follows(message.revision)) return;
    else if (message.type === "update") this.takeUpdate(message);
    else if (message.type === "seats") this.steps.push({ type: "seats", message });
    else this.note(message);
  }

  /** @param {ChatMessage | RematchOffer} message */
  note(message) {
    for (const step of [...this.current, ...this.steps]) if (step.type === "snapshot") note(step.snapshot, message);
    this.viewer.note(message);
  }

  /**
   * Whether a message is the next one; one from before a snapshot is not wanted, a gap asks for one.
   * @param {number} revision
   */
  follows(revision) {
    if (revision > this.revision + 1) this.expect(revision);
    if (revision !== this.revision + 1 || this.syncing) return false;
    this.revision = revision;
    return true;
  }

  /** Ask for a snapshot unless everything up to a table event has been taken in. @param {number} revision */
  expect(revision) {
    if (revision <= this.revision || this.syncing) return;
    this.syncing = true;
    this.viewer.sync();
  }

  /** The line is broken: nothing that was asked for will come through it. */
  lost() {
    this.syncing = false;
  }

  /** @param {Snapshot} snapshot */
  takeSnapshot(snapshot) {
    this.syncing = false;
    this.revision = snapshot.revision;
    this.moveNumber = snapshot.move_number;
    this.board = snapshot.board;
    this.prompt = snapshot.prompt;
    this.steps.push({ type: "snapshot", snapshot, board: this.board, moveNumber: this.moveNumber });
  }

  /** @param {TableUpdate} message */
  takeUpdate(message) {
    const first = message.move_number - message.moves.length + 1;
    message.moves.forEach((record, number) => {
      if (this.board) this.board = applyPatch(this.board, record);
      this.steps.push({ type: "move", record, board: this.board, moveNumber: first + number });
    });
    this.moveNumber = message.move_number;
    this.prompt = withChoices(this.prompt, message.prompt);
    this.steps.push({ type: "update", message: { ...message, prompt: this.prompt } });
  }

  /**
   * Show a moment of a replay; what was still to be shown of it before is dropped unless that leads there.
   * @param {ReplayStep} step
   */
  replay(step) {
    if (step.still) this.steps = this.steps.filter(({ type }) => type !== "replay");
    if (step.still) this.viewer.finish();
    this.steps.push(step);
    return this.run();
  }

  /** Show moves once more, before anything else. @param {ReplayStep[]} steps */
  again(steps) {
    this.steps.unshift(...steps);
    return this.run();
  }

  /** Show one step after the other; resolves when all have been shown. */
  run() {
    if (this.steps.length) this.running ??= this.work().finally(() => (this.running = null));
    return this.running ?? Promise.resolve();
  }

  async work() {
    try {
      while (this.steps.length) await this.advance();
    } finally {
      this.hurried = this.drawing = false;
    }
  }

  /** Show the next move, or at once all that are not to be seen one by one. */
  async advance() {
    const { era, viewer } = this;
    const unseen = this.countUnseen();
    const still = unseen || this.countStill();
    const steps = (this.current = this.steps.splice(0, still || this.countBeat()));
    const moment = unseen ? null : this.momentOf(steps, still > 0);
    try {
      if (moment) await this.draw(moment);
    } finally {
      if (era === this.era) { // also where drawing failed: the game goes on
        this.current = [];
        this.drawing = false;
        viewer.commit(steps, still > 0);
      }
    }
  }

  /**
   * Draw a moment; what is drawn for the first time is not waited for: choices are buttons until then.
   * @param {Moment} moment
   */
  draw(moment) {
    const { viewer } = this;
    this.drawing = viewer.isDrawn;
    if (this.drawing && !moment.still && moment.record) return this.drawMove(moment, moment.record);
    const drawn = viewer.draw(moment);
    return this.drawing ? drawn : undefined;
  }

  /**
   * Draw a move and tell it; the outcome of what falls or is revealed only after it has been seen.
   * @param {Moment} moment @param {MoveRecord} record
   */
  async drawMove(moment, record) {
    const { viewer } = this;
    const waiting = this.steps.filter((step) => step.type === "move" && !isSilent(step)).length;
    const later = Boolean(moment.recording) || viewer.isReveal?.(record);
    if (later) await viewer.draw(moment);
    viewer.begin(record, moment.moveNumber);
    const held = viewer.hold(record, moment.moveNumber, waiting + 1);
    await Promise.all([later ? undefined : viewer.draw(moment), held]);
  }

  /** How many steps the player who holds the screen must not see: those before it goes to another player. */
  countUnseen() {
    const next = this.steps.findIndex(({ type }) => type === "snapshot" || type === "replay");
    const steps = next < 0 ? this.steps : this.steps.slice(0, next);
    const last = steps.findLast((step) => step.type === "update");
    return last && this.viewer.turnsAway(last.message.prompt ?? null) ? steps.length : 0;
  }

  /** How many steps are set down together, if any. */
  countStill() {
    return this.viewer.isCalm || this.hurried ? this.steps.length : 0;
  }

  /** A step with the silent moves before it, and what belongs to its moment. */
  countBeat() {
    let count = 1;
    while (isSilent(this.steps[count - 1]) && this.steps[count]?.type === "move") count += 1;
    return count + this.trailing(count);
  }

  /** How many steps from one on do not change the board. @param {number} from */
  trailing(from) {
    const next = this.steps.slice(from).findIndex(hasBoard);
    return next < 0 ? this.steps.length - from : next;
  }

  /**
   * What is drawn for some steps, or null where the board stays as it is.
   * @param {Step[]} steps @param {boolean} still @returns {Moment | null}
   */
  momentOf(steps, still) {
    const { isCalm, isReplaying } = this.viewer;
    const last = steps.filter(hasBoard).findLast((step) => step.type === "replay" || !isReplaying);
    if (!last?.board) return null;
    const { board, moveNumber } = last;
    const rests = isCalm || this.hurried || (last.type === "replay" && last.still);
    const records = steps.flatMap((step) => ("record" in step && step.record ? [step.record] : []));
    const recording = rests ? undefined : records.findLast((each) => each.recording)?.recording;
    const record = last.type === "snapshot" ? undefined : last.record;
    return { board, moveNumber, still: still || rests, record, recording };
  }

  /** Finish all animations and go on to the newest state. */
  skip() {
    this.hurried = this.drawing || this.steps.length > 0;
    this.viewer.finish();
  }

  /** Show nothing of what is in the queue on the board: the next viewer must not see it. */
  drop() {
    const steps = [...this.current, ...this.steps];
    this.era += 1;
    this.steps = [];
    this.current = [];
    this.drawing = false;
    return steps;
  }
}
