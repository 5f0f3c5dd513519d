// Showing a hand: put together card by card, read from a photo and then set right, or shown to the phone's camera.

import { call } from "../api.js";
import { cardFace } from "../cards.js";
import { h, svg, icon } from "../dom.js";
import { mayOpenCamera, whyNoCamera, withCamera } from "../owndevices.js";
import { readToken, troubleOf } from "../session.js";
import { redraw, state } from "../state.js";
import { t, word } from "../texts.js";
import { openDialog, textField } from "./dialog.js";
import { cardPicker } from "./picker.js";

const LONGEST_SIDE = 2000;
// What the server says of a photo is for programs.
const FAULTS = { "too-large": "hand.too-large", "unreadable-photo": "hand.no-picture" };
// Some servers read no photos: then the camera does not open by itself again.
let unread = false;
// What was entered last where it is to be kept: a hand that was refused is set right, not entered anew.
let kept = { of: null, hand: [] };

/**
 * Ask for cards of a hand; `done(cards)` is called once. `count` is how many there should be. Where a
 * hand may be entered by its points, `counted(points)` is called instead; `unknown()` if nobody knows it. `atOnce`
 * opens the camera where the phone has allowed it before. `keep` names what is asked: asked for the same again, the
 * cards entered before are there. `fits`: the only cards that may be meant, and are shown; `ask` says which of them are wanted.
 */
export function openHand({ title, fits = null, ask = t("hand.tap"), count = null, cards = [], photo = true, atOnce = false, keep = null, say, done, counted = null, unknown = null }) {
  const { ruleset } = state.table;
  let hand = keep && kept.of === keep ? kept.hand : [...cards];
  // The photo that was read last, with the cards found on it; those to look at again, by their place.
  let seen = null;
  let unsure = new Set();
  let trouble = null;
  let busy = false;
  let closed = false;
  let byPoints = false;
  let points = "";
  // A reading by the camera that is going on, what it saw without being sure, and the cards that were there before it.
  let live = null;
  let spare = [];
  let before = [];
  const add = (card) => {
    endLive();
    hand = [...hand, card];
    redraw();
    requestAnimationFrame(() => [...document.querySelectorAll(".sheet-foot .hand .face")].at(-1)?.scrollIntoView({ block: "nearest", inline: "nearest" }));
  };
  const remove = (at) => {
    endLive();
    hand = hand.filter((_, i) => i !== at);
    unsure = new Set([...unsure].filter((one) => one !== at).map((one) => (one > at ? one - 1 : one)));
    redraw();
  };
  const legal = fits && new Set(fits);
  const picker = cardPicker({ ruleset, legal: () => legal, pick: add });

  const post = (picture) => call("POST", `/tables/${state.table.id}/photos`, { token: readToken(), body: picture });

  async function goLive() {
    trouble = null;
    before = hand.map((card, at) => ({ card, doubtful: unsure.has(at) }));
    const { liveHand } = await withCamera(() => import("../camera/hand.js")).catch((error) => ((trouble = troubleOf(error)), {}));
    if (closed || live || !liveHand) return redraw();
    live = liveHand({
      count,
      read: post,
      found: ({ cards: seenNow, rest }) => {
        const more = unseen(seenNow).slice(0, count === null ? undefined : Math.max(0, count - seenNow.length));
        hand = [...seenNow, ...more.map(({ card }) => card)];
        unsure = new Set(more.flatMap(({ doubtful }, at) => (doubtful ? [seenNow.length + at] : [])));
        spare = rest;
      },
      done: () => (live = null),
      failed: (error) => {
        unread = error.kind === "no-reader";
        endLive();
        trouble = troubleOf(error);
      },
      changed: redraw,
    });
    live.start();
  }

  // The cards that were there before, without those that the camera has seen: each counts once.
  function unseen(seenNow) {
    const left = [...seenNow];
    return before.filter(({ card }) => {
      const at = left.indexOf(card);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  }

  // What was not read surely is there to be looked at again.
  function endLive() {
    if (!live) return;
    live.stop();
    live = null;
    const room = count === null ? spare.length : Math.max(0, count - hand.length);
    unsure = new Set([...unsure, ...spare.slice(0, room).map((_, i) => hand.length + i)]);
    hand = [...hand, ...spare.slice(0, room)];
    spare = [];
    redraw();
  }

  async function take(event) {
    endLive();
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    busy = true;
    trouble = null;
    redraw();
    try {
      const picture = await smaller(file);
      const read = await post(picture.body);
      if (closed) return;
      forget(seen);
      seen = { ...picture, address: URL.createObjectURL(picture.body), items: read.items };
      if (read.hand.length) {
        hand = read.hand;
        unsure = new Set(read.items.flatMap((one, at) => (one.sure ? [] : [at])));
        // Not sure although each card is: a card may be left out. A hand with the right number lacks none.
        if (!read.sure && !unsure.size && hand.length !== count) trouble = t("hand.part");
      } else {
        trouble = t("hand.none");
      }
    } catch (error) {
      trouble = FAULTS[error.kind] ? t(FAULTS[error.kind]) : troubleOf(error);
    }
    busy = false;
    redraw();
  }

  function item(card, at) {
    const said = t("hand.remove", { card: word(ruleset, "cards", card) });
    return h(
      "li",
      { class: unsure.has(at) ? "unsure" : "" },
      h(
        "button",
        { class: "face", "aria-label": unsure.has(at) ? `${said} (${t("hand.check")})` : said, onclick: () => remove(at) },
        cardFace(card, { ruleset, label: "", small: true }),
        unsure.has(at) ? h("span", { class: "badge-unsure", "aria-hidden": "true" }, "?") : null,
      ),
    );
  }

  const missingNow = () => Math.max(0, (count ?? 0) - hand.length);
  const way = (wanted, text, name) =>
    h("button", { "data-do": name, "aria-pressed": String(byPoints === wanted), onclick: () => ((byPoints = wanted), redraw()) }, text);
  const ways = () =>
    counted ? h("div", { class: "tabs", key: "ways", role: "group", "aria-label": title }, way(false, t("result.cards"), "by-cards"), way(true, t("result.points"), "by-points")) : null;

  const finish = (close, what) => {
    close();
    what();
  };
  const pointsForm = (close) => [
    ways(),
    h(
      "form",
      { class: "stack", key: "by-points", onsubmit: (event) => (event.preventDefault(), finish(close, () => counted(Number(points)))) },
      textField(t("hand.points"), { id: "hand-points", type: "number", inputmode: "numeric", min: 0, required: true, oninput: (event) => (points = event.target.value) }),
      h("button", { class: "main", "data-do": "count" }, t("host.set")),
    ),
    unknown ? h("button", { class: "wide", key: "unknown", "data-do": "unknown", onclick: () => finish(close, unknown) }, t("result.unknown")) : null,
  ];
  const camera = () => {
    if (!live) return h("button", { key: "go-live", "data-do": "live", onclick: goLive }, icon("camera"), t("hand.live"));
    const missing = missingNow();
    const phase = live.phase();
    queueMicrotask(() => live?.show(document.querySelector("video.hand-eye")));
    return h(
      "section",
      { class: "stack", key: "live" },
      ["refused", "missing", "taken", "failed"].includes(phase) ? h("p", { class: "warn", role: "alert" }, t(`camera.${phase}`)) : [live.figure(), h("p", { role: "status" }, hand.length && missing ? t("camera.hand-missing", { count: missing }) : t("camera.hand-hold"))],
      h("button", { class: "quiet wide", "data-do": "by-hand", onclick: endLive }, t("camera.hand-stop")),
    );
  };
  // The chosen cards stand at the foot, in a row that is always there: the picker stays where it is.
  const cardsForm = (close) => [
    ways(),
    h(
      "div",
      { class: "hand-head", key: "head" },
      photo
        ? h(
            "label",
            { class: "button", "aria-busy": String(busy) },
            icon("camera"),
            t(busy ? "hand.reading" : "hand.photo"),
            h("input", { type: "file", class: "heard", accept: "image/*", capture: "environment", onchange: take }),
          )
        : null,
      photo && !live && !whyNoCamera() ? camera() : null,
    ),
    live ? camera() : null,
    unsure.size ? h("p", { class: "warn", role: "alert", key: "unsure" }, t("hand.unsure")) : null,
    seen ? photograph(seen) : null,
    trouble ? h("p", { class: "warn", role: "alert" }, trouble) : null,
    seen && !live && !trouble && hand.length && missingNow() ? h("p", { class: "warn", role: "alert", key: "missing" }, t("hand.add")) : null,
    live ? null : fits ? h("div", { class: "fitting" }, picker()) : picker(),
    h(
      "div",
      { class: "sheet-foot", key: "foot" },
      h("p", { class: "hand-count", role: "status" }, count === null ? ask : t("hand.count", { count, have: hand.length })),
      h(
        "ul",
        { class: "hand", "aria-label": t("hand.cards") },
        hand.map((card, at) => item(card, at)),
        Array.from({ length: missingNow() }, (_, at) => h("li", { class: "missing", key: `missing-${at}`, "aria-hidden": "true" })),
      ),
      h(
        "button",
        {
          class: "main",
          "data-do": "show",
          disabled: count === null ? !hand.length : hand.length !== count,
          onclick: () => finish(close, () => done(hand)),
        },
        say ?? t("hand.show"),
      ),
    ),
  ];
  openDialog(
    title,
    (close) => {
      if (keep) kept = { of: keep, hand };
      return byPoints ? pointsForm(close) : cardsForm(close);
    },
    { closed: () => ((closed = true), live?.stop(), forget(seen)) },
  );
  if (atOnce && photo && !unread && !whyNoCamera()) {
    mayOpenCamera().then((may) => may && !closed && !byPoints && !hand.length && goLive());
  }
}

/** The photo, with an outline around each card that was found, broken where it is not certain. */
function photograph({ address, width, height, items }) {
  return h(
    "figure",
    { class: "photo", key: "photo" },
    h("img", { src: address, alt: t("hand.picture", { count: items.length }) }),
    width
      ? svg(
          "svg",
          { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
          items.map((one) => svg("polygon", { points: one.corners.join(" "), class: one.sure ? "" : "unsure" })),
        )
      : null,
  );
}

const forget = (seen) => seen && URL.revokeObjectURL(seen.address);

/** A photo as JPEG, no larger than the reader has use for, with its size; as it is where the browser cannot. */
async function smaller(file) {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return { body: file };
  const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
  const canvas = h("canvas", {});
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const body = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
  return { body, width: canvas.width, height: canvas.height };
}
