// House rules: every knob of a rule set as the service explains it, what differs, and a file to keep and send.

import type { Client } from "@connectrpc/connect";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { GameService, hex, houseRules, type Knob, KnobForm, Trouble, type Variation } from "canasta-client";
import { capital, language, number, rankName, t } from "./words";

/** What differs from a rule set: variations by their ids, and knobs, each value as JSON. */
export interface Differences {
  variations: string[];
  knobs: Record<string, string>;
}

const CARDS = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "2", "X", "3b"];
const RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2", "X", "W"];

export function HouseRules({ client, base, variations, chosen, change }: {
  client: Client<typeof GameService>; base: string; variations: Variation[]; chosen: Differences; change: (to: Differences) => void;
}): JSX.Element {
  const [knobs, list] = useState<Knob[]>([]);
  const [words, search] = useState("");
  const [isShort, shorten] = useState(false);
  const [said, say] = useState("");
  const [verdict, judge] = useState<{ digest: string; faults: string[] }>({ digest: "", faults: [] });
  const load = () => void client.listKnobs({ languageCode: language }).then(({ knobs: found }) => list(found), (error: unknown) => say(Trouble.of(error).message));
  const varied = Object.assign({}, ...variations.filter((each) => chosen.variations.includes(each.id)).map((each) => each.knobs)) as Record<string, string>;
  const own = (knob: Knob) => knob.uses.find((use) => use.ruleSets.includes(base))?.value ?? knob.defaultValue;
  const value = (knob: Knob) => chosen.knobs[knob.name] ?? varied[knob.name] ?? own(knob);
  const set = (knob: Knob, to: string) => {
    const { [knob.name]: _, ...others } = chosen.knobs;
    change({ ...chosen, knobs: to === own(knob) ? others : { ...others, [knob.name]: to } });
  };
  useEffect(() => {
    if (knobs.length === 0) return;
    const timer = setTimeout(() => {
      client.getRuleSet({ id: base, houseRules: houseRules(chosen.variations, chosen.knobs) }).then(({ ruleSet, rejected }) => judge({
        digest: hex(ruleSet?.summary?.digest ?? new Uint8Array()),
        faults: (rejected?.violations ?? []).map((each) => why(knobs, `${each.facts["detail"]?.value.value ?? ""}`, each.message)),
      }), (error: unknown) => judge({ digest: "", faults: [Trouble.of(error).message] }));
    }, 300);
    return () => clearTimeout(timer);
  }, [knobs, JSON.stringify(chosen)]);
  const open = async (file: File) => {
    const read = fromToml(await file.text());
    say(read && read.base === base ? "" : t("house.unread", { base }));
    if (read?.base === base) change(read);
  };
  const differing = Object.keys({ ...varied, ...chosen.knobs });
  const isFound = (knob: Knob) => `${knob.name} ${knob.meaning} ${knob.words.map((each) => each.meaning).join(" ")}`.toLowerCase().includes(words.trim().toLowerCase());
  const shown = knobs.filter((knob) => isFound(knob) && (!isShort || differing.includes(knob.name)));
  const groups = [...new Set(shown.map((knob) => knob.group))];
  return (
    <details class="house" onToggle={(event) => event.currentTarget.open && knobs.length === 0 && load()}>
      <summary>{t("house")}{differing.length > 0 && ` (${number(differing.length)})`}</summary>
      <p class="note">{t("house.note")}</p>
      <div class="tools">
        <input type="search" id="house-search" aria-label={t("house.search")} placeholder={t("house.search")} value={words} onInput={(event) => search(event.currentTarget.value)} />
        <label class="check"><input type="checkbox" id="house-differs" checked={isShort} onChange={() => shorten(!isShort)} /><span>{t("house.differs")}</span></label>
      </div>
      <div class="knobs">
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            {shown.filter((knob) => knob.group === group).map((knob) => (
              <div class={differing.includes(knob.name) ? "knob differs" : "knob"} key={knob.name} data-knob={knob.name}>
                <p id={`knob-${knob.name}`}>{knob.meaning} <small lang="en">{knob.name} · {knob.ruleIds.join(" ")}</small></p>
                <Control knob={knob} value={value(knob)} isFixed={knob.name in varied} set={(to) => set(knob, to)} />
                {differing.includes(knob.name) && <p class="note">{t("house.was", { value: inWords(knob, own(knob)) })}{!(knob.name in varied) && <> <button type="button" onClick={() => set(knob, own(knob))}>{t("house.reset")}</button></>}</p>}
              </div>
            ))}
          </section>
        ))}
        {knobs.length > 0 && shown.length === 0 && <p class="note">{t("house.none")}</p>}
      </div>
      <div role="status" id="house-verdict">
        {verdict.faults.map((fault) => <p class="fault" key={fault}>{fault}</p>)}
        {verdict.digest && <p class="note">{t("house.digest", { digest: verdict.digest.slice(0, 16) })}</p>}
        {said && <p class="fault">{said}</p>}
      </div>
      <p class="buttons">
        <a class="button" id="house-save" download={`${base}-house.toml`} href={`data:application/toml;charset=utf-8,${encodeURIComponent(toToml(base, chosen))}`}>{t("house.save")}</a>
        <label class="file">{t("house.open")}<input type="file" id="house-open" accept=".toml" onChange={(event) => event.currentTarget.files?.[0] && void open(event.currentTarget.files[0])} /></label>
      </p>
    </details>
  );
}

/** Returns what a contradiction is about, as the catalogue of knobs has it; else the service's own words. */
function why(knobs: Knob[], detail: string, message: string): string {
  const named = knobs.flatMap((knob) => knob.conflicts).filter((each) => each.detail === detail && each.knobs.every((knob) => message.includes(knob)));
  return named[0] ? `${named[0].why} (${named[0].knobs.join(", ")})` : message;
}

/** Returns a value as people read it. */
function inWords(knob: Knob, value: string): string {
  const word = (text: string) => knob.words.find((each) => each.value === text)?.meaning.replace(/\.$/, "");
  if (knob.form === KnobForm.SWITCH) return t(value === "true" ? "yes" : "no");
  if (knob.form === KnobForm.WORDS) return (JSON.parse(value) as string[]).map((each) => word(JSON.stringify(each)) ?? each).join(", ") || "–";
  return word(value) ?? value.replaceAll('"', "");
}

function Control({ knob, value, isFixed, set }: { knob: Knob; value: string; isFixed: boolean; set: (to: string) => void }): JSX.Element {
  const labelled = { "aria-labelledby": `knob-${knob.name}`, disabled: isFixed };
  const limits = { type: "number" as const, min: knob.minimum, max: knob.maximum, step: knob.step };
  const whole = (text: string) => /^-?\d{1,7}$/.test(text);
  switch (knob.form) {
    case KnobForm.SWITCH:
      return <label class="check"><input type="checkbox" {...labelled} checked={value === "true"} onChange={() => set(value === "true" ? "false" : "true")} /><span>{t(value === "true" ? "yes" : "no")}</span></label>;
    case KnobForm.WORD:
      return <select {...labelled} value={value} onChange={(event) => set(event.currentTarget.value)}>{knob.words.map((each) => <option key={each.value} value={each.value}>{each.meaning}</option>)}</select>;
    case KnobForm.WORDS: {
      const held = JSON.parse(value) as string[];
      const toggled = (word: string) => JSON.stringify(knob.words.map((each) => JSON.parse(each.value) as string).filter((each) => held.includes(each) !== (each === word)));
      return <div role="group" {...{ "aria-labelledby": labelled["aria-labelledby"] }} class="row">{knob.words.map((each) => {
        const word = JSON.parse(each.value) as string;
        return <label class="check" key={word}><input type="checkbox" disabled={isFixed} checked={held.includes(word)} onChange={() => set(toggled(word))} /><span>{each.meaning || capital(rankName(word))}</span></label>;
      })}</div>;
    }
    case KnobForm.NUMBER:
      return <Field {...limits} {...labelled} text={value} set={(typed) => whole(typed) && set(`${Number(typed)}`)} />;
    case KnobForm.BY_RANK:
    case KnobForm.CARD_POINTS: {
      const held = JSON.parse(value) as Record<string, number | string>;
      const ranks = knob.form === KnobForm.BY_RANK ? RANKS : CARDS;
      // Written by hand: objects would put digits first, and a knob's ranks have one order.
      const put = (rank: string, to: number | string | undefined) => {
        const entries = ranks.map((each) => [each, each === rank ? to : held[each]] as const).filter(([, each]) => each !== undefined);
        set(`{${entries.map(([each, value]) => `"${each}":${JSON.stringify(value)}`).join(",")}}`);
      };
      const name = (rank: string) => (rank === "3b" ? t("card.blackThree") : rank === "W" ? t("meld.wild") : capital(rankName(rank)));
      return <div role="group" aria-labelledby={`knob-${knob.name}`} class="ranks">{ranks.map((rank) => (
        <label key={rank}><span>{name(rank)}</span>
          {knob.words.length > 0
            ? <select disabled={isFixed} value={held[rank] === undefined ? "" : JSON.stringify(held[rank])} onChange={(event) => put(rank, event.currentTarget.value === "" ? undefined : JSON.parse(event.currentTarget.value) as string)}>
              <option value="">–</option>{knob.words.map((each) => <option key={each.value} value={each.value}>{each.meaning}</option>)}</select>
            : <Field {...limits} disabled={isFixed} text={`${held[rank] ?? ""}`} set={(typed) => put(rank, whole(typed) ? Number(typed) : knob.form === KnobForm.CARD_POINTS ? held[rank] : undefined)} />}
        </label>
      ))}</div>;
    }
    default:
      return <Typed knob={knob} value={value} isFixed={isFixed} set={set} />;
  }
}

/** A field that is set when it is left. Until then its text is the typist's: an answer that arrives meanwhile does not overwrite it. */
function Field({ text, set, ...attributes }: { text: string; set: (typed: string) => void } & JSX.IntrinsicElements["input"]): JSX.Element {
  const [typed, type] = useState<string>();
  const leave = (value: string) => {
    type(undefined);
    set(value);
  };
  return <input {...attributes} value={typed ?? text} onInput={(event) => type(event.currentTarget.value)} onChange={(event) => leave(event.currentTarget.value)} onBlur={() => type(undefined)} />;
}

/** Lists of numbers, and minimums by score: `0: 15, 1500: 50, 120` is 15 below 0, 50 below 1,500, and 120 above. */
function Typed({ knob, value, isFixed, set }: { knob: Knob; value: string; isFixed: boolean; set: (to: string) => void }): JSX.Element {
  const held = JSON.parse(value) as (number | { below?: number; minimum: number })[];
  const text = held.map((each) => (typeof each === "number" ? `${each}` : each.below === undefined ? `${each.minimum}` : `${each.below}: ${each.minimum}`)).join(", ");
  const isByScore = knob.form === KnobForm.BANDS;
  const put = (typed: string) => {
    const parts = typed.split(",").map((each) => each.split(":").map((part) => part.trim())).filter(([first]) => first !== "");
    if (!parts.flat().every((part) => /^-?\d{1,7}$/.test(part))) return;
    const byScore = isByScore && (parts.some((part) => part.length > 1) || parts.length === 1);
    set(JSON.stringify(parts.map(([first, second]) => (byScore ? (second === undefined ? { minimum: Number(first) } : { below: Number(first), minimum: Number(second) }) : Number(first)))));
  };
  return (
    <>
      <Field aria-labelledby={`knob-${knob.name}`} disabled={isFixed} text={text} set={put} />
      <p class="note">{t(isByScore ? "house.bands" : "house.numbers")}</p>
    </>
  );
}

/** Returns a file of house rules, as `canasta-replay rules validate` reads it. */
export function toToml(base: string, { variations, knobs }: Differences): string {
  const table = (value: string) => value.replace(/"([\w]+)":/g, '"$1" = ');
  const lines = Object.entries(knobs).map(([name, value]) => `${name} = ${table(value)}`);
  return [`base = "${base}"`, ...(variations.length > 0 ? [`variations = ${JSON.stringify(variations)}`] : []), "", "[knobs]", ...lines, ""].join("\n");
}

/** Reads a file of house rules with one line a value, as `toToml` writes it; undefined if it is none. */
export function fromToml(text: string): (Differences & { base: string }) | undefined {
  const found: Differences & { base: string } = { base: "", variations: [], knobs: {} };
  let isInKnobs = false;
  try {
    for (const line of text.slice(0, 20_000).split(/\r?\n/).map((each) => each.replace(/\s+#[^"]*$/, "").trim())) {
      const [, name, typed] = /^(\w+)\s*=\s*(.*)$/.exec(line) ?? [];
      if (line === "[knobs]") isInKnobs = true;
      else if (line === "" || line.startsWith("#") || name === "name") continue;
      else if (name === undefined || typed === undefined) return undefined;
      else {
        const text = typed.replace(/([{,]\s*)"?(\w+)"?\s*=\s*/g, '$1"$2":');
        const value: unknown = JSON.parse(text);
        // No word has a blank.
        if (isInKnobs) found.knobs[name] = text.replace(/\s/g, "");
        else if (name === "base") found.base = `${value as string}`;
        else if (name === "variations") found.variations = value as string[];
        else return undefined;
      }
    }
  } catch {
    return undefined;
  }
  return found.base === "" ? undefined : found;
}
