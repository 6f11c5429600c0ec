// Rules in their own words, and what cards are worth.

import type { Transport } from "@connectrpc/connect";
import { createClient } from "@connectrpc/connect";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { GameService, Trouble } from "canasta-client";
import { Dialog } from "./dialog";
import { language, number, rankName, t, type Word } from "./words";

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
  bonus_natural?: number;
  bonus_mixed?: number;
  bonus_wild?: number;
  bonus_sequence?: number;
  bonus_out?: number;
  bonus_concealed?: number;
  initial_bands?: { below?: number; minimum: number }[];
  three_table?: number[];
}

const BONUSES = ["bonus_natural", "bonus_mixed", "bonus_wild", "bonus_sequence", "bonus_out", "bonus_concealed"] as const;

/** Card values, bonuses and minimums, as the rule set has them. */
export function Values({ transport, ruleSet }: { transport: Transport; ruleSet: string }): JSX.Element {
  const [knobs, show] = useState<Knobs>({});
  useEffect(() => {
    const got = createClient(GameService, transport).getRuleSet({ id: ruleSet });
    got.then(({ ruleSet: found }) => show(knobsOf(found?.canonical ?? "{}")), () => undefined);
  }, [ruleSet]);
  const byPoints = new Map<number, string[]>();
  for (const [card, points] of Object.entries(knobs.card_points ?? {})) {
    const name = card === "3b" ? t("card.blackThree") : capital(rankName(card));
    byPoints.set(points, [...(byPoints.get(points) ?? []), name]);
  }
  const row = (name: string, value: string) => <tr key={name}><th scope="row">{name}</th><td>{value}</td></tr>;
  let from: number | undefined;
  const bands = (knobs.initial_bands ?? []).map(({ below, minimum }) => {
    const name = from === undefined ? (below === undefined ? t("band.all") : t("band.below", { below: number(below) })) : below === undefined ? t("band.from", { from: number(from) }) : t("band.between", { from: number(from), below: number(below) });
    from = below;
    return row(name, number(minimum));
  });
  return (
    <>
      <table class="sheet"><caption>{t("values.cards")}</caption><tbody>
        {[...byPoints].sort(([a], [b]) => b - a).map(([points, names]) => row(names.join(", "), number(points)))}
      </tbody></table>
      <table class="sheet"><caption>{t("values.bonuses")}</caption><tbody>
        {BONUSES.filter((each) => knobs[each]).map((each) => row(t(each as Word), number(knobs[each] ?? 0)))}
        {knobs.three_table && row(t("three_table"), knobs.three_table.map((each) => number(each)).join(" · "))}
      </tbody></table>
      {bands.length > 0 && <table class="sheet"><caption>{t("values.minimum")}</caption><tbody>{bands}</tbody></table>}
    </>
  );
}

function knobsOf(canonical: string): Knobs {
  const read = JSON.parse(canonical) as { knobs?: Knobs } & Knobs;
  return read.knobs ?? read;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
