//! The value that a round's reveal discloses, and that masks records of the round until then.

use super::{DealSource, Dealing};
use crate::deal::{Commitment, MaskKey, RoundSecret, WallSalt};
use canasta_rules::table::{Phase, Table};

/// The value that the reveal of a round discloses.
pub enum Key {
    /// The secret of the round.
    Secret(RoundSecret),
    /// The salt of a given wall.
    Salt(WallSalt),
}

impl Key {
    /// Returns the key that masks records of the round.
    pub fn as_mask(&self) -> MaskKey<'_> {
        match self {
            Self::Secret(secret) => MaskKey::Secret(secret),
            Self::Salt(salt) => MaskKey::Salt(salt),
        }
    }
}

/// Whether the cards of a round are dealt and not revealed yet.
pub fn hides_cards(table: &Table) -> bool {
    !matches!(table.phase(), Phase::Setup | Phase::Deal | Phase::GameOver)
}

impl Dealing {
    /// Returns the value that the reveal of the current round discloses; `None` if there is neither a secret
    /// nor a wall.
    pub fn reveal_key(&self, table: &Table) -> Option<Key> {
        match &self.source {
            DealSource::Wall { salt, .. } => Some(Key::Salt(salt.clone())),
            _ => self.secret(table).map(Key::Secret),
        }
    }

    /// Returns C_d, or C_w if the wall is given; `None` if players pick their own cards.
    pub fn commitment(&self, table: &Table) -> Option<Commitment> {
        let id = self.deal_id(table);
        match &self.source {
            DealSource::Wall { .. } if table.round_number() == 0 => None,
            DealSource::Wall { wall, salt } => {
                Some(Commitment::wall(&id, salt, wall).expect("a validated wall can be committed to"))
            }
            _ => self.secret(table).map(|secret| Commitment::dealer(&id, &secret)),
        }
    }
}
