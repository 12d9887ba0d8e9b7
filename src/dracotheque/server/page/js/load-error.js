// Plain and first, since it must not need anything else: a page whose scripts did not come says so and is opened again.
{
  const [AGAIN, LONGEST] = [3_000, 60_000]; // milliseconds until it is tried again: longer every time
  const TRIES = "dracotheque.tries";
  /** @type {Record<string, string>} */
  const SAID = {
    en: "Can’t reach the server. Trying again…",
    fr: "Serveur injoignable. Nouvelle tentative…",
    it: "Server non raggiungibile. Nuovo tentativo…",
    de: "Server nicht erreichbar. Neuer Versuch …",
  };

  const say = () => {
    const wished = [localStorage.getItem("dracotheque.language"), ...navigator.languages];
    const language = wished.map((each) => (each ?? "").slice(0, 2)).find((each) => each in SAID) ?? "en";
    const banner = /** @type {HTMLElement} */ (document.getElementById("banner"));
    banner.lang = language;
    banner.textContent = SAID[language];
    banner.hidden = false;
  };

  // As soon as the server answers, the page is opened again: half of one is of no use.
  const comeBack = () => {
    const tries = Number(sessionStorage.getItem(TRIES) ?? 0);
    setTimeout(async () => {
      const there = await fetch("/healthz", { cache: "no-store" }).then(({ ok }) => ok, () => false);
      if (!there) return comeBack();
      sessionStorage.setItem(TRIES, String(tries + 1));
      return location.reload();
    }, Math.min(AGAIN * 2 ** tries, LONGEST));
  };

  // The page's own scripts report by events whether they loaded and when the line is lost.
  addEventListener("opened", () => sessionStorage.removeItem(TRIES));
  addEventListener("lost", comeBack);
  addEventListener("error", ({ target }) => {
    if (!(target instanceof HTMLScriptElement) || target.type !== "module") return; // others may belong to the browser
    comeBack();
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", say);
    else say();
  }, true);
}
