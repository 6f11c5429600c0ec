// Plays in the page of docs/start/FIRST_PAGE.md in Chromium: draws, presses a place that is not allowed, takes hints for a few turns,
// reloads, and opens a situation.
//
//     node first_page.mjs RECORDER SITUATION

import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const [recorder, situation] = process.argv.slice(2);
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });
const page = await browser.newPage();
const faults = [];
page.on("pageerror", (error) => faults.push(error.message));
const choices = page.locator("#choices button");
const said = async (id) => (await page.textContent(`#${id}`)) ?? "";
const soon = async (what) => {
  for (let tries = 0; !(await what()); tries++) {
    assert.ok(tries < 100, `${what}: ${await page.textContent("body")}`);
    await page.waitForTimeout(100);
  }
};

await page.goto(`http://127.0.0.1:8000/?recorder=${recorder}`);
await choices.first().waitFor();
// Bots may have played before the page is there, and have melds.
assert.match(await said("table"), /^Round 1: .*You: 1\d cards.*You & Ben: .+, 0 points/);
await choices.first().click();
await soon(async () => /You drew/.test(await said("said")));
// One card is no meld: its place is grey, and says which rules.
await page.locator("#hand button").first().click();
await choices.filter({ hasText: "?" }).first().click();
await soon(async () => /\(CL-\d+\)/.test(await said("refusal")));
await page.locator("#hand button[aria-pressed=true]").click();
for (let turns = 0; turns < 12; turns++) {
  const hint = choices.filter({ hasText: "Hint" });
  await hint.waitFor();
  const before = await said("said");
  await hint.click();
  await soon(async () => (await said("said")) !== before);
}
const link = page.url();
await page.reload();
await choices.first().waitFor();
assert.equal(page.url(), link, "the same place after a reload");
const at = new URL(situation);
await page.goto("about:blank");
await page.goto(`${at.origin}/?recorder=${recorder}${at.hash}`);
await soon(async () => /say yes/.test(await said("choices")));
assert.deepEqual(faults, []);
console.log(`a page is played in, reloaded, and shows a question: ${await said("choices")}`);
await browser.close();
