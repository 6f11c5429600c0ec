// What the player has picked, and the actions that can be made of it. Any of them may be refused: the service judges.

import { MeldKind } from "./gen/canasta/v1/action_pb";
import { Phase } from "./gen/canasta/v1/view_pb";
import { isWild, list, rank, sorted, suit } from "./cards";
import type { Game, Proposal } from "./game";
import { cardsOf, describe } from "./words";

/** Something that can be proposed, as a button. */
export interface Offer {
  text: string;
  action: Proposal;
  /** In the list of legal actions. */
  isLegal: boolean;
}

/** A group of cards laid aside for one meld. */
interface Staged {
  cards: string[];
  top: boolean;
}

/** Stands in the hand for the card that was taken tentatively. */
export const TOP = "top";

export class Choice {
  /** Cards of the hand, by place in it; `TOP` by name. */
  picked = new Set<number | typeof TOP>();
  staged: Staged[] = [];
  /** The hand as it is shown, without what is laid aside. */
  hand: string[] = [];

  constructor(private readonly game: Game) {
    this.refresh();
  }

  /** Begins again with the hand as it is now. */
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

  /** Lays the picked cards aside as one group of several. */
  stage(): void {
    this.staged.push({ cards: this.cards, top: this.picked.has(TOP) });
    this.hand = this.hand.filter((_, place) => !this.picked.has(place));
    this.picked.clear();
  }

  /** What can be made of the picked cards and the groups laid aside, whatever the rules say. */
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

  /** Takes the pile with the picked cards, and melds the groups laid aside. */
  take(): Proposal {
    return { kind: { case: "takePile", value: { with: this.cards, also: this.staged.map(toGroup) } } };
  }

  /** Puts the picked cards on a meld of the own side. */
  onto(id: number): Proposal {
    const group = toGroup({ cards: this.cards, top: this.picked.has(TOP) });
    const onto = { where: { case: "meld" as const, value: { id } } };
    return { kind: { case: "meld", value: { groups: [{ ...group, onto }] } } };
  }

  /** Legal actions that use the picked cards (by rank: suits rarely matter), those that use fewest others first. */
  legal(): Offer[] {
    const wanted = this.cards.map(rank);
    const fits = this.game.legal
      .map((action) => ({ action, ranks: cardsOf(action).map(rank) }))
      .filter(({ ranks }) => wanted.length === 0 || contains(ranks, wanted))
      .filter(({ action }) => wanted.length !== 1 || action.kind.case !== "discard" || cardsOf(action)[0] === this.cards[0]);
    // Without a choice of cards: what needs none first.
    fits.sort((a, b) => a.ranks.length - b.ranks.length);
    return fits.map(({ action }) => ({ text: describe(action, this.game.melds(this.game.me)), action, isLegal: true }));
  }
}

function toGroup({ cards, top }: Staged) {
  return { kind: meant(cards), cards, top };
}

/** What a group is meant to be; a wrong guess is refused by rule, and the legal actions name the right one. */
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
