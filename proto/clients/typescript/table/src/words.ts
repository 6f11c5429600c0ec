// The page's words: one file a language for its own, the service's catalogue for the words of the game.

import { create, toJson, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { render, speaker, type Wording } from "../../src/messages";
import { GetCatalogueResponseSchema } from "../../src/gen/canasta/v1/catalogue_pb";
import { ActionSchema, type Action } from "../../src/gen/canasta/v1/action_pb";
import { EventSchema, type Event } from "../../src/gen/canasta/v1/event_pb";
import { GameService } from "../../src/gen/canasta/v1/game_service_pb";
import { ScoreLineSchema, type ScoreLine } from "../../src/gen/canasta/v1/score_pb";
import type { MeldView, View } from "../../src/gen/canasta/v1/view_pb";
import { RepairSchema, ViolationSchema, type Violation } from "../../src/gen/canasta/v1/violation_pb";
import { MeldKind } from "../../src/gen/canasta/v1/action_pb";
import { Grade } from "../../src/gen/canasta/v1/event_pb";
import { isWild, short, suit } from "./cards";
import { setting, set } from "./keeper";
import de from "./words/de.json";
import en from "./words/en.json";

export type Word = keyof typeof en;
const FILES: Record<string, Record<Word, string>> = { en, de };
export const LANGUAGES = { en: "English", de: "Deutsch" };

/** The language: the chosen one, else the browser's, else English. */
export const language: string = [setting("language"), ...navigator.languages.map((each) => each.slice(0, 2))]
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

const FORM = { useProtoFieldName: true, alwaysEmitImplicit: true } as const;
type Say = ReturnType<typeof speaker>;
let wordings: Wording[] | undefined;

/** Gets the catalogue of the game's words. */
export async function loadWords(transport: Transport): Promise<void> {
  if (wordings) return;
  const found: Wording[] = [];
  for (let pageToken = ""; ; ) {
    const page = await createClient(GameService, transport).getCatalogue({ languageCode: language, pageToken });
    found.push(...(toJson(GetCatalogueResponseSchema, page, FORM) as { wordings: Wording[] }).wordings);
    pageToken = page.nextPageToken;
    if (pageToken === "") break;
  }
  wordings = found;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function seatName(view: View, seat: number): string {
  return view.seats[seat]?.name || t("seat", { number: seat + 1 });
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

/** The sentences of one table: names of its players, melds by name. */
export class Sentences {
  private readonly say: Say;

  /** `side`: the side whose melds an action or a refusal is about. */
  constructor(private readonly view: View, private side?: number) {
    this.say = speaker(wordings ?? [], (type, value) => this.write(type, value));
  }

  private write(type: string, value: unknown): string | undefined {
    switch (type) {
      case "FACT_TYPE_SEAT":
      case "FACT_TYPE_SEATS": return seatName(this.view, Number(value));
      case "FACT_TYPE_SIDE": return sideName(this.view, Number(value));
      case "FACT_TYPE_CARD":
      case "FACT_TYPE_CARDS": return short(String(value));
      case "FACT_TYPE_RANK": return value === "X" || value === "T" ? short(value) : undefined;
      case "FACT_TYPE_MELD": {
        const meld = this.view.sides.find((each) => each.side === this.side)?.melds.find((each) => each.id === value);
        return meld && meldName(meld);
      }
      default: return undefined;
    }
  }

  private of<D extends DescMessage>(kind: string, schema: D, message: MessageShape<D>): string {
    const [[name, value] = ["", {}]] = Object.entries(toJson(schema, message, FORM) as object);
    return capital(this.say(kind, name, value));
  }

  event(event: Event): string {
    const { value } = event.kind;
    this.side = value && "side" in value ? value.side : this.side;
    return this.of("WORDING_KIND_EVENT", EventSchema, event);
  }

  action(action: Action): string {
    return this.of("WORDING_KIND_ACTION", ActionSchema, action);
  }

  violation(violation: Violation): string {
    return capital(this.say("WORDING_KIND_CODE", violation.code, toJson(ViolationSchema, violation, FORM)));
  }

  repair(violation: Violation): string {
    const repair = violation.repair ?? create(RepairSchema);
    return repair.name === "" ? "" : capital(this.say("WORDING_KIND_REPAIR", repair.name, toJson(RepairSchema, repair, FORM)));
  }

  line(line: ScoreLine): string {
    return capital(this.say("WORDING_KIND_SCORE_LINE", line.item, toJson(ScoreLineSchema, line, FORM)));
  }
}
