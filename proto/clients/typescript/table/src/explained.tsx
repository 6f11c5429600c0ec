// How a game goes: its rules in sentences, each with its rules, to read and to print; and what the sides have on the table.

import type { Client } from "@connectrpc/connect";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ExplanationSection, GameService, type SideView, Trouble, type View } from "canasta-client";
import { Dialog } from "./dialog";
import { language, number, t, type Word } from "./words";

type Ask = (ruleIds: string[], title: string) => void;

/** The sentences about the game of a rule set. `canonical`: gets all its knobs, or nothing for those of the preset. */
export function Explained({ client, id, canonical, ask }: {
  client: Client<typeof GameService>; id: string; canonical: () => Promise<string | undefined>; ask?: Ask;
}): JSX.Element {
  const [sections, show] = useState<ExplanationSection[]>([]);
  const [trouble, tell] = useState("");
  useEffect(() => {
    const get = async () => (await client.explainRuleSet({ id, canonical: (await canonical()) ?? "", languageCode: language })).sections;
    get().then(show, (error: unknown) => tell(Trouble.of(error).message));
  }, []);
  if (sections.length === 0) return <p role="status">{trouble || t("loading")}</p>;
  return (
    <div class="explained">
      <p><button type="button" id="print-rules" onClick={() => window.print()}>{t("print")}</button></p>
      {sections.map((section) => (
        <section key={section.name} aria-label={section.title}>
          <h3>{section.title}</h3>
          <ul>{section.sentences.map(({ text, ruleIds }) => <li key={text}>{text} <Ids ids={ruleIds} title={text} ask={ask} /></li>)}</ul>
        </section>
      ))}
    </div>
  );
}

/** Ids of rules, which open the rules where there is a place for them. */
export function Ids({ ids, title, ask }: { ids: string[]; title: string; ask: Ask | undefined }): JSX.Element {
  const text = ids.join(" ");
  if (!ask) return <small lang="en">{text}</small>;
  return <button type="button" class="link" data-rules={text} aria-label={t("meaning.of", { ids: text })} onClick={() => ask(ids, title.replace(/\.$/, ""))}>{text}</button>;
}

/** A button that opens the sentences about a game in a dialog of their own. */
export function HowItGoes(props: { client: Client<typeof GameService>; id: string; canonical: () => Promise<string | undefined> }): JSX.Element {
  const [isOpen, open] = useState(false);
  return (
    <>
      <button type="button" id="how-it-goes" onClick={() => open(true)}>{t("panel.values")}</button>
      {isOpen && <Dialog id="explained" title={t("panel.values")} kind="panel" close={() => open(false)}><Explained {...props} /></Dialog>}
    </>
  );
}

/** What a side has on the table so far, and what its melds lack for going out: one line. */
export function Worth({ view, side, seat }: { view: View; side: SideView; seat: number | undefined }): JSX.Element | null {
  const holder = seat ?? view.seats.find((each) => each.side === side.side)?.seat;
  const found = view.onTable.find(({ owner }) => owner.value === (owner.case === "seat" ? holder : side.side));
  if (!found || (!side.opened && found.lines.length === 0)) return null;
  const lines = found.lines.map((line) => `${t(`item.${line.item}` as Word)} ${number(line.points)}`).join(" ");
  const needs = !side.opened ? "" : side.needs.map(({ code, missing, rank }) => t(`need.${code}` as Word, { missing, rank: rank && t(`ranks.${rank}` as Word) })).join(", ");
  return (
    <>
      <span class="tag worth" title={lines}>{t("onTable", { points: number(found.total) })}</span>
      {needs && <span class="needs">{t("need", { needs })}</span>}
    </>
  );
}
