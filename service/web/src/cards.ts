// Cards as text (`Ks`, `Th`, `X`), as words, and as faces: the page holds one SVG symbol per card.

import { h } from "./dom";

const SUITS = "cdhs";
const RANKS = "A23456789TJQK";
/** The order of a hand: wild cards first, then from the ace down. */
const ORDER = "X2AKQJT9876543";
const SUIT_WORDS: Record<string, string> = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const RANK_WORDS: Record<string, string> = {
  A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", "9": "nine", "8": "eight", "7": "seven", "6": "six",
  "5": "five", "4": "four", "3": "three", "2": "two", X: "joker",
};
const SIGNS: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };

export const rank = (card: string): string => card.charAt(0);
export const suit = (card: string): string => card.charAt(1);
export const isWild = (card: string): boolean => rank(card) === "X" || rank(card) === "2";

export const suitWord = (letter: string): string => SUIT_WORDS[letter] ?? "one suit";

/** Returns a card's name for screen readers: `king of spades`. */
export function spoken(card: string): string {
  if (card === "??") return "a hidden card";
  const name = RANK_WORDS[rank(card)] ?? card;
  return rank(card) === "X" ? name : `${name} of ${SUIT_WORDS[suit(card)]}`;
}

export function plural(letter: string): string {
  const word = RANK_WORDS[letter] ?? letter;
  return letter === "6" ? "sixes" : `${word}s`;
}

/** Returns a card's short name for buttons and lists: `K♠`. */
export function short(card: string): string {
  if (card === "X") return "Joker";
  if (card === "??") return "?";
  return `${rank(card) === "T" ? "10" : rank(card)}${SIGNS[suit(card)]}`;
}

export const amount = (cards: number): string => `${cards} ${cards === 1 ? "card" : "cards"}`;

export const list = (cards: string[]): string => sorted(cards).map(short).join(" ");

export function sorted(cards: string[]): string[] {
  const place = (card: string) => ORDER.indexOf(rank(card)) * 4 + SUITS.indexOf(suit(card));
  return [...cards].sort((a, b) => place(a) - place(b));
}

/** Returns the picture of a card, `back` for a hidden one. The words stand beside it, so screen readers skip it. */
export function face(card: string): SVGSVGElement {
  const number = card === "X" ? 52 : 13 * SUITS.indexOf(suit(card)) + RANKS.indexOf(rank(card));
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", card === "back" || card === "??" ? "#back" : `#c${number}`);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 62 88");
  svg.setAttribute("class", "face");
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

/** Returns open cards that overlap; screen readers read them as one list. */
export function fan(cards: string[]): HTMLElement {
  const label = cards.map(spoken).join(", ");
  return h("span", { class: "fan", role: "img", "aria-label": label }, ...cards.map(face));
}
