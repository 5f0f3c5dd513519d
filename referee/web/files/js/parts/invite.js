// How the others get in: a code to type, or to scan, and who has a seat already.

import { h } from "../dom.js";
import { ownSeat } from "../session.js";
import { redraw, seated, state } from "../state.js";
import { t } from "../texts.js";

// Where others reach the server: the host's own "localhost" is of no use to them.
let origin;
const LOCAL = /^(localhost|127\.|0\.0\.0\.0|\[::1?\])/i;

async function findOrigin() {
  origin = location.origin;
  if (!LOCAL.test(location.host)) return;
  try {
    origin = (await (await fetch("/origin.json")).json()).origin;
  } catch {
    origin = undefined;
  }
  redraw();
}

/** Where devices and other phones reach the server; undefined before it is known, null if not. */
export function reachable() {
  if (origin === undefined) findOrigin();
  return origin;
}

/** The code, as a picture too, and the seats. */
export function invite() {
  const { code, invitation } = state.table;
  const written = code.replace(/(.{4})(?=.)/g, "$1 ");
  const address = (reachable() ?? location.origin).replace(/^https?:\/\/|\/$/g, "");
  return h(
    "section",
    { class: "invite", key: "invite" },
    h("h2", {}, t("invite.title")),
    h("img", { class: "qr", src: `/join.svg?code=${invitation}`, alt: t("invite.picture", { code: written }), width: 220, height: 220 }),
    h("p", { class: "code" }, written),
    h("p", { class: "muted" }, t("invite.hint", { address })),
    origin === null ? h("p", { class: "warn" }, t("invite.unreachable")) : null,
    h(
      "ul",
      { class: "taken", "aria-label": t("play.seats") },
      seated(state.table).map(seatItem),
    ),
  );
}

function seatItem({ seat, name, taken }) {
  return h(
    "li",
    { key: seat },
    h("span", {}, name, ownSeat() === seat ? h("span", { class: "you" }, t("play.you")) : null),
    h("span", { class: taken ? "tag here" : "tag" }, taken ? t("invite.here") : t("invite.free")),
  );
}
