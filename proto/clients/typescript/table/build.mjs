// Builds the page that the service and the recorder embed (one page, one script, one style sheet), and of the same sources
// the board that report pages hold: its script, its style and the card faces.

import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { faces } from "./faces.mjs";

process.chdir(import.meta.dirname);
const dist = "../../../../service/web/dist";
const report = "../../../../replay-cli/src/report/page/built";
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
for (const folder of [dist, report]) mkdirSync(folder, { recursive: true });
await build({
  ...options, entryPoints: { table: "src/main.tsx" }, format: "esm", outdir: dist, define: { REPORT_LANGUAGE: "undefined" },
});
await build({
  ...options, entryPoints: { board: "src/report.tsx" }, format: "iife", globalName: "board", outdir: report,
  define: { REPORT_LANGUAGE: '"en"' },
});
const css = (name) => readFileSync(`${name}.css`, "utf8");
writeFileSync(`${dist}/index.html`, readFileSync("index.html", "utf8").replace("<!--FACES-->", faces()));
writeFileSync(`${dist}/table.css`, css("table") + css("board"));
copyFileSync("favicon.svg", `${dist}/favicon.svg`);
copyFileSync("board.css", `${report}/board.css`);
writeFileSync(`${report}/faces.svg`, faces());
