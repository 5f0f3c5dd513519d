// This phone as a camera: the lens, frames on their way, and when they are sent.

import { call, Problem } from "../api.js";
import { grey, HEIGHT, motionSense, WIDTH } from "./motion.js";

// The phone's camera: opened, and opened again whenever it stops giving pictures.

const WANTED = { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 720 } };
// A phone that was locked, or whose camera another program had, gives no pictures for this long.
const STALLED_MS = 3_000;
const LOOK_AFTER_MS = 1_000;

const TROUBLES = {
  NotAllowedError: "refused",
  SecurityError: "refused",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "taken",
  AbortError: "taken",
};

/**
 * A lens. `seen(video, time)` is called for each new picture, with the ms of `performance.now()` when it was
 * taken; `changed()` when `lens.phase` has: "off", "opening", "open", or why not: "refused", "missing", "taken",
 * "failed".
 */
export function lens(seen, changed) {
  const self = { phase: "off", stream: null, open, close, show };
  let video = null;
  let last = 0;
  let timer = null;
  let turn = 0;

  const say = (phase) => {
    self.phase = phase;
    changed();
  };

  async function open() {
    const mine = ++turn;
    drop();
    say("opening");
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: WANTED, audio: false });
    } catch (error) {
      last = performance.now();
      if (mine === turn) say(TROUBLES[error.name] ?? "failed");
      return;
    }
    if (mine !== turn) return stop(stream);
    self.stream = stream;
    last = performance.now();
    timer ??= setInterval(lookAfter, LOOK_AFTER_MS);
    say("open");
  }

  function close() {
    turn++;
    clearInterval(timer);
    timer = null;
    drop();
    say("off");
  }

  function drop() {
    if (self.stream) stop(self.stream);
    self.stream = null;
    if (video) video.srcObject = null;
  }

  /** Show the picture here from now on; the element is drawn anew when the screen is. */
  function show(element) {
    if (!element || !self.stream || element.srcObject === self.stream) return;
    video = element;
    video.srcObject = self.stream;
    video.play().catch(() => {});
    next(video, self.stream);
  }

  // Each picture once, where the browser says when there is one; else as often as is looked at any.
  function next(element, stream) {
    const on = () => element === video && stream === self.stream;
    const take = (now, about) => {
      if (!on()) return;
      next(element, stream);
      if (!element.videoWidth) return;
      last = performance.now();
      seen(element, about?.captureTime ?? last);
    };
    if (element.requestVideoFrameCallback) element.requestVideoFrameCallback(take);
    else setTimeout(take, 80);
  }

  // Back from a lock, the stream has ended or gives nothing: a new one is asked for.
  function lookAfter() {
    if (document.hidden) {
      last = performance.now();
      return;
    }
    // Another screen was gone to.
    if (video && !video.isConnected) return close();
    const ended = self.stream?.getVideoTracks().every((track) => track.readyState === "ended");
    const silent = performance.now() - last > STALLED_MS;
    if (["open", "taken"].includes(self.phase) && (ended || silent)) open();
    else if (video?.paused) video.play().catch(() => {});
  }

  return self;
}

const stop = (stream) => stream.getTracks().forEach((track) => track.stop());

// Frames on their way to the referee: in order, few at a time, and old ones dropped rather than sent late.

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
 * reads frames at the server just now), "other" (another phone is the camera) or "gone" (this phone is no camera of
 * the table any more). `takeOver`: be the camera in another phone's place.
 *
 * Args: `address()`: `{path, token, phone}` of the table's camera, and this phone's own name.
 */
function sender(address, takeOver, { answered, changed }) {
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
    if (over() || stopped) return;
    waiting.push(frame);
    if (waiting.length > MOST_WAITING) waiting.shift();
    run();
  }

  const over = () => ["gone", "other"].includes(self.link);

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
    if (stopped || over() || !waiting.length || underWay >= MOST_UNDER_WAY) return;
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
    const { path, token, phone } = address();
    const query = { captured: captured.toFixed(1), sent: lastStart.toFixed(1), still: String(!body), phone };
    if (takeOver) query.take_over = "true";
    if (pile) query.pile = pile.map((share) => share.toFixed(4)).join(",");
    try {
      const view = await call("POST", `${path}/frames`, { token, body, query, patience: PATIENCE_MS });
      self.bytes += body?.size ?? 0;
      takeOver = false;
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
    else if (error.kind === "conflict") tell("other");
    else if ([401, 403, 410].includes(error.status) || error.kind === "closed") tell("gone");
    else if (error.status === 429) hold(1_000 * error.retryAfter);
    else if (error.status >= 500 || error.status === 404) {
      hold(1_000 * error.retryAfter);
      tell("no-watcher");
    }
  }

  const hold = (ms) => (held = performance.now() + Math.min(ms, LONGEST_WAIT_MS));

  function tell(link) {
    if (self.link === link || over()) return;
    self.link = link;
    changed();
  }

  return self;
}

// This phone as a table's camera: it looks for movement itself, and sends pictures of it.

// How often movement is looked for, and how long after it pictures go on.
const LOOK_MS = 75;
const AFTER_MS = 1_500;
// At rest: a sign of life, so that the referee knows that nothing was missed.
const SIGN_MS = 400;
const LONGEST_SIDE = 1280;
const LARGEST = 512 * 1024;
const BEFORE_FIRST = { state: "starting", reason: null, pile: null, draw_pile: null, card: null, sure: false, busy: false, advice: [] };

/**
 * A watch over a table's pile. `address()` is `{path, token, phone}` of the camera; `changed()` is called whenever
 * there is something else to show.
 */
export function watch(address, changed) {
  const self = { view: BEFORE_FIRST, tapped: null, start, stop, size: null, pictures: 0, signs: 0 };
  const eye = lens(look, changed);
  const sense = motionSense();
  const small = canvas(WIDTH, HEIGHT);
  const large = canvas(0, 0);
  let out = null;
  let rate = 8;
  let pictureEvery = 2_000;
  let looked = 0;
  let moved = 0;
  let taken = 0;
  let next = 0;
  let signed = 0;
  let taking = Promise.resolve();
  let under = 0;

  function start({ takeOver = false } = {}) {
    out ??= sender(address, takeOver, { answered, changed });
    return eye.open();
  }

  function stop() {
    eye.close();
    out?.stop();
    out = null;
    self.view = BEFORE_FIRST;
    sense.forget();
  }

  function answered(view, { pile }) {
    const before = JSON.stringify(self.view);
    const { frames_per_second: most, picture_every_s: every, ...seen } = view;
    rate = Math.min(Math.max(most, 1), 12);
    pictureEvery = 1_000 * every;
    self.view = seen;
    // Where somebody tapped is said until the pile is there.
    if (pile && seen.pile && pile === self.tapped) self.tapped = null;
    if (JSON.stringify(seen) !== before) changed();
  }

  function look(video, time) {
    if (time - looked < LOOK_MS || !out) return;
    looked = time;
    if (video.videoWidth !== self.size?.width || video.videoHeight !== self.size.height) turned(video);
    small.pen.drawImage(video, 0, 0, WIDTH, HEIGHT);
    if (sense.look(grey(small.pen.getImageData(0, 0, WIDTH, HEIGHT).data))) moved = time;
    const moving = time - moved < AFTER_MS;
    const due = moving ? time >= next : time - taken >= pictureEvery;
    if (due && under < 2) picture(video, time);
    else if (!moving && out.idle() && time - Math.max(taken, signed) >= SIGN_MS) {
      signed = time;
      self.signs++;
      out.put({ captured: time, pile: self.tapped });
    }
  }

  // A phone that was turned shows everything elsewhere.
  function turned({ videoWidth: width, videoHeight: height }) {
    self.size = { width, height };
    sense.forget();
    changed();
  }

  function picture(video, time) {
    taken = time;
    // On the average no more than wanted, however the camera's own rhythm falls.
    next = Math.max(next, time - 1_000 / rate) + 1_000 / rate;
    sense.settle();
    const scale = Math.min(1, LONGEST_SIDE / Math.max(video.videoWidth, video.videoHeight));
    large.width = Math.round(video.videoWidth * scale);
    large.height = Math.round(video.videoHeight * scale);
    large.pen.drawImage(video, 0, 0, large.width, large.height);
    const made = new Promise((resolve) => large.toBlob(resolve, "image/jpeg", out.quality));
    const pile = self.tapped;
    under++;
    // One that is made sooner than the one before it waits for that.
    taking = Promise.all([made, taking]).then(([body]) => {
      under--;
      if (!body || !out) return;
      if (body.size > LARGEST) out.quality *= 0.85;
      else out.put({ captured: time, body, pile });
      self.pictures++;
    });
  }

  return Object.defineProperties(self, {
    phase: { get: () => eye.phase },
    link: { get: () => out?.link ?? "fine" },
    bytes: { get: () => out?.bytes ?? 0 },
    show: { value: eye.show },
  });
}

function canvas(width, height) {
  const made = document.createElement("canvas");
  made.width = width;
  made.height = height;
  made.pen = made.getContext("2d", { willReadFrequently: width > 0 });
  return made;
}
