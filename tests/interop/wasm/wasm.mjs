// The engine in WebAssembly answers as the native one does, byte for byte: in node and in Chromium, about every log of the project.
//   node wasm.mjs NATIVE BUNDLE CHROMIUM LOG...
//     NATIVE: the example `local` of canasta-messages; BUNDLE: calls.ts and the engine as one script
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { chromium } from "playwright-core";

const [native, bundle, executablePath, ...files] = process.argv.slice(2);
const { calls, digest, Engine, Trouble } = await import(bundle);
const modules = await Promise.all(["canasta", "texts"].map((name) => readFile(`engine/wasm/built/${name}.wasm`)));
const engine = await Engine.load(...modules);
const logs = await Promise.all(files.map((file) => readFile(file)));

let began = process.cpuUsage();
const made = await calls(engine, logs);
const seconds = (used) => (used.user + used.system) / 1e6;
console.log(`wasm: ${made.length} calls about ${logs.length} logs in node, ${seconds(process.cpuUsage(began)).toFixed(1)} s`);

// Whatever the native engine says of the same calls.
const sized = (bytes) => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return [length, bytes];
};
const input = Buffer.concat(made.flatMap(({ method, request }) => [...sized(Buffer.from(method)), ...sized(request)]));
const { status, stdout, stderr } = spawnSync(native, { input, maxBuffer: 2 ** 31 });
if (status !== 0) throw new Error(`the native engine: ${stderr}`);
let at = 0;
let refused = 0;
for (const [number, { method, answer }] of made.entries()) {
  const length = stdout.readUInt32LE(at);
  const said = stdout.subarray(at + 4, at + 4 + length);
  at += 4 + length;
  const expected = said[0] === 0 ? said : Buffer.concat([Buffer.of(1), Buffer.from(sentence(said.subarray(1)))]);
  refused += said[0];
  if (!expected.equals(Buffer.from(answer))) throw new Error(`call ${number}, ${method}: ${expected.length} bytes, and ${answer.length} here`);
}
if (at !== stdout.length) throw new Error("the native engine said more");
console.log(`wasm: the native engine gives the same ${stdout.length} bytes; ${refused} of the calls are refused`);

const fault = await engine.ask("canasta.v1.GameService/GetView", new Uint8Array([0xff])).then(() => undefined, (error) => error);
if (Trouble.of(fault).reason !== "INVALID_FIELD") throw new Error(`a fault has the reason ${Trouble.of(fault).reason}`);

// In a browser, under the content policy of our pages.
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  const script = await readFile(`${bundle.replace(/\.mjs$/, "")}.iife.js`, "utf8");
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${hash}' 'wasm-unsafe-eval'`;
  await page.route("http://engine.test/", (route) => route.fulfill({
    contentType: "text/html", headers: { "content-security-policy": policy }, body: `<!doctype html><script>${script}</script>`,
  }));
  await page.goto("http://engine.test/");
  const there = await page.evaluate(async ([modules, logs]) => {
    const bytes = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const engine = await wasm.Engine.load(...modules.map(bytes));
    const made = await wasm.calls(engine, logs.map(bytes));
    return made.map(({ answer }) => wasm.digest(answer));
  }, [modules.map((each) => each.toString("base64")), logs.map((each) => each.toString("base64"))]);
  const here = made.map(({ answer }) => digest(answer));
  const differ = here.findIndex((each, number) => each !== there[number]);
  if (differ >= 0 || here.length !== there.length) throw new Error(`call ${differ}, ${made[differ]?.method}, differs in Chromium`);
  console.log(`wasm: Chromium gives the same ${there.length} answers`);
} finally {
  await browser.close();
}

/** Returns code and sentence of a `google.rpc.Status`. */
function sentence(status) {
  let [code, text, place] = [0, "", 0];
  const varint = () => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = status[place++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
      shift += 7;
    }
  };
  while (place < status.length) {
    const tag = varint();
    if (tag === 8) code = varint();
    else {
      const length = varint();
      if (tag === 18) text = status.subarray(place, place + length).toString();
      place += length;
    }
  }
  return `${code} ${text}`;
}
