// The felt: seats around it, stock and pile in the middle, the melds of every side.

import type { ComponentChildren, JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  Destination, FreezeCause, Grade, type Group, MeldKind, type MeldView, type PlayOption, type SeatView, type SideView,
} from "canasta-client";
import { Face, inOrder, isWild, sorted } from "./cards";
import { Count } from "./counting";
import { Worth } from "./explained";
import type { Table } from "./model";
import { groupsOf, NEW, verdictOf } from "./targets";
import { capital, gradeName, meldName, number, seatName, sideName, spoken, t, type Word } from "./words";

/** The places of the other seats around the table, in the order of play. */
const AROUND: Record<number, string[]> = {
  1: ["top"], 2: ["left", "right"], 3: ["left", "top", "right"], 4: ["left", "top", "top", "right"],
  5: ["left", "left", "top", "right", "right"],
};

/** How melds are shown, the largest first: the width of their cards in pixels, and whether sets show little more than their top card. */
const FITS: [number, boolean][] = [
  ...[100, 90, 81, 73, 66, 60, 54, 48].map((width): [number, boolean] => [width, false]),
  ...[66, 60, 54, 48, 42, 37, 33, 29, 25, 22, 19, 17].map((width): [number, boolean] => [width, true]),
];

/** What the board needs of a table. Report pages have a table that is only looked at. */
export type Shown = Pick<Table,
  "view" | "sheet" | "counted" | "words" | "before" | "me" | "side" | "bottom" | "isMine" | "isReplay" | "picked" | "chosen" | "legal" | "clock" | "clockAt" | "botSeats" | "option" | "choose" | "act"> & { meeting?: Table["meeting"] };

/** `isPart`: whether the page around the board has its main part elsewhere. */
export function Board({ table, isPart = false }: { table: Shown; isPart?: boolean }): JSX.Element {
  const { view, me, side } = table;
  const first = me ?? table.bottom ?? Math.floor(view.seats.length / 2);
  const Main = isPart ? "div" : "main";
  const others = view.seats.map((_, step) => view.seats[(first + 1 + step) % view.seats.length] as SeatView).slice(0, -1);
  const places = AROUND[others.length] ?? [];
  const bottom = view.seats[first] as SeatView;
  const own = side ?? bottom.side;
  const felt = useRef<HTMLElement>(null);
  // Where the felt has to scroll, its lower end is seen: the melds, stock and pile.
  useEffect(() => {
    const watched = new ResizeObserver(() => felt.current?.scrollTo(0, felt.current.scrollHeight));
    if (felt.current && !table.isReplay) watched.observe(felt.current);
    return () => watched.disconnect();
  }, []);
  const opponents = view.sides.filter(({ side, melds }) => side !== own && (melds.length > 0 || view.seats.some((each) => each.side === side)));
  return (
    // What scrolls can be scrolled by keys; players have buttons on it.
    <Main id="felt" ref={felt as RefObject<HTMLDivElement>} tabIndex={me === undefined && !isPart ? 0 : undefined} class={`of${view.seats.length}${table.isReplay ? " looked" : ""}`}>
      {["left", "top", "right"].map((place) => (
        <ul class={`seats ${place}`} key={place} aria-label={t(`seats.${place}` as Word)}>
          {others.map((each, at) => places[at] === place && <Seat table={table} seat={each} key={each.seat} />)}
        </ul>
      ))}
      <div class="zones others">{opponents.map((each) => <Zone table={table} side={each} key={each.side} />)}</div>
      <Centre table={table} />
      <div class="zones own">
        {view.sides.filter((each) => each.side === own).map((each) => <Zone table={table} side={each} key={each.side} isOwn />)}
      </div>
      {me === undefined && <ul class="seats bottom"><Seat table={table} seat={bottom} /></ul>}
    </Main>
  );
}

/** Returns which cards are new since the position before. */
function newOf(cards: string[], before: string[] | undefined): boolean[] {
  if (!before) return cards.map(() => false);
  const left = [...before];
  return cards.map((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Open cards in a row; they overlap as far as they must. */
function Row({ cards, before, kind = "", label }: { cards: string[]; before?: string[] | undefined; kind?: string; label: string }): JSX.Element {
  const isNew = newOf(cards, before);
  // Where all are new, nothing stands out.
  const marked = isNew.includes(false);
  return (
    <span class="hold">
      <span class={`mini ${kind}`} role="img" aria-label={label} data-cards={cards.join(" ")} style={{ "--n": Math.max(cards.length, 2) }}>
        {cards.map((card, at) => <Face card={card} kind={marked && isNew[at] ? "new" : ""} key={at} />)}
      </span>
    </span>
  );
}

function Seat({ table, seat }: { table: Shown; seat: SeatView }): JSX.Element {
  const { view, side } = table;
  const acts = view.toAct === seat.seat;
  const isAway = table.meeting?.isAway(seat.seat) === true;
  const relation = side === undefined ? "" : t(seat.side === side ? "partner" : "opponent");
  // A foot that is taken leaves its line, so that nothing moves.
  const hadFoot = useRef(false);
  hadFoot.current ||= seat.footSize > 0;
  // Where there is no room for words, a sign and a number tell the same.
  const facts: [string, string, string][] = [["cards", `${seat.handSize}`, t("cards", { cards: seat.handSize })]];
  if (hadFoot.current) facts.push(["foot", seat.footSize > 0 ? `${seat.footSize}` : "", seat.footSize > 0 ? t("foot", { cards: seat.footSize }) : ""]);
  if (seat.score !== undefined) facts.push(["points", number(seat.score), t("points", { points: number(seat.score) })]);
  return (
    <li class={`seat side${seat.side}${acts ? " acts" : ""}${isAway ? " away" : ""}`} data-at={`seat${seat.seat}`} data-size={seat.handSize} aria-current={acts ? "true" : undefined}>
      <span class="who">
        <b title={seatName(view, seat.seat)}><bdi>{seatName(view, seat.seat)}</bdi></b>
        {view.dealer === seat.seat && <abbr class="dealer" title={t("dealer")}>{t("dealer.short")}</abbr>}
      </span>
      <span class="about"><span>{relation}</span> {table.botSeats.includes(seat.seat) && <span class="bot">{t("bot")}</span>}{isAway && <span class="bot">{t("room.away")}</span>} <Clock table={table} seat={seat.seat} /></span>
      {seat.hand.length > 0
        ? <Row cards={sorted(seat.hand)} before={table.before?.seats[seat.seat]?.hand} label={t("holds", { name: seatName(view, seat.seat), cards: sorted(seat.hand).map(spoken).join(", ") })} />
        : <span class="backs" aria-hidden="true">{Array.from({ length: Math.min(seat.handSize, 9) }, (_, at) => <Face card="back" key={at} />)}</span>}
      <span class="count">{facts.map(([kind, short, fact]) => <span class={`fact ${kind}`} data-short={short} title={fact} key={kind}><span>{fact}</span></span>)}</span>
      <Threes seat={seat} />
      {seat.foot.length > 0 && <Row cards={sorted(seat.foot)} kind="foot" label={`${t("foot", { cards: seat.footSize })}: ${sorted(seat.foot).map(spoken).join(", ")}`} />}
    </li>
  );
}

export function Threes({ seat }: { seat: SeatView }): JSX.Element | null {
  if (seat.laid.length === 0) return null;
  return (
    <span class="mini threes" data-at={`threes${seat.seat}`} role="img" aria-label={t("threes", { cards: seat.laid.map(spoken).join(", ") })}>
      {seat.laid.map((card, at) => <Face card={card} key={at} />)}
    </span>
  );
}

/** The time that a seat has left, counted down on the page. */
export function Clock({ table, seat }: { table: Shown; seat: number }): JSX.Element | null {
  const { clock, clockAt } = table;
  const [, tick] = useState(0);
  const runs = clock?.running === seat;
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => tick((was) => was + 1), 500);
    return () => clearInterval(timer);
  }, [runs]);
  if (!clock) return null;
  const bank = clock.seats[seat]?.bankLeftMs;
  const gone = runs ? performance.now() - clockAt : 0;
  const lefts = [runs ? clock.turnLeftMs : undefined, bank].filter((each) => each !== undefined).map((each) => Math.max(0, Number(each) - gone));
  if (lefts.length === 0) return null;
  const seconds = Math.ceil(Math.min(...lefts) / 1000);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return <span class={`clock${runs ? " runs" : ""}${seconds <= 10 && runs ? " short" : ""}`} role="timer" aria-label={t("clock", { time: text })}>{text}</span>;
}

function Zone({ table, side, isOwn = false }: { table: Shown; side: SideView; isOwn?: boolean }): JSX.Element {
  const { view, me } = table;
  const own = view.seats[me ?? -1];
  const score = side.score ?? (isOwn ? own?.score : undefined);
  const minimum = side.minimum ?? (isOwn ? own?.minimum : undefined);
  const melds = useRef<HTMLUListElement>(null);
  const slots = isOwn ? slotsOf(table) : undefined;
  // To fit costs a layout for each size that is tried: only what takes another room is worth it.
  const room = [...side.melds.map((each) => each.cards.length), slots?.groups.map((each) => each.cards.length), slots?.options.map(caption)].join();
  useLayoutEffect(() => fit(melds.current), [room]);
  useEffect(() => {
    const watched = new ResizeObserver(() => fit(melds.current));
    if (melds.current) watched.observe(melds.current);
    return () => watched.disconnect();
  }, []);
  return (
    <section class={`zone side${side.side}${isOwn ? " own" : ""}`} aria-label={t("melds.of", { side: sideName(view, side.side) })}>
      <h2>
        <span class="names"><bdi>{sideName(view, side.side)}</bdi></span>
        {score !== undefined && <b class="score">{number(score)}</b>}
        <Count table={table} side={side.side} />
        <Worth view={view} side={side} seat={isOwn ? me : undefined} />
        {!side.opened && minimum !== undefined && view.round > 0 && <span class="tag">{t("needs", { points: minimum })}</span>}
        {isOwn && own && own.footSize > 0 && <span class="tag">{t("foot", { cards: own.footSize })}</span>}
        {isOwn && own && <Threes seat={own} />}
        {isOwn && me !== undefined && <Clock table={table} seat={me} />}
      </h2>
      <ul class="melds" ref={melds}>
        {side.melds.map((meld) => <Meld table={table} side={side.side} meld={meld} isOwn={isOwn && me !== undefined} key={meld.id} />)}
        {slots && <Slots table={table} {...slots} />}
      </ul>
    </section>
  );
}

/** Makes melds as small as they must be for all of them to be seen, and tapped, without scrolling. */
function fit(melds: HTMLElement | null): void {
  if (!melds) return;
  const fits = (at: number) => {
    const [width, isTight] = FITS[at] as [number, boolean];
    melds.style.setProperty("--fit", `${width}px`);
    melds.toggleAttribute("data-tight", isTight);
    return melds.scrollHeight <= melds.clientHeight;
  };
  // From the size that was found last, since a card or two rarely need another one.
  // What is higher than the place need not be tried.
  const first = Math.max(0, FITS.findIndex(([width]) => width * 1.42 + 10 < melds.clientHeight));
  let at = Math.max(first, Number(melds.dataset["fit"] ?? 0));
  if (fits(at)) while (at > first && fits(at - 1)) at -= 1;
  else while (at < FITS.length - 1 && !fits(at)) at += 1;
  melds.dataset["fit"] = `${at}`;
  // What still has to scroll can be scrolled by keys.
  if (fits(at)) melds.removeAttribute("tabindex");
  else melds.setAttribute("tabindex", "0");
}

/** A place for the picked cards: a button that shows whether they may go there. */
function Target({ table, option, label, at, kind, children }: {
  table: Shown; option: PlayOption | undefined; label: string; at?: string; kind: string; children: ComponentChildren;
}): JSX.Element {
  if (!option) return <div class={kind} data-at={at} role="group" aria-label={label}>{children}</div>;
  const verdict = verdictOf(option);
  return (
    <button type="button" class={`${kind} target ${verdict}`} data-at={at} data-target={verdict}
      aria-label={`${label}: ${t(`target.${verdict}`)}`} onClick={() => void table.choose(option)}>
      {children}
    </button>
  );
}

function Meld({ table, side, meld, isOwn }: { table: Shown; side: number; meld: MeldView; isOwn: boolean }): JSX.Element {
  const option = isOwn && table.picked.size > 0 ? table.option(Destination.MELD, meld.id) : undefined;
  const isCanasta = meld.grade !== Grade.UNSPECIFIED;
  const name = capital(meldName(meld));
  // What is seen comes first, for whoever speaks to the page: `8 natural`.
  const label = isCanasta ? `${meld.cards.length} ${shortGrade(meld.grade)}, ${name}, ${gradeName(meld.grade)}` : `${name}, ${t("cards", { cards: meld.cards.length })}`;
  const cards = inOrder(meld.cards);
  const { isReplay, before } = table;
  const earlier = before && (before.sides.find((each) => each.side === side)?.melds.find((each) => each.id === meld.id)?.cards ?? []);
  const isNew = newOf(cards, earlier);
  return (
    <li data-meld={`${side}.${meld.id}`} data-cards={cards.join(" ")}>
      <Target table={table} option={option} label={label} at={`meld${side}.${meld.id}`} kind={`meld grade${meld.grade}${isCanasta ? " canasta" : ""}${meld.kind === MeldKind.SEQUENCE ? " run" : ""}`}>
        <span class="fan">{(isCanasta && !isReplay ? [topOf(meld.grade, cards)] : cards).map((card, at) => <Face card={card} kind={isNew[at] ? "new" : ""} key={at} />)}</span>
        <span class="size" aria-hidden="true">{meld.cards.length}</span>{" "}
        {isCanasta && <span class="grade" aria-hidden="true">{shortGrade(meld.grade)}</span>}
        {isReplay && <span class="id" aria-hidden="true">{meld.id}</span>}
        {isReplay && meld.loose.length > 0 && <span class="loose">{t("loose")}</span>}
      </Target>
    </li>
  );
}

/** Returns the card on top of a canasta that is squared up: red on a natural one, black on a mixed one. */
function topOf(grade: Grade, cards: string[]): string {
  const colour = grade === Grade.NATURAL ? "hd" : grade === Grade.MIXED ? "sc" : "";
  return cards.find((card) => !isWild(card) && colour.includes(card.charAt(1))) ?? (cards[0] as string);
}

const shortGrade = (grade: Grade): string => t(`grade.short.${Grade[grade]}` as Word);
const nameOf = (option: PlayOption): string => t(`new.${Destination[option.destination]}` as Word);
/** Returns the text of a place for a new meld: its points towards the minimum, or its name where points are not what is missing. */
const caption = ({ initial, ...option }: PlayOption): string =>
  initial && verdictOf(option) !== "illegal" ? t("minimum", { found: initial.found, required: initial.required }) : t(`new.${Destination[option.destination]}` as Word);

/** Returns the groups laid aside for the minimum, and the places of new melds. */
function slotsOf(table: Shown): { groups: Pick<Group, "cards">[]; options: PlayOption[] } {
  const groups = table.chosen ? groupsOf(table.chosen) : [];
  const found = table.picked.size > 0 ? NEW.map((each) => table.option(each)).filter((each) => each !== undefined) : [];
  // One place is enough if the rule set has no other that would take these cards.
  const open = found.filter((each) => verdictOf(each) !== "illegal");
  return { groups, options: open.length > 0 ? open : found.slice(0, 1) };
}

function Slots({ table, groups, options }: { table: Shown } & ReturnType<typeof slotsOf>): JSX.Element {
  return (
    <>
      {groups.map((group, at) => (
        <li class="staged" key={`staged${at}`} role="img" aria-label={t("staged", { cards: group.cards.map(spoken).join(", ") })}>
          <span class="fan">{inOrder(group.cards).map((card, place) => <Face card={card} key={place} />)}</span>
        </li>
      ))}
      {options.map((option) => (
        <li key={`new${option.destination}`}>
          <Target table={table} option={option} label={[...new Set([nameOf(option), caption(option)])].join(", ")} kind="slot">
            <span class="caption">{caption(option)}</span>
          </Target>
        </li>
      ))}
    </>
  );
}

function Centre({ table }: { table: Shown }): JSX.Element {
  const { view, side } = table;
  const causes = [...new Set([...(view.pile?.frozen ?? []), ...(view.sides.find((each) => each.side === side)?.frozen ?? [])])];
  const top = view.pile?.top ?? "";
  const size = view.pile?.size ?? 0;
  const option = table.isMine ? table.option(Destination.DISCARD) ?? table.option(Destination.PILE) : undefined;
  const pileLabel = top === "" ? t("pile.empty") : t("pile", { card: spoken(top), cards: size });
  return (
    <div class="centre" role="group" aria-label={t("centre")}>
      <figure>
        <Stock table={table} />
        <figcaption>{t("stock.caption")} <b>{view.stock}</b></figcaption>
      </figure>
      <figure class={causes.length > 0 ? "frozen" : ""} data-top={top}>
        <Target table={table} option={option} label={pileLabel} at="pile" kind="stack pile">
          {top === "" ? <span class="empty" /> : <><Under size={size} /><Face card={top} kind={table.before && table.before.pile?.size !== size ? "new" : ""} /></>}
        </Target>
        <figcaption>{t("pile.caption")} <b>{size}</b></figcaption>
      </figure>
      {view.takenTop !== "" && (
        <figure><div class="stack taken"><Face card={view.takenTop} /></div><figcaption>{t("taken")}</figcaption></figure>
      )}
      <p class="facts">
        <span>{view.round > 0 ? t("round", { round: view.round }) : t("drawing")}</span>
        {causes.length > 0 && top !== "" && <span class="tag ice">{t("frozen", { why: causes.map((each) => t(`frozen.${FreezeCause[each]}` as Word)).join(", ") })}</span>}
        {view.talons.filter((each) => each.size > 0).map((each, at) => (
          <span class="tag" key={at}>{each.seat === undefined ? t("talon", { cards: each.size }) : t("talon.of", { name: seatName(view, each.seat), cards: each.size })}</span>
        ))}
      </p>
    </div>
  );
}

/** A second card under the top shows that there is a pile. */
const Under = ({ size }: { size: number }): JSX.Element => <>{size > 1 && <Face card="back" kind="under" />}</>;

function Stock({ table }: { table: Shown }): JSX.Element {
  const { view } = table;
  const mayDraw = table.legal.some((each) => each.kind.case === "drawStock");
  const label = t("stock", { cards: view.stock });
  const what = view.stock > 0 ? <><Under size={view.stock} /><Face card="back" /></> : <span class="empty" />;
  if (table.me === undefined) return <div class="stack" data-at="stock" role="img" aria-label={label}>{what}</div>;
  // Out of turn the answer says why not.
  const draw = () => void table.act({ kind: { case: "drawStock", value: {} } });
  return (
    <button type="button" class={`stack target${mayDraw ? " legal" : ""}`} data-at="stock" aria-label={`${label}: ${t("draw")}`} onClick={draw}>{what}</button>
  );
}
