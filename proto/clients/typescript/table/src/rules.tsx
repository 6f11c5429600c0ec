// Rules in their own words, and what cards are worth.

import type { Transport } from "@connectrpc/connect";
import { createClient } from "@connectrpc/connect";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { GameService, type TableGame, Trouble } from "canasta-client";
import { Dialog } from "./dialog";
import { capital, language, number, rankName, t, type Word } from "./words";

/** The rules behind a sentence. Their texts are English; the sentence is their summary in the language of the page. */
export function Rules({ transport, ids, title, close }: { transport: Transport; ids: string[]; title: string; close: () => void }): JSX.Element {
  const [texts, show] = useState<Record<string, string>>({});
  useEffect(() => {
    const client = createClient(GameService, transport);
    const get = async (id: string) => {
      const { entry } = await client.getRule({ key: { case: "ruleId", value: id } });
      return [id, entry.case === "rule" ? entry.value.text : ""];
    };
    Promise.all(ids.map(get)).then((found) => show(Object.fromEntries(found)), (error: unknown) => show({ "": Trouble.of(error).message }));
  }, []);
  return (
    <Dialog id="rules" title={t("rules")} close={close}>
      <p class="summary">{title}.</p>
      {language !== "en" && <p class="note">{t("rules.english")}</p>}
      <dl lang="en">{Object.entries(texts).map(([id, text]) => [<dt key={id}>{id}</dt>, <dd key={`${id}.`}>{text}</dd>])}</dl>
    </Dialog>
  );
}

/** The knobs of a rule set that a player wants at hand. */
interface Knobs {
  card_points?: Record<string, number>;
  bonus_rank?: Record<string, number>;
  /** By score, or a number per round. */
  initial_bands?: ({ below?: number; minimum: number } | number)[];
  three_table?: number[];
  rounds?: number;
}

const BONUSES = [
  "bonus_natural", "bonus_mixed", "bonus_wild", "bonus_wild_twos", "bonus_wild_jokers", "bonus_sequence", "bonus_out",
  "bonus_concealed", "cut_bonus", "foot_cut_bonus",
] as const;

/** Card values, bonuses and minimums of a game, house rules included. */
export function Values({ game, fail }: { game: TableGame; fail: (error: unknown) => void }): JSX.Element {
  const [knobs, show] = useState<Knobs & Partial<Record<(typeof BONUSES)[number], number>>>();
  useEffect(() => {
    game.ruleSet().then((canonical) => show(JSON.parse(canonical ?? "{}") as Knobs), fail);
  }, [game]);
  if (!knobs) return <p role="status">{t("loading")}</p>;
  const byPoints = new Map<number, string[]>();
  for (const [card, points] of Object.entries(knobs.card_points ?? {})) {
    const name = card === "3b" ? t("card.blackThree") : capital(rankName(card));
    byPoints.set(points, [...(byPoints.get(points) ?? []), name]);
  }
  const row = (name: string, value: string) => <tr key={name}><th scope="row">{name}</th><td>{value}</td></tr>;
  return (
    <>
      <table class="sheet"><caption>{t("values.cards")}</caption><tbody>
        {[...byPoints].sort(([a], [b]) => b - a).map(([points, names]) => row(names.join(", "), number(points)))}
      </tbody></table>
      <table class="sheet"><caption>{t("values.bonuses")}</caption><tbody>
        {BONUSES.filter((each) => knobs[each]).map((each) => row(t(each), number(knobs[each] ?? 0)))}
        {Object.entries(knobs.bonus_rank ?? {}).map(([rank, points]) => row(t("bonus_rank", { rank: t(`ranks.${rank}` as Word) }), number(points)))}
        {knobs.three_table && row(t("three_table"), knobs.three_table.map((each) => number(each)).join(" · "))}
      </tbody></table>
      <table class="sheet"><caption>{t("values.minimum")}</caption><tbody>{bandsOf(knobs).map(([name, minimum]) => row(name, number(minimum)))}</tbody></table>
    </>
  );
}

/** Returns the minimums of the initial meld, each with the scores or the rounds that it is for. */
function bandsOf({ initial_bands: bands = [], rounds = 0 }: Knobs): [string, number][] {
  let from: number | undefined;
  const isByRound = typeof bands[0] === "number";
  return bands.slice(0, isByRound && rounds > 0 ? rounds : undefined).map((band, at) => {
    const isLast = at + 1 === bands.length && rounds !== bands.length;
    if (typeof band === "number") return [t(isLast ? "band.rounds" : "round", { round: at + 1 }), band];
    const { below, minimum } = band;
    const facts = { from: number(from ?? 0), below: number(below ?? 0) };
    const word = from === undefined ? (below === undefined ? "band.all" : "band.below") : below === undefined ? "band.from" : "band.between";
    from = below;
    return [t(word, facts), minimum];
  });
}
