// Who has come in with the code: a seat whose phone is gone can be freed, and the code be changed.

import { call, get, post } from "../api.js";
import { h } from "../dom.js";
import { heldSeat, refresh, tokenFor } from "../session.js";
import { notify, redraw, state } from "../state.js";
import { t } from "../texts.js";

/** For the host: the seats with phones, and another code. */
export function places() {
  const { seats } = state.table;
  const others = seats.filter((one) => one.taken && one.seat !== heldSeat());
  return h(
    "div",
    { class: "stack" },
    others.map(({ seat, name }) =>
      h("button", { key: seat, "data-do": `free-${seat}`, onclick: () => free(seat) }, t("host.free-of", { seat: name })),
    ),
    h("button", { "data-do": "new-code", onclick: newCode }, t("host.new-code")),
  );
}

const path = () => `/tables/${state.table.id}`;

const newCode = () => attempt(() => post(`${path()}/join-code`, undefined, { token: tokenFor(null) }));

/** Take the seat back from its phone, so that another can have it. */
export const free = (seat) =>
  attempt(async () => {
    const token = tokenFor(null);
    const { items } = await get(`${path()}/tokens`, { token });
    const held = items.filter((one) => one.role === "seat" && one.seat === seat && !one.revoked);
    for (const one of held) await call("DELETE", `${path()}/tokens/${one.id}`, { token });
  });

/** Take the host's role from every phone that no seat is known for: one that is lost, say. */
export const endOtherHosts = () =>
  attempt(async () => {
    const token = tokenFor(null);
    const { id: own } = await get(`${path()}/tokens/self`, { token });
    const { items } = await get(`${path()}/tokens`, { token });
    const others = items.filter((one) => one.role === "host" && one.id !== own && !one.revoked);
    for (const one of others) await call("DELETE", `${path()}/tokens/${one.id}`, { token });
  });

async function attempt(what) {
  try {
    await what();
    await refresh();
  } catch (error) {
    notify(error.status ? error.message : t("link.lost"));
  }
  redraw();
}
