// In a browser, over gRPC-web: the log becomes a download, and is sent to the audit as one body, for browsers cannot
// stream what they send.

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { firstGame, TABLE } from "./first_game";
import { AuditLogRequestSchema, AuditService, Verdict, type AuditLogResponse } from "./gen/canasta/v1/audit_service_pb";

const page = document.querySelector("pre")!;
const say = (line: string) => page.append(`${line}\n`);
const baseUrl = new URLSearchParams(location.search).get("service") ?? "http://127.0.0.1:50051";

const frames = await firstGame(createGrpcWebTransport({ baseUrl }), say).catch((reason) => {
  say(`${reason}\nThe page asks the service at ${baseUrl}: does it run there?`);
  throw reason;
});
const log = new Blob(frames as BlobPart[]);
const link = document.querySelector("a")!;
link.href = URL.createObjectURL(log);
link.download = "first_game.clog";

const bytes = new Uint8Array(await log.arrayBuffer());
const parts: MessageInitShape<typeof AuditLogRequestSchema>["part"][] = [{ case: "question", value: { actor: TABLE, live: true } }];
for (let at = 0; at < bytes.length; at += 60_000) parts.push({ case: "chunk", value: bytes.subarray(at, at + 60_000) });
const messages = parts.map((part) => toBinary(AuditLogRequestSchema, create(AuditLogRequestSchema, { part })));
const body = new Blob(messages.map((message) => encodeEnvelope(0, message) as BlobPart));
// One message in, as far as the library knows; what is fetched has them all.
const transport = createGrpcWebTransport({ baseUrl, fetch: (url, init) => fetch(url, { ...init, body }) });
const method = { ...AuditService.method.auditLog, methodKind: "unary" as const };
const report = (await transport.unary(method, undefined, undefined, undefined, {})).message as AuditLogResponse;
say(`audited    ${Verdict[report.verdict]}, ${report.records} records, ${report.bytes} bytes`);
