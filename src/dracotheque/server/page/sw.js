/**
 * The page when the server cannot be reached: it says so, and comes back by itself.
 *
 * The network always comes first, so that a page is never older than the server's; copies are used only when the server
 * does not answer. Only files under /page/ are kept: answers of /api are private, and this script does not touch them.
 * The server writes the fingerprint of all files into this one, so that every change of the page makes a new cache.
 */

const CACHE = "dracotheque-@version@";
const AWAY = "/page/offline.html";
const NEEDED = [
  AWAY, "/page/js/offline.js", "/page/js/theme.js", "/page/css/fonts.css", "/page/base.css", "/page/icon.svg",
  "/page/room/candle-night.svg", "/page/fonts/alegreya-sans-5.3.0-latin-400.woff2",
  "/page/fonts/alegreya-sans-5.3.0-latin-700.woff2", "/page/fonts/alegreya-5.3.0-latin-normal.woff2",
];

addEventListener("install", (event) => event.waitUntil(keep().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(forget().then(() => clients.claim())));
addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (mode === "navigate") event.respondWith(visit(event.request));
  else if (pathname.startsWith("/page/")) event.respondWith(file(event.request));
});

/** Keep what is needed to say that nothing can be reached. */
async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll(NEEDED.map((path) => new Request(path, { cache: "reload" })));
}

/** Forget what was kept of earlier pages. */
async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

/** Go to a page, or say that the server is away. */
async function visit(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(AWAY)) ?? Response.error();
  }
}

/** Get a file of the page: from the server, and as it was last seen only if that does not answer. */
async function file(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) {
      const copy = answer.clone();
      // A file whose line breaks in the middle is not kept; the page that asked for it sees the error itself.
      caches.open(CACHE).then((cache) => cache.put(request, copy)).catch(() => undefined);
    }
    return answer;
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}
