// Keeps the page's files on the phone, so that it opens without a network. What the server knows is
// never kept: only the files that stand here, and the texts in the last languages used.

const FILES = "{{files}}";
const SHELL = "/";
const TEXTS = /^\/api\/v1\/(languages|rulesets)(\/|$)/;
const CACHE = "page-" + hash(JSON.stringify(FILES));
const WORDS = "words";

function hash(text) {
  let value = 0;
  for (const letter of text) value = (value * 31 + letter.codePointAt(0)) >>> 0;
  return value.toString(36);
}

async function keep() {
  const cache = await caches.open(CACHE);
  // The page has just read most files; their addresses change with them.
  await cache.addAll([new Request(SHELL, { cache: "no-cache" }), ...FILES]);
  await self.skipWaiting();
}

async function forget() {
  const names = await caches.keys();
  const old = names.filter((name) => name !== CACHE && name !== WORDS);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function kept(path, request) {
  const found = await caches.match(path, { cacheName: CACHE });
  return found ?? fetch(request);
}

// Words change with the server, so they are asked for first; the page has put by what it read.
async function freshOrKept(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(request, { cacheName: WORDS, ignoreVary: true });
    if (found) return found;
    throw error;
  }
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forget()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (!url.pathname.startsWith("/docs")) event.respondWith(kept(SHELL, request));
  } else if (FILES.includes(url.pathname)) {
    event.respondWith(kept(url.pathname, request));
  } else if (TEXTS.test(url.pathname) && url.searchParams.has("lang")) {
    event.respondWith(freshOrKept(request));
  }
});
