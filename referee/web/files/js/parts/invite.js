// How the others get in: a code to type, or to scan, and who has a seat already.

import { h } from "../dom.js";
import { isHost, ownSeat } from "../session.js";
import { redraw, seated, state } from "../state.js";
import { t } from "../texts.js";

// Where others reach the server: the host's own "localhost" is of no use to them, and neither is HTTPS by a
// certificate that only this house trusts.
let origin;
let told = false;
let secure = null;
const LOCAL = /^(localhost|127\.|0\.0\.0\.0|\[::1?\])/i;

async function findOrigin() {
  origin = location.origin;
  const here = !LOCAL.test(location.host) && location.protocol === "http:";
  try {
    const there = await (await fetch("/origin.json")).json();
    ({ announced: told, secure } = there);
    if (!here) origin = there.origin;
  } catch {
    if (!here) origin = undefined;
  }
  redraw();
}

/** Where devices and other phones reach the server; undefined before it is known, null if not. */
export function reachable() {
  if (origin === undefined) findOrigin();
  return origin;
}

/** Whether the server has HTTPS for phones that trust the house; false before it is known. */
export function hasHttps() {
  reachable();
  return Boolean(secure);
}

/** Whether computers in this network find the server by themselves. */
export const announced = () => told;

/** Where another phone opens a path of this page: protected, if it trusts the house. */
export function linkTo(path) {
  const there = (reachable() ?? location.origin).replace(/\/$/, "");
  const guest = location.protocol === "https:" && there.startsWith("http:");
  return `${there}${guest ? "/trust?to=" : ""}${path}`;
}

/** The code, as a picture too, and the seats. */
export const invite = () => [inviteCode(), h("ul", { class: "taken", "aria-label": t("play.seats") }, seated(state.table).map(seatItem))];

// Where another phone is in already, it can be reached, whatever the server knows of its addresses.
const othersCame = () => seated(state.table).some(({ seat, taken }) => taken && seat !== ownSeat());

/** The code, as a picture too. */
export function inviteCode() {
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
    origin === null && isHost() && !othersCame() ? h("p", { class: "warn" }, t("invite.unreachable")) : null,
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
