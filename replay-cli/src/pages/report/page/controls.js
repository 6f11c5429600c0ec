// Where one is in the game, and through whose eyes: slider, buttons, keys, and the address.

const slider = document.getElementById("slider");
const viewers = document.getElementById("viewers");
let at = 0;
let viewer = data.over ? JUDGE : TABLE;
let playing = 0;

function show(n, as = viewer) {
  at = Math.max(0, Math.min(rows.length - 1, n));
  viewer = as;
  const position = drawTable(at, viewer);
  drawNow(at, position, viewer);
  drawViewers(position);
  drawList(at, position, viewer);
  slider.value = at;
  slider.setAttribute("aria-valuetext", `record ${at}: ${now.querySelector(".said").textContent}`);
  history.replaceState(null, "", `#at=${at}&as=${viewer}`);
}

function drawViewers(position) {
  const choices = [[TABLE, "Table"], ...seats.map((seat) => [seat, nameOf(position, seat)]), [JUDGE, "Judge"]];
  if (viewers.childElementCount === 0) {
    for (const [value] of choices) {
      const input = el("input", { type: "radio", name: "viewer", value });
      input.addEventListener("change", () => show(at, value));
      viewers.append(el("label", {}, input, el("span")));
    }
  }
  choices.forEach(([value, name], i) => {
    const label = viewers.children[i];
    label.querySelector("span").replaceChildren(el("bdi", {}, name));
    label.title = name;
    label.querySelector("input").checked = value === viewer;
  });
}

/** The next record, in a direction, that is wanted. */
function seek(wanted, step) {
  for (let n = at + step; n >= 0 && n < rows.length; n += step) {
    if (wanted(n)) return show(n);
  }
}

const WANTED = {
  refusal: (n) => "xi".includes(what(n)) || marks(n).includes("R"),
  pile: (n) => marks(n).includes("p"),
  canasta: (n) => marks(n).includes("c"),
  round: (n) => what(n) === "r",
};

function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => (at < rows.length - 1 ? show(at + 1) : play(false)), 900) : 0;
  const button = document.getElementById("play");
  button.setAttribute("aria-pressed", on);
  button.setAttribute("aria-label", on ? "pause" : "play");
}

const KEYS = {
  ArrowLeft: () => show(at - 1),
  ArrowRight: () => show(at + 1),
  PageUp: () => seek(WANTED.round, -1),
  PageDown: () => seek(WANTED.round, 1),
  Home: () => show(0),
  End: () => show(rows.length - 1),
  r: () => seek(WANTED.refusal, 1),
  R: () => seek(WANTED.refusal, -1),
  p: () => seek(WANTED.pile, 1),
  P: () => seek(WANTED.pile, -1),
  c: () => seek(WANTED.canasta, 1),
  C: () => seek(WANTED.canasta, -1),
  t: () => show(at, TABLE),
  j: () => show(at, JUDGE),
  " ": () => play(!playing),
};

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const target = event.target;
  const inside = target === document.body || document.getElementById("walk").contains(target);
  if (!inside || target === filter) return;
  const onButton = target.tagName === "BUTTON" && event.key === " ";
  const seat = /^[1-6]$/.test(event.key) ? Number(event.key) - 1 : -1;
  if (seat >= 0 && seat < data.seats) show(at, seat);
  else if (Object.hasOwn(KEYS, event.key) && !onButton) KEYS[event.key]();
  else return;
  event.preventDefault();
}

/** The marks above the slider: rounds, refusals, canastas, piles. */
function drawStrip() {
  const strip = document.getElementById("strip");
  const width = Math.max(rows.length - 1, 1);
  strip.setAttribute("viewBox", `0 0 ${width} 10`);
  const ticks = (className, wanted, from, to) => {
    const found = [...rows.keys()].filter(wanted);
    strip.append(svg("path", { class: className, d: found.map((n) => `M${n} ${from}V${to}`).join("") }));
  };
  ticks("pile", WANTED.pile, 6, 10);
  ticks("canasta", WANTED.canasta, 4, 10);
  ticks("round", WANTED.round, 0, 10);
  ticks("refusal", WANTED.refusal, 1, 10);
}

/** What the address asks for: #at=57&as=2. */
function fromAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (!asked.has("at")) return false;
  const n = Number(asked.get("at"));
  const as = asked.get("as");
  const known = { [TABLE]: TABLE, [JUDGE]: JUDGE }[as] ?? seats.find((seat) => `${seat}` === as) ?? viewer;
  show(Number.isInteger(n) ? n : 0, known);
  return true;
}

const BUTTONS = {
  first: () => show(0),
  "round-back": KEYS.PageUp,
  back: KEYS.ArrowLeft,
  play: () => play(!playing),
  on: KEYS.ArrowRight,
  "round-on": KEYS.PageDown,
  last: () => show(rows.length - 1),
  "next-refusal": KEYS.r,
  "next-pile": KEYS.p,
  "next-canasta": KEYS.c,
};

function start() {
  slider.max = rows.length - 1;
  slider.addEventListener("input", () => show(Number(slider.value)));
  for (const [id, go] of Object.entries(BUTTONS)) document.getElementById(id).addEventListener("click", go);
  filter.addEventListener("change", () => show(at));
  list.addEventListener("click", (event) => {
    const row = event.target.closest("[data-n]");
    if (row) show(Number(row.dataset.n));
  });
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", () => {
    if (fromAddress()) document.getElementById("walk").scrollIntoView();
  });
  document.getElementById("needs").remove();
  document.getElementById("walk").hidden = false;
  drawStrip();
  const ends = [...rows.keys()].filter((n) => what(n) === "b");
  if (!fromAddress()) show(data.over && ends.length > 0 ? ends.at(-1) : rows.length - 1);
}
