// What went wrong at the table, in anybody's words, and the laws that decide it.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type RuleMatch, Trouble } from "canasta-client";
import { capital, t } from "../words";
import { RuleText } from "./rule_text";
import type { Source } from "./source";

/** Maximum number of rules and codes beside the laws. */
const RULES = 5;

export function Ask({ source }: { source: Source }): JSX.Element {
  const [words, say] = useState("");
  const [found, show] = useState<RuleMatch[] | string | undefined>();
  const ask = (event: Event) => {
    event.preventDefault();
    source.find?.(words).then(
      ({ entry }) => show(entry.case === "matches" ? entry.value.matches : []),
      (error: unknown) => show(Trouble.of(error).message),
    );
  };
  return (
    <section id="ask" aria-labelledby="ask-title">
      <h3 id="ask-title">{t("ask")}</h3>
      <form onSubmit={ask}>
        <input value={words} maxLength={120} aria-label={t("ask.what")} placeholder={t("ask.example")} onInput={(event) => say(event.currentTarget.value)} />
        <button type="submit">{t("ask.find")}</button>
      </form>
      {typeof found === "string" && <p role="alert">{t("trouble.other", { message: found })}</p>}
      {Array.isArray(found) && <Found matches={found} source={source} />}
    </section>
  );
}

function Found({ matches, source }: { matches: RuleMatch[]; source: Source }): JSX.Element {
  const irregular = matches.filter(({ found }) => found.case === "irregularity");
  const rules = matches.flatMap(({ found }) => (found.case === "ruleId" ? [found.value] : [])).slice(0, RULES);
  return (
    <div role="status">
      <p>{t(irregular.length === 0 ? "ask.nothing" : irregular.length === 1 ? "ask.one" : "ask.few")}</p>
      {irregular.length > 0 && <ul class="laws">{irregular.map(({ text, laws, found }) => (
        <li key={found.value}><strong>{capital(text)}</strong>{[...new Set(laws)].map((id) => <RuleText id={id} source={source} key={id} />)}</li>
      ))}</ul>}
      {irregular.length === 0 && rules.map((id) => <RuleText id={id} source={source} key={id} />)}
    </div>
  );
}
