// A sheet over the screen. It is drawn anew with everything else, and the browser keeps the focus in.

import { h, keepFocus, morph } from "../dom.js";
import { icon } from "../icons.js";
import { enterSheet } from "../router.js";
import { watch } from "../state.js";
import { t } from "../texts.js";

let shown = null;

/**
 * Open a sheet: `render(close)` gives its content, whenever something has changed. Only one is open
 * at a time; an earlier one is closed. `closed()` is called when it has gone, however that came.
 */
export function openDialog(title, render, closed = () => {}) {
  closeDialog();
  const dialog = h("dialog", { class: "sheet", "aria-labelledby": "sheet-title", tabindex: "-1" });
  shown = { dialog, draw };
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

watch(() => shown?.draw());
