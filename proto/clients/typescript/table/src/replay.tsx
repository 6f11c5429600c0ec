// A game walked through, record by record: one's own so far, a room's, or a log from a file.

import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import {
  type Asker, asSeat, type DescribedRecord, describeLog, JUDGE, seatOf, TABLE, type TableGame, Trouble,
} from "canasta-client";
import { Board } from "./board";
import { keptRooms } from "./keeper";
import { drawOf, Table } from "./model";
import { Sentences } from "./sentences";
import { Sheet } from "./sheets";
import { seatName, t } from "./words";

/** Time between two records while the replay runs, in milliseconds. */
const STEP_MS = 900;

/** A log that was read from a file: it can be looked at, and nothing else. */
export class LoadedLog {
  readonly id: string;

  constructor(private readonly bytes: Uint8Array, name: string, public actor: Asker = JUDGE) {
    this.id = name.replace(/\.clog$/, "");
  }

  describe(from: bigint, to: bigint | undefined, wantViews: boolean): Promise<DescribedRecord[]> {
    // Guests of a recorder may ask about a log with the link of any of their rooms.
    return describeLog(location.origin, this.bytes, this.actor, from, to, wantViews, keptRooms()[0]?.token);
  }
}

export function Replay({ game, at = 0, names, close }: {
  game: Pick<TableGame, "actor" | "describe" | "id">; at?: number; names?: string[]; close: () => void;
}): JSX.Element {
  const [found, show] = useState<DescribedRecord[] | undefined>();
  const [step, go] = useState(at);
  const [runs, run] = useState(false);
  const [failure, fail] = useState("");
  const [actor, look] = useState<Asker>(game.actor);
  const isLoaded = game instanceof LoadedLog;
  useEffect(() => {
    if (game instanceof LoadedLog) game.actor = actor;
    game.describe(0n, undefined, true).then((all) => show(withViews(all, names)), (error: unknown) => fail(Trouble.of(error).message));
  }, [actor]);
  const records = found ?? [];
  const last = Math.max(0, records.length - 1);
  const now = Math.min(step, last);
  useEffect(() => {
    if (!runs) return;
    if (now >= last) return run(false);
    const timer = setTimeout(() => go(now + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [runs, now, last]);
  const record = records[now];
  const table = useMemo(() => {
    const shown = new Table(game as TableGame, () => undefined);
    shown.isReplay = true;
    if (record?.view) shown.view = record.view;
    shown.before = records[now - 1]?.view;
    shown.bottom = seatOf(actor);
    shown.draw = drawOf(record?.events ?? []);
    return shown;
  }, [record]);
  const keys = (event: KeyboardEvent) => {
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last, PageUp: now - 25, PageDown: now + 25 }[event.key];
    if (to === undefined || (event.target as HTMLElement).tagName === "SELECT") return;
    event.preventDefault();
    go(Math.max(0, Math.min(last, to)));
  };
  if (failure !== "") return <main class="page"><h1>{t("replay")}</h1><p role="alert">{t("load.failed")} <span lang="en">{failure}</span></p><p><button type="button" onClick={close}>{t("back")}</button></p></main>;
  if (!record?.view) return <main class="page"><h1>{t("replay")}</h1><p role="status">{t(found ? "replay.none" : "loading")}</p><p><button type="button" onClick={close}>{t("back")}</button></p></main>;
  const { view } = record;
  const words = new Sentences(view, view.seats[seatOf(actor) ?? 0]?.side);
  const said = record.events.map((event) => words.event(event)).filter(Boolean).join(". ");
  return (
    <div id="table" class="replay" onKeyDown={keys}>
      <header id="top">
        <h1 tabIndex={-1}>{t("replay")}</h1>
        <span class="title">{view.title}</span>
        {isLoaded && (
          <label>{t("seen.by")} <select value={String(seatOf(actor) ?? (actor === TABLE ? "table" : "judge"))} onChange={(event) => look(actorOf(event.currentTarget.value))}>
            <option value="judge">{t("judge")}</option><option value="table">{t("spectators")}</option>
            {view.seats.map((each) => <option value={each.seat} key={each.seat}>{seatName(view, each.seat)}</option>)}
          </select></label>
        )}
        <button type="button" onClick={close}>{t("back")}</button>
      </header>
      <Board table={table} />
      {record.roundEnd && <aside class="ended" aria-label={t("panel.scores")} tabIndex={0}><Sheet table={table} round={record.roundEnd} /></aside>}
      <footer id="bar">
        <p id="turn" role="status"><span class="n">{t("record", { record: now })}</span> {said || t("nothing")}</p>
        <div id="actions" role="group" aria-label={t("actions")}>
          <input type="range" min={0} max={last} value={now} aria-label={t("record.slider")} onInput={(event) => go(Number(event.currentTarget.value))} />
          <button type="button" data-act="first" aria-label={t("first")} onClick={() => go(0)}>«</button>
          <button type="button" data-act="before" aria-label={t("before")} onClick={() => go(Math.max(0, now - 1))}>◀</button>
          <button type="button" data-act="play" class="primary" aria-pressed={runs} aria-label={t("run")} onClick={() => run(!runs)}>{runs ? "‖" : "▶"}</button>
          <button type="button" data-act="next" aria-label={t("next")} onClick={() => go(Math.min(last, now + 1))}>▶▏</button>
          <button type="button" data-act="last" aria-label={t("last")} onClick={() => go(last)}>»</button>
        </div>
      </footer>
    </div>
  );
}

const actorOf = (text: string): Asker => (text === "judge" ? JUDGE : text === "table" ? TABLE : asSeat(Number(text)));

/** Keeps the records that show something, each with the view after it; the end of a round goes to the last of these. */
function withViews(records: DescribedRecord[], names: string[] | undefined): DescribedRecord[] {
  const shown: DescribedRecord[] = [];
  for (const each of records) {
    if (each.view && each.events.length > 0) shown.push(each);
    const last = shown.at(-1);
    if (last) last.roundEnd ??= each.roundEnd;
  }
  for (const { view } of shown) for (const seat of view?.seats ?? []) seat.name ||= names?.[seat.player] ?? "";
  return shown;
}
