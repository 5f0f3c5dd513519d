// Somebody asks to become host, because the host's phone is lost: agree, refuse, withdraw.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { isHost, ownSeat } from "../session.js";
import * as outbox from "../outbox.js";
import { state } from "../state.js";
import { t } from "../texts.js";

/** The open request, with what this phone may do about it; nothing if nobody asks. */
export function hostRequest() {
  const asked = state.table?.host_request;
  if (!asked) return null;
  const own = asked.seat === ownSeat();
  const text = own ? t("mine.asked") : t("mine.asks", { seat: state.table.seats[asked.seat - 1].name });
  const until = new Date(asked.until).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return h(
    "section",
    { class: "ask-card", key: "host-request", "aria-label": text },
    h("p", { class: "ask" }, icon("ask"), text),
    h("p", { class: "muted" }, asked.missing ? t("mine.missing", { count: asked.missing }) : t("mine.until", { time: until })),
    h("div", { class: "row" }, buttons(asked, own)),
  );
}

function buttons({ seat, agreed }, own) {
  const path = "/host-request";
  const act = (method, rest, by, label) => () => outbox.send({ method, path: rest, body: undefined, seat: by, label });
  const no = (text, by) => h("button", { "data-do": "refuse", onclick: act("DELETE", path, by, "refuse") }, text);
  if (own) return [no(t("custom.withdraw"), ownSeat())];
  // A host says at once whether it is so; the others have a say each.
  if (isHost()) return [no(t("mine.refuse"), null), yes(act("PUT", `/seats/${seat}/host`, null, "host"))];
  if (!ownSeat()) return [];
  if (agreed.includes(ownSeat())) return [h("p", { class: "muted" }, t("mine.agreed"))];
  return [yes(act("POST", `${path}/agreements`, ownSeat(), "agree"))];
}

const yes = (onclick) => h("button", { class: "main", "data-do": "agree", onclick }, t("mine.agree"));
