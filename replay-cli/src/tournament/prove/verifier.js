// The verifier of a game's proof. It reads the block of data of this page, computes everything again with the browser's
// own cryptography, and loads nothing. docs/TOURNAMENT.md describes the block; docs/LOG_FORMAT.md the log.
"use strict";
(() => {
  const own = document.currentScript.textContent;
  const block = document.getElementById("proof").textContent;
  const utf8 = new TextEncoder();
  const DASH = "\u2014 ";
  const LOG_HEADER = "89434c4f470d0a1a02";

  /** What is wrong with the proof, in words. */
  class Fault extends Error {}
  const need = (holds, what) => {
    if (!holds) throw new Fault(what);
  };

  // Bytes.
  const join = (...parts) => {
    const bytes = parts.map((part) => (typeof part === "string" ? utf8.encode(part) : part));
    const all = new Uint8Array(bytes.reduce((size, part) => size + part.length, 0));
    bytes.reduce((at, part) => (all.set(part, at), at + part.length), 0);
    return all;
  };
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const same = (a, b) => hex(a) === hex(b);
  const sha = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", join(...parts)));
  const big = (number, size) => Uint8Array.from({ length: size }, (_, at) => Math.floor(number / 256 ** (size - 1 - at)) % 256);
  const number = (bytes) => bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  const from64 = (text) => {
    let raw;
    try {
      raw = atob(text);
    } catch {
      throw new Fault("something that should be base64 is not");
    }
    need(btoa(raw) === text, "base64 in another spelling");
    return Uint8Array.from(raw, (letter) => letter.charCodeAt(0));
  };

  // The log: frames whose hashes are a chain.
  const crc8 = (bytes) => {
    let crc = 0;
    for (const byte of bytes) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x80 ? 7 : 0)) & 0xff;
    }
    return crc;
  };
  const readChain = async (log) => {
    need(hex(log.slice(0, 9)) === LOG_HEADER, "the log is not a log of version 2");
    let head = await sha("canasta-log/1/start\0", log.slice(0, 9));
    const heads = [];
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
  };

  // The tree (RFC 9162) and its proof (C2SP tlog-proof).
  const rootByPath = async (index, size, leaf, path) => {
    need(index < size, "the proof is of a leaf beyond the tree");
    let [place, last, node] = [index, size - 1, leaf];
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
  };
  const decimal = (text) => {
    const value = Number(text);
    need(Number.isSafeInteger(value) && value >= 0 && String(value) === text, "something that should be a number is not");
    return value;
  };
  const readTree = async (text) => {
    const at = text.indexOf("\n\n");
    need(at > 0, "the proof is cut off");
    const [first, extra, index, ...path] = text.slice(0, at).split("\n");
    need(first === "c2sp.org/tlog-proof@v1", "the proof is not a tlog-proof");
    need(extra?.startsWith("extra ") && index?.startsWith("index "), "the proof has no entry or no index");
    const note = text.slice(at + 2);
    const [origin, size, root, ...more] = signedText(note).split("\n");
    need(more.length === 1 && more[0] === "", "the checkpoint does not have three lines");
    const leaf = from64(extra.slice(6));
    const tree = { origin, note, size: decimal(size), index: decimal(index.slice(6)), root: from64(root) };
    const found = await rootByPath(tree.index, tree.size, await sha(big(0, 1), leaf), path.map(from64));
    need(same(found, tree.root), "the path does not lead from the entry to the root of the checkpoint");
    const entry = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(leaf));
    need(entry.format === "canasta-game/1", "the proof is not of a game");
    return { ...tree, entry };
  };

  // Signed notes and their keys.
  const signedText = (note) => {
    const at = note.lastIndexOf("\n\n");
    need(at > 0, "a signed note is cut off");
    return note.slice(0, at + 1);
  };
  const readKey = async (text, kind) => {
    const [, name, hash, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
    need(encoded, `${text} is not a key`);
    const typed = from64(encoded);
    need(typed.length === 33 && typed[0] === kind, `the key of ${name} is of another kind`);
    need(hex((await sha(name, "\n", typed)).slice(0, 4)) === hash, `the key of ${name} does not fit its name`);
    return { name, hash, bytes: typed.slice(1) };
  };
  /** The signatures of a note in the name of a key, without the hash of the key. */
  const signaturesBy = (key, note) => {
    const lines = note.slice(signedText(note).length + 1).split("\n");
    const fields = lines.filter((line) => line.startsWith(DASH)).map((line) => line.slice(DASH.length).split(" "));
    const mine = fields.filter(([name, data]) => name === key.name && data !== undefined).map(([, data]) => from64(data));
    return mine.filter((data) => hex(data.slice(0, 4)) === key.hash).map((data) => data.slice(4));
  };
  /** Whether the key made the signature; undefined if this browser does not know Ed25519. */
  const isSigned = async (key, message, signature) => {
    try {
      const known = await crypto.subtle.importKey("raw", key.bytes, { name: "Ed25519" }, false, ["verify"]);
      return await crypto.subtle.verify({ name: "Ed25519" }, known, signature, message);
    } catch (error) {
      if (error.name === "NotSupportedError") return undefined;
      return false;
    }
  };

  // The checks, one row each.
  const rows = [];
  const row = (outcome, what, detail) => rows.push({ outcome, what, detail });
  const check = async (what, run) => {
    try {
      const found = await run();
      row("holds", what, found.detail);
      return found;
    } catch (error) {
      const known = error instanceof Fault;
      row("fails", what, known ? error.message : `it cannot be read (${error.message})`);
      return undefined;
    }
  };
  const unknown = "this browser does not know Ed25519: use another one, or canasta-replay verify-proof";
  const checkSignature = async (what, verify) => {
    try {
      const { known, detail } = await verify();
      row(known ? "holds" : "open", what, known ? detail : unknown);
    } catch (error) {
      row("fails", what, error.message);
    }
  };
  const utc = (seconds) => new Date(seconds * 1000).toISOString().replace("T", " ").replace(".000Z", " UTC");

  const checkAll = async (proof) => {
    const chain = await check("the log is one unbroken chain", async () => {
      const { heads, gameId } = await readChain(from64(proof.log));
      return { heads, gameId, detail: `game ${gameId}, ${heads.length} records, last head ${hex(heads.at(-1))}` };
    });
    const tree =
      proof.tree &&
      (await check("its entry is in the tournament's tree", async () => {
        const tree = await readTree(proof.tree);
        return { ...tree, detail: `entry ${tree.index} of ${tree.size} of ${tree.origin}, root ${hex(tree.root)}` };
      }));
    if (tree && chain) {
      await check("the entry is of this log", async () => {
        const { game_id, records, head } = tree.entry;
        need(game_id === chain.gameId, `the entry is of game ${game_id}`);
        need(records === chain.heads.length && head === hex(chain.heads.at(-1)), `the entry is of ${records} records with head ${head}`);
        return { detail: "game, number of records and last head are those of the entry" };
      });
    }
    if (proof.note && chain) {
      await check("the note beside the log is of this log", async () => {
        const [first, record, head] = signedText(proof.note).split("\n");
        const n = decimal(record);
        need(first === `canasta-log/1/${chain.gameId}`, "the note is of another game");
        need(n < chain.heads.length && same(from64(head), chain.heads[n]), `the log does not have record ${n} as it was signed`);
        return { detail: `it signs record ${n}` };
      });
    }
    const notes = [
      ["the tree", tree?.note],
      ["the note", proof.note],
    ].filter(([, note]) => note);
    for (const text of proof.keys) {
      await checkSignature(`signed by ${text.split("+")[0]}`, async () => {
        const key = await readKey(text, 1);
        const signed = [];
        let known = true;
        for (const [what, note] of notes) {
          for (const signature of signaturesBy(key, note)) {
            const good = await isSigned(key, utf8.encode(signedText(note)), signature);
            need(good !== false, `the signature of ${what} does not verify`);
            known &&= good !== undefined;
            signed.push(what);
          }
        }
        need(signed.length > 0, "this key has signed nothing here");
        return { known, detail: `${signed.join(" and ")}, with ${text}` };
      });
    }
    for (const text of proof.witnesses) {
      if (!tree) break;
      await checkSignature(`cosigned by ${text.split("+")[0]}`, async () => {
        const key = await readKey(text, 4);
        const signatures = signaturesBy(key, tree.note);
        need(signatures.length > 0, "this witness has not signed the checkpoint");
        let [known, latest] = [true, 0];
        for (const data of signatures) {
          const time = number(data.slice(0, 8));
          const message = utf8.encode(`cosignature/v1\ntime ${time}\n${signedText(tree.note)}`);
          const good = data.length === 72 && (await isSigned(key, message, data.slice(8)));
          need(good !== false, "the cosignature does not verify");
          known &&= good !== undefined;
          latest = Math.max(latest, time);
        }
        return { known, detail: `at ${utc(latest)}, with ${text}` };
      });
    }
    if (!proof.tree) row("open", "its entry is in the tournament's tree", "the proof has no entry of a tree");
    if (proof.keys.length === 0) row("open", "somebody has signed it", "the proof has no key: nobody vouches for the log");
    return tree?.entry;
  };

  // The page.
  const put = (id, text) => {
    document.getElementById(id).textContent = text;
  };
  const WORDS = { holds: "holds", fails: "FAILS", open: "not checked" };
  const show = (entry) => {
    for (const { outcome, what, detail } of rows) {
      const line = document.getElementById("checks").insertRow();
      line.className = outcome;
      for (const text of [WORDS[outcome], what, detail]) line.insertCell().textContent = text;
    }
    const has = (outcome) => rows.some((line) => line.outcome === outcome);
    const said = has("fails")
      ? ["fails", "This proof does not hold."]
      : has("open")
        ? ["open", "What could be checked holds; not everything could be checked."]
        : ["holds", "Everything that this page checks holds."];
    put("verdict", said[1]);
    document.getElementById("verdict").className = said[0];
    if (!entry || has("fails")) return;
    const result = entry.result ? (entry.result.winner === undefined ? "a draw" : `won by ${entry.result.margin}`) : "not ended";
    put("game", `${entry.label}: ${entry.players.join(", ")} \u00b7 ${entry.rule_set.id} \u00b7 ${entry.rounds} rounds \u00b7 points ${entry.totals.join(" ")} \u00b7 ${result} \u00b7 ${entry.verdict} as the publisher audited it`);
  };

  const main = async () => {
    if (!globalThis.crypto?.subtle) {
      put("verdict", "This browser gives no cryptography to this page. Use another browser, or canasta-replay verify-proof.");
      return;
    }
    put("digest", hex(await sha(own)));
    let proof;
    await check("the block of data is a proof", async () => {
      proof = JSON.parse(block);
      need(proof.format === "canasta-proof/1", `expected canasta-proof/1, found ${proof.format}`);
      need(JSON.stringify(proof).replaceAll("<", "\\u003c") === block, "the block is not in its one spelling");
      return { detail: `${proof.format}, ${block.length} bytes` };
    });
    show(rows[0].outcome === "holds" ? await checkAll(proof) : undefined);
    const keys = [...(proof?.keys ?? []), ...(proof?.witnesses ?? [])];
    document.getElementById("key").addEventListener("input", ({ target }) => {
      const typed = target.value.trim();
      put("known", typed === "" ? "" : keys.includes(typed) ? "This is one of the keys above." : "This is none of the keys above.");
    });
  };
  main();
})();
