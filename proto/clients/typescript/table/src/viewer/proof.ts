// The proof of a game, checked with the browser's own cryptography: chain, tree and signatures. What the game is, the audit of the
// page says. docs/TOURNAMENT.md describes the block of data and the proof of a link; docs/LOG_FORMAT.md the log.

import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { type AuditLogResponse, hex, joined, Verdict } from "canasta-client";
import type { Word } from "../words";
import { inflated } from "./local";
import { isGood } from "./verdict";

/** The proof as a page or a link has it: a block of data with the log; or a text, and the head of the full log if the link's has no signatures. */
export type Carried = { block: string } | { text: string; fullHead: Uint8Array | undefined };

/** One check; `name`: whose key it is about. */
export interface Check {
  what: Word;
  name: string;
  outcome: "holds" | "fails" | "open";
  detail: string;
}

/** A key that has signed, as `NAME+HASH+BASE64`: the tree; as a witness at a time, in seconds since 1970; or the log up to a record. */
export interface Signer {
  key: string;
  of: "signed" | "cosigned" | "noted";
  time?: number;
  record?: number;
}

export interface Checked {
  checks: Check[];
  /** The entry's place. Unset: there is none, or it is not proven to be there. */
  tree: Tree | undefined;
  signers: Signer[];
  keys: string[];
}

interface Tree {
  origin: string;
  note: string;
  size: number;
  index: number;
  entry: { label: string };
  leaf: string;
  root: Uint8Array;
}

interface Bundle {
  tree?: string;
  note?: string;
  keys: string[];
  witnesses: string[];
}

/** What is wrong with a proof, in words. */
class Fault extends Error {}

function need(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Fault(what);
}

type Part = string | Uint8Array;
/** Maximum number of characters of a proof in a link. */
const LINKED_MAX = 8192;
const DASH = "\u2014 ";
const utf8 = new TextEncoder();
const text = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
const sha = async (...parts: Part[]): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", joined(parts.map((part) => (typeof part === "string" ? utf8.encode(part) : part))) as BufferSource));
const same = (a: Uint8Array, b: Uint8Array): boolean => hex(a) === hex(b);
const big = (value: number, size: number): Uint8Array => Uint8Array.from({ length: size }, (_, at) => Math.floor(value / 256 ** (size - 1 - at)) % 256);
const number = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

/** Returns the bytes of a text in its one spelling. */
function from64(written: string, form: "std" | "url" = "std"): Uint8Array {
  let bytes;
  try {
    bytes = base64Decode(written);
  } catch {
    throw new Fault("something that should be base64 is not");
  }
  need(base64Encode(bytes, form) === written, "base64 in another spelling");
  return bytes;
}

function decimal(written: string): number {
  const value = Number(written);
  need(Number.isSafeInteger(value) && value >= 0 && String(value) === written, "something that should be a number is not");
  return value;
}

/** Returns the log of a block of data. */
export const logOfBlock = (block: string): Uint8Array => from64(JSON.parse(block).log);

function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x80 ? 7 : 0)) & 0xff;
  }
  return crc;
}

/** Follows the frames of a log, whose hashes are a chain; returns the head at each record. */
async function readChain(log: Uint8Array): Promise<{ heads: Uint8Array[]; gameId: string }> {
  need(hex(log.slice(0, 9)) === "89434c4f470d0a1a02", "the log is not a log of version 2");
  let head = await sha("canasta-log/1/start\0", log.slice(0, 9));
  const heads: Uint8Array[] = [];
  let gameId = "";
  for (let at = 9; at < log.length; ) {
    const n = heads.length;
    const length = number(log.slice(at, at + 2));
    const end = at + 3 + length + 8;
    need(crc8(log.slice(at, at + 2)) === log[at + 2] && length >= 1 && length <= 60000, `record ${n} has a wrong length`);
    need(end <= log.length, `the log ends within record ${n}`);
    const payload = log.slice(at + 3, at + 3 + length);
    head = await sha("canasta-log/1\0", head, big(n, 8), big(length, 4), payload);
    need(same(log.slice(end - 8, end), head.slice(0, 8)), `the chain breaks at record ${n}`);
    if (n === 0) gameId = hex(payload.slice(2, 18));
    heads.push(head);
    at = end;
  }
  need(heads.length > 0, "the log has no record");
  return { heads, gameId };
}

/** Returns the root that a path leads to (RFC 9162). */
async function rootByPath(index: number, size: number, leaf: string, path: Uint8Array[]): Promise<Uint8Array> {
  need(index < size, "the proof is of a leaf beyond the tree");
  let [place, last, node] = [index, size - 1, await sha(big(0, 1), leaf)];
  for (const sibling of path) {
    need(last > 0, "the path of the proof is too long");
    if (place % 2 === 1 || place === last) {
      node = await sha(big(1, 1), sibling, node);
      while (place % 2 === 0 && place > 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else {
      node = await sha(big(1, 1), node, sibling);
    }
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  need(last === 0, "the path of the proof is too short");
  return node;
}

/** Returns the entry of a game in a tree, as this page audits its log. */
function entryOf(report: AuditLogResponse, label: string, head: Uint8Array): string {
  const { game, records, rounds, totals, result, verdict } = report;
  need(game, "the log is no log of a game");
  return JSON.stringify({
    format: "canasta-game/1", game_id: hex(game.gameId), records: Number(records), head: hex(head), label,
    rule_set: { id: game.ruleSet, digest: hex(game.ruleSetDigest) },
    players: game.players.map(({ name }) => name), rounds, totals: totals.map(Number),
    result: result && { winner: result.winner, margin: result.margin }, verdict: Verdict[verdict],
  });
}

/** Reads a proof of an entry (C2SP tlog-proof), and follows its path. */
async function readTree(proof: string): Promise<Tree> {
  const at = proof.indexOf("\n\n");
  need(at > 0, "the proof is cut off");
  const [first, extra, index, ...path] = proof.slice(0, at).split("\n");
  need(first === "c2sp.org/tlog-proof@v1", "the proof is not a tlog-proof");
  need(extra && index && extra.startsWith("extra ") && index.startsWith("index "), "the proof has no entry or no index");
  const note = proof.slice(at + 2);
  const [origin, size, root, ...more] = signedText(note).split("\n");
  need(origin && size && root && more.length === 1 && more[0] === "", "the checkpoint does not have three lines");
  need(/^[^+\s\p{C}]{1,255}$/u.test(origin), "the tree has no name");
  const leaf = text(from64(extra.slice(6)));
  const tree = { origin, note, leaf, size: decimal(size), index: decimal(index.slice(6)), root: from64(root), entry: JSON.parse(leaf) };
  const found = await rootByPath(tree.index, tree.size, leaf, path.map((hash) => from64(hash)));
  need(same(found, tree.root), "the path does not lead from the entry to the root of the checkpoint");
  need(tree.entry.format === "canasta-game/1", "the proof is not of a game");
  return tree;
}

/** Unpacks the proof of a link: its entry follows from the audit of the log. */
async function ofLink(packed: string, report: AuditLogResponse, head: Uint8Array): Promise<Bundle> {
  need(packed.length <= LINKED_MAX, "the proof of the link is too long");
  const bytes = from64(packed, "url");
  const deflated = bytes.slice(0, -8);
  need(same((await sha(deflated)).slice(0, 8), bytes.slice(-8)), "the proof of the link is damaged");
  const [label = "", keys = "", witnesses = "", ...rest] = text(await inflated(deflated)).split("\n");
  const leaf = base64Encode(utf8.encode(entryOf(report, label, head)));
  const split = (all: string) => all.split(" ").filter((key) => key !== "");
  return { keys: split(keys), witnesses: split(witnesses), tree: `c2sp.org/tlog-proof@v1\nextra ${leaf}\nindex ${rest.join("\n")}` };
}

function ofBlock(block: string): Bundle {
  const bundle = JSON.parse(block);
  need(bundle.format === "canasta-proof/1", `expected canasta-proof/1, found ${bundle.format}`);
  need(JSON.stringify(bundle).replaceAll("<", "\\u003c") === block, "the block is not in its one spelling");
  return bundle;
}

function signedText(note: string): string {
  const at = note.lastIndexOf("\n\n");
  need(at > 0, "a signed note is cut off");
  return note.slice(0, at + 1);
}

interface Key {
  name: string;
  hash: string;
  bytes: Uint8Array;
}

async function readKey(written: string, kind: number): Promise<Key> {
  const [, name, hash, encoded] = /^([^+\s\p{C}]{1,64})\+([0-9a-f]{8})\+(.+)$/u.exec(written) ?? [];
  need(name && hash && encoded, `${written} is not a key`);
  const typed = from64(encoded);
  need(typed.length === 33 && typed[0] === kind, `the key of ${name} is of another kind`);
  need(hex((await sha(name, "\n", typed)).slice(0, 4)) === hash, `the key of ${name} does not fit its name`);
  return { name, hash, bytes: typed.slice(1) };
}

/** Returns the signatures of a note in the name of a key, without the hash of the key. */
function signaturesBy(key: Key, note: string): Uint8Array[] {
  const lines = note.slice(signedText(note).length + 1).split("\n");
  const fields = lines.filter((line) => line.startsWith(DASH)).map((line) => line.slice(DASH.length).split(" "));
  const mine = fields.flatMap(([name, data]) => (name === key.name && data !== undefined ? [from64(data)] : []));
  return mine.filter((data) => hex(data.slice(0, 4)) === key.hash).map((data) => data.slice(4));
}

/** Returns whether the key made the signature; undefined if this browser does not know Ed25519. */
async function isSigned(key: Key, message: string, signature: Uint8Array): Promise<boolean | undefined> {
  try {
    const known = await crypto.subtle.importKey("raw", key.bytes as BufferSource, { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify({ name: "Ed25519" }, known, signature as BufferSource, utf8.encode(message));
  } catch (error) {
    return (error as Error).name === "NotSupportedError" ? undefined : false;
  }
}

const UNKNOWN = "this browser does not know Ed25519: use another one, or canasta-replay verify-proof";
export const utc = (seconds: number): string => new Date(seconds * 1000).toISOString().replace("T", " ").replace(".000Z", " UTC");

/** Checks a proof of a log that the page has audited. */
export async function checkProof(carried: Carried, log: Uint8Array, report: AuditLogResponse): Promise<Checked> {
  const [checks, signers]: [Check[], Signer[]] = [[], []];
  const row = (outcome: Check["outcome"], what: Word, detail: string, name = "") => void checks.push({ outcome, what, detail, name });
  const check = async <T,>(what: Word, name: string, run: () => Promise<[T, string | undefined]>): Promise<T | undefined> => {
    try {
      const [found, detail] = await run();
      row(detail === undefined ? "open" : "holds", what, detail ?? UNKNOWN, name);
      return found;
    } catch (error) {
      row("fails", what, error instanceof Fault ? error.message : `it cannot be read (${(error as Error).message})`, name);
      return undefined;
    }
  };
  const head = "text" in carried && carried.fullHead ? carried.fullHead : report.head;
  const bundle = await check<Bundle>("check.block", "", async () =>
    "block" in carried ? [ofBlock(carried.block), `canasta-proof/1, ${carried.block.length} bytes`] : [await ofLink(carried.text, report, head), `${carried.text.length} characters`]);
  if (!bundle) return { checks, tree: undefined, signers, keys: [] };
  const chain = await check("check.chain", "", async () => {
    const found = await readChain(log);
    return [found, `game ${found.gameId}, ${found.heads.length} records, last head ${hex(found.heads.at(-1) as Uint8Array)}`];
  });
  const tree = bundle.tree === undefined ? undefined : await check("check.tree", "", async () => {
    const found = await readTree(bundle.tree as string);
    return [found, `entry ${found.index} of ${found.size} of ${found.origin}, root ${hex(found.root)}`];
  });
  if (tree && chain) {
    await check("check.entry", "", async () => {
      need(isGood(report) && report.game?.branchOf === undefined, "this page audits the log, and does not find it lawful and complete");
      need(entryOf(report, tree.entry.label, head) === tree.leaf, `the entry is another one: ${tree.leaf}`);
      return [undefined, tree.leaf];
    });
  }
  let record: number | undefined;
  if (bundle.note !== undefined && chain) {
    record = await check("check.note", "", async () => {
      const [first, place, over] = signedText(bundle.note as string).split("\n");
      const n = decimal(place ?? "");
      need(first === `canasta-log/1/${chain.gameId}`, "the note is of another game");
      need(over && chain.heads[n] && same(from64(over), chain.heads[n]), `the log does not have record ${n} as it was signed`);
      return [n, `it signs record ${n}`];
    });
  }
  const notes = [["the tree", tree?.note], ["the note", bundle.note]] as const;
  const keys = [...bundle.keys.map((key) => [key, false] as const), ...bundle.witnesses.map((key) => [key, true] as const)];
  for (const [key, isWitness] of keys) {
    await check(isWitness ? "check.cosigned" : "check.signed", key.split("+")[0] ?? "", async () => {
      const read = await readKey(key, isWitness ? 4 : 1);
      const signed: string[] = [];
      let [isKnown, time] = [true, 0];
      for (const [what, note] of isWitness ? notes.slice(0, 1) : notes) {
        for (const data of note === undefined ? [] : signaturesBy(read, note)) {
          const at = number(data.slice(0, 8));
          const message = `${isWitness ? `cosignature/v1\ntime ${at}\n` : ""}${signedText(note as string)}`;
          const good = await isSigned(read, message, isWitness ? data.slice(8) : data);
          need(good !== false, `the signature of ${what} does not verify`);
          isKnown &&= good !== undefined;
          time = Math.max(time, at);
          signed.push(what);
        }
      }
      need(signed.length > 0, "this key has signed nothing here");
      if (isKnown && signed.includes("the tree")) signers.push(isWitness ? { key, of: "cosigned", time } : { key, of: "signed" });
      if (isKnown && record !== undefined && signed.includes("the note")) signers.push({ key, of: "noted", record });
      return [undefined, isKnown ? `${signed.join(" and ")}, with ${key}` : undefined];
    });
  }
  if (bundle.tree === undefined) row("open", "check.tree", "the proof has no entry of a tree");
  if (!signers.some((each) => each.of === "signed")) row("open", "check.somebody", "no key of this proof is known to have signed the tree");
  return { checks, tree, signers, keys: keys.map(([key]) => key) };
}
