// Questions about a whole log.

import { create, toBinary } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import {
  AuditService, type AuditLogResponse, type DescribedRecord, type DescribeLogResponse, type ExplainStepResponse,
} from "./gen/canasta/v1/audit_service_pb.js";
import { Trouble } from "./connection.js";
import { TABLE, type Asker } from "./table_game.js";

/** Maximum length of a log's chunk in one message, in bytes. */
const PIECE = 60_000;

/** Time for a question, in milliseconds: more than the service takes. */
const DEADLINE = 32_000;

type Asked = "auditLog" | "describeLog" | "explainStep";

/** Where logs are judged: the origin of a service, or a transport that can stream requests, as an engine in the page can. */
export type Judge = string | Transport;

/** Returns the messages of a question about a log, for methods that take them as a stream. */
export function* partsOf(question: object, log: Uint8Array): Generator<object> {
  yield { part: { case: "question", value: question } };
  for (let at = 0; at < log.length; at += PIECE) yield { part: { case: "chunk", value: log.subarray(at, at + PIECE) } };
}

/** Calls a method about a log. */
async function askOf(at: Judge, method: Asked, question: object, log: Uint8Array, token?: string, signal?: AbortSignal): Promise<unknown> {
  try {
    return await (typeof at === "string" ? askByBody(at, method, question, log, token, signal) : askByStream(at, method, question, log, signal));
  } catch (error) {
    throw Trouble.of(error);
  }
}

function askByStream(at: Transport, method: Asked, question: object, log: Uint8Array, signal?: AbortSignal): Promise<unknown> {
  async function* messages() {
    yield* partsOf(question, log);
  }
  const client = createClient(AuditService, at) as Record<Asked, (parts: AsyncIterable<object>, options: object) => Promise<unknown>>;
  return client[method](messages(), { signal });
}

/**
 * Browsers cannot stream a request while they read the answer, but these calls need only several messages before one
 * answer, which are sent as one body.
 */
async function askByBody(baseUrl: string, method: Asked, question: object, log: Uint8Array, token?: string, signal?: AbortSignal): Promise<unknown> {
  const { input } = AuditService.method[method];
  const body = new Blob([...partsOf(question, log)].map((part) => encodeEnvelope(0, toBinary(input, create(input as never, part as never))) as BlobPart));
  const transport: Transport = createGrpcWebTransport({ baseUrl, fetch: (url, init) => fetch(url, { ...init, body }) });
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  return (await transport.unary({ ...AuditService.method[method], methodKind: "unary" } as never, signal, DEADLINE, headers, {})).message;
}

/** Bytes before the rule set's id: the log's header, a frame's, the record's type, its version, the game's id. */
const BEFORE_RULES = 9 + 3 + 1 + 1 + 16;

/**
 * Returns the rule set that a log is played by, house rules included: the canonical form that GetRuleSet shows of a preset.
 * docs/LOG_FORMAT.md says where it is. Undefined: no log begins with these bytes.
 */
export function ruleSetOf(log: Uint8Array): string | undefined {
  let at = BEFORE_RULES;
  const text = () => {
    const [first = 0, low = 0, high = 0] = log.subarray(at);
    at += first < 251 ? 1 : 3;
    const bytes = log.subarray(at, (at += first < 251 ? first : low + 256 * high));
    return new TextDecoder().decode(bytes);
  };
  const [, , canonical] = [text(), text(), text()];
  return canonical?.startsWith("{") ? canonical : undefined;
}

/** Has a log audited. `isLive`: the game may still be going on. `token` is a link's. */
export async function auditLog(at: Judge, log: Uint8Array, isLive: boolean, signal?: AbortSignal, token?: string): Promise<AuditLogResponse> {
  return (await askOf(at, "auditLog", { actor: TABLE, live: isLive }, log, token, signal)) as AuditLogResponse;
}

/** Asks why what a record holds was allowed or refused, and what else was possible, as the actor may know it. */
export async function explainStep(at: Judge, log: Uint8Array, n: bigint, actor: Asker, token?: string, signal?: AbortSignal): Promise<ExplainStepResponse> {
  return (await askOf(at, "explainStep", { actor, n }, log, token, signal)) as ExplainStepResponse;
}

/** Describes records of a log, as the actor may see them; `token` is a link's. The log is sent again for each page. */
export async function describeLog(
  at: Judge, log: Uint8Array, actor: Asker, from = 0n, to: bigint | undefined = undefined, wantViews = false, token?: string,
  signal?: AbortSignal,
): Promise<DescribedRecord[]> {
  const records: DescribedRecord[] = [];
  for (let pageToken = ""; ; ) {
    const question = { actor, fromN: from, toN: to, pageToken, wantViews };
    const page = (await askOf(at, "describeLog", question, log, token, signal)) as DescribeLogResponse;
    records.push(...page.records);
    pageToken = page.nextPageToken;
    if (pageToken === "") return records;
  }
}
