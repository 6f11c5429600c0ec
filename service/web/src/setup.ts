// The form for a new game: the rule set, its variations, and the player's seat.

import { byId, h } from "./dom";
import type { RuleSetSummary, Variation } from "./gen/canasta/v1/rule_set_pb";
import type { Server } from "./server";

/** The content of the form. */
export interface Choice {
  ruleSet: string;
  variations: string[];
  seats: number;
  /** The first dealer if the table names one: drawn at random, or the first seat if the cards are to repeat. */
  dealer?: number;
  player: number;
  word: string;
}

/** Fills the form, keeps it up to date, and calls `begin` when the player starts a game. */
export async function offer(server: Server, begin: (choice: Choice) => void): Promise<void> {
  const { ruleSets } = await server.listRuleSets({});
  const playable = ruleSets.filter((each) => each.playable);
  const ruleSet = byId<HTMLSelectElement>("rule-set");
  const seat = byId<HTMLSelectElement>("seat");
  let offered: Variation[] = [];

  const summary = () => playable.find((each) => each.id === ruleSet.value) as RuleSetSummary;
  const chosen = () => offered.filter((each) => byId<HTMLInputElement>(`variation-${each.id}`).checked);
  // A variation may need another number of players.
  const seats = () => Number(chosen().find((each) => each.knobs["seats"])?.knobs["seats"] ?? summary().seats);
  const offerSeats = () => {
    if (seat.options.length === seats()) return;
    seat.replaceChildren(...Array.from({ length: seats() }, (_, number) => new Option(`Seat ${number + 1}`, `${number}`)));
  };
  const show = (variations: Variation[]) => {
    offered = variations;
    byId("variations").hidden = offered.length === 0;
    byId("variation-boxes").replaceChildren(...offered.map((each) => box(each, offerSeats)));
    offerSeats();
  };
  const offerVariations = async () => {
    const asked = ruleSet.value;
    byId("about").textContent = about(summary());
    show([]);
    const { ruleSet: found } = await server.getRuleSet({ id: asked });
    if (ruleSet.value === asked) show(found?.variations ?? []);
  };

  for (const each of playable) {
    ruleSet.add(new Option(`${each.title} · ${each.seats} players (${each.id})`, each.id));
  }
  ruleSet.addEventListener("change", () => void offerVariations());
  await offerVariations();
  byId<HTMLFormElement>("setup").addEventListener("submit", (event) => {
    event.preventDefault();
    const word = byId<HTMLInputElement>("word").value.trim();
    const drawn = word === "" ? Math.floor(Math.random() * seats()) : 0;
    begin({
      ruleSet: ruleSet.value,
      variations: chosen().map((each) => each.id),
      seats: seats(),
      ...(summary().dealerRequired ? { dealer: drawn } : {}),
      player: Number(seat.value),
      word,
    });
  });
  byId<HTMLButtonElement>("begin").disabled = false;
}

function about(set: RuleSetSummary): string {
  const sides = set.sides === set.seats ? "each for themselves" : `${set.sides} sides`;
  const end = set.target > 0 ? `to ${set.target.toLocaleString("en")} points` : `${set.rounds} rounds`;
  return `${set.description} ${sides}, packs: ${set.packs}, ${end}.`;
}

function box(each: Variation, changed: () => void): HTMLElement {
  const needs = each.needsOneOf.length > 0 ? ` Needs ${each.needsOneOf.join(" or ")}.` : "";
  const ours = each.ourReading ? " Our reading." : "";
  const id = `variation-${each.id}`;
  return h(
    "div",
    { class: "variation" },
    h("input", { type: "checkbox", id, change: changed, "aria-describedby": `${id}-note` }),
    h("label", { for: id }, `${each.title} (${each.id})`),
    h("p", { id: `${id}-note`, class: "note" }, `${each.description}${needs}${ours}`),
  );
}
