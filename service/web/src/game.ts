// A game as a client keeps it: the opaque state, the log, and the view of the player's seat. It knows no rule.

import type { Action } from "./gen/canasta/v1/action_pb";
import { fromJson, toJson, type JsonValue, type MessageInitShape } from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import type { ActionSchema } from "./gen/canasta/v1/action_pb";
import { DealMode } from "./gen/canasta/v1/game_service_pb";
import { GameEndSchema, RoundEndSchema, type GameEnd, type RoundEnd } from "./gen/canasta/v1/score_pb";
import { Phase, type MeldView, type View } from "./gen/canasta/v1/view_pb";
import type { Rejected } from "./gen/canasta/v1/violation_pb";
import { JUDGE, seat, stepOf, TABLE, type Actor, type Server } from "./server";
import { keep, type Kept, type Line } from "./store";

export type Proposal = MessageInitShape<typeof ActionSchema>;

export interface Start {
  ruleSet: string;
  /** Ids of the chosen variations. */
  variations?: string[];
  /** The first dealer, if the rule set leaves the choice to the table. */
  dealer?: number;
  /** Names by place in the list of players; the human's own place is `player`. */
  players: string[];
  player: number;
  /** The words that the cards follow from: equal words, equal cards. Empty: the service draws the cards at random. */
  word: string;
}

/** Maximum number of lines in the history. */
const LINES = 200;

/** Who acts next, as the player of this page sees it. */
export type NextPlayer = "me" | "bot" | "nobody";

export class Game {
  rounds: RoundEnd[] = [];
  end: GameEnd | undefined;
  /** The player's seat; drawing for seats may change it. */
  me: number;
  /** The player's legal actions; empty while others act. */
  legal: Action[] = [];
  /** The seat or role whose view is shown; undefined: the player's own. */
  eyes: Actor | undefined;
  /** The history of actions, the latest last. */
  lines: Line[] = [];
  /** Number of rounds whose end the player has left; the last round's table is shown until then. */
  left = 0;
  /** Whether the browser has kept the current state, so that a reload would find it. */
  isKept = true;
  /** Number of the last action's record. */
  last = 0;

  private constructor(
    private readonly server: Server,
    readonly start: Start,
    readonly id: string,
    private state: Uint8Array,
    private readonly frames: Uint8Array[],
    /** Number of the log's last record. */
    private n: number,
    public view: View,
  ) {
    this.me = start.player;
  }

  static async create(server: Server, start: Start): Promise<Game | Rejected> {
    const players = start.players.map((name) => ({ name }));
    const given = start.word === "" ? {} : await secretOf(start);
    const { outcome } = await server.createGame({
      ruleSet: start.ruleSet,
      houseRules: start.variations?.length ? { variations: start.variations } : undefined,
      dealMode: DealMode.SEEDED,
      players,
      startedAtMs: BigInt(Date.now()),
      dealer: start.dealer,
      ...given,
    });
    if (outcome.case !== "created") return outcome.value as Rejected;
    const { state, frames, gameId, n } = outcome.value;
    const view = (await server.getView({ state, actor: seat(start.player) })).view as View;
    const game = new Game(server, start, hex(gameId), state, [frames], Number(n), view);
    game.keep(undefined);
    return game;
  }

  /** Continues a game that this browser has kept. */
  static async resume(server: Server, kept: Kept): Promise<Game> {
    const state = base64Decode(kept.state);
    const { ruleSet, players, player } = kept;
    const view = (await server.getView({ state, actor: seat(kept.me) })).view as View;
    const game = new Game(server, { ruleSet, players, player, word: "" }, kept.id, state, kept.frames.map((part) => base64Decode(part)), kept.n, view);
    game.rounds = kept.rounds.map((each) => fromJson(RoundEndSchema, each as JsonValue));
    game.end = kept.end === undefined ? undefined : fromJson(GameEndSchema, kept.end as JsonValue);
    [game.me, game.left, game.last, game.lines] = [kept.me, kept.left, kept.last, kept.lines];
    game.keep(kept.state);
    return game;
  }

  /** Keeps the current game in the browser, if the kept state is still `before`. */
  keep(before: string | undefined): void {
    const { start: { ruleSet, players, player }, id, me, n, last, left } = this;
    this.isKept = keep({
      id, ruleSet, players, player, me, n, last, left,
      state: base64Encode(this.state),
      frames: this.frames.map((part) => base64Encode(part)),
      rounds: this.rounds.map((each) => toJson(RoundEndSchema, each)),
      end: this.end && toJson(GameEndSchema, this.end),
      lines: this.lines,
      at: Date.now(),
    }, before);
  }

  /** Adds a line to the history and drops the oldest lines. */
  line(text: string, record?: number): Line {
    const line = record === undefined ? { text } : { text, record };
    this.lines = [...this.lines, line].slice(-LINES);
    this.keep(base64Encode(this.state));
    return line;
  }

  /** Notes that the player has seen the end of the last round. */
  leave(): void {
    this.left = this.rounds.length;
    this.keep(base64Encode(this.state));
  }

  /** Whether the last round has ended and its table is still shown. */
  get isOver(): boolean {
    return this.rounds.length > this.left;
  }

  /** Gets the table at the end of the round with every hand open: the round's cards are in the log now. */
  async lookBack(): Promise<void> {
    const view = (await stepOf(location.origin, this.log(), this.last, JUDGE))?.view;
    if (view) this.view = view;
    this.legal = [];
  }

  name(number: number): string {
    if (number === this.me) return "You";
    return this.start.players[this.view.seats[number]?.player ?? number] ?? `Seat ${number + 1}`;
  }

  /** Returns the melds of the side that a seat plays for. */
  melds(of: number): MeldView[] {
    const side = this.view.seats[of]?.side;
    return this.view.sides.find((each) => each.side === side)?.melds ?? [];
  }

  /** Returns the log so far, as a file. */
  log(): Uint8Array {
    const bytes = new Uint8Array(this.frames.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.frames) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  get next(): NextPlayer {
    if (this.view.phase === Phase.GAME_OVER) return "nobody";
    return this.view.toAct === this.me ? "me" : "bot";
  }

  /** Proposes an action; a refusal changes nothing. */
  async act(actor: Actor, action: Proposal): Promise<Rejected | undefined> {
    const { outcome } = await this.server.applyAction({ state: this.state, actor, action });
    if (outcome.case === "rejected") return outcome.value;
    if (outcome.case !== "accepted") throw new Error("the service recorded what was to be done");
    const { state, frames, n, roundEnd, gameEnd } = outcome.value;
    const before = base64Encode(this.state);
    // The action's own record comes first; the round's end and the next register follow it.
    this.last = this.n + 1;
    this.n = Number(n);
    this.state = state;
    this.frames.push(frames);
    if (roundEnd) this.rounds.push(roundEnd);
    this.end = gameEnd;
    this.keep(before);
    return undefined;
  }

  /** Gets the view and the legal actions again after an action. */
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

  /** Whether the service would accept an action. */
  async isLegal(action: Proposal): Promise<boolean> {
    const { outcome } = await this.server.checkAction({ state: this.state, actor: seat(this.me), action });
    return outcome.case === "legal";
  }

  /** Suggests an action by the view of a seat: for bots, and as a hint for the player. */
  async suggest(actor: Actor): Promise<Action | undefined> {
    const { action } = await this.server.suggestAction({ state: this.state, actor, seed: this.view.seq });
    return action;
  }

  /** Lets the next bot act, or the table deal. */
  async step(): Promise<{ actor: Actor; action: Action } | undefined> {
    const seats = [this.view.talonOffered, this.view.toAct].filter((each) => each !== undefined && each !== this.me);
    for (const actor of [...seats.map((each) => seat(each as number)), TABLE]) {
      const action = await this.suggest(actor);
      if (!action) continue;
      const refused = await this.act(actor, action);
      if (refused) throw new Error(`a suggestion was refused: ${refused.violations[0]?.message}`);
      return { actor, action };
    }
    return undefined;
  }

  private async see(): Promise<void> {
    this.view = (await this.server.getView({ state: this.state, actor: this.eyes ?? seat(this.me) })).view as View;
  }

  private async steps(): Promise<Action[]> {
    return (await this.server.listLegalActions({ state: this.state, actor: seat(this.me) })).actions;
  }
}

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function secretOf({ ruleSet, variations = [], word }: Start): Promise<{ secret: Uint8Array; gameId: Uint8Array }> {
  const digest = async (text: string) => new Uint8Array(await crypto.subtle.digest("SHA-512", new TextEncoder().encode(text)));
  return { secret: await digest(word), gameId: (await digest(`id ${[ruleSet, ...variations, word].join(" ")}`)).slice(0, 16) };
}
