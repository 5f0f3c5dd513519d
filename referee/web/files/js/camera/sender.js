// Frames on their way to the referee: in order, few at a time, and old ones dropped rather than sent late.

import { call, Problem } from "../api.js";

const MOST_WAITING = 20;
const MOST_UNDER_WAY = 2;
// A second one under way starts a little later: two at once might overtake each other.
const APART_MS = 60;
const PATIENCE_MS = 8_000;
const TOO_OLD_MS = 5_000;
const RETRY_MS = 1_000;
const SMALLER = 0.85;
// However long a server asks to be left alone: it may be another one by then.
const LONGEST_WAIT_MS = 10_000;

/**
 * A sender. `answered(view)` is called with each answer. `sender.link` is "fine", "offline", "no-watcher" (nobody
 * reads frames at the server just now) or "gone" (this phone is no camera of the table any more).
 *
 * Args: `address()`: `{path, token}` of the table's camera.
 */
export function sender(address, { answered, changed }) {
  const self = { link: "fine", quality: 0.8, put, stop, idle: () => !waiting.length && !underWay, bytes: 0 };
  let waiting = [];
  let underWay = 0;
  let lastStart = 0;
  let held = 0;
  let timer = null;
  let stopped = false;
  addEventListener("online", resume);

  /** Send a frame: `{captured, body, pile}`; without a body, that nothing has changed. */
  function put(frame) {
    if (self.link === "gone" || stopped) return;
    waiting.push(frame);
    if (waiting.length > MOST_WAITING) waiting.shift();
    run();
  }

  function stop() {
    stopped = true;
    waiting = [];
    clearTimeout(timer);
    removeEventListener("online", resume);
  }

  function resume() {
    held = 0;
    run();
  }

  function run() {
    clearTimeout(timer);
    const now = performance.now();
    waiting = waiting.filter(({ captured }) => now - captured < TOO_OLD_MS);
    if (stopped || !waiting.length || underWay >= MOST_UNDER_WAY) return;
    // After trouble one is sent to try; the others follow when it has arrived.
    if (underWay && self.link !== "fine") return;
    const wait = Math.max(held - now, underWay ? lastStart + APART_MS - now : 0);
    if (wait > 0) timer = setTimeout(run, wait);
    else post(waiting.shift()).then(run);
    if (wait <= 0) run();
  }

  async function post({ captured, body, pile }) {
    underWay++;
    lastStart = performance.now();
    const { path, token } = address();
    const query = { captured: captured.toFixed(1), sent: lastStart.toFixed(1), still: String(!body) };
    if (pile) query.pile = pile.map((share) => share.toFixed(4)).join(",");
    try {
      const view = await call("POST", `${path}/frames`, { token, body, query, patience: PATIENCE_MS });
      self.bytes += body?.size ?? 0;
      tell("fine");
      if (!stopped) answered(view, { pile });
    } catch (error) {
      trouble(error);
    }
    underWay--;
  }

  function trouble(error) {
    if (!(error instanceof Problem)) {
      hold(RETRY_MS);
      return tell("offline");
    }
    if (error.status === 413) self.quality *= SMALLER;
    else if ([401, 403, 410].includes(error.status) || error.kind === "closed") tell("gone");
    else if (error.status === 429) hold(1_000 * error.retryAfter);
    else if (error.status >= 500 || error.status === 404) {
      hold(1_000 * error.retryAfter);
      tell("no-watcher");
    }
  }

  const hold = (ms) => (held = performance.now() + Math.min(ms, LONGEST_WAIT_MS));

  function tell(link) {
    if (self.link === link || self.link === "gone") return;
    self.link = link;
    changed();
  }

  return self;
}
