// Builds the page that the service, the recorder and reports embed: one page, one script, one style sheet.

import { build, transformSync } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { faces } from "./faces.mjs";

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
mkdirSync(dist, { recursive: true });
await build({ ...options, entryPoints: { table: "src/main.tsx" }, format: "esm", outdir: dist });
const css = (name, where = "") => {
  const rules = readFileSync(`${name}.css`, "utf8");
  return transformSync(where === "" ? rules : `${where} {${rules}}`, { loader: "css", minify: true }).code;
};
writeFileSync(`${dist}/index.html`, readFileSync("index.html", "utf8").replace("<!--FACES-->", faces()));
const board = css("board") + css("low", "@media (max-height: 520px) and (min-width: 560px)");
writeFileSync(`${dist}/table.css`, css("table") + board + css("viewer") + css("low", "@container felt (max-height: 36rem) and (min-width: 28rem)"));
copyFileSync("favicon.svg", `${dist}/favicon.svg`);
