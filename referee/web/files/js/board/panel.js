// The board of this computer, as the host sees it: use it, what it does, leave it alone.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { isHost, troubleOf } from "../session.js";
import { notify, redraw, state } from "../state.js";
import { t } from "../texts.js";
import { boardNow, stopBoard, useBoard } from "./board.js";

/** A button, or the board that is used. */
export function boardPanel() {
  const { id } = state.table;
  const now = boardNow();
  if (now?.table === id) return card(id, now);
  return isHost() ? h("button", { class: "wide", key: "own-board", "data-do": "own-board", onclick: () => use(id) }, icon("tools"), t("board.use")) : null;
}

function card(id, { at, seats, trouble }) {
  const good = at === "fine" && !trouble;
  return h(
    "div",
    { class: "ask-card", key: "own-board", "data-at": at },
    h("p", { role: "status", class: good ? "" : "warn" }, icon(good ? "check" : "ask"), " ", trouble ?? t(`board.${at}`, { seats })),
    h("button", { class: "quiet", "data-do": "stop-board", onclick: () => stopBoard(id) }, t("board.stop")),
  );
}

async function use(id) {
  try {
    await useBoard(id);
  } catch (error) {
    // Whoever chooses no port has changed their mind.
    if (error.name !== "NotFoundError") notify(troubleOf(error));
  }
  redraw();
}
