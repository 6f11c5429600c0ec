// The page's own words, one file a language: texts, and names of cards, melds and players.

import { Grade, MeldKind, type MeldView, render, type View } from "canasta-client";
import { isWild, suit } from "./cards";
import { setting, set } from "./keeper";
import de from "./words/de.json";
import en from "./words/en.json";

export type Word = keyof typeof en;
const FILES: Record<string, Record<Word, string>> = { en, de };
export const LANGUAGES = { en: "English", de: "Deutsch" };

/** The language that a page was written in for all its readers. */
const written = document.documentElement.lang === "en" ? undefined : document.documentElement.lang;
/** The language: the chosen one, else the page's, else the browser's, else English. */
export const language: string = [setting("language"), written, ...navigator.languages.map((each) => each.slice(0, 2))]
  .find((each) => each !== undefined && each in FILES) ?? "en";

export function choose(chosen: string): void {
  set("language", chosen);
  location.reload();
}

/** Returns a text of the page. */
export function t(word: Word, facts: Record<string, string | number> = {}): string {
  const known = Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, String(fact)]));
  return render(FILES[language]?.[word] ?? en[word] ?? "", known);
}

/** Returns the German one-line summary of a rule set; its own description in English. */
export const about = (id: string, description: string): string =>
  FILES[language]?.[`rules.${id}` as Word] || description;

export const number = (value: number | bigint): string => value.toLocaleString(language);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a name of the log as it is shown: players without one are called `Player 1` there, whatever language they read. */
export const shownName = (name: string): string => (/^Player [1-6]$/.test(name) ? t("player", { number: name.slice(-1) }) : name);

export function seatName(view: View, seat: number): string {
  return shownName(view.seats[seat]?.name ?? "") || t("seat", { number: seat + 1 });
}

export function sideName(view: View, side: number): string {
  const members = view.seats.filter((each) => each.side === side).map((each) => seatName(view, each.seat));
  return members.join(" & ") || t("side", { number: side + 1 });
}

export const rankName = (rank: string): string => t(`rank.${rank}` as Word);
export const suitName = (letter: string): string => t(`suit.${letter}` as Word);

/** Returns a card's name for screen readers: `king of spades`. */
export function spoken(card: string): string {
  if (card === "??" || card === "back") return t("card.hidden");
  if (card === "X") return rankName("X");
  return t("card.name", { rank: rankName(card.charAt(0)), suit: suitName(card.charAt(1)) });
}

/** Returns a meld's name: `the kings`. */
export function meldName(meld: Pick<MeldView, "kind" | "rank" | "cards">): string {
  const natural = meld.cards.find((card) => !isWild(card)) ?? "";
  switch (meld.kind) {
    case MeldKind.WILD: return t("meld.wild");
    case MeldKind.SEQUENCE: return t("meld.sequence", { suit: suitName(suit(natural)) });
    case MeldKind.BLACK_THREES: return t("meld.blackThrees");
    default: return t(`ranks.${meld.rank}` as Word);
  }
}

export const gradeName = (grade: Grade): string => (grade === Grade.UNSPECIFIED ? "" : t(`grade.${Grade[grade]}` as Word));
