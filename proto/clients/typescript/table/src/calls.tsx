// What this page asks and what is answered: for those who write a front end of their own.

import { toJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import type { JSX } from "preact";
import { Trouble } from "canasta-client";
import { number, t } from "./words";

/** Number of calls that are kept, and of characters that are shown of a text: states and frames are long. */
const [MOST, LONGEST] = [60, 72];

interface Call {
  name: string;
  request: () => JsonValue;
  answer?: () => JsonValue;
  failure?: string;
  ms?: number;
}

/** The last calls, the newest first. */
const calls: Call[] = [];

const json = (schema: DescMessage, message: Message) => () => toJson(schema, message);

function keep(call: Call): Call {
  calls.unshift(call);
  calls.length = Math.min(calls.length, MOST);
  return call;
}

/** Notes each call with its answer; of a stream every message. */
export const noting: Interceptor = (next) => async (request) => {
  const { method, service } = request;
  const name = `${service.name}.${method.name}`;
  const asked = request.stream ? () => ({}) : json(method.input, request.message);
  const call = keep({ name, request: asked });
  const begun = performance.now();
  try {
    const answer = await next(request);
    call.ms = Math.round(performance.now() - begun);
    if (!answer.stream) call.answer = json(method.output, answer.message);
    else {
      const { message } = answer;
      const told = async function* () {
        for await (const each of message) {
          keep({ name, request: asked, answer: json(method.output, each) });
          yield each;
        }
      };
      return { ...answer, message: told() };
    }
    return answer;
  } catch (error) {
    call.failure = Trouble.of(error).message;
    throw error;
  }
};

/** Returns a message as text, with long texts cut. */
const written = (value: JsonValue): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "string" && each.length > LONGEST ? `${each.slice(0, LONGEST)}… (${number(each.length)})` : each), 2);

export function Calls(): JSX.Element {
  return (
    <>
      <p class="note">{t("calls.note")}</p>
      <ol class="calls">
        {calls.map((call, at) => (
          <li key={calls.length - at}>
            <details open={at === 0}>
              <summary><code>{call.name}</code>{call.ms !== undefined && <span class="n">{call.ms} ms</span>}</summary>
              <h3>{t("calls.request")}</h3>
              <pre tabIndex={0}>{written(call.request())}</pre>
              <h3>{t("calls.answer")}</h3>
              <pre tabIndex={0}>{call.failure ?? (call.answer ? written(call.answer()) : "…")}</pre>
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}
