// A game that the front end keeps itself, for one person against bots: the opaque state and the log, replaced together
// after each answer. It knows no rule.

import { create, toJson, type MessageInitShape } from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { createClient, type Client, type Transport } from "@connectrpc/connect";
import type { Action } from "./gen/canasta/v1/action_pb.js";
import type { DescribedRecord } from "./gen/canasta/v1/audit_service_pb.js";
import { DealMode, GameService, type Accepted, type SuggestActionResponse } from "./gen/canasta/v1/game_service_pb.js";
import { Role } from "./gen/canasta/v1/identity_pb.js";
import { GameEndSchema, type GameEnd } from "./gen/canasta/v1/score_pb.js";
import type { View } from "./gen/canasta/v1/view_pb.js";
import type { Rejected } from "./gen/canasta/v1/violation_pb.js";
import { describeLog, ruleSetOf, type Judge } from "./logs.js";
import {
  asRole, asSeat, hex, houseRules, joined, TABLE,
  type Answer, type Asker, type News, type Options, type ActionInit, type TableGame, type TakeBackAnswer,
} from "./table_game.js";

/** A game as it is kept; bytes as base64, messages as JSON. */
export interface Kept {
  id: string;
  ruleSet: string;
  title: string;
  players: string[];
  /** The human's place in `players`. */
  player: number;
  seat: number;
  state: string;
  frames: string[];
  round: number;
  end: unknown;
  /** Time at which the last answer was kept, in milliseconds since 1970. */
  at: number;
}

/** The place where games are kept. */
export interface Store {
  /**
   * Replaces the kept game if its state is still `before` (compare-and-set): two tabs with one game would fork it.
   * Throws if it is another.
   */
  keep(game: Kept, before: string | undefined): void;
}

export interface Start {
  ruleSet: string;
  /** Ids of the chosen variations. */
  variations?: string[];
  /** Knobs that differ from the rule set, each value as JSON. */
  knobs?: Record<string, string>;
  /** The first dealer, if the rule set leaves the choice to the table. */
  dealer?: number;
  /** Names by place in the list of players; the human's own place is `player`. */
  players: string[];
  player: number;
  /** The secret and the id that the cards follow from. Unset: the service draws the cards at random. */
  given?: { secret: Uint8Array; gameId: Uint8Array };
}

/** A state that the player may take back to, within one turn. */
interface Step {
  state: Uint8Array;
  frames: number;
}

export class OpenGame implements TableGame {
  actor: Asker;
  /** The strength of the bots, 1 to 6; 0 is the server's choice. */
  level = 0;
  private end: GameEnd | undefined;
  /** News that nobody has asked for yet. */
  private readonly waiting: News[] = [];
  private wake: () => void = () => undefined;
  /** The states before the player's actions of this turn. */
  private steps: Step[] = [];

  private constructor(
    private readonly client: Client<typeof GameService>,
    /** Where its log is judged. */
    readonly judge: Judge,
    private readonly store: Store,
    private readonly start: Start,
    readonly id: string,
    private state: Uint8Array,
    private readonly frames: Uint8Array[],
    private view: View,
  ) {
    this.actor = asSeat(start.player);
  }

  static async create(transport: Transport, judge: Judge, store: Store, start: Start): Promise<OpenGame | Rejected> {
    const client = createClient(GameService, transport);
    const { outcome } = await client.createGame({
      ruleSet: start.ruleSet,
      houseRules: houseRules(start.variations, start.knobs),
      dealMode: DealMode.SEEDED,
      players: start.players.map((name) => ({ name })),
      startedAtMs: BigInt(Date.now()),
      dealer: start.dealer,
      observers: [asSeat(start.player)],
      ...start.given,
    });
    if (outcome.case !== "created") return outcome.value as Rejected;
    const { state, frames, gameId, observations } = outcome.value;
    const view = observations[0]?.view as View;
    const game = new OpenGame(client, judge, store, start, hex(gameId), state, [frames], view);
    game.view = game.named(view);
    game.keep(undefined);
    return game;
  }

  /** Continues a game that was kept. */
  static async resume(transport: Transport, judge: Judge, store: Store, kept: Kept): Promise<OpenGame> {
    const client = createClient(GameService, transport);
    const state = base64Decode(kept.state);
    const view = (await client.getView({ state, actor: asSeat(kept.seat) })).view as View;
    const { ruleSet, players, player } = kept;
    const frames = kept.frames.map((part) => base64Decode(part));
    const game = new OpenGame(client, judge, store, { ruleSet, players, player }, kept.id, state, frames, view);
    game.end = kept.end === undefined ? undefined : create(GameEndSchema, kept.end as MessageInitShape<typeof GameEndSchema>);
    game.actor = asSeat(kept.seat);
    game.view = game.named(view);
    return game;
  }

  private keep(before: string | undefined): void {
    const { id, view, start: { ruleSet, players, player } } = this;
    this.store.keep({
      id, ruleSet, players, player, title: view.title, round: view.round, seat: this.seat,
      state: base64Encode(this.state),
      frames: this.frames.map((part) => base64Encode(part)),
      end: this.end && toJson(GameEndSchema, this.end),
      at: Date.now(),
    }, before);
  }

  private get seat(): number {
    return this.view.seats.find((each) => each.player === this.start.player)?.seat ?? this.start.player;
  }

  /** Fills in the names that a state does not hold. */
  private named(view: View): View {
    for (const each of view.seats) each.name = this.start.players[each.player] ?? each.name;
    return view;
  }

  /** Yields what is to be shown; bots act only when the next news are asked for. */
  async *news(signal: AbortSignal): AsyncGenerator<News> {
    yield { view: this.view, events: [], gameEnd: this.end, botSeats: [], present: [], skipped: 0 };
    while (!signal.aborted) {
      const next = this.waiting.shift();
      if (next) yield next;
      else if (this.end) return;
      else if (!this.isMine) await this.others();
      else await this.woken(signal);
    }
  }

  private woken(signal: AbortSignal): Promise<void> {
    return new Promise((done) => {
      this.wake = done;
      signal.addEventListener("abort", () => done());
    });
  }

  private get isMine(): boolean {
    const { view, seat } = this;
    return view.toAct === seat || view.talonOffered === seat;
  }

  /** Lets the next bot act, or the table deal. */
  private async others(): Promise<void> {
    const seats = [this.view.talonOffered, this.view.toAct].filter((each) => each !== undefined && each !== this.seat);
    for (const actor of [...seats.map((each) => asSeat(each as number)), TABLE]) {
      const { action } = await this.client.suggestAction({ state: this.state, actor, seed: this.view.seq, level: this.level });
      if (!action) continue;
      const refused = await this.apply(actor, action);
      if (refused) throw new Error(`a suggestion was refused: ${refused.violations[0]?.message}`);
      this.steps = [];
      return;
    }
    throw new Error("nobody can act");
  }

  /** Applies an action, keeps the answer, and queues what is to be shown. */
  private async apply(actor: Asker, action: ActionInit, earlierState?: Uint8Array): Promise<Rejected | undefined> {
    const observers = [this.actor];
    const { outcome } = await this.client.applyAction({ state: this.state, actor, action, earlierState, observers });
    if (outcome.case === "rejected") return outcome.value;
    const { state, frames, roundEnd, gameEnd, observations } = outcome.value as Accepted;
    const before = base64Encode(this.state);
    [this.state, this.end] = [state, gameEnd];
    this.frames.push(frames);
    const { events = [], view = this.view, roundOver } = observations[0] ?? {};
    this.view = this.named(view);
    if (this.seat !== this.view.actor?.who?.value) await this.moved();
    this.keep(before);
    this.waiting.push({ view: this.view, events, roundEnd, roundOver: roundOver && this.named(roundOver), gameEnd, botSeats: [], present: [], skipped: 0 });
    this.wake();
    return undefined;
  }

  /** Looks from the seat that the drawn cards gave to the player. */
  private async moved(): Promise<void> {
    this.actor = asSeat(this.seat);
    this.view = this.named((await this.client.getView({ state: this.state, actor: this.actor })).view as View);
  }

  async act(action: ActionInit, seq: bigint): Promise<Answer> {
    if (seq !== this.view.seq) return { case: "stale" };
    const step = { state: this.state, frames: this.frames.length };
    const refused = await this.apply(this.actor, action);
    if (refused) return { case: "refused", violations: refused.violations };
    this.steps.push(step);
    return { case: "done", seq: this.view.seq };
  }

  options(cards: string[], chosen?: Action): Promise<Options> {
    return this.client.options({ state: this.state, actor: this.actor, cards, chosen });
  }

  async legal(): Promise<Action[]> {
    return (await this.client.listLegalActions({ state: this.state, actor: this.actor })).actions;
  }

  suggest(level = 0): Promise<SuggestActionResponse> {
    return this.client.suggestAction({ state: this.state, actor: this.actor, seed: this.view.seq, level });
  }

  async takeBack(): Promise<TakeBackAnswer> {
    const step = this.steps.at(-1);
    if (!step) return { case: "refused", refused: undefined };
    const frames = joined(this.frames.slice(step.frames));
    const asked = { state: this.state, actor: this.actor, earlierState: step.state, frames };
    const { ruling, earlierState, refused } = await this.client.previewTakeBack(asked);
    if (!ruling || refused) return { case: "refused", refused };
    if (await this.apply(asRole(Role.DIRECTOR), ruling, earlierState)) return { case: "refused", refused: undefined };
    this.steps.pop();
    return { case: "done" };
  }

  async describe(from: bigint, to: bigint | undefined, wantViews: boolean): Promise<DescribedRecord[]> {
    return describeLog(this.judge, await this.log(), this.actor, from, to, wantViews);
  }

  async ruleSet(): Promise<string | undefined> {
    return ruleSetOf(this.frames[0] ?? new Uint8Array());
  }

  async log(): Promise<Uint8Array> {
    return joined(this.frames);
  }
}
