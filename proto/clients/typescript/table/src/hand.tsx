// The own hand: cards to pick, by taps, keys, or by dragging them to a place.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Face } from "./cards";
import { dragged } from "./drag";
import type { Table } from "./model";
import { spoken, t } from "./words";

/** Shortest visible part of a card, in pixels: what a finger needs. */
const STRIP = 44;

export function Hand({ table }: { table: Table }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [reached, reach] = useState(0);
  const { hand, fresh } = table;
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const fit = () => spread(element, hand.length);
    fit();
    const watched = new ResizeObserver(fit);
    watched.observe(element);
    return () => watched.disconnect();
  }, [hand.length]);
  const last = Math.min(reached, hand.length - 1);
  const left = [...fresh];
  const isNew = (card: string) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -hand.length, End: hand.length }[event.key];
    if (step === undefined || hand.length === 0) return;
    event.preventDefault();
    const to = Math.abs(step) === 1 ? (last + step + hand.length) % hand.length : step < 0 ? 0 : hand.length - 1;
    // With Alt the card goes along.
    if (event.altKey) table.move([last], to > last ? to + 1 : to);
    reach(to);
    box.current?.querySelectorAll<HTMLElement>("button")[to]?.focus();
  };
  const seat = table.view.seats[table.me ?? -1];
  return (
    <section id="own" data-at={`seat${table.me}`} class={table.isMine ? "acts" : ""} aria-label={t("hand.of", { name: seat?.name ?? "", cards: hand.length })}>
      <div id="hand" ref={box} role="group" aria-label={t("hand", { cards: hand.length })} onKeyDown={keys}>
        {hand.map((card, place) => {
          const news = isNew(card);
          return (
            <button type="button" key={place} class={`card${news ? " fresh" : ""}`} data-card={card} data-place={place}
              aria-pressed={table.picked.has(place)} aria-label={`${spoken(card)}${news ? `, ${t("new")}` : ""}`} tabIndex={place === last ? 0 : -1}
              onClick={() => { reach(place); table.toggle(place); }} onPointerDown={(event) => dragged(event, table, place)}>
              <Face card={card} />
            </button>
          );
        })}
      </div>
    </section>
  );
}

/** Spreads the cards over as few rows as leave each of them a strip that a finger can hit. */
function spread(box: HTMLElement, count: number): void {
  const style = getComputedStyle(box);
  const width = box.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
  const card = box.querySelector<HTMLElement>(".card")?.offsetWidth ?? 0;
  if (card === 0 || width <= card) return;
  const most = Math.max(1, Math.floor((width - card) / STRIP) + 1);
  const rows = Math.max(1, Math.ceil(count / most));
  const row = Math.ceil(count / rows);
  const offset = row > 1 ? Math.min(card + 4, (width - card) / (row - 1)) : card;
  box.style.setProperty("--row", `${row}`);
  box.style.setProperty("--rows", `${rows}`);
  box.style.setProperty("--offset", `${offset}px`);
  for (const [at, element] of [...box.querySelectorAll<HTMLElement>(".card")].entries()) {
    const line = Math.floor(at / row);
    const inLine = line === rows - 1 ? count - row * (rows - 1) : row;
    const start = (width - ((inLine - 1) * offset + card)) / 2;
    element.style.left = `${start + (at % row) * offset + Number.parseFloat(style.paddingLeft)}px`;
    element.style.setProperty("--line", `${line}`);
  }
}
