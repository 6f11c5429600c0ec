// A recorder with rooms that can be killed.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

/** A recorder with rooms, on a port that stays the same when it is started again. */
export class Recorder {
  constructor(program, data, ...settings) {
    [this.program, this.settings] = [program, ["--rooms", "--data", data, "--drain-notice-ms", "0", ...settings]];
    this.port = 0;
    // A test that fails leaves nothing behind.
    process.on("exit", () => this.process?.kill("SIGKILL"));
  }

  async start() {
    this.process = spawn(this.program, [...this.settings, "--listen", `127.0.0.1:${this.port}`], { stdio: ["ignore", "ignore", "pipe"] });
    let text = "";
    const listens = new Promise((done) => this.process.stderr.on("data", (chunk) => {
      text += chunk;
      const found = / on 127\.0\.0\.1:(\d+)/.exec(text);
      if (found) done(Number(found[1]));
    }));
    this.port = await Promise.race([listens, once(this.process, "exit").then(() => 0)]);
    assert.ok(this.port > 0, `the recorder did not start: ${text}`);
    this.origin = `http://127.0.0.1:${this.port}`;
    return this;
  }

  /** Stops it; on a busy machine it may still answer between the signal and its end. */
  async freeze() {
    this.process.kill("SIGSTOP");
    while (!readFileSync(`/proc/${this.process.pid}/stat`, "latin1").includes(") T ")) await setImmediate();
  }

  async kill() {
    this.process.kill("SIGKILL");
    await once(this.process, "exit");
  }
}
