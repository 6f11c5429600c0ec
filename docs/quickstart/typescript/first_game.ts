// A first game: create it, play a turn, be refused, save the log. The same code runs in node and in a browser.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import type { ActionSchema } from "./gen/canasta/v1/action_pb";
import { DealMode, GameService } from "./gen/canasta/v1/game_service_pb";
import { Role } from "./gen/canasta/v1/identity_pb";
import type { View } from "./gen/canasta/v1/view_pb";

export const TABLE = { who: { case: "role" as const, value: Role.TABLE } };
const seat = (value: number) => ({ who: { case: "seat" as const, value } });

export async function firstGame(transport: Transport, say: (line: string) => void): Promise<Uint8Array[]> {
  const rules = createClient(GameService, transport);
  const created = await rules.createGame({ ruleSet: "classic-4p", dealMode: DealMode.SEEDED });
  if (created.outcome.case !== "created") throw new Error("these rules cannot be played");
  let { state } = created.outcome.value;
  const log = [created.outcome.value.frames];

  /** Proposes an action: the new view, or nothing if it was refused. */
  async function act(actor: typeof TABLE | ReturnType<typeof seat>, action: MessageInitShape<typeof ActionSchema>): Promise<View | undefined> {
    const { outcome } = await rules.applyAction({ state, actor, action, wantView: true });
    if (outcome.case === "rejected") {
      const [first] = outcome.value.violations;
      const { entry } = await rules.getRule({ key: { case: "ruleId", value: first.ruleIds[0] } });
      say(`refused    ${first.code}: ${first.message}; ${first.repair?.message}`);
      if (entry.case === "rule") say(`           ${entry.value.id}: ${entry.value.text}`);
      return undefined;
    }
    if (outcome.case !== "accepted") throw new Error("an action was proposed, nothing else");
    // Store both at once, and only if nobody else was faster: see "The loop of a front end" in API.md.
    state = outcome.value.state;
    log.push(outcome.value.frames);
    return outcome.value.view;
  }

  let view = await act(TABLE, { kind: { case: "deal", value: {} } });
  const me = view?.toAct ?? 0;
  await act(seat((me + 1) % 4), { kind: { case: "drawStock", value: {} } }); // it is not their turn

  while (view?.toAct === me) { // one whole turn, as the service would play it
    const { action } = await rules.suggestAction({ state, actor: seat(me) });
    say(`seat ${me}     ${action!.kind.case}`);
    view = await act(seat(me), action!);
  }
  return log;
}
