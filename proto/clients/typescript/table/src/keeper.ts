// What this browser keeps: settings, the games it holds itself, and the links that it has used.

import type { Kept, Store } from "canasta-client";
import type { Order } from "./cards";

const [GAME, ROOM, HAND, SETTING, CURRENT] = ["canasta.game.", "canasta.room.", "canasta.hand.", "canasta.set.", "canasta.current"];
/** Maximum number of kept games, and of kept links; the oldest are dropped. */
const MOST = 8;

/** A room whose link this browser has used. */
export interface KeptRoom {
  id: string;
  token: string;
  title: string;
  players: string[];
  /** What a game was created with, for a rematch. */
  made?: Made;
  /** The codes by which this browser has come into a room, the latest first; a game has none. */
  codes?: string[];
  at: number;
}

/** What a host has created a room with. */
export interface Made {
  ruleSet: string;
  variations: string[];
  knobs?: Record<string, string>;
  players: string[];
  seat: number;
  bots: number[];
  takeBacks: number;
  /** Index of the clock in the form. */
  clock: number;
}

function read<T>(storage: Storage, key: string): T | undefined {
  try {
    return JSON.parse(storage.getItem(key) ?? "") as T;
  } catch {
    return undefined;
  }
}

/** Returns whether the browser has kept it: private windows and full ones do not. */
function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function all<T extends { at: number }>(prefix: string): T[] {
  const found = Object.keys(localStorage).filter((key) => key.startsWith(prefix)).map((key) => read<T>(localStorage, key));
  return found.filter((each) => each !== undefined).sort((a, b) => b.at - a.at);
}

/** The strength of bots that is chosen in this browser. */
export const level = (): number => Number(setting("level") ?? 3);
export const setting = (name: string): string | undefined => read<string>(localStorage, SETTING + name);
export const set = (name: string, value: string): void => void write(SETTING + name, value);

/** A game that this browser keeps. `isLocal`: the engine in the page plays it, without a server. */
export type KeptGame = Kept & { isLocal?: boolean };
export const keptGames = (): KeptGame[] => all<KeptGame>(GAME);
export const keptRooms = (): KeptRoom[] => all<KeptRoom>(ROOM);
export const keptRoom = (id: string): KeptRoom | undefined => read(localStorage, ROOM + id);
export const forget = (id: string): void => [GAME, ROOM].forEach((prefix) => localStorage.removeItem(prefix + id));

/** Notes a room whose link works. */
export function noteRoom(room: Omit<KeptRoom, "at">): void {
  for (const old of keptRooms().filter((each) => each.id !== room.id).slice(MOST - 1)) localStorage.removeItem(ROOM + old.id);
  write(ROOM + room.id, { ...keptRoom(room.id), ...room, at: Date.now() });
}

/** How the hand of a game lies; `own`: its cards in the player's own order. */
export const handOf = (id: string): { order: Order; own: string[] } | undefined => read(localStorage, HAND + id);

export function keepHand(id: string, order: Order, own: string[]): void {
  const key = HAND + id;
  for (const old of all<{ key: string; at: number }>(HAND).filter((each) => each.key !== key).slice(MOST - 1)) localStorage.removeItem(old.key);
  write(key, { key, order, own, at: Date.now() });
}

/** Returns the room that a code leads to, if this browser has been in it. */
export const roomOfCode = (code: string): KeptRoom | undefined => keptRooms().find((each) => each.codes?.includes(code));

/** The game of this tab, so that a reload goes on with it. */
export const current = (): KeptGame | undefined => read(localStorage, GAME + sessionStorage.getItem(CURRENT));
export const enter = (id: string): void => sessionStorage.setItem(CURRENT, id);
export const leave = (): void => sessionStorage.removeItem(CURRENT);

/** A game that was played on in another tab. */
export class PlayedElsewhere extends Error {}

/** Whether the last answer could be kept. */
export let isKept = true;

export const browserStore = (isLocal: boolean): Store => ({
  keep(game: Kept, before: string | undefined): void {
    const found = read<Kept>(localStorage, GAME + game.id);
    if (before !== undefined && found !== undefined && found.state !== before) throw new PlayedElsewhere();
    for (const old of keptGames().filter((each) => each.id !== game.id).slice(MOST - 1)) localStorage.removeItem(GAME + old.id);
    isKept = write(GAME + game.id, { ...game, isLocal });
  },
});
