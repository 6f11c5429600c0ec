// The service worker: keeps the page and the engine of this release, so that a game against bots needs no network after the
// first load. Answers of services are never kept. build.mjs fills in the digests.

const FILES = {};
const NAME = `canasta-${Object.values(FILES).join("").slice(0, 64)}`;
/** Time for the server to answer before what is kept is taken, in milliseconds. */
const PATIENCE_MS = 3000;

/** Gets a file of this release; whatever else stands under its name is refused, so that releases are never mixed. */
async function get([path, wanted]) {
  const answer = await fetch(path, { cache: "no-cache" });
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.clone().arrayBuffer()));
  const found = btoa(String.fromCharCode(...digest)).slice(0, wanted.length);
  if (found !== wanted) throw new Error(`${path}: expected ${wanted}, found ${found}`);
  await (await caches.open(NAME)).put(path, answer);
}

async function answer(request, path) {
  const kept = caches.open(NAME).then((cache) => cache.match(path));
  const late = new Promise((done) => setTimeout(done, PATIENCE_MS));
  const live = fetch(request);
  const first = await Promise.race([live.then((found) => (found.status < 500 ? found : undefined), () => undefined), late]);
  return first ?? (await kept) ?? live;
}

addEventListener("install", (event) => event.waitUntil(Promise.all(Object.entries(FILES).map(get)).then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(
  caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith("canasta-") && name !== NAME).map((name) => caches.delete(name)))).then(() => clients.claim()),
));
addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method === "GET" && origin === location.origin && pathname in FILES) event.respondWith(answer(event.request, pathname));
});
// A notification that is pressed brings the table back.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(clients.matchAll({ type: "window", includeUncontrolled: true }).then(([first]) => first?.focus()));
});
