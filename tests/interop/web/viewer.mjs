// The viewer of a log: steps by buttons, keys and the slider; whose eyes; why refused, by which rule, and what else was possible;
// scores, verdict and paper; on desk and phone, light and dark, English and German, with two, four and six seats. axe must find
// nothing.
//
//     node viewer.mjs ORIGIN FOLDER_FOR_SCREENSHOTS LOGS [STEP,... | -STEP,...]
//
// LOGS: the folder of the golden logs (tests/data/logs/v2). Beside this file lies `build`, where the client is built.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as canasta from "./build/proto/clients/typescript/dist/index.js";
import { accessible, DESKTOP, person, PHONE, pictures, run } from "./table.mjs";

const [origin, folder, logs, only] = process.argv.slice(2);
const shot = pictures(folder);
const proven = readFileSync(join(logs, "../../../../replay-cli/tests/data/proven.link"), "utf8").replace(/^.*#/, "#");
const golden = (rules) => `${logs}/${rules}/game-000000.clog`;
const incidents = join(mkdtempSync(join(tmpdir(), "viewer-")), "incidents.clog");

/** Plays a game of two rounds with a refused discard (record 11), a note (23), a dispute (24 to 26) and a ruling (25). */
async function eventful() {
  const game = canasta.createClient(canasta.GameService, canasta.connect({ baseUrl: origin }));
  const bytes = (length, byte) => new Uint8Array(length).fill(byte);
  const { outcome: { value: { state: first, frames } } } = await game.createGame({
    ruleSet: "classic-4p", dealMode: canasta.DealMode.SEEDED, gameId: bytes(16, 7), secret: bytes(64, 9),
    players: ["Ann", "Ben", "Cleo", "Dan"].map((name) => ({ name })), houseRules: { knobs: { rounds: "2" } },
  });
  const parts = [frames];
  let [state, view] = [first, undefined];
  const apply = async (actor, action, expected, more = {}) => {
    const { outcome } = await game.applyAction({ state, actor, action, recordRefusal: true, wantView: true, ...more });
    assert.equal(outcome.case, expected);
    const done = expected === "rejected" ? outcome.value.recorded : outcome.value;
    state = done.state;
    parts.push(done.frames);
    return outcome.value;
  };
  const director = canasta.asRole(canasta.Role.DIRECTOR);
  for (let moves = 0; view?.phase !== canasta.Phase.GAME_OVER; moves += 1) {
    const actor = view?.toAct === undefined ? canasta.TABLE : canasta.asSeat(view.toAct);
    const { action } = await game.suggestAction({ state, actor, level: 2 });
    if (moves === 9) await apply(actor, { kind: { case: "discard", value: { card: "X" } } }, "rejected");
    if (moves === 20) {
      await apply(actor, undefined, "recorded", { note: { text: "Ben was warned <b>twice</b>" } });
      await apply(actor, { kind: { case: "dispute", value: { open: true, reason: "the pile" } } }, "accepted");
      const ruling = { by: canasta.Authority.DIRECTOR, offender: 1, side: 1, rule: "IR-014", points: -50, reason: "Ben spread the pile" };
      await apply(director, { kind: { case: "ruling", value: ruling } }, "accepted");
      await apply(director, { kind: { case: "dispute", value: { open: false, reason: "" } } }, "accepted");
    }
    ({ view } = await apply(actor, action, "accepted"));
  }
  writeFileSync(incidents, canasta.joined(parts));
}

/** `log`: a file, or the part of a link behind its page. */
async function opened(log, settings = {}) {
  const page = await person({ settings: {}, ...settings });
  await page.goto(`${origin}/${log.startsWith("#") ? log : ""}`);
  if (!log.startsWith("#")) await page.setInputFiles("#load", log);
  await page.waitForSelector(".viewer");
  return page;
}

const at = async (page) => Number((await page.textContent("#turn .n")).replace(".", ""));
const said = async (page) => (await page.textContent("#turn")).replace(/^\d+\. /, "");

/** Goes to a record by the slider. */
async function go(page, n) {
  await page.$eval("#actions input", (slider, to) => {
    slider.value = to;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, n);
  assert.equal(await at(page), n);
}

async function pane(page, name) {
  await page.click(`[data-pane="${name}"]`);
  await page.waitForSelector(name === "board" ? "#felt" : `#pane-${name}`, { state: "visible" });
}

async function look(page, eyes) {
  await page.selectOption("#eyes", eyes);
  await page.waitForSelector(`.viewer[data-eyes="${eyes}"][aria-busy="false"]`);
}

/** What is refused, ruled and noted: that it is found, why, and who may know. */
async function refused() {
  const page = await opened(incidents);
  assert.equal(await at(page), 2, "the first deal");
  await page.waitForSelector(".viewer [data-pane=verdict] span");
  await page.check("#incidents");
  const lines = await page.$$eval(".turn [data-step]", (all) => all.filter((line) => line.offsetParent).map((line) => line.textContent.trim()));
  assert.deepEqual(lines.map((line) => line.replace(/ +/g, " ")), [
    "11 refused Dan tried: Discard Joker",
    "23 note Cleo notes: Ben was warned <b>twice</b>",
    "24 dispute Cleo: Open a dispute: the pile. Play is suspended: a dispute is open",
    "25 ruling Ruling 1 by the director under IR-014: -50 points for Ben & Dan (Ben): Ben spread the pile",
    "26 dispute The dispute is closed: play goes on",
  ]);
  await shot(page, "viewer-incidents");
  await page.click('[data-step="11"]');
  await pane(page, "why");
  await page.waitForSelector(".violations");
  assert.match(await page.textContent(".violations"), /^Not allowed: Joker is not in the hand as often as named \(0 held\)\..*TURN_CARD_NOT_IN_HAND$/);
  assert.equal(await page.textContent('[data-rule] summary'), "CL-018");
  await page.click('[data-rule="CL-018"] summary');
  await page.waitForFunction(() => /^Melding is allowed only after the draw or take/.test(document.querySelector("[data-rule] > p[lang]").textContent));
  // Dan holds 3c Tc Kd 8h 7s Js, and may lay the seven: seven things, of which six are shown at first.
  const possible = () => page.$$eval(".possible li > span", (all) => all.map((each) => each.textContent));
  assert.equal((await possible()).length, 6);
  await page.click("#more-possible");
  assert.deepEqual((await possible()).sort(), ["7♠ onto the sevens", "Discard 10♣", "Discard 3♣", "Discard 7♠", "Discard 8♥", "Discard J♠", "Discard K♦"]);
  await shot(page, "viewer-why");
  await accessible(page, "why");
  // Another seat is told that it was refused, by which rule, and no card.
  await look(page, "1");
  await page.waitForSelector(".violations");
  assert.equal(await said(page), "Dan tried something that is not allowed");
  assert.match(await page.textContent("#pane-why"), /only those are told who may see the cards.*CL-018/);
  assert.ok(!/Joker|♠|♥|♦|♣/.test(await page.textContent("#pane-why")), "a card of another seat");
  await look(page, "judge");
  await go(page, 25);
  await page.waitForSelector('[data-rule="IR-014"]');
  // What was done is not what else was possible, and no two things are called the same.
  for (let n = 30; n < 60; n += 3) {
    await go(page, n);
    await page.waitForSelector("#pane-why .legal");
    if ((await page.locator("#more-possible").count()) > 0) await page.click("#more-possible");
    const all = await possible();
    assert.equal(new Set(all).size, all.length, `record ${n}: ${all.join(", ")}`);
  }
  await pane(page, "scores");
  // 1,045 + 475 and 1,725 + 810, as the terminal counts them.
  assert.deepEqual(await page.$$eval(".totals td", (all) => all.map((each) => each.textContent)), ["1,045", "1,725", "1,520", "2,535"]);
  assert.equal(await page.textContent("#pane-scores .winner"), "Ben & Dan won by 1,015");
  assert.match(await page.textContent('#pane-scores tr:has(th:text("Rulings"))'), /-50$/);
  assert.equal(await page.locator(".chart polyline").count(), 2);
  await page.click("#explain-sheets");
  assert.match(await page.textContent("#pane-scores"), /Bonus for seven or more cards without a wild card\./);
  await pane(page, "verdict");
  assert.match(await page.textContent("#pane-verdict"), /This game is lawful and complete, with rulings of officials\..*not that these people played it/);
  await page.click(".expert summary");
  assert.match(await page.textContent(".expert"), /07070707070707070707070707070707.*1 refusal, 1 ruling/);
  await accessible(page, "verdict");
  await paper(page);
  await page.context().close();
  console.log("refused: which rule, what else was possible, who may know; scores, verdict, paper");
}

/** On paper are verdict, sheets and incidents, and no board. */
async function paper(page) {
  await page.emulateMedia({ media: "print" });
  const seen = await page.$$eval("#felt, #bar, .panes, .verdict, .totals, [data-step]", (all) => all.filter((each) => each.offsetParent).map((each) => each.id || each.dataset.step || each.className));
  assert.deepEqual(seen.sort(), ["11", "23", "24", "25", "26", "sheet totals", "summary verdict good"]);
  await page.emulateMedia({ media: "screen" });
}

/** Of a damaged log what is before the damage is shown, and the verdict says where it is. */
async function damaged() {
  const whole = readFileSync(incidents);
  const flipped = Buffer.from(whole);
  flipped[2500] ^= 1;
  const file = join(tmpdir(), `viewer-${process.pid}.clog`);
  for (const [bytes, verdict, finding] of [
    [flipped, /This log was altered/, /Record 55: Bytes were changed\./], [whole.subarray(0, 2500), /The log stops before the end/, /Record 55: The log breaks off within a record\./],
  ]) {
    writeFileSync(file, bytes);
    const page = await opened(file);
    await pane(page, "verdict");
    await page.waitForSelector(".verdict:not(.good)");
    assert.match(await page.textContent("#pane-verdict"), verdict);
    assert.match(await page.textContent(".findings"), finding);
    await accessible(page, "damaged");
    // The cards of its open round are hidden; who did what is not.
    await go(page, 54);
    assert.match(await page.textContent("#felt"), /not revealed yet/);
    assert.equal(await said(page), "Ben: Discard 9♦");
    await page.click(".findings button");
    assert.equal(await at(page), 54, "the last sound record");
    await page.context().close();
  }
  writeFileSync(file, "no log at all");
  const page = await person({ settings: {} });
  await page.goto(`${origin}/`);
  await page.setInputFiles("#load", file);
  await page.waitForSelector(".verdict");
  assert.match(await page.textContent("main"), /This is not a log of a game\./);
  await page.context().close();
  console.log("damaged: the sound beginning, and where it ends");
}

/** Buttons and keys walk by record, turn and round; what each says is what the terminal says of these records. */
async function walked() {
  const page = await opened(golden("gr-4p"));
  // From `canasta-replay log`: 71 takes the pile, 72 melds, 73 discards; 74 is North's.
  const facts = { 70: "South discarded 10♣", 72: "West melded 8♠ (the eights)", 73: "West discarded K♣", 74: /^North drew / };
  for (const [n, fact] of Object.entries(facts)) {
    await go(page, Number(n));
    assert.match(await said(page), fact instanceof RegExp ? fact : new RegExp(`^${fact.replace(/[()]/g, "\\$&")}$`));
  }
  const press = async (key, n) => {
    await page.keyboard.press(key);
    assert.equal(await at(page), n, key);
  };
  await go(page, 71);
  await page.evaluate(() => document.activeElement.blur());
  await press("ArrowRight", 72);
  await press("ArrowLeft", 71);
  // A turn ends with its discard, behind which another seat is to act.
  await press("Shift+ArrowRight", 73);
  await press("Shift+ArrowLeft", 70);
  await press("Home", 0);
  assert.match(await page.textContent("#felt"), /No card was dealt yet/);
  await press("PageDown", 5);
  await press("End", 514);
  assert.match(await said(page), /The game is over\. East & West won by 850/);
  const deals = [];
  for (let n = 514; n > 0; n = await at(page)) {
    await page.keyboard.press("PageUp");
    if (await at(page)) deals.unshift(await at(page));
  }
  assert.deepEqual([deals.length, deals[0]], [7, 5], "seven rounds, as the terminal counts them");
  for (const [button, n] of [["last", 514], ["before", 513], ["first", 0], ["round.next", 5], ["next", 6], ["turn.next", 7], ["turn.before", 5], ["round.before", 0]]) {
    await page.click(`[data-act="${button}"]`);
    assert.equal(await at(page), n, button);
  }
  // Space runs and stops, and presses what has the focus.
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Space");
  await page.waitForFunction(() => Number.parseInt(document.querySelector("#turn .n").textContent) >= 2);
  await page.keyboard.press("Space");
  assert.equal(await page.getAttribute('[data-act="play"]', "aria-pressed"), "false");
  await page.focus('[data-act="next"]');
  const n = await at(page);
  await page.keyboard.press("Space");
  assert.equal(await at(page), n + 1);
  // The list has one place among the keys, the current record, which moves with the walk.
  assert.equal(await page.locator('.turn [tabindex="0"]').count(), 1);
  await page.focus('.turn [tabindex="0"]');
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.step), String(n + 2));
  await page.context().close();
  console.log("walked: records, turns and rounds by buttons and keys");
}

/** Bots play on where there is an engine in the page: marked as not played, to the end of the round, and with a way back. */
async function unplayed() {
  const page = await opened(incidents);
  await go(page, 11);
  await pane(page, "why");
  await page.waitForSelector(".possible");
  const hasEngine = (await page.request.get(`${origin}/canasta.wasm`)).ok();
  assert.equal(await page.locator("#play-on").count(), hasEngine ? 1 : 0);
  if (!hasEngine) return page.context().close();
  // In the place of the refused discard Dan discards the three of clubs.
  await page.click(".possible li:has-text('Discard 3♣') button");
  await page.waitForSelector("#unplayed");
  assert.deepEqual([await at(page), await said(page)], [11, "Dan discarded 3♣"]);
  assert.match(await page.textContent(".turn .unplayed"), /Dan discarded 3♣/);
  await page.keyboard.press("End");
  assert.match(await said(page), /The round is scored/);
  await accessible(page, "a branch");
  await shot(page, "viewer-unplayed");
  await page.click("#played");
  assert.deepEqual([await at(page), await said(page), await page.locator("#unplayed, .turn .unplayed").count()], [11, "Dan tried: Discard Joker", 0]);
  // What was refused is no choice; what was played is set beside the bot's, for whoever sees the hand, as the engine says it.
  assert.equal(await page.locator("#review").count(), 0);
  const described = await canasta.describeLog(origin, new Uint8Array(readFileSync(incidents)), canasta.JUDGE, 0n, undefined, true);
  const choice = described.findIndex(({ record, view }, n) => n > 11 && record.action?.kind.case === "discard" && view);
  await go(page, choice);
  await page.click("#review");
  await page.waitForFunction(() => /Level 4 of the bot finds nothing better|Better, from what this seat knew/.test(document.querySelector("#reviewed")?.textContent));
  await accessible(page, "a review");
  await look(page, "table");
  await page.waitForSelector("#review", { state: "detached" });
  await page.context().close();
  console.log("unplayed: what would have followed");
}

/** What the board shows, seat by seat. */
const board = (page) => page.evaluate(() => {
  const cards = (part) => (part?.dataset.cards ?? "").split(" ").filter(Boolean).sort();
  const seats = [...document.querySelectorAll("#felt .seat")].sort((a, b) => a.dataset.at.localeCompare(b.dataset.at));
  return {
    hands: seats.map((seat) => [Number(seat.dataset.size), cards(seat.querySelector(".mini:not(.threes, .foot)")), cards(seat.querySelector(".mini.foot"))]),
    melds: [...document.querySelectorAll("#felt [data-meld]")].map((meld) => `${meld.dataset.meld} ${cards(meld).join(" ")}`).sort(),
    top: document.querySelector("#felt [data-top]").dataset.top,
    backs: seats.map((seat) => seat.querySelectorAll(".backs .face").length),
  };
});

/** Every pair of eyes sees what the service tells it of a record, and backs for the rest. */
async function eyes(rules, every) {
  const page = await opened(golden(rules));
  const bytes = new Uint8Array(readFileSync(golden(rules)));
  const seats = await page.locator("#eyes option").count() - 2;
  const plain = (cards) => [...cards].sort();
  let compared = 0;
  for (const viewer of ["judge", "table", ...Array.from({ length: seats }, (_, seat) => String(seat))]) {
    const actor = viewer === "judge" ? canasta.JUDGE : viewer === "table" ? canasta.SPECTATOR : canasta.asSeat(Number(viewer));
    const records = await canasta.describeLog(origin, bytes, actor, 0n, undefined, true);
    await look(page, viewer);
    for (let n = 7; n < records.length; n += every) {
      const { view, events } = records[n];
      if (!view || events.length === 0) continue;
      await go(page, n);
      const seen = await board(page);
      assert.deepEqual(seen.hands, view.seats.map(({ handSize, hand, foot }) => [handSize, plain(hand), plain(foot)]), `${rules} ${n} ${viewer}`);
      assert.deepEqual(seen.melds, view.sides.flatMap(({ side, melds }) => melds.map(({ id, cards }) => `${side}.${id} ${plain(cards).join(" ")}`)).sort());
      assert.equal(seen.top, view.pile.top);
      for (const [seat, [size, hand, foot]] of seen.hands.entries()) {
        const isOwn = viewer === "judge" || viewer === String(seat);
        if (isOwn) assert.equal(hand.length, size);
        else assert.deepEqual([hand, foot, seen.backs[seat]], [[], [], Math.min(size, 9)], `${rules} ${n}: ${viewer} sees seat ${seat}`);
      }
      compared += 1;
    }
  }
  assert.ok(compared > 4 * seats, `${compared}`);
  await page.context().close();
  console.log(`eyes: ${rules}, ${compared} boards of ${seats + 2} pairs of eyes`);
}

/** Every pane fits into the window, with the transport in view, and axe has nothing to say. */
async function fits(log, name, size, scheme, locale) {
  const page = await opened(log, { size, scheme, locale });
  await go(page, 76);
  for (const each of await page.$$eval("[data-pane]", (all) => all.filter((button) => button.offsetParent).map((button) => button.dataset.pane))) {
    await pane(page, each);
    if (each === "why") await page.waitForSelector("#pane-why .legal, #pane-why .violations");
    if (each === "verdict") await page.waitForSelector("#pane-verdict .verdict");
    if (each === "proof") await page.click("#pane-proof summary");
    const faults = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      const found = scrollWidth > innerWidth || scrollHeight > innerHeight ? [`the page is ${scrollWidth} x ${scrollHeight}`] : [];
      for (const control of document.querySelectorAll("#actions button, #actions input, .panes button, #eyes")) {
        const { left, right, top, bottom, width, height } = control.getBoundingClientRect();
        if (width === 0) continue;
        if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) found.push(`${control.dataset.act ?? control.id} is out of the window`);
        if (width < 43.5 || height < 43.5) found.push(`${control.dataset.act ?? control.dataset.pane} is ${width} x ${height}`);
      }
      for (const wide of document.querySelectorAll(".pane > section:not(.off), #felt")) if (wide.scrollWidth > wide.clientWidth + 1) found.push(`${wide.id} is ${wide.scrollWidth} in ${wide.clientWidth}`);
      const felt = document.querySelector("#felt");
      if (felt.offsetParent && felt.scrollHeight > felt.clientHeight + 1) found.push(`the felt is ${felt.scrollHeight} in ${felt.clientHeight}`);
      return found;
    });
    assert.deepEqual(faults, [], `${name}: ${each}`);
    await accessible(page, `${name}: ${each}`);
    await shot(page, `viewer-${name}-${each}`);
  }
  await page.context().close();
}

/** What a link with a proof says: that the game is proven, under whose key; and nothing like it after any change, or of another game. */
async function carried() {
  const says = async (link, locale = "en-GB") => {
    const page = await person({ settings: {}, locale });
    await page.goto(`${origin}/${link}`);
    await page.waitForSelector("#problem, [data-pane=proof] span, .viewer:not(:has([data-pane=proof])) [data-pane=verdict] span");
    const text = await page.evaluate(() => document.querySelector("#proven")?.textContent ?? "");
    return { page, text, isProven: /is proven|ist bewiesen/.test(text) };
  };
  const { page, text } = await says(proven);
  assert.equal(text, "This game is proven, under the key open.example+66dfffa3.");
  await pane(page, "proof");
  assert.match(await page.textContent(".said"), /lawful and complete\.It is entry 1 of 3 in the tree of open\.example: table-1\..*Signed by open\.example\+66dfffa3\.Seen by the witness w\.example\+/);
  // The link is passed on with its proof, and stays in the address.
  await page.click("#share-open");
  assert.equal((await page.inputValue("#share-link")).replace(/^.*#/, "#").replace(/&at=\d+$/, ""), proven);
  await page.keyboard.press("Escape");
  await go(page, 20);
  await page.waitForFunction((end) => location.hash.endsWith(end), `${proven.slice(-20)}&at=20`);
  await shot(page, "viewer-proven");
  await page.context().close();
  assert.match((await says(proven, "de-DE")).text, /^Dieses Spiel ist bewiesen, unter dem Schlüssel open\.example\+66dfffa3\.$/);
  const start = proven.indexOf("&p=");
  for (let place = 3; place < proven.length; place += place < start ? 211 : 23) {
    const other = proven[place] === "A" ? "B" : "A";
    const { page, text, isProven } = await says(proven.slice(0, place) + other + proven.slice(place + 1));
    assert.ok(!isProven, `character ${place}: ${text}`);
    if (place > start + 3) assert.equal(text, "The proof does not hold.", `character ${place}`);
    await page.context().close();
  }
  const lawful = await opened(golden("classic-2p"));
  await lawful.click("#share-open");
  const game = (await lawful.inputValue("#share-link")).replace(/^.*#/, "#").replace(/&at=\d+$/, "");
  await lawful.context().close();
  const forged = await says(game + proven.slice(start));
  assert.equal(forged.text, "The proof does not hold.");
  await pane(forged.page, "proof");
  assert.ok(!/open\.example/.test(await forged.page.textContent(".said")), "who signed another game");
  await accessible(forged.page, "a proof that does not hold");
  await shot(forged.page, "viewer-forged");
  await forged.page.context().close();
  console.log("carried: a link with a proof is proven under its key, and by no other character");
}

const LOGS = { two: golden("classic-2p"), four: incidents, six: golden("hand-and-foot-6p"), proven };
const everywhere = async () => {
  for (const [seats, log] of Object.entries(LOGS)) {
    for (const [device, size] of Object.entries({ desk: DESKTOP, phone: PHONE })) {
      for (const [scheme, locale] of [["light", "de-DE"], ["dark", "en-GB"]]) {
        // What differs by one of these alone is seen in each: four looks would tell no more than two.
        await fits(log, `${seats}-${device}-${scheme}`, size, scheme, locale);
      }
    }
  }
  console.log("everywhere: two, four and six seats on desk and phone, light and dark, English and German");
};

await eventful();
await run({ refused, walked, damaged, unplayed, carried, eyes: () => eyes("hand-and-foot-6p", 97), "eyes of four": () => eyes("classic-4p", 61), everywhere }, only);
