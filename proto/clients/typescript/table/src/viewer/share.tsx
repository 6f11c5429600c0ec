// A game as a link: copied, drawn as a QR code, passed on by the device, or saved as a log.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../dialog";
import { download } from "../panels";
import { number, t } from "../words";
import { linkOfLog } from "./local";
import { squares } from "./squares";

/** Maximum length of a link: what messengers and QR codes take. Longer games go as a file. */
const LENGTH_MAX = 2000;

/** Returns the address of the page that links lead to. A page that was opened from a file is no address for others. */
const page = (): string | undefined => (location.protocol === "file:" ? undefined : location.origin + location.pathname);

/** `packed`: the game, and its proof, as the link has them that it came by. `at`: the record that the link shows first; unset: the first deal. */
export function Share({ id, log, packed, at, close }: { id: string; log: Uint8Array; packed?: string | undefined; at?: number; close: () => void }): JSX.Element {
  const [link, made] = useState<string | undefined>();
  const [said, say] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const address = page() ?? location.href.replace(/#.*$/, "");
    (packed === undefined ? linkOfLog(log) : Promise.resolve(packed)).then((text) => made(`${address}#g=${text}${at === undefined ? "" : `&at=${at}`}`), () => made(""));
  }, [log, at]);
  const file = new File([log as BlobPart], `${id.replace(/[^\w.-]+/g, "-").replace(/\.clog$/, "")}.clog`, { type: "application/octet-stream" });
  const copy = async () => say(await copied(link ?? "", field.current));
  const pass = (what: ShareData) => navigator.share(what).catch(() => undefined);
  const fits = link !== undefined && link !== "" && link.length <= LENGTH_MAX;
  return (
    <Dialog id="share" title={t("share")} close={close}>
      {link === undefined && <p role="status">{t("loading")}</p>}
      {fits && (
        <>
          <p>{t("share.note")}{link.includes("&p=") && ` ${t("share.proof")}`}</p>
          {page() === undefined && <p class="note">{t("share.file")}</p>}
          <p><input ref={field} id="share-link" readOnly value={link} aria-label={t("share.link")} onFocus={(event) => event.currentTarget.select()} /></p>
          <Code text={link} />
        </>
      )}
      {link !== undefined && !fits && <p>{t("share.long", { length: number(link.length), most: number(LENGTH_MAX) })}</p>}
      <p class="buttons">
        {fits && <button type="button" class="primary" id="share-copy" onClick={() => void copy()}>{t("share.copy")}</button>}
        {fits && "share" in navigator && <button type="button" onClick={() => void pass({ url: link, title: document.title })}>{t("share.pass")}</button>}
        {!fits && "canShare" in navigator && navigator.canShare({ files: [file] }) && <button type="button" onClick={() => void pass({ files: [file] })}>{t("share.pass")}</button>}
        <button type="button" id="share-save" onClick={() => download(file.name, log)}>{t("share.save")}</button>
      </p>
      <p role="status">{said}</p>
    </Dialog>
  );
}

/** Copies a link, which `field` shows. Returns what to say about it. */
export async function copied(link: string, field: HTMLInputElement | null): Promise<string> {
  try {
    await navigator.clipboard.writeText(link);
    return t("share.copied");
  } catch {
    // Pages without a secure context, as those in a network at home, have no clipboard: the link is selected, and copied
    // the old way. Where that fails too, the player copies it.
    field?.select();
    return t(document.execCommand("copy") ? "share.copied" : "share.select");
  }
}

/** A QR code: dark on light in any colours of the page, since cameras need it so. */
export function Code({ text }: { text: string }): JSX.Element {
  const rows = squares(text);
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={t("share.code")} shapeRendering="crispEdges">
      <rect width={rows.length} height={rows.length} fill="#fff" /><path d={dark.join("")} fill="#000" />
    </svg>
  );
}
