// The package `canasta-client` as npm has installed it beside this file: node imports every name that its sources declare,
// and asks the service with them. Writes a program that imports all names, for TypeScript and a bundler.
//   packed.mjs SOURCES URL
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as all from "canasta-client";

const [sources, baseUrl] = process.argv.slice(2);
const is = (holds, text) => {
  if (!holds) throw new Error(text);
};

const DECLARED = /^export (?:async )?(const|enum|class|function|type|interface) (\w+)/gm;
const [values, types] = [new Set(), new Set()];
for (const folder of ["", "gen/canasta/v1/"]) {
  for (const file of readdirSync(`${sources}/${folder}`).filter((each) => each.endsWith(".ts"))) {
    for (const [, kind, name] of readFileSync(`${sources}/${folder}${file}`, "utf8").matchAll(DECLARED)) {
      (kind === "type" || kind === "interface" ? types : values).add(name);
    }
  }
}
for (const name of values) is(all[name] !== undefined, `the package does not export ${name}`);
is(values.size > 250 && types.size > 150, `only ${values.size} values and ${types.size} types are declared`);
const named = [...values, ...[...types].filter((each) => !values.has(each)).map((each) => `type ${each}`)];
writeFileSync("names.ts", `import { ${named.join(", ")} } from "canasta-client";
export const all = [${[...values].join(", ")}];
export type Types = [${[...types].join(", ")}];\n`);

const { connect, getWordings, EventSchema, speaker, spoken, Phase, Role, TakeBacks, Trouble, createRoom } = all;
is(Phase.GAME_OVER !== undefined && Role.TABLE !== undefined && TakeBacks.AGREED !== undefined, "enums have names");
const transport = connect({ baseUrl });
const say = speaker(await getWordings(transport, "de"));
is(say("WORDING_KIND_EVENT", "new_event", {}) === "", "an event that is not known is skipped");
is(spoken(EventSchema, { $typeName: "canasta.v1.Event", kind: { case: undefined } }) !== undefined, "so is one without a kind");
is((await createRoom(transport, {}).catch(Trouble.of)).reason === "UNIMPLEMENTED", "the service keeps no rooms");
console.log(`web: the package exports ${values.size} values and ${types.size} types, and works in node`);
