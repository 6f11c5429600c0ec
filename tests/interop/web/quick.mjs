// What a player's machine may be: a zoom of 200 %, letters twice as large, a slow network; and how quick the table answers.
//
//     node quick.mjs ORIGIN CANASTA_RECORDER FOLDER_FOR_DATA FOLDER_FOR_SCREENSHOTS [STEP,...]

import assert from "node:assert/strict";
import { Recorder } from "./recorder.mjs";
import { joined, table } from "./room.mjs";
import { drawn, farAway, worked } from "./speed.mjs";
import { accessible, DESKTOP, layout, openForm, person, PHONE, pictures, ready, run, still, suggested } from "./table.mjs";

const [origin, program, data, folder, only] = process.argv.slice(2);
const shot = pictures(folder);
/** A desk's window at a zoom of 200 %: half as many units across and down, each of four pixels. */
const ZOOMED = { width: DESKTOP.width / 2, height: DESKTOP.height / 2 };
/** Most work for a tap, in milliseconds. */
const MOST_MS = 100;
const LANDSCAPE = { width: PHONE.height, height: PHONE.width };

async function sitDown(page, ruleSet) {
  await page.goto(`${origin}/`);
  await openForm(page, ruleSet);
  await page.check('#setup [name="seat"] >> nth=1');
  await page.fill("#word", "stork");
  await page.click("#begin");
  await page.waitForSelector("#table");
  await ready(page);
}

/** Every phase of a turn in a window that has little room. */
async function small(name, ruleSets, options, enlarge = () => undefined) {
  for (const ruleSet of ruleSets) {
    const page = await person(options);
    await sitDown(page, ruleSet);
    await enlarge(page);
    for (let turns = 0; turns < 10 && (await ready(page)) === "turn"; turns += 1) {
      if (turns === 8) await shot(page, `${name}-${ruleSet}`);
      await layout(page, `${ruleSet}, ${name}, turn ${turns}`, false);
      await suggested(page, () => layout(page, `${ruleSet}, ${name}, turn ${turns}, picked`, false));
    }
    // What axe looks at differs by size, hardly by rule set.
    if (ruleSet === ruleSets[0]) await accessible(page, `${ruleSet}, ${name}`);
    await page.context().close();
  }
  console.log(`${name}: ${ruleSets.join(", ")} without scrolling, axe 0`);
}

const ENLARGED = ["classic-4p", "samba-4p", "hoyle-2p", "wahhi-6p", "classic-3p"];
const zoom = () => small("zoom", ENLARGED, { size: ZOOMED, scale: 2 });
const landscape = () => small("landscape", ["classic-4p", "hand-and-foot-4p"], { size: LANDSCAPE, touch: true });
/** Letters twice as large, as browsers do it that enlarge text alone. */
const enlarged = (page) => page.evaluate(() => { document.documentElement.style.fontSize = "200%"; });
const letters = () => small("letters", ENLARGED, { size: DESKTOP }, enlarged);
const phoneLetters = () => small("letters on a phone", ENLARGED, { size: PHONE, touch: true }, enlarged);

/** Taps on cards and places cost little work, and what they pick is seen before the service has answered. */
async function answers() {
  const page = await person({ size: PHONE, settings: { pace: "brisk", guided: "done" }, motion: "no-preference" });
  await sitDown(page, "hand-and-foot-4p");
  const work = await worked(page);
  const costs = [];
  const costOf = async (input) => {
    await drawn(page);
    const before = await work();
    await input();
    await drawn(page);
    costs.push((await work()) - before);
  };
  const cards = page.locator("#hand .card");
  for (let turns = 0; turns < 8 && (await ready(page)) === "turn"; turns += 1) {
    for (let taps = 0; taps < 4; taps += 1) await costOf(() => cards.nth(taps % 2).click({ position: { x: 14, y: 20 } }));
    await suggested(page);
  }
  await still(page, "a phone with cards that fly");
  const clock = await page.evaluate(() => globalThis.measured.slowest);
  assert.equal(await ready(page), "turn");
  let answer = () => undefined;
  await page.route("**/Options", (route) => (answer = () => route.continue()));
  await cards.first().click({ position: { x: 14, y: 20 } });
  await page.waitForSelector('#hand [aria-pressed="true"]');
  await page.unroute("**/Options", { behavior: "ignoreErrors" });
  answer();
  await page.context().close();
  // Of ten taps the slowest is left out: memory is cleared now and then.
  const most = costs.sort((a, b) => b - a)[Math.floor(costs.length / 10)];
  assert.ok(costs.length > 24 && most < MOST_MS, `${most} ms of work for a tap`);
  console.log(`answers: ${most.toFixed()} ms of work for a tap, ${costs[0].toFixed()} for the slowest of ${costs.length}; ${clock} ms by the clock`);
}

/** A link opened far away: the first action can be pressed within 4 s of an empty cache. */
async function far() {
  const recorder = await new Recorder(program, data).start();
  const host = await person();
  const links = await table(host, recorder.origin, "classic-2p", ["Ann", "Ben"], []);
  // Ben has sat down at home, and goes on far away, on another device.
  const home = await joined(links.Ben);
  await home.waitForSelector("#hand .card");
  await home.click("#open-room");
  await home.click("#own-device > summary");
  const link = await home.inputValue("#own-link");
  await home.context().close();
  // Whoever's turn it is not sees the table; the action is of whoever's turn it is.
  await host.waitForFunction(() => document.querySelector('[data-act="hint"]') ?? /Ben/.test(document.querySelector("#turn").textContent));
  if ((await host.locator('[data-act="hint"]').count()) > 0) {
    for (let moves = 0; moves < 30 && (await host.locator('[data-act="hint"]').count()) > 0; moves += 1) await suggested(host);
    await host.waitForFunction(() => /Ben/.test(document.querySelector("#turn").textContent));
  }
  const page = await person({ size: PHONE });
  const loaded = await farAway(page);
  const begun = Date.now();
  await page.goto(link);
  await page.waitForSelector('[data-act="draw"]');
  const [clock, { ms, turns, busy }] = [Date.now() - begun, await loaded()];
  assert.ok(ms < 4000, `${ms} ms from a link to the first action, at 400 ms and 1.6 Mbit/s`);
  await still(page, "a table opened far away");
  await shot(page, "far-phone");
  for (const each of [page, host]) await each.context().close();
  await recorder.kill();
  console.log(`far: ${ms.toFixed()} ms from a link to the first action, ${turns} requests one after another, ${busy.toFixed()} ms of work; ${clock} ms by the clock`);
}

await run({ zoom, landscape, letters, phoneLetters, answers, far }, only);
