// The table on screen: draws the view of the seat, and turns clicks into proposals.

import { amount, face, fan, plural, short, sorted, spoken } from "./cards";
import { Choice, TOP, type Offer } from "./choose";
import { button, byId, h } from "./dom";
import type { Game, Proposal } from "./game";
import type { Line } from "./store";
import type { Action } from "./gen/canasta/v1/action_pb";
import { MeldKind } from "./gen/canasta/v1/action_pb";
import { Phase, type MeldView, type SeatView, type SideView } from "./gen/canasta/v1/view_pb";
import { LogPanel } from "./logpanel";
import { EYES, seat, type Actor, type Server } from "./server";
import { failure, refusal, sheet, side } from "./sheet";
import { cardsOf, describe, ended, frozen, meldWords } from "./words";

/** Number of legal actions shown at first; a button shows the rest. */
const SHOWN = 8;
/** The keys of the hand, and the buttons that they press. */
const KEYS: Record<string, string> = {
  d: '#legal [data-kind="drawStock"]',
  x: '#composed [data-kind="discard"]',
  h: "#hint",
  Escape: "#clear",
};

export class Table {
  private readonly choice: Choice;
  private readonly log: LogPanel;
  private isBusy = false;
  private showsAll = false;
  /** Whether another seat is to act and waits for the player's word. */
  private isWaiting = false;
  /** The place in the hand that Tab goes to; arrows move on from it. */
  private reached: number | typeof TOP = 0;
  /** The cards of the last view, by which new cards are marked. */
  private known = new Map<string, number>();
  /** Number of requests about the picked cards: the answer to an earlier request is dropped. */
  private asked = 0;

  constructor(private readonly server: Server, private readonly game: Game) {
    this.choice = new Choice(game);
    this.log = new LogPanel(game);
  }

  /** Plays from the deal on; resolves when the game waits for the player. */
  async play(): Promise<void> {
    byId("table").hidden = false;
    byId("table-title").textContent = this.game.start.ruleSet;
    byId("hint").onclick = () => void this.guarded(() => this.hint());
    byId("clear").onclick = () => this.reset();
    byId("eyes").onchange = () => void this.guarded(() => this.lookAs());
    byId("hand").onkeydown = (event) => this.key(event);
    byId("history").replaceChildren(...this.game.lines.map(listed));
    byId("sheets").replaceChildren(...this.game.rounds.map((round) => sheet(this.game, round)).reverse());
    byId("table-title").focus();
    await this.guarded(() => (this.game.isOver ? this.roundOver() : this.goOn()));
  }

  /** Runs one task at a time, and shows its failure. */
  private async guarded(work: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    byId("table").setAttribute("aria-busy", "true");
    try {
      await work();
    } catch (error) {
      // Nothing is lost: the state is still that of the last answer.
      const again = () => void this.guarded(() => (this.game.isOver ? this.roundOver() : this.goOn()));
      byId("refusal").replaceChildren(h("p", {}, failure(error)), button("Go on from the last answer", again));
    } finally {
      this.isBusy = false;
      byId("table").setAttribute("aria-busy", "false");
      this.keepFocus();
    }
  }

  /** Moves the focus to the next button if the pressed one is gone, and not to the top of the page. */
  private keepFocus(): void {
    if (document.activeElement !== document.body) return;
    const next = byId("next").querySelector<HTMLElement>("button") ?? byId("hand").querySelector<HTMLElement>('[tabindex="0"]');
    next?.focus({ preventScroll: true });
  }

  /** Lets the other seats act until it is the player's turn or the round is over; one at a time if the player wants. */
  private async goOn(): Promise<void> {
    byId("next").replaceChildren();
    byId("refusal").replaceChildren();
    for (;;) {
      const rounds = this.game.rounds.length;
      await this.look();
      if (this.game.next !== "bot" || this.game.legal.length > 0) return;
      const pace = byId<HTMLSelectElement>("pace").value;
      if (pace === "one" && this.game.view.toAct !== undefined) return this.wait(this.game.view.toAct);
      await pause(Number(pace));
      const done = await this.game.step();
      if (!done) return;
      this.tell(done.actor, done.action);
      if (this.game.rounds.length > rounds) return this.endRound();
    }
  }

  /** Pauses, so that the player can look around and try actions out of turn. */
  private wait(actor: number): void {
    this.isWaiting = true;
    this.draw();
    const release = async () => {
      const rounds = this.game.rounds.length;
      const done = await this.game.step();
      if (done) this.tell(done.actor, done.action);
      await (this.game.rounds.length > rounds ? this.endRound() : this.goOn());
    };
    byId("next").replaceChildren(button(`Let ${this.game.name(actor)} play`, () => void this.guarded(release), { class: "primary" }));
    byId("next").querySelector("button")?.focus();
  }

  /** Shows the table in the chosen view. */
  private async lookAs(): Promise<void> {
    this.game.eyes = EYES[byId<HTMLSelectElement>("eyes").value];
    await this.game.look();
    this.choice.refresh();
    this.known = new Map();
    this.draw();
  }

  private async propose(actor: Actor, action: Proposal): Promise<void> {
    const rounds = this.game.rounds.length;
    const refused = await this.game.act(actor, action);
    if (refused) {
      byId("refusal").replaceChildren(...(await refusal(this.server, refused.violations)));
      return;
    }
    byId("refusal").replaceChildren();
    this.tell(actor, action as Action);
    await (this.game.rounds.length > rounds ? this.endRound() : this.goOn());
  }

  private async hint(): Promise<void> {
    const action = await this.game.suggest(seat(this.game.me));
    if (!action) return byId("hinted").replaceChildren(h("p", { class: "note" }, "There is nothing for you to do now."));
    this.choice.pick(cardsOf(action));
    this.draw();
    byId("hinted").replaceChildren(this.offer({ text: `Suggested: ${describe(action, this.game.melds(this.game.me))}`, action, isLegal: true }, "hinted"));
    byId("hinted").querySelector("button")?.focus();
  }

  private async endRound(): Promise<void> {
    const round = this.game.rounds.at(-1);
    if (!round) return;
    this.line(this.game.end ? "The game is over." : `Round ${round.round} is over.`);
    byId("sheets").prepend(sheet(this.game, round));
    byId<HTMLDetailsElement>("scores").open = true;
    await this.roundOver();
  }

  /** Shows the table at the end of the round, until the player continues. */
  private async roundOver(): Promise<void> {
    await this.game.lookBack();
    byId("refusal").replaceChildren();
    this.choice.refresh();
    this.known = new Map();
    this.draw();
    const { end } = this.game;
    if (end) {
      const winner = end.winner === undefined ? "Nobody wins" : `${this.winner(end.winner)} won by ${end.margin}`;
      byId("next").replaceChildren(h("p", { class: "won" }, `${winner}. The log is complete: have it audited below.`));
    } else {
      byId("next").replaceChildren(button("Next round", () => void this.guarded(() => this.nextRound()), { class: "primary" }));
    }
    byId("next").querySelector("button")?.focus();
  }

  private async nextRound(): Promise<void> {
    this.game.leave();
    await this.goOn();
  }

  private winner(number: number): string {
    return this.game.view.sides.some((each) => each.score !== undefined) ? side(this.game, number) : this.game.name(number);
  }

  private async look(): Promise<void> {
    await this.game.look();
    this.showsAll = false;
    this.isWaiting = false;
    this.choice.refresh();
    this.draw();
    this.known = count(this.choice.hand);
  }

  private reset(): void {
    this.choice.refresh();
    byId("refusal").replaceChildren();
    this.draw();
  }

  private tell(actor: Actor, action: Action): void {
    const number = actor.who?.case === "seat" ? (actor.who.value as number) : undefined;
    const who = number === undefined ? "The table" : this.game.name(number);
    this.line(`${who}: ${describe(action, number === undefined ? [] : this.game.melds(number))}`, this.game.last);
  }

  private line(text: string, record?: number): void {
    const lines = byId("history");
    lines.append(listed(this.game.line(text, record)));
    while (lines.childElementCount > this.game.lines.length) lines.firstElementChild?.remove();
    byId("history-log").scrollTop = lines.scrollHeight;
  }

  // The parts of the view.

  private draw(): void {
    const { view, me } = this.game;
    byId("round").textContent = view.round === 0 ? "Drawing for seats" : `Round ${view.round}`;
    byId("turn").textContent = this.whoseTurn();
    const others = Array.from({ length: view.seats.length - 1 }, (_, step) => view.seats[(me + 1 + step) % view.seats.length]);
    byId("others").replaceChildren(...others.filter((each) => each !== undefined).map((each) => this.seat(each)));
    const own = view.seats[me]?.side ?? 0;
    const sides = [...view.sides].sort((a, b) => Number(b.side === own) - Number(a.side === own));
    byId("sides").replaceChildren(...sides.map((each) => this.side(each, each.side === own)));
    byId("centre").replaceChildren(...this.centre());
    this.drawHand();
    byId("unkept").hidden = this.game.isKept;
    this.log.refresh();
  }

  private whoseTurn(): string {
    const { view, next, eyes } = this.game;
    const round = this.game.rounds.at(-1);
    if (round && this.game.isOver) {
      if (this.game.end) return "The game is over";
      return `Round ${round.round} is over: ${ended(round.reason).toLowerCase()}${round.seat === undefined ? "" : `, ${this.game.name(round.seat)}`}`;
    }
    if (next === "nobody") return "The game is over";
    if (next === "me") {
      if (eyes !== undefined) return "Your turn: look as yourself to play";
      if (view.phase === Phase.ASKED) return "You are asked: answer";
      return view.phase === Phase.START ? "Your turn: draw or take the pile" : "Your turn: meld, then discard";
    }
    if (this.game.legal.length > 0) return "Out of turn: you may act now";
    return view.toAct === undefined ? "The table deals" : `${this.game.name(view.toAct)} plays`;
  }

  private seat(of: SeatView): HTMLElement {
    const { view, me } = this.game;
    const isMate = of.side === view.seats[me]?.side;
    const score = of.score === undefined ? "" : ` · ${of.score}`;
    const backs = h("span", { class: "backs" }, ...Array.from({ length: Math.min(of.handSize, 15) }, () => face("back")));
    const hand = of.hand.length > 0 ? h("span", { class: "open" }, fan(sorted(of.hand))) : backs;
    return h(
      "li",
      { class: `seat${view.toAct === of.seat ? " acts" : ""}`, "aria-current": view.toAct === of.seat && "true" },
      h("strong", {}, this.game.name(of.seat)),
      h("span", { class: "note" }, `${isMate ? "your partner" : "opponent"}${view.dealer === of.seat ? ", dealer" : ""}${score}`),
      hand,
      h("span", { class: "note" }, `${amount(of.handSize)}${of.footSize > 0 ? `, foot of ${of.footSize}` : ""}`),
      of.laid.length > 0 && fan(of.laid),
    );
  }

  private side(of: SideView, isOwn: boolean): HTMLElement {
    const own = this.game.view.seats[this.game.me];
    const laid = isOwn ? (own?.laid ?? []) : [];
    const minimum = of.minimum ?? (isOwn ? own?.minimum : undefined);
    const score = of.score ?? (isOwn ? own?.score : undefined);
    const facts = [
      score !== undefined && `${score} points`,
      !of.opened && minimum !== undefined && `first meld needs ${minimum}`,
    ].filter((fact) => fact !== false);
    return h(
      "section",
      { class: isOwn ? "side own" : "side", "aria-label": `Melds of ${side(this.game, of.side)}` },
      h("h3", {}, side(this.game, of.side), " ", h("span", { class: "note" }, facts.join(" · "))),
      laid.length > 0 && h("div", { class: "laid" }, h("span", { class: "note" }, "Your threes"), fan(laid)),
      h("ul", { class: "melds" }, ...of.melds.map((meld) => this.meld(meld, isOwn))),
    );
  }

  private meld(meld: SideView["melds"][number], isOwn: boolean): HTMLElement {
    const words = meldWords(meld);
    const canAdd = isOwn && this.mayTry && this.choice.picked.size > 0;
    const add = () => void this.guarded(() => this.propose(seat(this.game.me), this.choice.onto(meld.id)));
    return h(
      "li",
      { class: meld.grade === 0 ? "meld" : "meld canasta" },
      fan(inOrder(meld)),
      h("span", { class: "note" }, words),
      canAdd && button("Add here", add, { "aria-label": `Add here: the picked cards to ${words}` }),
    );
  }

  private centre(): Node[] {
    const { pile, stock, takenTop } = this.game.view;
    const top = pile?.top ?? "";
    const causes = [...new Set([...(pile?.frozen ?? []), ...this.ownFrozen()])];
    const isStart = this.mayTry && this.game.view.phase === Phase.START;
    const pressed = (what: Node, label: string, action: () => Proposal) => {
      if (!isStart) return what;
      const element = button("", () => void this.guarded(() => this.propose(seat(this.game.me), action())), { class: "zone", "aria-label": label });
      element.append(what);
      return element;
    };
    const draw = (): Proposal => ({ kind: { case: "drawStock", value: {} } });
    return [
      h(
        "figure",
        {},
        stock > 0 ? pressed(face("back"), "Draw from the stock", draw) : h("span", { class: "empty" }),
        h("figcaption", {}, `Stock: ${stock}`),
      ),
      h(
        "figure",
        { class: causes.length > 0 ? "frozen" : "" },
        top === "" ? h("span", { class: "empty" }) : pressed(fan([top]), "Take the pile with the picked cards", () => this.choice.take()),
        h("figcaption", {}, `Pile: ${top === "" ? "empty" : `${short(top)}, ${amount(pile?.size ?? 0)}`}`),
        causes.length > 0 && h("span", { class: "badge" }, `Frozen: ${frozen(causes)}`),
      ),
      ...(takenTop === "" ? [] : [h("figure", {}, face(takenTop), h("figcaption", {}, `Taken for now: ${spoken(takenTop)}`))]),
    ];
  }

  // The player's actions.

  private drawHand(): void {
    const { view } = this.game;
    if (this.reached !== TOP && this.reached >= this.choice.hand.length) this.reached = 0;
    if (this.reached === TOP && view.takenTop === "") this.reached = 0;
    const fresh = count(this.choice.hand);
    for (const [card, times] of this.known) fresh.set(card, (fresh.get(card) ?? 0) - times);
    const cards = this.choice.hand.map((card, place) => {
      const isNew = this.known.size > 0 && (fresh.get(card) ?? 0) > 0;
      if (isNew) fresh.set(card, (fresh.get(card) ?? 0) - 1);
      return this.card(card, place, isNew);
    });
    if (view.takenTop !== "") cards.push(this.card(view.takenTop, TOP, true));
    byId("hand").replaceChildren(...cards);
    byId("hand-section").hidden = cards.length === 0;
    const own = view.seats[this.game.me];
    const foot = own && own.footSize > 0 ? ` · your foot: ${amount(own.footSize)}, face down` : "";
    byId("hand-title").textContent = `Your hand: ${amount(this.choice.hand.length)}${foot}${view.dealer === this.game.me ? " · you are the dealer" : ""}`;
    byId("staged").replaceChildren(...this.choice.staged.map((group) => h("li", {}, fan(group.cards))));
    byId("actions").hidden = !this.mayTry;
    byId("hinted").replaceChildren();
    if (this.mayTry) this.drawOffers();
  }

  /** Whether the player may try an action, in turn, or out of turn while the others wait. */
  private get mayTry(): boolean {
    const { next, legal, eyes } = this.game;
    return eyes === undefined && !this.game.isOver && (next === "me" || legal.length > 0 || this.isWaiting);
  }

  private card(card: string, place: number | typeof TOP, isNew: boolean): HTMLElement {
    const isPicked = this.choice.picked.has(place);
    const label = `${spoken(card)}${place === TOP ? ", taken from the pile" : isNew ? ", new" : ""}`;
    const toggle = () => {
      this.choice.toggle(place);
      this.reached = place;
      this.draw();
      byId("hand").querySelector<HTMLElement>(`[data-place="${place}"]`)?.focus();
    };
    const props = { class: `card${isNew ? " new" : ""}`, "aria-pressed": `${isPicked}`, "aria-label": label, "data-place": `${place}`, "data-card": card, title: short(card), tabindex: place === this.reached ? 0 : -1 };
    const element = button("", toggle, props);
    element.append(face(card));
    return element;
  }

  private drawOffers(): void {
    const offers = this.choice.legal();
    const shown = this.showsAll ? offers : offers.slice(0, SHOWN);
    const more = offers.length - shown.length;
    const all = () => {
      this.showsAll = true;
      this.draw();
    };
    const isMulti = this.choice.picked.size > 0 && this.game.view.phase !== Phase.ASKED;
    const stage = () => {
      this.choice.stage();
      this.draw();
    };
    const composed = this.choice.composed().map((offer) => ({ offer, element: this.offer(offer, "composed") }));
    byId("composed").replaceChildren(
      ...composed.map(({ element }) => element),
      ...(isMulti ? [button("Lay aside as one group of several", stage)] : []),
    );
    byId("legal-title").textContent = this.choice.picked.size > 0 ? `Legal with ${words(this.choice.cards)}` : "Legal now";
    byId("legal").replaceChildren(
      ...shown.map((offer) => h("li", {}, this.offer(offer, "legal"))),
      ...(more > 0 ? [h("li", {}, button(`${more} more`, all))] : []),
    );
    void this.judge(composed);
    if (this.game.next !== "me" && !this.isWaiting) {
      byId("next").replaceChildren(button("Let the others go on", () => void this.guarded(() => this.waive()), { class: "primary" }));
    }
  }

  /** Asks the service about the picked cards: the list of legal actions is a selection, and may lack a legal one. */
  private async judge(composed: { offer: Offer; element: HTMLElement }[]): Promise<void> {
    this.asked += 1;
    const { asked } = this;
    const say = (text: string) => (byId("verdict").textContent = text);
    if (composed.length === 0) return void say(this.isWaiting ? "It is not your turn. Pick a card and try, and see why not." : "");
    const verdicts = await Promise.all(composed.map(({ offer }) => this.game.isLegal(offer.action)));
    if (asked !== this.asked) return;
    for (const [at, { element }] of composed.entries()) element.className = verdicts[at] ? "legal" : "free";
    const legal = composed.filter((_, at) => verdicts[at]).map(({ offer }) => offer.text);
    say(legal.length > 0 ? `Legal as picked: ${legal.join(", ")}.` : "Not legal as picked. You can try it all the same, and see why.");
  }

  /** Passes up the actions out of turn. */
  private async waive(): Promise<void> {
    this.game.legal = [];
    const done = await this.game.step();
    if (done) this.tell(done.actor, done.action);
    await this.goOn();
  }

  private offer({ text, action, isLegal }: Offer, kind: string): HTMLElement {
    const click = () => void this.guarded(() => this.propose(seat(this.game.me), action));
    return button(text, click, { class: isLegal ? "legal" : "free", "data-offer": kind, "data-kind": action.kind?.case });
  }

  private ownFrozen() {
    const own = this.game.view.seats[this.game.me]?.side;
    return this.game.view.sides.find((each) => each.side === own)?.frozen ?? [];
  }

  /** Handles keys: left and right move through the hand, letters press the most used buttons. */
  private key(event: KeyboardEvent): void {
    const pressed = event.ctrlKey || event.altKey || event.metaKey ? undefined : KEYS[event.key];
    if (pressed !== undefined) return document.querySelector<HTMLElement>(pressed)?.click();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const cards = [...byId("hand").querySelectorAll<HTMLElement>("button")];
    const place = cards.indexOf(document.activeElement as HTMLElement);
    if (step === undefined || place < 0) return;
    event.preventDefault();
    const to = (place + step + cards.length) % cards.length;
    for (const [at, card] of cards.entries()) card.tabIndex = at === to ? 0 : -1;
    cards[to]?.focus();
  }
}

function listed({ text, record }: Line): HTMLElement {
  return h("li", record === undefined ? { class: "between" } : { value: record }, text);
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Returns the cards of a meld in the order shown: a sequence from its highest card down. */
function inOrder(meld: MeldView): string[] {
  return meld.kind === MeldKind.SEQUENCE ? sorted(meld.cards) : meld.cards;
}

function count(cards: string[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const card of cards) counted.set(card, (counted.get(card) ?? 0) + 1);
  return counted;
}

function words(cards: string[]): string {
  return cards.length === 1 ? spoken(cards[0] ?? "") : [...new Set(cards.map((card) => plural(card.charAt(0))))].join(", ");
}
