// One person against bots, on the service: whole games by clicks, keys and dragged cards; refusals; the end of a round; the
// log taken home, audited, loaded and replayed; reloads, a second tab, a service that is away, a double click; English and
// German; and the layout in every phase of all rule sets on desk, tablet and phone. axe must find nothing.
//
//     node alone.mjs ORIGIN FOLDER_FOR_SCREENSHOTS ROUNDS [STEP,... | -STEP,...]
//
// ROUNDS: the length of the games that are played to their end; 0 is the length that the rule set has.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { drawn, farAway, worked } from "./speed.mjs";
import { accessible, DESKTOP, forgiving, hand, layout, mayDraw, openForm, person, PHONE, picked, pictures, ready, run, suggested, TABLET, watched } from "./table.mjs";

const [origin, folder, length, only] = process.argv.slice(2);
const shot = pictures(folder);
/** More turns than a game can need. */
const MOST = 3000;

async function form(page, ruleSet) {
  if (page.url() !== `${origin}/`) await page.goto(`${origin}/`);
  await page.waitForSelector("#table, .set");
  if ((await page.locator("#table").count()) > 0) await leave(page);
  await openForm(page, ruleSet);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `the form of ${ruleSet} is wider than the window`);
}

async function leave(page) {
  if ((await page.locator("dialog[open]").count()) > 0) await page.keyboard.press("Escape");
  await page.click("#menu summary");
  await page.click("#new-game");
  await page.waitForSelector(".set");
}

async function sitDown(page, ruleSet, word, seat = 0, rounds = "0") {
  await form(page, ruleSet);
  await page.selectOption("#length", rounds);
  await page.check(`#setup [name="seat"] >> nth=${seat}`);
  await page.fill("#word", word);
  await page.click("#begin");
  await page.waitForSelector("#table");
  return ready(page);
}

/** Suggested turns until `found` holds; whether it came to that before the end of the round. */
async function until(page, found, most = MOST) {
  for (let moves = 0; moves < most && (await ready(page)) === "turn"; moves += 1) {
    if (await found()) return true;
    await suggested(page);
  }
  return false;
}

/** First load: few requests, few bytes, no shift; quick here, and bearable far away. */
async function cold() {
  const page = await person({ settings: {} });
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  const work = await worked(page);
  await page.goto(`${origin}/`);
  await page.waitForSelector("[data-play]:enabled");
  const busy = await work();
  assert.ok(busy < 1000, `${busy} ms of work before a game can be chosen`);
  assert.ok(requests.length <= 6, requests.join(" "));
  const shift = await page.evaluate(() => new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => { for (const each of list.getEntries()) sum += each.value; }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 300);
  }));
  assert.ok(shift < 0.02, `layout shift ${shift}`);
  await shot(page, "home-desktop");
  await accessible(page, "home");
  await page.setViewportSize(PHONE);
  await shot(page, "home-phone");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  const far = await person({ settings: {} });
  const loaded = await farAway(far);
  await far.goto(`${origin}/`);
  await far.waitForSelector("[data-play]:enabled");
  const { ms } = await loaded();
  assert.ok(ms < 4000, `${ms} ms at 400 ms and 1.6 Mbit/s`);
  await far.context().close();
  await page.context().close();
  console.log(`cold: ${requests.length} requests, ${busy.toFixed()} ms of work, ${ms.toFixed()} ms far away, layout shift ${shift.toFixed(3)}`);
}

/** A place that does not take the picked cards says why, by the rule, and nothing is sent. */
async function refusal() {
  const page = await person();
  await sitDown(page, "classic-4p", "heron");
  await page.click('[data-act="draw"]');
  await page.waitForSelector('[data-act="draw"]', { state: "detached" });
  await ready(page);
  const cards = await hand(page);
  const natural = (card) => !"X23".includes(card[0]);
  const first = cards.find(natural);
  const second = cards.find((card) => natural(card) && card[0] !== first[0]);
  // By keys: focus, arrows and space.
  await page.focus(`#hand [data-place="${cards.indexOf(first)}"]`);
  await page.keyboard.press("Space");
  for (let step = cards.indexOf(first); step < cards.indexOf(second); step += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  assert.deepEqual(await picked(page), [first, second]);
  await page.waitForSelector('.slot[data-target="illegal"]');
  await page.click(".slot");
  assert.match(await page.textContent("#refusal"), /^Not allowed: [A-Z].+\./);
  await shot(page, "refusal-desktop");
  await accessible(page, "refusal");
  await page.click("#refusal [data-rules]");
  await page.waitForSelector("#rules dd");
  assert.match(await page.textContent("#rules dt"), /^[A-Z]{2}-\d{3}$/);
  assert.ok((await page.textContent("#rules dd")).length > 20, "the rule's own words");
  await accessible(page, "rules");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#rules", { state: "detached" });
  await page.click("#refusal .close");
  assert.deepEqual([await picked(page), await page.textContent("#refusal")], [[], ""]);
  await page.context().close();
  console.log("refusal: a place says why not, and the rule in its own words");
}

/** A discard by dragging, one by two taps, one by keys; taken back where nobody has seen a card. */
async function ways() {
  const page = await person({ settings: { pace: "once", guided: "done" } });
  await sitDown(page, "classic-4p", "heron");
  for (const way of ["drag", "taps", "keys"]) {
    assert.ok(await until(page, () => mayDraw(page)));
    await page.click('[data-act="draw"]');
    await page.waitForSelector('[data-act="draw"]', { state: "detached" });
    await ready(page);
    const before = (await hand(page)).length;
    const last = page.locator("#hand .card").last();
    if (way === "drag") {
      const [from, to] = [await last.boundingBox(), await page.locator("[data-at=pile]").boundingBox()];
      await page.mouse.move(from.x + 20, from.y + 30);
      await page.mouse.down();
      await page.mouse.move(from.x + 40, from.y - 40, { steps: 4 });
      await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
      await page.waitForTimeout(400);
      await shot(page, "dragging-desktop");
      await page.mouse.up();
    } else if (way === "taps") {
      await last.click({ position: { x: 20, y: 30 } });
      await page.click('[data-at="pile"].target.legal');
    } else {
      await last.focus();
      await page.keyboard.press("Space");
      await page.waitForSelector('[data-at="pile"].target.legal');
      await page.keyboard.press("p");
    }
    await page.waitForFunction((size) => document.querySelectorAll("#hand .card").length < size, before);
  }
  await page.context().close();
  console.log("ways: a card is dragged, tapped and sent by keys");
}

/** A meld is taken back within the turn, by the service's ruling. */
async function takenBack() {
  const page = await person();
  await sitDown(page, "classic-2p", "heron");
  const melds = () => page.locator(".zone.own .meld").count();
  let before = 0;
  const melded = async () => {
    const now = await melds();
    const isNew = now > before && (await page.locator('[data-act="undo"]').count()) > 0 && !(await mayDraw(page));
    if (!isNew) before = now;
    return isNew;
  };
  assert.ok(await until(page, melded), "no meld of ours");
  await page.click('[data-act="undo"]');
  await page.waitForFunction(() => document.querySelector("#notice").textContent !== "");
  const said = await page.textContent("#notice");
  assert.match(said, /taken back|seen a card|somebody else/i);
  if (/A move was taken back/.test(said)) assert.ok((await melds()) < before + 1 || (await melds()) <= before + 1);
  await page.context().close();
  console.log(`take back: ${said}`);
}

/** To the end of a game, with the score sheet after every round; then the log, its audit, and its replay. */
async function wholeGame(ruleSet, word, size, options = {}) {
  const page = await person({ size, ...options });
  await sitDown(page, ruleSet, word, 1, length);
  let [moves, rounds] = [0, 0];
  const name = `${ruleSet}-${size.width}`;
  for (; moves < MOST; moves += 1) {
    const now = await ready(page);
    if (now === "won") break;
    if (now === "round") {
      rounds += 1;
      if (rounds === 1) {
        await shot(page, `${name}-round`);
        await accessible(page, `${name}, the end of a round`);
        const sums = await page.$$eval("#round-over .sum td", (all) => all.map((cell) => cell.textContent));
        assert.deepEqual(sums.slice(0, sums.length / 2), sums.slice(sums.length / 2), "the first round is the score so far");
        // The sheet stays, also after a reload of the page, until it is dismissed.
        await page.waitForTimeout(300);
      }
      await page.click("#next-round");
      await page.waitForSelector("#round-over", { state: "detached" });
      continue;
    }
    if (moves === 25) {
      await shot(page, `${name}-play`);
      await accessible(page, `${name}, play`);
      await layout(page, `${name}, play`);
    }
    await suggested(page);
  }
  assert.match(await page.textContent("#round-over h2"), / won by [\d,.]+$|^Sieg: .* Punkte Vorsprung$|^(Nobody wins|Niemand gewinnt)$/);
  await shot(page, `${name}-won`);
  await accessible(page, `${name}, the winner`);
  await page.keyboard.press("Escape");
  await page.click("#menu summary");
  await page.click("#open-log");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  const path = `${folder}/${name}.clog`;
  await file.saveAs(path);
  await page.click("#audit");
  await page.waitForSelector("#report .verdict");
  assert.match(await page.textContent("#report .verdict"), /^(This game is lawful and complete\.|Dieses Spiel ist regelgerecht und vollständig\.)$/);
  await accessible(page, `${name}, the log`);
  await page.keyboard.press("Escape");
  // The game is over: its replay has everyone's eyes.
  await page.click("#menu summary");
  await page.click("#open-replay");
  await page.selectOption("#eyes", "1");
  await page.waitForSelector('.viewer[data-eyes="1"]');
  await page.context().close();
  console.log(`${ruleSet} at ${size.width}: a whole game of ${rounds + 1} rounds in ${moves} turns, audited clean, log ${statSync(path).size} bytes`);
  return path;
}

/** A round, with the layout and axe on the way. */
async function oneRound(ruleSet, word, size, options) {
  const page = await person({ size, ...options });
  await sitDown(page, ruleSet, word, 1);
  for (let moves = 0; (await ready(page)) === "turn"; moves += 1) {
    assert.ok(moves < MOST);
    if (moves === 15) {
      await shot(page, `${ruleSet}-${size.width}-play`);
      await accessible(page, `${ruleSet}, play`);
      await layout(page, `${ruleSet}, play`);
    }
    await suggested(page);
  }
  await page.context().close();
  console.log(`${ruleSet} at ${size.width}: a round`);
}

/** A log from a file is walked through, record by record. */
async function replay(path) {
  const page = await person();
  await page.goto(`${origin}/`);
  await page.setInputFiles("#load", path);
  await page.waitForSelector(".viewer #felt");
  const said = () => page.textContent("#turn");
  const first = await said();
  await page.click('[data-act="next"]');
  assert.notEqual(await said(), first);
  for (let step = 0; step < 30; step += 1) await page.keyboard.press("ArrowRight");
  await shot(page, "replay-desktop");
  await accessible(page, "replay");
  await page.click('[data-act="last"]');
  await page.click('[data-pane="scores"]');
  await page.waitForSelector(".winner");
  await page.selectOption("#eyes", "0");
  await page.waitForSelector('.viewer[data-eyes="0"]');
  await page.setViewportSize(PHONE);
  await shot(page, "replay-phone");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight));
  await page.context().close();
  console.log("replay: a log from a file is walked through");
}

/** A reload and a crash lose nothing, and a game played on in another tab is not forked (FRT-3). */
async function reloads() {
  const page = await person();
  await sitDown(page, "classic-4p", "heron");
  for (let moves = 0; moves < 4 && (await ready(page)) === "turn"; moves += 1) await suggested(page);
  await ready(page);
  const cards = await hand(page);
  await page.reload();
  await page.waitForSelector("#table");
  await ready(page);
  assert.deepEqual(await hand(page), cards, "after a reload");
  await page.waitForSelector("#beside li");
  assert.match((await page.$$eval("#beside li", (all) => all.map((line) => line.textContent))).at(0), /^2 The cards are dealt|^2 /, "records are numbered as in the log (FRT-7)");
  // A new tab has no game of its own: as after a crash it is offered what is kept.
  const tab = watched(await page.context().newPage());
  await tab.goto(`${origin}/`);
  await tab.click("#kept button >> nth=0");
  await ready(tab);
  assert.deepEqual(await hand(tab), cards, "after a crash");
  await suggested(tab);
  await page.click('[data-act="hint"]');
  await page.click('[data-act="hinted"]');
  await page.waitForSelector("#problem");
  assert.match(await page.textContent("#problem"), /another tab/);
  await tab.close();
  await page.reload();
  await ready(page);
  await suggested(page);
  await page.context().close();
  console.log("reloads: nothing is lost");
}

/** The service is away, in the own turn and in the others': the page says so, and goes on by itself (FRT-2, FRT-11). */
async function away() {
  const page = await person();
  await sitDown(page, "classic-4p", "heron");
  const cards = await hand(page);
  const calls = "**/canasta.v1.**";
  await forgiving([page], /ERR_FAILED/, async () => {
    await page.route(calls, (route) => route.abort());
    await page.click('[data-act="hint"]');
    await page.waitForSelector("#away");
    assert.match(await page.textContent("#away"), /cannot be reached/);
    await shot(page, "away-desktop");
    await accessible(page, "away");
    await page.unroute(calls);
    // The page may have tried by itself meanwhile.
    await page.evaluate(() => document.querySelector("#try-now")?.click());
    await page.waitForSelector('[data-act="hinted"]');
    await page.waitForSelector("#away", { state: "detached" });
    assert.deepEqual((await hand(page)).sort(), cards.sort());
    let failed = 0;
    await page.route("**/SuggestAction", (route) => (failed++ < 2 ? route.abort() : route.continue()));
    await page.click('[data-act="clear"]');
    await page.click('[data-act="hint"]');
    await page.waitForSelector('[data-act="hinted"]', { timeout: 20_000 });
  });
  await page.context().close();
  console.log("away: the page waits and goes on");
}

/** Pressed twice, one game is dealt (FRT-4). */
async function pressedTwice() {
  const page = await person();
  await form(page, "classic-4p");
  let created = 0;
  await page.route("**/CreateGame", async (route) => {
    created += 1;
    await new Promise((done) => setTimeout(done, 300));
    await route.continue();
  });
  await page.dblclick("#begin");
  await page.waitForSelector("#table");
  await ready(page);
  assert.equal(created, 1);
  await page.context().close();
  console.log("pressed twice: one game");
}

/** The first round is guided, in German; card values, all moves and the history are there. */
async function learning() {
  const page = await person({ locale: "de-AT", settings: { pace: "once" }, size: PHONE });
  await sitDown(page, "classic-4p", "heron");
  assert.match(await page.textContent("#guide"), /Karte|Meldung/);
  await layout(page, "the guide on a phone");
  await shot(page, "guide-phone");
  await accessible(page, "guide");
  await page.click("#guide button");
  for (const [panel, expected] of [["menu-values", /Joker/], ["open-moves", /zieh/i], ["open-history", /gegeben/], ["open-calls", /GameService.CreateGame/]]) {
    await page.click("#menu summary");
    await page.click(`#${panel}`);
    await page.waitForSelector("dialog.panel");
    await page.waitForTimeout(200);
    assert.match(await page.textContent("dialog.panel"), expected);
    await accessible(page, panel);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog.panel", { state: "detached" });
  }
  assert.equal(await page.getAttribute("html", "lang"), "de");
  await page.context().close();
  console.log("learning: a guide, card values, all moves, the history and the calls, in German");
}

/** The layout in every phase of every rule set, guided: start of a turn, picked cards, and after the draw. */
async function layouts() {
  const sizes = Object.entries({ desktop: DESKTOP, tablet: TABLET, phone: PHONE });
  const page = await person({ settings: { pace: "once" } });
  await page.goto(`${origin}/`);
  await page.waitForSelector(".set");
  await page.click("#all-games");
  const ruleSets = await page.$$eval("[data-set]", (all) => all.map((each) => each.dataset.set));
  assert.ok(ruleSets.length >= 22);
  for (const ruleSet of ruleSets) {
    // Every second game has a length of its own.
    await sitDown(page, ruleSet, "stork", 1, ruleSets.indexOf(ruleSet) % 2 === 0 ? "2" : "0");
    if ((await ready(page)) === "turn") await values(page, ruleSet);
    for (let moves = 0; moves < 6 && (await ready(page)) === "turn"; moves += 1) {
      if (moves === 1 || moves === 4) await page.click("#hand .card >> nth=-1", { position: { x: 14, y: 20 } });
      // Back and forth, since a new size is what takes long.
      for (const [name, size] of sizes.reverse()) {
        await page.setViewportSize(size);
        // Two pictures later the melds are fitted to the new size.
        await drawn(page);
        await layout(page, `${ruleSet}, ${name}, turn ${moves}`);
        if (moves === 5 && length === "0") await shot(page, `${ruleSet}-${name}`);
      }
      await suggested(page);
    }
  }
  await page.context().close();
  console.log(`${ruleSets.length} rule sets laid out at three sizes`);
}

/** How this game goes: every part with its sentences, each with rules that open, whatever differs from the rule set. */
async function values(page, name) {
  await page.click("#menu summary");
  await page.click("#menu-values");
  await page.waitForSelector("#panel-values .explained");
  const said = await page.$$eval("#panel-values section", (all) => all.map((each) => each.querySelectorAll("li").length));
  assert.ok(said.length >= 9 && said.every((count) => count > 0), `${name}: ${said} sentences`);
  assert.doesNotMatch(await page.textContent("#panel-values"), /undefined|NaN|[{}]/, name);
  const withRules = await page.$$eval("#panel-values li", (all) => all.every((each) => /^[A-Z]/.test(each.querySelector("[data-rules]")?.dataset.rules)));
  assert.ok(withRules, `${name}: a sentence without a rule`);
  await page.keyboard.press("Escape");
  await page.waitForSelector("#panel-values", { state: "detached" });
}

/** House rules of somebody who does not know the knobs: found by words, changed by every kind of field, told what does not go
 *  together, saved, opened again in German on a phone, and played. */
async function houseRules() {
  const page = await person();
  await form(page, "hand-and-foot-4p");
  await page.click(".house > summary");
  await page.waitForSelector("[data-knob]");
  assert.ok((await page.locator("[data-knob]").count()) > 100, "all knobs");
  const knob = (name) => page.locator(`[data-knob="${name}"]`);
  const verdict = (text) => page.waitForFunction((wanted) => document.querySelector("#house-verdict").textContent.includes(wanted), text);
  await page.fill("#house-search", "wild cards relative");
  assert.deepEqual(await page.$$eval("[data-knob]", (all) => all.map((each) => each.dataset.knob)), ["wild_ratio"]);
  const answered = page.waitForResponse((each) => each.url().endsWith("/GetRuleSet"));
  await knob("wild_ratio").locator("select").selectOption({ label: "No limit." });
  await page.fill("#house-search", "going out");
  await knob("bonus_out").locator("input").fill("200");
  // What the service answers meanwhile does not overwrite what is being typed.
  await answered;
  await drawn(page);
  await knob("bonus_out").locator("input").press("Tab");
  await page.fill("#house-search", "");
  await knob("undo_meld").locator("input").check();
  await knob("discard_freezes").locator("label", { hasText: "Red threes" }).locator("input").check();
  await knob("card_points").locator("label", { hasText: "Joker" }).locator("input").fill("60");
  await page.keyboard.press("Tab");
  await verdict("a red three that is laid as it comes is never discarded");
  await accessible(page, "the form of house rules");
  await shot(page, "house-desktop");
  await knob("discard_freezes").getByRole("button").click();
  await verdict("Their digest begins with");
  await page.check("#house-differs");
  const differing = await page.$$eval("[data-knob]", (all) => all.map((each) => each.dataset.knob));
  assert.ok(["bonus_out", "card_points", "undo_meld"].every((name) => differing.includes(name)), `${differing}`);
  const saved = decodeURIComponent((await page.getAttribute("#house-save", "href")).split(",").slice(1).join(","));
  assert.match(saved, /^base = "hand-and-foot-4p"\n[^]*\n\[knobs\]\n[^]*bonus_out = 200\n/);
  const digest = /[0-9a-f]{16}/.exec(await page.textContent("#house-verdict"))[0];
  const phone = await person({ size: PHONE, locale: "de-DE", scheme: "dark", touch: true });
  await form(phone, "hand-and-foot-4p");
  await phone.click(".house > summary");
  await phone.waitForSelector("[data-knob]");
  await phone.setInputFiles("#house-open", { name: "club.toml", mimeType: "application/toml", buffer: Buffer.from(`# from a friend\n${saved}`) });
  await phone.waitForFunction((wanted) => document.querySelector("#house-verdict").textContent.includes(`Fingerabdruck beginnt mit ${wanted}`), digest);
  await accessible(phone, "the form of house rules on a phone");
  await shot(phone, "house-phone");
  await phone.setInputFiles("#house-open", { name: "club.toml", mimeType: "application/toml", buffer: Buffer.from("knobs, please") });
  await phone.waitForFunction(() => document.querySelector("#house-verdict").textContent.includes("keine Datei mit Regeln"));
  await phone.fill("#word", "heron");
  await phone.click("#begin");
  await phone.waitForSelector("#table");
  await ready(phone);
  assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  console.log(`house: ${differing.length} rules changed, saved, opened on a phone and played`);
}

/** A sheet says who drew what, and why points are lost; a place that asks for more cards does not speak of points. */
async function explained() {
  const page = await person();
  assert.equal(await sitDown(page, "gr-4p", "heron"), "round");
  const drawn = await page.$$eval("#round-over tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.ok(drawn.length === 4 && drawn.every(([name, cards]) => name !== "" && /[♣♦♥♠]/.test(cards)), `${drawn}`);
  assert.equal(drawn.filter(([name]) => name.includes("Dealer")).length, 1);
  await accessible(page, "the draw for seats");
  await shot(page, "draw-desktop");
  await page.click("#next-round");
  await form(page, "classic-4p");
  await page.click("#setup details:has(.variations) > summary");
  for (const at of [0, 1]) await page.check(`.variations input >> nth=${at}`);
  await page.click("#begin");
  await page.waitForSelector("#table");
  await ready(page);
  await values(page, "classic-4p with two variations");
  await sitDown(page, "american-4p", "b", 0);
  while ((await ready(page)) === "turn") await suggested(page);
  const lines = await page.$$eval("#round-over tbody tr:not(.sum)", (all) => all.map((row) => row.textContent));
  const lost = await page.$$eval("#round-over tbody tr:has(small)", (all) => all.map((row) => row.textContent));
  assert.ok(lost.some((line) => /^Threes.*lose/.test(line)), `${lines}`);
  // Ids of rules have a hyphen before their number, too: the columns of points alone tell what is lost.
  const below = await page.$$eval("#round-over tbody tr:not(.sum)", (all) => all.filter((row) => [...row.querySelectorAll("td")].some((cell) => /-\d/.test(cell.textContent))).map((row) => row.textContent));
  assert.deepEqual(below, lost, "every loss is explained, and nothing else");
  await page.click("#next-round");
  let found = false;
  for (const word of ["heron", "crane", "stork", "egret"]) {
    await sitDown(page, "bolivia-4p", word);
    found = await until(page, async () => (await hand(page)).includes("X") && !(await mayDraw(page)) && (await page.locator('.zone.own .meld').count()) === 0, 8);
    if (found) break;
  }
  assert.ok(found, "a joker in a hand of Bolivia");
  await page.click('#hand [data-card="X"]', { position: { x: 14, y: 20 } });
  await page.waitForSelector('.slot[data-target="illegal"]');
  assert.doesNotMatch(await page.textContent(".slot"), /\d/, "points are not what is missing");
  await page.context().close();
  console.log("explained: the draw, losses, and a place that needs more cards");
}

/** A service whose words are all newer than the page's catalogue: turns are played, and a refusal is in the service's words. */
async function newer() {
  const page = await person();
  const [nothing, trailer] = [Buffer.alloc(5), Buffer.from("grpc-status:0\r\n")];
  const body = Buffer.concat([nothing, Buffer.from([0x80, 0, 0, 0, trailer.length]), trailer]);
  await page.route("**/GetCatalogue", (route) => route.fulfill({ status: 200, contentType: "application/grpc-web+proto", body }));
  await sitDown(page, "classic-4p", "heron");
  for (let moves = 0; moves < 8 && (await ready(page)) === "turn"; moves += 1) await suggested(page);
  assert.ok(await until(page, () => mayDraw(page), 8));
  await page.click("#hand .card >> nth=-1", { position: { x: 14, y: 20 } });
  await page.waitForSelector("#felt .target.illegal");
  await page.click("#felt .target.illegal >> nth=0");
  assert.match(await page.textContent("#refusal"), /^Not allowed: [A-Z][a-z].{10}/);
  assert.equal(await page.$$eval(".history li", (all) => all.filter((line) => !/\d \S/.test(line.textContent)).length), 0, "no line says nothing");
  await accessible(page, "without words");
  await page.context().close();
  console.log("newer: a page without the words of what happens is played on");
}

/** Windows with little room for a table that is full of melds: width, height, size of the letters. */
const CRAMPED = [[1366, 650, 100], [1024, 650, 100], [1280, 800, 200], [375, 560, 100]];

/** Guided, in little room, every meld can be read; on a usual laptop and with large letters without scrolling. */
async function cramped() {
  for (const [ruleSet, locale] of [["classic-4p", "de-DE"], ["hand-and-foot-6p", "en-GB"], ["hand-and-foot-6p", "de-DE"]]) {
    const page = await person({ settings: { pace: "once" }, locale });
    await sitDown(page, ruleSet, "heron", 1);
    for (let moves = 0; moves < 16 && (await ready(page)) === "turn"; moves += 1) await suggested(page);
    assert.equal(await ready(page), "turn");
    // A picked card makes a target of every own meld.
    await page.click("#hand .card >> nth=0", { position: { x: 14, y: 20 } });
    await page.waitForSelector(".meld.target");
    for (const [width, height, letters] of CRAMPED) {
      await page.setViewportSize({ width, height });
      await page.evaluate((size) => (document.documentElement.style.fontSize = `${size}%`), letters);
      await drawn(page);
      const name = `${ruleSet}-${width}x${height}-${letters}-${locale}`;
      assert.ok((await page.locator("#guide").isVisible()) && (await page.locator("#felt .meld").count()) >= 6, name);
      await shot(page, name);
      await layout(page, name, false);
      const scrolls = await page.evaluate(() => ["#felt", ".zones.own .melds", ".zones.others .melds"].some((each) => document.querySelector(each).scrollHeight > document.querySelector(each).clientHeight + 1));
      assert.ok(!scrolls || width < 500, `${name}: what is seen has to be scrolled`);
      await accessible(page, name);
    }
    await page.context().close();
  }
  console.log(`cramped: melds are read in ${CRAMPED.length} small windows, guided`);
}

const american = () => oneRound("american-4p", "crane", TABLET, { scheme: "dark" });
const classic = async () => replay(await wholeGame("classic-4p", "crane", DESKTOP));
const handAndFoot = () => wholeGame("hand-and-foot-4p", "crane", PHONE, { locale: "de-DE", scheme: "dark", touch: true });
await run({ handAndFoot, classic, layouts, cramped, explained, houseRules, newer, cold, refusal, ways, takenBack, reloads, away, pressedTwice, learning, american }, only, 1);
