//! Method GetLog.

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_messages::answers::check_actor;
use canasta_messages::convert::field::{Read, all, fault, within};
use canasta_messages::convert::identity;
use canasta_messages::fault::RequestFault;
use canasta_messages::host::GameScope;
use canasta_proto::v1::{GetLogRequest, GetLogResponse};
use canasta_serve::OrFault;
use canasta_serve::streams::StreamEnd;

use super::archived_log::{ArchivedLog, PIECE_BYTES_MAX};
use super::{Call, game_id};
use crate::context::RecorderContext;
use crate::entry::{JournalEntry, log_end};
use crate::journal::PAGE;
use crate::records::{EntryRecord, records};
use crate::steps::{MessageSteps, steps};

pub type LogPieces = MessageSteps<GetLogResponse>;

/// The place up to which a log is sent.
pub struct LogCursor {
    call: Call,
    game: GameId,
    who: As,
    from_n: u64,
    /// The last record to send; `None` if there is none.
    to_n: Option<u64>,
    /// The last entry, if the asker may see the whole log.
    whole: Option<JournalEntry>,
    /// The log, if the game is stored in the archive only.
    archived: Option<ArchivedLog>,
    end: StreamEnd,
}

/// Opens the stream of a log.
pub async fn answer(call: &Call, request: GetLogRequest, end: StreamEnd) -> OrFault<LogPieces> {
    let cursor = open(call.clone(), request, end).await?;
    Ok(steps(cursor, |cursor| Box::pin(piece(cursor)), |piece| piece.last))
}

async fn open(call: Call, request: GetLogRequest, end: StreamEnd) -> OrFault<LogCursor> {
    let ctx = &call.ctx;
    let (game, who) = all((game_id(&request.game_id), identity::read(request.actor)))?;
    call.entitle(who, game)?;
    let from_n = request.from_n.unwrap_or(0);
    let last = match ctx.last(game).await {
        Ok(last) => Some(last.entry),
        // What is whole before the damage is all that is left of the game.
        Err(RequestFault::GameDamaged) if who == As::Director => None,
        Err(RequestFault::GameArchived) => {
            let is_withheld = ctx.is_withheld(game, who).await?;
            let log = ArchivedLog::read(ctx, &call.account, game).await?;
            check_actor(who, log.seats)?;
            check_from(from_n, log.last_n())?;
            let archived = Some(log).filter(|_| !is_withheld);
            let (to_n, whole) = (None, None);
            return Ok(LogCursor { call, game, who, from_n, to_n, whole, archived, end });
        }
        Err(fault) => return Err(fault),
    };
    // Not from the state: a log is sent even if the keys that seal states are lost.
    check_actor(who, ctx.first(game).await?.1.players.len() as u8)?;
    let last_n = last.as_ref().map_or(u64::MAX, |last| last.n);
    check_from(from_n, last_n)?;
    // After its end nothing of a game is hidden, unless it shows the cards of another table.
    let is_over = last.as_ref().is_some_and(|last| last.game_over);
    let is_withheld = ctx.is_withheld(game, who).await?;
    let sees_all = who == As::Director || is_over && !is_withheld;
    let to_n = match (sees_all, is_withheld) {
        (true, _) => Some(last_n),
        (false, true) => None,
        (false, false) => last_round_end(ctx, game).await?,
    };
    let whole = last.filter(|_| sees_all);
    Ok(LogCursor { call, game, who, from_n, to_n, whole, archived: None, end })
}

/// Checks the first record that is asked for.
fn check_from(from_n: u64, last_n: u64) -> Read<()> {
    if from_n > last_n {
        return Err(within("from_n")(fault(format!("{from_n}, expected 0 to {last_n}"))));
    }
    Ok(())
}

/// Returns the number of the last record of the last entry that ends a round.
async fn last_round_end(ctx: &RecorderContext, game: GameId) -> OrFault<Option<u64>> {
    let mut to_n = u64::MAX;
    loop {
        let entries = ctx.journal.read_back(game, to_n, PAGE).await?;
        if let Some(end) = entries.iter().find(|placed| placed.entry.ends_round) {
            return Ok(Some(end.entry.n));
        }
        let oldest = entries.last().map_or(0, |placed| crate::records::first_n(&placed.entry));
        let Some(next) = oldest.checked_sub(1) else { return Ok(None) };
        to_n = next;
    }
}

/// Makes the next piece, and moves the cursor behind it.
async fn piece(cursor: &mut LogCursor) -> OrFault<GetLogResponse> {
    cursor.call.entitle_now(cursor.who, GameScope::Of(cursor.game)).await?;
    if let Some(why) = cursor.end.reached() {
        return Err(why);
    }
    cursor.end.touch();
    if let Some(log) = &cursor.archived {
        let piece = log.piece(cursor.from_n);
        cursor.from_n = piece.n.map_or(cursor.from_n, |n| n + 1);
        return Ok(piece);
    }
    let mut piece = GetLogResponse::default();
    let Some(to_n) = cursor.to_n.filter(|to_n| cursor.from_n <= *to_n) else {
        piece.last = true;
        piece.log_end = cursor.whole.as_ref().map(log_end);
        return Ok(piece);
    };
    let entries = cursor.call.ctx.journal.read(cursor.game, cursor.from_n, PAGE).await?;
    // The game may have been purged since the piece before.
    let first = entries.first().ok_or(RequestFault::GameArchived)?;
    let mut before = cursor.call.ctx.before(cursor.game, &first.entry).await?.map(|placed| placed.entry);
    'entries: for placed in entries.into_iter().take_while(|placed| placed.entry.n <= to_n) {
        let entry = placed.entry;
        for EntryRecord { n, offset, length, .. } in records(before.as_ref(), &entry)? {
            if n < cursor.from_n {
                continue;
            }
            // The header comes with record 0.
            let begin = if n == 0 { 0 } else { offset };
            let frame = &entry.frames[begin..offset + length];
            if !piece.frames.is_empty() && piece.frames.len() + frame.len() > PIECE_BYTES_MAX {
                break 'entries;
            }
            piece.frames.extend(frame);
            piece.n = Some(n);
            cursor.from_n = n + 1;
        }
        before = Some(entry);
    }
    piece.last = cursor.from_n > to_n;
    if piece.last {
        piece.log_end = cursor.whole.as_ref().map(log_end);
    }
    Ok(piece)
}
