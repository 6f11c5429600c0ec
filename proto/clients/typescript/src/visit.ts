// A room of the recorder, as somebody is in it: chairs, who is there, and one game after the other.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type CallOptions, type Client } from "@connectrpc/connect";
import { connect, SILENT, Trouble, within, type ConnectionOptions } from "./connection.js";
import { RecordService, type ChangeRoomRequestSchema, type OpenedRoom, type Room, type RoomRulesSchema, type SeatPresence } from "./gen/canasta/v1/record_service_pb.js";
import type { Rejected } from "./gen/canasta/v1/violation_pb.js";
import { readToken, RoomGame, watched } from "./room.js";
import { fresh, seatOf, type Asker } from "./table_game.js";

/** A change of a room, as a program writes it: `{ case: "ready", value: true }`. */
export type RoomChange = NonNullable<MessageInitShape<typeof ChangeRoomRequestSchema>["change"]>;

/** What a room is now. */
export interface RoomNews {
  room: Room;
  /** The chairs on whose behalf somebody watches the room. */
  present: SeatPresence[];
}

/** Somebody in a room: a guest, or whoever has one of its chairs. */
export class RoomVisit {
  private client!: Client<typeof RecordService>;
  /** The token: of the own chair, or of guests. To sit down and to stand up bring another one. */
  token = "";
  actor!: Asker;
  room!: Room;
  private moved: () => void = () => undefined;

  private constructor(private readonly options: ConnectionOptions, private readonly calls: CallOptions, opened: OpenedRoom) {
    this.take(opened);
  }

  /** Opens a room, whose creator has chair 0. Returns why nobody can play by these rules if so. */
  static async create(
    options: ConnectionOptions, rules: MessageInitShape<typeof RoomRulesSchema>, name: string, requestId = fresh(), calls: CallOptions = {},
  ): Promise<RoomVisit | Rejected> {
    const client = createClient(RecordService, within(connect(options), calls));
    const { outcome } = await client.createRoom({ requestId, rules, name });
    if (outcome.case === "rejected") return outcome.value;
    return new RoomVisit(options, calls, outcome.value as OpenedRoom);
  }

  /** Enters by a code: as a guest, or with the code of a chair as whoever has that. */
  static async enter(options: ConnectionOptions, code: string, calls: CallOptions = {}): Promise<RoomVisit> {
    const { opened } = await createClient(RecordService, within(connect(options), calls)).openRoom({ code });
    return new RoomVisit(options, calls, opened as OpenedRoom);
  }

  /** Comes back with a token of before. */
  static async back(options: ConnectionOptions, token: string, calls: CallOptions = {}): Promise<RoomVisit> {
    const link = readToken(token);
    if (!link) throw new Trouble("UNAUTHENTICATED", "no token of a link");
    const client = createClient(RecordService, within(connect({ ...options, token }), calls));
    const { room } = await client.getGame({ gameId: link.gameId, actor: link.actor });
    if (!room) throw new Trouble("NOT_FOUND", "the token is for a game and no room");
    return new RoomVisit(options, calls, { room, actor: link.actor, link: { token } } as OpenedRoom);
  }

  /** Watches the room; after a lost connection, silence, or another token, it begins with what the room is then. */
  async *news(signal: AbortSignal): AsyncGenerator<RoomNews> {
    while (!signal.aborted) {
      const here = new AbortController();
      const leave = () => here.abort();
      this.moved = leave;
      signal.addEventListener("abort", leave);
      try {
        const asked = () => ({ gameId: this.room.roomId, actor: this.actor });
        for await (const { room, present } of watched(this.client, asked, this.options.outage ?? SILENT, here.signal)) {
          if (room && !here.signal.aborted) yield { room: (this.room = room), present };
        }
      } finally {
        signal.removeEventListener("abort", leave);
      }
    }
  }

  /** Changes the room. Returns what it is then. */
  async change(change: RoomChange, requestId = fresh()): Promise<Room> {
    const { opened } = await this.client.changeRoom({ roomId: this.room.roomId, requestId, actor: this.actor, change });
    this.take(opened as OpenedRoom);
    return this.room;
  }

  /** Asks what the room is now. */
  async look(): Promise<Room> {
    const { room } = await this.client.getGame({ gameId: this.room.roomId, actor: this.actor });
    return (this.room = room ?? this.room);
  }

  /** Returns the latest game, from the own seat or as a spectator. Undefined: there is none. */
  game(): RoomGame | undefined {
    const link = readToken(this.room.gameLink?.token ?? "");
    if (!link) return undefined;
    const transport = within(connect({ ...this.options, token: link.token }), this.calls);
    return new RoomGame(transport, link.gameId, link.actor, this.options.outage, this.calls.signal);
  }

  /** The own chair; undefined for guests. */
  get chair(): number | undefined {
    return seatOf(this.actor);
  }

  private take({ room, actor, link }: OpenedRoom): void {
    this.room = room ?? this.room;
    this.actor = actor ?? this.actor;
    const token = link?.token ?? this.token;
    if (token === this.token) return;
    this.token = token;
    this.client = createClient(RecordService, within(connect({ ...this.options, token }), this.calls));
    this.moved();
  }
}
