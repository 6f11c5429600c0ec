// What is proven of the game, for players: the sheet, their log, their deal, their signatures, and whose key vouches for it.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type AuditLogResponse, DealVerdict, hex, Verdict } from "canasta-client";
import type { Table } from "../model";
import { capital, number, t, type Word } from "../words";
import { digestOfPage } from "./local";
import { type Carried, type Checked, checkProof, type Signer, utc } from "./proof";
import { Result } from "./scores";
import type { Source } from "./source";
import type { Step } from "./steps";
import { isGood } from "./verdict";

/** What the checks come to: the game is proven, its result alone, nothing, or the proof is wrong. */
export type Proven = "whole" | "result" | "open" | "fails";

export function provenBy(carried: Carried, { checks }: Checked): Proven {
  if (checks.some(({ outcome }) => outcome === "fails")) return "fails";
  if (checks.some(({ outcome }) => outcome === "open")) return "open";
  return "text" in carried && carried.fullHead ? "result" : "whole";
}

/** Checks the proof of a source, once its log is audited. Undefined: not checked yet, or there is none. */
export function useProof({ proof, log }: Source, report: AuditLogResponse | undefined): Checked | undefined {
  const [checked, set] = useState<Checked | undefined>();
  useEffect(() => {
    if (proof && log && report && globalThis.crypto.subtle) void checkProof(proof, log, report).then(set);
  }, [proof, report]);
  return checked;
}

const shortKey = ({ key }: Signer): string => key.split("+").slice(0, 2).join("+");

export function ProofPane({ carried, checked, report, table, steps }: {
  carried: Carried; checked: Checked | undefined; report: AuditLogResponse | undefined; table: Table; steps: Step[];
}): JSX.Element {
  const title = <h2>{t("pane.proof")}</h2>;
  if (!globalThis.crypto.subtle) return <>{title}<p class="summary verdict" id="proven">{t("proof.crypto")}</p></>;
  if (!checked || !report) return <>{title}<p role="status">{t("proof.checking")}</p></>;
  const proven = provenBy(carried, checked);
  const { checks, signers } = checked;
  const keys = signers.filter((each) => each.of === "signed").map(shortKey).join(", ");
  return (
    <>
      {title}
      <p class={`summary verdict ${proven}${proven === "fails" || proven === "open" ? "" : " good"}`} id="proven" role="status">{t(`proof.${proven}`, { keys })}</p>
      {proven === "fails" && <ul class="outside">{checks.filter(({ outcome }) => outcome === "fails").map(({ what, name, detail }, at) => (
        <li class="bad" key={at}>{t("outcome.fails")}: {t(what, { name })}. <span lang="en" class="note">{detail}</span></li>
      ))}</ul>}
      <Result table={table} steps={steps} />
      <Sentences proven={proven} checked={checked} report={report} isBare={"text" in carried && carried.fullHead !== undefined} />
      {checked.keys.length > 0 && <Whose keys={checked.keys} />}
      <Details checked={checked} report={report} />
    </>
  );
}

/** Says of log, deal and signatures what is known. Of a proof that does not hold, nothing that only the proof says. */
function Sentences({ proven, checked, report, isBare }: { proven: Proven; checked: Checked; report: AuditLogResponse; isBare: boolean }): JSX.Element {
  const { tree, signers } = proven === "fails" ? { tree: undefined, signers: [] } : checked;
  const [signed, actions] = [report.signed.reduce((sum, each) => sum + each.signed, 0n), report.signed.reduce((sum, each) => sum + each.actions, 0n)];
  const players = isBare ? t("proof.signed.away") : signed > 0n ? t("proof.signed.players", { signed: number(signed), actions: number(actions) }) : t("proof.signed.nobody");
  const entry = tree && t("proof.entry", { index: number(tree.index), size: number(tree.size), origin: tree.origin, label: tree.entry.label });
  const said: [Word, boolean, (string | undefined)[]][] = [
    ["proof.log", isGood(report), [t(`verdict.${Verdict[report.verdict]}` as Word), entry, isBare && tree ? t("proof.bare") : undefined]],
    ["proof.deal", report.deal === DealVerdict.AS_COMMITTED, [`${capital(t(`deal.${DealVerdict[report.deal]}` as Word))}.`]],
    ["proof.signature", signers.length > 0, [
      ...signers.map((signer) => t(`proof.${signer.of}`, { key: shortKey(signer), time: utc(signer.time ?? 0), record: signer.record ?? 0 })),
      signers.length === 0 ? t("proof.unsigned") : undefined, players,
    ]],
  ];
  return (
    <dl class="said">{said.map(([what, isFine, lines]) => [
      <dt key={what}>{t(what)}</dt>, <dd class={isFine ? "good" : undefined} key={`${what}.`}>{lines.filter(Boolean).map((line) => <p key={line}>{line}</p>)}</dd>,
    ])}</dl>
  );
}

function Whose({ keys }: { keys: string[] }): JSX.Element {
  const [typed, type] = useState("");
  return (
    <>
      <label class="whose"><span>{t("proof.keys")}</span>
        <input id="key" value={typed} placeholder="NAME+HASH+BASE64" spellcheck={false} autocomplete="off" onInput={(event) => type(event.currentTarget.value.trim())} />
      </label>
      <p id="known" role="status">{typed !== "" && t(keys.includes(typed) ? "proof.key.known" : "proof.key.none", { name: typed.split("+")[0] ?? "" })}</p>
    </>
  );
}

function Details({ checked: { checks, keys, tree }, report }: { checked: Checked; report: AuditLogResponse }): JSX.Element {
  const [digest, set] = useState<string | undefined>();
  useEffect(() => void digestOfPage().then(set), []);
  return (
    <details class="expert">
      <summary>{t("proof.details")}</summary>
      <ul id="checks">{checks.map(({ what, name, outcome, detail }, at) => (
        <li class={outcome} key={at}><b>{t(`outcome.${outcome}`)}</b> <span>{t(what, { name })}</span> <small lang="en" class="note">{detail}</small></li>
      ))}</ul>
      <dl>
        {keys.map((key) => [<dt key={key}>{key.split("+")[0]}</dt>, <dd key={`${key}.`}>{key}</dd>])}
        <dt>{t("audit.head")}</dt><dd>{hex(report.head)}</dd>
        {digest && [<dt key="digest">{t("proof.verifier")}</dt>, <dd key="digest." id="digest">{digest}</dd>]}
      </dl>
      {tree && <pre tabIndex={0} role="group" aria-label={t("proof.checkpoint")}>{tree.note}</pre>}
      <h3>{t("proof.not")}</h3>
      <ul class="not">{(["proof.not.beacon", "proof.not.chosen", "proof.not.tree", "proof.not.page"] as const).map((each) => <li key={each}>{t(each)}</li>)}</ul>
    </details>
  );
}
