// A game that the recorder keeps, played by a link.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type CallOptions, type Client, type Transport } from "@connectrpc/connect";
import { Attempt, later, persist, rest, SILENT, Trouble, within, type Outage } from "./connection.js";
import type { Action } from "./gen/canasta/v1/action_pb.js";
import type { DescribedRecord } from "./gen/canasta/v1/audit_service_pb.js";
import { Role } from "./gen/canasta/v1/identity_pb.js";
import {
  RecordService, type CreateRequestSchema, type EndGameResponse, type EndOffer, type EndWay, type GetGameResponse, type GetVerdictResponse, type SuggestResponse,
  type TakeBackOffer, type WatchRequestSchema, type WatchResponse,
} from "./gen/canasta/v1/record_service_pb.js";
import { Phase, type View } from "./gen/canasta/v1/view_pb.js";
import type { Rejected } from "./gen/canasta/v1/violation_pb.js";
import { ruleSetOf } from "./logs.js";
import {
  asRole, asSeat, fresh, hex, joined, seatOf, unhex,
  type Answer, type Asker, type News, type Options, type ActionInit, type TableGame, type TakeBackAnswer,
} from "./table_game.js";

/** Silence after which a stream counts as lost, in milliseconds. The recorder says something every 15 s. */
const SILENCE = 40_000;
/** The longest time for which a link is valid, less a minute for clocks that differ, in milliseconds. */
const MONTH = 30 * 86_400_000 - 60_000;
/** Time for a log with all its tries, in milliseconds. */
const LOG = 60_000;

/** A link, as its token says. */
export interface Invitation {
  token: string;
  gameId: Uint8Array;
  actor: Asker;
  isHost: boolean;
  expiresAtMs: number;
}

/** Reads the token of a link, unverified: the recorder verifies it. Undefined: the text is no token of a link. */
export function readToken(token: string): Invitation | undefined {
  try {
    const body = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const { games, as, host, exp } = JSON.parse(atob(body)) as { games: string[]; as: (string | number)[]; host?: boolean; exp: number };
    const [game = "", who = ""] = [games[0], as[0]];
    if (!/^[0-9a-f]{32}$/.test(game)) return undefined;
    const actor = typeof who === "number" ? asSeat(who) : asRole(Role[who as keyof typeof Role] ?? Role.SPECTATOR);
    return { token, gameId: unhex(game), actor, isHost: host === true, expiresAtMs: exp * 1000 };
  } catch {
    return undefined;
  }
}

/** Creates a game that the recorder keeps. Returns its creator's link, or why these rules cannot be played. */
export async function createRoom(transport: Transport, room: MessageInitShape<typeof CreateRequestSchema>): Promise<Invitation | Rejected> {
  const { outcome } = await createClient(RecordService, transport).create({ requestId: fresh(), ...room } as typeof room);
  if (outcome.case === "rejected") return outcome.value;
  const link = readToken(outcome.value?.hostLink?.token ?? "");
  if (!link) throw new Trouble("Unknown", "the answer has no link: name a creator");
  return link;
}

export class RoomGame implements TableGame {
  readonly id: string;
  readonly client: Client<typeof RecordService>;

  constructor(
    private readonly transport: Transport, readonly gameId: Uint8Array, readonly actor: Asker,
    private readonly outage: Outage = SILENT, private readonly signal?: AbortSignal,
  ) {
    this.id = hex(gameId);
    this.client = createClient(RecordService, transport);
  }

  /** Returns the same game, whose calls have a signal that aborts them, and a time with all their tries (`timeoutMs`). */
  within(options: CallOptions): RoomGame {
    return new RoomGame(within(this.transport, options), this.gameId, this.actor, this.outage, options.signal);
  }

  /** Watches; after a lost connection, or silence, it goes on behind the last message. */
  async *news(signal: AbortSignal): AsyncGenerator<News> {
    let [fromN, view, offer, endOffer]: [bigint | undefined, View | undefined, TakeBackOffer | undefined, EndOffer | undefined] = [undefined, undefined, undefined, undefined];
    const asked = () => ({ gameId: this.gameId, actor: this.actor, fromN, wantView: true });
    for await (const message of watched(this.client, asked, this.outage, signal)) {
      view = message.observation?.view ?? view;
      fromN = (message.logEnd?.n ?? 0n) + 1n;
      // A message without an entry says nothing of an offer, which then still stands.
      if (message.observation) [offer, endOffer] = [message.offer, message.endOffer];
      if (view) yield told({ ...message, offer, endOffer }, view);
      if (view?.phase === Phase.GAME_OVER) return;
    }
  }

  async act(action: ActionInit, seq: bigint, requestId = fresh()): Promise<Answer> {
    const proposals = [{ actor: this.actor, record: { case: "action" as const, value: action } }];
    try {
      const { outcome } = await this.client.act({ gameId: this.gameId, requestId, expectedSeq: seq, proposals });
      if (outcome.case === "rejected") return { case: "refused", violations: outcome.value.violations };
      return { case: "done", seq: outcome.value?.logEnd?.seq ?? seq };
    } catch (error) {
      const trouble = Trouble.of(error);
      if (trouble.retry !== "resynchronise") throw trouble;
      return { case: "stale" };
    }
  }

  /** Returns the game as it is: the view, the end of the log, the clocks and the open offer. */
  game(): Promise<GetGameResponse> {
    return this.client.getGame({ gameId: this.gameId, actor: this.actor });
  }

  options(cards: string[], chosen?: Action): Promise<Options> {
    return this.client.getOptions({ gameId: this.gameId, actor: this.actor, cards, chosen });
  }

  async legal(): Promise<Action[]> {
    return (await this.client.listActions({ gameId: this.gameId, actor: this.actor })).actions;
  }

  suggest(level = 0): Promise<SuggestResponse> {
    return this.client.suggest({ gameId: this.gameId, actor: this.actor, level });
  }

  async takeBack(toSeq: bigint, seq: bigint, requestId = fresh()): Promise<TakeBackAnswer> {
    try {
      const asked = { gameId: this.gameId, requestId, actor: this.actor, toSeq, expectedSeq: seq };
      const { outcome } = await this.client.takeBack(asked);
      if (outcome.case === "offered") return { case: "offered", offer: outcome.value };
      return outcome.case === "refused" ? { case: "refused", refused: outcome.value } : { case: "done" };
    } catch (error) {
      const trouble = Trouble.of(error);
      if (trouble.retry !== "resynchronise") throw trouble;
      return { case: "refused", refused: undefined };
    }
  }

  /** Ends a game of a room before its time, or offers to, or agrees to that: a side resigns, or all agree to stop. */
  endGame(way: EndWay, requestId = fresh()): Promise<EndGameResponse> {
    return this.client.endGame({ gameId: this.gameId, requestId, actor: this.actor, way });
  }

  /** Declines the open offer, or takes back the own one. */
  async declineOffer(requestId = fresh()): Promise<void> {
    await this.client.declineOffer({ gameId: this.gameId, requestId, actor: this.actor });
  }

  async describe(from: bigint, to: bigint | undefined, wantViews: boolean): Promise<DescribedRecord[]> {
    const records: DescribedRecord[] = [];
    for (let pageToken = ""; ; ) {
      const page = await this.client.describe({ gameId: this.gameId, actor: this.actor, fromN: from, toN: to, pageToken, wantViews });
      records.push(...page.records);
      pageToken = page.nextPageToken;
      if (pageToken === "") return records;
    }
  }

  async ruleSet(): Promise<string | undefined> {
    // The first piece has it.
    const [first] = await this.pieces(1);
    return first && ruleSetOf(first);
  }

  async log(): Promise<Uint8Array> {
    return joined(await this.pieces(Infinity));
  }

  /** Gets at most so many pieces of the log. It is a stream, so it begins anew where it broke off. */
  private pieces(most: number): Promise<Uint8Array[]> {
    return persist(async (attempt) => {
      const found: Uint8Array[] = [];
      const asked = this.client.getLog({ gameId: this.gameId, actor: this.actor }, { signal: attempt.signal });
      for await (const { frames } of attempt.listen(asked)) if (found.push(frames) >= most) break;
      return found;
    }, this.outage, this.signal, LOG);
  }

  /** Makes a link for another seat or for spectators, for 30 days unless told. Requires the host's link. */
  async invite(actor: Asker, expiresAtMs = Date.now() + MONTH): Promise<Invitation | undefined> {
    const { link } = await this.client.invite({ gameId: this.gameId, actor, expiresAtMs: BigInt(expiresAtMs) });
    return link && readToken(link.token);
  }

  /** Revokes a link. Requires the host's link, or the link itself. */
  async revoke(token: string): Promise<void> {
    const claims = JSON.parse(atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"))) as { jti: string };
    await this.client.revoke({ gameId: this.gameId, tokenId: unhex(claims.jti) });
  }

  /** Lets a bot play a seat from now on, or gives it back to its player: the own seat, or with the host's link any. */
  async setBot(seat: number, plays: boolean, level = 0): Promise<void> {
    await this.client.setBot({ gameId: this.gameId, requestId: fresh(), actor: this.actor, bot: { seat, level }, plays });
  }

  verdict(): Promise<GetVerdictResponse> {
    return this.client.getVerdict({ gameId: this.gameId, actor: this.actor });
  }

  get seat(): number | undefined {
    return seatOf(this.actor);
  }
}

/** Yields the messages of a stream. After a lost connection, or silence, it asks again: `asked` tells from where. */
export async function* watched(
  client: Client<typeof RecordService>, asked: () => MessageInitShape<typeof WatchRequestSchema>, outage: Outage, signal: AbortSignal,
): AsyncGenerator<WatchResponse> {
  for (let [wait, tries] = [later(), 1]; !signal.aborted; wait = later(wait), tries++) {
    const attempt = new Attempt(signal, SILENCE);
    try {
      for await (const message of attempt.listen(client.watch(asked(), { signal: attempt.signal }))) {
        [wait, tries] = [later(), 1];
        yield message;
      }
    } catch (error) {
      const trouble = attempt.trouble(error);
      const delay = trouble.delay(wait, tries);
      if (signal.aborted) return;
      if (delay === undefined) throw trouble;
      await rest(outage, delay, signal);
    } finally {
      attempt.end();
    }
  }
}

function told(message: WatchResponse, view: View): News {
  const { observation, snapshot, roundEnd, gameEnd, clock, offer, endOffer, takenBackToSeq, botSeats, present, skipped } = message;
  const events = snapshot ? [] : (observation?.events ?? []);
  return {
    view, events, roundEnd, roundOver: observation?.roundOver, gameEnd, clock, offer, endOffer, takenBackToSeq, botSeats, present, skipped: Number(skipped),
  };
}
