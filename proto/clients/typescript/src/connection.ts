// The connection: gRPC-web with an optional token, retries while nothing answers, and errors as one type.

import { BinaryReader } from "@bufbuild/protobuf/wire";
import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";

/** Shortest and longest delay between two tries while nothing answers, in milliseconds. */
const [SOON, LATE] = [500, 8_000];

/** The display of a lost connection. */
export interface Outage {
  /** Shows that nothing answers; resolves when it is time to try again, at the latest after `wait` milliseconds. */
  away(wait: number): Promise<void>;
  /** Shows that an answer has come. */
  back(): void;
}

/** Waits, and shows nothing. */
export const SILENT: Outage = { away: (wait) => new Promise((done) => setTimeout(done, wait)), back: () => undefined };

export interface ConnectionOptions {
  /** Origin of the service (`https://table.example`). */
  baseUrl: string;
  /** The token of a link or of an identity. Unset: none is sent. */
  token?: string;
  outage?: Outage;
  /** Interceptors of the application's own; they see each call once, whatever is retried. */
  interceptors?: Interceptor[];
}

/** Returns the transport of a service. A call is repeated, unchanged, for as long as nothing answers. */
export function connect({ baseUrl, token, outage = SILENT, interceptors = [] }: ConnectionOptions): Transport {
  const ours = [...(token === undefined ? [] : [bearer(token)]), patient(outage)];
  return createGrpcWebTransport({ baseUrl, interceptors: [...interceptors, ...ours] });
}

function bearer(token: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
}

/** Retries calls. An answer depends only on its request or is recorded once, so a retry does no harm. */
function patient(outage: Outage): Interceptor {
  return (next) => async (request) => {
    for (let wait = SOON; ; wait = later(wait)) {
      try {
        const answer = await next(request);
        outage.back();
        return answer;
      } catch (error) {
        const trouble = Trouble.of(error);
        // The message of a stream is sent once: whoever opened the stream opens another.
        if (request.stream || request.signal.aborted || !trouble.isPassing) throw trouble;
        await outage.away(Math.max(wait, trouble.retryMs ?? 0));
      }
    }
  };
}

/** Returns the delay after this one. Without an argument: the first. */
export const later = (wait?: number): number => (wait === undefined ? SOON : Math.min(2 * wait, LATE));

/** Reasons of ErrorInfo after which the same request is worth another try by itself. */
const PASSING = ["OVERLOADED", "DRAINING", "JOURNAL_UNAVAILABLE", "ARCHIVE_UNAVAILABLE", "AWAY"];

/** A call that failed. A refused action is none: it is an answer. */
export class Trouble extends Error {
  constructor(
    /** Reason of ErrorInfo (`STALE_HEAD`); `AWAY` if nothing answered; otherwise the name of the status. */
    readonly reason: string,
    message: string,
    /** Delay that the server asks for, in milliseconds. */
    readonly retryMs?: number,
  ) {
    super(message);
  }

  /** Whether the same request will succeed later without anybody's doing. */
  get isPassing(): boolean {
    return PASSING.includes(this.reason);
  }

  static of(error: unknown): Trouble {
    if (error instanceof Trouble) return error;
    const found = ConnectError.from(error);
    if (found.cause instanceof Trouble) return found.cause;
    // Browsers report that no answer came as a TypeError of fetch.
    const isAway = found.cause instanceof TypeError || found.code === Code.Unavailable;
    let [reason, retryMs]: [string, number | undefined] = [isAway ? "AWAY" : Code[found.code] ?? "Unknown", undefined];
    for (const detail of found.details) {
      if (!("type" in detail)) continue;
      if (detail.type === "google.rpc.ErrorInfo") reason = text(detail.value, 1) ?? reason;
      if (detail.type === "google.rpc.RetryInfo") retryMs = delay(detail.value);
    }
    return new Trouble(reason, found.rawMessage, retryMs);
  }
}

/** Reads the fields of a message that needs no generated code. */
function* fields(bytes: Uint8Array): Generator<{ no: number; reader: BinaryReader }> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [no, wireType] = reader.tag();
    const before = reader.pos;
    yield { no, reader };
    if (reader.pos === before) reader.skip(wireType);
  }
}

function text(bytes: Uint8Array, wanted: number): string | undefined {
  for (const { no, reader } of fields(bytes)) if (no === wanted) return reader.string();
  return undefined;
}

function delay(bytes: Uint8Array): number | undefined {
  for (const { no, reader } of fields(bytes)) {
    if (no !== 1) continue;
    let ms = 0;
    for (const part of fields(reader.bytes())) {
      if (part.no === 1) ms += Number(part.reader.int64()) * 1000;
      else if (part.no === 2) ms += Math.ceil(part.reader.int32() / 1e6);
    }
    return ms;
  }
  return undefined;
}
