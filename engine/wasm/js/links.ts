// A whole game as the text of a link.

import type { Engine } from "./engine.js";

/** A log from a link. */
export interface LinkedLog {
  log: Uint8Array;
  /** The head of the full log, as the link states it, where the log has travelled without its signatures. */
  fullHead?: Uint8Array;
}

/** Returns a log as text for a link: Base64url, without padding. */
export function linkText(engine: Engine, log: Uint8Array): string {
  return base64url(engine.local("Pack", log));
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/**
 * Returns the log of a link's text.
 * @throws ConnectError if the text is no game, or was changed by a slip
 */
export function fromLinkText(engine: Engine, text: string): LinkedLog {
  let packed: Uint8Array;
  try {
    packed = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
  } catch {
    // What is no Base64 is no game either, which the engine says.
    packed = new Uint8Array();
  }
  // The last character has bits of no byte, which must be 0: a link has one spelling.
  const answer = engine.local("Unpack", base64url(packed) === text ? packed : new Uint8Array());
  return answer[0] === 0 ? { log: answer.subarray(1) } : { log: answer.subarray(33), fullHead: answer.subarray(1, 33) };
}
