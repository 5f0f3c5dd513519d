// A player's phone, or one that only watches, asks a host whether it may be the table's camera.

import { Problem, post } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { keepPlace } from "../kept.js";
import { whyNoCamera } from "../owncamera.js";
import { go } from "../router.js";
import { readToken, troubleOf } from "../session.js";
import { notify, redraw, state } from "../state.js";
import { t } from "../texts.js";
import { closeDialog } from "./dialog.js";
import { showOwn } from "./letin.js";

const ASK_MS = 1_500;
// The table at which this phone asks, and the number that the host sees.
let asking = null;

/** Whether this phone asks at the table that is shown. */
export const asksForCamera = () => asking !== null && asking.table === state.table?.id;

/** Ask a host, until there is an answer; where the browser gives no camera, say so instead. */
export async function askHost() {
  const { id } = state.table;
  closeDialog();
  if (whyNoCamera()) return go(`/t/${id}/camera`);
  const mine = (asking = { table: id, digits: null });
  const token = readToken();
  redraw();
  const body = { devices: [{ name: t("devices.phone"), kind: "camera" }], phone: true };
  while (asking === mine && state.table?.id === id) {
    try {
      const { digits, devices } = await post(`/tables/${id}/pairings`, body, { token });
      if (asking !== mine) return;
      if (devices.length) return letIn(id, devices[0].token);
      mine.digits = digits;
    } catch (error) {
      // Without a network it asks on.
      if (error instanceof Problem && error.status < 500) return end(troubleOf(error));
    }
    redraw();
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
  if (asking === mine) asking = null;
}

function letIn(table, camera) {
  end(null);
  keepPlace(table, { camera });
  if (state.table?.id === table) go(`/t/${table}/camera`);
}

function end(trouble) {
  asking = null;
  notify(trouble);
}

// What this phone waits for, and a way to let it be.
showOwn(() => {
  if (!asksForCamera()) return null;
  return h(
    "section",
    { class: "ask-card let-in", key: "asks-for-camera", "data-do": "asking-for-camera" },
    h("p", { class: "ask", role: "status" }, icon("camera"), t("devices.asked")),
    asking.digits ? h("p", { class: "code" }, asking.digits) : null,
    h("button", { "data-do": "ask-no-more", onclick: () => end(null) }, t("custom.withdraw")),
  );
});
