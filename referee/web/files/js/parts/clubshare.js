// The address of a club evening: for everybody who wants to look, as a picture and to type.

import { club } from "../club.js";
import { h } from "../dom.js";
import { t } from "../texts.js";
import { openDialog } from "./dialog.js";
import { reachable } from "./invite.js";

/** Where other phones find the evening. */
export const clubLink = () => `${(reachable() ?? location.origin).replace(/\/$/, "")}/club/${club.id}`;

/** The address as a picture. */
export function clubAddress() {
  return h("img", { class: "qr", src: `/club.svg?tournament=${encodeURIComponent(club.id)}`, alt: `${t("club.address")}: ${clubLink()}`, width: 220, height: 220 });
}

/** Show the address. */
export function openAddress() {
  openDialog(t("club.share"), () =>
    h("div", { class: "invite" }, h("p", {}, t("club.share-hint")), clubAddress(), h("p", { class: "club-link" }, clubLink())),
  );
}
