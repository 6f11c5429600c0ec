// Builds the page that the service, the recorder and reports embed: one page, one script, one style sheet.

import { build, transformSync } from "esbuild";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { faces } from "./faces.mjs";
import { pruning } from "./needed.mjs";

process.chdir(import.meta.dirname);
const dist = "../../../../service/web/dist";
const options = {
  absWorkingDir: import.meta.dirname,
  bundle: true,
  minify: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
};
/** Returns a message of descriptor.proto with those of its fields that the library reads. */
function needed({ name, field = [], nestedType = [], enumType = [] }) {
  const isKept = /DescriptorProto$|^MessageOptions$/.test(name);
  const isRead = (each) => !/^(reserved_|uninterpreted_|source_code_|visibility|features)/.test(each.name) && (name !== "MessageOptions" || each.name === "map_entry");
  const fields = isKept ? field.filter(isRead) : [];
  return { name, field: fields.map(({ options, defaultValue, jsonName, ...rest }) => rest), nestedType: nestedType.map(needed), enumType: isKept ? enumType : enumType.map((each) => ({ ...each, value: [] })) };
}
/** Makes the script smaller: descriptors are text of their bytes, which packs better than Base64, and the keys of words are there once. */
const packing = {
  name: "packing",
  setup({ onLoad }) {
    const load = (filter, change) => onLoad({ filter }, ({ path }) => ({ contents: change(readFileSync(path, "utf8"), path), loader: path.endsWith(".ts") ? "ts" : "js" }));
    // The description of descriptions: what no file of ours has is left out, its places apart.
    load(/google\/protobuf\/descriptor_pb\.js$/, (code) => code.replace(/(?<=boot\()\{.*\}(?=\);$)/m, (text) => {
      const { messageType, ...rest } = JSON.parse(text);
      return JSON.stringify({ ...rest, messageType: messageType.map(needed) });
    }));
    const prune = pruning("../src/gen/canasta/v1", ["../src", "src"]);
    load(/_pb\.(ts|js)$/, (code, path) => (path.includes("/gen/canasta/") ? prune(code) : code).replace(/fileDesc\("([^"]+)"/g, (_, text) => `fileDesc(${JSON.stringify(Buffer.from(text, "base64").toString("latin1"))}`));
    load(/codegenv2\/file\.js$/, (code) => {
      const read = "base64Decode(b64)";
      if (!code.includes(read)) throw new Error(`expected ${read} in the library's reader of descriptors`);
      return code.replace(read, "Uint8Array.from(b64, (letter) => letter.charCodeAt(0))");
    });
    // The page speaks binary, its types are checked when it is built, and no message has an extension: what reads messages from JSON,
    // checks values and finds extensions is imported, and never needed.
    load(/protobuf\/dist\/esm\/(from-json|extensions|reflect\/reflect-check)\.js$/, (code) => code.match(/(?<=^export function )\w+/gm).map((name) => `export const ${name} = () => undefined;`).join("\n"));
    load(/words\/de\.json$/, (text) => {
      const [english, german] = [readFileSync("src/words/en.json", "utf8"), text].map((each) => JSON.parse(each));
      return `import english from "./en.json"; const words = ${JSON.stringify(Object.keys(english).map((key) => german[key]))};
        export default Object.fromEntries(Object.keys(english).map((key, at) => [key, words[at]]));`;
    });
  },
};
mkdirSync(dist, { recursive: true });
await build({ ...options, entryPoints: { table: "src/main.tsx" }, plugins: [packing], format: "esm", outdir: dist });
const css = (name, where = "") => {
  const rules = readFileSync(`${name}.css`, "utf8");
  return transformSync(where === "" ? rules : `${where} {${rules}}`, { loader: "css", minify: true }).code;
};
writeFileSync(`${dist}/index.html`, readFileSync("index.html", "utf8").replace("<!--FACES-->", faces()));
const board = css("board") + css("low", "@media (max-height: 520px) and (min-width: 560px)");
writeFileSync(`${dist}/table.css`, css("table") + board + css("viewer") + css("low", "@container felt (max-height: 40rem) and (min-width: 28rem)"));
for (const name of ["favicon.svg", "icon.png", "picture.png"]) copyFileSync(name, `${dist}/${name}`);
writeFileSync(`${dist}/turn.svg`, readFileSync("favicon.svg", "utf8").replace("</svg>", '<circle cx="25" cy="7" r="7" fill="#e8a317" stroke="#fff" stroke-width="2"/></svg>'));
const icon = (purpose) => ({ src: "/icon.png", sizes: "512x512", type: "image/png", purpose });
writeFileSync(`${dist}/manifest.json`, JSON.stringify({
  name: "Canasta", short_name: "Canasta", description: "Canasta with friends or against bots", lang: "en", start_url: "/", display: "standalone",
  background_color: "#164736", theme_color: "#164736", icons: [icon("any"), icon("maskable")],
}));
// The pictures of links are for others alone.
const kept = { "/": "index.html" };
for (const name of ["table.js", "table.css", "favicon.svg", "turn.svg", "icon.png", "manifest.json"]) kept[`/${name}`] = name;
for (const name of ["canasta.wasm", "texts.wasm"]) kept[`/${name}`] = `../../../engine/wasm/built/${name}`;
const digests = Object.entries(kept).map(([path, file]) => [path, createHash("sha256").update(readFileSync(`${dist}/${file}`)).digest("base64").slice(0, 16)]);
const worker = readFileSync("worker.js", "utf8").replace("const FILES = {}", `const FILES = ${JSON.stringify(Object.fromEntries(digests))}`);
writeFileSync(`${dist}/worker.js`, transformSync(worker, { minify: true, target: "es2022" }).code);
