/** Signs on buttons, drawn in a square of 24. */

/** @type {Record<string, string>} */
const PATHS = {
  again: "M19 12a7 7 0 1 1-2.200-5.100M19 4v4.500h-4.500",
  all: "M5 7h14M5 12h14M5 17h14",
  confirm: "M5 12.500 10 17.500 19 7",
  help: "M9 9.200a3 3 0 1 1 4.300 2.700c-.9.5-1.300 1.100-1.300 2.100M12 17.300v.2",
  log: "M7 4h10v16H7zM10 8h4M10 12h4M10 16h2",
  home: "M14.500 5 8 12l6.500 7",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  skip: "M5 5l8 7-8 7zM17 5v14",
  undo: "M9 6 4.500 10.500 9 15M5 10.500h8.500a5 5 0 0 1 0 10H10",
};

/** A sign, as markup. @param {string} name */
export const icon = (name) => `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
