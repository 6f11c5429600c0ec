// An evening at the table, as people notice it: whose turn it is is seen, heard and told; the hand lies as its player wants it;
// melds are large, canastas squared up; a round is counted on the table; a game begins by one press, and needs no server.
//
//     node evening.mjs CANASTA_RECORDER FOLDER_FOR_DATA FOLDER_FOR_SCREENSHOTS [STEP,...]

import assert from "node:assert/strict";
import { Recorder } from "./recorder.mjs";
import { joined, playAll, table } from "./room.mjs";
import { drawn } from "./speed.mjs";
import { accessible, forgiving, hand, layout, mayDraw, openForm, person, PHONE, picked, pictures, ready, run, still, suggested } from "./table.mjs";

const [program, data, folder, only] = process.argv.slice(2);
const shot = pictures(folder);
/** The windows of a laptop, a small laptop and a phone. */
const SIZES = { laptop: { width: 1280, height: 800 }, small: { width: 1366, height: 650 }, phone: PHONE };

/** A recorder of this step's own. */
const served = (name) => new Recorder(program, `${data}-${name}`).start();

/** One press begins a game of the first page. */
async function playNow(page, origin, ruleSet = "classic-4p") {
  await page.goto(`${origin}/`);
  await page.click(`[data-play="${ruleSet}"]`);
  await page.waitForSelector("#table");
  return ready(page);
}

/** Begins a game of any rule set against bots. */
async function against(page, origin, ruleSet) {
  await page.goto(`${origin}/`);
  await page.waitForSelector("#all-games");
  await openForm(page, ruleSet);
  for (const box of await page.locator("#setup .place .check input").all()) await box.check();
  await page.click("#begin");
  await page.waitForSelector("#table");
  return ready(page);
}

const icon = (page) => page.getAttribute("link[rel=icon]", "href");

/** The turn in the title, the icon, by sound, vibration and notification; what happened, and for how long somebody thinks. */
async function turn() {
  const recorder = await served("turn");
  const ann = await person({ size: PHONE, touch: true });
  // What the device would do is noted.
  await ann.addInitScript(() => {
    globalThis.told = { notes: 0, vibrations: 0, notified: [] };
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      globalThis.told.notes += 1;
      return start.apply(this, when);
    };
    navigator.vibrate = () => (globalThis.told.vibrations += 1) > 0;
    globalThis.Notification = class {
      static permission = "default";
      static requestPermission = async () => (globalThis.Notification.permission = "granted");
      constructor(title, { body }) {
        globalThis.told.notified.push([title, body]);
      }
    };
    // Phones notify by the service worker alone.
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => void new globalThis.Notification(title, options);
    Object.defineProperty(document, "hidden", { get: () => globalThis.isHidden === true });
  });
  const links = await table(ann, recorder.origin, "classic-2p", ["Ann", "Ben"], []);
  const ben = await joined(links.Ben, { locale: "de-DE" });
  await ben.waitForSelector("#hand .card");
  const told = () => ann.evaluate(() => globalThis.told);
  const mine = async (page) => (await page.locator('[data-act="hint"]').count()) > 0;
  const pass = async (from, to) => {
    while (await mine(from)) await suggested(from);
    await to.waitForSelector('[data-act="hint"]');
  };
  if (await mine(ann)) await pass(ann, ben);
  assert.match(await ben.title(), /^● Du bist dran · /);
  assert.equal(await icon(ben), "/turn.svg");
  assert.match(await ann.title(), /^Classic.* · Canasta$/);
  assert.equal(await icon(ann), "/favicon.svg");
  // What Ann has done is one line above the hand, in words of the game.
  if ((await ben.textContent("#happened")) !== "") assert.match(await ben.textContent("#happened"), /^Ann hat .*(abgeworfen|gezogen|gemeldet)/);
  const before = await told();
  await ann.waitForSelector("#thinks", { timeout: 8000 });
  const seconds = async () => Number(/\d+/.exec(await ann.textContent("#thinks"))[0]);
  const first = await seconds();
  assert.ok(first >= 3, `${first} s`);
  await ann.waitForFunction((was) => Number(/\d+/.exec(document.querySelector("#thinks").textContent)[0]) > was, first);
  assert.equal(await ann.locator("[role=status] #thinks, [aria-live] #thinks").count(), 0, "seconds are not read out");
  await accessible(ann, "somebody thinks");
  await shot(ann, "evening-thinks");
  await pass(ben, ann);
  assert.match(await ann.textContent("#happened"), /^Ben discarded |^Ben /);
  const after = await told();
  assert.deepEqual([after.notes, after.notified.length], [0, 0], "sound and notification are off until they are pressed");
  assert.equal(after.vibrations, before.vibrations + 1);
  await ann.click("#menu summary");
  await accessible(ann, "the menu with alerts");
  await shot(ann, "evening-alerts");
  await ann.check("#alert-sound");
  assert.ok((await told()).notes > 0, "a sound that is switched on is heard");
  await ann.check("#alert-notification");
  await ann.click("#menu summary");
  const notes = (await told()).notes;
  await pass(ann, ben);
  await ann.evaluate(() => (globalThis.isHidden = true));
  await pass(ben, ann);
  await ann.waitForFunction(() => globalThis.told.notified.length === 1);
  const last = await told();
  assert.ok(last.notes > notes, "the turn is heard");
  assert.match(last.notified[0].join("|"), /^Your turn\|Ben /);
  // Kept for the next visit.
  assert.deepEqual(await ann.evaluate(() => ["sound", "notification"].map((name) => JSON.parse(localStorage.getItem(`canasta.set.${name}`)))), ["on", "on"]);
  for (const page of [ann, ben]) await page.context().close();
  await recorder.kill();
  console.log("turn: title, icon, sound, vibration and notification; what happened, and for how long somebody thinks");
}

const RANKS = "AKQJT98765432X";
const bySuit = (cards) => cards.every((card, at) => {
  const before = cards[at - 1];
  const place = (each) => ("X2".includes(each[0]) ? 9 : "shcd".indexOf(each[1]));
  return at === 0 || place(before) < place(card) || (place(before) === place(card) && RANKS.indexOf(before[0]) <= RANKS.indexOf(card[0]));
});

/** The hand by rank, by suit, and in an order of one's own by dragging and by keys; kept for the game. */
async function order() {
  const recorder = await served("order");
  const page = await person({ size: SIZES.laptop });
  await playNow(page, recorder.origin);
  const byRank = await hand(page);
  assert.ok(byRank.every((card, at) => at === 0 || "AKQJT98765432X".indexOf(byRank[at - 1][0]) <= "AKQJT98765432X".indexOf(card[0]) || "X2".includes(byRank[at - 1][0])));
  await page.click("#menu summary");
  await page.selectOption("#order", "suit");
  await page.click("#menu summary");
  const suits = await hand(page);
  assert.ok(bySuit(suits) && suits.join() !== byRank.join(), `${suits}`);
  // A card is dragged to the front; nothing is picked, nothing is played.
  const cards = page.locator("#hand .card");
  const [from, to] = [await cards.nth(5).boundingBox(), await cards.nth(0).boundingBox()];
  await page.mouse.move(from.x + 12, from.y + 30);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 20, { steps: 4 });
  await page.mouse.move(to.x + 8, to.y + 40, { steps: 8 });
  await page.waitForSelector("#hand .gap");
  await shot(page, "evening-order");
  await page.mouse.up();
  await drawn(page);
  const own = [suits[5], ...suits.slice(0, 5), ...suits.slice(6)];
  assert.deepEqual([await hand(page), await picked(page)], [own, []]);
  // By keys: a picked card goes along, and keeps the focus.
  await cards.nth(0).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Alt+ArrowRight");
  await page.keyboard.press("Alt+ArrowRight");
  const moved = [own[1], own[2], own[0], ...own.slice(3)];
  assert.deepEqual([await hand(page), await picked(page)], [moved, [own[0]]]);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.place), "2");
  await page.keyboard.press("Space");
  await page.reload();
  await ready(page);
  assert.deepEqual(await hand(page), moved, "kept for this game");
  // What is new lies at the end, and is marked.
  while ((await ready(page)) === "turn" && !(await mayDraw(page))) await suggested(page);
  const held = await hand(page);
  await page.click('[data-act="draw"]');
  await page.waitForFunction((size) => document.querySelectorAll("#hand .card").length > size, held.length);
  const now = await hand(page);
  assert.deepEqual(now.slice(0, held.length), held);
  assert.ok((await page.locator("#hand .card").last().getAttribute("class")).includes("fresh"));
  await accessible(page, "a hand in an order of one's own");
  // Sequences lie together where the rule set has them.
  for (const ruleSet of ["samba-4p", "bolivia-4p"]) {
    await against(page, recorder.origin, ruleSet);
    await page.waitForFunction(() => document.querySelector("#order").value === "suit");
    assert.ok(bySuit(await hand(page)), ruleSet);
  }
  await shot(page, "evening-bolivia");
  await page.context().close();
  await recorder.kill();
  console.log("order: by rank, by suit, by dragging and by keys; kept; sequences lie together");
}

/** Whether an element lies over melds, seats, stock or pile. */
const hides = (page, selector) => page.evaluate((selector) => {
  const over = document.querySelector(selector).getBoundingClientRect();
  const hidden = [...document.querySelectorAll("#felt .seat, #felt .meld, #felt .stack")].filter((each) => {
    const box = each.getBoundingClientRect();
    return Math.min(box.right, over.right) - Math.max(box.left, over.left) > 1 && Math.min(box.bottom, over.bottom) - Math.max(box.top, over.top) > 1;
  });
  return hidden.map((each) => each.className);
}, selector);

/** Melds as large as the felt allows, squared canastas, backs for every seat; a round that is counted before its sheet. */
async function looks() {
  const recorder = await served("looks");
  const page = await person({ size: SIZES.laptop, motion: "no-preference" });
  await playNow(page, recorder.origin);
  const canastas = page.locator(".meld.canasta");
  for (let moves = 0; moves < 400; moves += 1) {
    const now = await ready(page);
    if (now === "turn" && (await canastas.count()) > 0) break;
    if (now === "round") await page.click("#next-round");
    else await suggested(page);
  }
  const wrong = await page.evaluate(() => [...document.querySelectorAll(".meld.canasta")].flatMap((meld) => {
    const card = Number(meld.querySelector("use").getAttribute("href").slice(2));
    const isRed = [1, 2].includes(Math.floor(card / 13));
    const naturals = meld.closest("li").dataset.cards.split(" ").filter((each) => !"X2".includes(each[0]));
    const has = (suits) => naturals.some((each) => suits.includes(each[1]));
    const isWrong = (meld.classList.contains("grade1") && !isRed && has("hd")) || (meld.classList.contains("grade2") && isRed && has("sc"));
    return isWrong || meld.querySelectorAll(".face").length !== 1 || Number(meld.querySelector(".size").textContent) < 7 ? [meld.textContent] : [];
  }));
  assert.deepEqual(wrong, [], "canastas are squared up, red or black");
  for (const [name, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    await drawn(page);
    const widths = await page.$$eval(".zones .meld .face", (all) => all.map((each) => each.clientWidth));
    assert.ok(Math.min(...widths) >= (name === "laptop" ? 37 : 25), `${name}: melds of ${Math.min(...widths)}`);
    const seats = await page.$$eval("#felt .seat", (all) => all.map((each) => {
      const sign = getComputedStyle(each.querySelector(".fact"), "::before").content;
      return each.dataset.size === "0" || sign !== "none" || [...each.querySelectorAll(".backs .face")].some((face) => face.getBoundingClientRect().width > 0);
    }));
    assert.ok(seats.every(Boolean), `${name}: backs at every seat`);
    await shot(page, `evening-melds-${name}`);
    await layout(page, `melds, ${name}`, name !== "small");
    await accessible(page, `melds, ${name}`);
  }
  await page.click("#menu summary");
  await page.selectOption("#pace", "brisk");
  await page.click("#menu summary");
  // Other sizes of the window have moved everything; from here on nothing may move by itself.
  await drawn(page);
  await page.evaluate(() => (globalThis.measured.shift = 0));
  let counts = [];
  while ((await page.locator("#round-over").count()) === 0) {
    if ((await page.locator('[data-act="hint"]').count()) > 0) await suggested(page).catch(() => undefined);
    const seen = await page.evaluate(() => document.querySelector("#round-over") ? "" : [...document.querySelectorAll(".counted")].map((each) => each.textContent).join("|"));
    if (seen !== "") counts.push(seen);
    await page.waitForTimeout(60);
  }
  counts = [...new Set(counts)];
  assert.ok(counts.length >= 3, `a round is counted line by line before the sheet: ${counts}`);
  const isTurned = () => [...document.querySelectorAll("#felt .seat")].every((each) => each.dataset.size === "0" || each.querySelectorAll(".hold use:not([href='#back'])").length === Number(each.dataset.size));
  await page.waitForFunction(isTurned, undefined, { timeout: 20_000 });
  const shift = await still(page, "a round with its count");
  for (const [name, size] of Object.entries({ ...SIZES, phone: PHONE })) {
    await page.setViewportSize(size);
    await drawn(page);
    assert.deepEqual(await hides(page, "#round-over"), [], `${name}: the sheet hides the table`);
    await shot(page, `evening-round-${name}`);
    await accessible(page, `the end of a round, ${name}`);
  }
  // On a phone the sheet is pulled up, and down again.
  assert.equal(await page.locator("#round-over .sheet").isVisible(), false);
  await page.click("#round-over .pull");
  assert.equal(await page.locator("#round-over .sheet").isVisible(), true);
  await accessible(page, "the sheet on a phone");
  await shot(page, "evening-sheet");
  await page.click("#round-over .pull");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#round-over", { state: "detached" });
  await page.context().close();
  await recorder.kill();
  console.log(`looks: large melds, squared canastas, backs; ${counts.length} pictures of a count, layout shift ${shift.toFixed(4)}`);
}

/** Six seats on a phone in German: no word is cut. */
async function six() {
  const recorder = await served("six");
  const page = await person({ size: PHONE, locale: "de-DE", touch: true });
  await against(page, recorder.origin, "hand-and-foot-6p");
  for (let moves = 0; moves < 16 && (await ready(page)) === "turn"; moves += 1) {
    await suggested(page);
    const cut = await page.evaluate(() => {
      const shown = [...document.querySelectorAll("#felt .count, #felt .fact, #felt .tag, #felt .grade, #actions button, #turn")].filter((each) => each.clientWidth > 1);
      const isCut = (each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 2;
      return shown.filter(isCut).map((each) => `${each.className} ${each.textContent}: ${each.scrollWidth} x ${each.scrollHeight} in ${each.clientWidth} x ${each.clientHeight}`);
    });
    assert.deepEqual(cut, [], `turn ${moves}`);
  }
  await shot(page, "evening-six");
  await page.context().close();
  await recorder.kill();
  console.log("six: six seats on a phone in German, no word cut");
}

/** The first page: three games, one press to play, the others behind another; the settings of the last game. */
async function first() {
  const recorder = await served("first");
  const page = await person({ size: SIZES.laptop });
  await page.goto(`${recorder.origin}/`);
  await page.waitForSelector("[data-play]");
  assert.deepEqual(await page.$$eval("[data-play]", (all) => all.map((each) => each.dataset.play)), ["classic-4p", "american-4p", "hand-and-foot-4p"]);
  assert.equal(await page.locator("[data-set]").count(), 0);
  await shot(page, "evening-home");
  await accessible(page, "the first page");
  await page.click("#all-games");
  assert.ok((await page.locator("[data-set]").count()) >= 22);
  await accessible(page, "all games");
  await shot(page, "evening-games");
  await openForm(page, "samba-4p");
  await page.selectOption("#length", "1");
  for (const box of await page.locator("#setup .place .check input").all()) await box.check();
  await page.click("#begin");
  await page.waitForSelector("#table");
  await page.goto(`${recorder.origin}/`);
  await page.waitForSelector("[data-play]");
  assert.equal(await page.locator("[data-play]").first().getAttribute("data-play"), "samba-4p", "what was played last comes first");
  await page.click('[data-setup="samba-4p"]');
  assert.equal(await page.inputValue("#length"), "1", "the settings of the last game");
  await page.click("#setup .buttons button:last-child");
  await page.keyboard.press("Tab");
  await page.focus('[data-play="classic-4p"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector("#table");
  await ready(page);
  // What others show of a link, and what a device needs to install the page.
  const meta = await page.$$eval("meta[property], meta[name=description]", (all) => Object.fromEntries(all.map((each) => [each.getAttribute("property") ?? each.name, each.content])));
  assert.ok(meta.description && meta["og:title"] && meta["og:description"], JSON.stringify(meta));
  const sizes = await page.evaluate(async (picture) => {
    const manifest = await (await fetch(document.querySelector("link[rel=manifest]").href)).json();
    const size = async (url) => {
      const image = await createImageBitmap(await (await fetch(url)).blob());
      return `${image.width}x${image.height}`;
    };
    return [await size(picture), await size(manifest.icons[0].src), manifest.icons[0].sizes, manifest.display, manifest.start_url];
  }, meta["og:image"]);
  assert.deepEqual(sizes, ["1200x630", "512x512", "512x512", "standalone", "/"]);
  await page.context().close();
  await recorder.kill();
  console.log("first: three games, one press, the last settings, a picture for links, a manifest");
}

/** After the first load a game against bots needs no server: the page comes from the device, and so does every judgement. */
async function offline() {
  const recorder = await served("offline");
  const page = await person({ size: PHONE, locale: "de-DE" });
  await page.goto(`${recorder.origin}/`);
  await page.waitForSelector("[data-play]");
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active.state);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await (await caches.open(names[0])).keys();
    return [names.length, requests.map(({ url }) => new URL(url).pathname).sort()];
  });
  assert.deepEqual(kept, [1, ["/", "/canasta.wasm", "/favicon.svg", "/icon.png", "/manifest.json", "/table.css", "/table.js", "/texts.wasm", "/turn.svg"]]);
  await forgiving([page], /ERR_CONNECTION|ERR_FAILED|Failed to fetch|503|504/, async () => {
    await recorder.kill();
    await page.reload();
    await page.waitForSelector("[data-play]", { timeout: 30_000 });
    assert.match(await page.textContent("#home"), /Server ist nicht zu erreichen/);
    await accessible(page, "the first page without a server");
    await shot(page, "evening-offline");
    await page.click('[data-play="classic-4p"]');
    await page.waitForSelector("#table");
    // Few moves: no round is over so soon.
    for (let moves = 0; moves < 4; moves += 1) {
      assert.equal(await ready(page), "turn");
      await suggested(page);
    }
    assert.equal(await ready(page), "turn");
    assert.match(await page.textContent("#happened"), /hat|sagt/);
    const cards = await hand(page);
    await page.reload();
    await page.waitForSelector("#hand .card", { timeout: 30_000 });
    assert.deepEqual((await hand(page)).sort(), cards.sort(), "a reload goes on");
    while ((await ready(page)) === "turn") await suggested(page);
    await page.waitForSelector("#round-over .sheet tbody tr", { state: "attached" });
    // The server is back: whoever plays goes on, and the first page has it again.
    await recorder.start();
    await page.click("#next-round");
    await ready(page);
    await suggested(page);
    await page.click("#menu summary");
    await page.click("#new-game");
    await page.waitForSelector("[data-play]", { timeout: 30_000 });
    await page.waitForFunction(() => !/nicht zu erreichen/.test(document.querySelector("#home")?.textContent ?? "nicht zu erreichen"), undefined, { timeout: 30_000 });
    await page.waitForSelector("#away", { state: "detached", timeout: 30_000 });
  });
  await page.context().close();
  await recorder.kill();
  console.log("offline: a round against bots without a server");
}

/** Bots are as strong as they are chosen to be, and so are hints; at the table the language can be changed. */
async function strength() {
  const recorder = await served("strength");
  const page = await person({ settings: { pace: "once", guided: "done", level: null } });
  await page.goto(`${recorder.origin}/`);
  await openForm(page, "hoyle-2p");
  assert.equal(await page.inputValue("#level"), "3");
  await page.selectOption("#level", "4");
  await page.click("#begin");
  await page.waitForSelector("#table");
  const asked = page.waitForRequest(/RecordService\/Suggest$/);
  assert.equal(await ready(page), "turn");
  await suggested(page);
  // Field 4 of SuggestRequest, a number: 4.
  assert.deepEqual([...(await asked).postDataBuffer()].slice(-2), [0x20, 4]);
  await page.click("#menu summary");
  await page.selectOption("#language", "de");
  await page.waitForFunction(() => document.documentElement.lang === "de" && document.querySelector("#menu summary")?.textContent === "Menü");
  assert.equal(await ready(page), "turn");
  await page.goto(`${recorder.origin}/`);
  await openForm(page, "classic-4p");
  assert.equal(await page.inputValue("#level"), "4");
  await page.context().close();
  await recorder.kill();
  console.log("strength: bots and hints as strong as chosen, the language changed at the table");
}

await run({ turn, order, looks, six, first, offline, strength }, only, 1);
