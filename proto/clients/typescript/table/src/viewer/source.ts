// Where the viewer's game comes from: a game that somebody keeps, or a log.

import { createClient, type Transport } from "@connectrpc/connect";
import {
  type Asker, auditLog, type AuditLogResponse, type DescribedRecord, describeLog, explainStep, type ExplainStepResponse,
  GameService, type GetRuleResponse, ruleSetOf, type TableGame,
} from "canasta-client";
import { language } from "../words";
import type { Carried } from "./proof";

/** A game to look at. What a source cannot answer, it does not have, and the viewer does not offer. */
export interface Source {
  readonly id: string;
  /** The only eyes that there are. Unset: everyone's may be chosen. */
  readonly eyes?: Asker;
  describe(actor: Asker, from: bigint, to: bigint | undefined, wantViews: boolean): Promise<DescribedRecord[]>;
  audit?(): Promise<AuditLogResponse>;
  explain?(n: bigint, actor: Asker): Promise<ExplainStepResponse>;
  rule?(id: string): Promise<GetRuleResponse>;
  /** Finds what words are about: irregularities with their laws, rules. */
  find?(words: string): Promise<GetRuleResponse>;
  /** Returns the state after a record, from which `transport` plays on. */
  stateAfter?(n: bigint): Promise<Uint8Array>;
  readonly transport?: Transport;
  readonly log?: Uint8Array;
  /** The game, and its proof, as the link has them that it came by. */
  readonly packed?: string | undefined;
  readonly proof?: Carried | undefined;
}

/** What a transport knows of the rules. */
const rulesBy = (transport: Transport, ruleSet: () => Promise<string | undefined>) => {
  const client = createClient(GameService, transport);
  return {
    rule: (value: string) => client.getRule({ key: { case: "ruleId", value }, languageCode: language }),
    // The answer is in the language of the words.
    find: async (value: string) => client.getRule({ key: { case: "words", value }, canonical: await ruleSet() }),
  };
};

/** A game as its own table sees it, up to now. */
export const gameSource = (game: TableGame, transport: Transport): Source => ({
  id: game.id, eyes: game.actor, ...rulesBy(transport, () => game.ruleSet()), describe: (_, from, to, wantViews) => game.describe(from, to, wantViews),
});

/** A log that the engine behind `transport` judges. `isLive`: the game may still be going on. */
export function logSource({ id, log, transport, isLive }: { id: string; log: Uint8Array; transport: Transport; isLive: boolean }): Source {
  return {
    id, log, transport, ...rulesBy(transport, async () => ruleSetOf(log)),
    describe: (actor, from, to, wantViews) => describeLog(transport, log, actor, from, to, wantViews),
    audit: () => auditLog(transport, log, isLive),
    explain: (n, actor) => explainStep(transport, log, n, actor),
  };
}
