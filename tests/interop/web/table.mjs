// What the suites of the table share: browsers, whole turns, axe, and the rules of the layout.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

export const DESKTOP = { width: 1440, height: 900 };
export const TABLET = { width: 1024, height: 768 };
export const PHONE = { width: 390, height: 844 };
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

/** Every page that is watched; each has its `complaints`. */
const pages = [];

/**
 * A browser of its own with one page. `settings` are those that the page keeps. Games of fixed words are those of bots of level 2,
 * whose rules of thumb do not change when weights are fitted anew.
 */
export async function person({ size = DESKTOP, scale = 1, scheme = "light", locale = "en-GB", settings = { pace: "once", guided: "done" }, touch = false, motion = "reduce" } = {}) {
  const context = await browser.newContext({ viewport: size, deviceScaleFactor: scale, colorScheme: scheme, locale, acceptDownloads: true, hasTouch: touch, reducedMotion: motion });
  await context.addInitScript((kept) => {
    for (const [name, value] of Object.entries(kept)) if (value !== null && localStorage.getItem(`canasta.set.${name}`) === null) localStorage.setItem(`canasta.set.${name}`, JSON.stringify(value));
  }, { level: "2", ...settings });
  await context.addInitScript(measure);
  return watched(await context.newPage());
}

/** Notes in a page what its browser measures: shifts of the layout by sessions as Chromium's CLS counts them, and the slowest input. */
function measure() {
  const found = { shift: 0, shifted: [], slowest: 0 };
  let [sum, first, last, rows] = [0, -Infinity, -Infinity, "1"];
  // Part of a shift that one element has: its area before and after, by the way that it moved, both of the window's.
  const partOf = ({ previousRect: a, currentRect: b }) => {
    const across = Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left));
    const down = Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
    const area = a.width * a.height + b.width * b.height - across * down;
    const way = Math.max(Math.abs(a.left - b.left), Math.abs(a.top - b.top));
    return (area / (innerWidth * innerHeight)) * (way / Math.max(innerWidth, innerHeight));
  };
  const listen = (options, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ buffered: true, ...options });
  listen({ type: "layout-shift" }, (each) => {
    // Melds make room for a card that somebody lays, a hand for one that is drawn, three players find their sides, a talon that
    // comes to a hand gives it another row: that is the game. The rest stays where it is.
    const isGame = ({ node }) => node === null || (node.parentElement ?? node).closest(".zones, #hand") !== null;
    const hasGrown = rows !== (rows = document.querySelector("#hand")?.style.getPropertyValue("--rows"));
    const value = Math.min(each.value, each.sources.filter((source) => !isGame(source)).reduce((all, source) => all + partOf(source), 0));
    if (each.hadRecentInput || hasGrown || value === 0) return;
    if (each.startTime - last > 1000 || each.startTime - first > 5000) [sum, first] = [0, each.startTime];
    [sum, last] = [sum + value, each.startTime];
    if (sum <= found.shift) return;
    [found.shift, found.shifted] = [sum, each.sources.map(({ node }) => (node?.id || node?.className?.baseVal || node?.className || `${node?.nodeName} ${node?.textContent} in ${node?.parentElement?.className}`))];
  });
  listen({ type: "event", durationThreshold: 16 }, ({ interactionId, duration }) => {
    if (interactionId > 0) found.slowest = Math.max(found.slowest, duration);
  });
  globalThis.measured = found;
}

/** Greatest shift of the layout that a page may have. */
const MOST_SHIFT = 0.02;

/** Nothing moved by itself while the page was played on. */
export async function still(page, name) {
  const { shift, shifted } = await page.evaluate(() => globalThis.measured);
  assert.ok(shift < MOST_SHIFT, `${name}: the layout shifts by ${shift.toFixed(4)}: ${shifted.join(", ")}`);
  return shift;
}

export function watched(page) {
  page.complaints = [];
  pages.push(page);
  page.on("console", (line) => ["error", "warning"].includes(line.type()) && page.complaints.push(line.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("response", (response) => response.status() >= 400 && page.complaints.push(`${response.status()} ${response.url()}`));
  return page;
}

/** Lets a server be away meanwhile: what the pages say about that is no complaint. */
export async function forgiving(pages, pattern, meanwhile) {
  const before = pages.map(({ complaints }) => complaints.length);
  await meanwhile();
  for (const [at, { complaints }] of pages.entries()) complaints.push(...complaints.splice(before[at]).filter((line) => !pattern.test(line)));
}

/** Opens the form of a game from the first page, where all games are behind a press. */
export async function openForm(page, ruleSet) {
  if ((await page.getAttribute("#all-games", "aria-expanded")) === "false") await page.click("#all-games");
  await page.click(`[data-set="${ruleSet}"]`);
}

/** The end of a round, and of a game. */
const ENDS = "#next-round, dialog.won";
/** A table that knows what may be done, or is at an end. */
const KNOWN = `#actions[aria-busy="false"], ${ENDS}`;

/** Whether a card may be drawn from the stock. */
export async function mayDraw(page) {
  await page.waitForSelector(KNOWN, { state: "attached" });
  return (await page.locator('[data-act="draw"]').count()) > 0;
}

/** The place where a round can be left, an own turn, or the end. */
export const WAITS = `[data-act="hint"], ${ENDS}`;

/** Waits until the table waits for us; returns "turn", "round" or "won". */
export async function ready(page, timeout = 60_000) {
  await page.waitForSelector(WAITS, { timeout });
  if ((await page.locator("dialog.won").count()) > 0) return "won";
  return (await page.locator("#next-round").count()) > 0 ? "round" : "turn";
}

/** Plays what is suggested; fails if that is refused. `look` is called while the cards are picked. */
export async function suggested(page, look) {
  await page.click('[data-act="hint"]');
  await page.waitForSelector('[data-act="hinted"]');
  await look?.();
  await page.click('[data-act="hinted"]');
  await page.waitForSelector('[data-act="hinted"]', { state: "detached" });
  await page.waitForSelector(KNOWN, { state: "attached" });
  assert.equal(await page.textContent("#refusal"), "", "a suggestion was refused");
}

export const hand = (page) => page.$$eval("#hand .card", (all) => all.map((card) => card.dataset.card));
export const picked = (page) => page.$$eval('#hand [aria-pressed="true"]', (all) => all.map((card) => card.dataset.card));

/** The tags of WCAG 2.1 A and AA. Of their rules axe leaves some out by default, such as that a name has what is seen. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];

/** No violation of any rule of axe. In a world of its own, since the page's policy keeps foreign scripts out. */
export async function accessible(page, name) {
  const client = await page.context().newCDPSession(page);
  const { frameTree } = await client.send("Page.getFrameTree");
  const { executionContextId } = await client.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  await client.send("Runtime.evaluate", { expression: AXE, contextId: executionContextId });
  const { result } = await client.send("Runtime.evaluate", {
    expression: `axe.run({ rules: Object.fromEntries(axe.getRules(${JSON.stringify(TAGS)}).map(({ ruleId }) => [ruleId, { enabled: true }])) })` +
      ".then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html.slice(0, 160), nodes[0].failureSummary])))",
    contextId: executionContextId, awaitPromise: true, returnByValue: true,
  });
  await client.detach();
  assert.equal(result.value, "[]", `axe: ${name}`);
}

/**
 * The faults of the layout: something scrolls that must not, overlaps, is outside, or is too small for a finger. Where there is
 * little room, melds may scroll in their place.
 */
export async function layout(page, name, isRoomy = true) {
  const faults = await page.evaluate((isRoomy) => {
    const found = [];
    const { scrollWidth, scrollHeight } = document.documentElement;
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.push(`the page is ${scrollWidth} x ${scrollHeight} in ${innerWidth} x ${innerHeight}`);
    const named = (element) => element.id || element.className || element.tagName;
    const inside = document.querySelector("#felt").getBoundingClientRect();
    // Where the felt scrolls, a part of it is seen.
    const seen = (element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      if (!element.closest("#felt")) return { left, right, top, bottom };
      return { left, right, top: Math.max(top, inside.top), bottom: Math.min(bottom, inside.bottom) };
    };
    const parts = [...document.querySelectorAll("#top, #felt .seat, #felt .zone, #felt .centre, #own, #bar, #guide, #beside")]
      .map((element) => [named(element), seen(element)]).filter(([, box]) => box.right > box.left && box.bottom > box.top);
    for (const [at, [name, a]] of parts.entries()) {
      if (a.left < -1 || a.top < -1 || a.right > innerWidth + 1 || a.bottom > innerHeight + 1) found.push(`${name} is outside`);
      for (const [other, b] of parts.slice(at + 1)) {
        const [across, down] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
        if (across > 1 && down > 1) found.push(`${name} overlaps ${other} by ${across.toFixed()} x ${down.toFixed()}`);
      }
    }
    for (const action of document.querySelectorAll("#actions button")) {
      const box = action.getBoundingClientRect();
      if (box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) found.push(`the action ${action.textContent} is out of reach`);
    }
    // Words are whole. Where there is little room, the news are not, and what names whole melds: their cards are seen.
    for (const said of document.querySelectorAll(`${isRoomy ? "#happened, " : ""}#turn, #actions button:not([data-act=hinted], .other), .zone h2 > :not(.threes)`)) {
      if (said.scrollWidth > said.clientWidth + 1 || said.scrollHeight > said.clientHeight + 3) found.push(`cut: ${said.textContent}`);
    }
    for (const part of document.querySelectorAll("#felt > *")) {
      const box = part.getBoundingClientRect();
      if (isRoomy && box.width > 0 && box.bottom > inside.bottom + 1) found.push(`${named(part)} is below the felt`);
    }
    // Every meld can be read: at once, or after scrolling where there is little room.
    const felt = document.querySelector("#felt");
    for (const meld of document.querySelectorAll("#felt .melds > li")) {
      if (!isRoomy) meld.scrollIntoView({ block: "nearest" });
      const [box, zone] = [meld.getBoundingClientRect(), meld.parentElement.getBoundingClientRect()];
      const [top, bottom] = [Math.max(box.top, zone.top, inside.top), Math.min(box.bottom, zone.bottom, inside.bottom)];
      const at = document.elementFromPoint((box.left + box.right) / 2, (top + bottom) / 2);
      if (bottom - top < Math.min(30, box.height * 0.9)) found.push(`a strip of ${(bottom - top).toFixed()} of a meld ${meld.dataset.cards ?? ""}`);
      else if (!at || !meld.contains(at)) found.push(`${named(at ?? felt)} lies over a meld ${meld.dataset.cards ?? ""}`);
    }
    felt.scrollTo(0, felt.scrollHeight);
    for (const control of document.querySelectorAll("#table button, #table summary, #table select")) {
      const box = control.getBoundingClientRect();
      if (box.width === 0 || control.closest("details:not([open]) .menu")) continue;
      if (box.width < 43.5 || box.height < 43.5) found.push(`${named(control)} is ${box.width.toFixed()} x ${box.height.toFixed()}`);
    }
    // What is seen of a card must be wide enough: the next one covers the rest.
    const cards = [...document.querySelectorAll("#hand .card")].map((card) => card.getBoundingClientRect());
    for (const [at, card] of cards.entries()) {
      const next = cards[at + 1];
      if (next && next.top === card.top && next.left - card.left < 43.5) found.push(`a strip of ${(next.left - card.left).toFixed()}`);
    }
    for (const melds of document.querySelectorAll(".melds")) if (isRoomy && melds.scrollHeight > melds.clientHeight + 1) found.push(`${melds.childElementCount} melds scroll`);
    return found;
  }, isRoomy);
  assert.deepEqual(faults, [], `layout: ${name}`);
}

/** Pictures go to this folder. */
export function pictures(folder) {
  mkdirSync(folder, { recursive: true });
  return (page, name) => page.screenshot({ path: `${folder}/${name}.png` });
}

/** Runs steps, some at a time, and says how long each took. `asked`: names of steps, or behind `-` those to leave out. */
export async function run(steps, asked = "-", atOnce = 2) {
  const isLeftOut = asked.startsWith("-");
  const named = asked.replace(/^-/, "").split(",");
  const waiting = Object.entries(steps).filter(([name]) => named.includes(name) !== isLeftOut);
  const worker = async () => {
    for (let next; (next = waiting.shift()); ) {
      const [name, step] = next;
      const begun = Date.now();
      await step().catch(async (error) => {
        console.error(`${name} has failed. What the open pages show and have complained of:`);
        for (const page of pages.filter((each) => !each.isClosed())) console.error(await page.innerText("body").catch(String), page.complaints);
        throw error;
      });
      console.log(`  ${name}: ${((Date.now() - begun) / 1000).toFixed()} s`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await done();
}

/** Ends; no page may have complained. */
export async function done() {
  await browser.close();
  assert.deepEqual(pages.flatMap(({ complaints }) => complaints), []);
}
