// The first page: games to go on with, and the form for a new one.

import type { Client } from "@connectrpc/connect";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type GameService, houseRules, type RuleSetSummary, TakeBacks, type Variation } from "canasta-client";
import { HowItGoes } from "./explained";
import { type Differences, HouseRules } from "./house";
import { type KeptGame, keptGames, keptRooms, level, set, setting } from "./keeper";
import { about, number, shownName, t, type Word } from "./words";

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
  /** Whether friends come: the room is theirs, and bots sit where nobody does. */
  withFriends?: boolean;
}

/** Time limits that the form offers: turn, bank and increment in seconds. */
export const CLOCKS: { turn?: number; bank?: number; increment?: number }[] = [{}, { turn: 60 }, { turn: 120 }, { bank: 900, increment: 15 }];
/** Lengths that the form offers, in rounds; 0 is the whole game. */
const LENGTHS = [0, 1, 2, 3];
const BOTS = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"];

/** Number of rooms, and of games, to go on with that are shown: the latest. */
const MOST_KEPT = 3;

/** The games that are offered first, unless others were played last. */
const FIRST = ["classic-4p", "american-4p", "hand-and-foot-4p"];

/** Returns the settings with which a game was begun last. */
const lastOf = (ruleSet: string): Choice | undefined => JSON.parse(setting(`last.${ruleSet}`) ?? "null") ?? undefined;

function remember(choice: Choice): Choice {
  set(`last.${choice.ruleSet}`, JSON.stringify({ ...choice, word: "" }));
  set("last", choice.ruleSet);
  return choice;
}

/** Returns a game against bots, with the settings of the last one. */
function against({ id: ruleSet, seats, dealerRequired }: RuleSetSummary): Choice {
  const last = lastOf(ruleSet);
  const [count, seat] = [last?.players.length ?? seats, last?.seat ?? 0];
  const all = Array.from({ length: count }, (_, at) => at);
  const choice: Choice = {
    ruleSet, variations: [], knobs: {}, takeBacks: TakeBacks.AGREED, ...last, seat, word: "", clock: 0, withFriends: false,
    bots: all.filter((at) => at !== seat), players: all.map((at) => (at === seat ? setting("name") ?? `Player ${at + 1}` : BOTS[at] ?? "")),
  };
  if (dealerRequired) choice.dealer = Math.floor(Math.random() * count);
  return choice;
}

export function Home({ client, sets, hasRooms, isLocal, begin, resume, load }: {
  client: Client<typeof GameService>; sets: RuleSetSummary[]; hasRooms: boolean; isLocal: boolean;
  begin: (choice: Choice) => Promise<void>; resume: (kept: KeptGame) => void; load: (file: File) => void;
}): JSX.Element {
  const [seats, filter] = useState(0);
  const [isAll, showAll] = useState(false);
  const [isBusy, busy] = useState(false);
  const [chosen, choose] = useState<RuleSetSummary | undefined>();
  const form = useRef<HTMLDivElement>(null);
  const pick = (each: RuleSetSummary) => {
    choose(each);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("h2")?.focus());
  };
  const setUp: Word = hasRooms ? "withFriends" : "setUp";
  const counts = [...new Set(sets.map((each) => each.seats))].sort();
  const first = [...new Set([setting("last") ?? "", ...FIRST])].flatMap((id) => sets.find((each) => each.id === id) ?? []).slice(0, 3);
  const play = (each: RuleSetSummary) => {
    // A second press would deal a second game.
    if (isBusy) return;
    busy(true);
    void begin(remember(against(each))).finally(() => busy(false));
  };
  return (
    <main id="home">
      <Hero word={isLocal ? "hero.local" : hasRooms ? "hero.rooms" : "hero.alone"} />
      <Going resume={resume} isLocal={isLocal} />
      <section aria-labelledby="choose" class={chosen ? "choosing chosen" : "choosing"}>
        <div class="head"><h2 id="choose">{t(hasRooms ? "room.set" : "playNow.title")}</h2></div>
        <ul class="sets first">
          {first.map((each) => (
            <li class="set" key={each.id}>
              <b>{each.title}</b>
              <span class="text">{about(each.id, each.description)}</span>
              <Facts set={each} />
              <span class="buttons">
                <button type="button" class="primary" data-play={each.id} disabled={isBusy} aria-label={`${t("playNow")}: ${each.title}`} onClick={() => play(each)}>{t("playNow")}</button>
                <button type="button" data-setup={each.id} aria-label={`${t(setUp)}: ${each.title}`} onClick={() => pick(each)}>{t(setUp)}</button>
              </span>
            </li>
          ))}
        </ul>
        <div class="head">
          <button type="button" id="all-games" aria-expanded={isAll} aria-controls="games" onClick={() => showAll(!isAll)}>{t("allGames", { games: sets.length })}</button>
          {isAll && <p class="filter" role="group" aria-label={t("filter")}>
            {[0, ...counts].map((each) => (
              <button type="button" key={each} aria-pressed={seats === each} onClick={() => filter(each)}>{each === 0 ? t("filter.all") : t("players", { players: each })}</button>
            ))}
          </p>}
        </div>
        <ul class="sets" id="games">
          {isAll && sets.filter((each) => seats === 0 || each.seats === seats).map((each) => (
            <li key={each.id}>
              <button type="button" class="set" data-set={each.id} aria-pressed={chosen?.id === each.id} onClick={() => pick(each)}>
                <b>{each.title}</b>
                <span class="text">{about(each.id, each.description)}</span>
                <Facts set={each} />
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

function Facts({ set }: { set: RuleSetSummary }): JSX.Element {
  return (
    <span class="facts">
      <span>{t("players", { players: set.seats })}</span><span>{t("packs", { packs: set.packs })}</span>
      <span>{set.target > 0 ? t("target", { points: number(set.target) }) : t("rounds", { rounds: set.rounds })}</span>
    </span>
  );
}

function Hero({ word }: { word: Word }): JSX.Element {
  return (
    <div class="hero">
      <div class="spread" aria-hidden="true">
        {["c51", "c11", "c25", "c52", "c39"].map((each) => <svg class="face" viewBox="0 0 62 88" key={each}><use href={`#${each}`} /></svg>)}
      </div>
      <h1>Canasta</h1>
      <p>{t(word)}</p>
    </div>
  );
}

/** Games that this browser can go on with. */
function Going({ resume, isLocal }: { resume: (kept: KeptGame) => void; isLocal: boolean }): JSX.Element | null {
  // Without the server what it keeps waits for it.
  const [games, rooms] = [keptGames().filter((each) => !isLocal || each.isLocal), isLocal ? [] : keptRooms()];
  if (games.length + rooms.length === 0) return null;
  return (
    <section aria-labelledby="kept-title" id="kept">
      <h2 id="kept-title">{t("kept")}</h2>
      <ul class="list">
        {rooms.slice(0, MOST_KEPT).map((room) => (
          <li key={room.id}><a class="button" href={room.codes?.[0] ? `#${room.codes[0]}` : `#t=${room.token}`}><b>{room.title}</b> <span class="note">{room.players.map(shownName).join(", ")} · {new Date(room.at).toLocaleString(document.documentElement.lang)}</span></a></li>
        ))}
        {games.slice(0, MOST_KEPT).map((game) => (
          <li key={game.id}><button type="button" onClick={() => resume(game)}><b>{game.title}</b> <span class="note">{game.end === undefined ? t("round", { round: game.round }) : t("gameOver")} · {new Date(game.at).toLocaleString(document.documentElement.lang)}</span></button></li>
        ))}
      </ul>
    </section>
  );
}

/** `isOfRoom`: whether the rules are for the next game of a room. */
export function Form({ client, summary, hasRooms, begin, back, isOfRoom = false }: {
  client: Client<typeof GameService>; summary: RuleSetSummary; hasRooms: boolean; begin: (choice: Choice) => Promise<void>; back: () => void; isOfRoom?: boolean;
}): JSX.Element {
  const [variations, offer] = useState<Variation[]>([]);
  const last = lastOf(summary.id);
  const { rounds: length = "0", ...kept } = last?.knobs ?? {};
  const isLength = LENGTHS.includes(Number(length));
  const [house, differ] = useState<Differences>({ variations: last?.variations ?? [], knobs: isLength ? kept : last?.knobs ?? {} });
  const [isBusy, busy] = useState(false);
  const [seat, sit] = useState(hasRooms ? 0 : last?.seat ?? 0);
  const players = hasRooms ? undefined : last?.players.map((each) => (BOTS.includes(each) || /^Player \d$/.test(each) ? "" : each));
  const [names, name] = useState<string[]>(players ?? [setting("name") ?? ""]);
  const [takeBacks, take] = useState(last?.takeBacks ?? TakeBacks.AGREED);
  const [clock, time] = useState(last?.clock ?? 0);
  const [rounds, play] = useState(isLength ? Number(length) : 0);
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
  const isBot = (at: number) => at !== seat;
  const named = (at: number) => names[at]?.trim() || (isBot(at) ? BOTS[at] : undefined) || `Player ${at + 1}`;
  const knobs = { ...house.knobs, ...(rounds > 0 && hasLength ? { rounds: `${rounds}` } : {}) };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    // A second press would deal a second game.
    if (isBusy) return;
    busy(true);
    if (names[seat]?.trim()) set("name", names[seat].trim());
    const drawn = word.trim() === "" ? Math.floor(Math.random() * seats) : 0;
    const choice: Choice = {
      ruleSet: summary.id, variations: picked, knobs, players: all.map(named), seat, bots: all.filter(isBot), takeBacks, clock,
      word: word.trim(), withFriends: event.submitter?.id === "begin-room", ...(summary.dealerRequired ? { dealer: drawn } : {}),
    };
    await begin(remember(choice)).finally(() => busy(false));
  };
  return (
    <form id="setup" onSubmit={(event) => void submit(event)} aria-labelledby="setup-title">
      <h2 id="setup-title" tabIndex={-1}>{summary.title}</h2>
      <p class="note">{about(summary.id, summary.description)}</p>
      <div class="columns">
        <div>
          {!isOfRoom && <fieldset>
            <legend>{t(hasRooms ? "room.name" : "seats")}</legend>
            {(hasRooms ? [0] : all).map((at) => (
              <div class="place" key={at}>
                {!hasRooms && <label class="radio"><input type="radio" name="seat" checked={seat === at} onChange={() => sit(at)} /><span>{t("me")}</span></label>}
                <input class="name" required={hasRooms} aria-label={hasRooms ? t("room.name") : t("name.of", { number: at + 1 })} maxLength={32} placeholder={hasRooms ? "" : shownName(named(at))} value={names[at] ?? ""}
                  onInput={(event) => name(Object.assign([...names], { [at]: event.currentTarget.value }))} />
              </div>
            ))}
          </fieldset>}
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
          <HowItGoes client={client} id={summary.id} canonical={async () => (await client.getRuleSet({ id: summary.id, houseRules: houseRules(picked, knobs) })).ruleSet?.canonical} />
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
          <label>{t("level")}<select id="level" value={level()} onChange={(event) => set("level", event.currentTarget.value)}>
            {[1, 2, 3, 4, 5, 6].map((each) => <option key={each}>{each}</option>)}
          </select></label>
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
        {hasRooms && !isOfRoom && <button id="begin-room" class="primary" disabled={isBusy}>{t("begin.room")}</button>}
        <button id="begin" class={hasRooms && !isOfRoom ? "" : "primary"} disabled={isBusy} formNoValidate>{t(isOfRoom ? "room.rules.use" : hasRooms ? "begin.bots" : "begin.alone")}</button>
        <button type="button" onClick={back}>{t("back")}</button>
      </p>
    </form>
  );
}
