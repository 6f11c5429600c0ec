//! The part of the seats in the deals: what they signed, and whether one's own values went into every deal.

use super::proof::{DealVerifier, OpenDeal};
use super::report::{DealReport, GivenValues, ProofStep, fails, holds, unchecked};
use crate::shared::text::count;
use canasta_engine::deal::{Commitment, Contribution};
use canasta_engine::hex::unhex;
use canasta_engine::log::record::{DealMode, Register};
use canasta_engine::log::{Head, Record, contribution_message, is_signature};
use canasta_engine::rules::SideChoice;
use canasta_engine::seat::Seat;
use std::collections::BTreeSet;

/// A value that the caller contributed.
#[derive(Clone, Copy, Debug)]
pub struct OwnValue {
    seat: Seat,
    value: [u8; 32],
}

impl OwnValue {
    pub fn parse(text: &str) -> Result<Self, String> {
        let (seat, value) = text.split_once(':').ok_or("expected SEAT:VALUE")?;
        let seat = seat.parse().ok().filter(|&seat| seat < 6).ok_or("expected a seat from 0 to 5")?;
        let value = unhex(value);
        Ok(Self { seat: Seat(seat), value: value.ok_or("expected a value of 64 lower-case hex digits")? })
    }
}

impl DealVerifier {
    /// Takes a record into the chain. Returns the head before it.
    pub(super) fn follow(&mut self, record: &Record) -> Head {
        let before = self.chain.head;
        if let Ok(payload) = record.encode() {
            self.chain.append(&payload, &mut Vec::new());
        }
        before
    }

    /// Returns the part that a seat had in a deal; `None` if it had none.
    pub(super) fn seat_step(
        &self,
        open: &OpenDeal,
        seat: Seat,
        contribution: &Contribution,
        silent: bool,
    ) -> Option<ProofStep> {
        let who = self.seat(seat);
        let signer = match self.signer(open, seat) {
            None => None,
            Some(Some(name)) => Some(name),
            Some(None) => {
                return Some(fails("seat", format!("the signature is not that of {who}")));
            }
        };
        let holds = |text: String| Some(holds("seat", text));
        match (contribution.commitment, contribution.value) {
            (None, None) => None,
            (Some(_), None) if silent => holds(format!("{who} kept back what was registered")),
            (Some(_), None) => holds(format!("{who} revealed nothing: it counts as empty")),
            (registered, Some(value)) if registered == Some(Commitment::seat(&open.id, seat, &value)) => {
                holds(match signer {
                    Some(name) => format!("{who} revealed what {name} signed"),
                    None => {
                        format!("the table says that {who} registered what was revealed: it is not signed")
                    }
                })
            }
            (_, Some(_)) => Some(fails("seat", format!("{who} revealed what was not registered"))),
        }
    }

    /// Returns the player whose key signed the commitment of a seat: `None` if nothing is signed, `Some(None)` if no
    /// player of that seat did. Cards that are drawn for seats leave open which player sits there.
    fn signer(&self, open: &OpenDeal, seat: Seat) -> Option<Option<&str>> {
        let Register { round, attempt, ref seats, ref signatures, .. } = open.register;
        let commitment = seats.get(seat.index()).copied().flatten()?;
        let signature = signatures.get(seat.index()).copied().flatten()?;
        let message = contribution_message(&open.before, round, attempt, seat, &commitment);
        let is_drawn = self.rules.set().side_choice == SideChoice::DrawnCards;
        let players = self.genesis.players.iter().enumerate();
        let mut may_sit = players.filter(|(player, _)| is_drawn || *player == seat.index());
        let holds = |key: &[u8; 32]| is_signature(key, &message, &signature);
        Some(
            may_sit
                .find(|(_, of)| of.key.as_ref().is_some_and(holds))
                .map(|(_, player)| player.name.as_str()),
        )
    }

    /// Returns the result of all checks, and of the check of one's own values.
    pub fn report_for(self, mine: &[OwnValue]) -> DealReport {
        let seats: BTreeSet<Seat> = mine.iter().map(|own| own.seat).collect();
        let steps: Vec<ProofStep> = seats.iter().map(|&seat| self.own_step(seat, mine)).collect();
        let mut report = self.report();
        report.game.extend(steps);
        report
    }

    /// Returns whether one's own values went into every deal.
    fn own_step(&self, seat: Seat, mine: &[OwnValue]) -> ProofStep {
        const WHAT: &str = "your value";
        if self.genesis.mode != DealMode::Committed {
            let text = format!("seat {seat}: nobody contributes to the deals of this mode");
            return fails(WHAT, text);
        }
        let is_mine = |value: &[u8; 32]| mine.iter().any(|own| (own.seat, own.value) == (seat, *value));
        let given = |deal: &GivenValues| deal.values.get(seat.index()).copied().flatten();
        let is_missing = |deal: &&GivenValues| match given(deal) {
            Some(value) => !is_mine(&value),
            None => !deal.is_void,
        };
        if let Some(deal) = self.given.iter().find(is_missing) {
            let (round, attempt) = deal.number;
            let found = if given(deal).is_some() { "another" } else { "no" };
            let text = format!(
                "seat {seat}: none of your values went into round {round} attempt {attempt}: {found} value of that seat did"
            );
            return fails(WHAT, text);
        }
        match self.given.iter().filter(|deal| !deal.is_void).count() {
            0 => unchecked(WHAT, format!("seat {seat}: no deal is finished")),
            deals => {
                let deals = count(deals as u64, "deal");
                holds(WHAT, format!("seat {seat}: yours went into every deal: {deals}"))
            }
        }
    }
}
