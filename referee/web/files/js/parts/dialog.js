// A sheet over the screen, forms and fields on it, and modules that are loaded for it.

import { h, icon, keepFocus, morph } from "../dom.js";
import { ignoreTaps } from "../phone.js";
import { enterSheet } from "../router.js";
import { notify, redraw, state, watch } from "../state.js";
import { t } from "../texts.js";

// A sheet over the screen. It is drawn anew with everything else, and the browser keeps the focus in.

let shown = null;

/**
 * Open a sheet: `render(close)` gives its content, whenever something has changed. Only one is open
 * at a time; an earlier one is closed. `closed()` is called when it has gone, however that came. Once it is `over()`, as
 * what it is for has been entered on another phone, it closes and says so.
 */
export function openDialog(title, render, { closed = () => {}, over = () => false } = {}) {
  closeDialog();
  const dialog = h("dialog", { class: "sheet", "aria-labelledby": "sheet-title", tabindex: "-1" });
  shown = { dialog, draw, over };
  function draw() {
    const fresh = h(
      "dialog",
      { class: "sheet", "aria-labelledby": "sheet-title", tabindex: "-1" },
      h(
        "div",
        { class: "sheet-head" },
        h("h2", { id: "sheet-title" }, typeof title === "function" ? title() : title),
        h("button", { class: "quiet square", "aria-label": t("nav.close"), onclick: closeDialog }, icon("close")),
      ),
      h("div", { class: "sheet-body" }, render(closeDialog)),
    );
    const within = dialog.contains(document.activeElement);
    morph(dialog, fresh);
    // Where what had the focus is gone, what comes next has it: the button that goes on, or else the sheet.
    if (within && !dialog.contains(document.activeElement)) (dialog.querySelector(".sheet-body .main:enabled") ?? dialog).focus();
  }
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
    if (shown?.dialog === dialog) shown = null;
    if (!shown) keepFocus(document.querySelector(".choices"));
  });
  // A tap beside the sheet closes it.
  dialog.addEventListener("click", (event) => event.target === dialog && closeDialog());
  draw();
  document.body.append(dialog);
  dialog.showModal();
  enterSheet(closeDialog);
  return draw;
}

/** Close the sheet that is open; whether one was. */
export function closeDialog() {
  if (!shown?.dialog.open) return false;
  shown.dialog.close();
  return true;
}

/** Open a sheet for a seat's turn: it closes when a move of it has been entered on another phone. */
export function openForTurn(seat, title, render) {
  const turn = { seat };
  isOver(turn);
  openDialog(title, render, { over: () => isOver(turn) });
}

// A turn may come while its sheet is open already.
function isOver(turn) {
  const { table, entries } = state;
  if (table?.state.turn === turn.seat) turn.since ??= table.version;
  return turn.since !== undefined && entries.some((entry) => entry.id > turn.since && isMove(entry, turn.seat));
}

const isMove = ({ move, ruling }, seat) => move?.seat === seat && ruling.verdict === "legal" && !["uno", "catch"].includes(move.move);

watch(() => {
  if (!shown?.over()) return shown?.draw();
  // It is gone a moment after it has been closed, and a finger that was on its way presses nothing below it.
  if (!closeDialog()) return;
  ignoreTaps();
  notify(t("link.overtaken"), "info");
});

// A sheet with a question or some fields, and a button that does it. What goes wrong is said there.

/**
 * Ask for something: `content()` draws the fields, `send()` does it and returns what went wrong,
 * null if it is done. `say` stands on the button; it waits until `ready()`. `final`: nothing brings it back. `over()` as
 * with any sheet; what is being sent from here ends it otherwise.
 */
export function openForm(title, content, { say, send, ready = () => true, final = false, over = () => false }) {
  let trouble = null;
  let busy = false;
  const submit = (close) => async (event) => {
    event.preventDefault();
    busy = true;
    trouble = null;
    redraw();
    trouble = await send();
    busy = false;
    if (trouble === null) close();
    redraw();
  };
  const render = (close) =>
    h(
      "form",
      { class: "stack", onsubmit: submit(close) },
      content(),
      trouble ? h("p", { class: "warn", role: "alert", key: "trouble" }, trouble) : null,
      // In reach however long the question is.
      h(
        "div",
        { class: "sheet-foot", key: "buttons" },
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", onclick: close }, t("nav.back")),
          h("button", { class: final ? "main final" : "main", "data-do": "send", disabled: busy || !ready() }, say),
        ),
      ),
    );
  openDialog(title, render, { over: () => !busy && over() });
}

// Fields of forms, each with its label.

/** A labelled text field; `props` has its id. */
export function textField(label, props) {
  return h("div", { class: "field" }, h("label", { for: props.id }, label), h("input", { type: "text", ...props }));
}

/** A labelled choice; `options` are `[value, text]`. */
export function selectField(label, options, chosen, onchange, id) {
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, label),
    h(
      "select",
      { id, onchange: (event) => onchange(event.target.value) },
      options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
    ),
  );
}

/** A choice between few, all in view; `options` are `[value, text]`. */
export function pickField(label, options, chosen, onchange, id) {
  return h(
    "fieldset",
    { class: "pick" },
    h("legend", {}, label),
    h(
      "div",
      { class: "picks" },
      options.map(([value, text]) =>
        h("label", { key: value }, h("input", { type: "radio", name: id, value, id: `${id}-${value}`, checked: value === chosen, onchange: () => onchange(value) }), h("span", {}, text)),
      ),
    ),
  );
}

/** A switch with its label. */
export function checkField(label, checked, onchange, props = {}) {
  return h(
    "label",
    { class: "check" },
    h("input", { type: "checkbox", checked, ...props, onchange: (event) => onchange(event.target.checked) }),
    h("span", {}, label),
  );
}

// Modules that a screen needs only now and then: they are loaded when it does, and the screen is drawn again.

/** A module by `load`, such as `() => import("…")`: what is called gives null until it is there. */
export function later(load) {
  let found = null;
  let asked = false;
  return () => {
    if (!asked) {
      asked = true;
      load().then(
        (module) => ((found = module), redraw()),
        () => (asked = false),
      );
    }
    return found;
  };
}
