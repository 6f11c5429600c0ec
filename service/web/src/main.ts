// A table in the browser: set up a game, play it against bots, see why a play is refused, take the log home.

import { byId } from "./dom";
import { Game } from "./game";
import { connect } from "./server";
import { failure } from "./sheet";
import { Table } from "./table";

const server = connect(location.origin);
const NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"];

async function setUp(): Promise<void> {
  const { ruleSets } = await server.listRuleSets({});
  const ruleSet = byId<HTMLSelectElement>("rule-set");
  const seat = byId<HTMLSelectElement>("seat");
  for (const each of ruleSets.filter((every) => every.playable)) {
    const sides = each.sides === each.seats ? "each for themselves" : `${each.sides} sides`;
    ruleSet.add(new Option(`${each.id} · ${each.seats} players, ${sides}`, each.id));
  }
  const seats = () => ruleSets.find((each) => each.id === ruleSet.value)?.seats ?? 2;
  const offerSeats = () => {
    seat.replaceChildren(...Array.from({ length: seats() }, (_, number) => new Option(`Seat ${number + 1}`, `${number}`)));
  };
  ruleSet.addEventListener("change", offerSeats);
  offerSeats();
  const form = byId<HTMLFormElement>("setup");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void begin(ruleSet.value, seats(), Number(seat.value), byId<HTMLInputElement>("word").value.trim());
  });
  byId<HTMLButtonElement>("begin").disabled = false;
}

async function begin(ruleSet: string, seats: number, player: number, word: string): Promise<void> {
  const players = NAMES.slice(0, seats).map((name, number) => (number === player ? "You" : name));
  try {
    const game = await Game.create(server, { ruleSet, players, player, word });
    if (!(game instanceof Game)) return say(game.violations.map((each) => each.message).join("; "));
    say("");
    byId("setup").hidden = true;
    await new Table(server, game).play();
  } catch (error) {
    say(failure(error));
  }
}

function say(text: string): void {
  byId("problem").textContent = text;
}

setUp().catch((error: unknown) => say(failure(error)));
