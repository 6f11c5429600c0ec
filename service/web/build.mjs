// Builds what the service embeds into dist/: one page, one script, one style sheet.

import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { faces } from "./faces.mjs";

process.chdir(import.meta.dirname);
mkdirSync("dist", { recursive: true });
await build({
  entryPoints: { table: "src/main.ts" },
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  outdir: "dist",
});
writeFileSync("dist/index.html", readFileSync("index.html", "utf8").replace("<!--FACES-->", faces()));
for (const file of ["table.css", "favicon.svg"]) copyFileSync(file, `dist/${file}`);
