// What lies beside the table: history, scores, links, the log, card values, moves.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  type Action, type Asker, asSeat, auditLog, type AuditLogResponse, SPECTATOR,
} from "canasta-client";
import { Calls } from "./calls";
import { Dialog } from "./dialog";
import { keptRoom, noteRoom } from "./keeper";
import type { Table } from "./model";
import { Sheet } from "./sheets";
import { VerdictPane } from "./viewer/verdict";
import { seatName, t, type Word } from "./words";

export function Panels({ table, values }: { table: Table; values: JSX.Element }): JSX.Element | null {
  const close = () => table.open(undefined);
  const bodies: Partial<Record<string, () => ComponentChildren>> = {
    history: () => <History table={table} />,
    scores: () => table.rounds.length === 0 ? <p>{t("scores.none")}</p> : [...table.rounds].reverse().map((round) => <Sheet table={table} round={round} key={round.round} />),
    links: () => <Links table={table} />,
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

const DAYS_29 = 29 * 24 * 3_600_000;

interface Made {
  name: string;
  actor: Asker;
  seat?: number;
  url?: string;
  token?: string;
}

/** The links of a room, for its host; bots, for whoever may set them. */
function Links({ table }: { table: Table }): JSX.Element {
  const { room, view, me } = table;
  const kept = keptRoom(table.game.id);
  const made = kept?.made;
  // The list has its length from the beginning, so that nothing moves when the links come.
  const [links, set] = useState<Made[]>(() => {
    if (!room || !made) return [];
    const seats = view.seats.filter((each) => each.seat !== me && !made.bots.includes(each.seat));
    return [...seats.map((each) => ({ name: seatName(view, each.seat), actor: asSeat(each.seat), seat: each.seat })), { name: t("spectators"), actor: SPECTATOR }];
  });
  const [said, say] = useState("");
  useEffect(() => void Promise.all(links.map(invited)).then(set, table.fail), []);
  const invited = async (each: Made): Promise<Made> => {
    const link = made && (await room?.invite(each.actor, made.renewed?.[each.name] ?? made.expiresAtMs));
    return link ? { ...each, token: link.token, url: `${location.origin}${location.pathname}#t=${link.token}` } : each;
  };
  const copy = async (link: Made) => {
    try {
      await navigator.clipboard.writeText(link.url ?? "");
      say(t("links.copied", { name: link.name }));
    } catch {
      // Pages without a secure context, as those in a network at home, have no clipboard: the link is selected, and copied
      // the old way. Where that fails too, the player copies it.
      document.querySelector<HTMLInputElement>(`[data-link="${link.name}"]`)?.select();
      say(document.execCommand("copy") ? t("links.copied", { name: link.name }) : t("links.selected"));
    }
  };
  const revoke = async (link: Made) => {
    try {
      await room?.revoke(link.token ?? "");
      if (!kept || !made) return;
      // Equal requests get equal links, so a new link has a time of its own.
      made.renewed = { ...made.renewed, [link.name]: Date.now() + DAYS_29 };
      noteRoom(kept);
      const anew = await invited(link);
      set(links.map((each) => (each === link ? anew : each)));
      say(t("links.revoked", { name: link.name }));
    } catch (error) {
      table.fail(error);
    }
  };
  return (
    <>
      {made && <p>{t("links.note")}</p>}
      <ul class="links">
        {links.map((link) => (
          <li key={link.name}>
            <label>{link.name}<input readOnly value={link.url ?? ""} data-link={link.name} onFocus={(event) => event.currentTarget.select()} /></label>
            <button type="button" class="primary" disabled={!link.url} onClick={() => void copy(link)} aria-label={t("links.copy.for", { name: link.name })}>{t("links.copy")}</button>
            <button type="button" disabled={!link.url} onClick={() => void revoke(link)} aria-label={t("links.revoke.for", { name: link.name })}>{t("links.revoke")}</button>
          </li>
        ))}
      </ul>
      <p role="status">{said}</p>
      <h3>{t("bots")}</h3>
      <ul class="links">
        {view.seats.filter((each) => made !== undefined || each.seat === me).map((each) => (
          <li key={each.seat}>
            <span>{seatName(view, each.seat)}</span>
            <button type="button" onClick={() => void table.setBot(each.seat, true)}>{t("bot.take")}</button>
            <button type="button" onClick={() => void table.setBot(each.seat, false)}>{t("bot.give")}</button>
          </li>
        ))}
      </ul>
      <p class="note">{t("links.once")}</p>
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
      if (!room) show(await auditLog(location.origin, await game.log(), end === undefined));
      else {
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
