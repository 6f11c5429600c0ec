//! The comparison of scores, reasons, winners and ends in a text with those that follow from the rules.

use super::super::given::{Given, GivenEnd};
use super::Follower;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use canasta_log::record::{Record, RoundEnd};
use canasta_log::written::{self, Slip};
use canasta_rules::notation::Names;
use canasta_rules::notation::rulings::unit_name;
use canasta_rules::seat::Seat;
use canasta_rules::table::Phase;

/// A value in a text that differs from the value that the rules give.
pub(in super::super) struct Stale {
    /// The index of the score among those of its round; `None` for another field.
    pub score: Option<usize>,
    pub reason: String,
}

impl Stale {
    fn of(what: &str, found: &str, due: &str) -> Self {
        Self { score: None, reason: format!("{what}: the text says {found}, the rules give {due}") }
    }

    /// Returns all slips of a round, at the line of the first.
    fn of_slips(slips: Vec<Slip>) -> Self {
        let reasons: Vec<String> = slips.iter().map(|slip| slip.reason.clone()).collect();
        Self { score: slips[0].at, reason: reasons.join("; ") }
    }
}

impl Follower {
    /// Returns the record without its compared scores, which are filled in again in the order in which the
    /// rules give them.
    ///
    /// # Errors
    /// The first score, reason of an end or winner that does not follow.
    pub(in super::super) fn compared(&self, given: &Given) -> Result<Given, Stale> {
        match given {
            Given::RoundEnd(given) => match self.game.round_end() {
                Some(Record::RoundEnd(end)) => Ok(Given::RoundEnd(self.compared_end(given.clone(), &end)?)),
                _ => Ok(Given::RoundEnd(given.clone())),
            },
            Given::GameEnd { winner: Some(found), .. } => {
                let name =
                    |unit: Option<u8>| unit.map_or_else(|| "nobody".to_string(), |unit| self.unit(unit));
                match self.game.game_end() {
                    Some(Record::GameEnd(end)) if end.winner != *found => {
                        Err(Stale::of("winner", &name(*found), &name(end.winner)))
                    }
                    _ => Ok(given.clone()),
                }
            }
            _ => Ok(given.clone()),
        }
    }

    fn compared_end(&self, mut given: Box<GivenEnd>, end: &RoundEnd) -> Result<Box<GivenEnd>, Stale> {
        if let Some(reason) = given.reason.filter(|reason| *reason != end.reason) {
            return Err(Stale::of("end", reason.name(), end.reason.name()));
        }
        if let Some(scores) = &given.scores {
            let written = written::compare(self.table(), self.known.as_ref(), &end.scores, scores);
            given.scores = Some(written.map_err(Stale::of_slips)?);
        }
        Ok(given)
    }

    /// Returns why the register of another round than the next cannot stand here.
    pub(super) fn out_of_time(&self, round: u32, attempt: u32) -> String {
        match self.game.lost || self.table().phase() == Phase::Setup {
            true => format!("expected round {round}, attempt {attempt} in its time"),
            false => self.still_held(),
        }
    }

    /// Returns who still holds how many cards in a round that is not over.
    pub(super) fn still_held(&self) -> String {
        let (table, set) = (self.table(), self.table().set());
        if matches!(table.phase(), Phase::Setup | Phase::Deal | Phase::RoundOver | Phase::GameOver) {
            return String::from("no round is being played here");
        }
        let held = |seat: Seat| {
            let (name, count) = (Names::of(set).seat_name(seat), table.hand(seat).len());
            let cards = if count == 1 { "card" } else { "cards" };
            let foot = if table.foot(seat).is_empty() { "" } else { " and the foot" };
            format!("{name} still has {count} {cards}{foot}")
        };
        let held: Vec<String> = table.seats().map(held).collect();
        let of_foot = match self.known.is_some() && set.foot_size > 0 {
            true => "; perhaps a red three of a foot is not named (gets 3d)",
            false => "",
        };
        format!("the round is not over: {}{of_foot}", held.join(", "))
    }

    /// Returns the name in texts of the side or seat that keeps this score.
    fn unit(&self, unit: u8) -> String {
        let set = self.table().set();
        unit_name(unit, set, Names::of(set))
    }
}
