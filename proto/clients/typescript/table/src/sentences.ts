// The words of the game, from the service's catalogue: events, actions, refusals and score lines as sentences.

import { create, toJson, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { speaker, type Wording } from "../../src/messages";
import { GetCatalogueResponseSchema } from "../../src/gen/canasta/v1/catalogue_pb";
import { ActionSchema, type Action } from "../../src/gen/canasta/v1/action_pb";
import { EventSchema, type Event } from "../../src/gen/canasta/v1/event_pb";
import { GameService } from "../../src/gen/canasta/v1/game_service_pb";
import { ScoreLineSchema, type ScoreLine } from "../../src/gen/canasta/v1/score_pb";
import type { View } from "../../src/gen/canasta/v1/view_pb";
import { RepairSchema, ViolationSchema, type Violation } from "../../src/gen/canasta/v1/violation_pb";
import { short } from "./cards";
import { capital, language, meldName, seatName, sideName } from "./words";

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
