// Plain and first, since it must not need anything else: what was lost while the page opened is not missed for long.
{
  const AGAIN = 3_000; // milliseconds
  /** @type {Record<string, string>} */
  const SAID = {
    en: "The library does not answer just now. This page tries again by itself.",
    fr: "La bibliothèque ne répond pas pour l’instant. Cette page réessaie d’elle-même.",
    it: "La biblioteca per ora non risponde. Questa pagina riprova da sola.",
    de: "Die Bibliothek antwortet gerade nicht. Diese Seite versucht es von selbst weiter.",
  };

  const say = () => {
    const wished = [localStorage.getItem("dracotheque.language"), ...navigator.languages];
    const language = wished.map((each) => (each ?? "").slice(0, 2)).find((each) => each in SAID) ?? "en";
    const banner = /** @type {HTMLElement} */ (document.getElementById("banner"));
    banner.lang = language;
    banner.textContent = SAID[language];
    banner.hidden = false;
  };

  // As soon as the server answers, the page is opened anew: half of one is of no use.
  const comeBack = () => setTimeout(async () => {
    const there = await fetch("/healthz", { cache: "no-store" }).then(({ ok }) => ok, () => false);
    if (there) location.reload();
    else comeBack();
  }, AGAIN);

  // The page itself says what it has lost, and that by an event; only where its scripts did not come, nobody can.
  addEventListener("lost", comeBack);
  addEventListener("error", ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", say);
    else say();
    comeBack();
  }, true);
}
