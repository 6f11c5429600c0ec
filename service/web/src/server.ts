// The client of the service, over gRPC-web alone.

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Client, type Interceptor } from "@connectrpc/connect";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { AuditLogRequestSchema, AuditService, GetStepRequestSchema } from "./gen/canasta/v1/audit_service_pb";
import type { AuditLogResponse, GetStepResponse, LogStep } from "./gen/canasta/v1/audit_service_pb";
import { GameService } from "./gen/canasta/v1/game_service_pb";
import { Role, type ActorSchema } from "./gen/canasta/v1/identity_pb";

export type Actor = MessageInitShape<typeof ActorSchema>;
export type Server = Client<typeof GameService>;

export const seat = (number: number): Actor => ({ who: { case: "seat", value: number } });
export const TABLE: Actor = { who: { case: "role", value: Role.TABLE } };
export const JUDGE: Actor = { who: { case: "role", value: Role.JUDGE } };

/** The roles whose views can be shown, besides the views of seats. */
export const EYES: Record<string, Actor | undefined> = { table: TABLE, judge: JUDGE };

/** Maximum length of a log's chunk in one message, in bytes. */
const PIECE = 60_000;

/** Shortest and longest delay between two tries while the service is unreachable, in milliseconds. */
const [SOON, LATE] = [500, 8_000];

/** The display of a lost connection. */
export interface Link {
  /** Shows that the service is unreachable; resolves when it is time to try again. */
  away(wait: number): Promise<void>;
  back(): void;
}

export function connect(baseUrl: string, link: Link): Server {
  return createClient(GameService, createGrpcWebTransport({ baseUrl, interceptors: [patient(link)] }));
}

/** Retries a call while the service is unreachable. An answer depends only on its request, so a retry does no harm. */
function patient(link: Link): Interceptor {
  return (next) => async (request) => {
    for (let wait = SOON; ; wait = Math.min(2 * wait, LATE)) {
      try {
        const answer = await next(request);
        link.back();
        return answer;
      } catch (error) {
        if (!isAway(error)) throw error;
        await link.away(wait);
      }
    }
  };
}

/** Whether no answer came at all: browsers report that as a TypeError of fetch. */
function isAway(error: unknown): boolean {
  const { code, cause } = ConnectError.from(error);
  return code === Code.Unavailable || cause instanceof TypeError;
}

type Chunked = typeof AuditLogRequestSchema | typeof GetStepRequestSchema;

/**
 * Calls a method about a log. Browsers cannot stream a request while they read the answer, but these calls need only
 * several messages before one answer, which are sent as one body.
 */
async function askOf(method: "auditLog" | "getStep", schema: Chunked, question: object, baseUrl: string, log: Uint8Array) {
  const bytes = (part: object) => toBinary(schema, create(schema as typeof AuditLogRequestSchema, { part } as object));
  const parts = [bytes({ case: "question", value: question })];
  for (let at = 0; at < log.length; at += PIECE) parts.push(bytes({ case: "chunk", value: log.subarray(at, at + PIECE) }));
  const body = new Blob(parts.map((part) => encodeEnvelope(0, part) as BlobPart));
  const transport = createGrpcWebTransport({ baseUrl, fetch: (url, init) => fetch(url, { ...init, body }) });
  const answer = await transport.unary({ ...AuditService.method[method], methodKind: "unary" } as never, undefined, undefined, undefined, {});
  return answer.message as unknown;
}

/** Gets the audit of a log. */
export async function auditLog(baseUrl: string, log: Uint8Array, isLive: boolean): Promise<AuditLogResponse> {
  return (await askOf("auditLog", AuditLogRequestSchema, { actor: TABLE, live: isLive }, baseUrl, log)) as AuditLogResponse;
}

/** Gets a record of a log and the view after it. */
export async function stepOf(baseUrl: string, log: Uint8Array, record: number, actor: Actor): Promise<LogStep | undefined> {
  const question = { steps: [{ actor, n: BigInt(record) }] };
  return ((await askOf("getStep", GetStepRequestSchema, question, baseUrl, log)) as GetStepResponse).steps[0];
}
