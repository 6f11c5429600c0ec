// An evening in one room: friends come by one short link, sit down by one tap, play, go and come back, end games, and go on;
// three browsers of players, a phone and a German one among them, and a late friend; the recorder is killed meanwhile.
//
//     node friends.mjs CANASTA_RECORDER FOLDER_FOR_DATA FOLDER_FOR_SCREENSHOTS

import assert from "node:assert/strict";
import { Recorder } from "./recorder.mjs";
import { entered, playAll, restarted, room, seated } from "./room.mjs";
import { accessible, DESKTOP, forgiving, hand, layout, mayDraw, person, PHONE, pictures, run, watched } from "./table.mjs";

const [program, data, folder, only] = process.argv.slice(2);
const shot = pictures(folder);

/** Milliseconds after which somebody who has gone is away, and some more. */
const GONE = 25_000;
const inRoom = (page) => page.waitForSelector("#room");
const atTable = (page) => page.waitForSelector("#hand .card", { timeout: 20_000 });
/** Closes a page; returns an empty one of the same browser. */
async function closedPage(page) {
  const next = watched(await page.context().newPage());
  await page.close();
  return next;
}
const row = (page, chair) => page.locator(`[data-chair="${chair}"]`);
const panel = async (page) => {
  await page.click("#open-room");
  await page.waitForSelector("#panel-room");
};
const closed = async (page) => {
  await page.keyboard.press("Escape");
  await page.waitForSelector("#panel-room", { state: "detached" });
};

async function friends() {
  const recorder = await new Recorder(program, data).start();
  const ann = await person();
  const link = await room(ann, recorder.origin, "classic-4p", "Ann");
  assert.match(link, /#[0-9a-z]{12}$/, "a short link");
  await accessible(ann, "a waiting room, its host");
  await shot(ann, "friends-host");

  // From the link to a chair: one tap, for whoever has given a name before.
  const asked = [];
  const ben = await person({ size: PHONE, scheme: "dark", touch: true, settings: { pace: "once", guided: "done", name: "Ben" } });
  ben.on("request", (request) => asked.push([request.url(), request.headers()["referer"]]));
  await entered(ben, link);
  await row(ben, 2).getByRole("button").tap();
  await ben.waitForSelector("#ready");
  assert.deepEqual(asked.filter(([url, referer]) => `${url} ${referer ?? ""}`.includes(link.split("#")[1])), [], "no address has the code");
  await accessible(ben, "a waiting room on a phone");
  await shot(ben, "friends-phone");
  let cleo = await person({ locale: "de-DE" });
  await entered(cleo, link);
  // Nobody has the name of somebody else.
  await cleo.fill("#own-name", "Ann");
  await row(cleo, 1).getByRole("button").click();
  await cleo.waitForFunction(() => /heißt hier schon/.test(document.querySelector("#room-status").textContent));
  await seated(cleo, 1, "Cleo");
  await accessible(cleo, "a waiting room in German");
  await shot(cleo, "friends-german");
  // Ann and Ben sit opposite: they are partners.
  assert.match(await row(ann, 0).textContent(), /partner: Ben/);
  // Ann and Cleo are partners once the seats are turned, and turned twice more nothing has changed.
  for (const partner of [/partner: Cleo/, /partner: free/, /partner: Ben/]) {
    await ann.click("#turn-seats");
    await ann.waitForFunction((text) => new RegExp(text).test(document.querySelector('[data-chair="0"]').textContent), partner.source);
  }
  // Other rules, by the host alone, for as many players.
  assert.equal(await cleo.locator("#other-rules").count(), 0);
  await ann.click("#other-rules");
  await ann.waitForSelector("#room-set");
  await accessible(ann, "other rules of a room");
  await ann.selectOption("#length", "1");
  await ann.click("#rules-of-room #begin");
  await ann.waitForSelector("#rules-of-room", { state: "detached" });
  // A bot sits on the fourth chair. All are ready, one of them while the bot still comes, and the game begins by itself.
  await ann.route("**/ChangeRoom", async (route) => {
    await new Promise((done) => setTimeout(done, 1000));
    await route.continue();
  });
  await row(ann, 3).getByRole("button").click();
  for (const page of [ann, ben]) await page.click("#ready");
  await ben.waitForFunction(() => /Waiting for Cleo\./.test(document.querySelector("#room-status").textContent));
  await ann.unroute("**/ChangeRoom");
  await cleo.click("#ready");
  for (const page of [ann, ben, cleo]) await atTable(page);
  let moves = 0;
  await playAll([ann, ben, cleo], async () => (moves += 1) > 6);
  for (const [name, page] of Object.entries({ ann, ben, cleo })) await layout(page, `a room's game, ${name}`);
  // Escape, and a press beside it, close the menu.
  for (const leave of [() => ann.keyboard.press("Escape"), () => ann.mouse.click(400, 400)]) {
    await ann.click("#menu summary");
    await leave();
    await ann.waitForSelector("#menu[open]", { state: "detached" });
  }
  assert.equal(await ann.locator('#hand [aria-pressed="true"]').count(), 0);
  await panel(ann);
  await accessible(ann, "the panel of a room");
  await shot(ann, "friends-panel");
  await closed(ann);
  await panel(ben);
  await accessible(ben, "the panel of a room on a phone");
  await shot(ben, "friends-panel-phone");
  await closed(ben);

  // The same link is the same chair, in the same browser; the code of a chair is for another device.
  const cards = (await hand(cleo)).sort();
  cleo = await closedPage(cleo);
  await cleo.goto(link);
  await atTable(cleo);
  assert.deepEqual((await hand(cleo)).sort(), cards);
  await panel(cleo);
  await cleo.click("#own-device > summary");
  const own = await cleo.inputValue("#own-link");
  await closed(cleo);
  const tablet = await person({ locale: "de-DE" });
  await tablet.goto(own);
  await atTable(tablet);
  assert.deepEqual((await hand(tablet)).sort(), cards);
  assert.equal(tablet.url(), link, "the code of the chair has left the address");
  await tablet.context().close();

  // The recorder is killed and started: everybody is still there.
  const hands = await Promise.all([ann, ben, cleo].map(hand));
  await restarted(recorder, [ann, ben, cleo]);
  assert.deepEqual(await Promise.all([ann, ben, cleo].map(hand)), hands);

  // Cleo's browser is gone: her place turns grey, a bot holds it, and she comes back by the same link.
  cleo = await closedPage(cleo);
  await ann.waitForSelector(".seat.away", { timeout: GONE });
  await panel(ann);
  assert.match(await row(ann, 1).textContent(), /away since \d+:\d\d/);
  await shot(ann, "friends-away");
  await accessible(ann, "somebody is away");
  await row(ann, 1).getByRole("button", { name: "Let a bot hold" }).click();
  await ann.waitForFunction(() => /a bot plays/.test(document.querySelector('[data-chair="1"]').textContent));
  await closed(ann);
  await cleo.goto(link);
  await cleo.click('[data-act="back"]');
  await cleo.waitForSelector('[data-act="back"]', { state: "detached" });
  await ann.waitForSelector(".seat.away", { state: "detached" });

  // Ann would stop; Ben says no, and the game goes on.
  const ends = async (page, which) => {
    await panel(page);
    await page.click(which);
    await page.waitForSelector("#end-yes");
    await accessible(page, `the question before ${which}`);
    await page.click("#end-yes");
    await page.waitForSelector("#panel-room", { state: "detached" });
  };
  await playAll([ann, ben, cleo], () => mayDraw(ann));
  await ends(ann, "#offer-stop");
  await cleo.waitForSelector('[data-act="decline"]');
  assert.match(await cleo.textContent("#messages"), /Ann möchte das Spiel abbrechen/);
  await shot(cleo, "friends-offer");
  await accessible(cleo, "an offer to stop");
  await cleo.click('[data-act="decline"]');
  for (const page of [ann, ben, cleo]) await page.waitForSelector('[data-act="decline"]', { state: "detached" });

  // A take-back of what has shown a card says what it is about, and can be refused.
  await ann.click('[data-act="draw"]');
  await ann.waitForSelector('[data-act="undo"]');
  await ann.click('[data-act="undo"]');
  await cleo.waitForSelector('[data-act="decline"]');
  await cleo.waitForFunction(() => /Ann ./.test(document.querySelector("#messages li")?.textContent ?? ""));
  await shot(cleo, "friends-take-back");
  await cleo.click('[data-act="decline"]');
  await cleo.waitForSelector('[data-act="decline"]', { state: "detached" });
  await ann.waitForFunction(() => /declined/.test(document.querySelector("#notice").textContent));

  // Cleo resigns; her partner is a bot. The others learn it, and all say Again: the next game begins in the same room.
  await ends(cleo, "#resign");
  for (const page of [ann, ben, cleo]) await page.waitForSelector("dialog.won");
  await shot(ben, "friends-won");
  await accessible(ann, "the end of a game of a room");
  // Whoever has closed the dialog still finds Again.
  await ann.keyboard.press("Escape");
  await ann.click('#bar [data-act="again"]');
  await ben.dblclick('#round-over [data-act="again"]');
  await cleo.click('#round-over [data-act="again"]');
  for (const page of [ann, ben, cleo]) {
    await page.waitForSelector("dialog.won", { state: "detached" });
    await atTable(page);
  }

  // A friend comes late, watches, and takes the chair of the bot: the same game, one tap.
  const dan = await person({ size: DESKTOP, scheme: "dark", settings: { pace: "once", guided: "done", name: "Dan" } });
  await dan.goto(link);
  await dan.waitForSelector("#panel-room");
  assert.equal(await dan.locator("#hand .card").count(), 0);
  await accessible(dan, "a running game, from outside");
  await shot(dan, "friends-late");
  // Two presses are meant as one.
  await row(dan, 3).getByRole("button").dblclick();
  await atTable(dan);
  // The table calls him by his name, for everybody.
  assert.match(await dan.getAttribute("#own", "aria-label"), /Dan/);
  await ann.waitForFunction(() => [...document.querySelectorAll("#felt .who b")].some((each) => each.textContent === "Dan"));

  // One stands up: the page stays, as a guest's.
  await panel(ben);
  // In a game that is asked first.
  await ben.click("#stand-up");
  assert.match(await ben.textContent("#stand-up"), /Really/);
  await ben.click("#stand-up");
  await ben.waitForSelector("#hand", { state: "detached" });
  await row(ben, 2).getByRole("button").tap();
  await atTable(ben);
  if ((await ben.locator("#panel-room").count()) > 0) await closed(ben);

  // All agree to stop: of the other side one is enough. Then the waiting room has the evening, and a third game begins.
  moves = 0;
  await playAll([ann, ben, cleo, dan], async () => (moves += 1) > 4);
  await ends(ann, "#offer-stop");
  await cleo.click('[data-act="agree"]');
  for (const page of [ann, ben, cleo, dan]) await page.waitForSelector("dialog.won");
  await ann.click('#round-over [data-act="to-room"]');
  await inRoom(ann);
  const rows = await ann.$$eval("#room .sheet tbody tr", (all) => all.map((each) => each.textContent));
  assert.ok(rows.some((text) => /^Ann21/.test(text)), rows.join(", "));
  await accessible(ann, "a waiting room after two games");
  await shot(ann, "friends-table");
  await ann.click("#ready");
  for (const page of [ben, cleo, dan]) await page.click('#round-over [data-act="again"]');
  for (const page of [ann, ben, cleo, dan]) await atTable(page);

  // A new link ends the old one; nobody on a chair notices.
  await panel(ann);
  await ann.click("#new-code");
  await ann.waitForFunction((old) => location.href !== old && document.querySelector("#guests-link").value === location.href, link);
  await closed(ann);
  const late = await person();
  await forgiving([late], /404|NOT_FOUND|not_found/, async () => {
    await late.goto(link);
    await late.waitForSelector("#problem");
  });
  assert.match(await late.textContent("#problem"), /was replaced/);
  await ben.reload();
  await atTable(ben);
  for (const page of [ann, ben, cleo, dan, late]) {
    assert.ok(page === late || (await page.locator("#problem").count()) === 0);
    await page.context().close();
  }
  await recorder.kill();
  console.log("friends: a short link, four people, three games in one room, a killed recorder, bots, offers, another link");
}

await run({ friends }, only);
