/** A table's socket: it comes back by itself, and every command is answered. */

import { Problem } from "./api.js";

/** @typedef {import("../../../../../web/src/messages").News} News */

const SOONEST = 400;
const LATEST = 8_000;
/** Codes with which the server says that coming back is of no use: no such table, not allowed. */
const FINAL = [4003, 4004];

export class Live {
  /** @param {string} table @param {(news: any) => void} hear takes news, and `{is: "lost"}` when the line breaks */
  constructor(table, hear) {
    this.address = `${location.protocol.replace("http", "ws")}//${location.host}/api/tables/${table}/live`;
    this.hear = hear;
    this.socket = /** @type {WebSocket} */ (/** @type {unknown} */ (undefined));
    this.id = 0;
    this.pause = SOONEST;
    /** @type {Map<number, { resolve: (done: any) => void, reject: (why: Problem) => void }>} */
    this.unanswered = new Map();
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => document.hidden || this.retry());
    this.open();
  }

  get connected() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Open the socket; what was sent through the one before is no longer waited for. */
  open() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onmessage = (event) => this.socket === socket && this.take(JSON.parse(event.data));
    socket.onclose = (event) => this.socket === socket && this.lose(event.code);
  }

  /** Come back at once, if the line is broken. */
  retry() {
    if (this.socket.readyState === WebSocket.CLOSED && this.timer) this.open();
  }

  /** Open the line anew: whoever has taken a seat is another one for the server. */
  reopen() {
    const before = this.socket;
    this.open();
    before.close();
  }

  /** @param {any} news */
  take(news) {
    this.pause = SOONEST;
    const waiting = this.unanswered.get(news.id);
    if (waiting && (news.is === "done" || news.is === "refused")) {
      this.unanswered.delete(news.id);
      if (news.is === "done") waiting.resolve(news);
      else waiting.reject(new Problem(news.problem));
    } else this.hear(news);
  }

  /** @param {number} code */
  lose(code) {
    for (const waiting of this.unanswered.values()) waiting.reject(new Problem({ code: "lost", text: "" }));
    this.unanswered.clear();
    if (FINAL.includes(code)) return;
    this.hear({ is: "lost" });
    this.timer = setTimeout(() => this.open(), this.pause * (0.5 + Math.random()));
    this.pause = Math.min(LATEST, this.pause * 2);
  }

  /**
   * Do something at the table: kept once it is safe, broken with the reason.
   * @param {string} command @param {object} [wishes] @returns {Promise<any>}
   */
  do(command, wishes = {}) {
    const id = (this.id += 1);
    return new Promise((resolve, reject) => {
      if (!this.connected) return reject(new Problem({ code: "lost", text: "" }));
      this.unanswered.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ do: command, id, ...wishes }));
    });
  }
}
