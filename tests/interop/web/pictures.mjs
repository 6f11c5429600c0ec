// Makes the pictures of the documentation.
//
//     node pictures.mjs ORIGIN FOLDER_WITH_DEMO FOLDER_FOR_PICTURES

import { readFileSync } from "node:fs";
import { browser, done, mayDraw, openForm, person, PHONE, ready, suggested } from "./table.mjs";

const [origin, demo, folder] = process.argv.slice(2);
const SIZE = { width: 1200, height: 750 };

/** A table in the middle of a round, always the same one. */
async function table(name, size, options) {
  const page = await person({ size, ...options, settings: { pace: "once", guided: "done", name: "Ann" } });
  await page.goto(`${origin}/`);
  await openForm(page, "classic-4p");
  await page.fill("#word", "heron");
  await page.click("#begin");
  // Far enough into the round that there is something to see.
  const melds = () => page.locator(".zone.own .meld").count();
  while ((await ready(page)) === "turn" && ((await melds()) < 3 || (await mayDraw(page)))) await suggested(page);
  await ready(page);
  await page.click("#hand .card >> nth=0", { position: { x: 14, y: 20 } });
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.context().close();
}

/** The table with the panel that shows what it asks. */
async function calls() {
  const page = await person({ size: SIZE });
  await page.goto(`${origin}/`);
  await openForm(page, "classic-4p");
  await page.fill("#word", "heron");
  await page.click("#begin");
  for (let turns = 0; turns < 8 && (await ready(page)) === "turn"; turns += 1) await suggested(page);
  await ready(page);
  await page.click("#menu summary");
  await page.click("#open-calls");
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${folder}/calls.png` });
  await page.context().close();
}

async function report() {
  const page = await (await browser.newContext({ viewport: SIZE })).newPage();
  await page.goto(`file://${demo}/report.html`);
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${folder}/report.png` });
}

async function terminal() {
  const page = await (await browser.newContext({ viewport: SIZE })).newPage();
  const text = readFileSync(`${demo}/demo.txt`, "utf8").split("\n");
  const shown = [...text.slice(0, 16), "      ...", ...text.slice(-14)].join("\n");
  await page.setContent(`<body style="margin:0;background:#14181b"><pre style="margin:0;padding:24px;color:#e6e2d6;font:15px/1.45 'DejaVu Sans Mono',monospace;white-space:pre-wrap"></pre></body>`);
  await page.evaluate((shown) => (document.querySelector("pre").textContent = shown), `$ cargo run --release --example demo\n${shown}`);
  await page.screenshot({ path: `${folder}/terminal.png` });
}

await table("table", SIZE, {});
await table("phone", PHONE, { scheme: "dark" });
await calls();
await report();
await terminal();
await done();
