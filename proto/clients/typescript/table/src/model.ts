// The table of one person: what is shown, what is picked, and what becomes of it. It knows no rule.

import {
  type Action, type ClockState, type DescribedRecord, Destination, type EndOffer, type Event, type Event_Drawn, type GameEnd,
  type News, OpenGame, Phase, type PlayOption, type ActionInit, RoomGame, type RoundEnd, seatOf, type TableGame, type TakeBackOffer,
  type View, type Violation,
} from "canasta-client";
import { inHand, type Order } from "./cards";
import { handOf, keepHand, level, set, setting } from "./keeper";
import { handsOf, itemsOf } from "./counting";
import type { Meeting } from "./meeting";
import { capture, fly, isStill } from "./motion";
import { Sentences } from "./sentences";
import { cardsOf, verdictOf, type Verdict } from "./targets";
import { type Line, takenBack, told } from "./told";
import { seatName, t } from "./words";

/** The pauses after what others do, in milliseconds. */
export const PACES = { slow: 1400, brisk: 550, once: 0 } as const;
export type Pace = keyof typeof PACES;

/** The pause between two lines that are counted, in milliseconds. */
const COUNT_MS = 650;
/** Longest time until everybody's cards are turned, in milliseconds. */
const MOST_TURN_MS = 2500;

export type Panel = "history" | "scores" | "room" | "log" | "values" | "moves" | "replay" | "guide" | "calls";


export class Table {
  view!: View;
  clock: ClockState | undefined;
  /** The page's time at which `clock` came, in milliseconds. */
  clockAt = 0;
  offer: TakeBackOffer | undefined;
  /** What the offer would take back, in sentences. */
  offered: string[] = [];
  endOffer: EndOffer | undefined;
  /** The room of the game; undefined: it has none. */
  meeting: Meeting | undefined;
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
  /** The reason for what is hinted. */
  why = "";
  refusal: Violation[] = [];
  /** A sentence that is not about a rule. */
  notice = "";
  rounds: RoundEnd[] = [];
  /** The cards drawn for seats, in round 0. */
  draw: Event_Drawn | undefined;
  end: GameEnd | undefined;
  /** The round whose end is shown until it is dismissed. */
  sheet: RoundEnd | undefined;
  /** Number of the sheet's lines that are counted on the table; below all of them the sheet waits. */
  counted = Infinity;
  lines: Line[] = [];
  /** What has just happened, in sentences. */
  happened: string[] = [];
  /** The page's time since which the same seat is to act, in milliseconds. */
  thinksSince = 0;
  /** The order of the hand; unset until it is known whether the rule set has sequences. */
  order: Order | undefined;
  /** The cards of the hand in the player's own order. */
  private own: string[] = [];
  panel: Panel | undefined;
  pace: Pace = (setting("pace") as Pace | undefined) ?? "brisk";
  /** The seats that bots of the recorder play. */
  botSeats: number[] = [];
  /** The seats whose players are there. */
  present: number[] = [];
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
  /** Whether it is not known yet what is legal in this position. */
  private isAsking = false;
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

  /** Whether what can be done is about to change. */
  get isChanging(): boolean {
    return this.isBusy || this.isAsking;
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
      const kept = handOf(this.game.id);
      [this.order, this.own] = [kept?.order, kept?.own ?? []];
      this.show(news);
      this.changed();
      void this.recall();
      void this.orderByRules();
      return this.ask();
    }
    this.draw ??= drawOf(news.events);
    if (news.roundEnd) await this.over(news.roundEnd, news);
    const before = capture();
    const hasMoved = news.view.seq !== this.view.seq || news.takenBackToSeq !== undefined || news.skipped > 0;
    if (news.takenBackToSeq !== undefined) this.notice = t("takenBack");
    else if (hasMoved && by !== this.me) this.notice = "";
    this.note(news, by);
    this.show(news);
    if (news.gameEnd) {
      this.end = news.gameEnd;
      void this.meeting?.look();
    }
    this.changed();
    if (hasMoved) void this.ask();
    if (news.events.length === 0) return;
    const ms = this.pace === "once" ? 0 : fly(news.events, before, by, this.me);
    const isOwn = by === this.me && by !== undefined;
    if (!isOwn) await pause(Math.max(ms, PACES[this.pace]));
  }

  private show({ view, clock, offer, endOffer, takenBackToSeq, botSeats, present, gameEnd }: News): void {
    // What was just played is not picked again.
    const held = this.isSending ? [] : this.held;
    const before = this.view === undefined ? undefined : count(this.view.seats[this.me ?? -1]?.hand ?? []);
    const isSame = this.view?.seq === view.seq && takenBackToSeq === undefined;
    if (this.view?.toAct !== view.toAct || this.view?.round !== view.round) this.thinksSince = performance.now();
    // An own offer that is gone without a move was declined.
    if ((this.offer ?? this.endOffer)?.by === this.me && this.me !== undefined && isSame && !offer && !endOffer && !gameEnd) this.notice = t("offer.declined");
    this.view = view;
    this.meeting?.name(view);
    if (offer && offer.toSeq !== this.offer?.toSeq) void this.explain(offer.toSeq);
    [this.clock, this.clockAt, this.offer, this.endOffer, this.botSeats] = [clock, performance.now(), offer, endOffer, botSeats];
    this.present = present.flatMap(({ seat }) => seat ?? []);
    if (isSame) return;
    // What was legal before is no longer shown: the press meant for it would be another move.
    [this.legal, this.isAsking, this.fresh] = [[], true, []];
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
    [this.hinted, this.why] = [undefined, ""];
    this.options = [];
    this.hand = inHand(this.view.seats[this.me ?? -1]?.hand ?? [], this.order, this.own);
    if (this.order === "own") this.own = this.hand;
    this.pickCards(held);
  }

  /** Lets sequences lie together where the rule set has them, unless the player has chosen an order. */
  private async orderByRules(): Promise<void> {
    if (this.order !== undefined || this.me === undefined) return;
    const canonical = await this.game.ruleSet().catch(() => undefined);
    // The log of a room is empty until its first round is over: then only the name of the rules is known.
    const { sequences } = canonical ? (JSON.parse(canonical) as { sequences?: boolean }) : { sequences: /^(samba|bolivia)-/.test(this.view.ruleSet) };
    if (sequences && this.order === undefined) this.arrange("suit", false);
  }

  /** Orders the hand, and keeps that for this game. */
  arrange(order: Order, isKept = true): void {
    const held = this.held;
    this.order = order;
    this.own = this.hand;
    this.hand = inHand(this.hand, order, this.own);
    if (order !== "own") this.pickCards(held);
    if (isKept) keepHand(this.game.id, order, this.own);
    this.changed();
  }

  /** Moves cards of the hand, by place, before the card of another place: from now on the order is the player's own. */
  move(places: number[], before: number): void {
    const all = this.hand.map((_, place) => place);
    const rest = all.filter((place) => !places.includes(place));
    const at = rest.filter((place) => place < before).length;
    const order = [...rest.slice(0, at), ...places, ...rest.slice(at)];
    this.hand = order.map((place) => this.hand[place] as string);
    this.picked = new Set(all.filter((place) => this.picked.has(order[place] as number)));
    this.arrange("own");
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
      this.meeting?.name(this.view);
      this.reset();
    }
    [this.sheet, this.refusal, this.end] = [round, [], news.gameEnd];
    this.panel = undefined;
    this.counted = this.pace === "once" || isStill() ? Infinity : 0;
    this.changed();
    // Before the sheet everybody's cards are turned, and counted on the table.
    const turned = this.turn(round, news.view.n);
    if (this.counted === 0) await Promise.race([turned, pause(MOST_TURN_MS)]);
    while (this.counted <= itemsOf(round).length) {
      await pause(COUNT_MS);
      this.counted += 1;
      this.changed();
    }
    if (news.gameEnd) return;
    await new Promise<void>((done) => (this.dismissed = done));
  }

  /** Turns everybody's cards at the end of a round. */
  private async turn({ round }: RoundEnd, n: bigint): Promise<void> {
    const { game, view } = this;
    if (view.round !== round) return;
    const hands = await handsOf(game, round, n).catch(() => undefined);
    if (!hands || this.view !== view) return;
    for (const seat of view.seats) if (seat.seat !== this.me) seat.hand = hands[seat.seat] ?? [];
    this.changed();
  }

  /** Leaves the end of the round. */
  dismiss(): void {
    this.sheet = undefined;
    this.changed();
    this.dismissed();
  }

  private note({ view, events }: News, by: number | undefined): void {
    const words = new Sentences(view, this.side);
    const texts = events.map((event) => words.event(event)).filter(Boolean);
    for (const text of texts) this.lines.push({ n: view.n, text });
    const short = new Sentences(view, this.side, by);
    if (texts.length > 0) this.happened = events.map((event) => short.event(event)).filter(Boolean);
  }

  /** Gets what happened before this page was opened. */
  private async recall(): Promise<void> {
    const records = await this.game.describe(0n, this.view.n, false).catch(() => [] as DescribedRecord[]);
    this.lines = [...told(records, this.view, this.side), ...this.lines];
    this.draw ??= drawOf(records.flatMap(({ events }) => events));
    const ends = records.flatMap((each) => each.roundEnd ?? []);
    this.rounds = [...ends, ...this.rounds];
    this.end ??= records.find((each) => each.gameEnd)?.gameEnd;
    if (this.end) this.sheet = this.rounds.at(-1);
    this.changed();
  }

  /** Finds the words for what an offer would take back. */
  private async explain(toSeq: bigint): Promise<void> {
    this.offered = [];
    this.offered = await takenBack(this.game, this.view, this.side, toSeq);
    this.changed();
  }

  // What the player picks.

  toggle(place: number): void {
    if (!this.picked.delete(place)) this.picked.add(place);
    [this.hinted, this.why] = [undefined, ""];
    this.changed();
    void this.ask();
  }

  /** Picks nothing. */
  drop(): void {
    this.picked.clear();
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
        if (asked !== this.asked) return;
        this.fail(error);
      }
    }
    this.isAsking = false;
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

  /** Suggests an action, as strong as the bots are, and picks its cards. */
  async hint(): Promise<void> {
    try {
      const { action, reason } = await this.game.suggest(level());
      this.reset(action ? cardsOf(action) : []);
      this.hinted = action;
      this.why = this.words.reason(reason);
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
      this.notice = answer.case === "done" ? t("takenBack") : answer.case === "offered" ? "" : t(`takeBack.${why}` as "takeBack.0");
      if (answer.case === "done") this.lastOwn = 0n;
    } catch (error) {
      this.fail(error);
    }
    this.changed();
  }

  /** Lets a bot play a seat, or gives it back. */
  async setBot(seat: number, plays: boolean): Promise<void> {
    try {
      await (this.meeting ? this.meeting.bot(this.meeting.chairOf(seat), plays) : this.room?.setBot(seat, plays));
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
