/** The page when the server cannot be reached: in the reader's language, and trying again. */

const AGAIN = 3_000;
/** What is to be said, in every language. @type {NodeListOf<HTMLElement>} */
const sections = document.querySelectorAll("main section");
const spoken = [...sections].map((section) => section.lang);
const language = [localStorage.getItem("dracotheque.language"), ...navigator.languages]
  .map((each) => (each ?? "").slice(0, 2)).find((each) => spoken.includes(each)) ?? "en";

document.documentElement.lang = language;
for (const section of sections) section.hidden = section.lang !== language;

/** Come back to the page that was wanted, as soon as the server answers. */
async function retry() {
  try {
    if (!(await fetch("/healthz", { cache: "no-store" })).ok) return;
    if (location.pathname === "/page/offline.html") location.replace("/");
    else location.reload();
  } catch {
    // Not yet.
  }
}

for (const button of document.querySelectorAll("button")) button.addEventListener("click", retry);
addEventListener("online", retry);
setInterval(() => document.hidden || retry(), AGAIN);
