// Before anything is drawn: day or night as it was chosen last, so that the page does not flash.
document.documentElement.dataset.theme =
  localStorage.getItem("dracotheque.theme") ||
  (matchMedia("(prefers-color-scheme: dark)").matches ? "night" : "day");
