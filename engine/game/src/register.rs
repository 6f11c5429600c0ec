//! The register that the table sends before a deal.

use super::create::write_codes;
use super::game::Game;
use super::writer::LogWriter;
use alloc::vec::Vec;
use canasta_log as log;
use canasta_log::deal::WallSalt;
use canasta_log::dealing::DealSource;
use canasta_log::error::FieldError;
use canasta_log::record::Beacon;
use canasta_rules::action::As;
use canasta_rules::card::Card;
use canasta_rules::rejection::Violation;
use canasta_rules::seat::Seat;
use thiserror::Error;

/// The contents of a register that the table decides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RegisterEntry {
    /// Explicit deals: the wall, first card dealt first, and its salt. The first wall is that of
    /// [`NewGame`](crate::NewGame).
    pub wall: Option<(Vec<Card>, WallSalt)>,
    /// The dealer, if the wall is given and the rule set draws a dealer for each round.
    pub dealer: Option<Seat>,
    /// Committed deals: C_k by seat; the list may be shorter than the number of seats.
    pub seats: Vec<Option<[u8; 32]>>,
    /// Committed deals: the beacon whose signature will come with the deal.
    pub beacon: Option<Beacon>,
    /// Committed deals: the signature of each seat under its C_k; the list may be shorter than the number of seats.
    /// Signatures are recorded as given: the caller and the audit verify them.
    pub signatures: Vec<Option<[u8; 64]>>,
}

/// The reasons why a register was not recorded.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RegisterError {
    /// The phase is another one, or the register breaks rules.
    #[error(fmt = write_codes)]
    Rejected(Vec<Violation>),
    /// The value of a field is not allowed in this deal.
    #[error(transparent)]
    Field(FieldError),
}

impl Game {
    /// Records the register that the table sends before a deal: before every deal if the table writes
    /// registers, otherwise before every explicit deal except the first.
    ///
    /// # Errors
    /// SETUP_* violations, or a field that this game's deals do not use; the game is then unchanged.
    pub fn register(&mut self, actor: As, mut entry: RegisterEntry) -> Result<Vec<u8>, RegisterError> {
        self.fit(&mut entry).map_err(RegisterError::Field)?;
        let wall = entry.wall.as_ref().map(|(wall, _)| &wall[..]);
        let dealer = self
            .dealing
            .check_register(&self.table, actor, wall, entry.dealer)
            .map_err(RegisterError::Rejected)?;
        if let Some((wall, salt)) = entry.wall {
            self.dealing.source = DealSource::Wall { wall, salt };
        }
        let mut writer = LogWriter::open(self);
        writer.register_dealer(self, dealer, entry.seats, entry.beacon, entry.signatures);
        Ok(writer.close(self))
    }

    /// Checks that the game's deals use the fields of the entry, and have those that they need. Makes the
    /// list of seats either empty or as long as the number of seats.
    fn fit(&self, entry: &mut RegisterEntry) -> Result<(), FieldError> {
        let (seats, draws) = (usize::from(self.table.set().seats), self.table.round_number() == 0);
        if entry.wall.is_some() && self.dealing.has_secret() {
            return Err(FieldError::misplaced("register.wall", "is not used in this deal mode"));
        }
        if entry.wall.is_none() && self.dealing.source == DealSource::Unknown {
            return Err(FieldError::misplaced("register.wall", "is required in this deal mode"));
        }
        FieldError::length("register.commitments", entry.seats.len(), seats)?;
        FieldError::length("register.signatures", entry.signatures.len(), seats)?;
        let registered = |seat: usize| entry.seats.get(seat).is_some_and(Option::is_some);
        if (0..entry.signatures.len()).any(|seat| entry.signatures[seat].is_some() && !registered(seat)) {
            return Err(FieldError::misplaced(
                "register.signatures",
                "a seat that registers nothing signs nothing",
            ));
        }
        let contributed = [
            ("register.commitments", entry.seats.iter().any(Option::is_some)),
            ("register.beacon", entry.beacon.is_some()),
        ];
        for (field, _) in contributed.into_iter().filter(|(_, given)| *given) {
            if self.dealing.entries.is_none() {
                return Err(FieldError::misplaced(field, "is not used in this deal mode"));
            }
            if draws {
                return Err(FieldError::misplaced(
                    field,
                    "nobody contributes to the draw for seats and dealer",
                ));
            }
        }
        if let Some(beacon) = entry.beacon {
            log::check_time("register.beacon.close_ms", beacon.close_ms)?;
        }
        let any = contributed[0].1;
        entry.seats.resize(if any { seats } else { 0 }, None);
        let signed = entry.signatures.iter().any(Option::is_some);
        entry.signatures.resize(if signed { seats } else { 0 }, None);
        Ok(())
    }
}
