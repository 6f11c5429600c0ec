// The wordings of GetCatalogue, for messages as generated code has them, at one table.

import { toJson, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { ActionSchema, type Action } from "./gen/canasta/v1/action_pb.js";
import { GetCatalogueResponseSchema } from "./gen/canasta/v1/catalogue_pb.js";
import { EventSchema, type Event } from "./gen/canasta/v1/event_pb.js";
import { GameService } from "./gen/canasta/v1/game_service_pb.js";
import { ScoreLineSchema, type Score, type ScoreLine } from "./gen/canasta/v1/score_pb.js";
import type { View } from "./gen/canasta/v1/view_pb.js";
import { RepairSchema, ViolationSchema, type Repair, type Violation } from "./gen/canasta/v1/violation_pb.js";
import { speaker, type Wording } from "./messages.js";

/** Returns a message as `speaker` reads it: JSON with the proto's names, and with fields that are not set. */
export const spoken = <D extends DescMessage>(schema: D, message: MessageShape<D>): unknown =>
  toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true });

/** Gets the catalogue of a language, for `speaker`. */
export async function getWordings(transport: Transport, languageCode = "en"): Promise<Wording[]> {
  const client = createClient(GameService, transport);
  const found: Wording[] = [];
  for (let pageToken = ""; ; ) {
    const page = await client.getCatalogue({ languageCode, pageToken });
    found.push(...(spoken(GetCatalogueResponseSchema, page) as { wordings: Wording[] }).wordings);
    pageToken = page.nextPageToken;
    if (pageToken === "") return found;
  }
}

/**
 * Says events, actions, refusals, repairs and score lines; with a view also seats and sides by their players' names, and
 * melds by their cards. What is newer than the wordings is said in the service's own words, or as nothing.
 */
export class Sentences {
  private readonly say: ReturnType<typeof speaker>;

  /** `side`: the side whose melds an action or a refusal is about. Unset: that of the view's own seat. */
  constructor(wordings: Wording[], protected readonly view?: View, protected side?: number) {
    const seat = view?.actor?.who?.value;
    if (view?.actor?.who?.case === "seat") this.side ??= view.seats.find((each) => each.seat === seat)?.side;
    this.say = speaker(wordings, (type, value) => this.write(type, value));
  }

  /** Writes a value. An application overrides it for its own names and pictures. Undefined: as the wordings have it. */
  protected write(type: string, value: unknown): string | undefined {
    const { view, side } = this;
    switch (type) {
      case "FACT_TYPE_SEAT":
      case "FACT_TYPE_SEATS": return view?.seats.find((each) => each.seat === value)?.name || undefined;
      case "FACT_TYPE_SIDE": return view?.seats.filter((each) => each.side === value && each.name).map((each) => each.name).join(" & ") || undefined;
      case "FACT_TYPE_MELD": return view?.sides.find((each) => each.side === side)?.melds.find((each) => each.id === value)?.cards.join(" ");
      default: return undefined;
    }
  }

  /** Finishes a sentence. An application overrides it for a capital at the beginning. */
  protected finish(said: string): string {
    return said;
  }

  private of<D extends DescMessage>(kind: string, schema: D, message: MessageShape<D>): string {
    const [[name, value] = ["", {}]] = Object.entries(spoken(schema, message) as object);
    return this.say(kind, name, value);
  }

  event(event: Event): string {
    const [before, { value }] = [this.side, event.kind];
    if (value && "side" in value) this.side = value.side;
    const said = this.of("WORDING_KIND_EVENT", EventSchema, event);
    this.side = before;
    return this.finish(said);
  }

  action(action: Action): string {
    return this.finish(this.of("WORDING_KIND_ACTION", ActionSchema, action) || (action.kind.case ?? ""));
  }

  violation(violation: Violation): string {
    const said = this.say("WORDING_KIND_CODE", violation.code, spoken(ViolationSchema, violation));
    return this.finish(said || violation.message || violation.code);
  }

  repair(repair: Repair): string {
    return this.finish(this.say("WORDING_KIND_REPAIR", repair.name, spoken(RepairSchema, repair)) || repair.message);
  }

  line(line: ScoreLine): string {
    return this.finish(this.say("WORDING_KIND_SCORE_LINE", line.item, spoken(ScoreLineSchema, line)) || line.item);
  }

  /** Says the reason for a suggestion. */
  reason(name: string): string {
    return this.finish(this.say("WORDING_KIND_REASON", name, {}));
  }

  /** Returns the names of a side's players. */
  sideName(side: number): string {
    return this.write("FACT_TYPE_SIDE", side) ?? `side ${side}`;
  }

  /** Returns whose score it is: a side's, or a seat's where seats keep the score. */
  ownerName({ owner }: Score): string {
    if (owner.case === "side") return this.sideName(owner.value);
    return this.write("FACT_TYPE_SEAT", owner.value) ?? `seat ${owner.value}`;
  }
}
