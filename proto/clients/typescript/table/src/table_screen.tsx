// The table as a whole: the bar on top, the felt, the own hand, the actions, and what opens over them.

import { createClient, type Transport } from "@connectrpc/connect";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { GameService, Phase } from "canasta-client";
import { type Alert, alerts, markTitle, switchAlert, tellTurn } from "./alerts";
import { Bar, Messages, News } from "./bar";
import { Board } from "./board";
import { ORDERS, type Order } from "./cards";
import { Explained } from "./explained";
import { Hand } from "./hand";
import { isKept, set, setting } from "./keeper";
import { Languages } from "./languages";
import { PACES, type Pace, type Panel, type Table } from "./model";
import { History, Panels } from "./panels";
import { Rules } from "./rules";
import { RoundOver } from "./sheets";
import { OwnReplay } from "./viewer/own";
import { t, type Word } from "./words";

/** The keys of the table, and the buttons that they press. */
const KEYS: Record<string, string> = {
  d: '[data-act="draw"]', h: '[data-act="hint"]', u: '[data-act="undo"]', m: '[data-act="legal"]', p: "[data-at=pile].target",
  Escape: '[data-act="clear"]', "?": "#open-moves",
};

/** `at`: the record that the link shows first. */
export function TableScreen({ table, transport, at, rematch, home }: {
  table: Table; transport: Transport; at: number | undefined; rematch: (() => void) | undefined; home: () => void;
}): JSX.Element {
  const [asked, ask] = useState<{ ids: string[]; title: string } | undefined>();
  const [isGuided, guide] = useState(setting("guided") !== "done" && table.me !== undefined);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === "Escape") document.querySelector("#menu[open]")?.removeAttribute("open");
      const isElsewhere = event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]") !== null;
      if (!isElsewhere && !/^(INPUT|SELECT|TEXTAREA)$/.test((event.target as HTMLElement).tagName) && KEYS[event.key]) {
        document.querySelector<HTMLElement>(KEYS[event.key] as string)?.click();
      }
    };
    window.addEventListener("keydown", press);
    document.querySelector<HTMLElement>("#top h1")?.focus();
    return () => window.removeEventListener("keydown", press);
  }, []);
  const { view, panel, isMine } = table;
  useEffect(() => {
    markTitle(view.title, isMine);
    if (isMine) tellTurn(table.happened.at(-1) ?? "");
    return () => markTitle(view.title, false);
  }, [isMine]);
  if (panel === "replay") return <OwnReplay table={table} transport={transport} at={at} close={() => table.open(undefined)} />;
  const endGuide = () => {
    set("guided", "done");
    guide(false);
  };
  return (
    <div id="table" class={table.isMine ? "mine" : ""}>
      <header id="top">
        <h1 tabIndex={-1}>{view.title}</h1>
        <Menu table={table} guide={() => guide(true)} home={home} />
      </header>
      {table.isAlone && !isKept && <p class="warning" role="status">{t("unkept")}</p>}
      <div id="play" class={isGuided ? "guided" : ""}>
        {isGuided && <Guide table={table} close={endGuide} />}
        <div id="felt-and-hand">
          <Board table={table} />
          <Messages table={table} ask={(ids, title) => ask({ ids, title })} />
          <News table={table} />
          {table.me !== undefined ? <Hand table={table} /> : <section id="own" class="still" />}
          <Bar table={table} />
        </div>
        <aside id="beside" aria-label={t("panel.history")}><h2>{t("panel.history")}</h2><History table={table} /></aside>
      </div>
      <Panels table={table} values={<Explained client={createClient(GameService, transport)} id={view.ruleSet} canonical={() => table.game.ruleSet()} ask={(ids, title) => ask({ ids, title })} />} />
      {asked && <Rules transport={transport} ids={asked.ids} title={asked.title} close={() => ask(undefined)} />}
      <RoundOver table={table} rematch={rematch} home={home} ask={(ids, title) => ask({ ids, title })} />
    </div>
  );
}

function Menu({ table, guide, home }: { table: Table; guide: () => void; home: () => void }): JSX.Element {
  const open = (panel: Panel) => () => {
    document.querySelector<HTMLDetailsElement>("#menu")?.removeAttribute("open");
    table.open(panel);
  };
  const entries: Panel[] = ["scores", "history", "values", "moves", "log", "replay", "calls"];
  return (
    <nav aria-label={t("menu")}>
      {table.meeting && <button type="button" id="open-room" onClick={open("room")}>{t("panel.room")}</button>}
      <button type="button" id="open-scores" class="wide" onClick={open("scores")}>{t("panel.scores")}</button>
      <button type="button" id="open-values" class="wide" onClick={open("values")}>{t("panel.values")}</button>
      <details id="menu">
        <summary>{t("menu")}</summary>
        <div class="menu">
          {entries.map((each) => <button type="button" id={each === "scores" || each === "values" ? `menu-${each}` : `open-${each}`} key={each} onClick={open(each)}>{t(`panel.${each}` as Word)}</button>)}
          <button type="button" onClick={guide}>{t("panel.guide")}</button>
          {table.me !== undefined && <label>{t("order")}<select id="order" value={table.order ?? "rank"} onChange={(event) => table.arrange(event.currentTarget.value as Order)}>
            {ORDERS.map((each) => <option value={each} key={each}>{t(`order.${each}`)}</option>)}
          </select></label>}
          {table.me !== undefined && <Alerts />}
          <label>{t("pace")}<select id="pace" value={table.pace} onChange={(event) => table.setPace(event.currentTarget.value as Pace)}>
            {Object.keys(PACES).map((each) => <option value={each} key={each}>{t(`pace.${each}` as Word)}</option>)}
          </select></label>
          <Languages />
          <button type="button" id="new-game" onClick={home}>{t("newGame")}</button>
        </div>
      </details>
    </nav>
  );
}

/** What tells that it is the own turn, to be switched on and off. */
function Alerts(): JSX.Element {
  const [, draw] = useState(0);
  const turn = (alert: Alert, on: boolean) => void switchAlert(alert, on).then(() => draw((was) => was + 1));
  return (
    <fieldset class="alerts"><legend>{t("alerts")}</legend>
      {alerts().map(([alert, on]) => <label class="check" key={alert}><input type="checkbox" id={`alert-${alert}`} checked={on} onChange={() => turn(alert, !on)} /><span>{t(`alerts.${alert}`)}</span></label>)}
    </fieldset>
  );
}

/** The first guided round: one sentence about what can be done now. Refusals teach the rest. */
function Guide({ table, close }: { table: Table; close: () => void }): JSX.Element {
  const { view, isMine, picked, chosen } = table;
  const side = view.sides.find((each) => each.side === table.side);
  const word: Word = !isMine ? "guide.wait"
    : view.phase === Phase.START ? (view.round === 1 && view.seq < 8n ? "guide.first" : "guide.start")
    : view.phase !== Phase.PLAY ? "guide.other"
    : chosen ? "guide.more"
    : picked.size === 0 ? (side?.opened ? "guide.play" : "guide.closed")
    : picked.size === 1 ? "guide.one" : "guide.many";
  return (
    <aside id="guide" aria-label={t("panel.guide")}>
      <p tabIndex={0}>{t(word)}</p>
      <button type="button" onClick={close}>
        <span class="long">{t("guide.close")}</span><span class="short" aria-hidden="true">✕</span>
      </button>
    </aside>
  );
}
