// Cards as text (`Ks`, `Th`, `X`) and as faces: the page holds one SVG symbol per card.

import type { JSX } from "preact";

const SUITS = "cdhs";
const RANKS = "A23456789TJQK";
/** The letters of cards in the data of a report page: clubs, diamonds, hearts and spades from the ace up; the joker is none. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The order of a hand: from the ace down, then threes, twos and jokers. */
const ORDER = "AKQJT9876543" + "2X";
const SIGNS: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };

export const rank = (card: string): string => card.charAt(0);
export const suit = (card: string): string => card.charAt(1);
export const isWild = (card: string): boolean => rank(card) === "X" || rank(card) === "2";

/** Returns the cards of a text with one letter per card, as report pages have it. */
export function fromLetters(letters: unknown): string[] {
  return [...String(letters ?? "")].map((letter) => {
    const kind = LETTERS.indexOf(letter);
    return kind < 0 ? "X" : RANKS.charAt(kind % 13) + SUITS.charAt(Math.floor(kind / 13));
  });
}

/** Returns a card's short name for buttons and lists: `K♠`. */
export function short(card: string): string {
  if (card === "X") return "Joker";
  if (card === "T") return "10";
  return `${rank(card) === "T" ? "10" : rank(card)}${SIGNS[suit(card)] ?? ""}`;
}

export function sorted(cards: readonly string[]): string[] {
  const place = (card: string) => ORDER.indexOf(rank(card)) * 4 + (3 - SUITS.indexOf(suit(card)));
  return [...cards].sort((a, b) => place(a) - place(b));
}

/** How a hand lies: by rank, by suit, so that sequences lie together, or as the player has put it. */
export const ORDERS = ["rank", "suit", "own"] as const;
export type Order = (typeof ORDERS)[number];
/** Colours alternate, so that neighbours are told apart. */
const BY_SUIT = "shcd";

/** Returns the cards of a hand in an order; in the player's `own`, what is new lies at the end. */
export function inHand(cards: readonly string[], order: Order | undefined, own: readonly string[]): string[] {
  if (order === "own") {
    const left = [...cards];
    const known = own.filter((card) => left.includes(card) && left.splice(left.indexOf(card), 1));
    return [...known, ...left];
  }
  if (order !== "suit") return sorted(cards);
  const place = (card: string) => (isWild(card) ? 9 : BY_SUIT.indexOf(suit(card)));
  return sorted(cards).sort((a, b) => place(a) - place(b));
}

/** Returns a meld's cards in the order shown, the last on top: it tells the rank. A sequence goes from its highest card down. */
export function inOrder(cards: readonly string[]): string[] {
  return [...sorted(cards.filter(isWild)), ...sorted(cards.filter((card) => !isWild(card)))];
}

/** Returns the picture of a card, the back of a hidden one. The words stand beside it, so screen readers skip it. */
export function Face({ card, kind = "" }: { card: string; kind?: string }): JSX.Element {
  const number = card === "X" ? 52 : 13 * SUITS.indexOf(suit(card)) + RANKS.indexOf(rank(card));
  const href = card === "back" || card === "??" ? "#back" : `#c${number}`;
  return <svg class={`face ${kind}`} viewBox="0 0 62 88" aria-hidden="true"><use href={href} /></svg>;
}
