//! The check of `register`, which fixes facts before a deal.

use super::Dealing;
use alloc::vec;
use alloc::vec::Vec;
use canasta_rules::action::As;
use canasta_rules::card::Card;
use canasta_rules::check::{
    LeftToTable, dealer_before_cards, game_over, other_dealer, unnamed_dealer, wrong_pack,
};
use canasta_rules::rejection::{Field, Violation};
use canasta_rules::seat::Seat;
use canasta_rules::table::{Phase, Table};
use canasta_rules::violations::Code;

impl Dealing {
    /// Judges the register of the next deal; `wall` is its wall, if the wall is given. Returns the dealer:
    /// `given` where nothing else decides the dealer.
    ///
    /// # Errors
    /// All SETUP_* violations; or a single violation if the game is over, if the actor is not the table, or
    /// if the phase is another one.
    pub fn check_register(
        &self,
        table: &Table,
        actor: As,
        wall: Option<&[Card]>,
        given: Option<Seat>,
    ) -> Result<Seat, Vec<Violation>> {
        match table.phase() {
            Phase::GameOver => return Err(vec![game_over(table.is_signed())]),
            _ if actor != As::Table => {
                return Err(vec![Violation::new(Code::TurnNotYours, Field::Actor)]);
            }
            Phase::Setup => {}
            phase => {
                let fault = Violation::new(Code::SetupWrongTime, Field::Action);
                return Err(vec![fault.fact("phase", phase.name())]);
            }
        }
        let mut faults = Vec::new();
        faults.extend(wall.and_then(|wall| wrong_pack(table.rules(), wall)));
        let dealer = self.named_dealer(table, given).unwrap_or_else(|fault| {
            faults.push(fault);
            table.dealer()
        });
        if faults.is_empty() { Ok(dealer) } else { Err(faults) }
    }

    /// Returns the dealer that a register names. With a given wall there is no secret that a random dealer
    /// could follow from, so the table names the dealer.
    fn named_dealer(&self, table: &Table, given: Option<Seat>) -> Result<Seat, Violation> {
        let is_free = !self.has_secret() && table.round_number() > 1 && table.names_dealer();
        let (due, seats) = (self.due_dealer(table), table.set().seats);
        match given {
            None if !is_free => Ok(due),
            Some(seat) if table.round_number() == 0 && table.set().draws_dealer() => {
                Err(dealer_before_cards(seat))
            }
            _ if is_free && given.is_none_or(|seat| seat.0 >= seats) => {
                Err(unnamed_dealer(given, seats, LeftToTable::ByWall))
            }
            None => Ok(due),
            Some(seat) if is_free || seat == due => Ok(seat),
            Some(seat) => Err(other_dealer(seat, due)),
        }
    }
}
