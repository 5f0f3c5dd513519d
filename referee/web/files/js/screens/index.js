// Every screen of the page. A new one is a module here, a line below, and a section of texts.
//
// A screen is `{path, title(params), render(params)}`; more is optional: `back(params)` an address,
// `tab: {icon, label}` puts it into the bar of a table's screens, `forHost` only at the host's,
// `needsTable` waits until the table is known, `reminds` of what has to be done there, `enter(params)` is called when it
// is gone to, `bare` draws it without frame (a TV), `wide` gives it all the width there is. What it shows it takes from
// `state`, drawn anew whenever that changes; `redraw()` asks for it after a change of its own. What few phones ever open
// is loaded when it is gone to.

import { h, style } from "../dom.js";
import { notify } from "../state.js";
import { readLater, t } from "../texts.js";
import { camera } from "./camera.js";
import { home, join } from "./home.js";
import { host } from "./host.js";
import { play } from "./play.js";
import { rulebooks, rules } from "./rules.js";
import { seats } from "./seats.js";
import { setup } from "./setup.js";

/** A screen whose module is loaded when somebody goes there; `name` is what the module calls it. */
function later(path, name, load, more = {}) {
  let found = null;
  return {
    path,
    ...more,
    title: (params) => found?.title(params) ?? "",
    back: (params) => (found ? found.back?.(params) : "/"),
    async enter(params) {
      try {
        found ??= (await load())[name];
        await found.enter?.(params);
      } catch (error) {
        if (found) throw error;
        notify(t("link.lost"));
      }
    },
    render: (params) => found?.render(params) ?? h("p", { class: "muted centred", "aria-busy": "true" }, t("link.connecting")),
  };
}

const groups = () => import("./people.js");
// What is for a TV never reaches a phone.
const withStyles = (load, ...styles) => async () => (await Promise.all([load(), ...styles.map((one) => style(...one))]))[0];
const WALL = ["wall", "club"];
const walls = withStyles(() => import("./wall.js"), WALL);
const clubs = withStyles(() => import("./club.js"), ["club"]);
const LATER = [
  later("/wall", "wallDoor", walls),
  later("/wall/:table", "wall", walls, { moments: true, needsTable: true, bare: true }),
  later("/trust", "trust", async () => (await Promise.all([import("./trust.js"), readLater()]))[0]),
  later("/club", "clubDoor", clubs),
  later("/club/:tournament", "club", clubs, { wide: true }),
  later("/club/:tournament/wall", "clubWall", withStyles(() => import("./clubwall.js"), WALL, ["club"]), { bare: true }),
  later("/people", "peopleDoor", groups),
  later("/people/:group", "people", groups),
];

const scores = later("/t/:table/scores", "scores", () => import("./scores.js"), { needsTable: true, reminds: true, tab: { icon: "chart", label: "nav.scores" } });

export const SCREENS = [home, setup, join, play, camera, scores, rules, host, seats, rulebooks, ...LATER];
