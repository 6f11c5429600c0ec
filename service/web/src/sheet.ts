// Score sheets, rules in words, and the audit of the log.

import { Code, ConnectError } from "@connectrpc/connect";
import { h } from "./dom";
import type { Game } from "./game";
import { DealVerdict, FindingKind, Verdict, type AuditLogResponse } from "./gen/canasta/v1/audit_service_pb";
import type { RoundEnd, Score } from "./gen/canasta/v1/score_pb";
import type { Violation } from "./gen/canasta/v1/violation_pb";
import type { Server } from "./server";
import { ended, plain } from "./words";

/** The owner of a column of the sheet. */
export function owner(game: Game, score: Score): string {
  if (score.owner.case === "seat") return game.name(score.owner.value);
  return side(game, score.owner.value ?? 0);
}

export function side(game: Game, number: number): string {
  const members = game.view.seats.filter((each) => each.side === number).map((each) => game.name(each.seat));
  return members.join(" & ") || `Side ${number + 1}`;
}

/** The items of a score sheet, in the order of the rulebook's sheets. */
const ITEMS = [
  "melded_cards", "natural_canastas", "mixed_canastas", "wild_canastas", "sequence_canastas", "incomplete_melds",
  "held_trios", "threes", "going_out", "concealed", "cut", "foot_cut", "hand_cards", "foot_cards", "restores",
  "special_hand", "no_canasta", "adjustments",
];

/** Returns the score sheet of one round: one line per item, one column per side. */
export function sheet(game: Game, round: RoundEnd): HTMLElement {
  const all = new Set(round.scores.flatMap((score) => score.lines.map((line) => line.item)));
  // Every sheet has the same order: the list's items first, then items that are new to this page.
  const items = [...ITEMS.filter((item) => all.has(item)), ...[...all].filter((item) => !ITEMS.includes(item))];
  const points = (score: Score, item: string) => {
    const line = score.lines.find((each) => each.item === item);
    if (!line) return "";
    return line.count === undefined ? `${line.points}` : `${line.count} for ${line.points}`;
  };
  const row = (name: string, value: (score: Score) => string, props = {}) =>
    h("tr", props, h("th", { scope: "row" }, name), ...round.scores.map((score) => h("td", {}, value(score))));
  const who = round.seat === undefined ? "" : ` · ${game.name(round.seat)}`;
  return h(
    "table",
    { class: "sheet" },
    h("caption", {}, `Round ${round.round}: ${ended(round.reason)}${who}${round.concealed ? ", concealed" : ""}`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "For"), ...round.scores.map((score) => h("th", { scope: "col" }, owner(game, score))))),
    h(
      "tbody",
      {},
      ...items.map((item) => row(plain(item), (score) => points(score, item))),
      row("This round", (score) => `${score.total}`, { class: "sum" }),
      row("Score", (score) => `${score.cumulative}`, { class: "sum" }),
    ),
  );
}

/** Returns a refusal: what is wrong, what would mend it, and the rules in their own words. */
export async function refusal(server: Server, violations: Violation[]): Promise<Node[]> {
  const parts = await Promise.all(violations.map((each, place) => violation(server, each, place === 0)));
  return parts.flat();
}

async function violation(server: Server, broken: Violation, isFirst: boolean): Promise<Node[]> {
  const rules = await Promise.all(broken.ruleIds.map((id) => rule(server, id)));
  const words = isFirst ? h("strong", {}, `Not allowed: ${broken.message}.`) : `Also: ${broken.message}.`;
  return [
    h("p", {}, words, broken.repair ? ` Instead: ${broken.repair.message}.` : ""),
    h("details", { open: isFirst }, h("summary", {}, `${broken.code}: the rule`), h("dl", {}, ...rules.flat())),
  ];
}

async function rule(server: Server, id: string): Promise<Node[]> {
  const { entry } = await server.getRule({ key: { case: "ruleId", value: id } });
  return [h("dt", {}, id), h("dd", {}, entry.case === "rule" ? entry.value.text : "")];
}

const VERDICTS: Record<Verdict, string> = {
  [Verdict.UNSPECIFIED]: "none",
  [Verdict.CLEAN]: "clean: everything holds",
  [Verdict.CLEAN_WITH_RULINGS]: "clean, with what officials ruled",
  [Verdict.CONDITIONAL]: "nothing is wrong so far; what is hidden until its round ends is judged then",
  [Verdict.INCOMPLETE]: "incomplete: the log stops before the game's end",
  [Verdict.ILLEGAL]: "an action broke the rules",
  [Verdict.ALTERED]: "the log is not what was played",
  [Verdict.NOT_A_LOG]: "this is not a log",
  [Verdict.UNSUPPORTED_VERSION]: "the log is of a version that this service does not read",
};

const DEALS: Record<DealVerdict, string> = {
  [DealVerdict.UNSPECIFIED]: "none",
  [DealVerdict.AS_COMMITTED]: "every card as committed to before the first",
  [DealVerdict.NOT_CHECKED]: "not revealed yet",
  [DealVerdict.FAILED]: "not as committed",
};

/** Returns the report of an audit. */
export function report(answer: AuditLogResponse): Node[] {
  const facts: [string, string][] = [
    ["Verdict", VERDICTS[answer.verdict]],
    ["Deal", DEALS[answer.deal]],
    ["Records", `${answer.records}, ${answer.bytes} bytes, ${answer.actions} actions, ${answer.rounds} rounds`],
    ["Head", [...answer.head].map((byte) => byte.toString(16).padStart(2, "0")).join("")],
  ];
  if (answer.openRound !== undefined) facts.push(["Open", `round ${answer.openRound} is judged once its cards are revealed`]);
  const findings = answer.findings.map((each) =>
    h("li", {}, `Record ${each.record}: ${plain(FindingKind[each.kind] ?? "")}, ${each.detail} ${each.ruleIds.join(" ")}`),
  );
  return [
    h("dl", {}, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    ...(findings.length > 0 ? [h("ol", {}, ...findings)] : []),
  ];
}

/** Returns the message of a failed call, for the player. */
export function failure(error: unknown): string {
  if (error instanceof Error && !(error instanceof ConnectError)) return `${plain(error.message)}.`;
  const { code, rawMessage } = ConnectError.from(error);
  return code === Code.Unavailable ? "The service cannot be reached." : `The service failed: ${rawMessage} (${Code[code]})`;
}
