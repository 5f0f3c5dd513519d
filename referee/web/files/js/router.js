// Addresses and screens. A screen says its path, such as "/t/:table/scores", and how it looks.

let screens = [];
let changed = () => {};
// A sheet has an entry of its own in the history, at the same address, so that going back closes it. It
// stays when the sheet is closed otherwise, until one goes on or back.
const atSheet = () => Boolean(history.state?.sheet);
let wasAtSheet = atSheet();
let closeSheet = () => false;

/** Start with these screens; `onChange` is called whenever the address changes. */
export function route(all, onChange) {
  screens = all;
  changed = onChange;
  addEventListener("popstate", popped);
  document.addEventListener("click", follow);
}

function popped() {
  const left = wasAtSheet && !atSheet();
  wasAtSheet = atSheet();
  if (!left) changed();
  else if (!closeSheet()) history.back();
}

/** A sheet opens: going back calls `close`, which says whether there was one to close. */
export function enterSheet(close) {
  closeSheet = close;
  if (!atSheet()) history.pushState({ sheet: true }, "");
  wasAtSheet = true;
}

/** The screen that the address names, with its parameters. */
export function here() {
  const path = location.pathname.replace(/\/+$/, "") || "/";
  for (const screen of screens) {
    const found = matched(screen.path, path);
    if (found) return { screen, params: found };
  }
  return { screen: screens[0], params: {} };
}

function matched(pattern, path) {
  const wanted = pattern.split("/");
  const parts = path.split("/");
  if (wanted.length !== parts.length) return null;
  const params = {};
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i].startsWith(":")) params[wanted[i].slice(1)] = decodeURIComponent(parts[i]);
    else if (wanted[i] !== parts[i]) return null;
  }
  return params;
}

/** Go to an address of the page. */
export function go(path, { replace = false } = {}) {
  history[replace || atSheet() ? "replaceState" : "pushState"](null, "", path);
  wasAtSheet = false;
  changed();
}

function follow(event) {
  const link = event.target.closest?.("a[href]");
  if (!link || link.target || link.hasAttribute("download") || event.defaultPrevented) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || /^\/(docs|api)/.test(url.pathname)) return;
  event.preventDefault();
  go(url.pathname + url.search);
}
