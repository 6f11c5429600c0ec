// The connection: gRPC-web with an optional token, retries while nothing answers, and errors as one type.

import { BinaryReader } from "@bufbuild/protobuf/wire";
import { Code, ConnectError, type CallOptions, type Interceptor, type Transport } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";

/** Shortest and longest delay between two tries, in milliseconds. */
const [SOON, LATE] = [250, 8_000];
/** Longest time for one try: more than the recorder takes for any answer. Longest delay that a server may ask for and gets. */
const [TRY, MOST] = [12_000, 10_000];
/** Time for a call with all its tries, unless told. */
const DEADLINE = 30_000;

export type Retry = "again" | "once" | "resynchronise" | "never";

/**
 * What a retry may do after a reason of ErrorInfo, or after a status whose reason is not here. All others: never.
 * docs/API.md has it under "Deadlines and retries"; a test holds both against each other.
 */
export const RETRIES: Readonly<Record<string, Retry>> = {
  UNAVAILABLE: "again",
  DEADLINE_EXCEEDED: "again",
  CANCELLED: "again",
  OVERLOADED: "again",
  RATE_LIMITED: "again",
  INTERNAL: "once",
  STALE_HEAD: "resynchronise",
};

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
  /** Time for a call with all its tries, in milliseconds; Infinity: no limit. Unset: 30,000. */
  deadlineMs?: number;
  /** Interceptors of the application's own; they see each call once, whatever is retried. */
  interceptors?: Interceptor[];
}

/** Returns the transport of a service. A call is repeated, unchanged, until it is answered or its deadline has come. */
export function connect({ baseUrl, token, outage = SILENT, deadlineMs = DEADLINE, interceptors = [] }: ConnectionOptions): Transport {
  const ours = [...(token === undefined ? [] : [bearer(token)]), patient(outage, deadlineMs)];
  return createGrpcWebTransport({ baseUrl, interceptors: [...interceptors, ...ours] });
}

/** Returns the transport with a signal that aborts its calls, and with a time for each with all its tries (`timeoutMs`). */
export const within = (transport: Transport, { signal, timeoutMs }: CallOptions): Transport => ({
  unary: (method, own, ms, ...rest) => transport.unary(method, own ?? signal, ms ?? timeoutMs, ...rest),
  stream: (method, own, ms, ...rest) => transport.stream(method, own ?? signal, ms, ...rest),
});

function bearer(token: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
}

/** Retries calls. An answer depends only on its request or is recorded once, so a retry does no harm. */
function patient(outage: Outage, deadlineMs: number): Interceptor {
  return (next) => (request) => {
    // The message of a stream is sent once: whoever opened the stream opens another.
    if (request.stream) return next(request).then((answer) => (outage.back(), answer));
    // The transport ends a call that has a time of its own.
    const ms = request.header.has("grpc-timeout") ? Infinity : deadlineMs;
    return persist((attempt) => attempt.hear(next({ ...request, signal: attempt.signal })), outage, request.signal, ms);
  };
}

/** Repeats a request, unchanged, until it is answered, fails for good, is aborted, or `ms` milliseconds have passed. */
export async function persist<T>(ask: (attempt: Attempt) => Promise<T>, outage: Outage, signal: AbortSignal | undefined, ms: number): Promise<T> {
  const ends = Date.now() + ms;
  for (let [wait, tries] = [SOON, 1]; ; wait = later(wait), tries++) {
    const attempt = new Attempt(signal, Math.min(TRY, ends - Date.now()));
    try {
      const answer = await ask(attempt);
      outage.back();
      return answer;
    } catch (error) {
      const trouble = attempt.trouble(error);
      const delay = trouble.delay(wait, tries);
      if (signal?.aborted || delay === undefined || delay > MOST || Date.now() + delay >= ends) throw trouble;
      await rest(outage, delay, signal);
      if (signal?.aborted) throw trouble;
    } finally {
      attempt.end();
    }
  }
}

/** One try of a call. It ends with the signal, or when nothing has been heard for `ms` milliseconds. */
export class Attempt {
  private readonly controller = new AbortController();
  private isSilent = false;
  readonly signal = this.controller.signal;

  constructor(private readonly outer: AbortSignal | undefined, private readonly ms: number) {
    outer?.addEventListener("abort", this.end);
    if (outer?.aborted) this.end();
  }

  /** Waits for something, for as long as silence is allowed. */
  async hear<T>(what: Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      this.isSilent = true;
      this.end();
    }, this.ms);
    return what.finally(() => clearTimeout(timer));
  }

  /** Passes messages on; a dead connection says nothing. */
  async *listen<T>(messages: AsyncIterable<T>): AsyncGenerator<T> {
    const source = messages[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await this.hear(source.next());
      if (done) return;
      yield value;
    }
  }

  trouble(error: unknown): Trouble {
    return this.isSilent ? new Trouble("DEADLINE_EXCEEDED", `nothing came for ${this.ms / 1000} s`) : Trouble.of(error);
  }

  readonly end = (): void => {
    this.outer?.removeEventListener("abort", this.end);
    this.controller.abort();
  };
}

/** Waits before the next try, at most until the signal. */
export function rest(outage: Outage, wait: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      signal?.removeEventListener("abort", end);
      done();
    };
    signal?.addEventListener("abort", end);
    void outage.away(wait).then(end);
  });
}

/** Returns the delay after this one. Without an argument: the first. */
export const later = (wait?: number): number => (wait === undefined ? SOON : Math.min(2 * wait, LATE));

/** A call that failed. A refused action is none: it is an answer. */
export class Trouble extends Error {
  constructor(
    /** Reason of ErrorInfo (`STALE_HEAD`); otherwise the name of the status; `UNAVAILABLE` if nothing answered. */
    readonly reason: string,
    message: string,
    /** Delay that the server asks for, in milliseconds. */
    readonly retryMs?: number,
    /** What a retry may do. */
    readonly retry: Retry = RETRIES[reason] ?? "never",
  ) {
    super(message);
  }

  /** Returns the milliseconds until the next try. Undefined: there is none. */
  delay(wait: number, tries: number): number | undefined {
    if (this.retry !== "again" && (this.retry !== "once" || tries > 1)) return undefined;
    return Math.max(wait * (1 - Math.random() / 2), this.retryMs ?? 0);
  }

  static of(error: unknown): Trouble {
    if (error instanceof Trouble) return error;
    const found = ConnectError.from(error);
    if (found.cause instanceof Trouble) return found.cause;
    // A fetch that gets no answer fails with a TypeError.
    const status = found.cause instanceof TypeError ? "UNAVAILABLE" : statusName(found.code);
    let [reason, retryMs]: [string, number | undefined] = [status, undefined];
    for (const detail of found.details) {
      if (!("type" in detail)) continue;
      if (detail.type === "google.rpc.ErrorInfo") reason = text(detail.value, 1) ?? reason;
      if (detail.type === "google.rpc.RetryInfo") retryMs = delay(detail.value);
    }
    return new Trouble(reason, found.rawMessage, retryMs, RETRIES[reason] ?? RETRIES[status]);
  }
}

/** Returns a status as gRPC spells it: `DEADLINE_EXCEEDED`. */
const statusName = (code: Code): string =>
  code === Code.Canceled ? "CANCELLED" : (Code[code] ?? "Unknown").replace(/(?!^)[A-Z]/g, "_$&").toUpperCase();

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
