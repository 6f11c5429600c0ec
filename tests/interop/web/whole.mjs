// Whole games on the recorder, at desktop and phone size: four browsers at one table, with nothing but links; the recorder is
// killed and started in between. In every turn nothing has to be scrolled; nothing moves by itself; no page complains.
//
//     node whole.mjs CANASTA_RECORDER FOLDER_FOR_DATA FOLDER_FOR_SCREENSHOTS ROUNDS [RULE_SET...]
//
// ROUNDS: the length of each game; 0 is the length that the rule set has.

import assert from "node:assert/strict";
import { Recorder } from "./recorder.mjs";
import { joined, restarted, table } from "./room.mjs";
import { accessible, DESKTOP, hand, layout, person, PHONE, pictures, run, still, suggested } from "./table.mjs";

const [program, data, folder, rounds, ...asked] = process.argv.slice(2);
const shot = pictures(folder);
/** Players by rule set. */
const GAMES = { "classic-4p": 4, "american-4p": 4, "hoyle-2p": 2, "samba-4p": 4, "hand-and-foot-4p": 4, "classic-3p": 3 };
const NAMES = ["Ann", "Ben", "Cleo", "Dan"];
/** The browsers of those who have a link: who has no seat watches. */
const BROWSERS = [
  { size: PHONE, scheme: "dark", touch: true }, { size: DESKTOP, scheme: "dark", locale: "de-DE" }, { size: PHONE, locale: "de-DE" },
];
/** More turns than a game can need, and the turn before which the recorder is killed. */
const [MOST, KILLED] = [20_000, 25];

/** Says what a page waits for: "turn", "round", "won", or nothing. */
const waiting = (page) => page.evaluate(() => document.querySelector("dialog.won") ? "won" : document.querySelector("#next-round") ? "round" : document.querySelector('[data-act="hint"]') ? "turn" : "");

/** A turn: everything that it needs is in the window, before and after cards are picked. */
async function turn(page, name) {
  await layout(page, name);
  await suggested(page, () => layout(page, `${name}, picked`));
}

async function game(ruleSet) {
  const recorder = await new Recorder(program, `${data}-${ruleSet}`).start();
  const host = await person();
  const names = NAMES.slice(0, GAMES[ruleSet]);
  const links = await table(host, recorder.origin, ruleSet, names, [], { rounds: Number(rounds) });
  const others = BROWSERS.map((browser, at) => joined(links[names[at + 1]] ?? links.Spectators, browser));
  const pages = [host, ...(await Promise.all(others))];
  const players = pages.slice(0, names.length);
  // The limit of shifts is one of games: people come and go in the room before.
  for (const page of pages) {
    await page.waitForSelector("#felt");
    await page.evaluate(() => (globalThis.measured.shift = 0));
  }
  let [moves, sheets, phone] = [0, 0, 0];
  for (let won = 0; won < pages.length; ) {
    assert.ok(moves < MOST, "a game ends");
    won = 0;
    for (const [at, page] of pages.entries()) {
      const now = await waiting(page);
      if (now === "won") won += 1;
      else if (now === "round") {
        if (sheets === 0) await accessible(page, `${ruleSet}, the end of a round`);
        sheets += 1;
        await page.click("#next-round");
      } else if (now === "turn") {
        moves += 1;
        phone += page.viewportSize().width === PHONE.width ? 1 : 0;
        if (moves === KILLED) {
          const cards = await Promise.all(players.map(hand));
          await restarted(recorder, pages);
          assert.deepEqual(await Promise.all(players.map(hand)), cards, "nobody loses a card");
        }
        await turn(page, `${ruleSet}, turn ${moves} at ${page.viewportSize().width}`);
        if (moves === 40 || moves === 41) await shot(page, `whole-${ruleSet}-${page.viewportSize().width}`);
      }
      if (at === pages.length - 1) await page.waitForTimeout(20);
    }
  }
  const titles = await Promise.all(pages.map((page) => page.textContent("dialog.won h2")));
  // Everybody sees the same winner, each in the own language.
  assert.equal(new Set(titles.map((title) => title.replace(/^Sieg: |( won by |, [\d.]+ Punkte ).*$|^(Nobody wins|Niemand gewinnt)$/g, ""))).size, 1, titles.join(", "));
  await shot(pages[1], `whole-${ruleSet}-won`);
  const shift = Math.max(...(await Promise.all(pages.map((page) => still(page, ruleSet)))));
  await host.keyboard.press("Escape");
  await host.click("#menu summary");
  await host.click("#open-log");
  // The auditor of the recorder judges a game soon after its end.
  for (let tries = 0; tries < 100 && (await host.locator("#report .verdict").count()) === 0; tries += 1) {
    await host.click("#audit");
    await host.waitForTimeout(100);
  }
  assert.match(await host.textContent("#report"), /This game is lawful and complete\./);
  for (const page of pages) await page.context().close();
  await recorder.kill();
  console.log(`${ruleSet}: four browsers, ${moves} turns, ${phone} of them on phones, layout shift ${shift.toFixed(4)}, audited clean`);
}

const games = asked.length > 0 ? asked : Object.keys(GAMES);
await run(Object.fromEntries(games.map((ruleSet) => [ruleSet, () => game(ruleSet)])));
