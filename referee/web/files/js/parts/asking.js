// Who would like to play: the host lets them in, or they wait until the round is over.

import { call, get } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { askedAs } from "../newcomer.js";
import { attempt, isHost, refresh, tokenFor, troubleOf } from "../session.js";
import { inRound, notify, state } from "../state.js";
import { t } from "../texts.js";

/** Those who ask, for the host; for who asks, what they wait for. */
export function asking() {
  const { table } = state;
  if (!table) return null;
  const own = askedAs();
  if (own) return h("section", { class: "ask-card", key: "asking" }, h("p", { class: "ask" }, icon("ask"), t(table.open ? "join.in-round" : "join.host-agrees")));
  if (!isHost()) return null;
  return table.asking.map(request);
}

function request(name) {
  const wait = inRound(state.table);
  // At an open table they come in by themselves.
  const buttons = [
    h("button", { "data-do": "refuse-player", onclick: () => refuse(name) }, t("mine.refuse")),
    wait || state.table.open ? null : h("button", { class: "main", "data-do": "let-in", onclick: () => letIn(name) }, t("join.let-in")),
  ];
  return h(
    "section",
    { class: "ask-card", key: `asks-${name}` },
    h("p", { class: "ask" }, icon("people"), t("join.asks", { name })),
    wait ? h("p", { class: "small muted" }, t("join.next-round")) : null,
    h("div", { class: "row" }, buttons),
  );
}

async function letIn(name) {
  notify(await attempt("POST", "/seats", { name }));
}

async function refuse(name) {
  const path = `/tables/${state.table.id}/tokens`;
  const token = tokenFor(null);
  try {
    const { items } = await get(path, { token });
    const asked = items.filter((one) => one.role === "spectator" && one.name === name && !one.revoked);
    for (const one of asked) await call("DELETE", `${path}/${one.id}`, { token });
    await refresh();
  } catch (error) {
    notify(troubleOf(error));
  }
}
