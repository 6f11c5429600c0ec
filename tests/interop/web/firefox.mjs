// Setup, turns and a reconnect in Firefox, over WebDriver BiDi, which Firefox speaks itself. Without Firefox: skipped.
//
//     node --experimental-websocket firefox.mjs FIREFOX CANASTA_RECORDER FOLDER_FOR_DATA FOLDER_FOR_SCREENSHOTS

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { Recorder } from "./recorder.mjs";

const [program, recorderProgram, data, folder] = process.argv.slice(2);
const PATIENCE_MS = 60_000;

/** One tab of Firefox. */
class Firefox {
  waiting = new Map();
  complaints = [];
  calls = 0;

  async start() {
    mkdirSync(`${data}-profile`, { recursive: true });
    const settings = ["--headless", "--no-remote", "--profile", `${data}-profile`, "--remote-debugging-port", "0"];
    this.process = spawn(program, settings, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: `${data}-profile` } });
    let text = "";
    const address = new Promise((done) => this.process.stderr.on("data", (chunk) => {
      text += chunk;
      const found = /BiDi listening on (ws:\/\/\S+)/.exec(text);
      if (found) done(found[1]);
    }));
    const url = await Promise.race([address, once(this.process, "exit").then(() => undefined)]);
    assert.ok(url, `Firefox did not start: ${text}`);
    this.socket = new WebSocket(`${url}/session`);
    this.socket.onmessage = ({ data: message }) => this.take(JSON.parse(message));
    await new Promise((done, failed) => Object.assign(this.socket, { onopen: done, onerror: failed }));
    const { capabilities } = await this.send("session.new", { capabilities: {} });
    this.version = `${capabilities.browserName} ${capabilities.browserVersion}`;
    const { contexts } = await this.send("browsingContext.getTree", {});
    this.context = contexts[0].context;
    await this.send("session.subscribe", { events: ["log.entryAdded"] });
    return this;
  }

  take(message) {
    if (message.type === "event") {
      const { level, text, source } = message.params;
      if (["error", "warn"].includes(level)) this.complaints.push(`${text} ${source?.realm ?? ""}`);
      return;
    }
    const { done, failed } = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.type === "error") failed(new Error(`${message.error}: ${message.message}`));
    else done(message.result);
  }

  send(method, params) {
    const id = (this.calls += 1);
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((done, failed) => this.waiting.set(id, { done, failed }));
  }

  size(width, height) {
    return this.send("browsingContext.setViewport", { context: this.context, viewport: { width, height } });
  }

  open(url) {
    return this.send("browsingContext.navigate", { context: this.context, url, wait: "complete" });
  }

  /** Runs a function of the page's; what it returns comes as JSON. */
  async run(what, ...facts) {
    const expression = `Promise.resolve((${what})(...${JSON.stringify(facts)})).then((found) => JSON.stringify(found ?? null))`;
    const { type, result, exceptionDetails } = await this.send("script.evaluate", {
      expression, target: { context: this.context }, awaitPromise: true,
    });
    assert.equal(type, "success", exceptionDetails?.text);
    return JSON.parse(result.value);
  }

  /** Waits until a selector is found, or until it is not. */
  async until(selector, isThere = true) {
    const found = await this.run((wanted, there, patience) => new Promise((done) => {
      const holds = () => (document.querySelector(wanted) !== null) === there;
      const seen = new MutationObserver(() => holds() && finish(true));
      const timer = setTimeout(() => finish(false), patience);
      const finish = (answer) => {
        seen.disconnect();
        clearTimeout(timer);
        done(answer);
      };
      if (holds()) return finish(true);
      seen.observe(document, { subtree: true, childList: true, attributes: true });
    }), selector, isThere, PATIENCE_MS);
    assert.ok(found, `${selector} ${isThere ? "did not come" : "stayed"}`);
  }

  /** Presses the middle of an element, as a pointer does. */
  async click(selector) {
    await this.until(selector);
    const place = await this.run((wanted) => {
      const element = document.querySelector(wanted);
      element.scrollIntoView({ block: "center" });
      const { x, y, width, height } = element.getBoundingClientRect();
      return [Math.round(x + Math.min(width / 2, 20)), Math.round(y + height / 2)];
    }, selector);
    const actions = [{ type: "pointerMove", x: place[0], y: place[1] }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
    await this.send("input.performActions", { context: this.context, actions: [{ type: "pointer", id: "mouse", actions }] });
  }

  async shot(name) {
    mkdirSync(folder, { recursive: true });
    const { data: picture } = await this.send("browsingContext.captureScreenshot", { context: this.context });
    writeFileSync(`${folder}/${name}.png`, Buffer.from(picture, "base64"));
  }

  async end() {
    await this.send("browser.close", {}).catch(() => undefined);
    await once(this.process, "exit");
  }
}

const handOf = (page) => page.run(() => [...document.querySelectorAll("#hand .card")].map((card) => card.dataset.card));

/** Plays what is suggested; fails if that is refused. */
async function turn(page) {
  await page.click('[data-act="hint"]');
  await page.click('[data-act="hinted"]');
  await page.until('[data-act="hinted"]', false);
  assert.equal(await page.run(() => document.querySelector("#refusal").textContent), "");
}

const recorder = await new Recorder(recorderProgram, data).start();
const page = await new Firefox().start();
await page.size(1280, 800);
await page.open(`${recorder.origin}/`);
await page.click("#all-games");
await page.click('[data-set="classic-2p"]');
await page.click("#begin");
await page.until("#hand .card");
await page.shot("firefox-desktop");
// A whole turn: whatever it takes until the other one has played.
await page.until('[data-act="hint"]');
for (let moves = 0; moves < 12; moves += 1) {
  await page.until('[data-act="hint"]');
  await turn(page);
}
await page.size(390, 844);
await page.until('[data-act="hint"]');
const fits = await page.run(() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight);
assert.ok(fits, "the table fits a phone");
await page.shot("firefox-phone");
// Killed and started: the same cards, and nobody presses anything.
const cards = await handOf(page);
const before = page.complaints.length;
await recorder.kill();
await page.until("#away");
await recorder.start();
await page.until("#away", false);
page.complaints.splice(before, page.complaints.length, ...page.complaints.slice(before).filter((line) => !/Cross-Origin|NetworkError|CORS|connection/i.test(line)));
assert.deepEqual(await handOf(page), cards);
await page.until('[data-act="hint"]');
await turn(page);
assert.deepEqual(page.complaints, []);
console.log(`${page.version}: setup, turns on desktop and phone, a reconnect`);
await page.end();
await recorder.kill();
