// The table of one person: what is shown, what is picked, and what becomes of it. It knows no rule.

import {
  type Action, type Actor, type ClockState, type DescribedRecord, Destination, type Event, type Event_Drawn, type GameEnd,
  type News, OpenGame, Phase, type PlayOption, type ActionInit, RoomGame, type RoundEnd, seatOf, type TableGame, type TakeBackOffer,
  type View, type Violation,
} from "canasta-client";
import { sorted } from "./cards";
import { set, setting } from "./keeper";
import { capture, fly } from "./motion";
import { Sentences } from "./sentences";
import { cardsOf, verdictOf, type Verdict } from "./targets";
import { seatName, t } from "./words";

/** A line of the history, with the number of its record in the log. */
export interface Line {
  n: bigint;
  text: string;
}

/** The pauses after what others do, in milliseconds. */
export const PACES = { slow: 1400, brisk: 550, once: 0 } as const;
export type Pace = keyof typeof PACES;

export type Panel = "history" | "scores" | "links" | "log" | "values" | "moves" | "replay" | "guide" | "calls";

export class Table {
  view!: View;
  clock: ClockState | undefined;
  /** The page's time at which `clock` came, in milliseconds. */
  clockAt = 0;
  offer: TakeBackOffer | undefined;
  /** The cards of the hand that are not laid aside, in the order shown. */
  hand: string[] = [];
  /** Picked cards, by place in the hand. */
  picked = new Set<number>();
  /** Cards of the hand that the last news brought. */
  fresh: string[] = [];
  /** The groups laid aside towards the minimum: the action that would lay them. */
  chosen: Action | undefined;
  options: PlayOption[] = [];
  legal: Action[] = [];
  hinted: Action | undefined;
  refusal: Violation[] = [];
  /** A sentence that is not about a rule. */
  notice = "";
  rounds: RoundEnd[] = [];
  /** The cards drawn for seats, in round 0. */
  draw: Event_Drawn | undefined;
  end: GameEnd | undefined;
  /** The round whose end is shown until it is dismissed. */
  sheet: RoundEnd | undefined;
  lines: Line[] = [];
  panel: Panel | undefined;
  pace: Pace = (setting("pace") as Pace | undefined) ?? "brisk";
  /** The seats that bots of the recorder play. */
  botSeats: number[] = [];
  /** Whether the table is only looked at. */
  isReplay = false;
  /** The position before, in a replay: what is new since then is marked. */
  before: View | undefined;
  /** The seat whose place is at the bottom, where nobody's is the page. */
  bottom: number | undefined;
  private sent = 0n;
  private isSending = false;
  /** Number of the last own action. */
  private lastOwn = 0n;
  private dismissed: () => void = () => undefined;
  private asked = 0;
  /** Resolves when the last question has its answer. */
  asking: Promise<void> = Promise.resolve();

  constructor(readonly game: TableGame, private readonly changed: () => void) {}

  /** The own seat. A replay is only looked at, whoever looks. */
  get me(): number | undefined {
    return this.isReplay ? undefined : seatOf(this.game.actor);
  }

  /** The room, if the recorder keeps the game. */
  get room(): RoomGame | undefined {
    return this.game instanceof RoomGame ? this.game : undefined;
  }

  get isAlone(): boolean {
    return this.game instanceof OpenGame;
  }

  /** Whether a bot plays the own seat. */
  get isAway(): boolean {
    return this.me !== undefined && this.botSeats.includes(this.me);
  }

  get side(): number | undefined {
    return this.me === undefined ? undefined : this.view.seats[this.me]?.side;
  }

  get isMine(): boolean {
    const { view, me } = this;
    return me !== undefined && !this.isReplay && this.sheet === undefined && (view.toAct === me || view.talonOffered === me);
  }

  get isBusy(): boolean {
    return this.isSending || this.view.seq < this.sent;
  }

  /** The sentences of this table, about the own melds. */
  get words(): Sentences {
    return new Sentences(this.view, this.side);
  }

  /** Shows everything that happens until the game is over. */
  async run(signal: AbortSignal): Promise<void> {
    for await (const news of this.game.news(signal)) await this.take(news);
  }

  private async take(news: News): Promise<void> {
    const isFirst = this.view === undefined;
    const by = this.view?.turn;
    if (isFirst) {
      this.show(news);
      this.changed();
      void this.recall();
      return this.ask();
    }
    this.draw ??= drawOf(news.events);
    if (news.roundEnd) await this.over(news.roundEnd, news);
    const before = capture();
    const hasMoved = news.view.seq !== this.view.seq || news.takenBackToSeq !== undefined || news.skipped > 0;
    if (news.takenBackToSeq !== undefined) this.notice = t("takenBack");
    this.note(news);
    this.show(news);
    if (news.gameEnd) this.end = news.gameEnd;
    this.changed();
    if (hasMoved) void this.ask();
    if (news.events.length === 0) return;
    const ms = this.pace === "once" ? 0 : fly(news.events, before, by, this.me);
    const isOwn = by === this.me && by !== undefined;
    if (!isOwn) await pause(Math.max(ms, PACES[this.pace]));
  }

  private show({ view, clock, offer, takenBackToSeq, botSeats }: News): void {
    // What was just played is not picked again.
    const held = this.isSending ? [] : this.held;
    const before = this.view === undefined ? undefined : count(this.view.seats[this.me ?? -1]?.hand ?? []);
    const isSame = this.view?.seq === view.seq && takenBackToSeq === undefined;
    this.view = view;
    [this.clock, this.clockAt, this.offer, this.botSeats] = [clock, performance.now(), offer, botSeats];
    if (isSame) return;
    this.fresh = [];
    for (const card of view.seats[this.me ?? -1]?.hand ?? []) {
      const left = before?.get(card) ?? 0;
      if (before && left === 0) this.fresh.push(card);
      before?.set(card, left - 1);
    }
    this.reset(held);
  }

  private get held(): string[] {
    return this.hand.filter((_, place) => this.picked.has(place));
  }

  /** Puts everything back into the hand, and picks these cards. */
  private reset(held: string[] = []): void {
    this.chosen = undefined;
    this.hinted = undefined;
    this.options = [];
    this.hand = sorted(this.view.seats[this.me ?? -1]?.hand ?? []);
    this.pickCards(held);
  }

  private pickCards(cards: string[]): void {
    this.picked.clear();
    for (const card of cards) {
      const place = this.hand.findIndex((other, at) => other === card && !this.picked.has(at));
      if (place >= 0) this.picked.add(place);
    }
  }

  /** Shows the table at the end of a round with its score, until that is dismissed. */
  private async over(round: RoundEnd, news: News): Promise<void> {
    this.rounds.push(round);
    if (news.roundOver) {
      this.view = news.roundOver;
      this.reset();
    }
    [this.sheet, this.refusal, this.end] = [round, [], news.gameEnd];
    this.panel = undefined;
    this.changed();
    if (news.gameEnd) return;
    await new Promise<void>((done) => (this.dismissed = done));
  }

  /** Leaves the end of the round. */
  dismiss(): void {
    this.sheet = undefined;
    this.changed();
    this.dismissed();
  }

  private note({ view, events }: News): void {
    const words = new Sentences(view, this.side);
    for (const text of events.map((event) => words.event(event)).filter(Boolean)) this.lines.push({ n: view.n, text });
  }

  /** Gets what happened before this page was opened. */
  private async recall(): Promise<void> {
    const records = await this.game.describe(0n, this.view.n, false).catch(() => [] as DescribedRecord[]);
    const words = new Sentences(this.view, this.side);
    const old = records.flatMap(({ record, events }) => {
      // The log of an open round tells no events, only actions.
      const action = record?.action && `${this.nameOf(record.actor)}: ${words.action(record.action)}`;
      const texts = events.length > 0 ? events.map((event) => words.event(event)) : [action ?? ""];
      return texts.filter(Boolean).map((text) => ({ n: record?.n ?? 0n, text }));
    });
    this.lines = [...old, ...this.lines];
    this.draw ??= drawOf(records.flatMap(({ events }) => events));
    const ends = records.flatMap((each) => each.roundEnd ?? []);
    this.rounds = [...ends, ...this.rounds];
    this.end ??= records.find((each) => each.gameEnd)?.gameEnd;
    if (this.end) this.sheet = this.rounds.at(-1);
    this.changed();
  }

  private nameOf(actor: Actor | undefined): string {
    const seat = seatOf(actor);
    return seat === undefined ? t("table") : seatName(this.view, seat);
  }

  // What the player picks.

  toggle(place: number): void {
    if (!this.picked.delete(place)) this.picked.add(place);
    this.hinted = undefined;
    this.changed();
    void this.ask();
  }

  pickOnly(place: number): void {
    if (this.picked.has(place)) return;
    this.picked = new Set([place]);
    this.changed();
    void this.ask();
  }

  clear(): void {
    [this.refusal, this.notice] = [[], ""];
    this.reset();
    this.changed();
    void this.ask();
  }

  /** Asks where the picked cards may go, and what else can be done; a later question overtakes an earlier one. */
  private ask(): Promise<void> {
    this.asking = this.question();
    return this.asking;
  }

  private async question(): Promise<void> {
    this.asked += 1;
    const { asked, isMine, view } = this;
    const isPlaying = view.phase === Phase.START || view.phase === Phase.PLAY || view.phase === Phase.TAKING;
    if (!isMine) [this.options, this.legal] = [[], []];
    else {
      try {
        const [found, legal] = await Promise.all([
          isPlaying && view.toAct === this.me ? this.game.options(this.held, this.chosen) : undefined,
          this.game.legal(),
        ]);
        if (asked !== this.asked) return;
        [this.options, this.legal] = [found?.options ?? [], legal];
      } catch (error) {
        if (asked === this.asked) this.fail(error);
      }
    }
    this.changed();
  }

  /** Shows a failure of a call. */
  fail: (error: unknown) => void = () => undefined;

  /** Returns the option of a place, the best of several. */
  option(destination: Destination, meld?: number): PlayOption | undefined {
    const found = this.options.filter((each) => each.destination === destination && (meld === undefined || each.meld === meld));
    const order: Verdict[] = ["legal", "short", "illegal"];
    return found.sort((a, b) => order.indexOf(verdictOf(a)) - order.indexOf(verdictOf(b)))[0];
  }

  /** Puts the picked cards to a place: plays them, lays them aside, or says why not. */
  async choose(option: PlayOption, isMore = false): Promise<void> {
    const verdict = verdictOf(option);
    this.notice = "";
    if (verdict === "legal" && !isMore) return this.act(option.action as Action);
    if (verdict === "illegal") {
      this.refusal = option.verdict.case === "rejected" ? option.verdict.value.violations : [];
      return this.changed();
    }
    this.chosen = option.action;
    this.refusal = [];
    this.hand = this.hand.filter((_, place) => !this.picked.has(place));
    this.picked.clear();
    this.changed();
    await this.ask();
  }

  /** Proposes an action. */
  async act(action: ActionInit): Promise<void> {
    if (this.isBusy) return;
    this.isSending = true;
    [this.refusal, this.notice] = [[], ""];
    this.changed();
    try {
      const answer = await this.game.act(action, this.view.seq);
      if (answer.case === "refused") this.refusal = answer.violations;
      else if (answer.case === "stale") this.notice = t("stale");
      else {
        [this.sent, this.lastOwn] = [answer.seq, answer.seq];
        if (this.isBusy) this.picked.clear();
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.isSending = false;
      this.changed();
    }
  }

  /** Suggests an action, and picks its cards. */
  async hint(): Promise<void> {
    try {
      const action = await this.game.suggest();
      this.reset(action ? cardsOf(action) : []);
      this.hinted = action;
      this.notice = action ? "" : t("nothingToDo");
      this.changed();
      await this.ask();
    } catch (error) {
      this.fail(error);
    }
  }

  get mayTakeBack(): boolean {
    return this.lastOwn > 0n && this.sheet === undefined && !this.isBusy;
  }

  /** Takes back the last own action, or agrees to an offer. */
  async takeBack(toSeq = this.lastOwn - 1n): Promise<void> {
    try {
      const answer = await this.game.takeBack(toSeq, this.view.seq);
      const why = answer.case === "refused" ? answer.refused?.reason ?? 0 : 0;
      this.notice = answer.case === "done" ? t("takenBack") : answer.case === "offered" ? t("takeBack.offered") : t(`takeBack.${why}` as "takeBack.0");
      if (answer.case === "done") this.lastOwn = 0n;
    } catch (error) {
      this.fail(error);
    }
    this.changed();
  }

  /** Lets a bot play a seat, or gives it back. */
  async setBot(seat: number, plays: boolean): Promise<void> {
    try {
      await this.room?.setBot(seat, plays);
      this.notice = t(plays ? "bot.plays" : "bot.gone", { name: seatName(this.view, seat) });
    } catch (error) {
      this.fail(error);
    }
    this.changed();
  }

  setPace(pace: Pace): void {
    this.pace = pace;
    set("pace", pace);
    this.changed();
  }

  open(panel: Panel | undefined): void {
    this.panel = panel;
    this.changed();
  }
}

/** Returns the draw for seats, if it is among these events. */
export const drawOf = (events: Event[]): Event_Drawn | undefined =>
  events.flatMap(({ kind }) => (kind.case === "drawn" ? kind.value : []))[0];

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

function count(cards: string[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const card of cards) counted.set(card, (counted.get(card) ?? 0) + 1);
  return counted;
}
