/** HTTP requests to the server. */

/** Why the server did not do something: a code, a phrase, and the rule where one was broken. */
export class Problem extends Error {
  /** @param {{ code: string, text: string, rule?: string, phrase?: any }} why */
  constructor(why) {
    super(why.text || why.code); // a lost line has no text, but the console should name it
    this.code = why.code;
    this.rule = why.rule || "";
    this.phrase = why.phrase;
  }
}

/** What is said where the server did not answer. */
const lost = () => new Problem({ code: "lost", text: "", phrase: ["refused.store_away"] });

/** @param {string} path @param {RequestInit} [how] @returns {Promise<any>} */
async function ask(path, how) {
  let answer, found;
  try {
    answer = await fetch(path, how);
    found = await answer.json(); // the line may break in the middle of it, or a proxy answer in the server's stead
  } catch {
    throw lost();
  }
  if (!answer.ok) throw new Problem(found);
  return found;
}

/** Look at something. @param {string} path */
export const get = (path) => ask(path);

/** The text of a file of the page. @param {string} path */
export async function getText(path) {
  const answer = await fetch(path).catch(() => null);
  const text = answer?.ok ? await answer.text().catch(() => null) : null;
  if (text === null) throw lost();
  return text;
}

/** What does not change while the page is open, by its path. @type {Map<string, Promise<any>>} */
const known = new Map();

/**
 * Look at what does not change: once it has come it is kept; where it was lost, it is asked for again.
 * @param {string} path
 */
export function getOnce(path) {
  const forget = (/** @type {Problem} */ why) => (known.delete(path), Promise.reject(why));
  if (!known.has(path)) known.set(path, get(path).catch(forget));
  return /** @type {Promise<any>} */ (known.get(path));
}

/**
 * Wait for a script of the page: where it does not come, the line is lost, as with any other question.
 * @template T @param {Promise<T>} script @returns {Promise<T>}
 */
export const loaded = (script) => script.catch((why) => {
  // Every browser says “module” in other words; what came but went wrong while it started stays an error.
  throw why instanceof TypeError && /module/i.test(why.message) ? lost() : why;
});

/** Change something. @param {string} path @param {any} [body] */
export const post = (path, body = {}) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** A random seed that this browser adds to the dice, so that the server cannot choose them alone. */
export function clientSeed() {
  const signs = "abcdefghijklmnopqrstuvwxyz012345"; // 32: every one as likely as another
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => signs[byte & 31]).join("");
}
