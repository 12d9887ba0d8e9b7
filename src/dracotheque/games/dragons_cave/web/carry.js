/** Carrying a card from the hand to the board. */

const STEADY = 8; // pixels: a pointer that moved less has clicked

/**
 * Let something be dragged onto the board; what is let go there is chosen.
 * @param {HTMLButtonElement} card @param {HTMLElement} board @param {() => void} drop
 */
export function carry(card, board, drop) {
  /** @type {{ x: number, y: number } | null} */
  let start = null;
  let carried = false;
  const back = () => {
    start = null;
    card.style.translate = "";
    card.classList.remove("carried");
    board.classList.remove("awaits");
  };
  card.addEventListener("pointerdown", (event) => {
    if (card.disabled || event.button) return;
    card.setPointerCapture(event.pointerId);
    start = { x: event.clientX, y: event.clientY };
    carried = false;
  });
  card.addEventListener("pointermove", (event) => {
    if (!start) return;
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    if (!carried && Math.hypot(dx, dy) < STEADY) return;
    carried = true;
    card.classList.add("carried");
    board.classList.add("awaits");
    card.style.translate = `${dx}px ${dy}px`;
  });
  card.addEventListener("pointerup", (event) => {
    const over = carried && isInside(board.getBoundingClientRect(), event);
    if (over && !card.disabled) drop();
    if (!over) back();
    else start = null;
  });
  card.addEventListener("pointercancel", back);
  card.addEventListener("dragstart", (event) => event.preventDefault());
  card.addEventListener("click", (event) => carried && event.stopImmediatePropagation(), true);
}

/** @param {DOMRect} rect @param {{ clientX: number, clientY: number }} point */
const isInside = ({ left, right, top, bottom }, { clientX, clientY }) =>
  clientX > left && clientX < right && clientY > top && clientY < bottom;
