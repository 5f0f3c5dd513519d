// The page: starts with a language, and draws the screen that the address names.

import { stayAwake, dress, wake, guardTaps, tell } from "./phone.js";
import { keepClub } from "./club.js";
import { h, keepFocus, morph, icon } from "./dom.js";
import { keepPlace, place } from "./kept.js";
import { aloud, bannerNow, forgetMoments, moments, reminder } from "./parts/banner.js";
import { closeDialog } from "./parts/dialog.js";
import { listen, offer } from "./parts/settings.js";
import { frame } from "./parts/frame.js";
import { go, here, route } from "./router.js";
import { SCREENS } from "./screens/index.js";
import { isHost, leave, sitDown } from "./session.js";
import { state, watch } from "./state.js";
import { firstLanguage, languages, speak, t } from "./texts.js";

const RETRY_MS = 2_000;
const root = document.getElementById("app");
const live = document.getElementById("live");
let shown = h("div", {});
let path = null;
let phase = null;
let told = null;
let heard = 0;

function draw() {
  const { screen, params } = here();
  document.title = `${screen.title(params)} · ${t("nav.referee")}`;
  const drawn = screen.needsTable && !state.table ? waiting() : screen.render(params);
  const content = screen.reminds && state.table ? [reminder(), drawn] : drawn;
  const fresh = screen.bare
    ? content
    : frame({ title: screen.title(params), back: screen.back?.(params), content, foot: screen.foot?.(), tabs: tabs(params), wide: screen.wide });
  const around = root.contains(document.activeElement) ? ancestors(document.activeElement) : [];
  shown = morph(shown, fresh);
  if (around.length) keepFocus(around.find((one) => one.isConnected));
  announce();
  if (params.table) moments(screen.moments);
  // Another round looks different from its top on.
  const now = `${params.table} ${state.table?.game} ${state.table?.round}`;
  if (now !== phase) scrollTo(0, 0);
  phase = now;
  if (params.table && state.table && screen.moments) look();
}

// What happens to one is on top of the screen, wherever one had scrolled to.
function look() {
  const found = bannerNow();
  const now = (found?.news ?? found)?.entry.id ?? null;
  if (now !== null && now !== told && !document.querySelector("dialog[open]")) scrollTo(0, 0);
  told = now;
}

function ancestors(element) {
  const all = [];
  for (let one = element; one !== root; one = one.parentElement) all.push(one);
  return all;
}

const waiting = () => h("p", { class: "muted centred", "aria-busy": "true" }, t("link.connecting"));

// The other screens of the table one is at.
function tabs({ table }) {
  if (!table) return [];
  const now = here().screen;
  return SCREENS.filter((one) => one.tab && (!one.forHost || isHost())).map((one) => ({
    path: one.path.replace(":table", table),
    icon: one.tab.icon,
    label: t(one.tab.label),
    here: one === now,
  }));
}

/** What happened is read out once, politely. */
function announce() {
  const news = state.entries.filter((entry) => entry.id > heard);
  if (!news.length) return;
  const first = heard === 0;
  heard = state.entries.at(-1).id;
  if (first) return;
  const said = news.flatMap(aloud);
  live.textContent = said.join(" ");
  tell(said);
}

// A link from the server's operator makes this phone a host's, one from the host the table's camera; the token
// leaves the address at once.
function takeLink() {
  const [, table] = location.pathname.match(/^\/t\/([^/]+)/) ?? [];
  const [, role, token] = location.hash.match(/^#(host|camera)=([\w-]+)$/) ?? [];
  if (!table || !token) return;
  keepPlace(table, { [role]: token });
  history.replaceState(null, "", location.pathname);
}

// So does an organiser's link.
function takeOrganiserLink() {
  const [, id] = location.pathname.match(/^\/club\/([^/]+)$/) ?? [];
  const [, token] = location.hash.match(/^#organiser=([\w-]+)$/) ?? [];
  if (!id || !token) return;
  keepClub({ id, name: t("club.title"), token });
  history.replaceState(null, "", location.pathname);
}

async function changed() {
  takeLink();
  takeOrganiserLink();
  const { screen, params } = here();
  closeDialog();
  if (params.table && !place(params.table)) return go("/join", { replace: true });
  if (!params.table) {
    heard = 0;
    forgetMoments();
    leave();
  }
  if (location.pathname !== path) {
    path = location.pathname;
    await screen.enter?.(params);
    draw();
    scrollTo(0, 0);
    document.getElementById("main")?.focus({ preventScroll: true });
  }
  stayAwake(Boolean(params.table));
  if (params.table) await sitDown(params.table);
  draw();
}

// Without a server, and before anything was kept, there are no words yet: only a sign.
async function findWords() {
  for (;;) {
    try {
      const all = await languages();
      offer(all);
      return await speak(firstLanguage(all.map((one) => one.id)), false);
    } catch {
      shown = morph(shown, h("div", { class: "page centred" }, icon("offline")));
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function start() {
  dress();
  root.append(shown);
  await findWords();
  route(SCREENS, changed);
  watch(draw);
  addEventListener("pointerdown", wake);
  guardTaps();
  listen();
  await changed();
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("/worker.js");
}

start();
