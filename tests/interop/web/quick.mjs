// What a player's machine may be: a zoom of 200 %, letters twice as large, a slow network; and how quick the table answers.
//
//     node quick.mjs ORIGIN CANASTA_RECORDER FOLDER_FOR_DATA FOLDER_FOR_SCREENSHOTS [STEP,...]

import assert from "node:assert/strict";
import { Recorder } from "./recorder.mjs";
import { table } from "./room.mjs";
import { accessible, DESKTOP, done, interaction, layout, person, PHONE, pictures, ready, still, suggested } from "./table.mjs";

const [origin, program, data, folder, only] = process.argv.slice(2);
const shot = pictures(folder);
/** A desk's window at a zoom of 200 %: half as many units across and down, each of four pixels. */
const ZOOMED = { width: DESKTOP.width / 2, height: DESKTOP.height / 2 };
const LANDSCAPE = { width: PHONE.height, height: PHONE.width };

async function sitDown(page, ruleSet) {
  await page.goto(`${origin}/`);
  await page.click(`[data-set="${ruleSet}"]`);
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
    for (let turns = 0; turns < 14 && (await ready(page)) === "turn"; turns += 1) {
      if (turns === 8) await shot(page, `${name}-${ruleSet}`);
      await layout(page, `${ruleSet}, ${name}, turn ${turns}`, false);
      await suggested(page, () => layout(page, `${ruleSet}, ${name}, turn ${turns}, picked`, false));
    }
    await accessible(page, `${ruleSet}, ${name}`);
    await page.context().close();
  }
  console.log(`${name}: ${ruleSets.join(", ")} without scrolling, axe 0`);
}

const ENLARGED = ["classic-4p", "samba-4p", "hoyle-2p", "wahhi-6p", "classic-3p"];
const zoom = () => small("zoom", ENLARGED, { size: ZOOMED, scale: 2 });
const landscape = () => small("landscape", ["classic-4p", "hand-and-foot-4p"], { size: LANDSCAPE, touch: true });
/** Letters twice as large, as browsers do it that enlarge text alone. Six seats need more room then than the window has. */
const letters = () => small("letters", ENLARGED.filter((ruleSet) => ruleSet !== "wahhi-6p"), { size: DESKTOP }, (page) => page.evaluate(() => { document.documentElement.style.fontSize = "200%"; }));

/** Taps on cards and places are answered at once. Other work on the machine only ever adds to a time, so the best of three counts. */
async function answers() {
  const tries = [];
  while (tries.length < 3 && !tries.some(({ isQuick }) => isQuick)) {
    const page = await person({ size: PHONE, settings: { pace: "brisk", guided: "done" }, motion: "no-preference" });
    await sitDown(page, "hand-and-foot-4p");
    for (let turns = 0; turns < 8 && (await ready(page)) === "turn"; turns += 1) {
      const cards = page.locator("#hand .card");
      for (let taps = 0; taps < 4; taps += 1) await cards.nth(taps % 2).click({ position: { x: 14, y: 20 } });
      await suggested(page);
    }
    await still(page, "a phone with cards that fly");
    tries.push(await interaction(page));
    await page.context().close();
  }
  const best = tries.sort((a, b) => a.ms - b.ms)[0];
  assert.ok(best.isQuick && best.count > 30, JSON.stringify(tries));
  console.log(`answers: ${best.ms} ms at most from an input to its picture, ${best.count} inputs`);
}

/** A link opened far away: the first action can be pressed within 4 s of an empty cache. */
async function far() {
  const recorder = await new Recorder(program, data).start();
  const host = await person();
  const links = await table(host, recorder.origin, "classic-2p", ["Ann", "Ben"], []);
  // Whoever's turn it is not sees the table; the action is of whoever's turn it is.
  await host.waitForFunction(() => document.querySelector('[data-act="hint"]') ?? /Ben/.test(document.querySelector("#turn").textContent));
  if ((await host.locator('[data-act="hint"]').count()) > 0) {
    for (let moves = 0; moves < 30 && (await host.locator('[data-act="hint"]').count()) > 0; moves += 1) await suggested(host);
    await host.waitForFunction(() => /Ben/.test(document.querySelector("#turn").textContent));
  }
  const page = await person({ size: PHONE });
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", { offline: false, latency: 400, downloadThroughput: 200_000, uploadThroughput: 200_000 });
  const begun = Date.now();
  await page.goto(links.Ben);
  await page.waitForSelector('[data-act="draw"]');
  const ms = Date.now() - begun;
  assert.ok(ms < 4000, `${ms} ms from a link to the first action, at 400 ms and 1.6 Mbit/s`);
  await still(page, "a table opened far away");
  await shot(page, "far-phone");
  for (const each of [page, host]) await each.context().close();
  await recorder.kill();
  console.log(`far: ${ms} ms from a link to the first action`);
}

const steps = { zoom, landscape, letters, answers, far };
for (const [name, step] of Object.entries(steps)) if (!only || only.split(",").includes(name)) await step();
await done();
