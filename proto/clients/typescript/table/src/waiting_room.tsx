// A room between its games: who has come, who is ready, the link for friends, and the evening so far.

import { createClient, type Transport } from "@connectrpc/connect";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { GameService, type Room, type RuleSetSummary } from "canasta-client";
import { Dialog } from "./dialog";
import { type Choice, Form } from "./home";
import { setting } from "./keeper";
import { linkOf, type Meeting } from "./meeting";
import { Code, copied } from "./viewer/share";
import { capital, number, shownName, t } from "./words";

/** `rulesOf`: the rules that a form's choice stands for. */
export function WaitingRoom({ meeting, transport, listed, rulesOf, home }: {
  meeting: Meeting; transport: Transport; listed: () => Promise<RuleSetSummary[]>; rulesOf: (choice: Choice) => RoomRulesInit; home: () => void;
}): JSX.Element {
  const [isChoosing, choose] = useState(false);
  useEffect(() => document.querySelector<HTMLElement>("#room h1")?.focus(), []);
  const { summary, room, chair } = meeting;
  const isPlaying = isSettled(meeting);
  return (
    <main id="room" class="page">
      <header>
        <h1 tabIndex={-1}>{summary?.title ?? "Canasta"}</h1>
        <RulesLine meeting={meeting} />
      </header>
      <div class="columns">
        <section aria-labelledby="room-chairs">
          <h2 id="room-chairs">{t("room.chairs")}</h2>
          <Chairs meeting={meeting} />
          <p class="buttons">
            {isPlaying && <button type="button" class="primary" onClick={() => meeting.go(true)}>{t("room.toGame")}</button>}
            {chair !== undefined && !isPlaying && <button type="button" id="turn-seats" onClick={() => meeting.turn()}>{t("room.turn")}</button>}
            {meeting.isHost && !isPlaying && <button type="button" id="other-rules" onClick={() => choose(true)}>{t("room.rules")}</button>}
            {room.games.length > (meeting.isPlaying ? 1 : 0) && !isPlaying && <button type="button" onClick={() => meeting.go(true)}>{t("room.lastGame")}</button>}
            <button type="button" onClick={home}>{t("newGame")}</button>
          </p>
        </section>
        <div>
          <Links meeting={meeting} />
          <Evening games={room.games} />
        </div>
      </div>
      {isChoosing && <OtherRules meeting={meeting} transport={transport} listed={listed} rulesOf={rulesOf} close={() => choose(false)} />}
    </main>
  );
}

type RoomRulesInit = (Parameters<Meeting["change"]>[0] & { case: "rules" })["value"];

function RulesLine({ meeting: { room: { rules, chairs }, summary } }: { meeting: Meeting }): JSX.Element {
  const { houseRules, clock } = rules ?? {};
  const { rounds, ...knobs } = houseRules?.knobs ?? {};
  const differing = (houseRules?.variations.length ?? 0) + Object.keys(knobs).length;
  const length = Number(rounds ?? summary?.rounds);
  const facts = [
    t("players", { players: chairs.length }),
    ...(summary ? [length > 0 ? t("rounds", { rounds: length }) : t("target", { points: number(summary.target) })] : []),
    ...(differing > 0 ? [t("room.house", { rules: differing })] : []),
    ...(clock?.turnMs ? [t("clock.turn", { seconds: Number(clock.turnMs) / 1000 })] : []),
    ...(clock?.bankMs ? [t("clock.bank", { minutes: Number(clock.bankMs) / 60_000, seconds: Number(clock.incrementMs ?? 0n) / 1000 })] : []),
  ];
  return <p class="note">{facts.join(" · ")}</p>;
}

/** Whether a game is played beside the room that is shown. While its table is being opened, nothing moves. */
const isSettled = ({ isPlaying, isApart }: Meeting): boolean => isPlaying && isApart;

/** The chairs in the order of their seats, with what may be done about each. */
export function Chairs({ meeting }: { meeting: Meeting }): JSX.Element {
  const { room, summary, chair: own, chairs } = meeting;
  const [name, type] = useState(setting("name") ?? "");
  const [removed, ask] = useState<number | undefined>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const chair = (event.submitter as HTMLButtonElement | null)?.value ?? `${chairs.find((each) => room.chairs[each]?.name === "")}`;
    meeting.sitDown(Number(chair), name.trim());
  };
  const sides = summary?.sides ?? chairs.length;
  const partners = (seat: number) => chairs.filter((_, other) => other !== seat && other % sides === seat % sides).map((each) => meeting.nameOf(each));
  const act = (label: string, aria: string, click: () => void) => <button type="button" aria-label={`${label}: ${aria}`} onClick={click}>{label}</button>;
  const mine = own === undefined ? undefined : room.chairs[own];
  return (
    <form class="chairs" onSubmit={submit}>
      <p role="status" id="room-status">{[meeting.said, status(meeting)].filter(Boolean).join(" ")}</p>
      <div class="own">
        {own === undefined && room.chairs.some((each) => each.name === "") && (
          <label>{t("room.name")}<input id="own-name" required pattern=".*\S.*" maxLength={32} autocomplete="nickname" value={name} onInput={(event) => type(event.currentTarget.value)} /></label>
        )}
        {mine && own !== undefined && (
          <p class="buttons">
            {!isSettled(meeting) && <button type="button" id="ready" class="primary on-off" disabled={meeting.isPlaying} aria-pressed={mine.ready} onClick={() => void meeting.change({ case: "ready", value: !mine.ready })}>{t(room.games.length > (meeting.isPlaying ? 1 : 0) ? "room.again" : "room.isReady")}</button>}
            {mine.bot ? <button type="button" id="come-back" class="primary" onClick={() => void meeting.bot(own, false)}>{t("room.back")}</button>
              : <button type="button" id="own-bot" onClick={() => void meeting.bot(own, true)}>{t("room.ownBot")}</button>}
            <button type="button" id="stand-up" onClick={() => (meeting.isPlaying && removed !== own ? ask(own) : void meeting.change({ case: "standUp", value: own }))}>{t(removed === own ? "room.remove.sure" : "room.standUp")}</button>
          </p>
        )}
      </div>
      <ol>
        {chairs.map((chair, seat) => {
          const { name: holder = "", bot = false, ready = false } = room.chairs[chair] ?? {};
          const isGone = meeting.isGone(chair);
          const left = meeting.left.get(chair);
          const here = meeting.nameOf(chair);
          const facts = [
            partners(seat).length > 0 && (bot || holder !== "") ? t("room.with", { names: partners(seat).join(", ") }) : "",
            chair === own ? t("me") : "", chair === room.host ? t("room.host") : "",
            isGone ? (left === undefined ? t("room.away") : t("room.awaySince", { time: clockTime(left) })) : "",
            bot && holder !== "" ? t("room.held") : "",
          ];
          return (
            <li key={chair} class={`chair side${seat % sides}${isGone ? " away" : ""}`} data-chair={chair}>
              <span class="who"><b><bdi>{capital(here)}</bdi></b>{ready && <span class="tag">✓ {t("room.ready")}</span>}</span>
              <span class="note">{facts.filter(Boolean).join(" · ")}</span>
              <span class="buttons">
                {holder === "" && own === undefined && <button class="primary" value={chair} aria-label={`${t("room.sit")}: ${number(seat + 1)}, ${here}`}>{t("room.sit")}</button>}
                {holder === "" && own !== undefined && !bot && act(t("room.bot"), number(seat + 1), () => void meeting.bot(chair, true))}
                {holder === "" && own !== undefined && bot && !isSettled(meeting) && act(t("room.noBot"), number(seat + 1), () => void meeting.bot(chair, false))}
                {isGone && own !== undefined && !bot && act(t("room.hold"), here, () => void meeting.bot(chair, true))}
                {holder !== "" && chair !== own && meeting.isHost && (removed === chair
                  ? act(t("room.remove.sure"), here, () => { ask(undefined); void meeting.change({ case: "standUp", value: chair }); })
                  : act(t("room.remove"), here, () => ask(chair)))}
              </span>
            </li>
          );
        })}
      </ol>
    </form>
  );
}

const clockTime = (ms: number): string => new Date(ms).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });

/** Returns what the next game waits for, in a sentence. */
export function status(meeting: Meeting): string {
  if (meeting.isPlaying) return t("room.playing");
  const waited = meeting.chairs.filter((chair) => {
    const { bot, ready } = meeting.room.chairs[chair] ?? {};
    return !bot && !ready;
  });
  const named = waited.filter((chair) => meeting.room.chairs[chair]?.name !== "");
  const names = named.filter((chair) => chair !== meeting.chair).map((chair) => meeting.nameOf(chair));
  const free = waited.length - named.length;
  return [
    named.some((chair) => chair === meeting.chair) ? t("room.waits.you") : "", names.length > 0 ? t("room.waits", { names: names.join(", ") }) : "",
    free > 0 ? t("room.waits.free", { chairs: free }) : meeting.chair === undefined ? `${t("watching")}.` : "",
  ].filter(Boolean).join(" ");
}

/** The link for friends, and the one for another device of one's own. */
export function Links({ meeting }: { meeting: Meeting }): JSX.Element {
  const { code, ownCode } = meeting.room;
  return (
    <section class="share" aria-labelledby="room-link">
      <h2 id="room-link">{t("room.link")}</h2>
      <p class="note">{t("room.link.note")}</p>
      <Shared id="guests-link" url={linkOf(code)} label={t("room.link")} />
      {meeting.isHost && <p class="buttons"><button type="button" id="new-code" onClick={() => void meeting.change({ case: "newCode", value: {} })}>{t("room.newCode")}</button></p>}
      {ownCode !== "" && <details id="own-device"><summary>{t("room.device")}</summary><p class="note">{t("room.device.note")}</p><Shared id="own-link" url={linkOf(ownCode)} label={t("room.device")} /></details>}
    </section>
  );
}

function Shared({ id, url, label }: { id: string; url: string; label: string }): JSX.Element {
  const [said, say] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => say(await copied(url, field.current));
  return (
    <>
      <input ref={field} id={id} readOnly value={url} aria-label={label} onFocus={(event) => event.currentTarget.select()} />
      <p class="buttons">
        <button type="button" class="primary" onClick={() => void copy()}>{t("share.copy")}</button>
        {"share" in navigator && <button type="button" onClick={() => void navigator.share({ url, title: document.title }).catch(() => undefined)}>{t("share.pass")}</button>}
      </p>
      <details><summary>{t("share.code")}</summary><Code text={url} /></details>
      <p role="status">{said}</p>
    </>
  );
}

/** The games of the evening: wins and points of each name. */
export function Evening({ games }: { games: Room["games"] }): JSX.Element | null {
  const found = new Map<string, { games: number; wins: number; points: number }>();
  for (const { players, end } of games) {
    for (const [seat, name] of players.entries()) {
      // Seats are dealt to the sides in turn; where seats keep the score, each is a side.
      const unit = seat % (end?.totals.length || players.length);
      const before = found.get(name) ?? { games: 0, wins: 0, points: 0 };
      if (end) found.set(name, { games: before.games + 1, wins: before.wins + (end.winner === unit ? 1 : 0), points: before.points + (end.totals[unit] ?? 0) });
    }
  }
  if (found.size === 0) return null;
  const rows = [...found].sort(([, a], [, b]) => b.wins - a.wins || b.points - a.points);
  return (
    <section class="evening" aria-labelledby="evening">
      <h2 id="evening">{t("room.evening")}</h2>
      <table class="sheet">
        <thead><tr><th scope="col">{t("room.player")}</th><th scope="col">{t("room.games")}</th><th scope="col">{t("room.wins")}</th><th scope="col">{t("room.points")}</th></tr></thead>
        <tbody>{rows.map(([name, each]) => <tr key={name}><th scope="row"><bdi>{shownName(name)}</bdi></th><td>{number(each.games)}</td><td>{number(each.wins)}</td><td>{number(each.points)}</td></tr>)}</tbody>
      </table>
    </section>
  );
}

/** What is played next: the form of the first page, for rule sets with as many seats as the room has chairs. */
function OtherRules({ meeting, transport, listed, rulesOf, close }: {
  meeting: Meeting; transport: Transport; listed: () => Promise<RuleSetSummary[]>; rulesOf: (choice: Choice) => RoomRulesInit; close: () => void;
}): JSX.Element {
  const [sets, list] = useState<RuleSetSummary[]>([]);
  const [id, pick] = useState(meeting.room.rules?.ruleSet ?? "");
  useEffect(() => void listed().then((found) => list(found.filter((each) => each.seats === meeting.room.chairs.length))), []);
  const summary = sets.find((each) => each.id === id) ?? sets[0];
  const begin = (choice: Choice) => meeting.change({ case: "rules", value: rulesOf(choice) }).then(close);
  return (
    <Dialog id="rules-of-room" title={t("room.rules")} close={close}>
      {summary && (
        <>
          <label>{t("room.set")} <select id="room-set" value={summary.id} onChange={(event) => pick(event.currentTarget.value)}>{sets.map((each) => <option key={each.id} value={each.id}>{each.title}</option>)}</select></label>
          <Form client={createClient(GameService, transport)} summary={summary} hasRooms isOfRoom begin={begin} back={close} key={summary.id} />
        </>
      )}
    </Dialog>
  );
}
