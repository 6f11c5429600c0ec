// A table of several people: a host, friends with links, play, and a recorder that is killed meanwhile.

import assert from "node:assert/strict";
import { forgiving, person, suggested } from "./table.mjs";

/** The host creates a table; returns the links by name. */
export async function table(host, origin, ruleSet, names, bots, { takeBacks, clock, rounds } = {}) {
  await host.goto(`${origin}/`);
  await host.click(`[data-set="${ruleSet}"]`);
  const places = host.locator("#setup .place");
  for (const [at, name] of names.entries()) await places.nth(at).locator(".name").fill(name);
  for (const at of bots) await places.nth(at).locator(".check input").check();
  if (takeBacks) await host.selectOption("#take-backs", takeBacks);
  if (rounds) await host.selectOption("#length", `${rounds}`);
  if (clock) await host.selectOption("#clock", clock);
  await host.click("#begin");
  await host.waitForSelector("#table");
  if (bots.length === names.length - 1) return {};
  await host.waitForFunction((count) => [...document.querySelectorAll("#panel-links input")].filter((each) => each.value !== "").length === count, names.length - bots.length);
  const links = await host.$$eval("#panel-links input", (all) => all.map((each) => [each.dataset.link, each.value]));
  await host.keyboard.press("Escape");
  await host.waitForSelector("#panel-links", { state: "detached" });
  return Object.fromEntries(links);
}

export async function joined(link, options) {
  const page = await person(options);
  await page.goto(link);
  await page.waitForSelector("#felt");
  return page;
}

/** Whoever is to act plays what is suggested, until `enough`; the ends of rounds are left, unless they are what is waited for. */
export async function playAll(people, enough, { most = 400, leaves = true } = {}) {
  for (let moves = 0; moves < most; moves += 1) {
    if (await enough()) return moves;
    const state = async (page) => ((await page.locator("#next-round").count()) > 0 ? "round" : (await page.locator('[data-act="hint"]').count()) > 0 ? "turn" : "");
    for (const page of people) {
      const now = await state(page);
      if (now === "round" && leaves) await page.click("#next-round");
      else if (now === "turn") await suggested(page);
    }
    await people[0].waitForTimeout(30);
  }
  assert.fail("it never came to that");
}

/** Kills the recorder and starts it: every page says that it is away, and goes on by itself. */
export async function restarted(recorder, pages, away = () => undefined) {
  await forgiving(pages, /ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/, async () => {
    await recorder.kill();
    for (const page of pages) await page.waitForSelector("#away", { timeout: 20_000 });
    await away();
    await recorder.start();
    for (const page of pages) await page.waitForSelector("#away", { state: "detached", timeout: 20_000 });
  });
}
