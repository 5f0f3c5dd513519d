// Trusting this house's certificate, once a phone: the camera and more need a protected connection.
//
// ?to=/join… comes from a code that guests scan: who trusts the house goes on protected, others as they are.

import { h, icon } from "../dom.js";
import { keepPlace, place, places } from "../kept.js";
import { go } from "../router.js";
import { redraw } from "../state.js";
import { t } from "../texts.js";

const PATIENCE_MS = 4000;
const GUEST_MS = 1500;
// Nothing of an address may lead elsewhere.
const INSIDE = /^\/(?!\/)[\w/?=&.%-]*$/;
const STEPS = { ios: 3, android: 3, computer: 2 };

let house = null;
let trusted = null;
let taken = null;

export const trust = {
  path: "/trust",
  title: () => t("trust.title"),
  back: () => "/",
  enter,
  render: () => [taken ? takeOver() : null, said()],
};

function said() {
  if (isSecureContext) return [done(), h("a", { class: "button main wide", href: "/", "data-do": "start" }, t("link.home"))];
  if (!house) return h("p", { role: "status" }, t("trust.looking"));
  if (!house.secure) return h("p", {}, t("trust.none"));
  // A public certificate needs no trusting.
  if (trusted || !house.fingerprint) return h("a", { class: "button main wide", href: protectedPage(), target: "_self", "data-do": "protected" }, t("trust.go"));
  return guide();
}

async function enter() {
  house = trusted = null;
  taken = placesIn(location.hash);
  const behind = taken ? "" : location.hash;
  if (taken) history.replaceState(null, "", location.pathname);
  const to = new URLSearchParams(location.search).get("to");
  const inside = to && INSIDE.test(to) ? to : null;
  if (!isSecureContext) await look(inside ? GUEST_MS : PATIENCE_MS);
  // One may have gone elsewhere meanwhile.
  if (!inside || location.pathname !== trust.path) return;
  if (trusted) location.replace(house.secure + inside.slice(1) + behind);
  else go(inside + behind, { replace: true });
}

const protectedPage = () => `${house.secure}trust${carried()}`;

async function again() {
  await look(PATIENCE_MS);
  if (trusted) location.assign(protectedPage());
}

async function look(patience) {
  try {
    house = await (await fetch("/origin.json")).json();
    trusted = Boolean(house.secure) && (await answers(`${house.secure}health`, patience));
  } catch {
    house = { secure: null };
  }
  redraw();
}

// A browser that does not trust the certificate gets no answer at all; neither does one behind a closed port.
const answers = (address, patience) =>
  Promise.race([
    fetch(address, { mode: "no-cors", cache: "no-store" }).then(
      () => true,
      () => false,
    ),
    new Promise((resolve) => setTimeout(resolve, patience, false)),
  ]);

const done = () => h("p", { class: "notice", role: "status" }, icon("check"), t("trust.ready"));

function guide() {
  const mine = platform();
  return [
    h("p", {}, t("trust.lead")),
    h("a", { class: "button wide", href: "/", "data-do": "without" }, t("trust.without")),
    h("a", { class: "button main wide", href: "/house.crt", download: "referee-at-home.crt", target: "_self", "data-do": "certificate" }, t("trust.get")),
    Object.keys(STEPS).map((one) => h("details", { class: "house", key: one, open: one === mine }, h("summary", {}, t(`trust.${one}`)), h("ol", { class: "steps" }, steps(one)))),
    h("p", {}, t("trust.check")),
    h("p", { class: "fingerprint" }, house.fingerprint),
    h("button", { class: "wide", "data-do": "again", onclick: again }, t("trust.again")),
    h("p", { class: "small muted" }, t("trust.only")),
  ];
}

const steps = (one) => Array.from({ length: STEPS[one] }, (_, at) => h("li", {}, t(`trust.${one}-${at + 1}`)));

function platform() {
  const { userAgent, maxTouchPoints, platform: system } = navigator;
  // An iPad says that it is a Mac.
  if (/iPhone|iPad|iPod/.test(userAgent) || (system === "MacIntel" && maxTouchPoints > 1)) return "ios";
  return /Android/.test(userAgent) ? "android" : "computer";
}

// Browsers keep what a phone remembers apart for each address: its places come along, behind the #,
// which is sent to no server.
const carried = () => (places().length ? `#places=${encodeURIComponent(JSON.stringify(places()))}` : "");

function placesIn(hash) {
  try {
    const [, text] = hash.match(/^#places=(.+)$/) ?? [];
    const found = text ? JSON.parse(decodeURIComponent(text)) : [];
    const fresh = found.filter((one) => typeof one?.table === "string" && !place(one.table));
    return fresh.length ? fresh : null;
  } catch {
    return null;
  }
}

// Asked, because a link from anybody could bring places of theirs.
const takeOver = () =>
  h(
    "section",
    { class: "stack", key: "take" },
    h("p", {}, t("trust.take", { count: taken.length })),
    h("button", { class: "main wide", "data-do": "take", onclick: take }, t("trust.take-yes")),
  );

function take() {
  for (const { table, ...more } of taken) keepPlace(table, more);
  const [only] = taken;
  const target = taken.length === 1 ? `/t/${only.table}` : "/";
  taken = null;
  go(target, { replace: true });
}
