// What lies beside the table: history, scores, the room, the log, card values, moves.

import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Action, auditLog, type AuditLogResponse, OpenGame } from "canasta-client";
import { Calls } from "./calls";
import { Dialog } from "./dialog";
import type { Table } from "./model";
import { RoomPanel } from "./room_panel";
import { Sheet } from "./sheets";
import { VerdictPane } from "./viewer/verdict";
import { t, type Word } from "./words";

export function Panels({ table, values }: { table: Table; values: JSX.Element }): JSX.Element | null {
  const close = () => table.open(undefined);
  const bodies: Partial<Record<string, () => ComponentChildren>> = {
    history: () => <History table={table} />,
    scores: () => table.rounds.length === 0 ? <p>{t("scores.none")}</p> : [...table.rounds].reverse().map((round) => <Sheet table={table} round={round} key={round.round} />),
    room: () => table.meeting && <RoomPanel table={table} meeting={table.meeting} />,
    log: () => <Log table={table} />,
    moves: () => <Moves table={table} close={close} />,
    values: () => values,
    calls: () => <Calls />,
  };
  const body = bodies[table.panel ?? ""];
  return body ? <Dialog id={`panel-${table.panel}`} kind="panel" title={t(`panel.${table.panel}` as Word)} close={close} key={table.panel}>{body()}</Dialog> : null;
}

/** The history, the newest at its end, which it follows unless somebody reads further up. */
export function History({ table }: { table: Table }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const { lines } = table;
  // A long game has hundreds of lines: they are drawn anew only when there are more.
  const items = useMemo(() => lines.map((line, at) => <li key={at}><span class="n">{String(line.n)}</span> {line.text}</li>), [lines, lines.length]);
  useLayoutEffect(() => {
    if (box.current && follows.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length]);
  const scrolled = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: { currentTarget: HTMLElement }) => {
    follows.current = scrollTop + clientHeight > scrollHeight - 40;
  };
  return (
    <>
      <div class="history" role="log" tabIndex={0} aria-label={t("panel.history")} ref={box} onScroll={scrolled}>
        <ol>{items}</ol>
      </div>
      <p><button type="button" onClick={() => table.open("replay")}>{t("replay")}</button></p>
    </>
  );
}

/** Everything that the service lists as possible now. */
function Moves({ table, close }: { table: Table; close: () => void }): JSX.Element {
  const words = table.words;
  const play = (action: Action) => {
    close();
    void table.act(action);
  };
  if (table.legal.length === 0) return <p>{t("nothingToDo")}</p>;
  return (
    <>
      <p class="note">{t("moves.note")}</p>
      <ul class="list">{table.legal.map((action, at) => <li key={at}><button type="button" onClick={() => play(action)}>{words.action(action)}</button></li>)}</ul>
    </>
  );
}

/** Hands a file to the person. */
export function download(name: string, bytes: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([bytes as BlobPart], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  [link.href, link.download] = [url, name];
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function Log({ table }: { table: Table }): JSX.Element {
  const { room, game, end } = table;
  const [report, show] = useState<AuditLogResponse | undefined>();
  const [said, say] = useState("");
  const name = `${game.id}.clog`;
  const save = async () => {
    try {
      download(name, await game.log());
    } catch (error) {
      table.fail(error);
    }
  };
  const judge = async () => {
    try {
      say(t("audit.asking"));
      if (game instanceof OpenGame) show(await auditLog(game.judge, await game.log(), end === undefined));
      else if (room) {
        const { outcome } = await room.verdict();
        if (outcome.case !== "verdict") return say(t(end ? "audit.waits" : "audit.later"));
        show(outcome.value.report);
      }
      say("");
    } catch (error) {
      say("");
      table.fail(error);
    }
  };
  return (
    <>
      <p>{t("log.note")}</p>
      <p class="buttons">
        <button type="button" id="download" onClick={() => void save()}>{t("log.download")}</button>
        <button type="button" id="audit" onClick={() => void judge()}>{t("log.audit")}</button>
      </p>
      <div id="report" role="status">{said}{report && <VerdictPane report={report} view={table.view} />}</div>
      <p class="note">{t("log.own")} <code>canasta-replay audit {end ? "" : "--live "}{name}</code></p>
    </>
  );
}
