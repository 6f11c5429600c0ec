// A game walked through, record by record, on the table's own board: one's own so far, a room's, or a log.

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  type Action, type Asker, asSeat, type AuditLogResponse, type DescribedRecord, JUDGE, seatOf, SPECTATOR, type TableGame, Trouble, Unknown,
} from "canasta-client";
import { Board } from "../board";
import { drawOf, Table } from "../model";
import { seatName, t, type Word } from "../words";
import { playOn, reviewed } from "./branch";
import { Controls, keys, type Walk } from "./controls";
import { ProofPane, provenBy, useProof } from "./proof_pane";
import { Records } from "./records";
import { Scores } from "./scores";
import { Share } from "./share";
import type { Source } from "./source";
import { say, stepsOf, stopsOf } from "./steps";
import { isGood, type Outside, VerdictPane } from "./verdict";
import { Why } from "./why";

/** What lies beside the board. Where there is no room, each takes the place of the board, which is then one of them. */
const PANES = ["board", "records", "why", "scores", "verdict", "proof"] as const;
type Pane = (typeof PANES)[number];

/** Moves that nobody has played: what would have followed a record. */
interface Branch {
  /** Number of steps before it. */
  from: number;
  /** Place of the step where it was asked for. */
  asked: number;
  records: DescribedRecord[];
}

const nameOfEyes = (eyes: Asker): string => String(seatOf(eyes) ?? (eyes.who?.value === SPECTATOR.who?.value ? "table" : "judge"));
const eyesOf = (name: string): Asker => (name === "judge" ? JUDGE : name === "table" ? SPECTATOR : asSeat(Number(name)));

/** Returns the records of a game; of a damaged log those before the damage. */
async function described(source: Source, eyes: Asker): Promise<DescribedRecord[]> {
  try {
    return await source.describe(eyes, 0n, undefined, true);
  } catch (error) {
    const sound = (await source.audit?.())?.records ?? 0n;
    if (sound === 0n) throw error;
    return source.describe(eyes, 0n, sound - 1n, true);
  }
}

/**
 * `at`: number of the record to begin with; Infinity is the last whose cards are known. Unset: the first deal. `names`: those of the players, where the source has none.
 * `outside`: what is proven by something else than the game itself. `link` keeps the record in a link to this page.
 */
export function Viewer({ source, at, names, outside, link, close }: {
  source: Source; at?: number | undefined; names?: string[] | undefined; outside?: Outside | undefined; link?: (n: number) => void; close?: () => void;
}): JSX.Element {
  const [records, describe] = useState<DescribedRecord[]>([]);
  const [seenBy, see] = useState<Asker>();
  const [eyes, look] = useState<Asker>(source.eyes ?? JUDGE);
  const [report, judge] = useState<AuditLogResponse | undefined>();
  const [failure, fail] = useState("");
  const [place, put] = useState<number | undefined>();
  const { proof } = source;
  // Who opens the page of a proof wants to know what is proven.
  const [pane, open] = useState<Pane>(proof && "block" in proof ? "proof" : "board");
  const [branch, play] = useState<Branch | undefined>();
  const [shares, share] = useState(false);
  const trouble = (error: unknown) => fail(Trouble.of(error).message);
  useEffect(() => {
    const shown = (all: DescribedRecord[]) => {
      describe(all);
      see(eyes);
      play(undefined);
    };
    described(source, eyes).then(shown, trouble);
  }, [source, eyes]);
  useEffect(() => void source.audit?.().then(judge, trouble), [source]);

  const checked = useProof(source, report);
  const steps = useMemo(() => {
    const seats = report?.game?.seating.map((player) => report.game?.players[player]?.name ?? "");
    const all = stepsOf(branch ? [...records.slice(0, branch.from), ...branch.records] : records, names, seats);
    const played = all.slice(0, branch?.from);
    for (const { record } of report?.findings ?? []) played.find(({ n }) => n === Number(record))?.incidents.push("finding");
    return all;
  }, [records, report, branch]);
  const stops = useMemo(() => stopsOf(steps), [steps]);
  const last = steps.length - 1;
  const wanted = at === undefined ? steps.findIndex(({ view }) => view) : steps.findLastIndex(({ n, view }) => n <= at && (view || at < Infinity));
  const now = Math.min(Math.max(place ?? wanted, 0), last);
  const step = steps[now];
  const go = (to: number) => put(Math.min(Math.max(to, 0), last));
  // Keys may come faster than effects.
  const walk = useRef<Walk>({ now, last, stops, go });
  walk.current = { now, last, stops, go };
  useEffect(() => {
    const press = (event: KeyboardEvent) => keys(event, walk.current);
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  useEffect(() => {
    if (place === undefined || branch || !step) return;
    const timer = setTimeout(() => link?.(step.n), 300);
    return () => clearTimeout(timer);
  }, [step?.n, branch]);
  useEffect(() => document.querySelector<HTMLElement>("#top h1")?.focus(), []);
  const table = useMemo(() => {
    const shown = new Table({ actor: eyes } as TableGame, () => undefined);
    shown.isReplay = true;
    if (step) shown.view = step.view ?? step.named;
    shown.before = step?.before;
    shown.bottom = seatOf(seenBy ?? eyes);
    shown.draw = drawOf(steps.flatMap(({ record }) => record.events));
    return shown;
  }, [step]);

  if (!step) {
    return (
      <main class="page">
        <h1>{t("replay")}</h1>
        {failure === "" ? <p role="status">{t("loading")}</p> : <p role="alert">{t("load.failed")} <span lang="en">{failure}</span></p>}
        {failure !== "" && report && <section><VerdictPane report={report} /></section>}
        {close && <p><button type="button" onClick={close}>{t("back")}</button></p>}
      </main>
    );
  }
  const { view } = table;
  const asked = source.stateAfter && !branch ? (first?: Action) => {
    const from = first ? now : now + 1;
    playOn(source, step, seenBy ?? eyes, first).then((played) => {
      play({ from, asked: now, records: played });
      put(from);
    }, trouble);
  } : undefined;
  const endBranch = () => {
    put(branch?.asked);
    play(undefined);
  };
  const panes: Record<Exclude<Pane, "board">, JSX.Element | undefined> = {
    records: <Records steps={steps} now={now} unplayed={branch?.from} isOpen={pane === "records"} go={go} />,
    why: source.explain && !branch ? <Why source={source} step={step} eyes={eyes} isOpen={pane === "why"} playOn={asked} review={asked && (() => reviewed(source, steps, now))} /> : undefined,
    scores: <Scores table={table} steps={steps} />,
    verdict: source.audit ? <VerdictPane report={report} view={view} outside={outside} reloads={link !== undefined} go={(n) => go(steps.findLastIndex((each) => each.n <= n))} /> : undefined,
    proof: proof ? <ProofPane carried={proof} checked={checked} report={report} table={table} steps={steps} /> : undefined,
  };
  const marks: Partial<Record<Pane, boolean | undefined>> = { verdict: report && isGood(report), proof: proof && checked && ["whole", "result"].includes(provenBy(proof, checked)) };
  const shown = PANES.filter((each) => each === "board" || panes[each]);
  const isShown = (each: Pane) => each === pane || (each === "records" && (pane === "board" || !panes[pane]));
  return (
    <div id="table" class={`viewer sees-${pane}`} data-eyes={seenBy && nameOfEyes(seenBy)} aria-busy={seenBy !== eyes}>
      <header id="top">
        <h1 tabIndex={-1}>{view.title || t("replay")}</h1>
        {!source.eyes && (
          <label><span>{t("seen.by")}</span> <select id="eyes" value={nameOfEyes(eyes)} onChange={(event) => look(eyesOf(event.currentTarget.value))}>
            <option value="judge">{t("judge")}</option><option value="table">{t("spectators")}</option>
            {view.seats.map((each) => <option value={each.seat} key={each.seat}>{seatName(view, each.seat)}</option>)}
          </select></label>
        )}
        {source.log && <button type="button" id="share-open" onClick={() => share(true)}>{t("share")}</button>}
        {close && <button type="button" id="close" onClick={close}>{t("back")}</button>}
      </header>
      {shares && source.log && <Share id={source.id} log={source.log} packed={source.packed} at={step.n} close={() => share(false)} />}
      <nav class="panes" aria-label={t("panes")}>
        {shown.map((each) => (
          <button type="button" key={each} data-pane={each} aria-pressed={pane === each} onClick={() => open(each)}>
            {t(`pane.${each}` as Word)}{marks[each] !== undefined && <> <span aria-hidden="true">{marks[each] ? "✓" : "!"}</span></>}
          </button>
        ))}
      </nav>
      {failure !== "" && <p id="trouble" role="alert">{t("trouble.other", { message: failure })} <button type="button" class="close" aria-label={t("close")} onClick={() => fail("")}>×</button></p>}
      {step.view ? <Board table={table} /> : <main id="felt" class="none"><p>{t(`unknown.${Unknown[step.record.unknown || Unknown.NOT_DEALT]}` as Word)}</p></main>}
      <aside class="pane" aria-label={t(`pane.${pane === "board" ? "records" : pane}` as Word)}>
        {shown.map((each) => each !== "board" && <section key={each} id={`pane-${each}`} class={isShown(each) ? undefined : "off"}>{panes[each]}</section>)}
      </aside>
      <footer id="bar">
        {branch && now >= branch.from && <p id="unplayed"><strong>{t("branch.note")}</strong> <button type="button" id="played" onClick={endBranch}>{t("branch.back")}</button></p>}
        <p id="turn" role="status" tabIndex={0}><span class="n">{t("record", { record: step.n })}</span> {say(step)}</p>
        <Controls steps={steps} now={now} last={last} stops={stops} go={go} />
      </footer>
    </div>
  );
}
