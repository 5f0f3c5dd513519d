// The phone's camera: opened, and opened again whenever it stops giving pictures.

const WANTED = { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 720 } };
// A phone that was locked, or whose camera another program had, gives no pictures for this long.
const STALLED_MS = 3_000;
const LOOK_AFTER_MS = 1_000;

const TROUBLES = { NotAllowedError: "refused", SecurityError: "refused", NotFoundError: "missing", OverconstrainedError: "missing" };

/**
 * A lens. `seen(video, time)` is called for each new picture, with the ms of `performance.now()` when it was
 * taken; `changed()` when `lens.phase` has: "off", "opening", "open", or why not: "refused", "missing", "taken".
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
      if (mine === turn) say(TROUBLES[error.name] ?? "taken");
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
