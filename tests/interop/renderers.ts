// Compares what messages.ts says with what the engine says.   renderers.ts WORDINGS.json

import { readFileSync } from "node:fs";
import { speaker } from "./messages.ts";

let compared = 0;
for (const { language, wordings, samples } of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const say = speaker(wordings);
  for (const { kind, name, message, text } of samples) {
    const said = say(kind, name, message);
    if (said !== text) throw new Error(`${language} ${kind} ${name} ${JSON.stringify(message)}: "${said}", expected "${text}"`);
    compared += 1;
  }
}
if (compared < 1000) throw new Error(`only ${compared} samples`);

// A newer catalogue, and messages that are newer than a catalogue: what is not known is left out, and nothing fails.
const fact = { name: "count", type: "FACT_TYPE_NUMBER", path: "a.count", optional: false };
const TEMPLATES = {
  "{count} cards": "2 cards", "{count, ordinal, one {1st} other {{count}th}} card": "2 card", "{ count }": "2",
  "{count, number}": "2", "{count, plural, one {a card}}": "", "{count, plural": "2", "{": "none", "{}": "none", "a } b": "a } b",
  "{new} and {count": "none and 2", "{count, select, 2 {two}}": "two", "{count, select,}": "2",
};
for (const [template, text] of Object.entries(TEMPLATES)) {
  const said = speaker([{ kind: "WORDING_KIND_NEW", name: "new", template, facts: [fact] }])("WORDING_KIND_NEW", "new", { a: { count: 2 } });
  if (said !== text) throw new Error(`${template}: "${said}", expected "${text}"`);
}
const TYPES = ["NEW", "SEAT", "SEATS", "SIDE", "MELD", "NUMBER", "CARDS", "RANK"].map((each) => `FACT_TYPE_${each}`);
const MESSAGES = [{}, { a: 1 }, { a: null }, { a: { b: "text" } }, { a: { b: [1, {}] } }, { list: [1, "x", { x: true }] }, 7, null, undefined, "x"];
for (const type of [...TYPES, 99 as never]) {
  for (const path of ["", "a", "a.b", "a.b.c.d", "list", "list.x"]) {
    const facts = [{ name: "fact", type, path, optional: false }];
    const wordings = [["WORDING_KIND_VALUE", "seat"], ["WORDING_KIND_EVENT", "new"]];
    const say = speaker(wordings.map(([kind, name]) => ({ kind, name, template: "{fact}", facts })));
    for (const message of MESSAGES) {
      if (typeof say("WORDING_KIND_EVENT", "new", message) !== "string") throw new Error(`${type} ${path}: no text`);
      if (say("WORDING_KIND_EVENT", "newer", message) + say("WORDING_KIND_NEWER", "new", message) !== "") throw new Error("an unknown wording is said");
    }
  }
}
console.log(`typescript: ${compared} sentences as the engine says them`);
