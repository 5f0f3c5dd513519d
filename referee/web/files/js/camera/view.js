// The screen of a phone that is the table's camera.

import { call, newKey } from "../api.js";
import { cardFace } from "../cards.js";
import { h, icon, svg } from "../dom.js";
import { keepPlace, place, read, write } from "../kept.js";
import { mayOpenCamera, whyNoCamera } from "../owndevices.js";
import { asks } from "../parts/asks.js";
import { askForCamera } from "../parts/cameraphone.js";
import { checkField } from "../parts/dialog.js";
import { hasHttps } from "../parts/invite.js";
import { trustLink } from "../parts/settings.js";
import { isHost, ownSeat } from "../session.js";
import { redraw, state } from "../state.js";
import { t, word } from "../texts.js";
import { watch } from "./watch.js";

// The screen of a phone that is the table's camera: its picture, what the referee sees on it, and what to put right.

// Untouched for this long, the screen goes dark where that is wanted.
const DIM_MS = 60_000;
// A card seen from 45 cm by a usual phone, as shares of the picture's longer side.
const CARD = { width: 0.09, height: 0.14 };
const ADVICE = ["slow", "dark", "bright", "glare", "blurred", "far", "near", "tilted", "outside", "shakes", "moving", "covered", "hunts", "other-deck"];
// What the players' phones say in the same words.
const SHARED = { shakes: "asks.camera-shakes", covered: "asks.pile-covered", slow: "asks.camera-slow" };
const PHASES = ["refused", "missing", "taken", "failed"];

let watching = null;
// The table whose camera another phone is.
let elsewhere = null;
let dark = false;
let touched = 0;
let dimmer = null;

/** The screen was gone to: where the browser lets it, the camera goes on by itself. */
export async function enter(table) {
  if (watching && watching.table !== table) stop();
  dark = false;
  touch();
  if (place(table)?.camera && !whyNoCamera() && (await mayOpenCamera())) start(table);
}

/** The camera's screen. */
export function cameraScreen(table) {
  const content = [problem(table) ?? (on() ? eye(table) : ready(table))];
  // After drawing: the picture goes into the element that is shown then.
  if (on()) queueMicrotask(() => watching.show(document.querySelector("video.eye")));
  return h("div", { class: "camera-screen" }, content, dark && on() ? curtain() : null);
}

const on = () => watching && ["opening", "open"].includes(watching.phase);

function start(table, more) {
  if (on()) return;
  elsewhere = null;
  if (!watching) {
    watching = watch(() => ({ path: `/tables/${table}`, token: place(table)?.camera, phone: ownName() }), changed);
    watching.table = table;
  }
  dimmer ??= setInterval(dim, 1_000);
  watching.start(more);
}

// By what the referee knows this phone again, also after a reload. Of two tabs only one can be the camera.
function ownName() {
  const known = read("phone", null, { tab: true }) ?? newKey();
  write("phone", known, { tab: true });
  return known;
}

// The host has taken the camera away: its token is of no use any more. Or another phone has the same one.
function changed() {
  if (watching?.link === "gone") {
    keepPlace(watching.table, { camera: null });
    stop();
  } else if (watching?.link === "other") {
    elsewhere = watching.table;
    stop();
  }
  redraw();
}

function stop() {
  const before = watching;
  watching = null;
  before?.stop();
  dark = false;
  clearInterval(dimmer);
  dimmer = null;
  redraw();
}

function touch() {
  touched = Date.now();
}

function dim() {
  if (dark || !on() || !read("camera-dims", false) || Date.now() - touched < DIM_MS) return;
  dark = true;
  redraw();
}

addEventListener("pointerdown", touch);
addEventListener("keydown", touch);

// Why this phone cannot be the camera, with the way to it.
function problem(table) {
  const why = whyNoCamera();
  if (why === "insecure") {
    return h(
      "section",
      { class: "ask-card", key: "insecure" },
      h("p", { class: "ask" }, icon("warn"), t("camera.insecure")),
      hasHttps() ? null : [h("p", {}, t("camera.insecure-how")), h("pre", { tabindex: "0" }, "make home")],
      trustLink(hasHttps() ? "button main wide" : null),
    );
  }
  if (why) return h("p", { class: "ask-card", key: "none" }, t("camera.no-api"));
  if (place(table)?.camera) return null;
  return h("section", { class: "stack", key: "not-camera" }, h("p", { class: "ask-card" }, t("camera.gone")), askForCamera());
}

function ready(table) {
  const phase = watching?.phase;
  return h(
    "section",
    { class: "stack", key: "ready" },
    mounting(),
    h("p", {}, t("camera.lead")),
    elsewhere === table ? h("p", { class: "warn", role: "alert", key: "other" }, t("camera.other")) : null,
    PHASES.includes(phase) ? h("p", { class: "warn", role: "alert" }, t(`camera.${phase}`)) : null,
    elsewhere === table
      ? h("button", { class: "main wide", key: "take-over", "data-do": "take-over", onclick: () => start(table, { takeOver: true }) }, icon("camera"), t("camera.take-over"))
      : h("button", { class: "main wide", key: "start", "data-do": "start-camera", onclick: () => start(table) }, icon("camera"), t(PHASES.includes(phase) ? "camera.try" : "camera.start")),
    resign(table),
  );
}

function eye(table) {
  const { view, size } = watching;
  return [
    h(
      "figure",
      { class: "eye-box", key: "eye-box", onclick: tap },
      h("video", { class: "eye", key: "eye", muted: true, playsinline: true, "aria-label": t("camera.shows") }),
      size ? drawing(view, size) : null,
    ),
    h("div", { class: "eye-said", key: "eye-said" }, places(view), says(view), advice(view), ownSeat() !== null || isHost() ? asks() : null, buttons(table)),
  ];
}

// A tap on the picture says where the pile lies.
function tap(event) {
  const box = event.currentTarget.getBoundingClientRect();
  point((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
}

function point(...shares) {
  watching.tapped = shares.map((share) => Math.min(Math.max(share, 0), 1));
  redraw();
}

// What the referee sees, over the picture; before the pile is found, what to aim with.
function drawing({ state: now, pile, draw_pile: drawPile, card, sure, advice: wrong }, { width, height }) {
  const outline = (corners, name) => (corners ? svg("polygon", { points: corners.map(([x, y]) => `${x * width},${y * height}`).join(" "), class: name }) : null);
  const good = now === "watching" && !wrong.length && (sure || !card);
  const tapped = watching.tapped;
  return svg(
    "svg",
    { class: `sights${good ? " good" : ""}`, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    outline(drawPile, "draw-pile"),
    outline(pile, "pile"),
    pile ? null : target(width, height),
    tapped && !pile ? svg("circle", { cx: tapped[0] * width, cy: tapped[1] * height, r: Math.max(width, height) / 40, class: "tapped" }) : null,
  );
}

function target(width, height) {
  const long = Math.max(width, height);
  const box = (across, down, name) => svg("rect", { x: (width - across) / 2, y: (height - down) / 2, width: across, height: down, rx: long / 100, class: name });
  return svg("g", {}, box(Math.min(width, height) * 0.7, Math.min(width, height) * 0.7, "aim"), box(long * CARD.width, long * CARD.height, "aim small"));
}

function says({ state: now, reason, card, sure, busy }) {
  const { ruleset } = state.table;
  const words = sentence(now, reason, card, sure, busy, ruleset);
  return h(
    "div",
    { class: `eye-state${sure ? "" : " unsure"}`, key: "eye-state" },
    card && watching.link === "fine" ? cardFace(card, { ruleset, label: "", small: true }) : null,
    h("p", { role: "status" }, words),
  );
}

function sentence(now, reason, card, sure, busy, ruleset) {
  if (watching.link === "offline") return t("camera.offline");
  if (watching.link === "no-watcher") return t("camera.no-watcher");
  if (watching.phase === "opening") return t("camera.starting");
  if (now === "blind") return t(reason === "no-pile" ? "camera.no-pile" : "camera.no-pictures");
  if (now === "starting") return t("camera.looking");
  if (busy) return t("camera.busy");
  if (!card) return t("camera.empty");
  return t(sure ? "camera.sees" : "camera.sees-unsure", { card: word(ruleset, "cards", card) });
}

function advice({ state: now, advice: codes }) {
  // What was seen last is no news while nothing is.
  if (watching.link !== "fine" || watching.phase === "opening") return null;
  const known = codes.filter((code) => ADVICE.includes(code));
  if (known.length) return h("ul", { class: "advice", key: "advice", role: "status" }, known.map((code) => h("li", { key: code }, icon("warn"), t(SHARED[code] ?? `camera.${code}`))));
  if (now !== "watching") return h("p", { class: "muted", key: "aim" }, t("camera.aim"));
  return h("p", { class: "advice fine", key: "fine" }, icon("check"), t("camera.fine"));
}

// Right below the picture each keeps its place, whatever is said: a finger may be on its way.
function places(view) {
  return h(
    "div",
    { class: "row", key: "eye-places" },
    h("button", { "data-do": "middle", disabled: Boolean(view.pile), onclick: () => point(0.5, 0.5) }, t("camera.middle")),
    h("button", { "data-do": "dim", onclick: () => ((dark = true), redraw()) }, icon("eye"), t("camera.dim")),
  );
}

function buttons(table) {
  return h(
    "div",
    { class: "stack", key: "eye-do" },
    checkField(t("camera.dim-self"), read("camera-dims", false), (wanted) => (write("camera-dims", wanted), redraw()), { "data-do": "dims" }),
    h("button", { class: "quiet", "data-do": "stop-camera", onclick: stop }, t("camera.stop")),
    resign(table),
  );
}

// The token ends: whoever has the link cannot go on with it either.
function resign(table) {
  const end = async () => {
    const token = place(table).camera;
    stop();
    await call("DELETE", `/tables/${table}/tokens/self`, { token, key: newKey() }).catch(() => {});
    keepPlace(table, { camera: null });
    redraw();
  };
  return h("button", { class: "quiet", "data-do": "end-camera", onclick: end }, t("camera.end"));
}

const curtain = () =>
  h("button", { class: "curtain", key: "curtain", "data-do": "light", onclick: () => ((dark = false), redraw()) }, h("span", {}, t("camera.light")));

// How a phone stands over the pile, as a drawing.

const line = (d, more = {}) => svg("path", { d, ...more });
const book = (y, x, width) => svg("rect", { x, y, width, height: 15, rx: 3 });

/** A phone that lies on a stack of books, its end over the pile, and how high that is. */
function mounting() {
  return svg(
    "svg",
    { viewBox: "0 0 320 200", class: "mounting", role: "img", "aria-label": t("camera.drawing") },
    svg("path", { d: "M150 50 90 178h116z", class: "sight" }),
    line("M12 182h296", { class: "thick" }),
    book(166, 218, 88),
    book(150, 226, 76),
    book(134, 220, 84),
    book(118, 228, 72),
    book(102, 222, 80),
    book(86, 230, 68),
    book(70, 224, 78),
    book(54, 228, 72),
    svg("rect", { x: 128, y: 38, width: 140, height: 13, rx: 5, class: "phone" }),
    svg("circle", { cx: 150, cy: 53, r: 3.5, class: "phone" }),
    svg("rect", { x: 116, y: 176, width: 34, height: 5, rx: 1.5, class: "laid", transform: "rotate(-3 130 178)" }),
    svg("rect", { x: 140, y: 176, width: 34, height: 5, rx: 1.5, class: "laid" }),
    line("M40 54v120M34 60l6-8 6 8M34 168l6 8 6-8"),
    svg("text", { x: 50, y: 120 }, "30–60 cm"),
  );
}
