// Pages of `canasta-replay report`, opened as files: no network, the game of the log, links, and a slow phone.
//
//     node report.mjs CANASTA_REPLAY PAGES FOLDER_FOR_SCREENSHOTS

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [replay, pages, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
/** How much slower than this machine a phone is taken to be. */
const SLOWER = 4;
/** Longest time of an audit on such a phone, in milliseconds. */
const AUDIT_MS = 1000;

/** Opens a page of its own; whatever asks the network, or fails in the page, fails here. */
async function opened(url, settings = {}) {
  const context = await browser.newContext({ locale: "en-US", ...settings });
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || page.faults.push(request.url()));
  await page.goto(url);
  return page;
}

async function closed(page, name) {
  assert.deepEqual(page.faults, [], name);
  await page.context().close();
}

const url = (name) => pathToFileURL(resolve(join(pages, name))).href;
const json = (...args) => JSON.parse(spawnSync(replay, args, { maxBuffer: 2 ** 30 }).stdout.toString());
const names = readdirSync(pages).filter((name) => name.endsWith(".html"));
assert(names.length >= 6, `${names}`);

for (const name of names) {
  const log = join(pages, name.replace(".html", ".clog"));
  const [audited] = json("audit", "--live", log, "--format", "json").logs;
  const page = await opened(url(name), name.startsWith("hand") ? PHONE : {});
  await page.waitForSelector(".viewer");
  await page.click("[data-pane=verdict]");
  const verdict = await page.textContent("#pane-verdict");
  const isLawful = audited.verdict.startsWith("CLEAN");
  const said = await page.textContent("#pane-verdict .verdict");
  assert.equal(/lawful and complete/.test(said), isLawful && audited.result !== null, `${name}: ${said}`);
  assert(verdict.replace(/\D/g, " ").split(/\s+/).join("").includes(String(audited.records)), `${name}: ${verdict}`);
  await page.click("[data-pane=scores]");
  const scores = (await page.textContent("#pane-scores")).replaceAll(",", "");
  for (const total of audited.totals) assert(scores.includes(String(total)), `${name}: ${total} in ${scores}`);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert(width <= 0, `${name}: ${width} px too wide`);
  await page.screenshot({ path: join(folder, name.replace(".html", ".png")) });
  await closed(page, name);
}
console.log(`report: ${names.length} pages show what the tool says, and ask nobody`);

// A link opens in any page, its own game aside; a spoilt one opens no game.
const other = url(names.find((name) => name.startsWith("hoyle")));
const log = join(pages, "american-4p.clog");
const link = execFileSync(replay, ["link", log, "--page", other, "--round", "2"], { stdio: ["ignore", "pipe", "ignore"] }).toString().trim();
const page = await opened(link);
await page.waitForSelector(".viewer");
assert.match(await page.textContent("#top h1"), /American/);
await page.click("#share-open");
const shared = await page.inputValue("#share-link");
assert.equal(shared.replace(/&at=\d+$/, ""), link.replace(/&at=\d+$/, ""), "the page makes the link of the tool");
assert(await page.isVisible("svg.qr"));
await closed(page, "link");
const at = link.indexOf("#g=") + 3;
const end = link.indexOf("&at=");
for (const place of [at, at + 9, Math.floor((at + end) / 2), end - 1]) {
  const spoilt = link.slice(0, place) + (link[place] === "A" ? "B" : "A") + link.slice(place + 1);
  const page = await opened(spoilt);
  await page.waitForSelector("#problem");
  assert.equal(await page.locator(".viewer").count(), 0, `character ${place}`);
  await closed(page, "spoilt");
}
console.log(`report: a link of ${link.length - other.length} characters opens in another page, spoilt ones do not`);

// What happened, in words; the law comes from the page itself.
const asked = await opened(url("eventful.html"), { locale: "de-DE", colorScheme: "dark" });
await asked.waitForSelector(".viewer");
await asked.click("[data-pane=why]");
await asked.fill("#ask input", "Sie hat zwei Karten statt einer gezogen");
await asked.press("#ask input", "Enter");
await asked.waitForSelector("#ask [data-rule=IR-012]");
await closed(asked, "ask");

// The audit of a whole game, on a processor that is slowed down.
const slow = await opened(url("american-4p.html"), PHONE);
await slow.waitForSelector(".viewer");
const session = await slow.context().newCDPSession(slow);
await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
const ms = await slow.evaluate(async (log) => {
  const bytes = Uint8Array.from(atob(log), (char) => char.charCodeAt(0));
  const file = new DataTransfer();
  file.items.add(new File([bytes], "dropped.clog"));
  const began = performance.now();
  window.dispatchEvent(Object.assign(new DragEvent("drop", { dataTransfer: file, cancelable: true })));
  for (;;) {
    await new Promise((done) => setTimeout(done, 10));
    if (document.querySelector("[data-pane=verdict] [aria-hidden]") && document.querySelector("#top h1")?.textContent.includes("Classic")) break;
    if (performance.now() - began > 30_000) throw new Error("the dropped log is not shown");
  }
  return performance.now() - began;
}, readFileSync(join(pages, "classic-3p.clog")).toString("base64"));
await closed(slow, "slow");
console.log(`report: a dropped log is audited and drawn in ${Math.round(ms)} ms at a ${SLOWER}th of the speed`);
assert(ms <= 4 * AUDIT_MS, "drawing included, on a machine that may be busy");
await browser.close();
