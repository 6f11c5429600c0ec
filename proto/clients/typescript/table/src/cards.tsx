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

/** Returns a meld's cards in the order shown: a sequence from its highest card down, else naturals before wild cards. */
export function inOrder(cards: readonly string[]): string[] {
  return [...sorted(cards.filter((card) => !isWild(card))), ...sorted(cards.filter(isWild))];
}

/** Returns the picture of a card, the back of a hidden one. The words stand beside it, so screen readers skip it. */
export function Face({ card, kind = "" }: { card: string; kind?: string }): JSX.Element {
  const number = card === "X" ? 52 : 13 * SUITS.indexOf(suit(card)) + RANKS.indexOf(rank(card));
  const href = card === "back" || card === "??" ? "#back" : `#c${number}`;
  return <svg class={`face ${kind}`} viewBox="0 0 62 88" aria-hidden="true"><use href={href} /></svg>;
}
