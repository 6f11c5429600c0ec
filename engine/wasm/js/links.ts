// A whole game as the text of a link.

import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import type { Engine } from "./engine.js";

/** A log from a link. */
export interface LinkedLog {
  log: Uint8Array;
  /** The head of the full log, as the link states it, where the log has travelled without its signatures. */
  fullHead?: Uint8Array;
}

/** Returns a log as text for a link: Base64url, without padding. */
export function linkText(engine: Engine, log: Uint8Array): string {
  return base64Encode(engine.local("Pack", log), "url");
}

/**
 * Returns the log of a link's text.
 * @throws ConnectError if the text is no game, or was changed by a slip
 */
export function fromLinkText(engine: Engine, text: string): LinkedLog {
  const answer = engine.local("Unpack", decoded(text));
  return answer[0] === 0 ? { log: answer.subarray(1) } : { log: answer.subarray(33), fullHead: answer.subarray(1, 33) };
}

/** Returns the bytes of a text in its one spelling; none, which are no game, of any other text. */
function decoded(text: string): Uint8Array {
  try {
    const bytes = base64Decode(text);
    // The last character has bits of no byte, which must be 0.
    if (base64Encode(bytes, "url") === text) return bytes;
  } catch {
    // What is no Base64 is no game either.
  }
  return new Uint8Array();
}
