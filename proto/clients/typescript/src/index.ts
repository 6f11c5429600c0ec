// canasta-client: games of Canasta over canasta.v1, and its messages, enums and services. See README.md.

export * from "./gen/canasta/v1/action_pb.js";
export * from "./gen/canasta/v1/audit_service_pb.js";
export * from "./gen/canasta/v1/catalogue_pb.js";
export * from "./gen/canasta/v1/error_pb.js";
export * from "./gen/canasta/v1/event_pb.js";
export * from "./gen/canasta/v1/game_service_pb.js";
export * from "./gen/canasta/v1/identity_pb.js";
export * from "./gen/canasta/v1/record_service_pb.js";
export * from "./gen/canasta/v1/rule_set_pb.js";
export * from "./gen/canasta/v1/score_pb.js";
export * from "./gen/canasta/v1/view_pb.js";
export * from "./gen/canasta/v1/violation_pb.js";

export { createClient } from "@connectrpc/connect";
export * from "./catalogue.js";
export * from "./connection.js";
export * from "./logs.js";
export * from "./messages.js";
export * from "./open_game.js";
export * from "./room.js";
export * from "./table_game.js";
export * from "./visit.js";
// The message of this name is the same in another form; `WordingSchema` has it.
export type { Wording } from "./messages.js";
