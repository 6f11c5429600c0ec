// Questions about a whole log.

import { create, toBinary } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import {
  AuditLogRequestSchema, AuditService, DescribeLogRequestSchema,
  type AuditLogResponse, type DescribedRecord, type DescribeLogResponse,
} from "./gen/canasta/v1/audit_service_pb.js";
import { Trouble } from "./connection.js";
import { TABLE, type Asker } from "./table_game.js";

/** Maximum length of a log's chunk in one message, in bytes. */
const PIECE = 60_000;

/** Time for a question, in milliseconds: more than the service takes. */
const DEADLINE = 32_000;

type Asked = "auditLog" | "describeLog";

/**
 * Calls a method about a log. Browsers cannot stream a request while they read the answer, but these calls need only
 * several messages before one answer, which are sent as one body.
 */
async function askOf(baseUrl: string, method: Asked, question: object, log: Uint8Array, token?: string, signal?: AbortSignal): Promise<unknown> {
  const schema = method === "auditLog" ? AuditLogRequestSchema : (DescribeLogRequestSchema as never as typeof AuditLogRequestSchema);
  const bytes = (part: object) => toBinary(schema, create(schema, { part } as object));
  const parts = [bytes({ case: "question", value: question })];
  for (let at = 0; at < log.length; at += PIECE) parts.push(bytes({ case: "chunk", value: log.subarray(at, at + PIECE) }));
  const body = new Blob(parts.map((part) => encodeEnvelope(0, part) as BlobPart));
  const transport: Transport = createGrpcWebTransport({ baseUrl, fetch: (url, init) => fetch(url, { ...init, body }) });
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  try {
    return (await transport.unary({ ...AuditService.method[method], methodKind: "unary" } as never, signal, DEADLINE, headers, {})).message;
  } catch (error) {
    throw Trouble.of(error);
  }
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

/** Has a log audited. `isLive`: the game may still be going on. */
export async function auditLog(baseUrl: string, log: Uint8Array, isLive: boolean, signal?: AbortSignal): Promise<AuditLogResponse> {
  return (await askOf(baseUrl, "auditLog", { actor: TABLE, live: isLive }, log, undefined, signal)) as AuditLogResponse;
}

/** Describes records of a log, as the actor may see them; `token` is a link's. The log is sent again for each page. */
export async function describeLog(
  baseUrl: string, log: Uint8Array, actor: Asker, from = 0n, to: bigint | undefined = undefined, wantViews = false, token?: string,
  signal?: AbortSignal,
): Promise<DescribedRecord[]> {
  const records: DescribedRecord[] = [];
  for (let pageToken = ""; ; ) {
    const question = { actor, fromN: from, toN: to, pageToken, wantViews };
    const page = (await askOf(baseUrl, "describeLog", question, log, token, signal)) as DescribeLogResponse;
    records.push(...page.records);
    pageToken = page.nextPageToken;
    if (pageToken === "") return records;
  }
}
