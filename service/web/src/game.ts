// A game as a client keeps it: the opaque state, the log, and what the player's seat sees. It knows no rule.

import type { Action } from "./gen/canasta/v1/action_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ActionSchema } from "./gen/canasta/v1/action_pb";
import { DealMode } from "./gen/canasta/v1/game_service_pb";
import type { GameEnd, RoundEnd } from "./gen/canasta/v1/score_pb";
import { Phase, type MeldView, type View } from "./gen/canasta/v1/view_pb";
import type { Rejected } from "./gen/canasta/v1/violation_pb";
import { seat, TABLE, type As, type Server } from "./server";

export type Proposal = MessageInitShape<typeof ActionSchema>;

export interface Start {
  ruleSet: string;
  /** Names by place in the list of players; the human's own place is `player`. */
  players: string[];
  player: number;
  /** What the cards follow from: equal words, equal cards. Empty: drawn by the service. */
  word: string;
}

/** Who does something next. */
export type Actor = "me" | "bot" | "nobody";

export class Game {
  rounds: RoundEnd[] = [];
  end: GameEnd | undefined;
  /** The seat that the player sits on; drawing for seats may move it. */
  me: number;
  /** What the player can do now; empty while others act. */
  legal: Action[] = [];
  /** Through whose eyes one looks; the player's own if undefined. */
  eyes: As | undefined;

  private constructor(
    private readonly server: Server,
    readonly start: Start,
    readonly id: string,
    private state: Uint8Array,
    private readonly frames: Uint8Array[],
    public view: View,
  ) {
    this.me = start.player;
  }

  static async create(server: Server, start: Start): Promise<Game | Rejected> {
    const players = start.players.map((name) => ({ name }));
    const given = start.word === "" ? {} : await secretOf(start.word);
    const ask = async (dealer?: number) =>
      (await server.createGame({
        ruleSet: start.ruleSet,
        dealMode: DealMode.SEEDED,
        players,
        startedAtMs: BigInt(Date.now()),
        dealer,
        ...given,
      })).outcome;
    let outcome = await ask();
    // Some rule sets leave the first dealer to the table.
    if (outcome.case === "rejected" && outcome.value.violations[0]?.code === "SETUP_DEALER") {
      outcome = await ask(start.word === "" ? Math.floor(Math.random() * players.length) : 0);
    }
    if (outcome.case !== "created") return outcome.value as Rejected;
    const { state, frames, gameId } = outcome.value;
    const view = (await server.getView({ state, as: seat(start.player) })).view as View;
    return new Game(server, start, hex(gameId), state, [frames], view);
  }

  name(number: number): string {
    if (number === this.me) return "You";
    return this.start.players[this.view.seats[number]?.player ?? number] ?? `Seat ${number + 1}`;
  }

  /** The melds of the side that a seat plays for. */
  melds(of: number): MeldView[] {
    const side = this.view.seats[of]?.side;
    return this.view.sides.find((each) => each.side === side)?.melds ?? [];
  }

  /** The log so far, as a file. */
  log(): Uint8Array {
    const bytes = new Uint8Array(this.frames.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.frames) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  get next(): Actor {
    if (this.view.phase === Phase.GAME_OVER) return "nobody";
    return this.view.toAct === this.me ? "me" : "bot";
  }

  /** Proposes an action; a refusal changes nothing. */
  async act(as: As, action: Proposal): Promise<Rejected | undefined> {
    const { outcome } = await this.server.applyAction({ state: this.state, as, action });
    if (outcome.case === "rejected") return outcome.value;
    if (outcome.case !== "accepted") throw new Error("the service recorded what was to be done");
    const { state, frames, roundEnd, gameEnd } = outcome.value;
    this.state = state;
    this.frames.push(frames);
    if (roundEnd) this.rounds.push(roundEnd);
    this.end = gameEnd;
    return undefined;
  }

  /** Looks again, after something was done. */
  async look(): Promise<void> {
    await this.see();
    const moved = this.view.seats.findIndex((each) => each.player === this.start.player);
    if (moved !== this.me && moved >= 0) {
      this.me = moved;
      await this.see();
    }
    const mayAct = this.next === "me" || this.view.talonOffered === this.me || this.view.mustShow !== undefined;
    this.legal = mayAct ? await this.steps() : [];
  }

  /** What a player would do, by what its seat sees: the bots, and a hint for oneself. */
  async suggest(as: As): Promise<Action | undefined> {
    const { action } = await this.server.suggestAction({ state: this.state, as, seed: this.view.seq });
    return action;
  }

  /** Has the next bot act, or the table deal. */
  async step(): Promise<{ as: As; action: Action } | undefined> {
    const seats = [this.view.talonOffered, this.view.toAct].filter((each) => each !== undefined && each !== this.me);
    for (const as of [...seats.map((each) => seat(each as number)), TABLE]) {
      const action = await this.suggest(as);
      if (!action) continue;
      const refused = await this.act(as, action);
      if (refused) throw new Error(`a suggestion was refused: ${refused.violations[0]?.message}`);
      return { as, action };
    }
    return undefined;
  }

  private async see(): Promise<void> {
    this.view = (await this.server.getView({ state: this.state, as: this.eyes ?? seat(this.me) })).view as View;
  }

  private async steps(): Promise<Action[]> {
    return (await this.server.listLegalActions({ state: this.state, as: seat(this.me) })).actions;
  }
}

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function secretOf(word: string): Promise<{ secret: Uint8Array; gameId: Uint8Array }> {
  const digest = async (text: string) => new Uint8Array(await crypto.subtle.digest("SHA-512", new TextEncoder().encode(text)));
  return { secret: await digest(word), gameId: (await digest(`id ${word}`)).slice(0, 16) };
}
