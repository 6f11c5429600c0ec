//! The register that the table sends before a deal.

use super::game::Game;
use super::writer::Writer;
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

/// The table's part of the next deal.
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

impl Game {
    /// Records the register that the table sends before a deal: where the table writes registers, and before every
    /// explicit deal except the first.
    ///
    /// # Errors
    /// SETUP_* violations, or a field that does not go with the game's deals; the game is then unchanged.
    pub fn register(&mut self, actor: As, mut entry: Entry) -> Result<Vec<u8>, RegisterError> {
        self.fit(&mut entry).map_err(RegisterError::Field)?;
        let wall = entry.wall.as_ref().map(|(wall, _)| &wall[..]);
        let dealer = self
            .dealing
            .check_register(&self.table, actor, wall, entry.dealer)
            .map_err(RegisterError::Rejected)?;
        if let Some((wall, salt)) = entry.wall {
            self.dealing.source = DealSource::Wall { wall, salt };
        }
        let mut writer = Writer::open(self);
        writer.register_dealer(self, dealer, entry.seats, entry.beacon);
        Ok(writer.close(self))
    }

    /// Checks which fields go with the game's deals. Of the seats there is one list: none, or all in order.
    fn fit(&self, entry: &mut Entry) -> Result<(), FieldError> {
        let (seats, draws) = (usize::from(self.table.set().seats), self.table.round_number() == 0);
        if entry.wall.is_some() && self.dealing.has_secret() {
            return Err(FieldError::misplaced("register.wall", "is not used in this deal mode"));
        }
        if entry.wall.is_none() && self.dealing.source == DealSource::Unknown {
            return Err(FieldError::misplaced("register.wall", "is required in this deal mode"));
        }
        FieldError::length("register.commitments", entry.seats.len(), seats)?;
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
        Ok(())
    }
}
