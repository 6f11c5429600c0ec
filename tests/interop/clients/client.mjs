// The npm package, as npm has installed it beside this file, against a recorder that fails, freezes and is killed.
//   client.mjs CASES CANASTA_RECORDER FOLDER

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  ActionSchema, ActRequestSchema, ActResponseSchema, asSeat, connect, createRoom, DealMode, EventSchema, getWordings, RETRIES, RoomGame,
  Sentences, speaker, Trouble, ViewSchema, ViolationSchema, within,
} from "canasta-client";
import { Recorder } from "./recorder.mjs";

const [path, program, folder] = process.argv.slice(2);
const cases = readFileSync(path, "utf8").trim().split("\n").map((line) => line.split(" "));
const [ACTIONS, KILLS] = [30, 3];
const DRAW = { kind: { case: "drawStock", value: {} } };
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const failed = (promise) => promise.then(() => assert.fail("expected a failure"), Trouble.of);

/** The first byte of a game's id is the number of the case, the second how often Act fails before it answers. */
const seen = new Map();
const fake = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const { gameId } = fromBinary(ActRequestSchema, Uint8Array.from(body.subarray(5)));
  const requests = seen.get(String(gameId)) ?? [];
  seen.set(String(gameId), [...requests, body.toString("hex")]);
  const [number, , , , details] = cases[gameId[0]];
  const piece = (flag, bytes) => Buffer.concat([Buffer.from([flag, 0, 0, bytes.length >> 8, bytes.length & 255]), bytes]);
  const failure = `grpc-status: ${number}\r\n${details === "-" ? "" : `grpc-status-details-bin: ${details}\r\n`}`;
  const logEnd = { seq: BigInt(requests.length + 1) };
  const repeatedRequest = new Set(seen.get(String(gameId))).size === 1;
  const answer = toBinary(ActResponseSchema, create(ActResponseSchema, { outcome: { case: "acted", value: { logEnd, repeatedRequest } } }));
  response.writeHead(200, { "content-type": "application/grpc-web+proto" });
  response.end(requests.length < gameId[1] ? piece(128, Buffer.from(failure)) : Buffer.concat([piece(0, answer), piece(128, Buffer.from("grpc-status: 0\r\n"))]));
});

async function retries() {
  await new Promise((done) => fake.listen(0, "127.0.0.1", done));
  const transport = connect({ baseUrl: `http://127.0.0.1:${fake.address().port}` });
  const game = (number, failures) => new RoomGame(transport, Uint8Array.from([number, failures, ...new Uint8Array(14)]), asSeat(0));
  const same = (of) => new Set(seen.get(String(of.gameId))).size === 1;
  const check = async (number, failures) => {
    const [, status, reason, kind] = cases[number];
    const [one, began] = [game(number, failures), Date.now()];
    const act = one.act(DRAW, 7n);
    if (kind === "again" || kind === "after" || (kind === "once" && failures === 1)) {
      assert.deepEqual(await act, { case: "done", seq: BigInt(failures + 1) }, `${status} ${reason}`);
      assert.ok(same(one) && (kind !== "after" || Date.now() - began >= 700));
    } else if (kind === "resynchronise") {
      assert.deepEqual(await act, { case: "stale" });
      assert.deepEqual(await one.act(DRAW, 7n), { case: "done", seq: 2n });
    } else {
      const trouble = await failed(act);
      assert.equal(seen.get(String(one.gameId)).length, kind === "once" ? 2 : 1, `${status} ${reason}`);
      assert.equal(trouble.reason, reason === "-" ? status : reason);
      assert.equal(trouble.retry, kind === "told" ? "again" : kind);
      assert.equal(trouble.retryMs, kind === "told" ? 20_000 : undefined);
    }
  };
  const tries = { again: [2], once: [1, 2] };
  await Promise.all(cases.flatMap(([, , , kind], number) => (tries[kind] ?? [1]).map((failures) => check(number, failures))));
  for (const [name, kind] of Object.entries(RETRIES)) assert.ok(cases.some(([, status, reason, of]) => of === kind && (reason === name || status === name)), name);
  // A deadline ends the retries, and the same request goes on after it.
  const [one, own] = [game(cases.findIndex((each) => each[3] === "again"), 4), new Uint8Array(16).fill(7)];
  assert.equal((await failed(one.within({ timeoutMs: 600 }).act(DRAW, 7n, own))).reason, "DEADLINE_EXCEEDED");
  assert.equal((await one.act(DRAW, 7n, own)).seq, 5n);
  assert.ok(same(one));
  fake.close();
  console.log(`typescript: ${cases.length} failures are repeated as the table says`);
}

const ROOM = {
  ruleSet: "classic-4p", dealMode: DealMode.SEEDED, autoTable: true, creator: asSeat(0),
  players: ["Ann", "Bob", "Cem", "Dan"].map((name) => ({ name })), bots: [1, 2, 3].map((seat) => ({ seat })),
};

/** Plays while the recorder is frozen and killed: every action is recorded once, and no entry is missed. */
async function disturbed(recorder) {
  const baseUrl = recorder.origin;
  const link = await createRoom(connect({ baseUrl }), ROOM);
  const game = new RoomGame(connect({ baseUrl, token: link.token, deadlineMs: 60_000 }), link.gameId, link.actor);
  const [acted, ends, stop] = [new Set(), [], new AbortController()];
  let [begin, snapshots] = [undefined, 0];
  let kills = 0;
  const trouble = (async () => {
    while (kills < KILLS) {
      await pause(300);
      await recorder.freeze();
      await pause(1_000);
      recorder.process.kill("SIGCONT");
      await pause(300);
      await recorder.kill();
      kills += 1;
      await pause(500);
      await recorder.start();
    }
  })();
  for await (const { view, events, skipped } of game.news(stop.signal)) {
    assert.ok(view.seats.every((seat) => seat.name !== ""));
    begin ??= view.n;
    if (events.length > 0) ends.push(view.n);
    else if (view.n > (ends.at(-1) ?? begin) || skipped > 0) snapshots += 1;
    if (acted.size >= ACTIONS && kills >= KILLS) break;
    if (view.toAct !== 0) continue;
    const answer = await game.act((await game.suggest()).action, view.seq);
    assert.equal(answer.case, "done");
    acted.add(answer.seq);
  }
  await trouble;
  // Each action of a seat is an entry; who is away while a round ends is told of the new one by a snapshot.
  const seats = (await game.describe(0n, undefined, false)).map((each) => each.record).filter(({ action, actor }) => action && actor?.who.case === "seat");
  const own = seats.filter(({ actor }) => actor.who.value === 0);
  assert.equal(own.length, acted.size);
  assert.deepEqual(ends, [...new Set(ends)].sort((a, b) => Number(a - b)));
  if (snapshots === 0) assert.equal(ends.length, seats.filter(({ n }) => n > begin && n <= ends.at(-1)).length);
  assert.ok((await game.log()) instanceof Uint8Array);
  console.log(`typescript: ${own.length} actions beside a recorder that freezes and dies ${KILLS} times, none twice`);
  return game;
}

/** A page that only watches shows that the recorder is away, and that it is back. */
async function watched(recorder) {
  const shown = [];
  const outage = { away: (wait) => (shown.push("away"), pause(wait)), back: () => shown.push("back") };
  const link = await createRoom(connect({ baseUrl: recorder.origin }), ROOM);
  const stop = new AbortController();
  const watching = (async () => {
    for await (const _ of new RoomGame(connect({ baseUrl: recorder.origin, token: link.token, outage }), link.gameId, link.actor, outage).news(stop.signal));
  })();
  for (const kill of [true, false]) {
    await pause(1_000);
    await (kill ? recorder.kill() : recorder.start());
  }
  for (const ends = Date.now() + 15_000; shown.at(-1) !== "back" && Date.now() < ends; ) await pause(50);
  assert.deepEqual([shown.includes("away"), shown.at(-1)], [true, "back"]);
  stop.abort();
  await watching;
}

/** A frozen recorder: calls end at their deadline, and when they are aborted. */
async function frozen(recorder, game) {
  await recorder.freeze();
  const began = Date.now();
  assert.equal((await failed(game.within({ timeoutMs: 1_000 }).suggest())).reason, "DEADLINE_EXCEEDED");
  assert.equal((await failed(createRoom(connect({ baseUrl: recorder.origin, deadlineMs: 1_000 }), ROOM))).reason, "DEADLINE_EXCEEDED");
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 500);
  const aborted = game.within({ signal: stop.signal });
  const calls = [aborted.suggest(), aborted.act(DRAW, 7n), aborted.log(), aborted.describe(0n, undefined, false), createRoom(within(connect({ baseUrl: recorder.origin }), { signal: stop.signal }), ROOM)];
  for (const call of calls) assert.equal((await failed(call)).reason, "CANCELLED");
  for await (const _ of aborted.news(stop.signal)) assert.fail("news after the abort");
  assert.ok(Date.now() - began < 4_000, `${Date.now() - began} ms`);
  recorder.process.kill("SIGCONT");
}

/** Messages and wordings that are newer than the package: nothing throws. */
async function newer(recorder) {
  const field = Buffer.from("fa3f03616263", "hex"); // field 1023: text that nobody knows
  const phase = Buffer.from("38e707", "hex"); // phase 999
  const views = [undefined, create(ViewSchema, {}), fromBinary(ViewSchema, Buffer.concat([field, phase]))];
  for (const wordings of [[], await getWordings(connect({ baseUrl: recorder.origin }), "de"), [{ kind: "WORDING_KIND_NEW", name: "x", template: "{" }]]) {
    for (const view of views) {
      const say = new Sentences(wordings, view);
      assert.equal(say.event(fromBinary(EventSchema, field)), "");
      assert.equal(say.action(fromBinary(ActionSchema, field)), "");
      assert.equal(say.violation(create(ViolationSchema, { code: "NEW_CODE", message: "new" })), "new");
      for (const kind of [{ case: "melded", value: { side: 9, meld: 9 } }, { case: "wentOut", value: { seat: 9 } }, { case: "froze", value: {} }]) {
        assert.equal(typeof say.event(create(EventSchema, { kind })), "string");
      }
    }
  }
  const names = [{ kind: "WORDING_KIND_EVENT", name: "took_pile", template: "pile", facts: [] }];
  assert.equal(speaker(names)("WORDING_KIND_EVENT", "tookPile", {}), "pile");
  assert.equal(new Sentences(names).event(create(EventSchema, { kind: { case: "tookPile", value: {} } })), "pile");
}

await retries();
const recorder = await new Recorder(program, `${folder}/data`).start();
await newer(recorder);
await watched(recorder);
await frozen(recorder, await disturbed(recorder));
await recorder.kill();
process.exit(0);
