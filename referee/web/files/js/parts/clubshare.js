// The address of a club evening: for everybody who wants to look, as a picture and to type.

import { post } from "../api.js";
import { club, tokenOf } from "../club.js";
import { h } from "../dom.js";
import { troubleOf } from "../session.js";
import { redraw } from "../state.js";
import { labelled, t } from "../texts.js";
import { openDialog, textField } from "./dialog.js";
import { reachable } from "./invite.js";

/** Where other phones find the evening. */
const clubLink = () => `${(reachable() ?? location.origin).replace(/\/$/, "")}/club/${club.id}`;

/** The address as a picture. */
export function clubAddress() {
  return h("img", { class: "qr", src: `/club.svg?tournament=${encodeURIComponent(club.id)}`, alt: labelled(t("club.address"), clubLink()), width: 220, height: 220 });
}

/** Show the address. */
export function openAddress() {
  openDialog(t("club.share"), () =>
    h("div", { class: "invite" }, h("p", {}, t("club.share-hint")), clubAddress(), h("p", { class: "club-link" }, clubLink())),
  );
}

/** Make a link with which somebody else organises the evening as well. */
export function openOrganiser() {
  let link = null;
  let trouble = null;
  const make = async () => {
    try {
      const { token } = await post(`/tournaments/${club.id}/organisers`, {}, { token: tokenOf(club.id) });
      // What follows the # is not sent to the server, and so stands in no log.
      link = `${clubLink()}#organiser=${token}`;
      trouble = null;
    } catch (error) {
      trouble = troubleOf(error);
    }
    redraw();
  };
  const select = (event) => event.target.select();
  openDialog(t("club.organiser"), () =>
    h(
      "div",
      { class: "stack" },
      h("p", {}, t("club.organiser-hint")),
      trouble ? h("p", { class: "warn", role: "alert", key: "trouble" }, trouble) : null,
      link
        ? textField(t("club.address"), { id: "organiser-link", readonly: true, value: link, onclick: select })
        : h("button", { class: "main wide", key: "make", "data-do": "make-link", onclick: make }, t("club.organiser")),
    ),
  );
}
