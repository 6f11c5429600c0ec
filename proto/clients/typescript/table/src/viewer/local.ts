// The engine of this page, which judges logs, plays on and makes links without a server.

import { create, toBinary } from "@bufbuild/protobuf";
import { base64Decode, BinaryWriter } from "@bufbuild/protobuf/wire";
import type { Transport } from "@connectrpc/connect";
import { GetStepRequestSchema, hex, joined, JUDGE, partsOf } from "canasta-client";
import { Engine, fromLinkText, type LinkedLog, linkText, localTransport } from "canasta-engine";
import { logSource, type Source } from "./source";

/** Returns what pages and links hold deflated. */
export async function inflated(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns what an element of the page holds, deflated and in Base64; undefined where the page has no such element. */
export async function held(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const text = document.getElementById(id)?.textContent;
  if (!text) return undefined;
  return inflated(base64Decode(text));
}

/** Returns the SHA-256 of what a page of its own judges with: its script and its engine. Undefined for a server's page. */
export async function digestOfPage(): Promise<string | undefined> {
  const script = document.querySelector("script[type=module]:not([src])")?.textContent;
  const modules = await Promise.all(MODULES.map(held));
  if (script === undefined || script === null) return undefined;
  const all = joined([new TextEncoder().encode(script), ...modules.flatMap((each) => each ?? [])]);
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", all as BufferSource)));
}

const MODULES = ["canasta.wasm", "texts.wasm"] as const;
const module = (name: string) => async () => (await held(name)) ?? (await fetch(`/${name}`)).arrayBuffer();

let loading: Promise<Engine> | undefined;

/** Returns the engine: a page of its own holds it, a server's page gets it from there. */
const engine = (): Promise<Engine> => (loading ??= Engine.load(module(MODULES[0]), module(MODULES[1])));

export const localEngine = async (): Promise<Transport> => localTransport(await engine());

export const logOfLink = async (text: string): Promise<LinkedLog> => fromLinkText(await engine(), text);

export const linkOfLog = async (log: Uint8Array): Promise<string> => linkText(await engine(), log);

/** Returns a log as a source that asks no server. `more`: what else is known of it. */
export async function localSource(id: string, log: Uint8Array, isLive = false, more: Partial<Source> = {}): Promise<Source> {
  const here = await engine();
  const transport = localTransport(here);
  const stateAfter = async (n: bigint) => {
    const writer = new BinaryWriter();
    for (const part of partsOf({ actor: JUDGE, n }, log)) writer.bytes(toBinary(GetStepRequestSchema, create(GetStepRequestSchema, part)));
    return here.local("StateAfter", writer.finish());
  };
  return { ...logSource({ id, log, transport, isLive }), stateAfter, ...more };
}
