// The words of the game, from the service's catalogue: events, actions, refusals and score lines as sentences.

import type { Transport } from "@connectrpc/connect";
import { getWordings, Sentences as Plain, type View, type Wording } from "canasta-client";
import { short } from "./cards";
import { capital, language, meldName, seatName, sideName } from "./words";

let wordings: Wording[] | undefined;

/** Gets the catalogue of the game's words. */
export async function loadWords(transport: Transport): Promise<void> {
  wordings ??= await getWordings(transport, language);
}

/** The sentences of one table: names of its players, melds by name. */
export class Sentences extends Plain {
  /** `side`: the side whose melds an action or a refusal is about. `by`: the seat that acts, which is then named for its side. */
  constructor(private readonly table: View, side?: number, private readonly by?: number) {
    super(wordings ?? [], table, side);
  }

  protected override write(type: string, value: unknown): string | undefined {
    switch (type) {
      case "FACT_TYPE_SEAT":
      case "FACT_TYPE_SEATS": return seatName(this.table, Number(value));
      case "FACT_TYPE_SIDE": {
        const isOwn = this.by !== undefined && this.table.seats[this.by]?.side === value;
        return isOwn ? seatName(this.table, this.by) : sideName(this.table, Number(value));
      }
      case "FACT_TYPE_CARD":
      case "FACT_TYPE_CARDS": return short(String(value));
      case "FACT_TYPE_RANK": return value === "X" || value === "T" ? short(value) : undefined;
      case "FACT_TYPE_MELD": {
        const meld = this.table.sides.find((each) => each.side === this.side)?.melds.find((each) => each.id === value);
        return meld && meldName(meld);
      }
      default: return undefined;
    }
  }

  protected override finish(said: string): string {
    return capital(said);
  }
}
