// The referee's voice: what happens is said aloud in the page's language, once, where somebody switched it on.

import { read, write } from "./kept.js";
import { language, t } from "./texts.js";

const TAGS = { no: "nb", en: "en-GB", pt: "pt-BR" };
// Of what waits to be said, so much is kept: old news must not hold up new ones.
const MOST_WAITING = 6;
let last = [];
let waiting = 0;

const synthesis = () => globalThis.speechSynthesis;

/** Whether this browser can speak at all. */
export const canSpeak = () => Boolean(synthesis() && globalThis.SpeechSynthesisUtterance);

/** Whether the voice is on. */
export const isSpeaking = () => canSpeak() && read("voice", false);

/** The voice for the language, null if the phone has none; undefined while voices are not known yet. */
export function voice() {
  const all = synthesis()?.getVoices() ?? [];
  if (!all.length) return undefined;
  const wanted = language() === "no" ? ["nb", "no", "nn"] : [language()];
  return wanted.flatMap((one) => all.filter(({ lang }) => lang.split(/[-_]/)[0].toLowerCase() === one))[0] ?? null;
}

/** Switch the voice on, which it says, or off at once. */
export function setSpeaking(on) {
  write("voice", on);
  if (on) say([t("voice.on")]);
  else hush();
}

/** Say nothing more. */
export function hush() {
  waiting = 0;
  synthesis()?.cancel();
}

/** Say what has happened; `again` repeats it. */
export function tell(sentences) {
  const news = sentences.filter(Boolean);
  if (!news.length) return;
  last = news;
  if (waiting > MOST_WAITING) hush();
  say(news);
}

/** Say at once what somebody asks for or touches, and drop what was being said. */
export function answer(...sentences) {
  if (!isSpeaking()) return;
  hush();
  say(sentences.filter(Boolean));
}

/** Say once more what was said last. */
export const again = () => answer(...last);

// Sentence by sentence: some browsers stop in the middle of a long text.
function say(sentences) {
  if (!isSpeaking()) return;
  const found = voice();
  for (const sentence of sentences.flatMap((one) => one.split(/(?<=[.!?])\s+/))) {
    const spoken = new SpeechSynthesisUtterance(sentence);
    spoken.lang = found?.lang ?? TAGS[language()] ?? language();
    if (found) spoken.voice = found;
    spoken.onend = spoken.onerror = () => (waiting = Math.max(0, waiting - 1));
    waiting += 1;
    synthesis().speak(spoken);
  }
}

// Some browsers go on speaking after the page has gone.
addEventListener("pagehide", hush);
