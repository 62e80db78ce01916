// Keeps one page for the time when the server cannot be reached. Everything else goes to the server.

const [CACHE, PAGE] = ["offline-1", "/offline.html"];

self.addEventListener("install", (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.add(PAGE))));

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  event.respondWith(fetch(event.request).catch(() => caches.match(PAGE)));
});
