// The choice of the page's language.

import type { JSX } from "preact";
import { choose, language, LANGUAGES, t } from "./words";

export function Languages(): JSX.Element {
  return (
    <label>{t("language")} <select id="language" value={language} onChange={(event) => choose(event.currentTarget.value)}>
      {Object.entries(LANGUAGES).map(([id, name]) => <option value={id} key={id}>{name}</option>)}
    </select></label>
  );
}
