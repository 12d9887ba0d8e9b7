/** Shows why a request was refused, or that the connection is lost. */

import { Problem } from "./api.js";
import { complain, el } from "./dom.js";
import { paragraph } from "./markdown.js";
import { rulebook, say, t } from "./i18n.js";

/**
 * Wait for something; if it is refused, say why and with which rule, and give nothing.
 * @param {Promise<any>} promise @param {string} [game] whose rulebook explains it
 */
export async function attempt(promise, game) {
  try {
    return await promise;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    await explain(problem, game);
    return undefined;
  }
}

/** Wait as `attempt` does, but reject where the line is lost: the caller tries again. @param {Promise<any>} promise */
export const unlessLost = (promise) => promise.catch((why) =>
  why.code === "lost" ? Promise.reject(why) : attempt(Promise.reject(why)));

/** @param {Problem} problem @param {string} [game] */
async function explain(problem, game) {
  const sentence = problem.code === "lost" ? t("lost") : problem.phrase ? say(problem.phrase) : problem.message;
  const rule = problem.rule && game ? (await rulebook(game).catch(() => undefined))?.get(problem.rule) : undefined;
  complain(el("p", {}, sentence), rule && el("blockquote", {}, el("h3", {}, rule.title), ...paragraph(rule.text)));
}
