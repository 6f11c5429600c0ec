//! The register that the table sends before a deal.

use super::super::convert;
use super::super::error::FieldError;
use super::super::record::Beacon;
use super::Scribe;
use crate::action::As;
use crate::card::Card;
use crate::check;
use crate::deal::{Commitment, WallSalt};
use crate::rejection::Violation;
use crate::seat::Seat;
use crate::state::{DealSource, Entries, State};
use alloc::vec::Vec;

/// What the table brings for the next deal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// Explicit deals: the wall, first card dealt first, and its salt. The first one is that of [`NewGame`].
    pub wall: Option<(Vec<Card>, WallSalt)>,
    /// Who deals, where the wall is given and the rule set draws a dealer for each round.
    pub dealer: Option<Seat>,
    /// Committed deals: C_k by seat; may be shorter than there are seats.
    pub seats: Vec<Option<[u8; 32]>>,
    /// Committed deals: the beacon whose signature will come with the deal.
    pub beacon: Option<Beacon>,
}

/// Why a register was not recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RegisterError {
    /// It is not the time for it, or what it fixes is not what the rules say.
    Rejected(Vec<Violation>),
    /// A field that this deal has no place for.
    Field(FieldError),
}

/// Records the register that the table sends before a deal: where it writes them, and before every explicit
/// deal but the first.
///
/// # Errors
/// SETUP_* violations, or a field that does not go with the game's deals; `state` is then unchanged.
pub fn register(state: &mut State, actor: As, mut entry: Entry) -> Result<Vec<u8>, RegisterError> {
    fit(state, &mut entry).map_err(RegisterError::Field)?;
    let wall = entry.wall.as_ref().map(|(wall, _)| &wall[..]);
    state.round.dealer =
        check::register(state, actor, wall, entry.dealer).map_err(RegisterError::Rejected)?;
    if let Some((wall, salt)) = entry.wall {
        state.origin.source = DealSource::Wall { wall, salt };
    }
    let mut book = Scribe::open(state);
    book.register(state, entry.seats, entry.beacon);
    Ok(book.close(state))
}

/// What goes with the game's deals and what does not. Of the seats there is one list: none, or all in order.
fn fit(state: &State, entry: &mut Entry) -> Result<(), FieldError> {
    let (seats, draws) = (usize::from(state.set().seats), state.round.number == 0);
    let secret = matches!(state.origin.source, DealSource::Seeded(_) | DealSource::Round(_));
    if entry.wall.is_some() && secret {
        return Err(FieldError::misplaced("register.wall", "is not used in this deal mode"));
    }
    if entry.wall.is_none() && state.origin.source == DealSource::Unknown {
        return Err(FieldError::misplaced("register.wall", "is required in this deal mode"));
    }
    FieldError::length("register.commitments", entry.seats.len(), seats)?;
    let contributed = [
        ("register.commitments", entry.seats.iter().any(Option::is_some)),
        ("register.beacon", entry.beacon.is_some()),
    ];
    for (field, _) in contributed.into_iter().filter(|(_, given)| *given) {
        if state.entries.is_none() {
            return Err(FieldError::misplaced(field, "is not used in this deal mode"));
        }
        if draws {
            return Err(FieldError::misplaced(field, "nobody contributes to the draw for seats and dealer"));
        }
    }
    if let Some(beacon) = entry.beacon {
        convert::time("register.beacon.close_ms", beacon.close_ms)?;
    }
    let any = contributed[0].1;
    entry.seats.resize(if any { seats } else { 0 }, None);
    Ok(())
}

/// What a register says, as the state keeps it.
pub(crate) fn entries_of(seats: &[Option<[u8; 32]>], beacon: Option<Beacon>) -> Entries {
    let mut entries = Entries { beacon: beacon.is_some(), ..Entries::default() };
    for (entry, seat) in entries.seats.iter_mut().zip(seats) {
        *entry = seat.map(Commitment);
    }
    entries
}
