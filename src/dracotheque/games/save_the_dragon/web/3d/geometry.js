/**
 * Where everything is on the stair in 3D, in the centimetres of the server's rock (games/save_the_dragon/stairs.toml):
 * x to the right of who climbs, y up, z towards the viewer.
 */

/** @typedef {[number, number, number]} Point */

export const LANE = 5.2;
export const TREAD = 4;
export const RISE = 2.6;
export const STEPS = 9;
export const LETTERS = "abc";
export const HALF = 1.5 * LANE; // half the width of the stairs
export const BACK = -STEPS * TREAD; // where the wall with the doors stands
export const LANDING = (STEPS + 1) * RISE; // how high the doors' sill is
export const HALL = LANDING + 6.8; // the floor of the dragon's hall, above the doors
export const ROCK = 1.8; // its radius
export const YARD = 16; // how far the yard at the foot of the stairs reaches
export const WALL = 1.5; // how thick the low walls beside the stairs are …
export const LOW = 1.5; // … and how high they stand above the steps
export const WIDE = 14.6; // half the width of the wall with the doors
export const LEAF = 2.3; // half the width of a doorway …
export const SIDE = 3.6; // … and how high its arch begins

/** Where a thing stands that goes to a place. @type {Record<string, Point>} */
const PLACES = {
  floor: [-10.9, 0, 1],
  chamber: [7.2, HALL + 0.4, BACK - 3.2],
  rock: [-11.7, LANDING + ROCK + 0.3, BACK + 2.3],
  "die-steps": [12.6, 0, 1.4],
  "die-action": [12.6, 0, 1.3],
};
for (let lane = 0; lane < LETTERS.length; lane++) {
  PLACES[`door-${LETTERS[lane]}`] = [(lane - 1) * LANE, LANDING, BACK - 0.5];
  for (let step = 1; step <= STEPS; step++) {
    PLACES[`${LETTERS[lane]}${step}`] = [(lane - 1) * LANE, step * RISE, -(step - 0.5) * TREAD];
  }
}

/** On the floor every seat has a place of its own. @type {[number, number][]} */
const QUEUE = [
  [1.3, 1.8],
  [-1.3, 1.5],
  [1, -1.8],
  [-1.6, -2.4],
];

export const KEYS = Object.keys(PLACES);

/** Where a place is. @param {string} key @returns {Point} */
export const placeOf = (key) => PLACES[key] ?? PLACES.floor;

/** Where a piece stands at its place. @param {{ kind: string, place: string, seat?: number }} piece @returns {Point} */
export function standing({ kind, place, seat = 0 }) {
  const [x, y, z] = placeOf(place);
  if (place === "floor") return [x + QUEUE[seat][0], y, z + QUEUE[seat][1]];
  if (kind === "rock" && place !== "rock") return [x, y + ROCK, z];
  return [x, y, z];
}

/** @param {string} key */
export const isSpot = (key) => /^[abc]\d$/.test(key);

/** The lane of a spot or door, 0 on the left. @param {string} key */
export const laneOf = (key) => LETTERS.indexOf(key.startsWith("door") ? key[5] : key[0]);

/** The places one step on from a place: to the sides, up, through a door. @param {string} key @param {string} shut */
function nextTo(key, shut) {
  if (key === "floor") return ["a1", "b1", "c1"];
  if (!isSpot(key)) return key.startsWith("door") ? ["chamber"] : [];
  const [lane, step] = [laneOf(key), Number(key[1])];
  const aside = [lane - 1, lane + 1].filter((other) => LETTERS[other]).map((other) => `${LETTERS[other]}${step}`);
  const up = step < STEPS ? `${key[0]}${step + 1}` : `door-${key[0]}`;
  return up === shut ? aside : [up, ...aside];
}

/**
 * The shortest walk from a place to another, up the stairs, around the shield and through an open door; none: [to].
 * @param {string} from @param {string} to @param {string} shield @param {string} shut @returns {string[]}
 */
export function walk(from, to, shield, shut) {
  /** @type {string[][]} */
  const paths = [[from]];
  const seen = new Set([from, shield]);
  for (const path of paths) {
    const here = /** @type {string} */ (path.at(-1));
    if (here === to) return path.slice(1);
    for (const key of nextTo(here, shut)) {
      if (!seen.has(key)) (seen.add(key), paths.push([...path, key]));
    }
  }
  return [to];
}
