// A table in the browser: set up a game or go on with one, play it against bots, see why a play is refused, take the log
// home. Every answer is kept in the browser: a reload, the back button or a crash loses nothing.

import { button, byId, h } from "./dom";
import { Game } from "./game";
import { connect } from "./server";
import { offer, type Choice } from "./setup";
import { failure } from "./sheet";
import { current, enter, kept, leave, type Kept } from "./store";
import { Table } from "./table";

const server = connect(location.origin, { away, back: () => (byId("away").hidden = true) });
const NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"];

async function start(): Promise<void> {
  byId("new-game").onclick = () => {
    if (confirm("Leave this game? This browser keeps it: you can go on with it from the next page.")) newGame();
  };
  const game = current();
  await (game ? resume(game) : setUp());
}

function newGame(): void {
  leave();
  location.reload();
}

/** Continues a kept game; a game that the service no longer accepts does not block the others. */
async function resume(game: Kept): Promise<void> {
  try {
    await sit(await Game.resume(server, game));
  } catch (error) {
    leave();
    say(`The game of ${game.ruleSet} cannot go on. ${failure(error)}`);
    await setUp();
  }
}

async function sit(game: Game): Promise<void> {
  enter(game.id);
  say("");
  byId("setup").hidden = true;
  byId("kept").hidden = true;
  await new Table(server, game).play();
}

function offerKept(): void {
  const games = kept();
  byId("kept").hidden = games.length === 0;
  byId("kept-games").replaceChildren(...games.map((game) => {
    const state = game.end === undefined ? `round ${game.rounds.length + 1}` : "finished";
    const text = `${game.ruleSet}, ${state}, last played ${new Date(game.at).toLocaleString()}`;
    return h("li", {}, button(text, () => void resume(game)));
  }));
}

async function setUp(): Promise<void> {
  offerKept();
  await offer(server, (choice) => void begin(choice));
}

async function begin({ seats, ...start }: Choice): Promise<void> {
  // A second press would deal a second game.
  byId<HTMLButtonElement>("begin").disabled = true;
  const players = NAMES.slice(0, seats).map((name, number) => (number === start.player ? "You" : name));
  try {
    const game = await Game.create(server, { ...start, players });
    if (!(game instanceof Game)) return say(game.violations.map((each) => [each.message, each.repair?.message].filter(Boolean).join(": ")).join("; "));
    await sit(game);
  } catch (error) {
    say(failure(error));
  } finally {
    byId<HTMLButtonElement>("begin").disabled = false;
  }
}

/** Shows that the service is unreachable, and waits to try again: for a time, or until the player presses a button. */
function away(wait: number): Promise<void> {
  byId("away").hidden = false;
  byId("away-text").textContent = "The service cannot be reached. Nothing is lost; the page keeps trying.";
  return new Promise((done) => {
    const timer = setTimeout(done, wait);
    byId("try-now").onclick = () => {
      clearTimeout(timer);
      done();
    };
  });
}

function say(text: string): void {
  byId("problem").textContent = text;
}

start().catch((error: unknown) => say(failure(error)));
