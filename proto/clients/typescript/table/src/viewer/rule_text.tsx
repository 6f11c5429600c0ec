// The id of a rule; its text, where it is wanted.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Trouble } from "canasta-client";
import { language, t } from "../words";
import type { Source } from "./source";

export function RuleText({ id, source }: { id: string; source: Source }): JSX.Element {
  const [text, show] = useState<string | undefined>();
  const read = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) => {
    if (!currentTarget.open || text !== undefined) return;
    source.rule?.(id).then(({ entry }) => show(entry.case === "rule" ? entry.value.text : ""), (error: unknown) => show(Trouble.of(error).message));
  };
  // The rules of play are in English alone.
  const isEnglish = language === "en" || !id.startsWith("IR-");
  return (
    <details class="rule" data-rule={id} onToggle={read}>
      <summary>{id}</summary>
      {language !== "en" && isEnglish && <p class="note">{t("rules.english")}</p>}
      <p lang={isEnglish ? "en" : language}>{text ?? t("loading")}</p>
    </details>
  );
}
