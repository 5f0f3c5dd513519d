// A phone becomes the table's camera: this one, or another one that scans a link.

import { call, newKey, post } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { keepPlace, place } from "../kept.js";
import { go } from "../router.js";
import { isHost, tokenFor, troubleOf } from "../session.js";
import { notify, redraw, state } from "../state.js";
import { t } from "../texts.js";
import { asksForCamera, askHost } from "./askcamera.js";
import { linkTo, reachable } from "./invite.js";

// The link for another phone, with the device it makes; it goes with the table that is shown.
let link = null;

const path = () => `/tables/${state.table.id}`;

/** To the camera's screen of this phone, or what makes this phone the camera: a host at once, another asks a host. */
export function askForCamera() {
  const { id } = state.table;
  const label = [icon("camera"), t(place(id)?.camera ? "devices.phone-open" : "devices.phone-use")];
  if (place(id)?.camera) return h("a", { class: "button wide", key: "camera", href: `/t/${id}/camera`, "data-do": "camera" }, label);
  return h("button", { class: "wide", key: "camera", "data-do": "camera", disabled: asksForCamera(), onclick: isHost() ? useThis : askHost }, label);
}

/** The same for the host, with a way for another phone. */
export function cameraPhones() {
  return [askForCamera(), link?.table === state.table.id ? scan() : h("button", { "data-do": "camera-link", onclick: makeLink }, t("devices.phone-other"))];
}

const register = () => post(`${path()}/devices`, { name: t("devices.phone"), kind: "camera" }, { token: tokenFor(null) });

const useThis = () =>
  attempt(async () => {
    const { id } = state.table;
    keepPlace(id, { camera: (await register()).token });
    go(`/t/${id}/camera`);
  });

// The token is in the part of the address that no browser sends and no server logs; the picture of it is
// asked for in a body, which is not logged either.
async function makeLink() {
  await attempt(async () => {
    const { device, token } = await register();
    const { id } = state.table;
    const answer = await fetch("/camera.svg", { method: "POST", body: JSON.stringify({ table: id, token }), headers: { "Content-Type": "application/json" } });
    const picture = answer.ok ? URL.createObjectURL(await answer.blob()) : null;
    link = { table: id, device, picture, address: linkTo(`/t/${id}/camera#camera=${token}`) };
  });
  // What is to be scanned is what is seen.
  requestAnimationFrame(() => document.querySelector(".to-scan")?.scrollIntoView({ block: "center" }));
}

function scan() {
  const { picture, address } = link;
  return h(
    "div",
    { class: "ask-card to-scan", key: "camera-link" },
    h("p", {}, t("devices.phone-scan")),
    hindrance(address),
    picture ? h("img", { class: "qr", src: picture, alt: t("devices.phone-picture"), width: 260, height: 260 }) : null,
    h("pre", { tabindex: "0", class: "pass" }, address),
    h("p", { class: "small muted" }, t("devices.phone-secret")),
    h("div", { class: "row" }, h("button", { "data-do": "revoke-link", onclick: revoke }, t("devices.phone-revoke")), h("button", { class: "main", "data-do": "link-done", onclick: forget }, t("devices.done"))),
  );
}

// Why the phone that scans this would not become the camera.
function hindrance(address) {
  if (reachable() === null) return h("p", { class: "warn", role: "alert" }, t("invite.unreachable"));
  // Over HTTP a phone is first led to trusting the house, where the house has HTTPS.
  return /^http:(?!.*\/trust\?to=)/.test(address) ? h("p", { class: "warn", role: "alert" }, t("devices.phone-plain")) : null;
}

const revoke = () =>
  attempt(async () => {
    await call("DELETE", `${path()}/devices/${link.device}`, { token: tokenFor(null), key: newKey() });
    forget();
  });

/** The link is shown no longer, as when its phone has come. */
export function forget() {
  if (link?.picture) URL.revokeObjectURL(link.picture);
  link = null;
  redraw();
}

/** The device that the link shown makes, null without one. */
export const linked = () => link?.device ?? null;

async function attempt(what) {
  try {
    await what();
  } catch (error) {
    notify(troubleOf(error));
  }
  redraw();
}
