/** Animations that run over a time at the player's pace; all of them can be ended at once. */

import { pace } from "/page/js/pace.js";

/** @typedef {{ began: number, long: number, step: (way: number) => void, done: () => void, timer: number }} Entry */

const GRACE = 1500; // milliseconds: nothing waits longer for pictures that a browser does not draw

export class Timeline {
  /** @type {Set<Entry>} */
  under = new Set();
  hurried = false;
  /** When something was drawn last. */
  drawn = 0;

  /** @param {() => void} wake what makes sure that `go` is called again */
  constructor(wake) {
    this.wake = wake;
  }

  /**
   * Run an animation; `step` gets the share of it that has passed, from 0 to 1. Resolves once it has got 1: at its end,
   * or at once where nothing is to be seen of it.
   * @param {number} long in milliseconds at the usual pace @param {(way: number) => void} step @returns {Promise<void>}
   */
  run(long, step) {
    const lasts = long * pace();
    if (this.hurried || document.hidden || lasts <= 0) return Promise.resolve(step(1));
    return new Promise((done) => {
      /** @type {Entry} */
      const entry = { began: -1, long: lasts, step, done, timer: 0 };
      entry.timer = setTimeout(() => this.expire(entry), lasts + GRACE);
      this.under.add(entry);
      this.wake();
    });
  }

  /** From here on things take their time again. */
  begin() {
    this.hurried = false;
  }

  /** Go on to a time; say whether anything is still happening. @param {number} now */
  go(now) {
    this.drawn = performance.now();
    for (const entry of [...this.under]) {
      if (entry.began < 0) entry.began = now;
      const way = Math.min(1, (now - entry.began) / entry.long);
      entry.step(way);
      if (way === 1) this.end(entry);
    }
    return this.under.size > 0;
  }

  /** End what no picture has been drawn of for long; a slow machine that draws is waited for. @param {Entry} entry */
  expire(entry) {
    const waits = this.drawn + GRACE - performance.now();
    if (waits > 0) return void (entry.timer = setTimeout(() => this.expire(entry), waits));
    entry.step(1);
    return this.end(entry);
  }

  /** @param {Entry} entry */
  end(entry) {
    clearTimeout(entry.timer);
    this.under.delete(entry);
    entry.done();
  }

  /** Bring everything to its end, and what follows from it too. */
  hurry() {
    this.hurried = true;
    this.finish();
  }

  /** Bring everything to its end. */
  finish() {
    for (const entry of [...this.under]) {
      entry.step(1);
      this.end(entry);
    }
  }
}

/** @param {number} way */
export const easeOut = (way) => 1 - (1 - way) ** 3;
/** @param {number} way */
export const easeBoth = (way) => (way < 0.5 ? 4 * way ** 3 : 1 - (2 - 2 * way) ** 3 / 2);
