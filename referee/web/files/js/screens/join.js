// Joining a table by its code: choose a seat, or watch.

import { call, get, newKey, post, Problem } from "../api.js";
import { h } from "../dom.js";
import { keepPlace } from "../kept.js";
import { textField } from "../parts/fields.js";
import { languageField } from "../parts/settings.js";
import { go } from "../router.js";
import { notify, redraw, seated } from "../state.js";
import { language, t } from "../texts.js";

let table = null;
let watcher = null;
let busy = false;

// A try that is made again for the same seat is the same try, whatever became of the first.
const keys = new Map();

function keyOf(...what) {
  const name = what.join(" ");
  if (!keys.has(name)) keys.set(name, newKey());
  return keys.get(name);
}

const codeOf = () => new URLSearchParams(location.search).get("code") ?? "";

export const join = {
  path: "/join",
  title: () => t("join.title"),
  back: () => "/",
  enter() {
    table = null;
    watcher = null;
    if (codeOf()) look(codeOf());
  },
  render: () => [table ? seatList() : codeForm(), languageField()],
};

function codeForm() {
  const send = (event) => {
    event.preventDefault();
    look(new FormData(event.target).get("code"));
  };
  return h(
    "form",
    { class: "stack", onsubmit: send },
    h("p", {}, t("join.lead")),
    textField(t("join.code"), { id: "code", name: "code", value: codeOf(), required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: 24, class: "code-field" }),
    h("button", { class: "main wide", disabled: busy, "data-do": "look" }, t("join.look")),
  );
}

// Whoever has the code may watch, and so see which seats are free.
async function look(code) {
  await attempt(async () => {
    watcher = await post("/join", { code }, { key: keyOf(code) });
    watcher.code = code;
    table = await get(`/tables/${watcher.table_id}`, { token: watcher.token });
  });
}

function seatList() {
  return h(
    "div",
    { class: "stack" },
    h("p", {}, t("join.who")),
    seated(table).map((seat) =>
      h(
        "button",
        { class: "wide", key: seat.seat, disabled: seat.taken || busy, "data-do": `seat-${seat.seat}`, onclick: () => sit(seat.seat) },
        seat.name,
        seat.taken ? h("span", { class: "tag" }, t("join.taken")) : null,
      ),
    ),
    h("button", { class: "quiet wide", "data-do": "watch", onclick: watch }, t("join.watch")),
  );
}

async function sit(seat) {
  await attempt(async () => {
    const joined = await post("/join", { code: watcher.code, seat }, { key: keyOf(watcher.code, seat) });
    const path = `/tables/${joined.table_id}`;
    await call("PUT", `${path}/language`, { token: joined.token, body: { language: language() } });
    keepPlace(joined.table_id, { seat: { seat, token: joined.token }, ruleset: table.ruleset });
    // It was only for looking around.
    call("DELETE", `${path}/tokens/self`, { token: watcher.token }).catch(() => {});
    go(`/t/${joined.table_id}`, { replace: true });
  });
}

function watch() {
  keepPlace(watcher.table_id, { watch: watcher.token, ruleset: table.ruleset });
  go(`/t/${watcher.table_id}`, { replace: true });
}

async function attempt(what) {
  busy = true;
  notify(null);
  try {
    await what();
  } catch (error) {
    notify(error instanceof Problem ? error.message : t("link.lost"));
    if (watcher && table && error.kind === "seat-taken") await look(watcher.code);
  }
  busy = false;
  redraw();
}
