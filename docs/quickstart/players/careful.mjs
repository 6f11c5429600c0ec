// A player in JavaScript that watches what the others can use: canasta-player/1, which docs/play/PLAYERS.md describes.
import { createInterface } from "node:readline";

const points = { X: 50, 2: 20, A: 20, K: 10, Q: 10, J: 10, T: 10, 9: 10, 8: 10 };
const cards = (text) => text.match(/X|[2-9TJQKA][shdc]/g) ?? [];
const isWild = (card) => card === "X" || card[0] === "2";
const sum = (list, value) => list.reduce((total, item) => total + value(item), 0);
const worth = (card) => points[card[0]] ?? 5;

/** The sections of a position that begin with a word: "hand", "melds", "pile". */
const sections = (position, name) =>
  position.split(";").map((part) => part.trim()).filter((part) => part.startsWith(name + " "));

/** What the seat sees: its hand, the pile, and the ranks of the cards that lie in melds of the other sides. */
function seen(position, game) {
  const seat = game.seats === 4 ? "NESW"[game.seat] : String(game.seat);
  // In games of four with two sides a side is named by its seats: "NS".
  const side = game.seats === 4 && game.sides === 2 ? seat : String(game.seat % game.sides);
  const isOwn = (melds) => melds.split(" ")[1].includes(side);
  const theirs = sections(position, "melds").filter((melds) => !isOwn(melds));
  const own = sections(position, "hand").filter((hand) => hand.split(" ")[1] === seat);
  return {
    hand: own.flatMap((hand) => cards(hand.slice(6))),
    pile: sections(position, "pile").flatMap((pile) => cards(pile.slice(5))),
    wanted: new Set(theirs.flatMap((melds) => cards(melds)).map((card) => card[0])),
  };
}

/** A number for each action: the highest is played. */
function merit(action, { hand, pile, wanted }) {
  const [kind] = action.split(" ", 1);
  const laid = cards(action.slice(kind.length));
  switch (kind) {
    case "discard": {
      if (isWild(laid[0])) return pile.length > 8 ? -40 : -90;
      if (laid[0] === "3s" || laid[0] === "3c") return -10;
      const same = hand.filter((card) => card[0] === laid[0][0]).length;
      // Whoever sits behind takes the pile with a card that he already melds.
      return -15 * same - worth(laid[0]) / 5 - (wanted.has(laid[0][0]) ? 20 + 4 * pile.length : 0);
    }
    case "take": return 300 + sum(pile, worth);
    case "meld": return 100 + sum(laid, worth) - 70 * laid.filter(isWild).length;
    case "answer": return action === "answer yes" ? 1 : 0;
    default: return { special_hand: 9000, lay_threes: 8000, draw: 250, end_round: 200, pass: -30 }[kind] ?? -500;
  }
}

let game = { seat: 0, seats: 4, sides: 2 };
for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  if (question.op === "game") game = question;
  const best = ({ position, actions }) => {
    const merits = actions.map((action) => merit(action, seen(position, game)));
    return { action: merits.indexOf(Math.max(...merits)) };
  };
  const hello = { protocol: "canasta-player/1", name: "careful" };
  console.log(JSON.stringify(question.op === "choose" ? best(question) : question.op === "hello" ? hello : {}));
}
