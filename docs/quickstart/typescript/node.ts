// In node, over gRPC: the log goes to a file, and is streamed to the audit.

import { writeFileSync } from "node:fs";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { firstGame, TABLE } from "./first_game";
import { AuditService, Verdict } from "./gen/canasta/v1/audit_service_pb";

const transport = createGrpcTransport({ baseUrl: `http://${process.argv[2] ?? "127.0.0.1:50051"}` });
const log = Buffer.concat(await firstGame(transport, console.log));
writeFileSync("first_game.clog", log);

/** The question first, then the log in pieces of at most 64 KiB. */
async function* pieces() {
  yield { part: { case: "question" as const, value: { actor: TABLE, live: true } } };
  for (let at = 0; at < log.length; at += 60_000) {
    yield { part: { case: "chunk" as const, value: log.subarray(at, at + 60_000) } };
  }
}

const report = await createClient(AuditService, transport).auditLog(pieces());
console.log(`audited    ${Verdict[report.verdict]}, ${report.records} records, ${report.bytes} bytes`);
process.exit(); // the transport keeps its connection open
