// The records of a game in sentences, by round and turn; all of them, or those that stand out.

import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { seatName, t, type Word } from "../words";
import { say, type Step } from "./steps";

/** Steps of one turn, each with its place among all. */
interface Turn {
  steps: [number, Step][];
  isFirstOfRound: boolean;
}

function turnsOf(steps: Step[]): Turn[] {
  const turns: Turn[] = [];
  for (const [at, step] of steps.entries()) {
    const before = steps[at - 1];
    if (before?.turn === step.turn) turns.at(-1)?.steps.push([at, step]);
    else turns.push({ steps: [[at, step]], isFirstOfRound: before?.round !== step.round });
  }
  return turns;
}

/** `unplayed`: place of the first step that nobody has played. */
export function Records({ steps, now, unplayed = Infinity, isOpen, go }: {
  steps: Step[]; now: number; unplayed?: number | undefined; isOpen: boolean; go: (to: number) => void;
}): JSX.Element {
  const [isShort, shorten] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const count = steps.filter(({ incidents }) => incidents.length > 0).length;
  // A long game has a thousand lines: they are drawn anew only when they are others.
  const list = useMemo(() => turnsOf(steps).map((turn) => {
    const [, first] = turn.steps[0] as [number, Step];
    const { named, seat } = first;
    return (
      <li class={`turn side${named.seats[seat ?? -1]?.side ?? " nobody"}`} key={first.n}>
        {turn.isFirstOfRound && <h3>{first.round > 0 ? t("round", { round: first.round }) : t("beginning")}</h3>}
        {seat !== undefined && <b><bdi>{seatName(named, seat)}</bdi></b>}
        <ol>{turn.steps.map(([at, step]) => <Line at={at} step={step} isPlayed={at < unplayed} key={at} />)}</ol>
      </li>
    );
  }), [steps, unplayed]);
  // One line of the list has a place in the order of the keys: the current one.
  useLayoutEffect(() => {
    const line = (at: string) => box.current?.querySelector<HTMLElement>(at);
    const old = line("[aria-current]");
    const isIn = old !== null && old === document.activeElement;
    old?.removeAttribute("aria-current");
    old?.setAttribute("tabindex", "-1");
    const current = line(`[data-step="${now}"]`);
    current?.setAttribute("aria-current", "step");
    current?.setAttribute("tabindex", "0");
    current?.scrollIntoView({ block: "nearest" });
    if (isIn) current?.focus({ preventScroll: true });
  }, [now, list, isShort, isOpen]);
  return (
    <>
      <h2 class="hidden">{t("pane.records")}</h2>
      <label class="check"><input type="checkbox" id="incidents" checked={isShort} onChange={() => shorten(!isShort)} /><span>{t("incidents.only", { count })}</span></label>
      {count === 0 && <p class={isShort ? "note" : "note paper"}>{t("incidents.none")}</p>}
      <div class="scroll" ref={box} onClick={(event) => {
        const at = (event.target as HTMLElement).closest<HTMLElement>("[data-step]")?.dataset["step"];
        if (at !== undefined) go(Number(at));
      }}>
        <ol class={isShort ? "turns short" : "turns"}>{list}</ol>
      </div>
    </>
  );
}

function Line({ at, step, isPlayed }: { at: number; step: Step; isPlayed: boolean }): JSX.Element {
  const { incidents, n } = step;
  return (
    <li class={`${incidents.length > 0 ? "incident" : ""}${isPlayed ? "" : " unplayed"}`}>
      <button type="button" data-step={at} tabIndex={-1}>
        <span class="n">{n}</span> <span>{incidents.map((each) => <strong class="tag" key={each}>{t(`incident.${each}` as Word)}</strong>)} {say(step)}</span>
      </button>
    </li>
  );
}
