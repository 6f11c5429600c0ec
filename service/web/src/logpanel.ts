// The log of the game: a download, and an audit by the service, which has never seen the log before.

import { ConnectError } from "@connectrpc/connect";
import { byId, h } from "./dom";
import type { Game } from "./game";
import { auditLog } from "./server";
import { failure, report } from "./sheet";

export class LogPanel {
  constructor(private readonly game: Game) {
    byId("download").onclick = () => this.download();
    byId("audit").onclick = () => void this.audit();
  }

  /** Notes that the log has grown: an earlier report is outdated. */
  refresh(): void {
    byId("log-size").textContent = `${this.game.log().length} bytes so far`;
    byId("log-command").textContent = `canasta-replay audit ${this.game.end ? "" : "--live "}${this.name}`;
    byId("report").replaceChildren();
  }

  private get name(): string {
    return `${this.game.id}.clog`;
  }

  private download(): void {
    const url = URL.createObjectURL(new Blob([this.game.log() as BlobPart], { type: "application/octet-stream" }));
    h("a", { href: url, download: this.name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  private async audit(): Promise<void> {
    try {
      const answer = await auditLog(location.origin, this.game.log(), this.game.end === undefined);
      byId("report").replaceChildren(...report(answer));
    } catch (error) {
      byId("report").replaceChildren(h("p", {}, failure(ConnectError.from(error))));
    }
  }
}
