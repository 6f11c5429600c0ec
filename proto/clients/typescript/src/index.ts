// canasta-client: games of Canasta over canasta.v1. See README.md.

export * from "./connection";
export * from "./logs";
export * from "./messages";
export * from "./open_game";
export * from "./room";
export * from "./table_game";
