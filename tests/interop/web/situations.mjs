// Each situation of docs/play/SITUATIONS.md as the page shows it to its seat, on a desktop and on a phone.
//
//     node situations.mjs CANASTA_RECORDER FOLDER_FOR_DATA FOLDER_FOR_SCREENSHOTS

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createClient } from "@connectrpc/connect";
import { asSeat, connect, RecordService } from "./build/proto/clients/typescript/dist/index.js";
import { Recorder } from "./recorder.mjs";
import { joined } from "./room.mjs";
import { accessible, browser, DESKTOP, layout, PHONE, pictures } from "./table.mjs";

const [program, data, folder, page_of_situations] = process.argv.slice(2);
const shot = pictures(folder);

/** What the page must have for the seat, by situation; for those that are not named, the hand. */
const SHOWS = {
  "frozen-by-wild": ".frozen",
  "frozen-by-red-three": ".frozen",
  "frozen-always": ".frozen",
  "question-open": '[data-act="yes"], [data-act="answer"], #actions button',
  "take-back-offered": "#agree, [data-act=\"agree\"]",
  "flag-about-to-fall": ".clock.runs",
  "round-ended": "#felt",
  "game-over": "dialog.won",
};

const rows = readFileSync(page_of_situations, "utf8").matchAll(/^\| `([a-z-]+)` \| .* \| (\d) \| /gm);
const situations = [...rows].map(([, name, seat]) => ({ name, seat: Number(seat) }));
assert.ok(situations.length > 10, "the page lists the situations");

const recorder = new Recorder(program, data);
// Guests create rooms, and no situations.
recorder.settings = recorder.settings.filter((setting) => setting !== "--rooms");
await recorder.start();
const client = createClient(RecordService, connect({ baseUrl: recorder.origin }));
for (const { name, seat } of situations) {
  const made = await client.createSituation({ requestId: randomBytes(16), name, creator: asSeat(seat) });
  assert.equal(made.seat, seat, name);
  for (const [size, options] of [["desktop", { size: DESKTOP }], ["phone", { size: PHONE, touch: true, locale: "de-DE", scheme: "dark" }]]) {
    const page = await joined({ link: `${recorder.origin}/#t=${made.hostLink.token}` }, options);
    await page.waitForSelector(SHOWS[name] ?? "#hand .card", { timeout: 20_000 });
    await shot(page, `situation-${name}-${size}`);
    await accessible(page, `${name}, ${size}`);
    // The result lies over the table on purpose.
    if (name !== "game-over") await layout(page, `${name}, ${size}`);
    assert.deepEqual(page.complaints, [], `${name}, ${size}`);
    await page.context().close();
  }
}
await recorder.kill();
await browser.close();
console.log(`situations: ${situations.length} screens on a desktop and on a phone in German, without a finding of axe`);
