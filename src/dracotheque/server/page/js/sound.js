/** Short, soft sounds, made here and not recorded: what happens at a table can also be heard. */

/** @typedef {import("../protocol").MoveRecord} MoveRecord */
/** @typedef {{ context: AudioContext, out: AudioNode, hiss: AudioBuffer }} Output */

const STORAGE_KEY = "dracotheque.sound";
const VOLUME = 0.22;
const APART = 0.13; // seconds from one sound to the next
const MOST = 5; // of one move; more would be noise

// --- The instruments -------------------------------------------------------------------------------------------------
/**
 * A tone that fades away.
 * @param {Output} output @param {number} when @param {number} pitch
 * @param {{ long?: number, loud?: number, to?: number, wave?: OscillatorType }} [how]
 */
function tone({ context, out }, when, pitch, { long = 0.2, loud = 0.5, to = pitch, wave = "sine" } = {}) {
  const source = new OscillatorNode(context, { type: wave, frequency: pitch });
  source.frequency.exponentialRampToValueAtTime(to, when + long);
  ring(context, source, out, when, long, loud);
}

/**
 * A rustle: noise of one colour.
 * @param {Output} output @param {number} when @param {number} colour
 * @param {{ long?: number, loud?: number, to?: number, kind?: BiquadFilterType, sharp?: number, rise?: number }} [how]
 */
function rustle({ context, out, hiss }, when, colour, how = {}) {
  const { long = 0.1, loud = 0.5, to = colour, kind = "bandpass", sharp = 1, rise = 0.004 } = how;
  const source = new AudioBufferSourceNode(context, { buffer: hiss, loop: true });
  const filter = new BiquadFilterNode(context, { type: kind, frequency: colour, Q: sharp });
  filter.frequency.exponentialRampToValueAtTime(to, when + long);
  source.connect(filter);
  ring(context, source, out, when, long, loud, filter, rise);
}

/**
 * Play a source from a moment on until it has faded.
 * @param {AudioContext} context @param {AudioScheduledSourceNode} source @param {AudioNode} out
 * @param {number} when @param {number} long @param {number} loud @param {AudioNode} [last] @param {number} [rise]
 */
function ring(context, source, out, when, long, loud, last = source, rise = 0.004) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0.0001, when);
  gain.gain.exponentialRampToValueAtTime(loud, when + rise);
  gain.gain.exponentialRampToValueAtTime(0.0001, when + long);
  last.connect(gain).connect(out);
  source.start(when);
  source.stop(when + long + 0.02);
}

/** What each sound is made of. @type {Record<string, (output: Output, when: number) => void>} */
const SOUNDS = {
  step(output, when) {
    rustle(output, when, 900, { long: 0.05, loud: 0.5, sharp: 2 });
    tone(output, when, 190, { long: 0.08, loud: 0.45, to: 120 });
  },
  card(output, when) {
    rustle(output, when, 2_200, { long: 0.12, loud: 0.35, to: 5_200, rise: 0.03 });
    rustle(output, when + 0.1, 1_400, { long: 0.05, loud: 0.4, sharp: 2 });
  },
  coin(output, when) {
    tone(output, when, 1_976, { long: 0.16, loud: 0.2, wave: "triangle" });
    tone(output, when + 0.06, 2_637, { long: 0.3, loud: 0.22, wave: "triangle" });
  },
  dice(output, when) {
    for (const [late, colour] of [[0, 2_100], [0.07, 1_700], [0.15, 2_400], [0.2, 1_500], [0.31, 1_900]]) {
      rustle(output, when + late, colour, { long: 0.05, loud: 0.4, sharp: 4 });
    }
  },
  stone(output, when) {
    rustle(output, when, 420, { long: 0.12, loud: 0.8, sharp: 1.5 });
    tone(output, when, 96, { long: 0.16, loud: 0.6, to: 60 });
  },
  rock(output, when) {
    rustle(output, when, 160, { long: 0.9, loud: 1, kind: "lowpass", to: 90, rise: 0.1 });
    for (const late of [0, 0.22, 0.4, 0.62]) tone(output, when + late, 74, { long: 0.2, loud: 0.8, to: 44 });
  },
  door(output, when) {
    tone(output, when, 110, { long: 0.3, loud: 0.1, to: 84, wave: "sawtooth" });
    rustle(output, when + 0.26, 240, { long: 0.18, loud: 0.9, sharp: 1.2 });
    tone(output, when + 0.26, 88, { long: 0.24, loud: 0.7, to: 58 });
  },
  wing(output, when) {
    for (const late of [0, 0.24]) {
      rustle(output, when + late, 260, { long: 0.26, loud: 0.7, to: 620, kind: "lowpass", rise: 0.1 });
    }
  },
  ring(output, when) {
    tone(output, when, 1_319, { long: 0.6, loud: 0.2 });
    tone(output, when + 0.04, 1_976, { long: 0.8, loud: 0.14 });
  },
  ouch(output, when) {
    tone(output, when, 330, { long: 0.26, loud: 0.3, to: 196, wave: "triangle" });
  },
  turn(output, when) {
    tone(output, when, 659, { long: 0.35, loud: 0.22 });
    tone(output, when + 0.12, 988, { long: 0.5, loud: 0.2 });
  },
  win(output, when) {
    [523, 659, 784, 1_047].forEach((pitch, number) =>
      tone(output, when + number * 0.13, pitch, { long: number === 3 ? 0.9 : 0.35, loud: 0.24, wave: "triangle" }));
    tone(output, when + 0.39, 523, { long: 0.9, loud: 0.12 });
  },
};

// --- What happens, and how it sounds -----------------------------------------------------------------------------------
/**
 * Which sound goes with the last part of a phrase’s key: `event.walks` sounds like a step.
 * @type {Map<string, string>}
 */
let soundOf = new Map();

/** Take the sounds of a game: for each the events that it goes with. @param {Record<string, string[]>} table */
export function setSounds(table) {
  soundOf = new Map(Object.entries(table).flatMap(([sound, keys]) => keys.map((key) => [key, sound])));
}

/** The sounds of what happened, each kind once. @param {MoveRecord[]} moves @returns {string[]} */
export function soundsOf(moves) {
  const keys = moves.flatMap(({ events }) => events.map(([, [key]]) => key.split(".")[1] ?? ""));
  return [...new Set(keys.flatMap((key) => soundOf.get(key) ?? []))].slice(0, MOST);
}

// --- The switch ----------------------------------------------------------------------------------------------------------
/** @type {Output | undefined} */
let output;

/** Whether sound is on, as it is by default. */
export const wanted = () => localStorage.getItem(STORAGE_KEY) !== "off";

/** Want sounds, or want none. @param {boolean} on */
export function want(on) {
  localStorage.setItem(STORAGE_KEY, on ? "on" : "off");
  if (on) play("turn");
}

/** Set up the output; browsers play nothing before the first click or key. @returns {Output | undefined} */
function openOutput() {
  if (output || !navigator.userActivation?.hasBeenActive || !("AudioContext" in globalThis)) return output;
  const context = new AudioContext();
  const volume = new GainNode(context, { gain: VOLUME });
  volume.connect(new DynamicsCompressorNode(context)).connect(context.destination);
  const hiss = context.createBuffer(1, context.sampleRate, context.sampleRate);
  hiss.getChannelData(0).forEach((_, at, data) => (data[at] = Math.random() * 2 - 1));
  output = { context, out: volume, hiss };
  return output;
}

/** Play sounds one after the other, if sound is on and the page is visible. @param {...string} names */
export function play(...names) {
  if (document.hidden || !wanted()) return;
  const ready = openOutput();
  if (!ready) return;
  if (ready.context.state === "suspended") void ready.context.resume();
  names.forEach((name, number) => SOUNDS[name]?.(ready, ready.context.currentTime + 0.02 + number * APART));
  for (const name of names) dispatchEvent(new CustomEvent("sound", { detail: name }));
}
