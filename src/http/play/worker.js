// The service worker: caches the page and its files, so that it opens at once, and also when the service is unreachable.

const KEPT = "cublino-{digest}";

async function keep() {
  const cache = await caches.open(KEPT);
  await cache.addAll(["./", ...`{files}`.split(" ")]);
  await skipWaiting();
}

/** Deletes the caches of older versions of the page. Other pages of the same origin have caches of their own. */
async function clean() {
  const names = await caches.keys();
  const isOld = (name) => name.startsWith("cublino-") && name !== KEPT;
  await Promise.all(names.filter(isOld).map((name) => caches.delete(name)));
  await clients.claim();
}

/** The page itself is fetched first, because it may have changed; its files never change. */
async function answer(request) {
  if (request.mode === "navigate") return fetch(request).catch(() => caches.match("./"));
  return (await caches.match(request)) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(clean()));
addEventListener("fetch", (event) => {
  const isOurs = event.request.url.startsWith(registration.scope);
  if (event.request.method === "GET" && isOurs) event.respondWith(answer(event.request));
});
