// The scores of a game: totals after each round as a table and as lines, and the sheet of each round.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type RoundEnd, RoundEndReason } from "canasta-client";
import type { Table } from "../model";
import { ownerName, Sheet, winner } from "../sheets";
import { number, t } from "../words";
import type { Step } from "./steps";

/** Measures of the chart. */
const [WIDTH, HEIGHT, EDGE] = [320, 150, 14];

export function Scores({ table, steps }: { table: Table; steps: Step[] }): JSX.Element {
  const [isExplained, explain] = useState(false);
  const rounds = steps.flatMap(({ record }) => record.roundEnd ?? []);
  const scored = rounds.filter(isScored);
  return (
    <>
      <h2>{t("panel.scores")}</h2>
      {scored.length === 0 && <p>{t("scores.none")}</p>}
      <Result table={table} steps={steps} />
      {scored.length > 1 && <Chart table={table} rounds={scored} />}
      {scored.length > 0 && <p><button type="button" id="explain-sheets" aria-pressed={isExplained} onClick={() => explain(!isExplained)}>{t("sheet.explain")}</button></p>}
      {rounds.map((round) => <Sheet table={table} round={round} isExplained={isExplained} key={round.round} />)}
    </>
  );
}

const isScored = ({ reason, scores }: RoundEnd): boolean => reason !== RoundEndReason.DRAWN && scores.length > 0;

/** Who won, and the totals after each round. */
export function Result({ table, steps }: { table: Table; steps: Step[] }): JSX.Element {
  const scored = steps.flatMap(({ record }) => record.roundEnd ?? []).filter(isScored);
  const end = steps.findLast(({ record }) => record.gameEnd)?.record.gameEnd;
  return <>{end && <p class="summary winner">{winner(table.view, end)}</p>}{scored.length > 0 && <Totals table={table} rounds={scored} />}</>;
}

const headsOf = (table: Table, rounds: RoundEnd[]): string[] => rounds[0]?.scores.map((score) => ownerName(table.view, score)) ?? [];

function Totals({ table, rounds }: { table: Table; rounds: RoundEnd[] }): JSX.Element {
  const heads = headsOf(table, rounds);
  return (
    <table class="sheet totals">
      <caption>{t("totals")}</caption>
      <thead><tr><th scope="col">{t("totals.round")}</th>{heads.map((name, at) => <th scope="col" key={at}>{name}</th>)}</tr></thead>
      <tbody>
        {rounds.map(({ round, scores }) => (
          <tr key={round}><th scope="row">{round}</th>{scores.map(({ cumulative }, at) => <td key={at}>{number(cumulative)}</td>)}</tr>
        ))}
      </tbody>
    </table>
  );
}

/** The totals as lines. The table beside has the same numbers. */
function Chart({ table, rounds }: { table: Table; rounds: RoundEnd[] }): JSX.Element {
  const lines = headsOf(table, rounds).map((_, owner) => [0, ...rounds.map(({ scores }) => scores[owner]?.cumulative ?? 0)]);
  const all = lines.flat();
  const [least, most] = [Math.min(...all), Math.max(...all, table.view.target)];
  const x = (round: number) => EDGE + (round * (WIDTH - 2 * EDGE)) / rounds.length;
  const y = (points: number) => HEIGHT - EDGE - ((points - least) * (HEIGHT - 2 * EDGE)) / Math.max(most - least, 1);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t("totals.chart")}>
        {[0, ...(table.view.target > 0 ? [table.view.target] : [])].map((points) => (
          <g key={points}><path class="rule" d={`M${EDGE} ${y(points)}H${WIDTH - EDGE}`} /><text x={EDGE} y={y(points) - 3}>{number(points)}</text></g>
        ))}
        {lines.map((points, owner) => (
          <g class={`side${owner}`} key={owner}>
            <polyline points={points.map((each, round) => `${x(round)},${y(each)}`).join(" ")} />
            {points.map((each, round) => <circle cx={x(round)} cy={y(each)} r="3" key={round} />)}
          </g>
        ))}
      </svg>
      <figcaption>{headsOf(table, rounds).map((name, owner) => <span class={`side${owner}`} key={owner}><i />{name}</span>)}</figcaption>
    </figure>
  );
}
