// A club evening on a TV: the clock, who sits where, and the standings.

import { club, lookAt, organises } from "../club.js";
import { h } from "../dom.js";
import { clubAddress } from "../parts/clubshare.js";
import { asCode, clubClock, points } from "../parts/clubtables.js";
import { go } from "../router.js";
import { t } from "../texts.js";

const HERE = /^\/club\/([^/]+)\/wall$/;
const MOST_ROWS = 14;
const COLUMNS = 4;
// How many lines fit one below the other, and those that a table has beside its names.
const MOST_LINES = 17;
const EXTRA_LINES = 3.5;
const PAGE_MS = 10_000;
let awake = null;

addEventListener("keydown", (event) => {
  const found = HERE.exec(location.pathname);
  if (found && event.key === "Escape") go(`/club/${found[1]}`);
});

export const clubWall = {
  path: "/club/:tournament/wall",
  bare: true,
  title: () => club.shown?.name ?? t("club.title"),
  async enter({ tournament }) {
    lookAt(tournament);
    awake = awake && !awake.released ? awake : await navigator.wakeLock?.request("screen").catch(() => null);
  },
  render: ({ tournament }) => {
    const leave = () => go(`/club/${tournament}`);
    if (!club.shown) return h("main", { class: "wall club-wall", id: "main", tabindex: "-1", onclick: leave }, h("h1", {}, t("club.title")), h("p", {}, club.trouble ?? t("link.connecting")));
    const { name, present, state } = club.shown;
    const over = state === "over";
    return h(
      "main",
      { class: "wall club-wall", id: "main", tabindex: "-1", onclick: leave },
      h("header", { class: "club-head" }, h("h1", {}, present && !over ? `${name} · ${t("club.round", { number: present.round })}` : name), h("div", { class: "club-address" }, clubAddress(), h("p", {}, t("club.share-hint"))), clubClock()),
      over ? winner() : present ? tables(present) : h("p", {}, t("club.open")),
      standings(),
      club.trouble ? h("p", { class: "wall-link", role: "status" }, club.trouble) : null,
    );
  },
};

// What does not fit on the screen comes by in turn.
function page(all, most) {
  const pages = Math.max(1, Math.ceil(all.length / most));
  const at = Math.floor(Date.now() / PAGE_MS) % pages;
  return { shown: all.slice(at * most, (at + 1) * most), mark: pages > 1 ? ` ${at + 1}/${pages}` : "" };
}

function winner() {
  const first = club.standings.filter(({ rank }) => rank === 1).map(({ name }) => name);
  return h("section", { class: "club-winner" }, h("h2", {}, t("club.winner", { names: first.join(", ") })), h("p", {}, t("club.over")));
}

function tables({ tables: all, byes }) {
  const size = Math.max(...all.map(({ seats }) => seats.length));
  const { shown, mark } = page(all, COLUMNS * Math.max(1, Math.floor(MOST_LINES / (size + EXTRA_LINES))));
  return h(
    "section",
    { class: "club-seating" },
    h("h2", {}, t("club.who-sits"), mark),
    h(
      "ul",
      {},
      shown.map(({ table: number, seats, state, result, live, code }) =>
        h(
          "li",
          { key: number, class: "club-table" },
          h("h3", {}, t("club.table", { number }), state === "playing" || state === "drawn" ? null : h("span", { class: `tag is-${state}` }, t(`club.is-${state}`))),
          h(
            "ul",
            {},
            seats.map(({ seat, name }) => h("li", { key: seat }, h("span", {}, name), result ? h("span", { class: "club-score" }, String(result.seats[seat - 1].score)) : null)),
          ),
          code && lacks({ live, seats }) ? h("p", { class: "club-code" }, asCode(code)) : null,
        ),
      ),
    ),
    !organises() && all.some(lacks) ? h("p", {}, t("club.codes-there")) : null,
    byes.length ? h("p", {}, t("club.byes", { names: byes.map(({ name }) => name).join(", ") })) : null,
  );
}

// Whether players are still to join with their phones.
const lacks = ({ live, seats }) => live !== null && live.joined.length < seats.length;

function standings() {
  const { shown, mark } = page(club.standings, MOST_ROWS);
  return h(
    "section",
    { class: "club-ranks" },
    h("h2", {}, t("club.standings"), mark),
    h(
      "ol",
      {},
      shown.map(({ rank, player, name, points: got }) =>
        h("li", { key: player }, h("span", { class: "club-rank" }, `${rank}.`), h("span", { class: "seat-name" }, name), h("strong", {}, points(got))),
      ),
    ),
  );
}
