// Showing a hand: put together card by card, or read from a photo and then set right.

import { call } from "../api.js";
import { cardFace } from "../cards.js";
import { h, svg } from "../dom.js";
import { icon } from "../icons.js";
import { readToken, troubleOf } from "../session.js";
import { redraw, state } from "../state.js";
import { t, word } from "../texts.js";
import { openDialog } from "./dialog.js";
import { textField } from "./fields.js";
import { cardPicker } from "./picker.js";

const LONGEST_SIDE = 2000;

/**
 * Ask for cards of a hand; `done(cards)` is called once. `count` is how many there should be. Where a
 * hand may be entered by its points, `counted(points)` is called instead; `unknown()` if nobody knows it.
 */
export function openHand({ title, count = null, cards = [], photo = true, say, done, counted = null, unknown = null }) {
  const { ruleset } = state.table;
  let hand = [...cards];
  // The photo that was read last, with the cards found on it; those to look at again, by their place.
  let seen = null;
  let unsure = new Set();
  let trouble = null;
  let busy = false;
  let byPoints = false;
  let points = "";
  const add = (card) => ((hand = [...hand, card]), redraw());
  const remove = (at) => {
    hand = hand.filter((_, i) => i !== at);
    unsure = new Set([...unsure].filter((one) => one !== at).map((one) => (one > at ? one - 1 : one)));
    redraw();
  };
  const picker = cardPicker({ ruleset, first: null, pick: add });

  async function take(event) {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    busy = true;
    trouble = null;
    redraw();
    try {
      const picture = await smaller(file);
      const path = `/tables/${state.table.id}/photos`;
      const read = await call("POST", path, { token: readToken(), body: picture.body });
      forget(seen);
      seen = { ...picture, address: URL.createObjectURL(picture.body), items: read.items };
      if (read.hand.length) {
        hand = read.hand;
        unsure = new Set(read.items.flatMap((one, at) => (one.sure ? [] : [at])));
      } else {
        trouble = t("hand.none");
      }
    } catch (error) {
      trouble = troubleOf(error);
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
  const cardsForm = (close) => [
    ways(),
    h("p", { class: "muted", key: "count" }, count === null ? t("hand.tap") : t("hand.count", { count, have: hand.length })),
    h(
      "ul",
      { class: "hand", "aria-label": t("hand.cards") },
      hand.map((card, at) => item(card, at)),
    ),
    unsure.size ? h("p", { class: "warn", role: "alert", key: "unsure" }, t("hand.unsure")) : null,
    seen ? photograph(seen) : null,
    trouble ? h("p", { class: "warn", role: "alert" }, trouble) : null,
    photo
      ? h(
          "label",
          { class: "button quiet", "aria-busy": String(busy) },
          icon("camera"),
          t(busy ? "hand.reading" : "hand.photo"),
          h("input", { type: "file", class: "heard", accept: "image/*", capture: "environment", onchange: take }),
        )
      : null,
    picker(),
    h(
      "div",
      { class: "sheet-foot" },
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
  openDialog(title, (close) => (byPoints ? pointsForm(close) : cardsForm(close)));
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
