// The table as one viewer may know it: the board, which is that of the table in the browser (built/board.js), and what
// only a report tells.

const surface = document.getElementById("board");
const warning = document.getElementById("warning");
const below = document.getElementById("below");
const deep = document.getElementById("deep");

/** Draws the position after row n. */
function drawTable(n, viewer) {
  const position = positionAt(n);
  const before = n > 0 && roundStart[n] === roundStart[n - 1] ? positionAt(n - 1) : undefined;
  board.draw(surface, { position, before, viewer, players: data.players, seats: data.seats, units: data.units });
  warning.replaceChildren(...(unknown[n] ? [el("p.unknown", {}, unknown[n])] : []));
  const status = position.q === undefined || !position.c ? [] : [el("p.status", {}, `Round ${position.r} · `, rich(data.texts[position.q], position))];
  const lines = position[viewer === JUDGE && position.y !== undefined ? "y" : "x"];
  const asides = (lines === undefined ? [] : data.texts[lines].split("\n")).map((line) => el("p.status", {}, rich(line, position)));
  below.replaceChildren(...underTop(position, viewer), ...status, ...asides);
  drawDeep(position, viewer);
  return position;
}

/** The cards under the top of the pile, where everyone may look at them. */
function underTop(position, viewer) {
  const pile = board.fromLetters(position.pi);
  const under = position.tt ? pile : pile.slice(0, -1);
  if (!position.c || viewer === JUDGE || data.look === 0) return [];
  return [el("p.under", {}, "under the top: ", chips(under.reverse().slice(0, data.look)))];
}

/** For a judge: the pile and the stock to the last card. */
function drawDeep(position, viewer) {
  deep.hidden = viewer !== JUDGE || !position.c;
  if (deep.hidden) return;
  const line = (label, cards) => el("p", {}, el("b", {}, label), " ", cards.length > 0 ? chips(cards) : "empty");
  deep.querySelector("div").replaceChildren(
    line("Pile, from the top:", board.fromLetters(position.pi).reverse()),
    line("Stock, next to be drawn first:", board.fromLetters(position.st).reverse()),
  );
}
