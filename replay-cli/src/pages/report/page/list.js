// What was done: the sentence for the record shown, and the list of actions.

const list = document.getElementById("list");
const now = document.getElementById("now");
const filter = document.getElementById("filter");

const MANY = 3000;
const FILTERS = {
  round: (n, at) => roundStart[n] === roundStart[at],
  judged: (n) => "xin".includes(what(n)) || marks(n).includes("R"),
  big: (n) => "rbe".includes(what(n)) || /[pco]/.test(marks(n)),
};

function actor(n, position) {
  const seat = actorOf(n);
  if (seat >= 0) return el(`bdi.side${sideOf(position, seat)}`, {}, nameOf(position, seat));
  return { "-1": "The table", "-2": "The director" }[seat] ?? null;
}

const mayKnow = (n, viewer) => viewer === JUDGE || viewer === actorOf(n);

function sentence(n, position, viewer) {
  const more = moreOf(n);
  const text = more.p !== undefined && mayKnow(n, viewer) ? data.texts[more.p] : textOf(n);
  const who = actor(n, position);
  const line = el("span", {}, who, !who ? "" : "aiu".includes(what(n)) ? ": " : " ", rich(text, position));
  if (more.g && mayKnow(n, viewer)) line.append(": ", chips(board.fromLetters(more.g)));
  return line;
}

const LABELS = { x: "refused", i: "breaks the rules", u: "not executed", n: "note", r: "round", b: "round over", e: "game over", k: "signed" };
const NOTES = { c: "canasta", f: "freezes", o: "goes out", R: "ruling" };

function labels(n) {
  const own = what(n) === "u" && unknown[n] === HIDDEN ? undefined : LABELS[what(n)];
  const brought = [...marks(n)].map((mark) => NOTES[mark]).filter(Boolean);
  return [...(own ? [own] : []), ...new Set(brought)].map((label) => el("span.label", {}, label));
}

function listRow(n, position, viewer) {
  const row = el(`button.row.${what(n)}`, { type: "button", "data-n": n }, el("span.n", {}, `${n}`), sentence(n, position, viewer), ...labels(n));
  return el("li", {}, row);
}

let listed = "";

/** Draws the list where it changed, and marks the record shown. */
function drawList(n, position, viewer) {
  const chosen = filter.value;
  const key = `${chosen} ${viewer} ${chosen === "round" ? roundStart[n] : ""}`;
  if (key !== listed) {
    listed = key;
    const found = [...rows.keys()].filter((i) => FILTERS[chosen](i, n));
    // A list beyond reason would take long to draw: it is cut around the record shown.
    const from = Math.max(0, Math.min(found.length - MANY, found.findIndex((i) => i >= n) - MANY / 2));
    const items = found.slice(from, from + MANY).map((i) => listRow(i, position, viewer));
    list.replaceChildren(...(items.length > 0 ? items : [el("li.none", {}, "nothing of this kind")]));
  }
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const row = list.querySelector(`[data-n="${n}"]`);
  if (!row) return;
  row.setAttribute("aria-current", "true");
  const [top, height] = [row.offsetTop - list.offsetTop, list.clientHeight];
  if (top < list.scrollTop || top + row.offsetHeight > list.scrollTop + height) list.scrollTop = top - height / 2;
}

function reason([code, text, ids], n, position, viewer) {
  const known = text >= 0 && (what(n) === "i" || mayKnow(n, viewer));
  const summary = document.getElementById(`code-${code}`)?.nextElementSibling.textContent ?? "";
  const links = ids.split(" ").filter((id) => document.getElementById(`rule-${id}`));
  const rules = links.flatMap((id) => [" ", el("a.rule", { href: `#rule-${id}` }, id)]);
  return el("li", {}, known ? rich(data.texts[text], position) : summary, " ", el("code", {}, code), ...rules);
}

function seconds(ms) {
  return ms < 60000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60000)} min ${Math.round((ms % 60000) / 1000)} s`;
}

/** Says what happened at record n. */
function drawNow(n, position, viewer) {
  const more = moreOf(n);
  const time = more.e === undefined ? "" : ` · after ${seconds(more.e)}`;
  const round = position.r > 0 && position.c ? ` · round ${position.r}` : "";
  const lines = more[viewer === JUDGE && more.j ? "j" : "l"] ?? [];
  const parts = [
    el("p.place", {}, `record ${n} of ${rows.length - 1}${round}${time}`),
    el("p.said", {}, sentence(n, position, viewer), ...labels(n).flatMap((label) => [" ", label])),
  ];
  if (what(n) === "x") parts.push(el("p.tablestays", {}, "The table is unchanged."));
  if (more.w !== undefined) parts.push(el("blockquote", { dir: "auto" }, plain(more.w)));
  if (more.v) parts.push(el("ul.reasons", {}, ...more.v.map((violation) => reason(violation, n, position, viewer))));
  if (lines.length > 0) parts.push(el("ul.lines", {}, ...lines.map((line) => el("li", {}, rich(data.texts[line], position)))));
  now.replaceChildren(...parts);
}
