/** Asking the server. */

/** Why the server did not do something: a code, a phrase, and the rule where one was broken. */
export class Problem extends Error {
  /** @param {{ code: string, text: string, rule?: string, phrase?: any }} why */
  constructor(why) {
    super(why.text);
    this.code = why.code;
    this.rule = why.rule || "";
    this.phrase = why.phrase;
  }
}

/** @param {string} path @param {RequestInit} [how] @returns {Promise<any>} */
async function ask(path, how) {
  let answer;
  try {
    answer = await fetch(path, how);
  } catch {
    throw new Problem({ code: "lost", text: "", phrase: { key: "refused.store_away", gaps: {} } });
  }
  const found = await answer.json();
  if (!answer.ok) throw new Problem(found);
  return found;
}

/** Look at something. @param {string} path */
export const get = (path) => ask(path);

/** Change something. @param {string} path @param {any} [body] */
export const post = (path, body = {}) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** What this browser adds to the dice, so that nobody else can know them before. */
export function luck() {
  const signs = "abcdefghijklmnopqrstuvwxyz012345"; // 32: every one as likely as another
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => signs[byte & 31]).join("");
}
