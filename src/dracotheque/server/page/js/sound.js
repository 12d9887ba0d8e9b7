/** Short, soft sounds, made here and not recorded: what happens at a table can also be heard. */

/** @typedef {import("../../../../../web/src/messages").Told} Told */
/** @typedef {{ context: AudioContext, out: AudioNode, hiss: AudioBuffer }} Desk */

const KEPT = "dracotheque.sound";
const VOLUME = 0.22;
const APART = 0.13; // seconds from one sound to the next
const MOST = 5; // of one move; more would be noise

// --- The instruments -------------------------------------------------------------------------------------------------
/**
 * A tone that fades away.
 * @param {Desk} desk @param {number} when @param {number} pitch
 * @param {{ long?: number, loud?: number, to?: number, wave?: OscillatorType }} [how]
 */
function tone({ context, out }, when, pitch, { long = 0.2, loud = 0.5, to = pitch, wave = "sine" } = {}) {
  const source = new OscillatorNode(context, { type: wave, frequency: pitch });
  source.frequency.exponentialRampToValueAtTime(to, when + long);
  ring(context, source, out, when, long, loud);
}

/**
 * A rustle: noise of one colour.
 * @param {Desk} desk @param {number} when @param {number} colour
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
 * Let a source be heard from a moment on until it has faded.
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

/** What each sound is made of. @type {Record<string, (desk: Desk, when: number) => void>} */
const SOUNDS = {
  step(desk, when) {
    rustle(desk, when, 900, { long: 0.05, loud: 0.5, sharp: 2 });
    tone(desk, when, 190, { long: 0.08, loud: 0.45, to: 120 });
  },
  card(desk, when) {
    rustle(desk, when, 2_200, { long: 0.12, loud: 0.35, to: 5_200, rise: 0.03 });
    rustle(desk, when + 0.1, 1_400, { long: 0.05, loud: 0.4, sharp: 2 });
  },
  coin(desk, when) {
    tone(desk, when, 1_976, { long: 0.16, loud: 0.2, wave: "triangle" });
    tone(desk, when + 0.06, 2_637, { long: 0.3, loud: 0.22, wave: "triangle" });
  },
  dice(desk, when) {
    for (const [late, colour] of [[0, 2_100], [0.07, 1_700], [0.15, 2_400], [0.2, 1_500], [0.31, 1_900]]) {
      rustle(desk, when + late, colour, { long: 0.05, loud: 0.4, sharp: 4 });
    }
  },
  stone(desk, when) {
    rustle(desk, when, 420, { long: 0.12, loud: 0.8, sharp: 1.5 });
    tone(desk, when, 96, { long: 0.16, loud: 0.6, to: 60 });
  },
  rock(desk, when) {
    rustle(desk, when, 160, { long: 0.9, loud: 1, kind: "lowpass", to: 90, rise: 0.1 });
    for (const late of [0, 0.22, 0.4, 0.62]) tone(desk, when + late, 74, { long: 0.2, loud: 0.8, to: 44 });
  },
  door(desk, when) {
    tone(desk, when, 110, { long: 0.3, loud: 0.1, to: 84, wave: "sawtooth" });
    rustle(desk, when + 0.26, 240, { long: 0.18, loud: 0.9, sharp: 1.2 });
    tone(desk, when + 0.26, 88, { long: 0.24, loud: 0.7, to: 58 });
  },
  wing(desk, when) {
    for (const late of [0, 0.24]) {
      rustle(desk, when + late, 260, { long: 0.26, loud: 0.7, to: 620, kind: "lowpass", rise: 0.1 });
    }
  },
  ring(desk, when) {
    tone(desk, when, 1_319, { long: 0.6, loud: 0.2 });
    tone(desk, when + 0.04, 1_976, { long: 0.8, loud: 0.14 });
  },
  ouch(desk, when) {
    tone(desk, when, 330, { long: 0.26, loud: 0.3, to: 196, wave: "triangle" });
  },
  turn(desk, when) {
    tone(desk, when, 659, { long: 0.35, loud: 0.22 });
    tone(desk, when + 0.12, 988, { long: 0.5, loud: 0.2 });
  },
  win(desk, when) {
    [523, 659, 784, 1_047].forEach((pitch, number) =>
      tone(desk, when + number * 0.13, pitch, { long: number === 3 ? 0.9 : 0.35, loud: 0.24, wave: "triangle" }));
    tone(desk, when + 0.39, 523, { long: 0.9, loud: 0.12 });
  },
};

// --- What happens, and how it sounds -----------------------------------------------------------------------------------
/** For every sound the last part of the phrases that it goes with: `event.walks` sounds like a step. */
const HEARD_AT = {
  step: `road castle spare_steps goes goes_on sets_out walks ahead lair righted righted_there righted_beside banished`,
  card: `dealt turned only_card chosen_card gem gold card card_for_first card_for_second cards chest_cards safe
    two_cards dragon dragon_of_two shuffled`,
  coin: `treasure last_treasure open_gold ransomed coins reward banked banked_openly fists_opened four_gems majority
    token`,
  dice: `die rock change wins_duel loses_duel`,
  stone: `stone_laid stone_moved lifted stone_back puts_shield shield_turns shield_stops shield_jumped`,
  rock: `lets_go down aside`,
  door: `door shuts shuts_out through chests_opened`,
  wing: `flight wakes_rod wakes_own card_then_rod card_then_own left_behind turns flies flies_above extra nest`,
  ring: `ring_taken ring_on_the_way ring_laid ring_changes_hands seal amulets`,
  ouch: `captured victim back stays guarded attacks loses_amulet collar hit brushed topples falls no_gold`,
};
const SOUND_OF = new Map(Object.entries(HEARD_AT)
  .flatMap(([sound, keys]) => keys.split(/\s+/).map((key) => [key, sound])));

/** The sounds of what happened, each kind once. @param {Told[]} told @returns {string[]} */
export function soundsOf(told) {
  const keys = told.flatMap(({ events }) => events.map(({ phrase }) => phrase.key.split(".")[1] ?? ""));
  return [...new Set(keys.flatMap((key) => SOUND_OF.get(key) ?? []))].slice(0, MOST);
}

// --- The switch ----------------------------------------------------------------------------------------------------------
/** @type {Desk | undefined} */
let desk;

/** Whether sounds are wanted: yes, until somebody says no. */
export const wanted = () => localStorage.getItem(KEPT) !== "off";

/** Want sounds, or want none. @param {boolean} on */
export function want(on) {
  localStorage.setItem(KEPT, on ? "on" : "off");
  if (on) play("turn");
}

/** Set the desk up; browsers let nothing sound before somebody has touched the page. @returns {Desk | undefined} */
function atDesk() {
  if (desk || !navigator.userActivation?.hasBeenActive || !("AudioContext" in globalThis)) return desk;
  const context = new AudioContext();
  const volume = new GainNode(context, { gain: VOLUME });
  volume.connect(new DynamicsCompressorNode(context)).connect(context.destination);
  const hiss = context.createBuffer(1, context.sampleRate, context.sampleRate);
  hiss.getChannelData(0).forEach((_, at, data) => (data[at] = Math.random() * 2 - 1));
  desk = { context, out: volume, hiss };
  return desk;
}

/** Let sounds be heard one after the other, if they are wanted and somebody is there. @param {...string} names */
export function play(...names) {
  if (document.hidden || !wanted()) return;
  const ready = atDesk();
  if (!ready) return;
  if (ready.context.state === "suspended") void ready.context.resume();
  names.forEach((name, number) => SOUNDS[name]?.(ready, ready.context.currentTime + 0.02 + number * APART));
  for (const name of names) dispatchEvent(new CustomEvent("sound", { detail: name }));
}

/**
 * Let a table be heard: what happens, that it is my turn, how it ends.
 * @param {{ hear: (news: any) => void, view: any, asked: number | null }} table
 */
export function accompany(table) {
  const hear = table.hear.bind(table);
  table.hear = (news) => {
    const [was, before] = [table.view?.status, table.view && table.asked];
    hear(news);
    if (news.is !== "moved" || news.taken_back) return;
    const ends = news.status === "over" && was !== "over";
    const mine = !ends && table.asked !== null && before === null;
    play(...soundsOf(news.told), ...(ends ? ["win"] : mine ? ["turn"] : []));
  };
}
