// Dragging picked cards to a place, or to another place in the hand.

import type { Table } from "./model";

/** Way that a finger must move before a tap becomes a drag, in pixels. */
const SLACK = 10;

/** Follows a pointer that went down on a card of the hand. */
export function dragged(start: PointerEvent, table: Table, place: number): void {
  if (start.button !== 0) return;
  const card = start.currentTarget as HTMLElement;
  const wasPicked = table.picked.has(place);
  let ghost: HTMLElement | undefined;
  const move = (event: PointerEvent) => {
    if (event.pointerId !== start.pointerId) return;
    if (!ghost && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < SLACK) return;
    if (!ghost) {
      table.pickOnly(place);
      ghost = lifted(table);
      document.body.classList.add("dragging");
    }
    ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -60%)`;
    const over = targetAt(event);
    for (const each of document.querySelectorAll(".over")) if (each !== over) each.classList.remove("over");
    over?.classList.add("over");
    const gap = gapAt(event);
    for (const [at, each] of document.querySelectorAll("#hand .card").entries()) {
      each.classList.toggle("gap", at === gap);
      each.classList.toggle("gap-after", at + 1 === gap && !each.nextElementSibling);
    }
  };
  const end = (event: PointerEvent) => {
    if (event.pointerId !== start.pointerId) return;
    for (const [name, listener] of listeners) window.removeEventListener(name, listener as EventListener);
    document.body.classList.remove("dragging");
    for (const each of document.querySelectorAll(".over, .gap, .gap-after")) each.classList.remove("over", "gap", "gap-after");
    if (!ghost) return;
    ghost.remove();
    // The click that follows would put the card back.
    const swallow = (click: Event) => click.stopImmediatePropagation();
    card.addEventListener("click", swallow, { capture: true });
    setTimeout(() => card.removeEventListener("click", swallow, { capture: true }), 0);
    const gap = event.type === "pointerup" ? gapAt(event) : undefined;
    if (gap !== undefined) {
      table.move([...table.picked].sort((a, b) => a - b), gap);
      // Who only orders the hand has picked nothing.
      if (!wasPicked) table.drop();
      return;
    }
    // The answer to where these cards may go can still be under way.
    if (event.type === "pointerup") void table.asking.then(() => targetAt(event)?.click());
  };
  const listeners = [["pointermove", move], ["pointerup", end], ["pointercancel", end]] as const;
  for (const [name, listener] of listeners) window.addEventListener(name, listener as EventListener);
}

function lifted(table: Table): HTMLElement {
  const ghost = document.createElement("div");
  ghost.className = "lifted";
  for (const place of table.picked) {
    const face = document.querySelector(`#hand [data-place="${place}"] .face`)?.cloneNode(true);
    if (face) ghost.append(face);
  }
  document.body.append(ghost);
  return ghost;
}

const targetAt = (event: PointerEvent): HTMLElement | undefined =>
  document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>(".target") ?? undefined;

/** Returns the place in the hand before which a card would be put down; undefined outside of the hand. */
function gapAt(event: PointerEvent): number | undefined {
  const cards = [...document.querySelectorAll<HTMLElement>("#hand .card")];
  const under = document.elementsFromPoint(event.clientX, event.clientY);
  const at = cards.findIndex((each) => each === under.find((other) => other.classList.contains("card")));
  if (at < 0) return undefined;
  const [box, next] = [(cards[at] as HTMLElement).getBoundingClientRect(), cards[at + 1]?.getBoundingClientRect()];
  const strip = next && next.top === box.top ? next.left - box.left : box.width;
  return event.clientX < box.left + strip / 2 ? at : at + 1;
}
