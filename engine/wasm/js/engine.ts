// The engine: modules of WebAssembly behind one function, `call(method, bytes) -> bytes`.

import { Code, ConnectError } from "@connectrpc/connect";
import { BinaryReader } from "@bufbuild/protobuf/wire";

/** The bytes of a module, or what brings them. */
export type Source = BufferSource | (() => Promise<BufferSource>);

/** What a module exports; addresses and lengths are numbers of bytes. */
interface Exports {
  memory: WebAssembly.Memory;
  reserve(length: number): number;
  call(name: number): number;
  answer(): number;
}

/** Methods about texts, whose module is loaded when the first of them is called. */
const TEXTS = ["GetRule", "GetCatalogue", "ListKnobs", "ExplainRuleSet"].map((name) => `canasta.v1.GameService/${name}`);

/** Methods that only a program without a server has: docs.rs of `canasta_messages::local::call` has their bytes. */
type LocalMethod = "Pack" | "Unpack" | "StateAfter" | "StateOf" | "NotationOf";

export class Engine {
  private texts: Promise<Exports> | undefined;

  private constructor(private readonly engine: Exports, private readonly source: Source) {}

  /**
   * Loads the engine. `engine` and `texts` are the modules `canasta.wasm` and `texts.wasm` of this package: their bytes, or what
   * brings them. Unset: they are read from beside this file, in node from the disk and elsewhere by fetch.
   */
  static async load(engine: Source = beside("canasta.wasm"), texts: Source = beside("texts.wasm")): Promise<Engine> {
    return new Engine(await instance(engine), texts);
  }

  /** Whether a method needs the texts, which are loaded on demand. */
  static needsTexts(method: string): boolean {
    return TEXTS.includes(method);
  }

  /**
   * Answers a method about games and logs: the message of its answer.
   * @param method the full name, such as `canasta.v1.GameService/ApplyAction`
   * @param request its message; of a method with a stream of requests, each message behind its length as a varint
   * @throws ConnectError as a server's, with the same code, message and details
   */
  call(method: string, request: Uint8Array): Uint8Array {
    return answered(this.engine, method, request);
  }

  /** Answers any method, also those about texts. */
  async ask(method: string, request: Uint8Array): Promise<Uint8Array> {
    if (!Engine.needsTexts(method)) return this.call(method, request);
    this.texts ??= instance(this.source);
    return answered(await this.texts, method, request);
  }

  /** Answers a method that only a program without a server has. */
  local(method: LocalMethod, request: Uint8Array): Uint8Array {
    return this.call(`local/${method}`, request);
  }

  /** Returns the state of a position in notation. */
  stateOf(notation: string): Uint8Array {
    return this.local("StateOf", new TextEncoder().encode(notation));
  }

  /** Returns the position of a state in notation. */
  notationOf(state: Uint8Array): string {
    return new TextDecoder().decode(this.local("NotationOf", state));
  }
}

async function instance(source: Source): Promise<Exports> {
  const bytes = typeof source === "function" ? await source() : source;
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return instance.exports as unknown as Exports;
}

/** Returns what brings a module that lies beside this file. */
function beside(name: string): () => Promise<BufferSource> {
  return async () => {
    const url = new URL(`../built/${name}`, import.meta.url);
    if (url.protocol !== "file:") return (await fetch(url)).arrayBuffer();
    const files = "node:fs/promises";
    const { readFile } = (await import(/* @vite-ignore */ files)) as { readFile(url: URL): Promise<Uint8Array<ArrayBuffer>> };
    return readFile(url);
  };
}

function answered(engine: Exports, method: string, request: Uint8Array): Uint8Array {
  const name = new TextEncoder().encode(method);
  const at = engine.reserve(name.length + request.length);
  if (at === 0) throw new ConnectError("request: longer than 68 MiB", Code.OutOfRange);
  const memory = new Uint8Array(engine.memory.buffer, at);
  memory.set(name);
  memory.set(request, name.length);
  const length = engine.call(name.length);
  const answer = new Uint8Array(engine.memory.buffer, engine.answer(), length).slice();
  if (answer[0] === 0) return answer.subarray(1);
  throw fault(answer.subarray(1));
}

/** Returns the error of a `google.rpc.Status`. */
function fault(status: Uint8Array): ConnectError {
  const reader = new BinaryReader(status);
  let [code, message] = [Code.Internal, ""];
  const details: { type: string; value: Uint8Array }[] = [];
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (field === 1) code = reader.int32();
    else if (field === 2) message = reader.string();
    else if (field === 3) details.push(detail(reader.bytes()));
    else reader.skip(wire);
  }
  const error = new ConnectError(message, code);
  error.details.push(...details);
  return error;
}

/** Reads a `google.protobuf.Any`. */
function detail(bytes: Uint8Array): { type: string; value: Uint8Array } {
  const reader = new BinaryReader(bytes);
  const found = { type: "", value: new Uint8Array() };
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (field === 1) found.type = reader.string().replace(/^.*\//, "");
    else if (field === 2) found.value = reader.bytes() as Uint8Array<ArrayBuffer>;
    else reader.skip(wire);
  }
  return found;
}
