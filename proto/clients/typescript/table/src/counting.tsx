// The end of a round on the table itself: what each side has is counted line by line, before the sheet says it all.

import { describeLog, JUDGE, OpenGame, type RoundEnd, type Score, type TableGame } from "canasta-client";
import type { JSX } from "preact";
import type { Shown } from "./board";
import { localEngine } from "./viewer/local";
import { number, seatName } from "./words";

/** The items of a score sheet, in the order of the rulebook's sheets. */
const ITEMS = [
  "melded_cards", "natural_canastas", "mixed_canastas", "wild_canastas", "sequence_canastas", "incomplete_melds",
  "held_trios", "threes", "going_out", "concealed", "cut", "foot_cut", "hand_cards", "foot_cards", "restores",
  "special_hand", "no_canasta", "adjustments",
];

/** Returns the items of a round's sheet. Every sheet has the same order: the list's items first, then items that are new to this page. */
export function itemsOf(round: RoundEnd): string[] {
  const all = new Set(round.scores.flatMap((score) => score.lines.map((line) => line.item)));
  return [...ITEMS.filter((item) => all.has(item)), ...[...all].filter((item) => !ITEMS.includes(item))];
}

/** Number of records before the end of a round among which its last action is. */
const LAST = 8n;

/** Returns everybody's cards at the end of a round, which the log reveals then; undefined where it does not. `n`: number of the last record. */
export async function handsOf(game: TableGame, round: number, n: bigint): Promise<string[][] | undefined> {
  // Of a room nobody but the page itself reads the log to players: its engine does.
  const judge = game instanceof OpenGame ? game.judge : await localEngine();
  const records = await describeLog(judge, await game.log(), JUDGE, n > LAST ? n - LAST : 0n, n, true);
  const last = records.findLast(({ view }) => view?.round === round && view.seats.some(({ hand }) => hand.length > 0));
  return last?.view?.seats.map(({ hand }) => hand);
}

/** What has been counted so far for a side: the sum, and the line that was added last. The sheet tells it to screen readers. */
export function Count({ table, side }: { table: Shown; side: number }): JSX.Element | null {
  const { view, sheet, counted } = table;
  if (!sheet) return null;
  const items = itemsOf(sheet).slice(0, counted);
  const isOf = ({ owner }: Score) => (owner.case === "seat" ? view.seats[owner.value]?.side : owner.value) === side;
  const scores = sheet.scores.filter(isOf);
  return (
    <span class="counted" aria-hidden="true">
      {scores.map((score, at) => {
        const lines = score.lines.filter((line) => items.includes(line.item));
        const last = lines.find((line) => line.item === items.at(-1));
        const sum = lines.reduce((all, line) => all + line.points, 0);
        const name = scores.length > 1 && score.owner.case === "seat" ? `${seatName(view, score.owner.value)} ` : "";
        return <span key={at}>{name}<b key={sum}>{number(sum)}</b>{last && counted < itemsOf(sheet).length && <small>{table.words.line(last)} {number(last.points)}</small>}</span>;
      })}
    </span>
  );
}
