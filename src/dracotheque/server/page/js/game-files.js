/** What a game brings for the page: its board, pieces, cover, colours, sounds and tutorial, from its own folder. */

import { get, getText, loaded } from "./api.js";

/** @typedef {import("../protocol").GameInfo} GameInfo */
/** @typedef {import("../board-module").BoardModule} BoardModule */

/** @param {string} game @param {string} file */
export const gameFile = (game, file) => `/page/games/${game}/${file}`;

/** The board of a game, or else the one that shows any game. @param {GameInfo} game @returns {Promise<BoardModule>} */
export const boardOf = ({ name, web }) =>
  loaded(web.includes("board") ? import(gameFile(name, "board.js")) : import("./generic-board.js"));

/** The drawings of a game's pieces, as SVG. @param {GameInfo} game @returns {Promise<string>} */
export const piecesOf = ({ name, web }) =>
  (web.includes("pieces") ? getText(gameFile(name, "pieces.svg")) : Promise.resolve(""));

/** Where the picture on a game is: its own, or the one of every other game. @param {GameInfo | undefined} game */
export const coverPath = (game) => (game?.web.includes("cover") ? gameFile(game.name, "cover.svg") : "/page/cover.svg");

/** Which events sound like what. @param {GameInfo} game @returns {Promise<Record<string, string[]>>} */
export const soundsFor = ({ name, web }) =>
  (web.includes("sounds") ? get(gameFile(name, "sounds.json")) : Promise.resolve({}));

/**
 * Put the style sheet of a game into the page, once; resolves when it has loaded or failed to.
 * @param {GameInfo} game @returns {Promise<void>}
 */
export function addStyle({ name, web }) {
  const path = gameFile(name, "board.css");
  if (!web.includes("style") || document.querySelector(`link[href="${path}"]`)) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: path });
  return new Promise((resolve) => {
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}
