// Every screen of the page. A new one is a module here, a line below, and a section of texts.
//
// A screen is `{path, title(params), render(params)}`; more is optional: `back(params)` an address,
// `tab: {icon, label}` puts it into the bar of a table's screens, `forHost` only at the host's,
// `needsTable` waits until the table is known, `enter(params)` is called when it is gone to,
// `bare` draws it without frame (a TV), `wide` gives it all the width there is. What it shows it takes from `state`, drawn
// anew whenever that changes; `redraw()` asks for it after a change of its own.

import { club, clubDoor } from "./club.js";
import { clubWall } from "./clubwall.js";
import { home } from "./home.js";
import { host } from "./host.js";
import { join } from "./join.js";
import { play } from "./play.js";
import { rulebooks, rules } from "./rules.js";
import { scores } from "./scores.js";
import { seats } from "./seats.js";
import { setup } from "./setup.js";
import { wall, wallDoor } from "./wall.js";

export const SCREENS = [home, setup, join, play, scores, rules, host, seats, rulebooks, wallDoor, wall, clubDoor, club, clubWall];
