/** Animations that run over a time; all of them can be ended at once. */

/** @typedef {{ began: number, long: number, step: (way: number) => void, done: () => void }} TimelineEntry */

export class Timeline {
  /** @type {Set<TimelineEntry>} */
  under = new Set();
  hurried = false;

  /** @param {() => void} wake what makes sure that `go` is called again */
  constructor(wake) {
    this.wake = wake;
  }

  /**
   * Run an animation; `step` gets the share of it that has passed, from 0 to 1.
   * @param {number} long in milliseconds @param {(way: number) => void} step @returns {Promise<void>}
   */
  run(long, step) {
    if (this.hurried) return Promise.resolve(step(1));
    return new Promise((done) => {
      this.under.add({ began: -1, long, step, done });
      this.wake();
    });
  }

  /** From here on things take their time again. */
  begin() {
    this.hurried = false;
  }

  /** Go on to a time; say whether anything is still happening. @param {number} now */
  go(now) {
    for (const happening of [...this.under]) {
      if (happening.began < 0) happening.began = now;
      const way = Math.min(1, (now - happening.began) / happening.long);
      happening.step(way);
      if (way === 1) this.end(happening);
    }
    return this.under.size > 0;
  }

  /** @param {TimelineEntry} happening */
  end(happening) {
    this.under.delete(happening);
    happening.done();
  }

  /** Bring everything to its end, and what follows from it too. */
  hurry() {
    this.hurried = true;
    this.finish();
  }

  /** Bring everything to its end. */
  finish() {
    for (const happening of [...this.under]) {
      happening.step(1);
      this.end(happening);
    }
  }
}

/** @param {number} way */
export const easeOut = (way) => 1 - (1 - way) ** 3;
/** @param {number} way */
export const easeBoth = (way) => (way < 0.5 ? 4 * way ** 3 : 1 - (2 - 2 * way) ** 3 / 2);
