// What happened, in sentences: the lines of the history, and what an offer would take back.

import { type Actor, type DescribedRecord, seatOf, type TableGame, type View } from "canasta-client";
import { Sentences } from "./sentences";
import { seatName, t } from "./words";

/** A line of the history, with the number of its record in the log. */
export interface Line {
  n: bigint;
  text: string;
}

export function told(records: DescribedRecord[], view: View, side: number | undefined): Line[] {
  const words = new Sentences(view, side);
  const nameOf = (actor: Actor | undefined) => {
    const seat = seatOf(actor);
    return seat === undefined ? t("table") : seatName(view, seat);
  };
  return records.flatMap(({ record, events }) => {
    // The log of an open round tells no events, only actions.
    const action = record?.action && `${nameOf(record.actor)}: ${words.action(record.action)}`;
    const texts = events.length > 0 ? events.map((event) => words.event(event)) : [action ?? ""];
    return texts.filter(Boolean).map((text) => ({ n: record?.n ?? 0n, text }));
  });
}

/** Returns the actions after the one at which play would resume. */
export async function takenBack(game: TableGame, view: View, side: number | undefined, toSeq: bigint): Promise<string[]> {
  const actions = Number(view.seq - toSeq);
  // Between the actions stand notes, such as the offer.
  const from = view.n - BigInt(4 * actions + 8);
  const records = await game.describe(from > 0n ? from : 0n, view.n, false).catch(() => [] as DescribedRecord[]);
  return told(records.filter(({ record }) => record?.action).slice(-actions), view, side).map((line) => line.text);
}
