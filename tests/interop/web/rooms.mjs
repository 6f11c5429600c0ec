// Several people at one table of the recorder, each in a browser of their own, with nothing but one link: a host, friends on
// phone and tablet in two languages, a spectator, and bots; the recorder is killed and started while they play; take-backs
// by agreement, a clock, a bot that takes over, a rematch; and a sentence for everything that can go wrong.
//
//     node rooms.mjs CANASTA_RECORDER FOLDER_FOR_DATA FOLDER_FOR_SCREENSHOTS

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Recorder } from "./recorder.mjs";
import { againstBots, entered, joined, playAll, restarted, table } from "./room.mjs";
import { accessible, DESKTOP, hand, layout, mayDraw, openForm, person, PHONE, pictures, ready, run, suggested, TABLET, WAITS } from "./table.mjs";

const [program, data, folder, only] = process.argv.slice(2);
const shot = pictures(folder);

const turn = (page) => page.textContent("#turn");
const shown = (page) => page.evaluate(() => ({
  melds: [...document.querySelectorAll(".meld")].map((each) => each.getAttribute("aria-label")).sort(),
  pile: document.querySelector('[data-at="pile"]').getAttribute("aria-label").replace(/:.*/, ""),
  stock: document.querySelector('[data-at="stock"]').getAttribute("aria-label").replace(/:.*/, ""),
}));

/** Four people and a spectator; the recorder is killed twice while they play. */
async function friends() {
  const recorder = await new Recorder(program, `${data}-friends`).start();
  const ann = await person();
  const links = await table(ann, recorder.origin, "classic-4p", ["Ann", "Ben", "Cleo", "Dan"], []);
  assert.deepEqual(Object.keys(links), ["Ben", "Cleo", "Dan", "Spectators"]);
  const ben = await joined(links.Ben, { size: PHONE, scheme: "dark", touch: true });
  const cleo = await joined(links.Cleo, { size: TABLET });
  const dan = await joined(links.Dan, { size: PHONE, locale: "de-DE" });
  const watcher = await joined(links.Spectators, { size: DESKTOP, scheme: "dark" });
  const people = [ann, ben, cleo, dan];
  for (const [at, page] of people.entries()) {
    await page.waitForSelector("#hand .card");
    assert.match(await page.getAttribute("#own", "aria-label"), new RegExp(["Ann", "Ben", "Cleo", "Dan"][at]));
  }
  // Nobody's page holds what its seat may not see.
  assert.equal(await watcher.locator("#hand .card").count(), 0);
  for (const page of [watcher, ben]) {
    const other = (await hand(ann)).join(" ");
    assert.ok(!(await page.content()).includes(`data-card="${other}"`));
  }
  let moves = 0;
  await playAll(people, async () => (moves += 1) > 12);
  for (const [name, page] of Object.entries({ ann, ben, cleo, dan, watcher })) {
    await shot(page, `room-${name}`);
    await accessible(page, `room, ${name}`);
    await layout(page, `room, ${name}`);
  }
  // A second device at Ben's seat sees the same hand.
  await ben.click("#open-room");
  await ben.click("#own-device > summary");
  const again = await person({ size: PHONE });
  await entered(again, await ben.inputValue("#own-link"));
  await ben.keyboard.press("Escape");
  await again.waitForSelector("#hand .card");
  assert.deepEqual((await hand(again)).sort(), (await hand(ben)).sort());
  await again.context().close();
  // Killed and started: nobody loses a card, and nobody presses anything.
  for (let times = 0; times < 2; times += 1) {
    const cards = await Promise.all(people.map(hand));
    await restarted(recorder, [...people, watcher], () => times === 0 && shot(ann, "room-away"));
    assert.deepEqual(await Promise.all(people.map(hand)), cards, "the hands are the same");
    moves = 0;
    await playAll(people, async () => (moves += 1) > 4);
  }
  // To the end of the round: everybody sees the same table, and the sheet stays until each has left it.
  const atEnd = async () => (await Promise.all(people.map((page) => page.locator("#next-round").count()))).every((count) => count === 1);
  await playAll(people, atEnd, { most: 4000, leaves: false });
  await shot(ben, "room-round-ben");
  await accessible(dan, "room, the end of a round");
  for (const page of people) await page.click("#next-round");
  await playAll(people, async () => /plays|am Zug|dran|turn/.test(await turn(ann)), { most: 20 });
  await ann.waitForTimeout(500);
  assert.deepEqual(await shown(ben), await shown(ann), "two people see one table");
  for (const page of [...people, watcher]) await page.context().close();
  await recorder.kill();
  console.log("friends: four people and a spectator, two languages, a recorder killed twice, nobody loses a card");
}

/** Take-backs by agreement, a clock, a bot that takes over and gives back. */
async function agreements() {
  const recorder = await new Recorder(program, `${data}-agreements`).start();
  const ann = await person();
  const links = await table(ann, recorder.origin, "classic-2p", ["Ann", "Ben"], [], { takeBacks: "3", clock: "3" });
  const ben = await joined(links.Ben, { size: PHONE });
  await ben.waitForSelector("#hand .card");
  await ann.waitForSelector(".clock");
  assert.match(await ann.textContent(".clock.runs"), /^1[45]:\d\d$/);
  // Ann acts, then asks for her move back; Ben agrees.
  await playAll([ann, ben], () => mayDraw(ann), { most: 50 });
  const before = (await hand(ann)).sort();
  // The draw is no longer offered once it is done, however long the answer takes to what comes next.
  let answered;
  const answer = new Promise((done) => (answered = done));
  await ann.route("**/ListActions", (route) => answer.then(() => route.continue()));
  await ann.click('[data-act="draw"]');
  await ann.waitForFunction((size) => document.querySelectorAll("#hand .card").length > size, before.length);
  assert.equal(await ann.locator('[data-act="draw"]').count(), 0, "what was legal before is still offered");
  answered();
  await ann.click('[data-act="undo"]');
  await ben.waitForSelector('[data-act="agree"]');
  assert.match(await ben.textContent("#messages"), /Ann would like to take a move back/);
  await shot(ben, "room-offer");
  await accessible(ben, "an offer to take back");
  await ben.click('[data-act="agree"]');
  await ann.waitForFunction((size) => document.querySelectorAll("#hand .card").length === size, before.length);
  assert.deepEqual((await hand(ann)).sort(), before);
  // A bot plays for Ann, and gives the seat back.
  await ann.click("#open-room");
  await ann.click("#own-bot");
  await ann.waitForSelector("#come-back");
  await ann.keyboard.press("Escape");
  await ben.waitForSelector(WAITS, { timeout: 30_000 });
  await ann.click('[data-act="back"]');
  await ann.waitForSelector('[data-act="back"]', { state: "detached" });
  let moves = 0;
  await playAll([ann, ben], async () => (moves += 1) > 4);
  await ann.context().close();
  await ben.context().close();
  await recorder.kill();
  console.log("agreements: a take-back by agreement, a clock, a bot that takes over and gives back");
}

/** A whole game with bots: the winner, the verdict, the replay by a deep link, and a rematch. */
async function toTheEnd() {
  const recorder = await new Recorder(program, `${data}-end`).start();
  const ann = await person();
  await againstBots(ann, recorder.origin, "manzana-2p", { name: "Ann" });
  for (let moves = 0; ; moves += 1) {
    assert.ok(moves < 3000);
    const now = await ready(ann);
    if (now === "won") break;
    if (now === "round") await ann.click("#next-round");
    else await suggested(ann);
    if (now === "round") await ann.waitForSelector("#round-over", { state: "detached" });
  }
  await shot(ann, "room-won");
  await ann.keyboard.press("Escape");
  await ann.click("#menu summary");
  await ann.click("#open-log");
  for (let tries = 0; tries < 100; tries += 1) {
    await ann.click("#audit");
    await ann.waitForTimeout(200);
    if ((await ann.locator("#report .verdict").count()) > 0) break;
  }
  assert.match(await ann.textContent("#report"), /This game is lawful and complete\./);
  await ann.keyboard.press("Escape");
  // The end is there after a reload, and so is the way to a rematch.
  await ann.reload();
  await ann.waitForSelector("#rematch");
  const link = ann.url();
  await ann.click("#rematch");
  await ann.waitForFunction((old) => location.href !== old, link);
  await ready(ann);
  const again = await person();
  await again.goto(`${link}&at=20`);
  await again.waitForSelector(".viewer #felt");
  assert.equal(await again.textContent("#turn .n"), "20.");
  await shot(again, "room-replay");
  await accessible(again, "the replay of a room");
  await ann.context().close();
  await again.context().close();
  await recorder.kill();
  console.log("to the end: a winner, a verdict, a rematch, and a deep link to a record");
}

/** Everything that can go wrong has a sentence. */
async function troubles() {
  const recorder = await new Recorder(program, `${data}-troubles`, "--rooms-per-hour", "2").start();
  const ann = await person();
  const links = await table(ann, recorder.origin, "classic-2p", ["Ann", "Ben"], []);
  const said = async (page, expected, name) => {
    await page.waitForSelector("#problem");
    assert.match(await page.textContent("#problem"), expected, name);
    await accessible(page, name);
  };
  const ben = await joined(links.Ben, { size: PHONE });
  await ben.waitForSelector("#hand .card");
  // The host frees a chair: its player watches from then on, with the page open, and opened anew.
  await ann.click("#open-room");
  await ann.click('[data-chair="1"] button');
  await ann.click('[data-chair="1"] button');
  await ann.waitForFunction(() => /Bot/.test(document.querySelector('[data-chair="1"]').textContent));
  await ann.keyboard.press("Escape");
  await ben.waitForFunction(() => /Your chair is free now/.test(document.querySelector("#room-status")?.textContent));
  await shot(ben, "room-freed");
  await ben.reload();
  await ben.waitForSelector("#panel-room");
  assert.equal(await ben.locator("#hand .card").count(), 0);
  // A link that was cut, and one of a table that is no more.
  const cut = await person({ locale: "de-DE" });
  const crowd = await person();
  await againstBots(crowd, recorder.origin, "classic-2p");
  await cut.goto(crowd.url().slice(0, 80));
  await said(cut, /unvollständig/, "cut");
  const short = await person();
  await short.goto(`${recorder.origin}/#k3vd8m0pr7`);
  await said(short, /not complete/, "a cut code");
  // The disk is full: the recorder's answer, as it comes over the wire.
  await ann.route("**/*RecordService/Act", (route) => route.fulfill({
    status: 200,
    headers: { "content-type": "application/grpc-web+proto", "grpc-status": "8", "grpc-message": "full", "grpc-status-details-bin": storeFull() },
  }));
  await ann.waitForSelector(`[data-at="stock"].target`);
  await ann.click('[data-at="stock"]');
  await said(ann, /no room left.*cards are safe/, "the disk is full");
  await ann.unroute("**/*RecordService/Act");
  // Too many tables from here.
  const third = await person();
  await third.goto(`${recorder.origin}/`);
  await openForm(third, "classic-2p");
  await third.fill("#setup .name", "Third");
  await third.click("#begin-room");
  await said(third, /Too many tables .* Try again in \d+ minutes/, "too many rooms");
  // The host is gone: the others go on.
  await ann.context().close();
  await crowd.reload();
  await ready(crowd);
  await suggested(crowd);
  for (const page of [ben, cut, short, crowd, third]) await page.context().close();
  await recorder.kill();
  console.log("troubles: revoked, cut and lost links, a full disk, too many rooms, a host who is gone");
}

/** Returns google.rpc.Status with ErrorInfo STORE_FULL, as the recorder sends it. */
function storeFull() {
  const field = (number, bytes) => Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
  const text = (number, value) => field(number, Buffer.from(value));
  const info = Buffer.concat([text(1, "STORE_FULL"), text(2, "canasta.v1")]);
  const any = Buffer.concat([text(1, "type.googleapis.com/google.rpc.ErrorInfo"), field(2, info)]);
  return Buffer.concat([Buffer.from([8, 8]), text(2, "full"), field(3, any)]).toString("base64").replaceAll("=", "");
}

/** The player has no name: everybody reads a neutral one in their own language, and so does whoever reads the log. */
async function nameless() {
  const recorder = await new Recorder(program, `${data}-nameless`).start();
  const host = await person({ locale: "de-DE" });
  await againstBots(host, recorder.origin, "gr-4p", { rounds: 2 });
  const guest = await person();
  await guest.goto(host.url());
  await guest.waitForSelector("#hand .card");
  const names = (page) => page.$$eval("#felt .who b, #felt .names", (all) => all.map((each) => each.textContent).join(" "));
  assert.match(await names(host), /Spieler 1/);
  assert.match(await names(guest), /Player 1/);
  for (const page of [host, guest]) assert.doesNotMatch(await names(page), /\b(You|Du)\b/);
  // The friend reads how the shortened game goes, opens a rule of it, and sees who drew what.
  await guest.click("#open-values");
  await guest.waitForSelector("#panel-values .explained");
  assert.match(await guest.textContent("#panel-values"), /15 below 0.*jokers: 50.*natural canasta pays 500/);
  await guest.click('#panel-values [data-rules="GR-030"]');
  await guest.waitForSelector("#rules dd");
  await guest.keyboard.press("Escape");
  await guest.keyboard.press("Escape");
  await guest.click("#open-scores");
  assert.equal(await guest.locator("#panel-scores tbody tr").count(), 4);
  await accessible(guest, "the draw among the scores");
  await guest.keyboard.press("Escape");
  await guest.click("#menu summary");
  await guest.click("#open-log");
  const [file] = await Promise.all([guest.waitForEvent("download"), guest.click("#download")]);
  await file.saveAs(`${folder}/nameless.clog`);
  const log = readFileSync(`${folder}/nameless.clog`, "latin1");
  assert.ok(log.includes("Player 1") && !/Spieler|\x03You|\x02Du/.test(log), "the names in the log");
  for (const page of [host, guest]) await page.context().close();
  await recorder.kill();
  console.log("nameless: neutral names, each in their reader's language, and English in the log");
}

await run({ friends, nameless, agreements, toTheEnd, troubles }, only);
