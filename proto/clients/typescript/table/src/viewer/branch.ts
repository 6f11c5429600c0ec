// What would have followed: bots play on from a position, to the end of the round; and what a bot says of what was played.

import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import {
  type Action, type Asker, asSeat, type DescribedRecord, DescribedRecordSchema, GameService, Phase, RecordKind, seatOf, type SuggestActionResponse, TABLE, type View,
} from "canasta-client";
import type { Source } from "./source";
import type { Step } from "./steps";

/** More moves than a round may have left. */
const MOST = 2000;

const actorOf = ({ toAct, phase }: View): Asker | undefined =>
  toAct !== undefined ? asSeat(toAct) : phase === Phase.DEAL ? TABLE : undefined;

/** Plays on behind a record, or with `first` in its place; returns what follows, as these eyes see it. */
export async function playOn({ stateAfter, transport }: Source, { n, record, view, before }: Step, eyes: Asker, first?: Action): Promise<DescribedRecord[]> {
  if (!stateAfter || !transport) return [];
  const client = createClient(GameService, transport);
  const from = first ? n - 1 : n;
  let [state, seen, next] = [await stateAfter(BigInt(from)), (first ? before : view) as View, first];
  const names = seen.seats.map((each) => each.name);
  const by = seatOf(record.record?.actor);
  const played: DescribedRecord[] = [];
  while (played.length < MOST) {
    const actor = next && by !== undefined ? asSeat(by) : actorOf(seen);
    const action = next ?? (actor && (await client.suggestAction({ state, actor })).action);
    if (!actor || !action) break;
    const { outcome } = await client.applyAction({ state, actor, action, observers: [eyes] });
    if (outcome.case !== "accepted") throw new Error(outcome.case === "rejected" ? outcome.value.violations[0]?.message : outcome.case);
    const { observations: [observed], roundEnd, gameEnd } = outcome.value;
    state = outcome.value.state;
    seen = observed?.roundOver ?? observed?.view ?? seen;
    for (const seat of seen.seats) seat.name ||= names[seat.seat] ?? "";
    const kind = RecordKind.ACTION;
    const number = BigInt(from + 1 + played.length);
    played.push(create(DescribedRecordSchema, {
      record: { n: number, kind, actor, action, round: seen.round, seq: seen.seq }, events: observed?.events ?? [], view: seen, ...(roundEnd && { roundEnd }), ...(gameEnd && { gameEnd }),
    }));
    if (roundEnd) break;
    next = undefined;
  }
  return played;
}

/** The level of the bot whose search a step is compared with. */
const REVIEWS = 4;

/** Sets what was played beside the step of a level of the bot, from what the seat knew. */
export async function reviewed({ stateAfter, transport }: Source, steps: Step[], at: number): Promise<SuggestActionResponse | undefined> {
  const { n, record: { record } = {} } = steps[at] ?? {};
  if (!stateAfter || !transport || !record?.actor || !record.action || n === undefined) return undefined;
  const dealt = steps.findLastIndex((each, place) => place < at && each.record.events.some(({ kind }) => kind.case === "dealt"));
  const history = steps.slice(dealt, at).flatMap(({ record: { record: seen, events } }) => (seen?.actor && events.length > 0 ? [{ actor: seen.actor, events }] : []));
  const { actor, action: played } = record;
  return createClient(GameService, transport).suggestAction({ state: await stateAfter(BigInt(n - 1)), actor, level: REVIEWS, history, played });
}
