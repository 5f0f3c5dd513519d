// A phone becomes the table's camera, at the host's wish or its own.

import { call, newKey, post, Problem } from "../api.js";
import { h, icon } from "../dom.js";
import { keepPlace, place } from "../kept.js";
import { whyNoCamera } from "../owndevices.js";
import { go } from "../router.js";
import { isHost, readToken, tokenFor, troubleOf } from "../session.js";
import { notify, redraw, state } from "../state.js";
import { t } from "../texts.js";
import { showOwn } from "./asking.js";
import { closeDialog } from "./dialog.js";
import { linkTo, reachable } from "./invite.js";

// A phone becomes the table's camera: this one, or another one that scans a link.

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

// A player's phone, or one that only watches, asks a host whether it may be the table's camera.

const ASK_MS = 1_500;
// The table at which this phone asks, and the number that the host sees.
let asking = null;

/** Whether this phone asks at the table that is shown. */
const asksForCamera = () => asking !== null && asking.table === state.table?.id;

/** Ask a host, until there is an answer; where the browser gives no camera, say so instead. */
async function askHost() {
  const { id } = state.table;
  closeDialog();
  // What was said of the last time is over.
  notify(null);
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
