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
console.log(`typescript: ${compared} sentences as the engine says them`);
