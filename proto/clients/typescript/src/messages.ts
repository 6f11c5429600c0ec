// Renders the wordings of GetCatalogue. Messages and wordings are JSON with the proto's names of fields:
//   toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true })
// docs/play/MESSAGES.md says what templates and facts are.

type Fact = { name: string; type: string; path?: string; optional?: boolean };
export type Wording = { kind: string; name: string; template: string; facts?: Fact[] };

const NOUNS: Record<string, string> = { FACT_TYPE_SEAT: "seat", FACT_TYPE_SEATS: "seat", FACT_TYPE_SIDE: "side", FACT_TYPE_MELD: "meld" };

/** An application's own way to write a value: its players' names, its pictures of cards. Undefined: as usual. */
export type Writer = (type: string, value: unknown) => string | undefined;
/** Returns what says a message: the kind and the name of its wording, and the message itself. Nothing if no wording is known. */
export function speaker(wordings: Wording[], own: Writer = () => undefined) {
  const known = new Map(wordings.map((wording) => [`${wording.kind} ${wording.name}`, wording]));
  return function say(kind: string, name: string, message: unknown): string {
    // Generated code spells `took_pile` as `tookPile`.
    const wording = known.get(`${kind} ${name}`) ?? known.get(`${kind} ${name.replace(/[A-Z]/g, (big) => `_${big.toLowerCase()}`)}`);
    if (!wording) return "";
    const facts: Record<string, string> = {};
    for (const fact of wording.facts ?? []) {
      const found = at(message, fact.path).filter((value) => value !== "");
      if (fact.optional && (!found.length || found.includes("??"))) continue;
      const isLength = fact.type === "FACT_TYPE_NUMBER" && typeof found[0] !== "number";
      const noun = kind === "WORDING_KIND_VALUE" ? undefined : NOUNS[fact.type];
      const write = (value: unknown) =>
        own(fact.type, value) ?? ((noun && say("WORDING_KIND_VALUE", noun, value)) || String(value));
      facts[fact.name] = isLength ? String(found.length)
        : found.map(write).join(fact.type === "FACT_TYPE_SEATS" ? ", " : " ");
    }
    return render(wording.template ?? "", facts);
  };
}

function at(message: unknown, path = ""): unknown[] {
  const steps = path ? path.split(".") : [];
  return steps.reduce((found, step) => found.flatMap((value) => (value as never)?.[step] ?? []), [message]);
}

/** Renders a template. A fact that is absent has the word `none`; of a form that is not known only the fact is said. */
export function render(template: string, facts: Record<string, string>): string {
  const open = template.indexOf("{");
  if (open < 0) return template;
  const close = partner(template, open);
  const [, name = "", choice, arms = ""] = /^\s*(\w*)(?:, (plural|select), (.*))?/s.exec(template.slice(open + 1, close))!;
  const text = facts[name] ?? "none";
  const holds = (key: string) => key === "other" || (choice === "select" ? key === text
    : key === `=${text}` || (key === "one" && Math.abs(Number(text)) === 1));
  let said = choice ? "" : text;
  for (let from = 0; choice && from < arms.length; ) {
    const start = arms.indexOf("{", from), end = partner(arms, start);
    if (start < 0) break;
    if (holds(arms.slice(from, start).trim())) { said = render(arms.slice(start + 1, end), facts); break; }
    from = end + 1;
  }
  return template.slice(0, open) + said + render(template.slice(close + 1), facts);
}

function partner(text: string, open: number): number {
  for (let place = open, depth = 0; place < text.length; place++) {
    depth += text[place] === "{" ? 1 : text[place] === "}" ? -1 : 0;
    if (depth === 0) return place;
  }
  return text.length;
}
