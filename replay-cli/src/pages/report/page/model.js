// The game as data: rows (one a record) and the position after each. report/rows.rs and report/scene.rs say what
// they hold.

/** The page's data, which stands in it deflated. */
function unpacked() {
  const packed = Uint8Array.from(atob(document.getElementById("data").textContent), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
}

const data = await unpacked();
const rows = data.rows.map((kind) => data.kinds[kind]);
const TABLE = "table";
const JUDGE = "judge";

const what = (n) => rows[n][0][0];
const marks = (n) => rows[n][0].slice(1);
const actorOf = (n) => rows[n][1];
const textOf = (n) => data.texts[rows[n][2]];
const moreOf = (n) => rows[n][4] ?? {};

/** The bag of letters after cards came and went: "+AB-C". */
function changeBag(bag, change) {
  const [came, went] = change.slice(1).split("-");
  const left = [...(bag ?? "")];
  for (const letter of went) left.splice(left.indexOf(letter), 1);
  return left.concat(...came).join("");
}

/** A stack after cards went from its top and others came on it. */
const changeStack = (stack, [went, came]) => stack.slice(0, stack.length - went) + came;

function change(position, patch) {
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete position[key];
    else if (Array.isArray(value)) position[key] = changeStack(position[key] ?? "", value);
    else if ("hlF".includes(key[0])) position[key] = changeBag(position[key], value);
    else position[key] = value;
  }
}

// Every so many rows a position is kept, so that a jump has little to redo.
const EVERY = 256;
const kept = [{}];

/** The position after row n. */
function positionAt(n) {
  const from = Math.min(Math.floor((n + 1) / EVERY), kept.length - 1);
  const position = { ...kept[from] };
  for (let i = from * EVERY; i <= n; i++) {
    if (i === kept.length * EVERY) kept.push({ ...position });
    if (rows[i][3]) change(position, rows[i][3]);
  }
  return position;
}

const HIDDEN = "The cards of this round are not known: the log does not reveal them yet.";
const BROKEN = "An action broke the rules; what followed is not executed. This is the last table that is known.";

/** By row: the row that began its round, and why the table is not known after it, where it is not. */
const roundStart = [];
const unknown = [];
{
  let start = 0;
  let why = "";
  let broken = false;
  for (let n = 0; n < rows.length; n++) {
    const letter = what(n);
    if (letter === "r") [start, why, broken] = [n, "", false];
    if (letter === "i") broken = true;
    if (letter === "a") why = "";
    if (letter === "u") why = broken ? BROKEN : HIDDEN;
    roundStart.push(start);
    unknown.push(why);
  }
}

const nameOf = (position, seat) => data.players[Number(position.pl?.[seat] ?? seat)] ?? `seat ${seat}`;
const sideOf = (position, seat) => Number(position.sd?.[seat] ?? 0);
const seats = [...Array(data.seats).keys()];
