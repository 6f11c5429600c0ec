// Opens the quick start's page in Chromium, and says what it says once its log is audited.
//
//     node first_game.mjs URL

import { chromium } from "playwright-core";

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });
const page = await browser.newPage();
page.on("pageerror", (error) => console.error(error.message));
await page.goto(process.argv[2]);
await page.waitForFunction(() => document.querySelector("pre").textContent.includes("audited"));
console.log(await page.textContent("pre"));
const [download] = await Promise.all([page.waitForEvent("download"), page.click("a")]);
console.log(`saved ${download.suggestedFilename()}`);
await browser.close();
