// The room that this page is in: its people, its games, and what becomes of them.

import { createClient } from "@connectrpc/connect";
import {
  connect, type ConnectionOptions, GameService, hex, readToken, type Room, type RoomChange, type RoomGame, type RoomNews, RoomVisit,
  type RuleSetSummary, Trouble, type View,
} from "canasta-client";
import { level, noteRoom, roomOfCode, set } from "./keeper";
import type { Table } from "./model";
import { shownName, t } from "./words";

/** What the page around a room does for it. */
export interface Around {
  options: ConnectionOptions;
  changed: () => void;
  fail: (error: unknown) => void;
  /** Opens the table of a game. */
  sit: (game: RoomGame) => Table;
}

/** Time within which two presses are meant as one, in milliseconds. */
const TWICE_MS = 500;

/** Reasons for which a token no longer opens a room: it was replaced, or the room is gone. */
const ENDED = ["UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND"];

/** Returns the code that a link has behind its `#`; undefined if it has none. */
export function codeOf(hash: string): string | undefined {
  const plain = decodeURIComponent(hash.slice(1)).toLowerCase().replace(/[\s-]/g, "");
  return /^[0-9a-z]{12}$/.test(plain) ? plain : undefined;
}

export const linkOf = (code: string): string => `${location.origin}${location.pathname}#${code.replaceAll("-", "")}`;

export class Meeting {
  room: Room;
  /** The rules of the room, once the service has told of them. */
  summary: RuleSetSummary | undefined;
  /** The chairs on whose behalf somebody is there; undefined: not known yet. */
  present: Set<number> | undefined;
  /** When each chair was seen to be left, by the clock of the page. */
  readonly left = new Map<number, number>();
  /** The latest game that was opened, and whether the room is shown instead of it. */
  table: Table | undefined;
  isApart = true;
  said = "";
  private key = "";
  private learned = "";
  private learning: Promise<void> | undefined;
  /** The changes that are on their way, one behind the other. */
  private changing = Promise.resolve();
  /** The last change, and when it was made; until then later than any time. */
  private last = { key: "", at: -Infinity };

  constructor(private visit: RoomVisit, private readonly around: Around) {
    this.room = visit.room;
    this.take({ room: visit.room });
  }

  /** Comes into a room: with the token that this browser has kept, else as a guest, or by the code of a chair. `words`: what it waits for, too. */
  static async enter(code: string, around: Around, words: Promise<unknown>): Promise<Meeting> {
    const kept = roomOfCode(code);
    const back = async () => kept && RoomVisit.back(around.options, kept.token).catch((error: unknown) => {
      if (!ENDED.includes(Trouble.of(error).reason)) throw error;
    });
    const [visit] = await Promise.all([back().then((came) => came ?? RoomVisit.enter(around.options, code)), words]);
    const meeting = new Meeting(visit, around);
    // A game that is played needs no name of its room.
    if (!meeting.isPlaying) await meeting.learning;
    return meeting;
  }

  /** Follows the room until the signal. Whoever has lost the chair stays as a guest. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const news of this.visit.news(signal)) this.take(news);
      } catch (error) {
        if (this.chair === undefined || !ENDED.includes(Trouble.of(error).reason)) throw error;
        this.visit = await RoomVisit.enter(this.around.options, this.room.code);
        this.said = t("room.stoodUp");
        this.take({ room: this.visit.room });
      }
    }
  }

  private take({ room, present }: Partial<RoomNews> & { room: Room }): void {
    const [id, code] = [hex(room.roomId), room.code.replaceAll("-", "")];
    this.room = room;
    if (present) this.see(new Set(present.flatMap(({ seat }) => seat ?? [])));
    const title = this.summary?.title ?? room.rules?.ruleSet ?? "";
    const codes = [...new Set([code, ...(roomOfCode(code)?.codes ?? [])])].slice(0, 4);
    noteRoom({ id, token: this.visit.token, title, players: room.chairs.map((each) => each.name).filter(Boolean), codes });
    // The code of a chair does not stay in the address, from where it would be passed on.
    if (codeOf(location.hash) !== code) history.replaceState(null, "", `#${code}`);
    this.learning = this.learn();
    this.follow();
    if (this.table?.view) this.name(this.table.view);
    this.around.changed();
  }

  private see(present: Set<number>): void {
    for (const chair of this.room.chairs.keys()) {
      if (present.has(chair)) this.left.delete(chair);
      else if (this.present?.has(chair)) this.left.set(chair, Date.now());
    }
    this.present = present;
  }

  /** Opens the table of the game that is played, anew where the own seat or its token has changed. */
  private follow(): void {
    const link = readToken(this.room.gameLink?.token ?? "");
    const game = link && this.isPlaying ? this.visit.game() : undefined;
    if (!link || !game) return;
    const key = `${game.id} ${JSON.stringify(link.actor)} ${link.expiresAtMs}`;
    if (key === this.key) return;
    this.key = key;
    this.open(game);
    // Whoever comes into a running game sees where a chair is free.
    if (this.chair === undefined && this.table && this.room.chairs.some(({ name }) => name === "")) this.table.panel = "room";
  }

  private open(game: RoomGame): void {
    this.isApart = false;
    this.table = this.around.sit(game);
    this.table.meeting = this;
  }

  /** Shows the latest game again, or the room. */
  go(toGame: boolean): void {
    const game = this.visit.game();
    if (toGame && !this.table && game) this.open(game);
    this.isApart = !toGame;
    this.around.changed();
  }

  /** Asks what the rules are called, and who plays with whom. */
  private async learn(): Promise<void> {
    const { rules } = this.room;
    const asked = JSON.stringify([rules?.ruleSet, rules?.houseRules]);
    if (!rules || asked === this.learned) return;
    this.learned = asked;
    const request = { id: rules.ruleSet, ...(rules.houseRules ? { houseRules: rules.houseRules } : {}) };
    const found = await createClient(GameService, connect(this.around.options)).getRuleSet(request).catch(() => undefined);
    this.summary = found?.ruleSet?.summary;
    this.around.changed();
  }

  /** Changes the room, behind the changes before. A second press asks for what the first one does. */
  change(change: RoomChange): Promise<void> {
    const key = change.case === "ready" ? change.case : JSON.stringify(change);
    if (key !== this.last.key || performance.now() - this.last.at >= TWICE_MS) {
      const last = (this.last = { key, at: Infinity });
      this.changing = this.changing.then(() => this.make(change)).finally(() => (last.at = performance.now()));
    }
    return this.changing;
  }

  private async make(change: RoomChange): Promise<void> {
    this.said = "";
    try {
      this.take({ room: await this.visit.change(change) });
    } catch (error) {
      if (Trouble.of(error).reason !== "INVALID_FIELD") return this.around.fail(error);
      // The room was no longer the one that was seen.
      this.said = t("room.late");
      await this.look();
    }
  }

  sitDown(chair: number, name: string): void {
    const isTaken = this.room.chairs.some((each, at) => at !== this.chair && each.name.toLowerCase() === name.toLowerCase());
    this.said = isTaken ? t("room.name.taken", { name }) : "";
    if (isTaken) return this.around.changed();
    set("name", name);
    void this.change({ case: "sitDown", value: { chair, name } });
  }

  bot(chair: number, plays: boolean): Promise<void> {
    return this.change({ case: "bot", value: { chair, plays, level: level() } });
  }

  /** Gives the chairs other seats: the first one stays, so that partners change; of two players both move. */
  turn(): void {
    const seats = this.room.chairs.length;
    const next = (seat: number) => (seats === 2 ? 1 - seat : seat === 0 ? 0 : (seat % (seats - 1)) + 1);
    void this.change({ case: "seating", value: { seats: this.room.seating.map(next) } });
  }

  /** Asks for the room once more: the end of a game is none of its own news. */
  async look(): Promise<void> {
    await this.visit.look().then((room) => this.take({ room }), this.around.fail);
  }

  get chair(): number | undefined {
    return this.visit.chair;
  }

  get isHost(): boolean {
    return this.chair !== undefined && this.room.host === this.chair;
  }

  get isPlaying(): boolean {
    const latest = this.room.games.at(-1);
    return latest !== undefined && latest.end === undefined;
  }

  /** The chairs in the order of their seats: in the game that is played, else in the next one. */
  get chairs(): number[] {
    const latest = this.room.games.at(-1);
    return this.isPlaying && latest ? latest.chairs : [...this.room.seating.keys()].sort((a, b) => (this.room.seating[a] ?? 0) - (this.room.seating[b] ?? 0));
  }

  /** Returns the chair of a seat in the latest game. */
  chairOf(seat: number): number {
    return this.room.games.at(-1)?.chairs[seat] ?? seat;
  }

  /** Names the seats of the latest game after those who sit there now: people come and go while it is played. */
  name(view: View): void {
    for (const seat of view.seats) {
      const { name = "", bot = false } = this.room.chairs[this.chairOf(seat.seat)] ?? {};
      if (name !== "" || (bot && !/^Bot\b/.test(seat.name))) seat.name = name || "Bot";
    }
  }

  nameOf(chair: number): string {
    const { name, bot } = this.room.chairs[chair] ?? {};
    return shownName(name ?? "") || t(bot ? "bot" : "room.free");
  }

  isGone(chair: number): boolean {
    return this.present !== undefined && this.room.chairs[chair]?.name !== "" && !this.present.has(chair) && chair !== this.chair;
  }

  /** Whether the player of a seat is not there, and no bot plays. */
  isAway(seat: number): boolean {
    const chair = this.chairOf(seat);
    return this.isGone(chair) && !this.room.chairs[chair]?.bot && !this.table?.present.includes(seat);
  }
}
