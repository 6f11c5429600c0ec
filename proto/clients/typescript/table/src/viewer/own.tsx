// The replay of the game that is on the table.

import type { Transport } from "@connectrpc/connect";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Table } from "../model";
import { localSource } from "./local";
import { gameSource, type Source } from "./source";
import { Viewer } from "./viewer";

/** The game so far as its seat sees it; when it is over, everything, by its log. */
export function OwnReplay({ table, transport, at, close }: {
  table: Table; transport: Transport; at: number | undefined; close: () => void;
}): JSX.Element {
  const { game, view, end } = table;
  const [source, set] = useState<Source>(gameSource(game, transport));
  const isOver = end !== undefined;
  useEffect(() => {
    if (isOver) game.log().then(async (log) => set(await localSource(game.id, log))).catch(table.fail);
  }, [isOver]);
  return <Viewer source={source} at={at ?? (isOver ? undefined : Infinity)} names={view.seats.map((each) => each.name)} close={close} key={source.log ? "log" : "game"} />;
}
