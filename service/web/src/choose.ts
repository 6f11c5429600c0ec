// The cards that the player has picked, and the actions made of them. The service may refuse any: it is the judge.

import { MeldKind } from "./gen/canasta/v1/action_pb";
import { Phase } from "./gen/canasta/v1/view_pb";
import { isWild, list, rank, sorted, suit } from "./cards";
import type { Game, Proposal } from "./game";
import { cardsOf, describe } from "./words";

/** An action that the player can propose, shown as a button. */
export interface Offer {
  text: string;
  action: Proposal;
  /** Whether the action is in the list of legal actions. */
  isLegal: boolean;
}

/** A group of cards laid aside for one meld. */
interface Staged {
  cards: string[];
  top: boolean;
}

/** The place in the hand of the card that was taken tentatively. */
export const TOP = "top";

export class Choice {
  /** The picked cards, by place in the hand; `TOP` for the card taken tentatively. */
  picked = new Set<number | typeof TOP>();
  staged: Staged[] = [];
  /** The hand as it is shown, without the cards laid aside. */
  hand: string[] = [];

  constructor(private readonly game: Game) {
    this.refresh();
  }

  /** Starts again with the current hand. */
  refresh(): void {
    this.picked.clear();
    this.staged = [];
    this.hand = sorted(this.game.view.seats[this.game.me]?.hand ?? []);
  }

  toggle(place: number | typeof TOP): void {
    if (!this.picked.delete(place)) this.picked.add(place);
  }

  /** Picks these cards of the hand, as a hint does. */
  pick(cards: string[]): void {
    this.refresh();
    for (const card of cards) {
      const place = this.hand.findIndex((other, index) => other === card && !this.picked.has(index));
      if (place >= 0) this.picked.add(place);
    }
  }

  get cards(): string[] {
    return this.hand.filter((_, place) => this.picked.has(place));
  }

  /** Lays the picked cards aside as one of several groups. */
  stage(): void {
    this.staged.push({ cards: this.cards, top: this.picked.has(TOP) });
    this.hand = this.hand.filter((_, place) => !this.picked.has(place));
    this.picked.clear();
  }

  /** Returns the actions that the picked cards and the groups laid aside can make, legal or not. */
  composed(): Offer[] {
    const { cards } = this;
    const hasTop = this.picked.has(TOP);
    const groups = [...this.staged, ...(this.picked.size > 0 ? [{ cards, top: hasTop }] : [])].map(toGroup);
    const offers: Proposal[] = [];
    if (this.game.view.phase === Phase.START && this.picked.size > 0) offers.push(this.take());
    if (groups.length > 0) offers.push({ kind: { case: "meld", value: { groups } } });
    if (cards.length > 0 && cards.every((card) => rank(card) === "3")) {
      offers.push({ kind: { case: "layThrees", value: { cards } } });
    }
    const [card] = cards;
    if (cards.length === 1 && !hasTop && card !== undefined && this.staged.length === 0) {
      offers.unshift({ kind: { case: "discard", value: { card } } });
    }
    const words = (offer: Proposal) => {
      if (offer.kind?.case === "discard") return `Discard ${list(cards)}`;
      if (offer.kind?.case === "layThrees") return `Lay ${list(cards)} before you`;
      if (offer.kind?.case === "takePile") return `Take the pile with ${list(cards)}${this.staged.length > 0 ? " and the groups" : ""}`;
      return groups.length === 1 ? `Meld ${list(cards)}` : `Meld all ${groups.length} groups together`;
    };
    return offers.map((action) => ({ text: words(action), action, isLegal: false }));
  }

  /** Returns the action that takes the pile with the picked cards and melds the groups laid aside. */
  take(): Proposal {
    return { kind: { case: "takePile", value: { cards: this.cards, also: this.staged.map(toGroup) } } };
  }

  /** Returns the action that puts the picked cards on a meld of the player's side. */
  onto(id: number): Proposal {
    const group = toGroup({ cards: this.cards, top: this.picked.has(TOP) });
    const onto = { where: { case: "meld" as const, value: { id } } };
    return { kind: { case: "meld", value: { groups: [{ ...group, onto }] } } };
  }

  /** Returns the legal actions that use the picked cards (by rank), those with the fewest other cards first. */
  legal(): Offer[] {
    const wanted = this.cards.map(rank);
    const fits = this.game.legal
      .map((action) => ({ action, ranks: cardsOf(action).map(rank) }))
      .filter(({ ranks }) => wanted.length === 0 || contains(ranks, wanted))
      .filter(({ action }) => wanted.length !== 1 || action.kind.case !== "discard" || cardsOf(action)[0] === this.cards[0]);
    // Nothing is picked: the actions that need no cards come first.
    fits.sort((a, b) => a.ranks.length - b.ranks.length);
    return fits.map(({ action }) => ({ text: describe(action, this.game.melds(this.game.me)), action, isLegal: true }));
  }
}

function toGroup({ cards, top }: Staged) {
  return { kind: meant(cards), cards, top };
}

/** Guesses the kind of a group; a wrong guess is refused by a rule, and the legal actions name the right kind. */
function meant(cards: string[]): MeldKind {
  const natural = cards.filter((card) => !isWild(card));
  if (natural.length === 0) return MeldKind.WILD;
  const [first = ""] = natural;
  if (natural.every((card) => rank(card) === "3" && "sc".includes(suit(card)))) return MeldKind.BLACK_THREES;
  const isRun = natural.length > 1 && natural.every((card) => suit(card) === suit(first));
  return isRun && new Set(natural.map(rank)).size === natural.length ? MeldKind.SEQUENCE : MeldKind.SET;
}

function contains(all: string[], some: string[]): boolean {
  const rest = [...all];
  return some.every((each) => {
    const place = rest.indexOf(each);
    if (place >= 0) rest.splice(place, 1);
    return place >= 0;
  });
}
