// The first page: games to go on with, and the form for a new one.

import type { Client } from "@connectrpc/connect";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type GameService, type Kept, type RuleSetSummary, TakeBacks, type Variation } from "canasta-client";
import { type Differences, HouseRules } from "./house";
import { keptGames, keptRooms, set, setting } from "./keeper";
import { about, number, shownName, t } from "./words";

/** The content of the form. */
export interface Choice extends Differences {
  ruleSet: string;
  players: string[];
  seat: number;
  bots: number[];
  takeBacks: TakeBacks;
  clock: number;
  dealer?: number;
  word: string;
}

/** Time limits that the form offers: turn, bank and increment in seconds. */
export const CLOCKS: { turn?: number; bank?: number; increment?: number }[] = [{}, { turn: 60 }, { turn: 120 }, { bank: 900, increment: 15 }];
/** Lengths that the form offers, in rounds; 0 is the whole game. */
const LENGTHS = [0, 1, 2, 3];
const BOTS = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"];

export function Home({ client, sets, hasRooms, begin, resume, load }: {
  client: Client<typeof GameService>; sets: RuleSetSummary[]; hasRooms: boolean;
  begin: (choice: Choice) => Promise<void>; resume: (kept: Kept) => void; load: (file: File) => void;
}): JSX.Element {
  const [seats, filter] = useState(0);
  const [chosen, choose] = useState<RuleSetSummary | undefined>();
  const form = useRef<HTMLDivElement>(null);
  const pick = (each: RuleSetSummary) => {
    choose(each);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("h2")?.focus());
  };
  const counts = [...new Set(sets.map((each) => each.seats))].sort();
  return (
    <main id="home">
      <Hero hasRooms={hasRooms} />
      <Going resume={resume} />
      <section aria-labelledby="choose" class={chosen ? "choosing chosen" : "choosing"}>
        <div class="head">
          <h2 id="choose">{t("choose")}</h2>
          <p class="filter" role="group" aria-label={t("filter")}>
            {[0, ...counts].map((each) => (
              <button type="button" key={each} aria-pressed={seats === each} onClick={() => filter(each)}>{each === 0 ? t("filter.all") : t("players", { players: each })}</button>
            ))}
          </p>
        </div>
        <ul class="sets">
          {sets.filter((each) => seats === 0 || each.seats === seats).map((each) => (
            <li key={each.id}>
              <button type="button" class="set" data-set={each.id} aria-pressed={chosen?.id === each.id} onClick={() => pick(each)}>
                <b>{each.title}</b>
                <span class="text">{about(each.id, each.description)}</span>
                <span class="facts">
                  <span>{t("players", { players: each.seats })}</span><span>{t("packs", { packs: each.packs })}</span>
                  <span>{each.target > 0 ? t("target", { points: number(each.target) }) : t("rounds", { rounds: each.rounds })}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
        <div ref={form}>{chosen && <Form client={client} summary={chosen} hasRooms={hasRooms} begin={begin} key={chosen.id} back={() => choose(undefined)} />}</div>
      </section>
      {(!hasRooms || keptRooms().length > 0) && <section class="load" aria-labelledby="load-title">
        <h2 id="load-title">{t("load")}</h2>
        <p class="note">{t("load.note")}</p>
        <label class="file">{t("load.choose")}<input type="file" accept=".clog" id="load" onChange={(event) => event.currentTarget.files?.[0] && load(event.currentTarget.files[0])} /></label>
      </section>}
    </main>
  );
}

function Hero({ hasRooms }: { hasRooms: boolean }): JSX.Element {
  return (
    <div class="hero">
      <div class="spread" aria-hidden="true">
        {["c51", "c11", "c25", "c52", "c39"].map((each) => <svg class="face" viewBox="0 0 62 88" key={each}><use href={`#${each}`} /></svg>)}
      </div>
      <h1>Canasta</h1>
      <p>{t(hasRooms ? "hero.rooms" : "hero.alone")}</p>
    </div>
  );
}

/** Games that this browser can go on with. */
function Going({ resume }: { resume: (kept: Kept) => void }): JSX.Element | null {
  const [games, rooms] = [keptGames(), keptRooms()];
  if (games.length + rooms.length === 0) return null;
  return (
    <section aria-labelledby="kept-title" id="kept">
      <h2 id="kept-title">{t("kept")}</h2>
      <ul class="list">
        {rooms.map((room) => (
          <li key={room.id}><a class="button" href={`#t=${room.token}`}><b>{room.title}</b> <span class="note">{room.players.map(shownName).join(", ")} · {new Date(room.at).toLocaleString(document.documentElement.lang)}</span></a></li>
        ))}
        {games.map((game) => (
          <li key={game.id}><button type="button" onClick={() => resume(game)}><b>{game.title}</b> <span class="note">{game.end === undefined ? t("round", { round: game.round }) : t("gameOver")} · {new Date(game.at).toLocaleString(document.documentElement.lang)}</span></button></li>
        ))}
      </ul>
    </section>
  );
}

function Form({ client, summary, hasRooms, begin, back }: {
  client: Client<typeof GameService>; summary: RuleSetSummary; hasRooms: boolean; begin: (choice: Choice) => Promise<void>; back: () => void;
}): JSX.Element {
  const [variations, offer] = useState<Variation[]>([]);
  const [house, differ] = useState<Differences>({ variations: [], knobs: {} });
  const [isBusy, busy] = useState(false);
  const [seat, sit] = useState(0);
  const [names, name] = useState<string[]>([setting("name") ?? ""]);
  const [bots, let_] = useState<number[]>(hasRooms ? [] : [1, 2, 3, 4, 5]);
  const [takeBacks, take] = useState(TakeBacks.AGREED);
  const [clock, time] = useState(0);
  const [rounds, play] = useState(0);
  const [word, say] = useState("");
  useEffect(() => {
    void client.getRuleSet({ id: summary.id }).then(({ ruleSet }) => offer(ruleSet?.variations ?? []));
  }, []);
  const picked = house.variations;
  const pick = (ids: string[]) => differ({ ...house, variations: ids });
  // House rules may be for another number of players.
  const differing = (knob: string) => house.knobs[knob] ?? variations.find((each) => picked.includes(each.id) && each.knobs[knob])?.knobs[knob];
  const seats = Math.min(6, Math.max(2, Number(differing("seats") ?? summary.seats)));
  const hasLength = differing("rounds") === undefined;
  const all = Array.from({ length: seats }, (_, at) => at);
  const isBot = (at: number) => at !== seat && bots.includes(at);
  const named = (at: number) => names[at]?.trim() || (isBot(at) ? BOTS[at] : undefined) || `Player ${at + 1}`;
  const submit = async (event: Event) => {
    event.preventDefault();
    // A second press would deal a second game.
    if (isBusy) return;
    busy(true);
    if (names[seat]?.trim()) set("name", names[seat].trim());
    const drawn = word.trim() === "" ? Math.floor(Math.random() * seats) : 0;
    const choice = {
      ruleSet: summary.id, variations: picked, knobs: { ...house.knobs, ...(rounds > 0 && hasLength ? { rounds: `${rounds}` } : {}) }, players: all.map(named), seat, bots: all.filter(isBot), takeBacks, clock,
      word: word.trim(), ...(summary.dealerRequired ? { dealer: drawn } : {}),
    };
    await begin(choice).finally(() => busy(false));
  };
  return (
    <form id="setup" onSubmit={(event) => void submit(event)} aria-labelledby="setup-title">
      <h2 id="setup-title" tabIndex={-1}>{summary.title}</h2>
      <p class="note">{about(summary.id, summary.description)}</p>
      <div class="columns">
        <div>
          <fieldset>
            <legend>{t("seats")}</legend>
            {all.map((at) => (
              <div class="place" key={at}>
                <label class="radio"><input type="radio" name="seat" checked={seat === at} onChange={() => sit(at)} /><span>{t("me")}</span></label>
                <input class="name" aria-label={t("name.of", { number: at + 1 })} maxLength={32} placeholder={shownName(named(at))} value={names[at] ?? ""}
                  onInput={(event) => name(Object.assign([...names], { [at]: event.currentTarget.value }))} />
                {hasRooms && at !== seat && (
                  <label class="check"><input type="checkbox" checked={bots.includes(at)} onChange={() => let_(bots.includes(at) ? bots.filter((each) => each !== at) : [...bots, at])} /><span>{t("bot")}</span></label>
                )}
              </div>
            ))}
          </fieldset>
          {variations.length > 0 && (
            <details><summary>{t("variations")}</summary><div class="variations">
              {variations.map((each) => (
                <label class="check" key={each.id}>
                  <input type="checkbox" checked={picked.includes(each.id)} onChange={() => pick(picked.includes(each.id) ? picked.filter((id) => id !== each.id) : [...picked, each.id])} />
                  <span><b lang="en">{each.title}</b> <small lang="en">{each.description} ({each.id})</small></span>
                </label>
              ))}
            </div></details>
          )}
          <HouseRules client={client} base={summary.id} variations={variations} chosen={house} change={differ} />
        </div>
        <div>
          {hasLength && (
            <label>{t("length")}<select id="length" value={rounds} onChange={(event) => play(Number(event.currentTarget.value))}>
              {LENGTHS.filter((each) => summary.rounds === 0 || each < summary.rounds).map((each) => (
                <option value={each} key={each}>{each > 0 ? t("rounds", { rounds: each }) : t("length.whole")}</option>
              ))}
            </select></label>
          )}
          {hasRooms
            ? <>
              <label>{t("clock.choose")}<select id="clock" value={clock} onChange={(event) => time(Number(event.currentTarget.value))}>
                {CLOCKS.map((each, at) => <option value={at} key={at}>{each.turn ? t("clock.turn", { seconds: each.turn }) : each.bank ? t("clock.bank", { minutes: each.bank / 60, seconds: each.increment ?? 0 }) : t("clock.none")}</option>)}
              </select></label>
              <label>{t("takeBacks")}<select id="take-backs" value={takeBacks} onChange={(event) => take(Number(event.currentTarget.value))}>
                {[TakeBacks.AGREED, TakeBacks.UNSEEN, TakeBacks.NEVER].map((each) => <option value={each} key={each}>{t(`takeBacks.${each}` as "takeBacks.1")}</option>)}
              </select></label>
            </>
            : <label>{t("word")}<input id="word" maxLength={64} autocomplete="off" value={word} onInput={(event) => say(event.currentTarget.value)} aria-describedby="word-note" /><small id="word-note" class="note">{t("word.note")}</small></label>}
        </div>
      </div>
      <p class="buttons">
        <button id="begin" class="primary" disabled={isBusy}>{t(hasRooms && all.some((at) => at !== seat && !isBot(at)) ? "begin.room" : "begin.alone")}</button>
        <button type="button" onClick={back}>{t("back")}</button>
      </p>
    </form>
  );
}
