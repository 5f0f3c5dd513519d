// How the others get in: a code to type, or to scan, and who has a seat already.

import { h } from "../dom.js";
import { ownSeat } from "../session.js";
import { state } from "../state.js";
import { t } from "../texts.js";

/** The code, as a picture too, and the seats. */
export function invite() {
  const { code, seats } = state.table;
  const written = code.replace(/(.{4})(?=.)/g, "$1 ");
  return h(
    "section",
    { class: "invite" },
    h("h2", {}, t("invite.title")),
    h("img", { class: "qr", src: `/join.svg?code=${code}`, alt: t("invite.picture", { code: written }), width: 220, height: 220 }),
    h("p", { class: "code" }, written),
    h("p", { class: "muted" }, t("invite.hint", { address: location.host })),
    h(
      "ul",
      { class: "taken", "aria-label": t("play.seats") },
      seats.map(({ seat, name, taken }) =>
        h(
          "li",
          { key: seat },
          h("span", {}, name, ownSeat() === seat ? h("span", { class: "you" }, t("play.you")) : null),
          h("span", { class: taken ? "tag here" : "tag" }, taken ? t("invite.here") : t("invite.free")),
        ),
      ),
    ),
  );
}
