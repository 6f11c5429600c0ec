// Dialogs: the browser's own, which keep the focus inside and close with Escape.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "./words";

export function Dialog({ id, title, close, children, kind = "" }: {
  id: string; title: string; close: () => void; children: ComponentChildren; kind?: string;
}): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    box.current?.showModal();
    box.current?.querySelector<HTMLElement>("h2")?.focus();
  }, []);
  return (
    <dialog id={id} ref={box} class={kind} aria-labelledby={`${id}-title`} onClose={close} onClick={(event) => event.target === box.current && box.current?.close()}>
      <div class="inside">
        <header>
          <h2 id={`${id}-title`} tabIndex={-1}>{title}</h2>
          <button type="button" class="close" aria-label={t("close")} onClick={() => box.current?.close()}>×</button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
