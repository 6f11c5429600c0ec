// A game as a front end plays it, whoever keeps it: the recorder (RoomGame) or the front end itself (OpenGame).

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Action, ActionSchema } from "./gen/canasta/v1/action_pb.js";
import type { DescribedRecord } from "./gen/canasta/v1/audit_service_pb.js";
import type { Event } from "./gen/canasta/v1/event_pb.js";
import type { PlayOption, TakeBackRefused } from "./gen/canasta/v1/game_service_pb.js";
import { Role, type Actor, type ActorSchema } from "./gen/canasta/v1/identity_pb.js";
import type { ClockState, EndOffer, SeatPresence, TakeBackOffer } from "./gen/canasta/v1/record_service_pb.js";
import type { GameEnd, RoundEnd } from "./gen/canasta/v1/score_pb.js";
import type { View } from "./gen/canasta/v1/view_pb.js";
import type { Violation } from "./gen/canasta/v1/violation_pb.js";

export type Asker = MessageInitShape<typeof ActorSchema>;
/** An action, as a program writes it. */
export type ActionInit = MessageInitShape<typeof ActionSchema>;

export const asSeat = (seat: number): Asker => ({ who: { case: "seat", value: seat } });
export const asRole = (role: Role): Asker => ({ who: { case: "role", value: role } });
export const TABLE = asRole(Role.TABLE);
export const JUDGE = asRole(Role.JUDGE);
export const SPECTATOR = asRole(Role.SPECTATOR);

/** Returns the seat of an actor; undefined if the actor is a role. */
export const seatOf = (actor: Asker | Actor | undefined): number | undefined =>
  actor?.who?.case === "seat" ? actor.who.value : undefined;

/** One thing to show, in order. The next one is asked for when this one has been shown. */
export interface News {
  view: View;
  /** What happened before `view`. Empty: show the view at once. */
  events: Event[];
  roundEnd?: RoundEnd;
  /** The table at the end of the round, before the next is dealt: to be shown beside the sheet. */
  roundOver?: View;
  gameEnd?: GameEnd;
  clock?: ClockState;
  /** An offer to take back that waits for others. */
  offer?: TakeBackOffer;
  /** An offer to end the game that waits for others. */
  endOffer?: EndOffer;
  /** The action after which play resumed, where actions were taken back. */
  takenBackToSeq?: bigint;
  /** The seats that bots of the recorder play. Empty where the front end itself asks for the bots' actions. */
  botSeats: number[];
  /** The seats on whose behalf somebody watches. Empty where the front end itself keeps the game. */
  present: SeatPresence[];
  /** Number of entries that were passed over before this one. */
  skipped: number;
}

/** What became of an action. */
export type Answer =
  | { case: "done"; seq: bigint }
  | { case: "refused"; violations: Violation[] }
  /** Somebody else was faster; the news tell what happened. */
  | { case: "stale" };

/** What became of a request to take back. */
export type TakeBackAnswer =
  | { case: "done" }
  | { case: "offered"; offer: TakeBackOffer }
  | { case: "refused"; refused: TakeBackRefused | undefined };

/** The places where selected cards may go, with a verdict on each. `complete`: none is missing. */
export interface Options {
  options: PlayOption[];
  complete: boolean;
}

export interface TableGame {
  /** The game's id, in hex. */
  readonly id: string;
  /** Who looks at the table. Drawing for seats may change the seat. */
  readonly actor: Asker;
  /** Yields what is to be shown, until the game is over or `signal` aborts; throws Trouble that does not pass. */
  news(signal: AbortSignal): AsyncGenerator<News>;
  /**
   * Proposes an action in the position of `seq`. RoomGame records it at most once: who goes on after a Trouble brings the
   * request id of the first call.
   */
  act(action: ActionInit, seq: bigint, requestId?: Uint8Array): Promise<Answer>;
  /** Judges every place where cards may go. */
  options(cards: string[], chosen?: Action): Promise<Options>;
  /** Lists what can be done: a choice, not everything. */
  legal(): Promise<Action[]>;
  /** Suggests an action as a bot of this level (1 to 6) would play it, and the name of its reason. */
  suggest(level?: number): Promise<{ action?: Action | undefined; reason: string }>;
  /** Takes back the last own action, or agrees to an offer. `toSeq` is the action after which play resumes. */
  takeBack(toSeq: bigint, seq: bigint): Promise<TakeBackAnswer>;
  /** Describes records `from` to `to`, or to the last. */
  describe(from: bigint, to: bigint | undefined, wantViews: boolean): Promise<DescribedRecord[]>;
  /** Returns the rule set of the game, house rules included, in the canonical form that GetRuleSet shows of a preset. */
  ruleSet(): Promise<string | undefined>;
  /** Returns the log, as far as the asker may have it, as a file. */
  log(): Promise<Uint8Array>;
}

/** Returns what differs from a rule set, for a request; undefined if nothing does. */
export const houseRules = (variations: string[] = [], knobs: Record<string, string> = {}) =>
  variations.length + Object.keys(knobs).length > 0 ? { variations, knobs } : undefined;

/** Returns the bytes as lower-case hex digits. */
export const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the bytes of hex digits. */
export const unhex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Returns random bytes: an id for one decision of a player. Pages without a secure context have them too. */
export const fresh = (length = 16): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

export function joined(parts: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
