// A game as steps: each record with the position after it, the turn that it belongs to, and what stands out.

import { create } from "@bufbuild/protobuf";
import {
  type Action, type DescribedRecord, Phase, RecordKind, Role, type RoundEnd, seatOf, Unknown, type View, ViewSchema,
} from "canasta-client";
import { Sentences } from "../sentences";
import { heading, ownerName, winner } from "../sheets";
import { number, seatName, t } from "../words";

export type Incident = "refusal" | "illegal" | "ruling" | "dispute" | "note" | "finding";

export interface Step {
  /** Number of the record in the log; of a move that was not played, the number that it would have. */
  n: number;
  record: DescribedRecord;
  /** The position that is shown: the one after the record, or the last one before it. Unset: the cards are not known. */
  view: View | undefined;
  before: View | undefined;
  /** The position that names players and melds; without melds where the cards are not known. */
  named: View;
  round: number;
  /** The seat whose turn the record belongs to. Unset: the table acts. */
  seat: number | undefined;
  /** The turn that the record belongs to, counted through the game. */
  turn: number;
  incidents: Incident[];
}

/** Reasons why the position after a record is not the one before it. */
const UNSEEN = [Unknown.HIDDEN, Unknown.AFTER_ILLEGAL, Unknown.NOT_PLAYED];
const IN_TURN = [Phase.START, Phase.PLAY, Phase.ASKED, Phase.TAKING];

/** Returns the steps of a game. `names` are those of the players, for answers that have none; `seats` those on the seats, before a deal. */
export function stepsOf(records: DescribedRecord[], names: string[] = [], seats: string[] = []): Step[] {
  const steps: Step[] = [];
  let [view, turn, key]: [View | undefined, number, string] = [undefined, 0, ""];
  // Which seats play together, nobody knows then.
  let named = create(ViewSchema, { seats: seats.map((name, seat) => ({ seat, name, side: 9 })) });
  for (const record of records) {
    const before: View | undefined = view;
    for (const seat of record.view?.seats ?? []) seat.name ||= names[seat.player] ?? "";
    // The cards of a round lie until the next ones are dealt.
    if (record.view && (record.events.length > 0 || !before)) view = record.view;
    if (UNSEEN.includes(record.unknown)) view = undefined;
    if (view) named = { ...view, sides: view.sides.map((side) => ({ ...side, melds: [] })) };
    const { kind, n = 0n, actor, round = before?.round ?? 0 } = record.record ?? {};
    const isTable = actor?.who.case === "role" && actor.who.value === Role.TABLE;
    const isPlay = kind !== RecordKind.REGISTER && kind !== RecordKind.ROUND_END && kind !== RecordKind.GAME_END && !isTable;
    const seat = !isPlay ? undefined : before && IN_TURN.includes(before.phase) ? before.turn : seatOf(actor);
    if (key !== `${round}.${seat}`) turn += 1;
    key = `${round}.${seat}`;
    steps.push({ n: Number(n), record, view, before, named: before ?? view ?? named, round, seat, turn, incidents: incidentsOf(record) });
  }
  return steps;
}

function incidentsOf({ record }: DescribedRecord): Incident[] {
  const kind = record?.action?.kind.case;
  if (record?.kind === RecordKind.REFUSAL) return ["refusal"];
  if (record?.kind === RecordKind.NOTE) return ["note"];
  if ((record?.codes.length ?? 0) > 0) return ["illegal"];
  return kind === "ruling" || kind === "dispute" ? [kind] : [];
}

/** The places where something else begins: another seat is to act, another round is dealt. */
export interface Stops {
  turns: number[];
  rounds: number[];
}

export function stopsOf(steps: Step[]): Stops {
  const last = steps.length - 1;
  const toAct = ({ view, turn }: Step) => (view ? `${view.round}.${view.turn}` : `${turn}`);
  const turns = steps.flatMap((step, at) => (at > 0 && toAct(step) !== toAct(steps[at - 1] as Step) ? at : []));
  const rounds = steps.flatMap(({ record }, at) => (record.record?.action?.kind.case === "deal" ? at : []));
  return { turns: [0, ...turns, last], rounds: [0, ...rounds, last] };
}

/** Returns the next place of these in a direction; the own place at an end. */
export const jump = (stops: number[], at: number, way: 1 | -1): number =>
  (way > 0 ? stops.find((each) => each > at) : stops.findLast((each) => each < at)) ?? at;

/** Returns what a record says, in a sentence. */
export function say({ record: described, view, named, n }: Step): string {
  const { record, events } = described;
  const seat = seatOf(record?.actor);
  const name = seat === undefined ? t(record?.actor?.who.value === Role.DIRECTOR ? "director" : "table") : seatName(named, seat);
  const words = new Sentences(named, named.seats[seat ?? -1]?.side);
  const action = record?.action && words.action(record.action);
  switch (record?.kind) {
    case RecordKind.GENESIS: return t("step.genesis");
    case RecordKind.REGISTER: return t("step.register", { round: record.round ?? 0 });
    case RecordKind.NOTE: return t("step.note", { name, text: record.text });
    case RecordKind.CHECKPOINT: return t("step.checkpoint");
    case RecordKind.REFUSAL: return action ? t("step.tried", { name, action }) : t("step.refused", { name });
    case RecordKind.ROUND_END: return described.roundEnd ? ended(named, described.roundEnd) : t("step.roundEnd");
    case RecordKind.GAME_END: return described.gameEnd ? `${t("gameOver")}. ${winner(named, described.gameEnd)}` : t("gameOver");
  }
  const after = new Sentences(view ?? named, named.seats[seat ?? -1]?.side, seat);
  const said = events.filter(({ kind }) => kind.case !== "ruled").map((event) => after.event(event)).filter(Boolean).join(". ");
  const own = record?.action ? official(record.action, name, action ?? "") : "";
  // The log of an open round tells no events, only actions.
  return [own, said].filter(Boolean).join(". ") || (action ? `${name}: ${action}` : t("record", { record: n }));
}

/** Returns a ruling or a dispute with its reason. */
function official({ kind }: Action, name: string, said: string): string {
  if (kind.case === "ruling") return kind.value.reason ? `${said}: ${kind.value.reason}` : said;
  return kind.case === "dispute" && kind.value.reason ? `${name}: ${said}` : "";
}

function ended(view: View, round: RoundEnd): string {
  const totals = round.scores.map((score) => t("step.scored", { name: ownerName(view, score), total: number(score.total), score: number(score.cumulative) }));
  return [heading(view, round), ...totals].join(". ");
}
