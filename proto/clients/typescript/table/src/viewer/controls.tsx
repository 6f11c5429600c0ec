// The buttons, the slider and the keys that walk through a game.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t, type Word } from "../words";
import { jump, say, type Step, type Stops } from "./steps";

/** Time between two records while the game runs, in milliseconds. */
const STEP_MS = 900;

export interface Walk {
  now: number;
  last: number;
  stops: Stops;
  go: (to: number) => void;
}

/** The ways to walk: where each leads, and the key that does the same. */
const WAYS: Record<string, [(walk: Walk) => number, string]> = {
  first: [() => 0, "Home"],
  "round.before": [({ now, stops }) => jump(stops.rounds, now, -1), "PageUp"],
  "turn.before": [({ now, stops }) => jump(stops.turns, now, -1), "Shift+ArrowLeft"],
  before: [({ now }) => now - 1, "ArrowLeft"],
  next: [({ now }) => now + 1, "ArrowRight"],
  "turn.next": [({ now, stops }) => jump(stops.turns, now, 1), "Shift+ArrowRight"],
  "round.next": [({ now, stops }) => jump(stops.rounds, now, 1), "PageDown"],
  last: [({ last }) => last, "End"],
};
const BEFORE = ["first", "round.before", "turn.before", "before"];
const AFTER = ["next", "turn.next", "round.next", "last"];

/** Lines of the signs: to the left; the others are turned around. */
const SIGNS: Record<string, string> = {
  first: "M6 5v14M19 5l-9 7 9 7z", "round.before": "M6 5v14M13 6l-5 6 5 6M20 6l-5 6 5 6", "turn.before": "M12 6l-6 6 6 6M19 6l-6 6 6 6", before: "M15 6l-6 6 6 6",
};

/** Walks by keys. Space presses what has the focus; where nothing has it, it starts and stops. */
export function keys(event: KeyboardEvent, walk: Walk): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.altKey || event.metaKey || target.closest("dialog, select, textarea, input:not([type=range], [type=checkbox])")) return;
  const key = `${event.shiftKey ? "Shift+" : ""}${event.key}`;
  const way = Object.values(WAYS).find(([, each]) => each === key);
  if (way) walk.go(way[0](walk));
  else if (key === " " && !target.closest("button, summary, input, a")) document.querySelector<HTMLElement>('[data-act="play"]')?.click();
  else return;
  event.preventDefault();
}

export function Controls({ steps, ...walk }: Walk & { steps: Step[] }): JSX.Element {
  const { now, last, stops, go } = walk;
  const [runs, run] = useState(false);
  useEffect(() => {
    if (!runs) return;
    if (now >= last) return run(false);
    const timer = setTimeout(() => go(now + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [runs, now, last]);
  const button = (name: string) => {
    const [to, key] = WAYS[name] as (typeof WAYS)[string];
    const label = t(`walk.${name}` as Word);
    const isBack = BEFORE.includes(name);
    const sign = SIGNS[isBack ? name : BEFORE[BEFORE.length - 1 - AFTER.indexOf(name)] ?? ""];
    return (
      <button type="button" data-act={name} aria-label={label} aria-keyshortcuts={key} title={`${label} (${key})`} key={name} onClick={() => go(to(walk))}>
        <svg viewBox="0 0 24 24" aria-hidden="true" class={isBack ? undefined : "turned"}><path d={sign} /></svg>
      </button>
    );
  };
  const at = (place: number) => ({ left: `${(100 * place) / Math.max(last, 1)}%` });
  return (
    <div id="actions" role="group" aria-label={t("walk")}>
      <div class="slider">
        {stops.rounds.slice(1, -1).map((place) => <i key={place} style={at(place)} />)}
        {steps.map(({ incidents }, place) => incidents.length > 0 && <i key={`!${place}`} class="incident" style={at(place)} />)}
        <input type="range" min={0} max={last} value={now} aria-label={t("record.slider")} aria-valuetext={`${t("record", { record: steps[now]?.n ?? 0 })} ${steps[now] ? say(steps[now]) : ""}`}
          onInput={(event) => go(Number(event.currentTarget.value))} />
      </div>
      <div class="ways">
        {BEFORE.map(button)}
        <button type="button" data-act="play" class="primary" aria-pressed={runs} aria-label={t("run")} aria-keyshortcuts="Space" title={`${t("run")} (Space)`} onClick={() => run(!runs)}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d={runs ? "M8 5v14M16 5v14" : "M8 5l11 7-11 7z"} /></svg>
        </button>
        {AFTER.map(button)}
      </div>
    </div>
  );
}
