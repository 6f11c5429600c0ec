//! Boards of duplicate play: cards that are the same at every table.
//!
//! A board is a seeded game that nobody plays. Every table that plays the board deals its walls as explicit walls, each
//! under a salt of the table's own game, because a commitment to a wall binds the game's id.

use super::kdf::hmac512;
use super::{
    Commitment, Context, DealError, DealId, GameId, GameSecret, WallSalt, card_count, random_dealer, wall,
};
use alloc::vec::Vec;
use canasta_rules::card::Card;
use canasta_rules::rules::Rules;
use canasta_rules::seat::Seat;

/// A board with its secret, from which every wall follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The id of the game that nobody plays.
    pub id: GameId,
    /// The secret of that game. Who knows it before the last table has played the board knows all cards.
    pub secret: GameSecret,
}

impl Board {
    /// Returns the commitment that is published before play: C_G of the game that nobody plays.
    pub fn commitment(&self) -> Commitment {
        Commitment::game(self.id, &self.secret)
    }

    /// Returns the wall of an attempt (from 1) at a round: that of the seeded game.
    ///
    /// # Errors
    /// If the rules have no pack that can be dealt; rules that are played have one.
    pub fn wall(&self, rules: &Rules, round: u32, attempt: u32) -> Result<Vec<Card>, DealError> {
        let id = DealId::new(self.id, round, attempt);
        let (set, secret) = (rules.set(), self.secret.round(round, attempt));
        let dealer = Commitment::dealer(&id, &secret);
        let cards = card_count(set.packs, set.jokers)?;
        let context = Context::seeded(&id, rules.digest_text(), cards, dealer)?;
        wall(&secret, &context, set.packs, set.jokers)
    }

    /// Returns the salt under which a table commits to that wall in its own game.
    pub fn salt(&self, table: GameId, round: u32, attempt: u32) -> WallSalt {
        let parts = [b"canasta-board/1".as_slice(), &table.0, &round.to_be_bytes(), &attempt.to_be_bytes()];
        let hash = hmac512(&self.secret.0, &parts);
        WallSalt(*hash.first_chunk().expect("a hash is longer than a salt"))
    }

    /// Returns the dealer of a round, for rules that draw the dealer at random: the same at every table.
    ///
    /// # Errors
    /// If the rules have fewer than two seats or more than six.
    pub fn dealer(&self, rules: &Rules, round: u32) -> Result<Seat, DealError> {
        random_dealer(&self.secret.round(round, 1), self.id, round, rules.set().seats)
    }
}
