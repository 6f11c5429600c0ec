// A table in a page: you against bots. docs/start/FIRST_PAGE.md goes through it.

import {
  asSeat, connect, createClient, createRoom, DealMode, Destination, GameService, getWordings, readToken, RoomGame, Sentences, Trouble,
  type Action, type News, type PlayOption, type View, type Violation,
} from "canasta-client";

const NAMES = ["You", "Ann", "Ben", "Cem", "Dora", "Emil"];
const asked = new URLSearchParams(location.search);
const baseUrl = asked.get("recorder") ?? "http://127.0.0.1:50051";
const part = (id: string) => document.getElementById(id)!;

/** Your link: the one in the page's address, or that of a new table with bots on the other seats. */
async function seated() {
  const link = readToken(location.hash.slice(3));
  if (link) return link;
  const transport = connect({ baseUrl });
  const ruleSet = asked.get("rules") ?? "classic-4p";
  const known = await createClient(GameService, transport).getRuleSet({ id: ruleSet });
  const { seats, dealerRequired } = known.ruleSet!.summary!;
  const room = await createRoom(transport, {
    ruleSet,
    dealMode: DealMode.COMMITTED,
    players: NAMES.slice(0, seats).map((name) => ({ name })),
    // Some rule sets leave the first dealer to the table: to you.
    dealer: dealerRequired ? 0 : undefined,
    creator: asSeat(0),
    bots: NAMES.slice(1, seats).map((_, at) => ({ seat: at + 1 })),
    autoTable: true,
  });
  if (!("token" in room)) throw new Error(room.violations[0]?.message);
  location.hash = `t=${room.token}`;
  return room;
}

const link = await seated();
const transport = connect({ baseUrl, token: link.token });
const game = new RoomGame(transport, link.gameId, link.actor);
const wordings = await getWordings(transport);
let view: View;
let selected = new Set<number>();

// What no retry mends in an answer to a click.
addEventListener("unhandledrejection", ({ reason }) => (part("refusal").textContent = Trouble.of(reason).message));

const say = () => new Sentences(wordings, view);

function button(text: string, press: () => unknown, pressed?: boolean) {
  const made = document.createElement("button");
  made.textContent = text;
  if (pressed !== undefined) made.ariaPressed = String(pressed);
  made.onclick = press;
  return made;
}

function line(text: string) {
  const made = document.createElement("div");
  made.textContent = text;
  return made;
}

/** Draws what your seat may see. */
function draw() {
  part("table").replaceChildren(
    line(`Round ${view.round}: ${view.stock} cards in the stock, ${view.pile?.size} in the pile under ${view.pile?.top || "nothing"}`),
    ...view.seats.map((seat) => line(`${seat.name}: ${seat.handSize} cards${points(seat)}`)),
    ...view.sides.map((side) => line(`${say().sideName(side.side)}: ${side.melds.map((meld) => meld.cards.join(" ")).join(" · ") || "no meld"}${points(side)}`)),
  );
  part("hand").replaceChildren(...ownHand().map((card, at) => button(card, () => toggle(at), selected.has(at))));
}

/** Sides keep the score, or in some rule sets seats. */
const points = ({ score }: { score?: number }) => (score === undefined ? "" : `, ${score} points`);

/** Selects or unselects a card. */
async function toggle(at: number) {
  selected = new Set(selected.has(at) ? [...selected].filter((each) => each !== at) : [...selected, at]);
  draw();
  await offer();
}

const ownHand = () => view.seats.find((each) => each.seat === game.seat)?.hand ?? [];

/** Offers where the selected cards may go, or without any what else may be done. */
async function offer() {
  part("choices").replaceChildren();
  if (view.toAct !== game.seat) return;
  const [seq, before] = [view.seq, selected];
  const cards = ownHand().filter((_, at) => selected.has(at));
  const choices = cards.length > 0
    ? (await game.options(cards)).options.map(place)
    : [...(await game.legal()).map(choice), button("Hint", async () => play((await game.suggest()).action!))];
  // Unless the player or the table has gone on meanwhile.
  if (seq === view.seq && before === selected) part("choices").replaceChildren(...choices);
}

const choice = (action: Action) => button(say().action(action), () => play(action));

const PLACES: Partial<Record<Destination, string>> = {
  [Destination.MELD]: "Add to", [Destination.NEW_SET]: "New meld", [Destination.NEW_WILD]: "New meld of wild cards",
  [Destination.NEW_SEQUENCE]: "New sequence", [Destination.NEW_BLACK_THREES]: "Black threes",
  [Destination.PILE]: "Take the pile", [Destination.DISCARD]: "Discard",
};

/** A place for the selected cards. Where they may not go, the button says why. */
function place({ destination, meld, action, verdict }: PlayOption) {
  const own = view.sides.find((side) => side.side === view.seats.find((each) => each.seat === game.seat)?.side);
  const name = [PLACES[destination] ?? say().action(action!), ...(own?.melds.find((each) => each.id === meld)?.cards ?? [])].join(" ");
  if (verdict.case === "legal") return button(name, () => play(action!));
  const made = button(`${name}?`, () => refuse(verdict.value?.violations ?? []));
  made.style.opacity = "0.5";
  return made;
}

/** Proposes an action. A refusal is an answer: nothing has changed, and it says why. */
async function play(action: Action) {
  const answer = await game.act(action, view.seq);
  refuse(answer.case === "refused" ? answer.violations : []);
}

function refuse(violations: Violation[]) {
  part("refusal").textContent = violations.map((each) => `${say().violation(each)} (${each.ruleIds.join(", ")})`).join("; ");
}

/** Shows one thing that has happened. */
async function show(news: News) {
  if (view?.seq !== news.view.seq) selected = new Set();
  view = news.view;
  const sheet = news.roundEnd?.scores.map((score) => `${say().ownerName(score)}: ${score.total}, now ${score.cumulative}`) ?? [];
  part("said").append(...news.events.map((event) => line(say().event(event))), ...sheet.map(line));
  part("said").scrollTop = part("said").scrollHeight;
  draw();
  await offer();
}

try {
  for await (const news of game.news(new AbortController().signal)) await show(news);
  part("refusal").textContent = "The game is over.";
} catch (error) {
  part("refusal").textContent = Trouble.of(error).message;
}
