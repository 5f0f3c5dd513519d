// The screen of a phone that is the table's camera: its picture, what the referee sees on it, and what to put right.

import { call, newKey } from "../api.js";
import { cardFace } from "../cards.js";
import { h, svg } from "../dom.js";
import { icon } from "../icons.js";
import { keepPlace, place, read, write } from "../kept.js";
import { mayOpenCamera, whyNoCamera } from "../owncamera.js";
import { asks } from "../parts/asks.js";
import { askForCamera } from "../parts/cameraphone.js";
import { checkField } from "../parts/fields.js";
import { isHost, ownSeat } from "../session.js";
import { redraw, state } from "../state.js";
import { trustLink } from "../parts/trustlink.js";
import { t, word } from "../texts.js";
import { mounting } from "./mount.js";
import { watch } from "./watch.js";

// Untouched for this long, the screen goes dark where that is wanted.
const DIM_MS = 60_000;
// A card seen from 45 cm by a usual phone, as shares of the picture's longer side.
const CARD = { width: 0.09, height: 0.14 };
const ADVICE = ["slow", "dark", "bright", "glare", "blurred", "far", "near", "tilted", "outside", "shakes", "moving", "covered", "hunts", "other-deck"];
// What the players' phones say in the same words.
const SHARED = { shakes: "asks.camera-shakes", covered: "asks.pile-covered", slow: "asks.camera-slow" };
const PHASES = ["refused", "missing", "taken"];

let watching = null;
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

function start(table) {
  if (on()) return;
  if (!watching) {
    watching = watch(() => ({ path: `/tables/${table}`, token: place(table)?.camera }), changed);
    watching.table = table;
  }
  dimmer ??= setInterval(dim, 1_000);
  watching.start();
}

// The host has taken the camera away: its token is of no use any more.
function changed() {
  if (watching?.link === "gone") {
    keepPlace(watching.table, { camera: null });
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
      h("p", {}, t("camera.insecure-how")),
      h("pre", { tabindex: "0" }, "make home"),
      trustLink(),
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
    PHASES.includes(phase) ? h("p", { class: "warn", role: "alert" }, t(`camera.${phase}`)) : null,
    h("button", { class: "main wide", "data-do": "start-camera", onclick: () => start(table) }, icon("camera"), t(PHASES.includes(phase) ? "camera.try" : "camera.start")),
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
function drawing({ state: now, pile, draw_pile: drawPile, advice: wrong }, { width, height }) {
  const outline = (corners, name) => (corners ? svg("polygon", { points: corners.map(([x, y]) => `${x * width},${y * height}`).join(" "), class: name }) : null);
  const good = now === "watching" && !wrong.length;
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

function says({ state: now, reason, card, busy }) {
  const { ruleset } = state.table;
  const words = sentence(now, reason, card, busy, ruleset);
  return h(
    "div",
    { class: "eye-state", key: "eye-state" },
    card && watching.link === "fine" ? cardFace(card, { ruleset, label: "", small: true }) : null,
    h("p", { role: "status" }, words),
  );
}

function sentence(now, reason, card, busy, ruleset) {
  if (watching.link === "offline") return t("camera.offline");
  if (watching.link === "no-watcher") return t("camera.no-watcher");
  if (watching.phase === "opening") return t("camera.starting");
  if (now === "blind") return t(reason === "no-pile" ? "camera.no-pile" : "camera.no-pictures");
  if (now === "starting") return t("camera.looking");
  if (busy) return t("camera.busy");
  return card ? t("camera.sees", { card: word(ruleset, "cards", card) }) : t("camera.empty");
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
