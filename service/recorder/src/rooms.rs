//! Rooms: games that callers without credentials create for themselves.

use std::time::Duration;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_messages::convert::field::{Read, all, fault, holds, missing, within};
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{CreateRequest, DealMode};
use canasta_serve::OrFault;
use canasta_serve::fairness::RateLimiter;
use canasta_serve::identity::CallerKey;
use canasta_serve::telemetry::instant;
use clap::Args;

use crate::entry::SeatSet;
use crate::journal::{Journal, JournalResult, PAGE, PlacedEntry, READ_MAX};
use crate::records::has_action;

const HOUR: Duration = Duration::from_secs(60 * 60);
/// Time between two sweeps for unplayed rooms.
pub const SWEEP: Duration = HOUR;
const HOUR_MS: i64 = 60 * 60 * 1000;

#[derive(Clone, Debug, Args)]
pub struct RoomSettings {
    /// Let callers without credentials create rooms: games whose creator invites players by links. Whoever has no link
    /// may do nothing else; GameService stays on loopback
    #[arg(long = "rooms", env = "CANASTA_ROOMS", help_heading = "Rooms")]
    pub is_open: bool,

    /// Maximum rooms that one address (IPv4 address or IPv6 /64 network) may create per hour, 1 to 100000; needs --rooms
    #[arg(long = "rooms-per-hour", env = "CANASTA_ROOMS_PER_HOUR", default_value_t = 10, value_name = "COUNT",
          value_parser = clap::value_parser!(u32).range(1..=100_000), help_heading = "Rooms")]
    pub per_hour: u32,

    /// Time without a change after which a room is deleted in which no player has ever acted, in hours, 1 to 87600
    #[arg(long = "keep-unplayed-hours", env = "CANASTA_KEEP_UNPLAYED_HOURS", default_value_t = 168, value_name = "HOURS",
          value_parser = clap::value_parser!(u32).range(1..=87_600), help_heading = "Rooms")]
    pub keep_unplayed_hours: u32,
}

impl RoomSettings {
    /// Returns the time without a change after which an unplayed room is deleted, in ms.
    pub fn keep_unplayed_ms(&self) -> i64 {
        i64::from(self.keep_unplayed_hours) * HOUR_MS
    }
}

/// Wrong codes of rooms that one address may try in an hour.
pub const WRONG_CODES: u32 = 20;

/// Returns a limit per hour and caller.
pub fn per_hour(most: u32) -> RateLimiter {
    RateLimiter::of_period(HOUR, most, most, instant())
}

/// Counts a room that a caller creates.
///
/// # Errors
/// If the caller has created too many.
pub fn take_room(rates: &RateLimiter, caller: &CallerKey) -> OrFault<()> {
    rates.take(caller, instant()).map_err(|fault| match fault {
        RequestFault::RateLimited(delay) => RequestFault::TooManyRooms(delay),
        other => other,
    })
}

/// Checks that a request of a caller without credentials asks for a room: the recorder does the table's work and draws
/// the cards, and the game's id is new. `creator` is the creator's own actor.
pub fn check(request: &CreateRequest, creator: Option<As>) -> Read<()> {
    let creator = match creator {
        Some(As::Seat(_) | As::Spectator) => Ok(()),
        Some(_) => Err(fault("the creator of a room is a seat or a spectator")),
        None => Err(missing()),
    };
    let is_drawn = matches!(request.deal_mode(), DealMode::Seeded | DealMode::Committed);
    all((
        creator.map_err(within("creator")),
        all((
            holds("auto_table", request.auto_table, "must be set in a room"),
            holds(
                "waits_for_opening",
                !request.waits_for_opening,
                "must be unset in a room: nobody may deal",
            ),
            holds("position", request.position.is_empty(), "must be empty in a room: it shows the cards"),
        )),
        holds("label", request.label.is_empty(), "must be empty in a room: labels are the operator's"),
        all((
            holds("players", !request.players.is_empty(), "a room needs the names of all players"),
            holds("game_id", request.game_id.is_empty(), "must be empty in a room: the recorder draws it"),
            holds(
                "director_key",
                request.director_key.is_empty(),
                "must be empty in a room: its director is the operator",
            ),
            holds(
                "deal_mode",
                is_drawn,
                "the recorder draws the cards of a room: expected DEAL_MODE_SEEDED or DEAL_MODE_COMMITTED",
            ),
        )),
    ))
    .map(|_| ())
}

/// Deletes the rooms in which no player has ever acted, and nothing has changed for `keep_ms` at `now_ms`. Returns their
/// number.
///
/// # Errors
/// If the journal cannot be read or changed.
pub async fn sweep(journal: &dyn Journal, now_ms: i64, keep_ms: i64) -> JournalResult<usize> {
    let is_old = |changed_ms: i64| now_ms.saturating_sub(changed_ms) >= keep_ms;
    let (mut count, mut after) = (0, None);
    loop {
        let games = journal.games(after, READ_MAX).await?;
        for known in &games {
            let Ok(game) = known.game_id[..].try_into().map(GameId) else { continue };
            after = Some(game);
            // Most games are not old enough: nothing else is read of them.
            if !is_old(known.changed_at_ms) {
                continue;
            }
            let Some(last) = journal.last(game).await?.filter(|last| is_old(last.entry.time_ms)) else {
                continue;
            };
            if is_unplayed(journal, game).await? {
                // A game that has changed meanwhile stays.
                journal.drop(game, last.at).await?;
                count += 1;
            }
        }
        if games.len() < READ_MAX {
            return Ok(count);
        }
    }
}

/// Returns true if a game is a room in which no player has acted. What bots do is no reason to keep a room.
async fn is_unplayed(journal: &dyn Journal, game: GameId) -> JournalResult<bool> {
    let (mut from_n, mut is_room, mut bots) = (0, true, SeatSet::default());
    loop {
        let entries = journal.read(game, from_n, PAGE).await?;
        let Some(end) = entries.last() else { return Ok(is_room) };
        from_n = end.entry.n + 1;
        for PlacedEntry { entry, .. } in &entries {
            if let Some(settings) = entry.settings() {
                (is_room, bots) = (settings.is_room, settings.bots.seats());
            }
            let is_players = matches!(entry.actor, As::Seat(seat) if !bots.has(seat));
            if !is_room || is_players && has_action(entry) {
                return Ok(false);
            }
        }
    }
}
