// This phone as the table's camera. What it needs is loaded when it is gone to: few phones are one.

import { h } from "../dom.js";
import { withCamera } from "../owndevices.js";
import { here } from "../router.js";
import { redraw, state } from "../state.js";
import { t } from "../texts.js";

const RETRY_MS = 2_000;
let view = null;

export const camera = {
  path: "/t/:table/camera",
  title: () => t("devices.phone-title"),
  back: ({ table }) => `/t/${table}`,
  enter({ table }) {
    load(table);
  },
  render: ({ table }) => (view && state.table ? view.cameraScreen(table) : h("p", { class: "muted centred", "aria-busy": "true" }, t("link.connecting"))),
};

// Without a network it may take a while.
async function load(table) {
  try {
    view = await withCamera(() => import("../camera/view.js"));
    await view.enter(table);
    redraw();
  } catch {
    setTimeout(() => here().screen === camera && load(table), RETRY_MS);
  }
}
