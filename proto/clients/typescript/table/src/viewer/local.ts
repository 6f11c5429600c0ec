// The engine of this page, which judges logs, plays on and makes links without a server.

import { create, toBinary } from "@bufbuild/protobuf";
import { base64Decode, BinaryWriter } from "@bufbuild/protobuf/wire";
import type { Transport } from "@connectrpc/connect";
import { GetStepRequestSchema, JUDGE, partsOf } from "canasta-client";
import { Engine, fromLinkText, type LinkedLog, linkText, localTransport } from "canasta-engine";
import { logSource, type Source } from "./source";

/** Returns what an element of the page holds, deflated and in Base64; undefined where the page has no such element. */
export async function held(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const text = document.getElementById(id)?.textContent;
  if (!text) return undefined;
  const stream = new Blob([base64Decode(text) as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const module = (name: string) => async () => (await held(name)) ?? (await fetch(`/${name}`)).arrayBuffer();

let loading: Promise<Engine> | undefined;

/** Returns the engine: a page of its own holds it, a server's page gets it from there. */
const engine = (): Promise<Engine> => (loading ??= Engine.load(module("canasta.wasm"), module("texts.wasm")));

export const localEngine = async (): Promise<Transport> => localTransport(await engine());

export const logOfLink = async (text: string): Promise<LinkedLog> => fromLinkText(await engine(), text);

export const linkOfLog = async (log: Uint8Array): Promise<string> => linkText(await engine(), log);

/** Returns a log as a source that asks no server. */
export async function localSource(id: string, log: Uint8Array, isLive = false): Promise<Source> {
  const here = await engine();
  const transport = localTransport(here);
  const stateAfter = async (n: bigint) => {
    const writer = new BinaryWriter();
    for (const part of partsOf({ actor: JUDGE, n }, log)) writer.bytes(toBinary(GetStepRequestSchema, create(GetStepRequestSchema, part)));
    return here.local("StateAfter", writer.finish());
  };
  return { ...logSource({ id, log, transport, isLive }), stateAfter };
}
