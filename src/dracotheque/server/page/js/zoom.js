/** Looking nearer: pinch, wheel, double tap, + and −; what is near is dragged about inside its frame. */

const NEAR = 2.2; // so large is a board that one looks at nearer
const LARGEST = 5;
const STEP = 1.35;
const STEADY = 7; // pixels: a finger that moved less has tapped
const REST = 120; // milliseconds
const NUDGE = 60; // pixels an arrow key moves the board

/** @typedef {{ x: number, y: number }} Point */

export class Zoom {
  scale = 1;
  /** Whether the pointer that is down has dragged the board: then its click is none. */
  dragged = false;
  /** @type {Map<number, Point>} */
  fingers = new Map();

  /** The scale that was announced last. */
  announced = 0;
  timer = 0;

  /**
   * @param {SVGSVGElement} svg @param {HTMLElement} frame @param {() => void} changed is called when it is larger or
   * smaller
   */
  constructor(svg, frame, changed) {
    this.svg = svg;
    this.frame = frame;
    this.changed = changed;
    const { x, y, width, height } = svg.viewBox.baseVal;
    this.whole = { x, y, width, height };
    this.middle = { x: x + width / 2, y: y + height / 2 };
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) {
      svg.addEventListener(end, (event) => this.fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
    }
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    new ResizeObserver(() => this.apply()).observe(svg);
  }

  /** How many pixels a unit of the drawing has when all of it is seen. */
  get fitting() {
    const { width, height } = this.svg.getBoundingClientRect();
    return Math.min(width / this.whole.width, height / this.whole.height) || 1;
  }

  /** How many pixels a unit of the drawing has now. */
  get unit() {
    return this.fitting * this.scale;
  }

  /** Where on the screen a point of the drawing is. @param {Point} at @returns {Point} */
  toScreen({ x, y }) {
    const matrix = this.svg.getScreenCTM();
    return matrix ? new DOMPoint(x, y).matrixTransform(matrix) : { x: 0, y: 0 };
  }

  /** Which point of the drawing is there on the screen. @param {Point} at @returns {Point} */
  toDrawing({ x, y }) {
    const matrix = this.svg.getScreenCTM()?.inverse();
    return matrix ? new DOMPoint(x, y).matrixTransform(matrix) : this.middle;
  }

  /**
   * Look nearer at a point of the screen, which stays where it is; without one, at the middle.
   * @param {number} scale @param {Point} [screen]
   */
  to(scale, screen) {
    const near = Math.max(1, Math.min(LARGEST, scale));
    const fixed = screen ? this.toDrawing(screen) : this.middle;
    const by = this.scale / near;
    this.middle = {
      x: fixed.x + (this.middle.x - fixed.x) * by,
      y: fixed.y + (this.middle.y - fixed.y) * by,
    };
    this.scale = near < 1.02 ? 1 : near;
    this.apply();
  }

  /** Look at a point of the drawing from so near. @param {number} scale @param {Point} at */
  look(scale, at) {
    this.scale = Math.max(1, Math.min(LARGEST, scale));
    this.middle = { x: at.x, y: at.y };
    this.apply();
  }

  /** Come nearer to a point of the drawing, or step back so far that all is seen. @param {Point} [at] */
  toggle(at) {
    const back = this.scale > 1;
    this.frame.toggleAttribute("data-near", !back);
    if (!back && at) this.middle = { x: at.x, y: at.y };
    this.scale = back ? 1 : NEAR;
    this.apply();
  }

  /** Show the part that is looked at, and nothing beyond the drawing's edge. */
  apply() {
    const { x, y, width, height } = this.whole;
    this.frame.dataset.zoom = this.scale.toFixed(2);
    this.tell();
    if (this.scale === 1) {
      this.frame.removeAttribute("data-near");
      this.middle = { x: x + width / 2, y: y + height / 2 };
      this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
      return;
    }
    const rect = this.svg.getBoundingClientRect();
    const [wide, high] = [rect.width / this.unit, rect.height / this.unit];
    this.middle = { x: within(this.middle.x, x, width, wide), y: within(this.middle.y, y, height, high) };
    this.svg.setAttribute("viewBox", `${this.middle.x - wide / 2} ${this.middle.y - high / 2} ${wide} ${high}`);
  }

  /** Report the new scale, once it has come to rest. */
  tell() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (Math.abs(this.unit - this.announced) < 0.01) return;
      this.announced = this.unit;
      this.changed();
    }, REST);
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (!this.fingers.size) this.dragged = false;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** One finger drags what is near, two spread it. @param {PointerEvent} event */
  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId);
    if (others.length === 1) this.pinch(others[0][1], before, now);
    else if (!this.dragged && Math.hypot(now.x - before.x, now.y - before.y) < STEADY) return;
    else if (!others.length && this.scale > 1) this.pan(now.x - before.x, now.y - before.y, event.pointerId);
    this.fingers.set(event.pointerId, now);
  }

  /** @param {Point} still @param {Point} before @param {Point} now */
  pinch(still, before, now) {
    const far = (/** @type {Point} */ one) => Math.hypot(one.x - still.x, one.y - still.y) || 1;
    this.dragged = true;
    this.to((this.scale * far(now)) / far(before), { x: (now.x + still.x) / 2, y: (now.y + still.y) / 2 });
  }

  /** @param {number} dx @param {number} dy @param {number} [pointer] */
  pan(dx, dy, pointer) {
    if (pointer !== undefined && !this.dragged) this.svg.setPointerCapture(pointer);
    this.dragged = true;
    this.middle = { x: this.middle.x - dx / this.unit, y: this.middle.y - dy / this.unit };
    this.apply();
  }

  /** The wheel scrolls the page, unless Ctrl is held or the board is near. @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey && this.scale === 1) return;
    event.preventDefault();
    this.to(this.scale * STEP ** (-event.deltaY / 100), { x: event.clientX, y: event.clientY });
  }

  /**
   * + and − come nearer and step back, arrows move what is near; gives whether the key was meant.
   * @param {string} key
   */
  key(key) {
    const arrow = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
    if (key === "+" || key === "=") this.to(this.scale * STEP);
    else if (key === "-" || key === "−") this.to(this.scale / STEP);
    else if (arrow && this.scale > 1) this.pan(arrow[0] * NUDGE, arrow[1] * NUDGE);
    else return false;
    return true;
  }
}

/** @param {number} middle @param {number} edge @param {number} whole @param {number} seen */
function within(middle, edge, whole, seen) {
  if (seen >= whole) return edge + whole / 2;
  return Math.max(edge + seen / 2, Math.min(edge + whole - seen / 2, middle));
}
