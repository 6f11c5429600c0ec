// The service, over gRPC-web and nothing else.

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type Client } from "@connectrpc/connect";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { AuditLogRequestSchema, AuditService, type AuditLogResponse } from "./gen/canasta/v1/audit_service_pb";
import { GameService } from "./gen/canasta/v1/game_service_pb";
import { Role, type AsSchema } from "./gen/canasta/v1/identity_pb";

export type As = MessageInitShape<typeof AsSchema>;
export type Server = Client<typeof GameService>;

export const seat = (number: number): As => ({ who: { case: "seat", value: number } });
export const TABLE: As = { who: { case: "role", value: Role.TABLE } };

/** Through whose eyes the table can be looked at; one's own where it is undefined. */
export const EYES: Record<string, As | undefined> = { table: TABLE, judge: { who: { case: "role", value: Role.JUDGE } } };

/** Bytes of a log in one message. */
const PIECE = 60_000;

export function connect(baseUrl: string): Server {
  return createClient(GameService, createGrpcWebTransport({ baseUrl }));
}

/**
 * Has a log audited. Browsers cannot stream a request while they read the answer, but AuditLog needs no more than many
 * messages before its one answer: they are sent as one body.
 */
export async function auditLog(baseUrl: string, log: Uint8Array, isLive: boolean): Promise<AuditLogResponse> {
  const question = { as: TABLE, live: isLive };
  const parts: MessageInitShape<typeof AuditLogRequestSchema>[] = [{ part: { case: "question", value: question } }];
  for (let at = 0; at < log.length; at += PIECE) {
    parts.push({ part: { case: "chunk", value: log.subarray(at, at + PIECE) } });
  }
  const bytes = (part: (typeof parts)[number]) => toBinary(AuditLogRequestSchema, create(AuditLogRequestSchema, part));
  const body = new Blob(parts.map((part) => encodeEnvelope(0, bytes(part)) as BlobPart));
  const transport = createGrpcWebTransport({ baseUrl, fetch: (url, init) => fetch(url, { ...init, body }) });
  const method = { ...AuditService.method.auditLog, methodKind: "unary" as const };
  const answer = await transport.unary(method, undefined, undefined, undefined, {});
  return answer.message as AuditLogResponse;
}
