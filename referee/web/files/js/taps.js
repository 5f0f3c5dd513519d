// A finger that taps twice means what it saw first: whatever came under it meanwhile is not tapped. Elsewhere, and on the
// same button, a second tap counts at once.

const TWICE_MS = 400;
// In CSS pixels: a trembling finger comes down so far from where it was.
const NEAR = 32;
const PRESSED = "button, a[href], label, summary, input, select, dialog";
let last = null;
let touched = false;

// What a tap is meant for, which a new drawing of the same button may change.
function meant(target) {
  const found = target.closest?.(PRESSED);
  // A label presses its field, which is one tap.
  const pressed = found?.control ?? found;
  return pressed ? (pressed.dataset.do ?? pressed.dataset.key ?? (pressed.id || pressed.getAttribute("aria-label") || pressed.textContent)) : null;
}

function again({ timeStamp, clientX, clientY, detail }) {
  // Of a mouse the browser knows a second click.
  if (!touched) return detail > 1;
  return timeStamp - last.timeStamp < TWICE_MS && Math.hypot(clientX - last.clientX, clientY - last.clientY) < NEAR;
}

function clicked(event) {
  // Keys, and what the page itself presses, have no place on the screen.
  if (!event.isTrusted || event.detail === 0) return;
  const what = meant(event.target);
  if (last && what !== last.what && again(event)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  const { timeStamp, clientX, clientY } = event;
  last = { what, timeStamp, clientX, clientY };
}

/** Let no second tap of a double tap press what the first one has brought. */
export function guardTaps() {
  addEventListener("pointerdown", ({ pointerType }) => (touched = pointerType !== "mouse"), true);
  addEventListener("click", clicked, true);
}
