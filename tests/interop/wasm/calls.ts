// The calls by which the engine in WebAssembly is held against the native one, and their answers here.

import { create, fromBinary, toBinary, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { ConnectError } from "@connectrpc/connect";
import {
  ActionSchema, ApplyActionRequestSchema, ApplyActionResponseSchema, AuditLogRequestSchema, CheckActionRequestSchema,
  CreateGameRequestSchema, CreateGameResponseSchema, DealMode, DescribeLogRequestSchema, ExplainStepRequestSchema,
  ExplainRuleSetRequestSchema, GetCatalogueRequestSchema, GetRuleRequestSchema, GetViewRequestSchema, GetViewResponseSchema, ListKnobsRequestSchema, ListLegalActionsRequestSchema,
  ListLegalActionsResponseSchema, ListRuleSetsRequestSchema, ListRuleSetsResponseSchema, OptionsRequestSchema, Role,
  SuggestActionRequestSchema,
} from "canasta-client";
import type { Engine } from "canasta-engine";

/** A call: the method, the request, and the answer behind 0, or a status behind 1. */
export interface Call {
  method: string;
  request: Uint8Array;
  answer: Uint8Array;
}

const JUDGE = { who: { case: "role" as const, value: Role.JUDGE } };
const TABLE = { who: { case: "role" as const, value: Role.TABLE } };
const PIECE = 60_000;
/** Number of actions of each game. */
const STEPS = 60;

/** Makes every call about these logs, and plays a game of each rule set. */
export async function calls(engine: Engine, logs: Uint8Array[]): Promise<Call[]> {
  const made: Call[] = [];
  const ask = async (method: string, request: Uint8Array): Promise<Uint8Array> => {
    try {
      const answer = await engine.ask(method, request);
      made.push({ method, request, answer: marked(0, answer) });
      return answer;
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      made.push({ method, request, answer: marked(1, new TextEncoder().encode(`${error.code} ${error.rawMessage}`)) });
      return new Uint8Array();
    }
  };
  for (const [at, log] of logs.entries()) {
    const about = (schema: DescMessage, question: object) => {
      const writer = new BinaryWriter();
      const part = (value: object) => writer.bytes(toBinary(schema, create(schema, { part: value } as never)));
      part({ case: "question", value: question });
      for (let from = 0; from < log.length; from += PIECE) part({ case: "chunk", value: log.subarray(from, from + PIECE) });
      return writer.finish();
    };
    const audit = "canasta.v1.AuditService/";
    await ask(`${audit}AuditLog`, about(AuditLogRequestSchema, { actor: JUDGE, live: at % 2 === 0 }));
    const actor = [JUDGE, TABLE, { who: { case: "seat", value: 0 } }][at % 3];
    await ask(`${audit}DescribeLog`, about(DescribeLogRequestSchema, { actor, pageSize: 40, fromN: BigInt(at % 50), wantViews: at % 4 === 0 }));
    await ask(`${audit}ExplainStep`, about(ExplainStepRequestSchema, { actor, n: BigInt(3 + (at % 40)) }));
    await ask("local/StateAfter", about(ExplainStepRequestSchema, { actor: JUDGE, n: BigInt(3 + (at % 40)) }));
    const packed = await ask("local/Pack", log);
    if (packed.length > 0) await ask("local/Unpack", packed);
  }
  const game = <Q extends DescMessage>(name: string, schema: Q, request: MessageInitShape<Q>) =>
    ask(`canasta.v1.GameService/${name}`, toBinary(schema, create(schema, request)));
  const sets = fromBinary(ListRuleSetsResponseSchema, await game("ListRuleSets", ListRuleSetsRequestSchema, {})).ruleSets;
  for (const [number, set] of sets.entries()) {
    const players = Array.from({ length: set.seats }, (_, seat) => ({ name: `P${seat}` }));
    const start = {
      ruleSet: set.id, players, gameId: new Uint8Array(16).fill(number), secret: new Uint8Array(64).fill(number),
      dealMode: DealMode.SEEDED,
    };
    const deal = async (dealer?: number) =>
      fromBinary(CreateGameResponseSchema, await game("CreateGame", CreateGameRequestSchema, { ...start, dealer } as never));
    // Some rule sets leave the first dealer to the table.
    let created = await deal();
    if (created.outcome.case === "rejected") created = await deal(0);
    if (created.outcome.case !== "created") throw new Error(`${set.id}: no game`);
    let { state } = created.outcome.value;
    let actor: typeof TABLE | { who: { case: "seat"; value: number } } = TABLE;
    for (let step = 0; step < STEPS; step++) {
      const listed = fromBinary(ListLegalActionsResponseSchema, await game("ListLegalActions", ListLegalActionsRequestSchema, { state, actor }));
      if (listed.actions.length === 0) break;
      const action = listed.actions[(step * 7) % listed.actions.length];
      await game("Options", OptionsRequestSchema, { state, actor });
      await game("SuggestAction", SuggestActionRequestSchema, { state, actor, seed: BigInt(step), level: step % 40 === 20 ? 4 : 0 });
      await game("CheckAction", CheckActionRequestSchema, { state, actor, action: create(ActionSchema, { kind: { case: "discard", value: { card: "X" } } } as never) });
      const applied = fromBinary(ApplyActionResponseSchema, await game("ApplyAction", ApplyActionRequestSchema, { state, actor, action, wantEvents: true }));
      if (applied.outcome.case !== "accepted") throw new Error(`${set.id}: a listed action is refused`);
      state = applied.outcome.value.state;
      const { view } = fromBinary(GetViewResponseSchema, await game("GetView", GetViewRequestSchema, { state, actor: JUDGE }));
      actor = view?.toAct === undefined ? TABLE : { who: { case: "seat", value: view.toAct } };
    }
    await ask("local/NotationOf", state);
  }
  for (const languageCode of ["en", "de"]) {
    await game("GetCatalogue", GetCatalogueRequestSchema, { languageCode });
    await game("ListKnobs", ListKnobsRequestSchema, { languageCode });
    await game("ExplainRuleSet", ExplainRuleSetRequestSchema, { id: "american-4p", languageCode });
  }
  for (const value of ["he drew twice", "sie hat eine Karte zu viel gezogen", "what a nice day"]) {
    await game("GetRule", GetRuleRequestSchema, { key: { case: "words", value } });
  }
  await game("GetRule", GetRuleRequestSchema, { key: { case: "ruleId", value: "CL-061" } });
  await game("GetRule", GetRuleRequestSchema, { key: { case: "code", value: "NO_SUCH_CODE" } });
  await ask("local/StateOf", new TextEncoder().encode("classic-4p; to move N; drew; hand N Kd 4c"));
  return made;
}

function marked(first: number, bytes: Uint8Array): Uint8Array {
  const answer = new Uint8Array(1 + bytes.length);
  answer[0] = first;
  answer.set(bytes, 1);
  return answer;
}

/** Returns the length and the digest of bytes, to compare what would be too long to pass on. */
export function digest(bytes: Uint8Array): string {
  let hash = 7;
  for (const byte of bytes) hash = (hash * 31 + byte) % 140_737_488_355_213;
  return `${bytes.length} ${hash}`;
}

export { Engine } from "canasta-engine";
export { Trouble } from "canasta-client";
