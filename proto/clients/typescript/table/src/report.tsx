// The board of a report page. The page's own script has the position after each record (replay-cli/src/pages/report/scene.rs says
// which keys it has) and tells whose knowledge is shown; the board here is the one of the table in the browser.

import { render } from "preact";
import { FreezeCause, Grade, MeldKind, type MeldView, Phase, type View } from "canasta-client";
import { Board, type Shown } from "./board";
import { fromLetters } from "./cards";

// The page's own script names cards as the board does.
export { fromLetters, short, suit } from "./cards";
export { spoken } from "./words";

/** The values of a position by key. */
type Position = Record<string, string | number | undefined>;

export interface Seen {
  position: Position;
  /** The position before the record. Unset: nothing is marked as new. */
  before?: Position;
  viewer: "table" | "judge" | number;
  /** Names of the players, by player. */
  players: string[];
  seats: number;
  /** Whether each seat scores for itself. */
  units: boolean;
}

const KINDS: Record<string, MeldKind> = { S: MeldKind.SET, W: MeldKind.WILD, Q: MeldKind.SEQUENCE, B: MeldKind.BLACK_THREES };
const GRADES: Record<string, Grade> = { N: Grade.NATURAL, M: Grade.MIXED, W: Grade.WILD, Q: Grade.SEQUENCE };

const causes = (names: unknown): FreezeCause[] =>
  String(names ?? "").split(" ").filter(Boolean).map((name) => FreezeCause[name as keyof typeof FreezeCause]);

/** Returns a meld from its value: kind, grade, cards, then `/` and the cards that may be taken back. */
function meldOf(id: number, value: string): Partial<MeldView> {
  const [laid = "", loose] = value.slice(2).split("/");
  const found = fromLetters(laid);
  const natural = found.find((each) => each !== "X" && each.charAt(0) !== "2");
  return {
    id, cards: found, loose: fromLetters(loose), kind: KINDS[value.charAt(0)] ?? MeldKind.SET,
    grade: GRADES[value.charAt(1)] ?? Grade.UNSPECIFIED, rank: natural?.charAt(0) ?? "",
  };
}

/** Returns what the viewer may know of a position, as the service would tell it. */
function viewOf({ viewer, players, seats, units }: Seen, position: Position): View {
  const isDealt = position["c"] === 1;
  const all = Array.from({ length: seats }, (_, seat) => seat);
  const sideOf = (seat: number) => Number(String(position["sd"] ?? "").charAt(seat) || 0);
  const score = (unit: number) => position[`s${unit}`] ?? 0;
  const pile = fromLetters(position["pi"]);
  const seatOf = (seat: number) => {
    const hand = isDealt ? fromLetters(position[`h${seat}`]) : [];
    const foot = isDealt ? fromLetters(position[`F${seat}`]) : [];
    const player = Number(String(position["pl"] ?? "").charAt(seat) || seat);
    return {
      seat, side: sideOf(seat), player, name: players[player] ?? "", laid: fromLetters(position[`l${seat}`]),
      hand: viewer === "judge" || viewer === seat ? hand : [], handSize: hand.length,
      foot: viewer === "judge" ? foot : [], footSize: foot.length, ...(units ? { score: score(seat) } : {}),
    };
  };
  const side = (each: number) => {
    const needs = position[`o${each}`];
    const melds = Object.entries(position).filter(([key]) => isDealt && key.startsWith(`m${each}.`));
    return {
      side: each, opened: needs === undefined || needs === "", minimum: needs, frozen: causes(position[`f${each}`]),
      melds: melds.map(([key, value]) => meldOf(Number(key.split(".")[1]), String(value))).sort((a, b) => (a.id ?? 0) - (b.id ?? 0)),
      ...(units ? {} : { score: score(each) }),
    };
  };
  const view = {
    phase: isDealt ? Phase.PLAY : Phase.DEAL, round: position["r"], dealer: position["d"], toAct: position["a"], talons: [],
    stock: String(position["st"] ?? "").length, takenTop: position["tt"] === undefined ? "" : fromLetters(position["tt"])[0],
    pile: { size: pile.length, top: position["tt"] === undefined ? (pile.at(-1) ?? "") : "", frozen: causes(position["fz"]) },
    seats: all.map(seatOf), sides: position["sd"] === undefined ? [] : [...new Set(all.map(sideOf))].sort().map(side),
  };
  // The board reads nothing else of a view.
  return view as unknown as View;
}

/** Draws the position as the viewer may know it. */
export function draw(place: HTMLElement, seen: Seen): void {
  const table: Shown = {
    view: viewOf(seen, seen.position), before: seen.before && viewOf(seen, seen.before),
    bottom: typeof seen.viewer === "number" ? seen.viewer : undefined,
    me: undefined, side: undefined, isMine: false, isReplay: true, picked: new Set(), chosen: undefined, legal: [],
    clock: undefined, clockAt: 0, botSeats: [], option: () => undefined, choose: async () => undefined, act: async () => undefined,
  };
  render(<Board table={table} isPart />, place);
}
