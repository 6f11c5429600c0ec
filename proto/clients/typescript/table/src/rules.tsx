// Rules in their own words.

import type { Transport } from "@connectrpc/connect";
import { createClient } from "@connectrpc/connect";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { GameService, Trouble } from "canasta-client";
import { Dialog } from "./dialog";
import { language, t } from "./words";

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
