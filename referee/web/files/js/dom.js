// Elements, small pictures beside words, and styles that are loaded later.


// Elements from plain calls, and patching what is shown so that focus and scrolling stay.

const SVG = "http://www.w3.org/2000/svg";
const HANDLERS = ["onclick", "onchange", "oninput", "onsubmit", "onkeydown"];
// What a reader has set by hand, and a new drawing must not take back.
const OWN = new Set(["open", "value", "selected"]);

/** An HTML element: `h("p", {class: "note"}, "text", child)`. Nullish children are left out. */
export function h(tag, props, ...children) {
  return made(document.createElement(tag), props, children);
}

/** An SVG element. */
export function svg(tag, props, ...children) {
  return made(document.createElementNS(SVG, tag), props, children);
}

function made(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element[name] = value;
    else if (name === "value" || name === "checked") element[name] = value;
    else if (name === "key") element.setAttribute("data-key", value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Make `from`, which is shown, look like `to`; what is shown afterwards. */
export function morph(from, to) {
  if (from.nodeName !== to.nodeName || keyOf(from) !== keyOf(to)) {
    from.replaceWith(to);
    return to;
  }
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return from;
  }
  for (const name of HANDLERS) if (from[name] !== to[name]) from[name] = to[name];
  for (const { name, value } of to.attributes) {
    if (!OWN.has(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  for (const { name } of [...from.attributes]) {
    if (!OWN.has(name) && !to.hasAttribute(name)) from.removeAttribute(name);
  }
  if (["checkbox", "radio"].includes(from.type)) from.checked = to.checked;
  if (from.nodeName === "SELECT") morphSelect(from, to);
  else if (from.nodeName !== "TEXTAREA") morphChildren(from, to);
  return from;
}

/** Where what had the focus is gone, give it to what was around that, or else to the screen. */
export function keepFocus(around) {
  if (document.activeElement !== document.body) return;
  let near = around;
  while (near && !(near.isConnected && near.matches("[tabindex]"))) near = near.parentElement;
  (near ?? document.getElementById("main"))?.focus({ preventScroll: true });
}

function keyOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("data-key") : null;
}

function morphSelect(from, to) {
  const chosen = to.value;
  morphChildren(from, to);
  if (from !== document.activeElement) from.value = chosen;
}

function morphChildren(from, to) {
  const keyed = new Map();
  const stay = new Set([...to.children].map(keyOf));
  for (const child of [...from.children]) {
    const key = keyOf(child);
    // What goes is taken out first: what stays then need not be moved, and keeps the focus.
    if (key && !stay.has(key)) child.remove();
    else if (key) keyed.set(key, child);
  }
  let at = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const key = keyOf(wanted);
    const same = key ? keyed.get(key) : at && !keyOf(at) ? at : null;
    if (same && same.nodeName === wanted.nodeName) {
      if (same === at) at = at.nextSibling;
      else move(from, same, at);
      morph(same, wanted);
    } else {
      from.insertBefore(wanted, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

// Where the browser can, moving takes neither the focus nor the scrolling away.
function move(parent, child, before) {
  if (parent.moveBefore) parent.moveBefore(child, before);
  else parent.insertBefore(child, before);
}

/** Take everything out of an element and put something else in. */
export function fill(element, ...children) {
  element.replaceChildren(...children);
  return element;
}

// Small pictures beside words; never instead of them.

const PATHS = {
  table: "M4 7h16v4H4zM6 11v8M18 11v8M9 7V4h6v3",
  chart: "M4 20h16M6 17v-6M11 17V5M16 17v-9",
  book: "M12 6C10 4 7 4 4 5v13c3-1 6-1 8 1 2-2 5-2 8-1V5c-3-1-6-1-8 1v13",
  tools: "M14 4a5 5 0 0 0-4 7l-6 6 3 3 6-6a5 5 0 0 0 7-4l-3 1-3-3 1-3z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  screen: "M3 5h18v11H3zM9 20h6M12 16v4",
  close: "M6 6l12 12M18 6 6 18",
  back: "M14 5l-7 7 7 7",
  check: "M5 13l4 4L19 7",
  warn: "M12 4 22 20H2zM12 10v4M12 17h.01",
  ask: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 18h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 11v6M12 7h.01",
  offline: "M3 3l18 18M5 12a10 10 0 0 1 5-2.6M2 8.5A15 15 0 0 1 8 5.2M12 19h.01M14 9.6A10 10 0 0 1 19 12M11 4.7A15 15 0 0 1 22 8.5",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7",
  save: "M12 4v11M7 10l5 5 5-5M5 20h14",
  share: "M12 15V4M7 9l5-5 5 5M5 13v7h14v-7",
  sound: "M4 10v4h4l5 4V6L8 10zM17 9a4 4 0 0 1 0 6",
  up: "M6 14l6-6 6 6",
  down: "M6 10l6 6 6-6",
  people: "M8 4a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M2 20c0-4 2-6 6-6s6 2 6 6M16 5a3 3 0 0 1 0 6M17 14c3 0 5 2 5 6",
  pencil: "M5 19l1-5L16 4l4 4L10 18zM14 6l4 4",
  undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3",
  clockwise: "M19 12a7 7 0 1 1-2-5M18 2v5h-5",
  counterclockwise: "M5 12a7 7 0 1 0 2-5M6 2v5h5",
  cards: "M4 8h9v12H4zM8 8V4h9v12h-4M18 20h4M20 18v4",
  skip: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M6 6l12 12",
  turn: "M4 9h13l-4-4M20 15H7l4 4",
  shield: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
  cup: "M7 4h10v5a5 5 0 0 1-10 0zM12 14v5M8 20h8M7 6H3c0 3 2 5 4 5M17 6h4c0 3-2 5-4 5",
  hand: "M8 13V5a1.5 1.5 0 0 1 3 0v6V4a1.5 1.5 0 0 1 3 0v7V6a1.5 1.5 0 0 1 3 0v9c0 4-2 6-5 6s-5-1-7-5l-2-4a1.5 1.5 0 0 1 3-1z",
  log: "M5 6h.01M9 6h11M5 12h.01M9 12h11M5 18h.01M9 18h11",
  jump: "M3 18c1-11 13-12 15-2M21 11l-3 5-5-2",
  house: "M3 11l9-8 9 8M6 9v11h12V9",
  star: "M12 3l2.6 6 6.4.5-4.9 4.2 1.6 6.3L12 16.6 6.3 20l1.6-6.3L3 9.5 9.4 9z",
  eye: "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
};

/** An icon by name. */
export function icon(name) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
  );
}

// Styles that few phones need: loaded with what they are for.

/** Load a style, once; `before` names the one that it stands before, where both say something. */
export function style(name, before = null) {
  const known = document.querySelector(`link[href$="/${name}.css"]`);
  if (known) return Promise.resolve();
  return new Promise((done) => {
    // Without it the screen is plain, and works.
    const link = h("link", { rel: "stylesheet", href: new URL(`../css/${name}.css`, import.meta.url).href, onload: done, onerror: done });
    const place = before && document.querySelector(`link[href$="/${before}.css"]`);
    if (place) place.before(link);
    else document.head.append(link);
  });
}
