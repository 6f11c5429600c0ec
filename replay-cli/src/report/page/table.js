// The table as one viewer may know it.

const felt = document.getElementById("felt");
const deep = document.getElementById("deep");

/** Where a seat is drawn: the viewer, or else the last but half, sits at the bottom; play goes clockwise. */
function placeOf(seat, viewer) {
  const bottom = typeof viewer === "number" ? viewer : Math.floor(data.seats / 2);
  const turn = (seat - bottom + data.seats) % data.seats;
  if (turn === 0) return "bottom";
  if (data.seats < 4) return "top";
  if (turn === 1) return "left";
  return turn === data.seats - 1 ? "right" : "top";
}

const FREEZES = { WILD: "a wild card", RED_THREE: "a red three", NOT_OPENED: "not opened", ALWAYS: "always frozen" };
const freezeText = (causes) => causes.split(" ").map((cause) => FREEZES[cause] ?? cause).join(", ");

/** Cards of `now` that were not in `before`. */
function newCards(now, before) {
  const left = cardsOf(before);
  return cardsOf(now).filter((kind) => {
    const at = left.indexOf(kind);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function drawSeat(seat, position, before, viewer) {
  const name = nameOf(position, seat);
  const hand = cardsOf(position[`h${seat}`]).sort(byRank);
  const shown = sees(viewer, seat);
  const fresh = shown && before ? newCards(position[`h${seat}`], before[`h${seat}`]) : [];
  const label = shown ? `${name} holds ${hand.map(cardName).join(", ") || "nothing"}` : `${name} holds ${hand.length} cards`;
  const panel = el(`div.seat.side${sideOf(position, seat)}`, { "data-seat": seat });
  if (position.a === seat) panel.classList.add("acts");
  const who = el("div.who", {}, el("bdi", { title: name }, name));
  if (position.d === seat && position.c) who.append(el("span.dealer", { title: "dealer" }, "D"));
  if (position.c) who.append(el("span.count", {}, `${hand.length}`));
  panel.append(who);
  if (position.c) panel.append(fan(shown ? hand : hand.map(() => BACK), label, fresh.length < hand.length ? fresh : []));
  const aside = el("div.aside");
  const laid = cardsOf(position[`l${seat}`]);
  if (laid.length > 0) {
    const row = el("span.small", { role: "img", "aria-label": `laid: ${laid.map(cardName).join(", ")}` }, ...laid.map((kind) => card(kind)));
    aside.append(row);
  }
  const foot = cardsOf(position[`F${seat}`]).sort(byRank);
  if (foot.length > 0 && position.c) {
    aside.append(el("span.foot", {}, `foot ${foot.length}`));
  }
  if (aside.childNodes.length > 0) panel.append(aside);
  if (foot.length > 0 && position.c && viewer === JUDGE) {
    panel.append(el("div.footcards", {}, fan(foot, `foot of ${name}: ${foot.map(cardName).join(", ")}`)));
  }
  return panel;
}

function drawCentre(position, before, viewer) {
  const centre = el("div.centre");
  if (!position.c) return centre;
  const stock = (position.st ?? "").length;
  const pile = cardsOf(position.pi);
  const top = position.tt ? undefined : pile.at(-1);
  const label = top === undefined ? `pile: ${pile.length} cards` : `pile: ${cardName(top)} on top of ${pile.length} cards`;
  const stack = (className, face, count, text, caption) =>
    el(`div.stack.${className}`, {}, el("div.cards", { role: "img", "aria-label": text }, ...face), el("div.caption", {}, caption, el("b", {}, ` ${count}`)));
  const stockFace = stock > 0 ? [card(BACK)] : [el("div.empty")];
  const frozen = position.fz !== "" && position.fz !== undefined;
  const pileFace = top === undefined ? [pile.length > 0 ? card(BACK) : el("div.empty")] : [card(top, before && position.pi !== before.pi ? "fresh" : "")];
  if (frozen && pile.length > 1) pileFace.unshift(card(BACK, "across"));
  const pileStack = stack("pile", pileFace, pile.length, label, "pile");
  pileStack.querySelector(".cards").dataset.cards = top === undefined ? "" : codeOf(top);
  if (frozen) pileStack.append(el("div.frozen", {}, `frozen: ${freezeText(position.fz)}`));
  centre.append(stack("stock", stockFace, stock, `stock: ${stock} cards`, "stock"), pileStack);
  const under = position.tt ? pile : pile.slice(0, -1);
  if (viewer !== JUDGE && data.look > 0 && under.length > 0) {
    centre.append(el("div.under", {}, "under the top: ", chips(under.reverse().slice(0, data.look))));
  }
  return centre;
}

const MELDS = { W: "wild cards", B: "black threes", Q: "sequence" };
const GRADES = { N: "natural canasta", M: "mixed canasta", W: "wild canasta", Q: "canasta" };
const PLURALS = ["aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens", "kings"];

function drawMeld(key, value, before) {
  const [kind, grade] = value;
  const [letters, loose] = value.slice(2).split("/");
  const order = kind === "Q" ? (a, b) => rankOf(a) - rankOf(b) : (a, b) => isWild(a) - isWild(b) || byRank(a, b);
  const cards = cardsOf(letters).sort(order);
  const natural = cards.find((kind) => !isWild(kind));
  const name = MELDS[kind] ?? PLURALS[rankOf(natural ?? 1)];
  const fresh = before && before[key] !== value ? newCards(letters, (before[key] ?? "").slice(2).split("/")[0]) : [];
  const meld = el(`div.meld.grade${grade === "-" ? "0" : grade}`, { "data-meld": key.slice(1) });
  const title = GRADES[grade] === undefined ? `${cards.length} ${name}` : `${name}: ${GRADES[grade]}`;
  meld.append(fan(cards, `${title}: ${cards.map(cardName).join(", ")}`, fresh));
  meld.append(el("div.name", {}, el("span.id", { title: `meld ${key.split(".")[1]}` }, key.split(".")[1]), `${cards.length} ${name}`, GRADES[grade] ? el("b", {}, GRADES[grade]) : null, loose ? el("i", {}, "may return") : null));
  return meld;
}

/** The units whose totals belong to a side. */
function scoresOf(position, side) {
  if (!data.units) return [position[`s${side}`]];
  return seats.filter((seat) => sideOf(position, seat) === side).map((seat) => position[`s${seat}`]);
}

function drawSide(side, position, before) {
  const mates = seats.filter((seat) => sideOf(position, seat) === side);
  const head = el("div.sidehead", {}, ...mates.flatMap((seat, i) => [i > 0 ? " · " : "", el("bdi", {}, nameOf(position, seat))]));
  const points = scoresOf(position, side).map((score) => (score ?? 0).toLocaleString("en-US")).join(" · ");
  head.append(el("b.points", {}, points));
  if (position.c) {
    const needs = position[`o${side}`];
    head.append(needs === "" ? el("span.tag", {}, "opened") : el("span.tag.closed", {}, `needs ${needs} to open`));
  }
  const zone = el(`section.zone.side${side}`, { "aria-label": `melds of ${mates.map((seat) => nameOf(position, seat)).join(" and ")}` }, head);
  const keys = Object.keys(position).filter((key) => key.startsWith(`m${side}.`));
  keys.sort((a, b) => Number(a.split(".")[1]) - Number(b.split(".")[1]));
  if (position.c) {
    const melds = keys.map((key) => drawMeld(key, position[key], before));
    zone.append(melds.length > 0 ? el("div.melds", {}, ...melds) : el("div.none", {}, "no meld yet"));
  }
  return zone;
}

/** Draws the position after row n. */
function drawTable(n, viewer) {
  const position = positionAt(n);
  const before = n > 0 && roundStart[n] === roundStart[n - 1] ? positionAt(n - 1) : null;
  const places = { top: [], left: [], right: [], bottom: [] };
  const first = typeof viewer === "number" ? viewer : Math.floor(data.seats / 2);
  for (let turn = 0; turn < data.seats; turn++) {
    const seat = (first + turn) % data.seats;
    places[placeOf(seat, viewer)].push(drawSeat(seat, position, before, viewer));
  }
  const areas = Object.entries(places).map(([place, panels]) => el(`div.area.${place}`, {}, ...panels));
  const sides = [...new Set(seats.map((seat) => sideOf(position, seat)))].sort();
  const zones = el("div.zones", {}, ...sides.map((side) => drawSide(side, position, before)));
  const status = el("p.status", {}, ...(position.q === undefined || !position.c ? [] : [`Round ${position.r} · `, rich(data.texts[position.q], position)]));
  const lines = position[viewer === JUDGE && position.y !== undefined ? "y" : "x"];
  const aside = (lines === undefined ? [] : data.texts[lines].split("\n")).map((line) => el("p.status", {}, rich(line, position)));
  const warning = unknown[n] ? [el("p.unknown", {}, unknown[n])] : [];
  felt.replaceChildren(...warning, el(`div.round.n${data.seats}`, {}, ...areas, drawCentre(position, before, viewer)), status, ...aside, zones);
  drawDeep(position, viewer);
  return position;
}

/** For a judge: the pile and the stock to the last card. */
function drawDeep(position, viewer) {
  deep.hidden = viewer !== JUDGE || !position.c;
  if (deep.hidden) return;
  const line = (label, cards) => el("p", {}, el("b", {}, label), " ", cards.length > 0 ? chips(cards) : "empty");
  deep.querySelector("div").replaceChildren(
    line("Pile, from the top:", cardsOf(position.pi).reverse()),
    line("Stock, next to be drawn first:", cardsOf(position.st).reverse()),
  );
}
