// Builds the page that the service and the recorder embed: one page, one script, one style sheet.

import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { faces } from "./faces.mjs";

process.chdir(import.meta.dirname);
const dist = "../../../../service/web/dist";
mkdirSync(dist, { recursive: true });
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: { table: "src/main.tsx" },
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  outdir: dist,
});
writeFileSync(`${dist}/index.html`, readFileSync("index.html", "utf8").replace("<!--FACES-->", faces()));
for (const file of ["table.css", "favicon.svg"]) copyFileSync(file, `${dist}/${file}`);
