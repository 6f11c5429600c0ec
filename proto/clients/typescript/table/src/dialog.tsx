// Dialogs: the browser's own, which keep the focus inside and close with Escape.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "./words";

/** `isModal`: whether what lies behind it waits. */
export function Dialog({ id, title, close, children, kind = "", isModal = true }: {
  id: string; title: string; close: () => void; children: ComponentChildren; kind?: string; isModal?: boolean;
}): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isModal) box.current?.showModal();
    else box.current?.show();
    box.current?.querySelector<HTMLElement>("h2")?.focus();
    const press = ({ key }: KeyboardEvent) => {
      if (!isModal && key === "Escape" && !document.querySelector("dialog:modal")) box.current?.close();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  return (
    <dialog id={id} ref={box} class={kind} aria-labelledby={`${id}-title`} onClose={close} onClick={(event) => event.target === box.current && box.current?.close()}>
      <div class="inside">
        <div class="heading">
          <h2 id={`${id}-title`} tabIndex={-1}>{title}</h2>
          <button type="button" class="close" aria-label={t("close")} onClick={() => box.current?.close()}>×</button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
