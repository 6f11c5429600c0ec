// Score sheets, the end of a round, and the winner.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type GameEnd, type RoundEnd, RoundEndReason, type Score, type View } from "canasta-client";
import { short } from "./cards";
import { itemsOf } from "./counting";
import { Dialog } from "./dialog";
import { Ids } from "./explained";
import { Again } from "./room_panel";
import type { Table } from "./model";
import { Share } from "./viewer/share";
import { capital, number, seatName, sideName, t, type Word } from "./words";

/** Returns whose score it is. */
export const ownerName = (view: View, { owner }: Score): string =>
  owner.case === "seat" ? seatName(view, owner.value) : sideName(view, owner.value ?? 0);

/** Returns how a round ended, in a sentence. */
export function heading(view: View, round: RoundEnd): string {
  if (round.reason === RoundEndReason.DRAWN) return capital(t("ended.DRAWN"));
  const name = round.seat === undefined ? "" : seatName(view, round.seat);
  const why = t(`ended.${RoundEndReason[round.reason]}` as Word, { name });
  return `${t("round", { round: round.round })}: ${why}${round.concealed ? `, ${t("concealed")}` : ""}`;
}

/** The score sheet of one round: one line per item, one column per side. `isExplained`: each line says what it is for. */
export function Sheet({ table, round, isTitled = false, isExplained = false, ask }: {
  table: Table; round: RoundEnd; isTitled?: boolean; isExplained?: boolean; ask?: (ruleIds: string[], title: string) => void;
}): JSX.Element {
  if (round.reason === RoundEndReason.DRAWN) return <Draw table={table} isTitled={isTitled} />;
  const items = itemsOf(round);
  const words = table.words;
  const line = (score: Score, item: string) => score.lines.find((each) => each.item === item);
  const named = (item: string) => {
    const one = round.scores.map((score) => line(score, item)).find((each) => each !== undefined);
    return one ? words.line({ ...one, count: undefined }) : item;
  };
  // Points that a player expects to gain and loses are what is argued about.
  const lost = (item: string) => round.scores.some((score) => (line(score, item)?.points ?? 0) < 0) ? t(`minus.${item}` as Word) : "";
  const rules = (item: string) => round.scores.flatMap((score) => line(score, item)?.ruleIds ?? []).filter((id, at, all) => all.indexOf(id) === at);
  const notes = (item: string) => [isExplained ? t(`item.${item}` as Word) : "", lost(item)].filter(Boolean);
  const cell = (score: Score, item: string) => {
    const found = line(score, item);
    if (!found) return "";
    return found.count === undefined ? number(found.points) : t("for", { count: found.count, points: number(found.points) });
  };
  return (
    <table class="sheet">
      <caption class={isTitled ? "hidden" : undefined}>{heading(table.view, round)}</caption>
      <thead><tr><th scope="col">{t("sheet.for")}</th>{round.scores.map((score, at) => <th scope="col" key={at}>{ownerName(table.view, score)}</th>)}</tr></thead>
      <tbody>
        {items.map((item) => (
          <tr key={item}><th scope="row">{named(item)}{notes(item).map((note) => <small class="note" key={note}>{note}</small>)} <Ids ids={rules(item)} title={t(`item.${item}` as Word)} ask={ask} /></th>{round.scores.map((score, at) => <td key={at}>{cell(score, item)}</td>)}</tr>
        ))}
        <tr class="sum"><th scope="row">{t("sheet.round")}</th>{round.scores.map((score, at) => <td key={at}>{number(score.total)}</td>)}</tr>
        <tr class="sum"><th scope="row">{t("sheet.score")}</th>{round.scores.map((score, at) => <td key={at}>{number(score.cumulative)}</td>)}</tr>
      </tbody>
    </table>
  );
}

/** Who drew which cards for seats, in the order of the seats, and who deals. */
function Draw({ table, isTitled }: { table: Table; isTitled: boolean }): JSX.Element {
  const { draw, view } = table;
  return (
    <table class="sheet">
      <caption class={isTitled ? "hidden" : undefined}>{capital(t("ended.DRAWN"))}</caption>
      <thead><tr><th scope="col">{t("draw.seat")}</th><th scope="col">{t("draw.cards")}</th></tr></thead>
      <tbody>
        {draw?.seating.map((player, seat) => (
          <tr key={seat}>
            <th scope="row">{seatName(view, seat)}{seat === draw.dealer && ` · ${t("dealer")}`}</th>
            <td>{draw.picks[player]?.cards.map(short).join(" ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns who has won, in a sentence. */
export function winner(view: View, end: GameEnd): string {
  if (end.winner === undefined) return t("drawn");
  const name = view.sides.some((each) => each.score !== undefined) ? sideName(view, end.winner) : seatName(view, end.winner);
  // A game that somebody gave up has a winner without a lead.
  return end.margin > 0 ? t("won", { name, margin: number(end.margin) }) : t("won.given", { name });
}

/** The end of a round, until it is dismissed; the end of the game. It lies beside the table, or below it, and can be pulled up there. */
export function RoundOver({ table, rematch, home, ask }: {
  table: Table; rematch: (() => void) | undefined; home: () => void; ask: (ruleIds: string[], title: string) => void;
}): JSX.Element | null {
  const { sheet, end, view, game } = table;
  const [log, share] = useState<Uint8Array | undefined>();
  const [isUp, pull] = useState(false);
  if (!sheet || table.counted < itemsOf(sheet).length) return null;
  const title = end ? winner(view, end) : heading(table.view, sheet);
  const again = rematch ?? home;
  return (
    <Dialog id="round-over" title={title} kind={`over${end ? " won" : ""}${isUp ? " up" : ""}`} close={() => table.dismiss()} isModal={false}>
      {end && table.meeting && <Again meeting={table.meeting} />}
      <p class="buttons">
        {end
          ? !table.meeting && <button type="button" class="primary" id={rematch && "rematch"} onClick={again}>{t(rematch ? "rematch" : "newGame")}</button>
          : <button type="button" class="primary" id="next-round" onClick={() => table.dismiss()}>{t("nextRound")}</button>}
        <button type="button" class="pull" aria-expanded={isUp} onClick={() => pull(!isUp)}>{t(isUp ? "sheet.down" : "sheet.up")}</button>
      </p>
      <div class="body">
        <Sheet table={table} round={sheet} isTitled={!end} ask={ask} />
        {!end && view.target > 0 && sheet.round > 0 && <p class="note">{t("target", { points: number(view.target) })}</p>}
        {end && <p class="buttons">
          <button type="button" onClick={() => { table.dismiss(); table.open("log"); }}>{t("log")}</button>
          <button type="button" onClick={() => { table.dismiss(); table.open("replay"); }}>{t("replay")}</button>
          <button type="button" id="share-game" onClick={() => void game.log().then(share, table.fail)}>{t("share")}</button>
          {(rematch ?? table.meeting) && <button type="button" onClick={home}>{t("newGame")}</button>}
        </p>}
      </div>
      {log && <Share id={game.id} log={log} close={() => share(undefined)} />}
    </Dialog>
  );
}
