// How quick a page is, measured so that other work on the machine does not matter: the page's own work by the clock of its
// main thread, which stands still while others use the processor, and a slow network by what goes over it.

import assert from "node:assert/strict";

/** A network far away: the delay of each request, and what goes through in a millisecond (1.6 Mbit/s). */
const [LATENCY_MS, BYTES_PER_MS] = [400, 200];

/** Starts to measure a page; returns a function that tells the work of its main thread so far, in milliseconds. */
export async function worked(page) {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  };
}

/** Waits until two more pictures are drawn: the first shows what has just changed, the second what that has caused. */
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))));

/**
 * Puts a page far away. Returns a function that tells what was loaded until now: requests, how many of them waited for one
 * another, bytes, and the least time that takes there, with the work of the page's own.
 */
export async function farAway(page) {
  const client = await page.context().newCDPSession(page);
  const requests = new Map();
  client.on("Network.requestWillBeSent", ({ requestId, timestamp }) => requests.set(requestId, { began: timestamp, ended: Infinity, bytes: 0 }));
  client.on("Network.responseReceived", ({ requestId, timestamp }) => Object.assign(requests.get(requestId) ?? {}, { ended: timestamp }));
  client.on("Network.dataReceived", ({ requestId, encodedDataLength }) => requests.has(requestId) && (requests.get(requestId).bytes += encodedDataLength));
  client.on("Network.loadingFinished", ({ requestId, timestamp, encodedDataLength }) => Object.assign(requests.get(requestId) ?? {}, { ended: timestamp, bytes: encodedDataLength }));
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", {
    offline: false, latency: LATENCY_MS, downloadThroughput: 1000 * BYTES_PER_MS, uploadThroughput: 1000 * BYTES_PER_MS,
  });
  const work = await worked(page);
  return async () => {
    const all = [...requests.values()].sort((a, b) => a.began - b.began);
    for (const each of all) each.turn = 1 + Math.max(0, ...all.filter(({ ended }) => ended <= each.began).map(({ turn }) => turn ?? 0));
    const turns = Math.max(...all.map(({ turn }) => turn));
    const bytes = all.reduce((sum, each) => sum + each.bytes, 0);
    const busy = await work();
    assert.ok(turns > 0 && bytes > 0 && busy > 0);
    return { requests: all.length, turns, bytes, busy, ms: turns * LATENCY_MS + bytes / BYTES_PER_MS + busy };
  };
}
