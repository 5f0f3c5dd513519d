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
