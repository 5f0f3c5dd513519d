// The scores: round by round, the course of the game as a picture, who caught whom, and files.

import { file, get, Problem } from "../api.js";
import { h } from "../dom.js";
import { pixels, save, share } from "../files.js";
import { icon } from "../icons.js";
import { caught } from "../parts/caught.js";
import { scoreTable } from "../parts/scoretable.js";
import { readToken } from "../session.js";
import { change, notify, state } from "../state.js";
import { language, t } from "../texts.js";

// What was read last: the sheet, the picture as a blob and its address, and what they are of.
let read = { of: null, sheet: null, drawing: null, address: null };
let reading = null;

export const scores = {
  path: "/t/:table/scores",
  needsTable: true,
  title: () => t("scores.title"),
  back: ({ table }) => `/t/${table}`,
  tab: { icon: "chart", label: "nav.scores" },
  render: () => {
    const { id } = state.table;
    refresh();
    if (!read.sheet || !read.of.startsWith(id)) return h("p", { class: "muted centred", "aria-busy": "true" }, t("link.connecting"));
    return h(
      "div",
      { class: "sheet-screen" },
      h("div", { class: "stack" }, head(), scoreTable(read.sheet), caught(read.sheet), files()),
      picture(),
    );
  },
};

// Points change seldom, and everything else of the sheet with them or with a catch.
function version() {
  const { id, state: now } = state.table;
  const last = state.entries.filter((one) => one.kind === "corrected" || counts(one)).at(-1);
  return [id, language(), now.scores.join(), now.round_winner, last?.id].join(" ");
}

const counts = (entry) => ["catch", "reveal"].includes(entry.move?.move);

function refresh() {
  const of = version();
  if (reading === of || read.of === of) return;
  reading = of;
  readSheet(of).then(
    () => (reading = null),
    (error) => {
      // Tried again with whatever happens next; a problem is said.
      if (error instanceof Problem) notify(error.message);
      setTimeout(() => ((reading = null), change({})), 2_000);
    },
  );
}

async function readSheet(of) {
  const path = `/tables/${state.table.id}/scores`;
  const token = readToken();
  const sheet = await get(path, { token });
  const drawing = await file(`${path}.svg`, { token });
  if (read.address) URL.revokeObjectURL(read.address);
  read = { of, sheet, drawing, address: URL.createObjectURL(drawing) };
  change({});
}

function head() {
  const { seats, winner, rounds } = read.sheet;
  const won = [winner ?? []].flat().map((seat) => seats[seat - 1]);
  const said = won.length ? t("play.game-won", { seat: won.join(", ") }) : t("scores.after", { count: rounds.length });
  return h("h2", {}, said);
}

function picture() {
  const { seats, scores: now } = read.sheet;
  const said = seats.map((name, i) => `${name} ${now[i]}`).join(", ");
  return h(
    "figure",
    { class: "picture" },
    h("img", { src: read.address, alt: t("scores.picture-of", { scores: said }), width: 1080 }),
  );
}

function files() {
  const path = `/tables/${state.table.id}`;
  const png = () => attempt(async () => share(await pixels(read.drawing), `${t("scores.file")}.png`, t("scores.title")));
  const fetched = (rest, name) => () => attempt(async () => save(await file(`${path}/${rest}`, { token: readToken() }), name));
  const csv = `${t("scores.file")}.csv`;
  return h(
    "section",
    { class: "stack", "aria-label": t("scores.files") },
    h("button", { class: "main wide", onclick: png, "data-do": "share" }, icon("share"), t("scores.share")),
    h(
      "div",
      { class: "row" },
      h("button", { onclick: fetched("scores.csv", csv), "data-do": "csv" }, icon("save"), t("scores.csv")),
      h("button", { onclick: fetched("record", `${t("scores.file")}.json`), "data-do": "record" }, icon("save"), t("scores.record")),
    ),
  );
}

async function attempt(what) {
  try {
    await what();
  } catch (error) {
    notify(error instanceof Problem ? error.message : t("link.lost"));
  }
}
