// Actions in words.

import type { Action, Group, Onto } from "./gen/canasta/v1/action_pb";
import { About, MeldKind, SpecialHand } from "./gen/canasta/v1/action_pb";
import { RoundEndReason } from "./gen/canasta/v1/score_pb";
import { FreezeCause, Grade } from "./gen/canasta/v1/event_pb";
import type { MeldView } from "./gen/canasta/v1/view_pb";
import { amount, list, plural, rank, suit, suitWord } from "./cards";

/** Returns a code in words: `ROUND_END_REASON_WENT_OUT`, `melded_cards`. */
export function plain(name: string): string {
  const words = name.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns ` onto the sevens` if the action names a meld; `melds` are those of the actor's side. */
function target(onto: Onto | undefined, melds: MeldView[]): string {
  if (onto?.where.case !== "meld") return "";
  const { id } = onto.where.value;
  const meld = melds.find((each) => each.id === id);
  return ` onto ${meld ? name(meld) : `meld ${(id ?? 0) + 1}`}`;
}

function group(part: Group, melds: MeldView[]): string {
  const to = target(part.onto, melds);
  const top = part.top ? ["the taken card"] : [];
  const hand = part.cards.length > 0 ? [list(part.cards)] : [];
  return `${[...top, ...hand].join(" with ")}${to}`;
}

const SPECIAL: Record<SpecialHand, string> = {
  [SpecialHand.UNSPECIFIED]: "a special hand",
  [SpecialHand.STRAIGHT]: "a straight",
  [SpecialHand.PAIRS]: "seven pairs",
  [SpecialHand.GARBAGE]: "garbage",
};

/** Returns an action in the imperative: `Discard 7♥`. `melds` are those of the actor's side. */
export function describe(action: Action, melds: MeldView[]): string {
  const { kind } = action;
  switch (kind.case) {
    case "deal": return "Deal";
    case "drawCards": return "Draw cards for seats";
    case "drawStock": return "Draw from the stock";
    case "takePile": {
      const { cards, also, onto } = kind.value;
      const where = target(onto, melds);
      const hand = cards.length > 0 ? ` with ${list(cards)}` : "";
      const more = also.length > 0 ? `, and meld ${also.map((part) => group(part, melds)).join(" · ")}` : "";
      return `Take the pile${hand}${where}${more}`;
    }
    case "takeTop": return "Take the top card for now";
    case "restorePile": return "Put the top card back";
    case "layThrees": return `Lay ${list(kind.value.cards)}`;
    case "takeTalon": return "Take the talon";
    case "meld": return `Meld ${kind.value.groups.map((part) => group(part, melds)).join(" · ")}`;
    case "mergeMelds": return `Join melds ${(kind.value.kept ?? 0) + 1} and ${(kind.value.merged ?? 0) + 1}`;
    case "undoMeld": return `Take back ${list(kind.value.cards)}`;
    case "ask": return kind.value.about === About.COURTESY ? "Ask to meld after the discard" : "Ask: may I go out?";
    case "answer": return kind.value.yes ? "Answer yes" : "Answer no";
    case "specialHand": return `Show ${SPECIAL[kind.value.hand]}`;
    case "discard": return `Discard ${list([kind.value.card])}`;
    case "pass": return "End the turn without a discard";
    case "endRound": return "End the round";
    case "callReveal": return "Call for proof of the discard";
    default: return plain(kind.case ?? "nothing");
  }
}

/** Returns the hand cards that an action uses. */
export function cardsOf(action: Action): string[] {
  const { kind } = action;
  switch (kind.case) {
    case "takePile": return [...kind.value.cards, ...kind.value.also.flatMap((part) => part.cards)];
    case "meld": return kind.value.groups.flatMap((part) => part.cards);
    case "layThrees": return kind.value.cards;
    case "discard": return [kind.value.card];
    default: return [];
  }
}

/** Returns a meld in words: `The kings, 7 cards, natural canasta`. */
export function meldWords(meld: MeldView): string {
  const grade = meld.grade === Grade.UNSPECIFIED ? "" : `, ${Grade[meld.grade]?.toLowerCase()} canasta`;
  return `${plain(name(meld))}, ${amount(meld.cards.length)}${grade}`;
}

function name(meld: MeldView): string {
  switch (meld.kind) {
    case MeldKind.WILD: return "the wild cards";
    case MeldKind.SEQUENCE: return `the sequence of ${suitWord(suit(meld.cards.find((card) => rank(card) !== "X" && rank(card) !== "2") ?? ""))}`;
    case MeldKind.BLACK_THREES: return "the black threes";
    default: return `the ${plural(meld.rank)}`;
  }
}

const FROZEN: Record<FreezeCause, string> = {
  [FreezeCause.UNSPECIFIED]: "",
  [FreezeCause.WILD]: "a wild card lies in it",
  [FreezeCause.RED_THREE]: "a red three lies in it",
  [FreezeCause.NOT_OPENED]: "your side has not melded",
  [FreezeCause.ALWAYS]: "always",
};

export const frozen = (causes: FreezeCause[]): string => causes.map((cause) => FROZEN[cause]).join(", ");
export const ended = (reason: RoundEndReason): string => plain(RoundEndReason[reason] ?? "");
