// What an audit says of a game, in plain words; what is wrong, with a way to the record; and the facts for experts.

import type { JSX } from "preact";
import { type AuditLogResponse, DealVerdict, FindingKind, hex, Verdict, type View } from "canasta-client";
import { language, LANGUAGES, choose, number, seatName, shownName, t, type Word } from "../words";

/** What is proven, and what is not, by something else than the log: keys, witnesses, trees of games. */
export interface Outside {
  verified: string[];
  notProven: string[];
}

export const isGood = ({ verdict }: AuditLogResponse): boolean => verdict === Verdict.CLEAN || verdict === Verdict.CLEAN_WITH_RULINGS;

/** `go` shows a record. `reloads`: whether the page shows the same game after it was loaded again, in another language. */
export function VerdictPane({ report, view, outside, go, reloads = false }: {
  report: AuditLogResponse | undefined; view?: View; outside?: Outside | undefined; go?: (n: number) => void; reloads?: boolean;
}): JSX.Element {
  if (!report) return <><h2>{t("pane.verdict")}</h2><p role="status">{t("audit.asking")}</p></>;
  const { findings, findingsLeftOff } = report;
  return (
    <>
      <h2>{t("pane.verdict")}</h2>
      <p class={`summary verdict${isGood(report) ? " good" : ""}`}>{t(`verdict.${Verdict[report.verdict]}` as Word)}</p>
      {findings.length > 0 && <ol class="findings">{findings.map((each, at) => {
        const name = t("finding", { record: String(each.record) });
        const seat = each.seat === undefined || !view ? "" : `${seatName(view, each.seat)}: `;
        return (
          <li key={at}>
            {go ? <button type="button" class="link" onClick={() => go(Number(each.record))}>{name}</button> : name}{" "}
            {seat}{t(`finding.${FindingKind[each.kind]}` as Word)}. <span lang="en" class="note">{each.detail} {each.ruleIds.join(" ")}</span>
          </li>
        );
      })}</ol>}
      {findingsLeftOff > 0n && <p>{t("findings.more", { count: String(findingsLeftOff) })}</p>}
      <p>{t("audit.deal")}: {t(`deal.${DealVerdict[report.deal]}` as Word)}.</p>
      <p class="note">{t("verdict.limit")}</p>
      {outside && <ul class="outside">
        {outside.verified.map((each) => <li class="good" key={each}>{each}</li>)}
        {outside.notProven.map((each) => <li key={each}>{t("outside.not")} {each}</li>)}
      </ul>}
      <Facts report={report} />
      {go && <p class="buttons">
        <button type="button" id="print" onClick={() => print()}>{t("print")}</button>
        {reloads && <label>{t("language")} <select id="language" value={language} onChange={(event) => choose(event.currentTarget.value)}>
          {Object.entries(LANGUAGES).map(([id, name]) => <option value={id} key={id}>{name}</option>)}
        </select></label>}
      </p>}
    </>
  );
}

function Facts({ report }: { report: AuditLogResponse }): JSX.Element {
  const { game, records, bytes, actions, rounds, refusals, rulings, signed } = report;
  const facts: [string, string][] = [[t("audit.records"), t("audit.counts", { records: number(records), bytes: number(bytes), actions: number(actions), rounds })]];
  facts.push([t("audit.head"), hex(report.head)]);
  if (refusals + rulings > 0n) facts.push([t("audit.incidents"), t("audit.refused", { refusals: number(refusals), rulings: number(rulings) })]);
  if (game) {
    facts.unshift([t("audit.game"), hex(game.gameId)], [t("audit.rules"), `${game.ruleSet} ${hex(game.ruleSetDigest).slice(0, 16)}`]);
    facts.push(...game.players.map(({ name, publicKey }, at): [string, string] => [
      shownName(name), t(publicKey.length > 0 ? "audit.signed" : "audit.unsigned", { signed: number(signed[at]?.signed ?? 0n), actions: number(signed[at]?.actions ?? 0n), key: hex(publicKey) }),
    ]));
    if (game.directorKey.length > 0) facts.push([t("audit.director"), hex(game.directorKey)]);
  }
  return (
    <details class="expert">
      <summary>{t("audit.facts")}</summary>
      <dl>{facts.map(([name, value], at) => [<dt key={at}>{name}</dt>, <dd key={`${at}.`}>{value}</dd>])}</dl>
    </details>
  );
}
