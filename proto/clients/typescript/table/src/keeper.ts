// What this browser keeps: settings, the games it holds itself, and the links that it has used.

import type { Kept, Store } from "canasta-client";

const [GAME, ROOM, SETTING, CURRENT] = ["canasta.game.", "canasta.room.", "canasta.set.", "canasta.current"];
/** Maximum number of kept games, and of kept links; the oldest are dropped. */
const MOST = 8;

/** A room whose link this browser has used. */
export interface KeptRoom {
  id: string;
  token: string;
  title: string;
  players: string[];
  /** What the room was created with, for its host: links and a rematch. */
  made?: Made;
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
  expiresAtMs: number;
  /** Expiry of the links that were made anew after a revocation, by name. */
  renewed?: Record<string, number>;
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

export const setting = (name: string): string | undefined => read<string>(localStorage, SETTING + name);
export const set = (name: string, value: string): void => void write(SETTING + name, value);

export const keptGames = (): Kept[] => all<Kept>(GAME);
export const keptRooms = (): KeptRoom[] => all<KeptRoom>(ROOM);
export const keptRoom = (id: string): KeptRoom | undefined => read(localStorage, ROOM + id);
export const forget = (id: string): void => [GAME, ROOM].forEach((prefix) => localStorage.removeItem(prefix + id));

/** Notes a room whose link works. */
export function noteRoom(room: Omit<KeptRoom, "at">): void {
  for (const old of keptRooms().filter((each) => each.id !== room.id).slice(MOST - 1)) localStorage.removeItem(ROOM + old.id);
  write(ROOM + room.id, { ...keptRoom(room.id), ...room, at: Date.now() });
}

/** The game of this tab, so that a reload goes on with it. */
export const current = (): Kept | undefined => read(localStorage, GAME + sessionStorage.getItem(CURRENT));
export const enter = (id: string): void => sessionStorage.setItem(CURRENT, id);
export const leave = (): void => sessionStorage.removeItem(CURRENT);

/** A game that was played on in another tab. */
export class PlayedElsewhere extends Error {}

/** Whether the last answer could be kept. */
export let isKept = true;

export const browserStore: Store = {
  keep(game: Kept, before: string | undefined): void {
    const found = read<Kept>(localStorage, GAME + game.id);
    if (before !== undefined && found !== undefined && found.state !== before) throw new PlayedElsewhere();
    for (const old of keptGames().filter((each) => each.id !== game.id).slice(MOST - 1)) localStorage.removeItem(GAME + old.id);
    isKept = write(GAME + game.id, game);
  },
};
