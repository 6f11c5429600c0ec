// The engine as a transport of connect: a client of it and one of a server are called alike.

import { create, fromBinary, toBinary, type DescMessage, type DescMethod, type MessageInitShape } from "@bufbuild/protobuf";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import type { Engine } from "./engine.js";

/** Returns the transport of an engine. It has no streams of answers: nobody else acts in this program. */
export function localTransport(engine: Engine): Transport {
  const ask = async (method: DescMethod, request: Uint8Array, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    return fromBinary(method.output, await engine.ask(`${method.parent.typeName}/${method.name}`, request));
  };
  const headers = () => ({ header: new Headers(), trailer: new Headers() });
  return {
    async unary(method, signal, _ms, _header, input) {
      const message = await ask(method, bytes(method.input, input), signal);
      return { stream: false, service: method.parent, method, message: message as never, ...headers() };
    },
    async stream(method, signal, _ms, _header, input) {
      if (method.methodKind !== "client_streaming") {
        throw new ConnectError("a program without a server has no streams of answers", Code.Unimplemented);
      }
      const writer = new BinaryWriter();
      for await (const each of input) writer.bytes(bytes(method.input, each));
      const answer = await ask(method, writer.finish(), signal);
      const message = (async function* () {
        yield answer as never;
      })();
      return { stream: true, service: method.parent, method, message, ...headers() };
    },
  };
}

const bytes = <I extends DescMessage>(schema: I, input: MessageInitShape<I>): Uint8Array => toBinary(schema, create(schema, input));
