/** A table's socket: it comes back by itself, and every command is answered. What is said is for the move queue. */

import { Problem } from "./api.js";

const PROTOCOL = 2;
const SOONEST = 400; // milliseconds
const LATEST = 8_000;
const FORBIDDEN = 4003; // not allowed, or another protocol than this page speaks
/** Codes with which the server says that coming back is of no use: no such table, not allowed. */
const FINAL = [FORBIDDEN, 4004];
const RELOADED = "dracotheque.reloaded"; // when this tab was reloaded for another protocol
const ONCE_IN = 60_000; // milliseconds

export class TableSocket {
  /**
   * @param {string} table
   * @param {(message: any) => void} receive takes messages, and `{type: "lost"}` when the line breaks
   */
  constructor(table, receive) {
    const host = `${location.protocol.replace("http", "ws")}//${location.host}`;
    this.address = `${host}/api/tables/${table}/live?protocol=${PROTOCOL}`;
    this.receive = receive;
    this.socket = /** @type {WebSocket} */ (/** @type {unknown} */ (undefined));
    this.id = 0;
    this.pause = SOONEST;
    /** Whether the server has said anything through the socket that is open. */
    this.heard = false;
    /** @type {Map<number, { resolve: (ack: any) => void, reject: (why: Problem) => void }>} */
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
    this.heard = false;
    socket.onmessage = (event) => this.socket === socket && this.take(JSON.parse(event.data));
    socket.onclose = (event) => this.socket === socket && this.lose(event.code);
  }

  /** Come back at once, if the line is broken. */
  retry() {
    if (this.socket.readyState === WebSocket.CLOSED && this.timer) this.open();
  }

  /** Open the line again: after a seat was taken, the server sends another view. */
  reopen() {
    const before = this.socket;
    this.open();
    before.close();
  }

  /** @param {any} message */
  take(message) {
    this.pause = SOONEST;
    this.heard = true;
    const waiting = this.unanswered.get(message.id);
    if (waiting && (message.type === "ack" || message.type === "rejected")) {
      this.unanswered.delete(message.id);
      if (message.type === "ack") waiting.resolve(message);
      else waiting.reject(new Problem(message.problem));
    } else this.receive(message);
  }

  /** @param {number} code */
  lose(code) {
    for (const waiting of this.unanswered.values()) waiting.reject(new Problem({ code: "lost", text: "" }));
    this.unanswered.clear();
    // A server says why it forbids something; one that says nothing speaks another protocol, and has another page.
    if (code === FORBIDDEN && !this.heard) reloadOnce();
    if (FINAL.includes(code)) return;
    this.receive({ type: "lost" });
    this.timer = setTimeout(() => this.open(), this.pause * (0.5 + Math.random()));
    this.pause = Math.min(LATEST, this.pause * 2);
  }

  /**
   * Send a command: the promise is kept once it is safe, and broken with the reason.
   * @param {string} type @param {object} [fields] @returns {Promise<import("../protocol").Ack>}
   */
  send(type, fields = {}) {
    const id = (this.id += 1);
    return new Promise((resolve, reject) => {
      if (!this.connected) return reject(new Problem({ code: "lost", text: "" }));
      this.unanswered.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ type, id, ...fields }));
    });
  }

  /** Ask for a snapshot; it comes as a message. */
  sync() {
    if (this.connected) this.socket.send(JSON.stringify({ type: "sync", id: (this.id += 1) }));
  }
}

/** Fetch the page again, unless that was done just now and did not help. */
function reloadOnce() {
  const now = Date.now();
  if (now - Number(sessionStorage.getItem(RELOADED) ?? 0) < ONCE_IN) return;
  sessionStorage.setItem(RELOADED, String(now));
  location.reload();
}
