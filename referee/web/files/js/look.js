// How the page looks on this phone: light or dark, and how large its letters are.

import { read, write } from "./kept.js";

const DARK = matchMedia("(prefers-color-scheme: dark)");

/** Light or dark as it was chosen: "light", "dark", or "system" for what the phone says. */
export const scheme = () => read("scheme", "system");

/** How large the letters are, in percent of what the browser makes them. */
export const size = () => read("size", 100);

/** Look like that from now on. */
export function setScheme(wanted) {
  write("scheme", wanted === "system" ? null : wanted);
  dress();
}

/** Write this large from now on. */
export function setSize(wanted) {
  write("size", wanted === 100 ? null : wanted);
  dress();
}

/** Look as was chosen. */
export function dress() {
  const root = document.documentElement;
  const wanted = scheme();
  root.dataset.scheme = wanted === "system" ? (DARK.matches ? "dark" : "light") : wanted;
  if (size() === 100) delete root.dataset.size;
  else root.dataset.size = size();
  const ground = getComputedStyle(root).getPropertyValue("--ground").trim();
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) meta.content = ground;
}

DARK.addEventListener("change", dress);
