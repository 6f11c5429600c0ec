// The words of the game, from the service's catalogue: events, actions, refusals and score lines as sentences.

import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import {
  type Action, ActionSchema, type Event, EventSchema, getWordings, RepairSchema, type ScoreLine, ScoreLineSchema,
  speaker, spoken, type View, type Violation, ViolationSchema, type Wording,
} from "canasta-client";
import { short } from "./cards";
import { capital, language, meldName, seatName, sideName } from "./words";

type Say = ReturnType<typeof speaker>;
let wordings: Wording[] | undefined;

/** Gets the catalogue of the game's words. */
export async function loadWords(transport: Transport): Promise<void> {
  wordings ??= await getWordings(transport, language);
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
    const [[name, value] = ["", {}]] = Object.entries(spoken(schema, message) as object);
    return capital(this.say(kind, name, value));
  }

  event(event: Event): string {
    const { value } = event.kind;
    this.side = value && "side" in value ? value.side : this.side;
    return this.of("WORDING_KIND_EVENT", EventSchema, event);
  }

  action(action: Action): string {
    return this.of("WORDING_KIND_ACTION", ActionSchema, action) || (action.kind.case ?? "");
  }

  /** Says a refusal; in the service's own words, where its code has come after this catalogue. */
  violation(violation: Violation): string {
    const said = this.say("WORDING_KIND_CODE", violation.code, spoken(ViolationSchema, violation));
    return capital(said || violation.message || violation.code);
  }

  repair({ repair }: Violation): string {
    if (!repair) return "";
    return capital(this.say("WORDING_KIND_REPAIR", repair.name, spoken(RepairSchema, repair)) || repair.message);
  }

  line(line: ScoreLine): string {
    return capital(this.say("WORDING_KIND_SCORE_LINE", line.item, spoken(ScoreLineSchema, line)) || line.item);
  }
}
