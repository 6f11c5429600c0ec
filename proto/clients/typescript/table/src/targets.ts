// Where cards may go, as the answer to Options says.

import { type Action, Destination, type Group, type PlayOption } from "canasta-client";

/** Legal; short of the minimum, so that more groups may help; or refused. */
export type Verdict = "legal" | "short" | "illegal";

export function verdictOf(option: PlayOption): Verdict {
  if (option.verdict.case === "legal") return "legal";
  const codes = option.verdict.value?.violations.map((each) => each.code) ?? [];
  return codes.length > 0 && codes.every((code) => code === "INITIAL_BELOW_MINIMUM") ? "short" : "illegal";
}

/** The places of new melds. */
export const NEW = [
  Destination.NEW_SET, Destination.NEW_SEQUENCE, Destination.NEW_WILD, Destination.NEW_BLACK_THREES,
];

/** Returns the groups of hand cards that an action lays. */
export function groupsOf({ kind }: Action): Pick<Group, "cards">[] {
  if (kind.case === "meld") return kind.value.groups;
  return kind.case === "takePile" ? [kind.value, ...kind.value.also] : [];
}

/** Returns the hand cards that an action uses. */
export function cardsOf(action: Action): string[] {
  const { kind } = action;
  if (kind.case === "discard") return [kind.value.card];
  if (kind.case === "layThrees") return kind.value.cards;
  return groupsOf(action).flatMap((group) => group.cards);
}
