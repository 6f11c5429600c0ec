// The room beside its game: who is there, leaving and coming back, ends by agreement, and what others offer.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { EndWay } from "canasta-client";
import type { Meeting } from "./meeting";
import type { Table } from "./model";
import { Chairs, Evening, Links, status } from "./waiting_room";
import { seatName, t } from "./words";

export function RoomPanel({ table, meeting }: { table: Table; meeting: Meeting }): JSX.Element {
  return (
    <>
      <Chairs meeting={meeting} />
      {table.me !== undefined && !table.end && <Ends table={table} />}
      <p class="buttons"><button type="button" id="to-room" onClick={() => { table.open(undefined); meeting.go(false); }}>{t("room.toRoom")}</button></p>
      <Links meeting={meeting} />
      <Evening games={meeting.room.games} />
    </>
  );
}

/** The ways to end the game before its time, each with a question before. */
function Ends({ table }: { table: Table }): JSX.Element {
  const [asked, ask] = useState<EndWay | undefined>();
  const end = async (way: EndWay) => {
    ask(undefined);
    table.open(undefined);
    await table.room?.endGame(way).then(({ outcome }) => {
      if (outcome.case === "rejected") table.refusal = outcome.value.violations;
    }, table.fail);
  };
  const isAgreed = asked === EndWay.AGREED;
  if (asked !== undefined) return (
    <div class="sure" role="group" aria-label={t(isAgreed ? "room.stop" : "room.resign")}>
      <p role="alert">{t(isAgreed ? "room.stop.sure" : "room.resign.sure")}</p>
      <p class="buttons">
        <button type="button" id="end-yes" class="primary" onClick={() => void end(asked)}>{t(isAgreed ? "room.stop" : "room.resign")}</button>
        <button type="button" onClick={() => ask(undefined)}>{t("back")}</button>
      </p>
    </div>
  );
  return (
    <p class="buttons">
      <button type="button" id="offer-stop" onClick={() => ask(EndWay.AGREED)}>{t("room.stop")}</button>
      <button type="button" id="resign" onClick={() => ask(EndWay.RESIGNED)}>{t("room.resign")}</button>
    </p>
  );
}

/** After a game: everybody who wants another one says so here. */
export function Again({ meeting }: { meeting: Meeting }): JSX.Element {
  const mine = meeting.chair === undefined ? undefined : meeting.room.chairs[meeting.chair];
  return (
    <div class="again">
      <p role="status">{status(meeting)}</p>
      <p class="buttons">
        {mine && <button type="button" class="primary on-off" data-act="again" aria-pressed={mine.ready} onClick={() => void meeting.change({ case: "ready", value: !mine.ready })}>{t("room.again")}</button>}
        <button type="button" data-act="to-room" onClick={() => meeting.go(false)}>{t("room.toRoom")}</button>
      </p>
    </div>
  );
}

/** Agrees to the open offer; or declines it, and takes the own one back. */
async function answer(table: Table, agrees: boolean): Promise<void> {
  const { offer, endOffer, room } = table;
  try {
    if (agrees && endOffer) await room?.endGame(endOffer.way);
    else if (agrees && offer) await table.takeBack(offer.toSeq);
    else {
      // Whoever withdraws an offer need not be told of it.
      [table.offer, table.endOffer] = [undefined, undefined];
      await room?.declineOffer();
    }
  } catch (error) {
    table.fail(error);
  }
}

/** Offers of others with an answer to each, the own one, and a bot for a player who is awaited and away. */
export function Offers({ table }: { table: Table }): JSX.Element {
  const { offer, endOffer, me, meeting, view } = table;
  const by = offer?.by ?? endOffer?.by;
  const name = by === undefined ? "" : seatName(view, by);
  const isAsked = me !== undefined && by !== me && (endOffer ? endOffer.waitsFor.includes(me) : offer?.waitsFor.includes(table.side ?? -1) === true);
  const asks = offer ? t("takeBack.offer", { name }) : endOffer?.way === EndWay.RESIGNED ? t("room.resign.offer", { name }) : t("room.stop.offer", { name });
  const awaited = view.toAct !== undefined && me !== undefined && !table.end && meeting?.isAway(view.toAct) === true ? view.toAct : undefined;
  return (
    <div role="status" class="offers">
      {by !== undefined && (
        <div class="message">
          <p>{by === me ? t("offer.own") : asks}</p>
          {offer && isAsked && table.offered.length > 0 && <ul>{table.offered.map((each, at) => <li key={at}>{each}</li>)}</ul>}
          {isAsked && <button type="button" class="primary" data-act="agree" onClick={() => void answer(table, true)}>{t("takeBack.agree")}</button>}
          {(isAsked || by === me) && <button type="button" data-act="decline" onClick={() => void answer(table, false)}>{t(by === me ? "offer.withdraw" : "offer.decline")}</button>}
        </div>
      )}
      {awaited !== undefined && meeting && (
        <div class="message">
          <p>{t("room.absent", { name: seatName(view, awaited) })}</p>
          <button type="button" class="primary" data-act="hold" onClick={() => void meeting.bot(meeting.chairOf(awaited), true)}>{t("room.hold")}</button>
        </div>
      )}
    </div>
  );
}
