// A sheet with a question or some fields, and a button that does it. What goes wrong is said there.

import { h } from "../dom.js";
import { redraw } from "../state.js";
import { t } from "../texts.js";
import { openDialog } from "./dialog.js";

/**
 * Ask for something: `content()` draws the fields, `send()` does it and returns what went wrong,
 * null if it is done. `say` stands on the button; it waits until `ready()`. `final`: nothing brings it back.
 */
export function openForm(title, content, { say, send, ready = () => true, final = false }) {
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
  openDialog(title, (close) =>
    h(
      "form",
      { class: "stack", onsubmit: submit(close) },
      content(),
      trouble ? h("p", { class: "warn", role: "alert", key: "trouble" }, trouble) : null,
      h(
        "div",
        { class: "row", key: "buttons" },
        h("button", { type: "button", onclick: close }, t("nav.back")),
        h("button", { class: final ? "main final" : "main", "data-do": "send", disabled: busy || !ready() }, say),
      ),
    ),
  );
}
