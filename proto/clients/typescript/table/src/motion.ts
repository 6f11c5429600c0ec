// Cards that move: what an event moved flies from where it was to where it lies now.

import { h, render } from "preact";
import type { Event } from "canasta-client";
import { Face } from "./cards";

const FLIGHT_MS = 420;
const STAGGER_MS = 55;
/** Maximum number of cards that fly for one event. */
const CARDS = 6;

/** The places of the own cards before a change. */
export type Places = Map<string, DOMRect[]>;

export const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

/** Returns the places of the cards of the hand. */
export function capture(): Places {
  const places: Places = new Map();
  for (const card of document.querySelectorAll<HTMLElement>("#hand [data-card]")) {
    const key = card.dataset["card"] ?? "";
    places.set(key, [...(places.get(key) ?? []), card.getBoundingClientRect()]);
  }
  return places;
}

interface Flight {
  cards: string[];
  from: string;
  to: string;
}

function flights({ kind }: Event, by: number | undefined): Flight[] {
  const { value } = kind;
  switch (kind.case) {
    case "drew": return [{ cards: kind.value.cards, from: "stock", to: `seat${kind.value.seat}` }];
    case "replaced": return [{ cards: [kind.value.card], from: "stock", to: `seat${kind.value.seat}` }];
    case "upcard": return [{ cards: [kind.value.card], from: "stock", to: "pile" }];
    case "dealt": return kind.value.hands.map((_, seat) => ({ cards: ["back", "back", "back"], from: "stock", to: `seat${seat}` }));
    case "melded": return [{ cards: kind.value.cards, from: `seat${by}`, to: `meld${kind.value.side}.${kind.value.meld}` }];
    case "unmelded": return [{ cards: kind.value.cards, from: `meld${kind.value.side}.${kind.value.meld}`, to: `seat${by}` }];
    case "tookPile": return [{ cards: kind.value.cards.length > 0 ? kind.value.cards : ["back"], from: "pile", to: `seat${kind.value.seat}` }];
    case "tookTalon": return [{ cards: kind.value.cards, from: "stock", to: `seat${kind.value.seat}` }];
    case "threeLaid": return [{ cards: [kind.value.card], from: `seat${kind.value.seat}`, to: `threes${kind.value.seat}` }];
    case "discarded": return [{ cards: [kind.value.faceDown ? "back" : kind.value.card], from: `seat${kind.value.seat}`, to: "pile" }];
    default: return value ? [] : [];
  }
}

const at = (place: string): DOMRect | undefined => document.querySelector(`[data-at="${place}"]`)?.getBoundingClientRect();

/** Lets the cards of events fly; returns the time until the last one has landed, in milliseconds. */
export function fly(events: Event[], before: Places, by: number | undefined, me: number | undefined): number {
  if (isStill()) return 0;
  let delay = 0;
  for (const { cards, from, to } of events.flatMap((event) => flights(event, by))) {
    const target = at(to) ?? at(to.replace("threes", "seat"));
    for (const card of cards.slice(0, CARDS)) {
      const own = from === `seat${me}` ? before.get(card)?.shift() : undefined;
      const source = own ?? at(from);
      if (source && target) launch(card, source, target, delay);
      delay += STAGGER_MS;
    }
  }
  return delay === 0 ? 0 : delay + FLIGHT_MS;
}

function launch(card: string, from: DOMRect, to: DOMRect, delay: number): void {
  const ghost = document.createElement("div");
  ghost.className = "ghost";
  render(h(Face, { card }), ghost);
  document.body.append(ghost);
  const { width, height } = ghost.getBoundingClientRect();
  const place = (box: DOMRect, turn: number) =>
    `translate(${box.x + box.width / 2 - width / 2}px, ${box.y + box.height / 2 - height / 2}px) rotate(${turn}deg)`;
  const frames = [
    { transform: place(from, 0), opacity: 0.4 },
    { opacity: 1, offset: 0.15 },
    { opacity: 1, offset: 0.85 },
    { transform: place(to, 0), opacity: 0 },
  ];
  const flight = ghost.animate(frames, { duration: FLIGHT_MS, delay, easing: "cubic-bezier(.3,.7,.3,1)", fill: "both" });
  flight.onfinish = () => ghost.remove();
  flight.oncancel = () => ghost.remove();
}
