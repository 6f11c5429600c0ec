//! Rooms: games that callers without credentials create for themselves.

use std::time::Duration;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_proto::v1::{CreateRequest, DealMode};
use canasta_service::convert::field::{Read, all, fault, missing, within};
use canasta_service::identity::CallerKey;
use canasta_service::parts::RateLimiter;
use canasta_service::status::RequestFault;
use canasta_service::telemetry::instant;
use clap::Args;

use crate::entry::SeatSet;
use crate::journal::{At, Journal, PAGE, PlacedEntry, READ_MAX, ReadError};
use crate::records::has_action;

const HOUR: Duration = Duration::from_secs(60 * 60);
/// Time between two sweeps for unplayed rooms.
pub const SWEEP: Duration = HOUR;
const HOUR_MS: i64 = 60 * 60 * 1000;

/// The settings of rooms.
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

/// The limit of the number of rooms that one address creates.
pub struct RoomRates(RateLimiter);

impl RoomRates {
    /// Returns the limit of these settings.
    pub fn new(settings: &RoomSettings) -> Self {
        Self(RateLimiter::of_period(HOUR, settings.per_hour, settings.per_hour, instant()))
    }

    /// Counts a room of this caller.
    ///
    /// # Errors
    /// If the caller has created too many.
    pub fn take(&self, caller: &CallerKey) -> Result<(), RequestFault> {
        self.0.take(caller, instant()).map_err(|fault| match fault {
            RequestFault::RateLimited(delay) => RequestFault::TooManyRooms(delay),
            other => other,
        })
    }
}

/// Checks that a request of a caller without credentials asks for a room: the recorder does the table's work and draws
/// the cards, and the game's id is new. `creator` is the creator's own actor.
pub fn check(request: &CreateRequest, creator: Option<As>) -> Read<()> {
    let game = request.game.as_ref();
    let holds = |field: &'static str, is_so: bool, problem: &str| match is_so {
        true => Ok(()),
        false => Err(within(field)(fault(problem))),
    };
    let in_game = |field: &'static str, is_so: bool, problem: &str| {
        // A request without a game has a fault of its own.
        holds(field, is_so || game.is_none(), problem).map_err(within("game"))
    };
    let creator = match creator {
        Some(As::Seat(_) | As::Spectator) => Ok(()),
        Some(_) => Err(fault("the creator of a room is a seat or a spectator")),
        None => Err(missing()),
    };
    let mode = game.map(|game| game.deal_mode());
    all((
        creator.map_err(within("creator")),
        holds("auto_table", request.auto_table, "must be set in a room"),
        holds("label", request.label.is_empty(), "must be empty in a room: labels are the operator's"),
        all((
            in_game(
                "players",
                game.is_some_and(|game| !game.players.is_empty()),
                "a room needs the names of all players",
            ),
            in_game(
                "game_id",
                game.is_some_and(|game| game.game_id.is_empty()),
                "must be empty in a room: the recorder draws it",
            ),
            in_game(
                "director_key",
                game.is_some_and(|game| game.director_key.is_empty()),
                "must be empty in a room: its director is the operator",
            ),
            in_game(
                "deal_mode",
                matches!(mode, Some(DealMode::Seeded | DealMode::Committed)),
                "the recorder draws the cards of a room: expected DEAL_MODE_SEEDED or DEAL_MODE_COMMITTED",
            ),
        )),
    ))
    .map(|_| ())
}

/// The facts of a game that decide whether it may be deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoomSummary {
    /// The game.
    pub game: GameId,
    /// The place of its last entry.
    pub upto: At,
    /// Whether it is a room.
    pub is_room: bool,
    /// Whether a player has acted in it; bots are no players.
    pub is_played: bool,
    /// Time of its last entry, in ms since 1970.
    pub changed_at_ms: i64,
}

impl RoomSummary {
    /// Whether the game may be deleted: it is a room in which no player has ever acted, and nothing has changed in it for
    /// `keep_ms`.
    pub fn may_go(&self, now_ms: i64, keep_ms: i64) -> bool {
        self.is_room && !self.is_played && now_ms.saturating_sub(self.changed_at_ms) >= keep_ms
    }
}

/// Deletes the rooms that may go at `now_ms`. Returns their number.
///
/// # Errors
/// If the journal cannot be read or changed.
pub async fn sweep(journal: &dyn Journal, now_ms: i64, keep_ms: i64) -> Result<usize, ReadError> {
    let (mut count, mut after) = (0, None);
    loop {
        let (found, next) = unplayed(journal, after, now_ms, keep_ms).await?;
        count += found.len();
        for (game, upto) in found {
            journal.drop(game, upto).await?;
        }
        let Some(next) = next else { return Ok(count) };
        after = Some(next);
    }
}

/// Returns the rooms that may be deleted at `now_ms`, each with the place of its last entry: a game that has changed
/// since must stay. Reads a page of games from the first id after `after` on, and returns the last id of the page; `None`
/// after the last page.
///
/// # Errors
/// If the journal cannot be read.
async fn unplayed(
    journal: &dyn Journal,
    after: Option<GameId>,
    now_ms: i64,
    keep_ms: i64,
) -> Result<(Vec<(GameId, At)>, Option<GameId>), ReadError> {
    let games = journal.games(after, READ_MAX).await?;
    let (mut found, mut seen) = (Vec::new(), None);
    for known in &games {
        let Ok(game) = known.game_id[..].try_into().map(GameId) else { continue };
        seen = Some(game);
        // Most games are not old enough: nothing else is read of them.
        if now_ms.saturating_sub(known.changed_at_ms) < keep_ms {
            continue;
        }
        let summary = summary(journal, game).await?;
        found.extend(summary.filter(|room| room.may_go(now_ms, keep_ms)).map(|room| (game, room.upto)));
    }
    Ok((found, seen.filter(|_| games.len() == READ_MAX)))
}

/// Returns the summary of a game; `None` if it has no entries.
async fn summary(journal: &dyn Journal, game: GameId) -> Result<Option<RoomSummary>, ReadError> {
    let Some(last) = journal.last(game).await? else { return Ok(None) };
    let (upto, changed_at_ms) = (last.at, last.entry.time_ms);
    let mut room = RoomSummary { game, upto, is_room: true, is_played: false, changed_at_ms };
    let (mut from_n, mut bots) = (0, SeatSet::default());
    loop {
        let entries = journal.read(game, from_n, PAGE).await?;
        let Some(end) = entries.last() else { return Ok(Some(room)) };
        from_n = end.entry.n + 1;
        for PlacedEntry { entry, .. } in &entries {
            if let Some(settings) = entry.settings() {
                (room.is_room, bots) = (settings.is_room, settings.bots);
            }
            // What bots do is no reason to keep a room.
            let is_players = matches!(entry.actor, As::Seat(seat) if !bots.has(seat));
            room.is_played |= is_players && has_action(entry);
        }
        if room.is_played || !room.is_room {
            return Ok(Some(room));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_old_rooms_go_in_which_nobody_has_played() {
        let old = RoomSummary {
            game: GameId([1; 16]),
            upto: At(1),
            is_room: true,
            is_played: false,
            changed_at_ms: 1_000,
        };
        let keep_ms = 168 * HOUR_MS;
        assert!(old.may_go(1_000 + keep_ms, keep_ms));
        assert!(!old.may_go(999 + keep_ms, keep_ms), "not yet 7 days");
        assert!(!RoomSummary { is_played: true, ..old }.may_go(i64::MAX, keep_ms));
        assert!(!RoomSummary { is_room: false, ..old }.may_go(i64::MAX, keep_ms), "the operator's own game");
        assert!(!old.may_go(0, keep_ms), "the clock was set back");
    }
}
