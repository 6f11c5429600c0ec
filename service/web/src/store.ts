// The games that this browser keeps, so that a reload, the back button or a crash loses nothing.

/** A kept game; bytes as base64, messages as JSON. */
export interface Kept {
  id: string;
  ruleSet: string;
  players: string[];
  player: number;
  me: number;
  state: string;
  frames: string[];
  /** Numbers of the log's last record and of the last action's record. */
  n: number;
  last: number;
  rounds: unknown[];
  end: unknown;
  /** Number of rounds whose end the player has seen and left. */
  left: number;
  lines: Line[];
  /** Time at which the last answer was kept, in milliseconds since 1970. */
  at: number;
}

/** A line of the history, with the number of its record in the log if it has one. */
export interface Line {
  text: string;
  record?: number;
}

const PREFIX = "canasta.game.";
/** The key of the game of this tab. */
const CURRENT = "canasta.current";
/** Maximum number of kept games; the oldest are dropped. */
const GAMES = 5;

/** Returns every kept game, the latest first. */
export function kept(): Kept[] {
  const games = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => read(key));
  return games.filter((game) => game !== undefined).sort((a, b) => b.at - a.at);
}

/** Returns the game that this tab was playing. */
export function current(): Kept | undefined {
  const id = sessionStorage.getItem(CURRENT);
  return id === null ? undefined : read(PREFIX + id);
}

/** Notes that this tab plays that game. */
export function enter(id: string): void {
  sessionStorage.setItem(CURRENT, id);
}

export function leave(): void {
  sessionStorage.removeItem(CURRENT);
}

/**
 * Keeps a game after an answer, if the kept state is still the one that the request was made from (compare-and-set):
 * two tabs with one game would fork it. Returns false if the browser keeps nothing (private windows, no room left).
 */
export function keep(game: Kept, before: string | undefined): boolean {
  const found = read(PREFIX + game.id);
  if (before !== undefined && found !== undefined && found.state !== before) {
    throw new Error("this game was played on in another tab: reload this page to go on from there");
  }
  for (const old of kept().filter((each) => each.id !== game.id).slice(GAMES - 1)) localStorage.removeItem(PREFIX + old.id);
  try {
    localStorage.setItem(PREFIX + game.id, JSON.stringify(game));
    return true;
  } catch {
    return false;
  }
}

/** Returns a kept game; undefined if its text is damaged. */
function read(key: string): Kept | undefined {
  try {
    const game = JSON.parse(localStorage.getItem(key) ?? "null") as Kept | null;
    return typeof game?.state === "string" && Array.isArray(game.frames) ? game : undefined;
  } catch {
    return undefined;
  }
}
