// Plays at the table in the browser, by clicks and keys alone: a whole round of Classic and of American with a refusal,
// the log taken home and audited; out of turn, through other eyes, and by keys alone; a pile taken in two steps; a whole
// game; reloads, a second tab, a service that is away, a double click, a legal meld that no list holds; and the first
// turns of every other rule set. Fails on any complaint of the browser, and on any of axe's in play.
//
//     node drive.mjs ORIGIN FOLDER_FOR_SCREENSHOTS

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const [origin, shots] = process.argv.slice(2);
const DESKTOP = { width: 1200, height: 900 };
const PHONE = { width: 390, height: 844 };
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
/** More clicks than a round can need. */
const MOST = 2000;

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

mkdirSync(shots, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
const context = await browser.newContext({ viewport: DESKTOP, acceptDownloads: true });
const page = await context.newPage();
const complaints = [];
page.on("console", (line) => ["error", "warning"].includes(line.type()) && complaints.push(line.text()));
page.on("pageerror", (error) => complaints.push(error.message));
page.on("request", (request) => request.url().startsWith(origin) || request.url().startsWith("blob:") || complaints.push(`asked ${request.url()}`));
page.on("response", (response) => response.status() >= 400 && complaints.push(`${response.status()} ${response.url()}`));

/** The form for a new game; a game that this tab plays is left. */
async function newGame() {
  await page.goto(`${origin}/`);
  await page.waitForSelector("#table:visible, #begin:enabled");
  if (await page.isVisible("#begin:enabled")) return;
  page.once("dialog", (dialog) => dialog.accept());
  await page.click("#new-game");
  await page.waitForSelector("#begin:enabled");
}

async function sitDown(ruleSet, seat, word) {
  await newGame();
  await page.waitForSelector("#begin:enabled");
  await page.selectOption("#rule-set", ruleSet);
  await page.selectOption("#seat", `${seat}`);
  await page.fill("#word", word);
  await page.click("#begin");
  await page.waitForSelector("#table:visible");
  await page.selectOption("#pace", "0");
}

/** Waits until the table waits for us; whether the round goes on. */
async function ready() {
  await page.waitForFunction(() => {
    const table = document.getElementById("table");
    const waits = document.querySelector("#next button, #next .won") ?? !document.getElementById("actions").hidden;
    return table.getAttribute("aria-busy") === "false" && waits;
  }, null, { timeout: 60_000 });
  const next = await page.textContent("#next");
  return !/Next round|log is complete/.test(next);
}

const picked = () => page.$$eval('#hand [aria-pressed="true"]', (all) => all.map((card) => card.dataset.card));
const hand = () => page.$$eval("#hand button", (all) => all.map((card) => card.dataset.card));
const refused = async () => /Not allowed/.test((await page.textContent("#refusal")) ?? "");

async function pick(cards) {
  for (const card of cards) await page.click(`#hand [data-card="${card}"][aria-pressed="false"] >> nth=0`);
}

/** Asks for a suggestion, and plays it: cards by picking them, all else by the list of legal actions. */
async function move(seen) {
  await page.click("#hint");
  const hinted = page.locator('[data-offer="hinted"]');
  await hinted.waitFor();
  const [kind, text] = [await hinted.getAttribute("data-kind"), (await hinted.textContent()).replace("Suggested: ", "")];
  const cards = await picked();
  await page.click("#clear");
  if (kind === "discard" || (kind === "meld" && !text.includes("·") && !text.includes("onto"))) {
    if (!seen.refusal) await provoke(seen);
    await pick(cards);
    await page.click(`[data-offer="composed"][data-kind="${kind}"]`);
    await settled();
    if (!(await refused())) return void (seen[kind] += 1);
    // The words do not say all that a suggestion says (which kind of meld): take it as it is.
    await page.click("#clear");
    await page.click("#hint");
    await hinted.click();
  } else {
    const legal = page.locator('[data-offer="legal"]', { hasText: new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`) });
    if ((await legal.count()) > 0) await legal.first().click();
    else {
      await page.click("#hint");
      await hinted.click();
    }
    seen.listed += 1;
  }
  await settled();
  assert.equal(await refused(), false, `refused what was suggested: ${text}: ${await page.textContent("#refusal")}`);
}

const settled = () => page.waitForFunction(() => document.getElementById("table").getAttribute("aria-busy") === "false");

/** Two cards of different ranks are no meld anywhere. By keys: focus, arrows and space. */
async function provoke(seen) {
  const cards = await hand();
  const natural = (card) => !"X23".includes(card[0]);
  const first = cards.findIndex(natural);
  const second = cards.findIndex((card, place) => place > first && natural(card) && card[0] !== cards[first][0] && card[1] !== cards[first][1]);
  if (first < 0 || second < 0) return;
  await page.focus(`#hand [data-place="${first}"]`);
  await page.keyboard.press("Space");
  for (let step = first; step < second; step += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  assert.deepEqual(await picked(), [cards[first], cards[second]]);
  await page.focus('[data-offer="composed"][data-kind="meld"]');
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("refusal").textContent.includes("Not allowed"));
  const rule = await page.textContent("#refusal dt");
  assert.match(rule, /^[A-Z]{2}-\d{3}$/);
  assert.ok((await page.textContent("#refusal dd")).length > 20, "the rule's own words");
  seen.refusal = rule;
  await shot("refusal");
  await page.click("#clear");
}

async function shot(name) {
  const path = (size) => `${shots}/${seenAs}-${name}-${size}.png`;
  await page.screenshot({ path: path("desktop"), fullPage: true });
  await accessible(name);
  await page.setViewportSize(PHONE);
  const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  await page.screenshot({ path: path("phone"), fullPage: true });
  await page.setViewportSize(DESKTOP);
  assert.ok(wide <= seen, `${name}: ${wide} px wide on a phone of ${seen}`);
}

/** No violation of any rule of axe. In a world of its own, since the page's policy keeps foreign scripts out. */
async function accessible(name) {
  const client = await context.newCDPSession(page);
  const { frameTree } = await client.send("Page.getFrameTree");
  const { executionContextId } = await client.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  await client.send("Runtime.evaluate", { expression: AXE, contextId: executionContextId });
  const { result } = await client.send("Runtime.evaluate", {
    expression: "axe.run().then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html])))",
    contextId: executionContextId, awaitPromise: true, returnByValue: true,
  });
  await client.detach();
  assert.equal(result.value, "[]", `axe, ${seenAs} ${name}`);
}

let seenAs = "";
async function playRound(ruleSet, word) {
  seenAs = ruleSet;
  const seen = { refusal: "", discard: 0, meld: 0, listed: 0 };
  await sitDown(ruleSet, 0, word);
  let moves = 0;
  for (; await ready(); moves += 1) {
    assert.ok(moves < MOST, "the round does not end");
    if (moves === 12) await shot("play");
    await move(seen);
  }
  assert.ok(seen.refusal !== "" && seen.discard > 5 && seen.meld > 0 && seen.listed > 5, JSON.stringify(seen));
  const totals = await page.$$eval("#sheets .sum td", (all) => all.map((cell) => Number(cell.textContent)));
  assert.equal(totals.length, 4, "two sides: this round and the score");
  assert.deepEqual(totals.slice(0, 2), totals.slice(2), "the first round is the score so far");
  await page.click("#record summary");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  const bytes = statSync(await download.path()).size;
  assert.equal(await page.textContent("#log-size"), `${bytes} bytes so far`);
  await page.click("#audit");
  await page.waitForSelector("#report dl");
  const report = await page.textContent("#report");
  assert.match(report, /^Verdict(clean: everything holds|nothing is wrong so far)/, report);
  assert.doesNotMatch(report, /Record \d+: /, "a finding");
  await shot("over");
  const unnamed = await page.$$eval("button, select, input", (all) =>
    all.filter((each) => !(each.getAttribute("aria-label") ?? each.textContent).trim() && !each.labels?.length).length);
  assert.equal(unnamed, 0, "everything to press has a name");
  console.log(`${ruleSet}: a round in ${moves} moves, refused by ${seen.refusal}, ${JSON.stringify(seen)}, log ${bytes} bytes`);
}

await playRound("classic-4p", "heron");
await playRound("american-4p", "egret");

/** Suggested moves until `found` holds, or the round is over; whether it was found. */
async function playsUntil(found, most) {
  for (let moves = 0; moves < most && (await ready()); moves += 1) {
    if (await found()) return true;
    await suggested();
  }
  return false;
}

async function playUntil(found, most) {
  assert.ok(await playsUntil(found, most), "it never came to that");
}

/** The others wait: a card is tried out of turn, and the table looked at through other eyes. */
async function outOfTurn() {
  seenAs = "classic-4p";
  await sitDown("classic-4p", 0, "heron");
  await page.selectOption("#pace", "one");
  await playUntil(async () => /^Let /.test((await page.textContent("#next")) ?? ""), 12);
  const cards = await hand();
  await page.focus("#hand [tabindex='0']");
  await page.keyboard.press("Space");
  assert.equal((await picked()).length, 1);
  await page.click('[data-offer="composed"][data-kind="discard"]');
  await page.waitForFunction(() => document.getElementById("refusal").textContent.includes("Not allowed"));
  assert.match(await page.textContent("#refusal summary"), /^TURN_NOT_YOURS: /);
  assert.deepEqual(await hand(), cards, "a refusal changes nothing");

  await page.selectOption("#eyes", "judge");
  await page.waitForSelector("#others .open .fan");
  assert.equal(await page.locator("#others .open .fan").count(), 3, "a judge sees every hand");
  assert.ok(await page.isHidden("#actions"), "a judge does nothing");
  await shot("judge");
  await page.selectOption("#eyes", "table");
  await page.waitForSelector("#hand-section", { state: "hidden" });
  assert.equal(await page.locator("#others .open").count(), 0, "everybody sees no hand");
  assert.ok(await page.isHidden("#actions"));
  await page.selectOption("#eyes", "me");
  await page.waitForSelector("#hand-section", { state: "visible" });
  assert.deepEqual(await hand(), cards);
  await page.click("#next button");
  await settled();
  assert.equal(await refused(), false);
  console.log("out of turn: refused; judge and table see what they may");
}

const focused = () => page.evaluate(() => {
  const { id, dataset } = document.activeElement;
  return dataset.offer ?? (dataset.card ? "card" : id);
});

/** From the form to the third turn without a mouse: Tab, arrows, Space, Enter. */
async function byKeys() {
  await newGame();
  await page.waitForSelector("#begin:enabled");
  const tab = async (to) => {
    for (let presses = 0; presses < 40; presses += 1) {
      if ((await focused()) === to) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`${to} is not reached by Tab`);
  };
  await tab("word");
  await page.keyboard.type("plover");
  await tab("begin");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#table:visible");
  assert.equal(await focused(), "table-title", "where one begins to read");
  await tab("pace");
  await page.keyboard.type("at once");
  for (let moves = 0; moves < 6 && (await ready()); moves += 1) {
    if (moves > 0) assert.equal(await focused(), "card", "where one goes on after a move");
    await tab("hint");
    await page.keyboard.press("Enter");
    await page.locator('[data-offer="hinted"]').waitFor();
    assert.equal(await focused(), "hinted");
    await page.keyboard.press("Enter");
    await settled();
    assert.equal(await refused(), false);
  }
  console.log("by keys alone: from the form through six moves");
}

/** Hoyle: the top of the pile is taken first, then laid or put back. */
async function twoSteps() {
  seenAs = "hoyle-2p";
  await sitDown("hoyle-2p", 0, "plover");
  const take = page.locator('[data-offer="legal"][data-kind="takeTop"]');
  await playUntil(async () => (await take.count()) > 0, 60);
  await take.click();
  await settled();
  assert.equal(await refused(), false);
  assert.match(await page.textContent("#centre"), /Taken for now: /);
  const top = page.locator('#hand [data-place="top"]');
  assert.match(await top.getAttribute("aria-label"), /, taken from the pile$/);
  await shot("taken");
  // A discard now is against the rules: the top lies in no meld.
  await page.click('#hand [data-place="0"]');
  await page.click('[data-offer="composed"][data-kind="discard"]');
  await page.waitForFunction(() => document.getElementById("refusal").textContent.includes("Not allowed"));
  await page.click("#clear");
  await page.click("#hint");
  const hinted = page.locator('[data-offer="hinted"]');
  const kind = await hinted.getAttribute("data-kind");
  assert.ok(kind === "meld" || kind === "restorePile", kind);
  await hinted.click();
  await settled();
  assert.equal(await refused(), false);
  assert.equal(await top.count(), 0, "it is laid, or back on the pile");
  console.log(`two steps: the top taken, then ${kind}`);
}

/** To the panel at the game's end. */
async function wholeGame(ruleSet, word) {
  seenAs = ruleSet;
  await sitDown(ruleSet, 2, word);
  let [moves, rounds] = [0, 0];
  for (; rounds < 40; rounds += 1) {
    for (; await ready(); moves += 1) {
      await page.click("#hint");
      await page.click('[data-offer="hinted"]');
      await settled();
    }
    if ((await page.locator("#next .won").count()) > 0) break;
    await page.click("#next button");
  }
  assert.match(await page.textContent("#next .won"), / won by \d+\. |^Nobody wins\. /);
  assert.equal(await page.textContent("#turn"), "The game is over");
  assert.ok(await page.isHidden("#actions"));
  assert.equal(await page.locator(".sheet").count(), rounds + 1);
  await page.click("#record summary");
  await page.click("#audit");
  await page.waitForSelector("#report dl");
  assert.match(await page.textContent("#report"), /^Verdictclean: everything holdsDealevery card as committed/);
  await shot("end");
  console.log(`${ruleSet}: a whole game of ${rounds + 1} rounds in ${moves} moves of ours, audited clean`);
}

const history = () => page.$$eval("#history li", (all) => all.map((line) => `${line.value}: ${line.textContent}`));
const suggested = async () => {
  await page.click("#hint");
  await page.click('[data-offer="hinted"]');
  await settled();
};

/** A reload and a crash lose nothing, and a game played on in another tab is not forked (FRT-3). */
async function reloads() {
  seenAs = "classic-4p";
  await sitDown("classic-4p", 0, "heron");
  for (let moves = 0; moves < 4 && (await ready()); moves += 1) await suggested();
  await ready();
  const [cards, lines] = [await hand(), await history()];
  // Genesis and register are records 0 and 1 of the log, the deal is record 2 (FRT-7).
  assert.match(lines[0], /^2: The table: Deal$/);
  await page.reload();
  await page.waitForSelector("#table:visible");
  await ready();
  assert.deepEqual([await hand(), await history()], [cards, lines], "after a reload");

  // A new tab has no game of its own: as after a crash it is offered what is kept.
  const tab = await context.newPage();
  await tab.goto(`${origin}/`);
  await tab.click("#kept-games button >> nth=0");
  await tab.waitForSelector("#table:visible");
  await tab.selectOption("#pace", "0");
  await tab.waitForSelector("#actions:visible");
  assert.deepEqual(await tab.$$eval("#hand button", (all) => all.map((card) => card.dataset.card)), cards, "after a crash");
  await tab.click("#hint");
  await tab.click('[data-offer="hinted"]');
  await tab.waitForFunction(() => document.getElementById("table").getAttribute("aria-busy") === "false");
  await suggested();
  assert.match(await page.textContent("#refusal"), /another tab/, "the other tab was first");
  await tab.close();
  await page.reload();
  await page.waitForSelector("#table:visible");
  await ready();
  await suggested();
  assert.equal((await page.textContent("#refusal")) ?? "", "", "it goes on from what the other tab did");

  // "New game" asks first.
  let asked = 0;
  const answer = (yes) => page.once("dialog", (dialog) => ((asked += 1), yes ? dialog.accept() : dialog.dismiss()));
  answer(false);
  await page.click("#new-game");
  assert.ok(await page.isVisible("#table"));
  answer(true);
  await page.click("#new-game");
  await page.waitForSelector("#setup:visible");
  assert.equal(asked, 2);
  assert.ok((await page.locator("#kept-games button").count()) >= 1, "and what is left is kept");
  console.log("reloads: nothing is lost");
}

/** The service is away while others play: the page says so, and goes on by itself (FRT-2, FRT-11). */
async function away() {
  seenAs = "classic-4p";
  await sitDown("classic-4p", 0, "heron");
  await ready();
  const cards = await hand();
  const before = complaints.length;
  const calls = "**/canasta.v1.**";
  await page.route(calls, (route) => route.abort());
  await page.click("#hint");
  await page.waitForSelector("#away:visible");
  assert.match(await page.textContent("#away"), /cannot be reached/);
  await shot("away");
  await page.unroute(calls);
  await page.click("#try-now");
  await page.locator('[data-offer="hinted"]').waitFor();
  assert.ok(await page.isHidden("#away"), "it is back");
  assert.deepEqual(await hand(), cards);
  // And while the others play, without anybody pressing anything.
  await page.route(calls, (route) => (route.request().url().endsWith("SuggestAction") ? route.abort() : route.continue()));
  await page.click('[data-offer="hinted"]');
  await playedUntilAway();
  await page.unroute(calls);
  await ready();
  assert.equal((await page.textContent("#refusal")) ?? "", "");
  complaints.splice(before, complaints.length, ...complaints.slice(before).filter((line) => !line.includes("ERR_FAILED")));
  console.log("away: the page waits and goes on");
}

/** Discards until it is the others' turn, which cannot begin. */
async function playedUntilAway() {
  for (let moves = 0; moves < 12; moves += 1) {
    await page.waitForFunction(() => !document.getElementById("away").hidden ||
      (document.getElementById("table").getAttribute("aria-busy") === "false" && !document.getElementById("actions").hidden));
    if (await page.isVisible("#away")) return;
    await page.click('#hand [aria-pressed="false"] >> nth=-1');
    await page.click('[data-offer="composed"][data-kind="discard"]');
  }
  assert.fail("the others' turn never came");
}

/** Pressed twice, one game is dealt (FRT-4). */
async function pressedTwice() {
  await newGame();
  await page.waitForSelector("#begin:enabled");
  let created = 0;
  const slow = async (route) => {
    created += 1;
    await new Promise((done) => setTimeout(done, 300));
    await route.continue();
  };
  await page.route("**/CreateGame", slow);
  await page.dblclick("#begin");
  await page.waitForSelector("#table:visible");
  await ready();
  await page.unroute("**/CreateGame", slow);
  assert.equal(created, 1);
  console.log("pressed twice: one game");
}

/** Two naturals of one rank and two wild cards: a legal meld that lists of legal actions rarely hold. */
function mixed(cards) {
  const wild = cards.filter((card) => "X2".includes(card[0])).slice(0, 2);
  const pair = cards.filter((card) => !"X23".includes(card[0])).filter((card, _, all) => all.filter((other) => other[0] === card[0]).length === 2);
  return wild.length === 2 && pair.length >= 2 ? [...pair.filter((card) => card[0] === pair[0][0]), ...wild] : undefined;
}

/** A meld that the list of legal actions does not hold is not called illegal (FRT-5). */
async function unlisted() {
  seenAs = "classic-4p";
  const found = async () => {
    const meld = mixed(await hand());
    if (!meld || !/meld, then discard/.test(await page.textContent("#turn"))) return false;
    await pick(meld);
    await page.waitForFunction(() => /egal as picked/.test(document.getElementById("verdict").textContent));
    const isLegal = /^Legal as picked: Meld/.test(await page.textContent("#verdict"));
    if (isLegal && (await page.locator('[data-offer="legal"][data-kind="meld"]').count()) === 0) return true;
    await page.click("#clear");
    return false;
  };
  let deals = 0;
  for (; deals < 40; deals += 1) {
    await sitDown("classic-4p", 0, `owl ${deals}`);
    if (await playsUntil(found, 60)) break;
  }
  assert.ok(deals < 40, "no deal came to such a meld");
  const before = (await hand()).length;
  await page.click('[data-offer="composed"][data-kind="meld"]');
  await settled();
  assert.equal(await refused(), false);
  assert.equal((await hand()).length, before - 4, "it lies on the table");
  console.log(`unlisted: a legal meld is called legal, in deal ${deals}`);
}

/** One's own foot is named (FRT-9), and the table of a finished round stays until it is left (FRT-10). */
async function endOfRound() {
  seenAs = "hand-and-foot-4p";
  await sitDown("hand-and-foot-4p", 0, "heron");
  await ready();
  assert.match(await page.textContent("#hand-title"), /your foot: 13 cards, face down/);
  seenAs = "classic-2p";
  await sitDown("classic-2p", 0, "heron");
  while (await ready()) await suggested();
  const over = async () => {
    assert.match(await page.textContent("#turn"), /^Round 1 is over: /);
    const melds = await page.locator(".meld").count();
    assert.ok(melds > 0, "the melds still lie there");
    assert.ok(await page.isHidden("#actions"));
    return [melds, await page.textContent("#others"), await page.textContent("#centre")];
  };
  const seen = await over();
  await shot("over");
  await page.reload();
  await page.waitForSelector("#next button");
  await settled();
  assert.deepEqual(await over(), seen, "after a reload");
  await page.click("#next button");
  await ready();
  assert.equal(await page.textContent("#round"), "Round 2");
  console.log("end of a round: stays until it is left");
}

await reloads();
await away();
await pressedTwice();
await unlisted();
await endOfRound();
await outOfTurn();
await byKeys();
await twoSteps();
await wholeGame("wahhi-6p", "crane");

await newGame();
const ruleSets = await page.$$eval("#rule-set option", (all) => all.map((each) => each.value));
assert.ok(ruleSets.length >= 22);
for (const ruleSet of ruleSets) {
  await sitDown(ruleSet, 1, "stork");
  for (let moves = 0; moves < 3 && (await ready()); moves += 1) {
    await page.click("#hint");
    await page.click('[data-offer="hinted"]');
    await settled();
    assert.equal(await refused(), false, ruleSet);
  }
}
console.log(`${ruleSets.length} rule sets begun`);
await browser.close();
assert.deepEqual(complaints, []);
