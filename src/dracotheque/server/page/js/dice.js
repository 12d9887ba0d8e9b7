/** A die that is thrown on the board: its faces as symbols. */

/** Where pips are, face by face. @type {number[][][]} */
const PIPS = [
  [[0, 0]],
  [[-15, -15], [15, 15]],
  [[-17, -17], [0, 0], [17, 17]],
  [[-15, -15], [15, -15], [-15, 15], [15, 15]],
  [[-17, -17], [17, -17], [0, 0], [-17, 17], [17, 17]],
  [[-15, -18], [15, -18], [-15, 0], [15, 0], [-15, 18], [15, 18]],
];
const INK = "#2a2018";

/** Draw the faces of a die. @param {number} most @param {string} colour @param {string} pip */
export const faces = (most, colour, pip) => PIPS.slice(0, most).map((pips, number) => `
  <symbol id="p-thrown-${number + 1}" viewBox="-50 -50 100 100">
  <path d="M-34 38q38-12 80 0q-40 13-80 0z" fill="${INK}" opacity=".28"/>
  <path d="M-30-38h60q9 0 9 9v58q0 9-9 9h-60q-9 0-9-9v-58q0-9 9-9z" fill="${colour}" stroke="${INK}" stroke-width="3"
    stroke-linejoin="round"/>
  <path d="M31-38q8 0 8 9v58q0 9-9 9h-60q-6 0-8-5h60q8 0 8-9z" fill="${INK}" opacity=".18"/>
  ${pips.map(([x, y]) => `<circle cx="${x - 1}" cy="${y - 1}" r="7.5" fill="${pip}"/>`).join("")}</symbol>`).join("");

/** What is seen of a throw: some faces on the way, then the one it shows. @param {number} value @param {number} most */
export const throwing = (value, most) => ({
  symbol: `p-thrown-${value}`,
  faces: [1, 2, 3, 4, 5].map((step) => `p-thrown-${((value + 2 * step) % most) + 1}`),
});
