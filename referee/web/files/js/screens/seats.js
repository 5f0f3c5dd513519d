// Who sits at the table: join, come back, leave, other names and places, who deals, who hosts.

import { call } from "../api.js";
import { h, icon } from "../dom.js";
import { keepPlace, place } from "../kept.js";
import { openDialog, selectField, textField, openForm } from "../parts/dialog.js";
import { openLeave, openRename, endOtherHosts, free } from "../parts/mine.js";
import { asHost, attempt, heldSeat, isHost, ownSeat, refresh, troubleOf } from "../session.js";
import { inRound, redraw, seated, state } from "../state.js";
import { t } from "../texts.js";

const LONGEST = 40;

export const seats = {
  path: "/t/:table/seats",
  needsTable: true,
  reminds: true,
  forHost: true,
  title: () => t("seats.title"),
  back: ({ table }) => `/t/${table}/host`,
  render: () => (isHost() ? screen() : h("p", { class: "muted" }, t("host.only"))),
};

function screen() {
  const { seats: all } = state.table;
  const away = all.filter((one) => !one.in);
  const wait = inRound(state.table);
  return h(
    "div",
    { class: "stack" },
    h("p", { class: "muted" }, t(wait ? "seats.wait" : "seats.hint")),
    h("ol", { class: "people" }, seated(state.table).map(person)),
    state.table.options.teams
      ? h("p", { class: "small muted" }, t("teams.full"))
      : h("button", { class: "main wide", "data-do": "join-seat", disabled: wait, onclick: openJoin }, t("seats.join")),
    away.length
      ? h(
          "section",
          { class: "stack", key: "away" },
          h("h2", {}, t("seats.away")),
          h(
            "ul",
            { class: "taken" },
            away.map((one) =>
              h(
                "li",
                { key: one.seat },
                h("span", {}, one.name),
                h("button", { "data-do": `back-${one.seat}`, disabled: wait, "aria-label": t("seats.back-of", { seat: one.name }), onclick: () => openBack(one) }, t("seats.back")),
              ),
            ),
          ),
        )
      : null,
    otherHosts() ? h("button", { key: "end-lost", "data-do": "end-lost", onclick: openEndLost }, t("seats.end-lost")) : null,
  );
}

// A host's phone need not have a seat; of one that is lost nobody knows whose it was.
function otherHosts() {
  const { seats: all, hosts, id } = state.table;
  return hosts > all.filter((one) => one.host).length + (place(id).host ? 1 : 0);
}

function openEndLost() {
  openForm(t("seats.end-lost"), () => h("p", {}, t("seats.end-lost-hint")), {
    say: t("host.make"),
    send: async () => (await endOtherHosts(), null),
  });
}

function person(one, at, all) {
  const { seat, name } = one;
  const shift = (by) => {
    const order = all.map((other) => other.seat);
    [order[at], order[at + by]] = [order[at + by], order[at]];
    asHost("/seating", { order }, "order", "PUT");
  };
  const busy = inRound(state.table) || state.waiting.some(({ path }) => path === "/seating");
  return h(
    "li",
    { key: seat },
    h("button", { class: "who", "data-do": `person-${seat}`, onclick: () => openPerson(seat) }, h("span", {}, name), marks(one)),
    arrow("up", t("seats.up", { seat: name }), busy || at === 0, () => shift(-1)),
    arrow("down", t("seats.down", { seat: name }), busy || at === all.length - 1, () => shift(1)),
  );
}

const arrow = (name, label, disabled, onclick) =>
  h("button", { class: "quiet square", "data-do": name, "aria-label": label, disabled, onclick }, icon(name));

function marks({ seat, taken, host }) {
  const own = seat === ownSeat();
  const said = [
    own ? t("play.you") : null,
    host || own ? t("home.host") : null,
    state.table.next_dealer === seat ? t("seats.deals") : null,
    taken ? null : t("seats.no-phone"),
  ];
  return said.filter(Boolean).map((text) => h("span", { class: "tag" }, text));
}

/** What a host may do about somebody at the table. */
export function openPerson(seat) {
  const wait = inRound(state.table);
  const one = () => state.table.seats[seat - 1];
  const act = (name, text, what) => (close) =>
    h("button", { class: "wide", key: name, "data-do": name, onclick: () => (close(), what()) }, text);
  const deals = () => asHost("/seating", { dealer: seat }, "dealer", "PUT");
  openDialog(
    () => one().name,
    (close) =>
      [
        act("rename", t("mine.rename"), () => openRename(seat)),
        wait || state.table.next_dealer === seat ? null : act("deals", t("seats.deals-next"), deals),
        hosting(one(), act),
        one().taken && seat !== heldSeat() ? act("free", t("seats.other-phone", { seat: one().name }), () => free(seat)) : null,
        act("leave", t(seat === ownSeat() ? "mine.leave" : "seats.leave"), () => openLeave(seat)),
      ].flat().map((make) => make?.(close)),
  );
}

function hosting({ seat, name, taken, host }, act) {
  const path = `/seats/${seat}/host`;
  if (host) return act("end-host", t("seats.end-host"), () => asHost(path, undefined, "end-host", "DELETE"));
  if (!taken || seat === heldSeat()) return null;
  const make = act("make-host", t("seats.make-host", { seat: name }), () => asHost(path, undefined, "make-host", "PUT"));
  return heldSeat() ? [make, act("hand-over", t("seats.hand-over", { seat: name }), () => openHandOver(seat, name))] : [make];
}

// Nobody but the new host can give it back.
function openHandOver(seat, name) {
  const title = t("seats.hand-over", { seat: name });
  openForm(title, () => null, { say: t("host.make"), final: true, send: () => handOver(seat) });
}

// The other phone first: a table is never without a host. Returns what went wrong, null if nothing has.
async function handOver(seat) {
  const { id } = state.table;
  const own = heldSeat();
  const token = place(id).host;
  const trouble = (await attempt("PUT", `/seats/${seat}/host`)) ?? (token ? null : await attempt("DELETE", `/seats/${own}/host`));
  if (trouble || !token) return trouble;
  try {
    await call("DELETE", `/tables/${id}/tokens/self`, { token });
    keepPlace(id, { host: null });
    await refresh();
    return null;
  } catch (error) {
    return troubleOf(error);
  }
}

// Whoever comes sits after somebody; the places are counted from the first of the order.
function afterField(chosen, choose, first = []) {
  const options = seated(state.table).map(({ name }, at) => [String(at + 2), t("seats.after", { seat: name })]);
  return selectField(t("seats.place"), [...first, ...options], chosen, choose, "place");
}

function pointsField(points, put) {
  const props = { type: "number", inputmode: "numeric", min: 0, max: 1_000_000, required: true };
  return textField(t("seats.points"), { id: "points", value: points, oninput: (event) => put(event.target.value), ...props });
}

/** The points that the server gives whoever joins, or comes back: see seat.join. */
function pointsToStart(seat = null) {
  const { options, state: now, order } = state.table;
  const own = seat ? (now.scores[seat - 1] ?? 0) : 0;
  if ((options.scoring ?? "winner") === "winner") return own;
  return Math.max(own, ...order.map((other) => now.scores[other - 1]));
}

function openJoin() {
  let name = "";
  let at = String(state.table.order.length + 1);
  let points = String(pointsToStart());
  openForm(
    t("seats.join"),
    () => [
      textField(t("setup.placeholder"), { id: "new-name", maxlength: LONGEST, required: true, autocomplete: "off", oninput: (event) => ((name = event.target.value), redraw()) }),
      afterField(at, (value) => ((at = value), redraw())),
      pointsField(points, (value) => (points = value)),
      h("p", { class: "small muted" }, t("seats.phone")),
    ],
    {
      say: t("seats.join"),
      ready: () => Boolean(name.trim()),
      send: () => attempt("POST", "/seats", { name: name.trim(), place: Number(at), points: Number(points) }),
    },
  );
}

function openBack({ seat, name }) {
  let at = "";
  let points = String(pointsToStart(seat));
  openForm(
    t("seats.back-of", { seat: name }),
    () => [
      afterField(at, (value) => ((at = value), redraw()), [["", t("seats.as-before")]]),
      pointsField(points, (value) => (points = value)),
    ],
    {
      say: t("seats.back"),
      send: () => attempt("POST", "/seats", { seat, points: Number(points), ...(at ? { place: Number(at) } : {}) }),
    },
  );
}
