// A table of several people: a host, friends with links, play, and a recorder that is killed meanwhile.

import assert from "node:assert/strict";
import { forgiving, openForm, person, suggested } from "./table.mjs";

/** Opens a room from the first page; returns its link. */
export async function room(host, origin, ruleSet, name, { takeBacks, clock, rounds } = {}) {
  await host.goto(`${origin}/`);
  await openForm(host, ruleSet);
  await host.fill("#setup .name", name);
  if (takeBacks) await host.selectOption("#take-backs", takeBacks);
  if (rounds) await host.selectOption("#length", `${rounds}`);
  if (clock) await host.selectOption("#clock", clock);
  await host.click("#begin-room");
  await host.waitForSelector("#guests-link");
  return host.inputValue("#guests-link");
}

/** Sits down against bots, in a game of the recorder's. */
export async function againstBots(page, origin, ruleSet, { name = "", rounds } = {}) {
  await page.goto(`${origin}/`);
  await openForm(page, ruleSet);
  await page.fill("#setup .name", name);
  if (rounds) await page.selectOption("#length", `${rounds}`);
  await page.click("#begin");
  await page.waitForSelector("#table");
}

export async function entered(page, link) {
  await page.goto(link);
  await page.waitForSelector("#room, #table");
}

/** Sits down on a chair, under a name. */
export async function seated(page, chair, name) {
  await page.fill("#own-name", name);
  await page.click(`[data-chair="${chair}"] button`);
  await page.waitForSelector("#ready");
}

/** The host opens a room, lets bots sit, and is ready; returns by name what the others need to come. */
export async function table(host, origin, ruleSet, names, bots, settings) {
  const link = await room(host, origin, ruleSet, names[0], settings);
  for (const at of bots) {
    await host.click(`[data-chair="${at}"] button`);
    await host.waitForSelector(`[data-chair="${at}"] button[aria-label^="No bot"]`);
  }
  await host.click("#ready");
  const others = names.map((name, chair) => [name, { link, chair, name }]).filter(([, { chair }]) => chair > 0 && !bots.includes(chair));
  return { ...Object.fromEntries(others), Spectators: { link } };
}

/** Comes to a table: sits down and is ready, or watches. The last one who is ready begins the game. */
export async function joined({ link, chair, name }, options) {
  const page = await person(options);
  await entered(page, link);
  if (name === undefined) return page;
  await seated(page, chair, name);
  await page.click("#ready");
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
