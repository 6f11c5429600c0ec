// The page: a table by a link, a game that this browser keeps, or the form for a new one.

import { createClient, type Transport } from "@connectrpc/connect";
import { options, render, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import {
  asSeat, connect, createRoom, DealMode, GameService, hex, houseRules, OpenGame, type Outage, readToken,
  RecordService, type Rejected, RoomGame, RoomVisit, type RuleSetSummary, type TableGame, Trouble,
} from "canasta-client";
import { noting } from "./calls";
import { CLOCKS, Home, type Choice } from "./home";
import { browserStore, current, enter, type KeptGame, keptRoom, leave, level, noteRoom, PlayedElsewhere, set, type Made } from "./keeper";
import { Languages } from "./languages";
import { type Around, codeOf, linkOf, Meeting } from "./meeting";
import { Table } from "./model";
import { TableScreen } from "./table_screen";
import { loadWords } from "./sentences";
import { type Carried, logOfBlock } from "./viewer/proof";
import { held, localEngine, localSource, logOfLink } from "./viewer/local";
import type { Source } from "./viewer/source";
import type { Outside } from "./viewer/verdict";
import { Viewer } from "./viewer/viewer";
import { WaitingRoom } from "./waiting_room";
import { language, t, type Word } from "./words";

/** Time without a server after which the page plays without it, in milliseconds. */
const LOST_MS = 1200;
/** Time after the page is loaded until it is kept for later, in milliseconds. */
const KEEP_MS = 2000;

/** What the page shows. */
interface Screen {
  table?: Table;
  /** The room that the page is in. */
  meeting?: Meeting;
  loaded?: Source;
  /** What is known of the loaded game from elsewhere. */
  outside?: Outside | undefined;
  /** The record that the link shows first. */
  at?: number | undefined;
  isHome?: boolean;
  isAway?: boolean;
  trouble?: string;
}

let screen: Screen = {};
let redraw: () => void = () => undefined;
let tryNow: () => void = () => undefined;
let [transport, hasRooms, isLocal]: [Transport, boolean, boolean] = [undefined as never, false, false];
let lost: () => void = () => undefined;
let running = new AbortController();
let sets: RuleSetSummary[] = [];

function show(change: Partial<Screen>): void {
  screen = { ...screen, ...change };
  redraw();
}

/** The display of a lost connection: nothing is lost, and the page keeps trying. */
const outage: Outage = {
  away(wait) {
    show({ isAway: true });
    lost();
    return new Promise((done) => {
      const timer = setTimeout(done, wait);
      tryNow = () => {
        clearTimeout(timer);
        done();
      };
    });
  },
  back: () => screen.isAway && show({ isAway: false }),
};

const service = { baseUrl: location.origin, deadlineMs: Infinity, outage, interceptors: [noting] };

/** Returns what a failed call means for the person, in a sentence. */
function sentence(error: unknown): string {
  if (error instanceof PlayedElsewhere) return t("trouble.elsewhere");
  const { reason, message, retryMs } = Trouble.of(error);
  const word = `trouble.${reason}` as Word;
  const text = t(word, { minutes: Math.ceil((retryMs ?? 60_000) / 60_000) });
  return text || t("trouble.other", { message });
}

function fail(error: unknown): void {
  show({ trouble: sentence(error) });
}

function sit(game: TableGame, at?: number): Table {
  running.abort();
  running = new AbortController();
  const table: Table = new Table(game, () => {
    if (screen.table !== table) show({ table, isHome: false });
    else redraw();
  });
  table.fail = fail;
  if (at !== undefined) table.panel = "replay";
  // Whoever leaves a chair, or loses it, loses the link to its seat: the room tells that.
  table.run(running.signal).catch((error: unknown) => (table.meeting && Trouble.of(error).reason === "UNAUTHENTICATED" ? undefined : fail(error)));
  return table;
}

async function start(): Promise<void> {
  document.documentElement.lang = language;
  const facts = new URLSearchParams(location.hash.slice(1));
  const token = facts.get("t");
  const block = document.getElementById("proof")?.textContent ?? undefined;
  const own = block === undefined ? await held("log") : logOfBlock(block);
  if (facts.has("g") || own) return view(facts, own, block === undefined ? undefined : { block });
  transport = connect(service);
  const code = codeOf(location.hash);
  if (code !== undefined) return meet(code);
  if (token !== null) return join(token, facts.get("at") === null ? undefined : Number(facts.get("at")));
  const kept = current();
  if (kept?.isLocal) return resume(kept);
  const server = transport;
  const known = served();
  const late = new Promise<void>((done) => (lost = () => setTimeout(done, LOST_MS)));
  // Whoever waits for the server can play here meanwhile, if the engine is at hand.
  if (!(await Promise.race([known, late]))) await playHere().catch(() => undefined);
  const [found, rooms] = await known;
  if (isLocal && !screen.isHome) return;
  // The page appears as a whole, so that nothing in it moves.
  [transport, sets, hasRooms, isLocal] = [server, found, rooms, false];
  if (kept && !hasRooms) return resume(kept);
  show({ isHome: true, trouble: location.hash.length > 1 ? t("trouble.link") : undefined });
}

/** Asks the server what can be played, and whether it keeps games for several people. */
async function served(): Promise<[RuleSetSummary[], boolean]> {
  const known = listed();
  // An empty request creates nothing: whoever keeps games calls it malformed.
  const probe = createClient(RecordService, transport).create({});
  const rooms = probe.then(() => true, (error: unknown) => Trouble.of(error).reason !== "UNIMPLEMENTED");
  return [await known, await rooms];
}

/** Offers games against bots by the engine in the page, without a server. */
async function playHere(): Promise<void> {
  transport = await localEngine();
  [isLocal, hasRooms, sets] = [true, false, await listed()];
  show({ isHome: true });
}

/** Shows the game of a link, or the page's own, without a server. */
async function view(facts: URLSearchParams, own: Uint8Array | undefined, ownProof: Carried | undefined): Promise<void> {
  await loadWords(await localEngine());
  const [linked, text, at] = [facts.get("g"), facts.get("p"), facts.get("at")];
  const known = linked === null ? await held("outside") : undefined;
  const outside: Outside = known ? JSON.parse(new TextDecoder().decode(known)) : { verified: [], notProven: [] };
  let [log, proof] = [own ?? new Uint8Array(), ownProof];
  if (linked !== null) {
    const found = await logOfLink(linked).catch(() => undefined);
    if (!found) return show({ trouble: t("link.spoilt") });
    log = found.log;
    proof = text === null ? undefined : { text, fullHead: found.fullHead };
    if (found.fullHead) outside.notProven.push(t("link.head", { head: hex(found.fullHead) }));
  }
  const source = await localSource("canasta", log, linked === null && !proof, { proof, packed: linked === null ? undefined : `${linked}${text === null ? "" : `&p=${text}`}` });
  show({ loaded: source, outside, at: at === null ? undefined : Number(at) });
}

/** Keeps the record that is shown in the address. */
function note(n: number): void {
  const facts = new URLSearchParams(location.hash.slice(1));
  facts.set("at", `${n}`);
  history.replaceState(null, "", `#${facts}`);
}

/** Gets the rule sets that can be played. */
async function listed(): Promise<RuleSetSummary[]> {
  return (await createClient(GameService, transport).listRuleSets({})).ruleSets.filter((each) => each.playable);
}

/** Sits down by a link. */
async function join(token: string, at?: number): Promise<void> {
  const link = readToken(token);
  if (!link) {
    sets = await listed();
    return show({ isHome: true, trouble: t("trouble.link") });
  }
  const linked = connect({ ...service, token });
  [transport, hasRooms] = [linked, true];
  await loadWords(linked);
  const game = new RoomGame(linked, link.gameId, link.actor, outage);
  show({ at });
  const table = sit(game, at);
  const noted = setInterval(() => {
    if (!table.view) return;
    clearInterval(noted);
    const { title, seats } = table.view;
    noteRoom({ id: game.id, token, title, players: seats.map((each) => each.name) });
  }, 50);
}

/** Comes into the room of a short link. */
async function meet(code: string): Promise<void> {
  hasRooms = true;
  const around: Around = { options: service, changed: () => redraw(), fail, sit };
  const meeting = await Meeting.enter(code, around, loadWords(transport)).catch((error: unknown) => Trouble.of(error));
  if (!(meeting instanceof Trouble)) {
    show({ meeting });
    return meeting.run(new AbortController().signal);
  }
  sets = await listed();
  show({ isHome: true, trouble: meeting.reason === "NOT_FOUND" ? t("trouble.code") : sentence(meeting) });
}

const said = (rejected: Rejected): string => rejected.violations.map((each) => [each.message, each.repair?.message].filter(Boolean).join(": ")).join("; ");

async function begin(choice: Choice): Promise<void> {
  show({ trouble: undefined });
  try {
    await (!hasRooms ? deal(choice) : choice.withFriends ? gather(choice) : create(choice));
  } catch (error) {
    fail(error);
  }
}

/** Returns the time limits of a choice. */
function limitsOf({ clock }: Pick<Choice, "clock">) {
  const { turn, bank, increment } = CLOCKS[clock] ?? {};
  const ms = (seconds: number | undefined) => (seconds === undefined ? undefined : BigInt(seconds * 1000));
  return clock === 0 ? undefined : { turnMs: ms(turn), bankMs: ms(bank), incrementMs: ms(increment) };
}

/** Returns what a room plays by a choice. */
const rulesOf = ({ ruleSet, variations, knobs, takeBacks, clock }: Choice) =>
  ({ ruleSet, houseRules: houseRules(variations, knobs), dealMode: DealMode.SEEDED, clock: limitsOf({ clock }), takeBacks });

/** Opens a room for friends. */
async function gather(choice: Choice): Promise<void> {
  const name = choice.players[choice.seat] ?? "";
  set("name", name);
  const visit = await RoomVisit.create(service, rulesOf(choice), name);
  if (!(visit instanceof RoomVisit)) return show({ trouble: said(visit) });
  // It notes the token, with which the page comes back by the link.
  new Meeting(visit, { options: service, changed: () => undefined, fail, sit });
  location.href = linkOf(visit.room.code);
  location.reload();
}

/** Creates a game against bots. */
async function create({ ruleSet, variations, knobs, players, seat, bots, takeBacks, clock, dealer }: Choice): Promise<void> {
  // Whoever sits at a table creates the next one as a guest: a link is good for its own game.
  const link = await createRoom(connect(service), {
    ruleSet,
    dealMode: DealMode.SEEDED,
    players: players.map((name) => ({ name })),
    dealer,
    houseRules: houseRules(variations, knobs),
    autoTable: true,
    creator: asSeat(seat),
    bots: bots.map((each) => ({ seat: each, level: level() })),
    takeBacks,
    clock: limitsOf({ clock }),
  });
  if (!("token" in link)) return show({ trouble: said(link) });
  const made: Made = { ruleSet, variations, knobs, players, seat, bots, takeBacks, clock };
  noteRoom({ id: hex(link.gameId), token: link.token, title: ruleSet, players, made });
  location.hash = `t=${link.token}`;
}

/** Deals a game that this browser keeps. */
async function deal({ ruleSet, variations, knobs, players, seat, dealer, word }: Choice): Promise<void> {
  await loadWords(transport);
  // Nothing in the engine draws at random.
  const drawn = isLocal ? { secret: crypto.getRandomValues(new Uint8Array(64)), gameId: crypto.getRandomValues(new Uint8Array(16)) } : undefined;
  const given = word === "" ? drawn : await secretOf([ruleSet, ...variations, word]);
  const game = await OpenGame.create(transport, isLocal ? transport : location.origin, browserStore(isLocal), { ruleSet, variations, knobs, players, player: seat, dealer, given });
  if (!(game instanceof OpenGame)) return show({ trouble: said(game) });
  play(game);
}

/** Sits down at a game that this browser keeps. */
function play(game: OpenGame): void {
  game.level = level();
  enter(game.id);
  sit(game);
}

async function secretOf(words: string[]): Promise<{ secret: Uint8Array; gameId: Uint8Array }> {
  const digest = async (text: string) => new Uint8Array(await crypto.subtle.digest("SHA-512", new TextEncoder().encode(text)));
  return { secret: await digest(words.at(-1) ?? ""), gameId: (await digest(`id ${words.join(" ")}`)).slice(0, 16) };
}

async function resume(kept: KeptGame): Promise<void> {
  try {
    if (kept.isLocal) [isLocal, transport] = [true, await localEngine()];
    await loadWords(transport);
    const game = await OpenGame.resume(transport, isLocal ? transport : location.origin, browserStore(isLocal), kept);
    play(game);
  } catch (error) {
    leave();
    show({ isHome: true, trouble: `${t("trouble.resume", { title: kept.title })} ${sentence(error)}` });
  }
}

function home(): void {
  leave();
  if (location.hash === "") location.reload();
  else location.hash = "";
}

async function rematch(made: Made): Promise<void> {
  await begin({ knobs: {}, ...made, word: "", withFriends: made.players.length > 1 + made.bots.length });
}

function load(file: File): void {
  void file.arrayBuffer().then(async (bytes) => {
    await loadWords(await localEngine());
    show({ loaded: await localSource(file.name, new Uint8Array(bytes), true), outside: undefined, at: undefined, isHome: false });
  }).catch(fail);
}

function App(): JSX.Element {
  const [, draw] = useState(0);
  useEffect(() => {
    redraw = () => draw((was) => was + 1);
    start().catch(fail);
  }, []);
  const { table, meeting, loaded, isHome, isAway, trouble } = screen;
  const made = table?.room && keptRoom(table.game.id)?.made;
  const again = made ? () => void rematch(made) : undefined;
  return (
    <>
      {isAway && !isLocal && <p id="away" role="status">{t("away")} <button type="button" id="try-now" onClick={() => tryNow()}>{t("tryNow")}</button></p>}
      {trouble !== undefined && (
        <p id="problem" role="alert">
          <span>{trouble}</span>
          {table && <button type="button" onClick={() => location.reload()}>{t("reload")}</button>}
          {!isHome && <button type="button" onClick={home}>{t("newGame")}</button>}
          <button type="button" class="close" aria-label={t("close")} onClick={() => show({ trouble: undefined })}>×</button>
        </p>
      )}
      {loaded
        ? <Viewer key={loaded.id} source={loaded} at={screen.at} outside={screen.outside} {...(transport ? { close: () => show({ loaded: undefined, isHome: true }) } : { link: note })} />
        : meeting && (meeting.isApart || !table?.view)
          ? <WaitingRoom meeting={meeting} transport={transport} listed={listed} rulesOf={rulesOf} home={home} />
        : table?.view
          ? <TableScreen key={table.game.id} table={table} transport={transport} at={screen.at} rematch={again} home={home} />
          : isHome
            ? <Home client={createClient(GameService, transport)} sets={sets} hasRooms={hasRooms} isLocal={isLocal} begin={begin} resume={(kept) => void resume(kept)} load={load} />
            : <main class="page"><h1>Canasta</h1>{trouble === undefined && <p role="status">{t("loading")}</p>}</main>}
      {(isHome || meeting?.isApart) && (
        <footer id="foot">
          <Languages />
        </footer>
      )}
    </>
  );
}

// A view is drawn before cards fly from it.
options.debounceRendering = (draw) => draw();
// A log that is dropped anywhere is shown.
window.addEventListener("dragover", (event) => event.preventDefault());
window.addEventListener("drop", (event) => {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault();
  load(file);
});
/** Keeps the page for hours without a network; later, so that what is seen first comes first. */
function keepPage(): void {
  if (!document.querySelector("script[src]") || !isSecureContext || !navigator.serviceWorker) return;
  // The page's policy demands a type of its own for what is run.
  const types = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } } }).trustedTypes;
  const url = types?.createPolicy("worker", { createScriptURL: (path: string) => path }).createScriptURL("/worker.js") ?? "/worker.js";
  setTimeout(() => void navigator.serviceWorker.register(url).catch(() => undefined), KEEP_MS);
}

window.addEventListener("load", keepPage);
window.addEventListener("hashchange", () => location.reload());
render(<App />, document.getElementById("app") as HTMLElement);
