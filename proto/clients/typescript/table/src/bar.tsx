// The fixed bar under the hand: whose turn it is, what the picked cards can do, and what else can be done.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Action, Destination, Phase, type PlayOption } from "canasta-client";
import { short } from "./cards";
import type { Table } from "./model";
import { Again, Offers } from "./room_panel";
import { verdictOf } from "./targets";
import { capital, meldName, seatName, t, type Word } from "./words";

export function Bar({ table }: { table: Table }): JSX.Element {
  const said = turnOf(table);
  return (
    <footer id="bar">
      <p id="turn"><span role="status"><span key={said}>{said}</span></span><Thinks table={table} /></p>
      <div id="actions" role="group" aria-label={t("actions")} aria-busy={table.isChanging}>
        <span class="does">{table.sheet ? null : <Actions table={table} />}</span>
        {table.me !== undefined && <Tools table={table} />}
      </div>
    </footer>
  );
}

/** Seconds of silence after which it is said how long a seat thinks. */
const THINKS = 3;

/** What has just happened, or why something is suggested, in one line above the hand. */
export function News({ table: { happened, why } }: { table: Table }): JSX.Element {
  // The history has all.
  const parts = why ? [why] : happened.slice(-2);
  return <p id="happened" role="status"><span key={parts.join()}>{parts.map((each, at) => <span key={at}>{each}</span>)}</span></p>;
}

/** For how long whoever is to act has thought. Screen readers read a timer when they are asked to. */
function Thinks({ table }: { table: Table }): JSX.Element | null {
  const thinks = table.isMine || table.end || table.sheet ? undefined : table.view.toAct;
  const [, tick] = useState(0);
  useEffect(() => {
    if (thinks === undefined) return;
    const timer = setInterval(() => tick((was) => was + 1), 1000);
    return () => clearInterval(timer);
  }, [thinks]);
  const seconds = Math.floor((performance.now() - table.thinksSince) / 1000);
  return thinks === undefined || seconds < THINKS ? null : <span id="thinks" role="timer"> · {t("thinks", { seconds })}</span>;
}

function turnOf(table: Table): string {
  const { view, isMine } = table;
  if (table.end) return t("gameOver");
  if (table.sheet) return capital(table.sheet.round === 0 ? t("ended.DRAWN") : t("roundOver", { round: table.sheet.round }));
  if (isMine) {
    if (table.isBusy) return t("sending");
    if (view.toAct !== table.me) return t("turn.out");
    return t(`turn.${Phase[view.phase]}` as Word);
  }
  return view.toAct === undefined ? t("turn.table") : t("turn.other", { name: seatName(view, view.toAct) });
}

function Button({ kind, at, click, children }: { kind?: string; at: string; click: () => void; children: ComponentChildren }): JSX.Element {
  return <button type="button" class={kind} data-act={at} onClick={click}>{children}</button>;
}

function Actions({ table }: { table: Table }): JSX.Element {
  const { isMine, picked, chosen, legal, hinted } = table;
  if (table.end && table.meeting) return <Again meeting={table.meeting} />;
  if (table.me === undefined) return <span class="note">{t("watching")}</span>;
  if (table.isAway) return <Button at="back" kind="primary" click={() => void table.setBot(table.me as number, false)}>{t("bot.back")}</Button>;
  const isOther = (action: Action) => !["drawStock", "takePile", "meld", "discard"].includes(action.kind.case ?? "");
  const shown = table.options.filter((each) => verdictOf(each) !== "illegal" && (picked.size > 0 || verdictOf(each) === "legal"));
  const words = table.words;
  return (
    <>
      {hinted && <Button at="hinted" kind="primary" click={() => void table.act(hinted)}>{words.action(hinted)}</Button>}
      {isMine && !hinted && legal.some((each) => each.kind.case === "drawStock") && (
        <Button at="draw" kind="primary" click={() => void table.act({ kind: { case: "drawStock", value: {} } })}>{t("draw")}</Button>
      )}
      {!hinted && shown.map((option) => (
        <Button at={verdictOf(option)} kind={verdictOf(option) === "legal" ? "primary" : "aside"} click={() => void table.choose(option)} key={`${option.destination}.${option.meld}`}>
          {labelOf(table, option)}
        </Button>
      ))}
      {!hinted && shown.filter((each) => verdictOf(each) === "legal" && isNewMeld(each)).slice(0, 1).map((option) => (
        <Button at="more" click={() => void table.choose(option, true)} key="more">{t("andMore")}</Button>
      ))}
      {isMine && !hinted && legal.filter(isOther).map((action, at) => (
        <Button at={action.kind.case ?? ""} kind="other" click={() => void table.act(action)} key={`other${at}`}>{words.action(action)}</Button>
      ))}
      {(picked.size > 0 || chosen || hinted) && <Button at="clear" click={() => table.clear()}>
        <span class="long">{t("clear")}</span><span class="short" aria-hidden="true">✕</span>
      </Button>}
    </>
  );
}

/** What stays in its place, so that nobody presses another button than the one that was there. */
function Tools({ table }: { table: Table }): JSX.Element {
  const mayAsk = table.isMine && !table.isAway;
  return (
    <span class="tools">
      <button type="button" data-act={table.mayTakeBack ? "undo" : undefined} disabled={!table.mayTakeBack} onClick={() => void table.takeBack()}>
        <span class="long">{t("undo")}</span><span class="short" aria-hidden="true">↶</span>
      </button>
      <button type="button" data-act={mayAsk ? "hint" : undefined} disabled={!mayAsk} onClick={() => void table.hint()}>{t("hint")}</button>
    </span>
  );
}

const isNewMeld = (option: PlayOption): boolean => option.destination >= Destination.NEW_SET && option.destination <= Destination.NEW_BLACK_THREES;

/** Returns the label of an option: what it does, and the points towards the minimum. */
function labelOf(table: Table, option: PlayOption): string {
  const { initial, action } = option;
  const points = initial ? ` (${t("minimum", { found: initial.found, required: initial.required })})` : "";
  const cards = table.hand.filter((_, place) => table.picked.has(place)).map(short).join(" ");
  if (verdictOf(option) === "short") return t("aside", { cards: cards || "…" }) + points;
  if (option.destination === Destination.MELD || (option.destination === Destination.PILE && option.meld !== undefined)) {
    const meld = table.view.sides.find((each) => each.side === table.side)?.melds.find((each) => each.id === option.meld);
    const name = meld ? meldName(meld) : "";
    return option.destination === Destination.MELD ? t("onto", { cards, meld: name }) : t("take.onto", { meld: name });
  }
  return capital(action ? table.words.action(action) : "") + points;
}

/** Refusals, offers and notices, over the felt so that nothing moves. */
export function Messages({ table, ask }: { table: Table; ask: (ruleIds: string[], title: string) => void }): JSX.Element {
  const { refusal, notice } = table;
  const words = table.words;
  return (
    <div id="messages">
      <Offers table={table} />
      <div role="alert" id="refusal">
        {refusal.length > 0 && (
          <div class="message refusal">
            {refusal.map((each, at) => (
              <p key={each.code}>
                <strong>{at === 0 ? t("refused") : t("also")}</strong> {words.violation(each)}.
                {each.repair && <> {t("instead")} {words.repair(each.repair)}.</>}{" "}
                <button type="button" class="link" data-rules={each.ruleIds.join(" ")} onClick={() => ask(each.ruleIds, words.violation(each))}>{t("meaning")}</button>
              </p>
            ))}
            <button type="button" class="close" aria-label={t("close")} onClick={() => table.clear()}>×</button>
          </div>
        )}
      </div>
      <div role="status" id="notice">{notice !== "" && <div class="message"><p>{notice}</p></div>}</div>
    </div>
  );
}
