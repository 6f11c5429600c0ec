//! Method Watch. A watcher has a cursor and no queue: each message is made from the journal when the transport asks for
//! it, so a reader that is slow costs no memory, and skips to the present.

use std::time::Duration;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::game::Game;
use canasta_engine::view::events;
use canasta_messages::answers::check_actor;
use canasta_messages::audit::record::taken_back_to;
use canasta_messages::convert::field::{all, fault, within};
use canasta_messages::convert::{event, identity, score};
use canasta_messages::fault::RequestFault;
use canasta_messages::host::GameScope;
use canasta_proto::v1::{Observation, SeatPresence, WatchRequest, WatchResponse};
use canasta_serve::OrFault;
use canasta_serve::streams::StreamEnd;
use tokio::time::sleep;

use super::arrange::room_of;
use super::present::PresentSeat;
use super::{Call, game_id};
use crate::changes::Subscription;
use crate::entry::{JournalEntry, log_end};
use crate::journal::{PAGE, PlacedEntry};
use crate::metrics::CountedWatcher;
use crate::play::work;
use crate::play::{self, NextDuty, offer};
use crate::records::PlayedRecord;
use crate::steps::{MessageSteps, steps};
use crate::timing;

/// Maximum number of entries that a reader may be behind.
const BEHIND_MAX: usize = 64;
/// Maximum time that a reader may be behind, in ms.
const BEHIND_MS_MAX: i64 = 5_000;
/// Time without an entry after which a message without one is sent: the last one, if the game is over.
const SILENCE: Duration = Duration::from_secs(15);
/// Time after which a duty that was due is looked at again.
const DUTY_AGAIN: Duration = Duration::from_secs(1);
pub type Messages = MessageSteps<WatchResponse>;

/// The place up to which a watcher has been told.
pub struct WatchCursor {
    call: Call,
    game: GameId,
    who: As,
    want_view: bool,
    end: StreamEnd,
    hints: Subscription,
    at: Told,
    /// The seats that were there when the watcher was told last.
    present: Vec<SeatPresence>,
    _there: Option<PresentSeat>,
    _counted: CountedWatcher,
}

/// The last entry that the watcher knows.
enum Told {
    /// No entry: the next message is a snapshot.
    Nothing,
    /// The caller has said that it knows everything before this record.
    Before(u64),
    /// The entry that ends with this record, of this time. The entry itself is read again when it is needed, for a watcher
    /// mostly waits.
    Entry { n: u64, time_ms: i64 },
}

impl Told {
    fn entry(entry: &JournalEntry) -> Self {
        Self::Entry { n: entry.n, time_ms: entry.time_ms }
    }
}

/// The reason for which a watcher's wait has ended.
enum Awaited {
    Change,
    Due,
    Silence,
    End(RequestFault),
    Over,
}

enum WatchNews {
    Message(Box<WatchResponse>),
    /// Nothing after this entry.
    Nothing(Box<JournalEntry>),
}

/// The message to a watcher, or the time for which it waits if nothing happens, and what is then.
enum WatchStep {
    Message(Box<WatchResponse>),
    Wait(Duration, Awaited),
}

pub async fn answer(call: &Call, request: WatchRequest, end: StreamEnd) -> OrFault<Messages> {
    let ctx = &call.ctx;
    let (game, who) = all((game_id(&request.game_id), identity::read(request.actor)))?;
    call.entitle(who, game)?;
    // Before the journal is read, so that no entry falls between.
    let hints = ctx.changes.subscribe(game);
    let (last, state) = ctx.latest(game).await?;
    check_actor(who, state.table.set().seats)?;
    let next_n = last.entry.n + 1;
    let at = match request.from_n {
        None => Told::Nothing,
        Some(from_n) if from_n > next_n => {
            return Err(within("from_n")(fault(format!("{from_n}, expected 0 to {next_n}"))).into());
        }
        Some(from_n) if from_n == next_n => Told::entry(&last.entry),
        Some(from_n) => Told::Before(from_n),
    };
    let (want_view, _counted) = (request.want_view, ctx.metrics.watcher());
    let call = call.clone();
    let _there = match who {
        As::Seat(seat) => Some(PresentSeat::arrive(&call.ctx, game, seat)),
        _ => None,
    };
    let present = call.ctx.changes.presence.of(game);
    let cursor = WatchCursor { call, game, who, want_view, end, hints, at, present, _there, _counted };
    Ok(steps(cursor, |cursor| Box::pin(next(cursor)), |message| message.last))
}

/// Makes the next message, once there is one. What reads the journal has a box of its own, so that a watcher that waits is
/// small.
async fn next(cursor: &mut WatchCursor) -> OrFault<WatchResponse> {
    loop {
        let turn = cursor.hints.turn().await;
        let looked = Box::pin(look(cursor)).await?;
        drop(turn);
        let (time, at_its_end) = match looked {
            WatchStep::Message(message) => return Ok(*message),
            WatchStep::Wait(time, at_its_end) => (time, at_its_end),
        };
        let awaited = tokio::select! {
            biased;
            why = cursor.end.wait() => Awaited::End(why),
            () = cursor.hints.changed() => Awaited::Change,
            () = sleep(time) => at_its_end,
        };
        let is_last = match awaited {
            Awaited::Due => {
                work::begin(&cursor.call.ctx, cursor.game);
                continue;
            }
            Awaited::Change => continue,
            Awaited::Silence => false,
            Awaited::Over | Awaited::End(RequestFault::Draining) => true,
            Awaited::End(why) => return Err(why),
        };
        let _turn = cursor.hints.turn().await;
        return Box::pin(without_news(cursor, is_last)).await;
    }
}

/// Looks for something to tell the watcher, else for how long it waits.
async fn look(cursor: &mut WatchCursor) -> OrFault<WatchStep> {
    cursor.call.entitle_now(cursor.who, GameScope::Of(cursor.game)).await?;
    let last = match news(cursor).await? {
        WatchNews::Nothing(last) => {
            let present = cursor.call.ctx.changes.presence.of(cursor.game);
            if present != cursor.present {
                cursor.present = present;
                return Ok(WatchStep::Message(Box::new(without_news(cursor, false).await?)));
            }
            last
        }
        WatchNews::Message(message) => {
            cursor.end.touch();
            return Ok(WatchStep::Message(message));
        }
    };
    let calm = (SILENCE, if last.game_over { Awaited::Over } else { Awaited::Silence });
    let due = due(cursor, &last).await?.filter(|due| *due < calm.0);
    let (time, at_its_end) = due.map_or(calm, |due| (due, Awaited::Due));
    Ok(WatchStep::Wait(time, at_its_end))
}

/// Makes a message without an entry.
async fn without_news(cursor: &mut WatchCursor, is_last: bool) -> OrFault<WatchResponse> {
    cursor.call.entitle_now(cursor.who, GameScope::Of(cursor.game)).await?;
    let Told::Entry { n, .. } = cursor.at else { return Err(RequestFault::Internal) };
    let ctx = &cursor.call.ctx;
    let told = ctx.journal.read(cursor.game, n, 1).await?;
    let Some(PlacedEntry { entry: last, .. }) = told.first() else {
        return Err(ctx.gone(cursor.game).await);
    };
    let state = ctx.open(cursor.game, last).await?;
    Ok(WatchResponse { last: is_last, ..standing(cursor, last, &state).await? })
}

/// Returns the time after which the recorder may have a duty in the game. A duty that is due now is given some time: a
/// task may be at it.
async fn due(cursor: &WatchCursor, last: &JournalEntry) -> OrFault<Option<Duration>> {
    let WatchCursor { call: Call { ctx, .. }, game, .. } = cursor;
    let settings = ctx.settings(*game, last).await?;
    if settings.is_plain() {
        return Ok(None);
    }
    let (state, now_ms) = (ctx.open(*game, last).await?, ctx.moment(last).time_ms);
    Ok(match play::next(&settings, last, &state, &ctx.outages, now_ms) {
        NextDuty::Now(_) => {
            work::begin(ctx, *game);
            Some(DUTY_AGAIN)
        }
        NextDuty::At(time_ms) => Some(Duration::from_millis(time_ms.abs_diff(now_ms))),
        NextDuty::None => None,
    })
}

/// Makes a message of what the watcher has not been told, if there is something.
async fn news(cursor: &mut WatchCursor) -> OrFault<WatchNews> {
    let (from_n, is_told) = match cursor.at {
        Told::Nothing => return Ok(WatchNews::Message(Box::new(snapshot(cursor, 0).await?))),
        Told::Before(from_n) => (from_n, false),
        Told::Entry { n, .. } => (n, true),
    };
    let ctx = &cursor.call.ctx;
    let mut entries = ctx.journal.read(cursor.game, from_n, BEHIND_MAX + 2).await?;
    if entries.is_empty() {
        return Err(ctx.gone(cursor.game).await);
    }
    let told = is_told.then(|| entries.remove(0));
    if entries.is_empty() {
        return told.map(|told| WatchNews::Nothing(Box::new(told.entry))).ok_or(RequestFault::Internal);
    }
    let is_earlier_round = !is_told && entries.iter().any(|placed| placed.entry.ends_round);
    if entries.len() > BEHIND_MAX || is_earlier_round || is_late(cursor, &entries) {
        let skipped = count(cursor, from_n + u64::from(is_told)).await?;
        cursor.call.ctx.metrics.skip(skipped);
        return Ok(WatchNews::Message(Box::new(snapshot(cursor, skipped).await?)));
    }
    let first = entries.swap_remove(0);
    drop(entries);
    let before = match told {
        Some(told) => Some(told),
        None => cursor.call.ctx.before(cursor.game, &first.entry).await?,
    };
    let message = message(cursor, before.as_ref(), &first.entry).await?;
    cursor.at = Told::entry(&first.entry);
    Ok(WatchNews::Message(Box::new(message)))
}

/// Whether the watcher has not been told for too long. An entry without a time of its own is not asked.
fn is_late(cursor: &WatchCursor, entries: &[PlacedEntry]) -> bool {
    let Told::Entry { time_ms: told_ms, .. } = cursor.at else { return false };
    let timed = entries.iter().find(|placed| placed.entry.time_ms > told_ms);
    let now_ms = (cursor.call.ctx.service.clock)();
    timed.is_some_and(|placed| now_ms.saturating_sub(placed.entry.time_ms) > BEHIND_MS_MAX)
}

/// Returns the number of entries from this record on.
async fn count(cursor: &WatchCursor, mut from_n: u64) -> OrFault<u64> {
    let mut count = 0;
    loop {
        let entries = cursor.call.ctx.journal.read(cursor.game, from_n, PAGE).await?;
        let Some(last) = entries.last() else { return Ok(count) };
        count += entries.len() as u64;
        from_n = last.entry.n + 1;
    }
}

/// Makes a message with the present view, and moves the cursor to the last entry.
async fn snapshot(cursor: &mut WatchCursor, skipped: u64) -> OrFault<WatchResponse> {
    let last = cursor.call.ctx.last(cursor.game).await?;
    let state = cursor.call.ctx.open(cursor.game, &last.entry).await?;
    let message = WatchResponse {
        observation: Some(Observation {
            actor: Some(identity::write(cursor.who)),
            view: Some(cursor.call.ctx.view(&state, &state.table, cursor.who).await?),
            ..Default::default()
        }),
        snapshot: true,
        skipped,
        game_end: last.entry.game_over.then(|| score::standing(&state.table)),
        ..standing(cursor, &last.entry, &state).await?
    };
    cursor.at = Told::entry(&last.entry);
    Ok(message)
}

/// Returns a message with what holds after an entry: the end of the log, the clocks and the open offer.
async fn standing(cursor: &WatchCursor, entry: &JournalEntry, state: &Game) -> OrFault<WatchResponse> {
    let WatchCursor { call: Call { ctx, .. }, game, who, .. } = cursor;
    let settings = ctx.settings(*game, entry).await?;
    let offer = ctx.offer(*game, entry).await?;
    Ok(WatchResponse {
        log_end: Some(log_end(entry)),
        clock: timing::write(&settings.clock, entry, ctx.moment(entry)),
        offer: offer.and_then(|open| offer::write_take_back(open, &settings, state)),
        end_offer: offer.and_then(|open| offer::write_end(open, &settings, state)),
        bot_seats: settings.bots.seats().numbers(),
        present: cursor.present.clone(),
        room: room_of(ctx, *game, *who, &settings).await?,
        ..Default::default()
    })
}

async fn message(
    cursor: &WatchCursor,
    before: Option<&PlacedEntry>,
    entry: &JournalEntry,
) -> OrFault<WatchResponse> {
    let WatchCursor { call: Call { ctx, .. }, game, who, want_view, .. } = cursor;
    let state = ctx.open(*game, entry).await?;
    let played = ctx.play(*game, before, entry, &state).await?;
    let acted = || played.iter().filter_map(|PlayedRecord { acted, .. }| acted.as_ref());
    let round = acted().find_map(|acted| acted.round.as_ref());
    let result = acted().find_map(|acted| acted.result.as_ref());
    let (mut view, mut round_over) = (None, None);
    if *want_view {
        view = Some(ctx.view(&state, &state.table, *who).await?);
        if let Some(last) = acted().filter_map(|acted| acted.last_table.as_deref()).next_back() {
            round_over = Some(ctx.view(&state, last, *who).await?);
        }
    }
    Ok(WatchResponse {
        observation: Some(Observation {
            actor: Some(identity::write(*who)),
            events: acted()
                .flat_map(|acted| events(&acted.events, *who))
                .map(|seen| event::write(&seen))
                .collect(),
            view,
            round_over,
        }),
        taken_back_to_seq: played.iter().find_map(|played| taken_back_to(&played.record.record)),
        round_end: round.map(|round| score::round_end(round, state.table.rules())),
        game_end: result.map(|result| score::game_end(result, state.table.scores())),
        ..standing(cursor, entry, &state).await?
    })
}
