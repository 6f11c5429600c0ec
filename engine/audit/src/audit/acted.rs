//! One action of a round, which is executed and compared with what its record declares.

use super::super::finding::FindingKind;
use super::super::replay::{Place, What};
use super::round::{Judge, Lost};
use super::transcribed::Halt;
use alloc::boxed::Box;
use alloc::format;
use alloc::sync::Arc;
use canasta_log::record::{ActionRecord, DealMode, Record};
use canasta_rules::action::{Action, As, Deal};
use canasta_rules::apply::Sink;
use canasta_rules::card::Card;
use canasta_rules::check::Legal;
use canasta_rules::event::Events;
use canasta_rules::hex::hex;

impl Judge<'_> {
    pub(super) fn action(&mut self, record: &ActionRecord, place: Place) {
        if record.action.is_official() {
            return self.official(record, place);
        }
        if self.lost.is_some() {
            // Play continued without a ruling that covers the pending finding.
            self.uncovered();
            self.table.pass_over(&record.action);
            return;
        }
        let carried_out = if self.script.is_none() && !self.tally.tells_actions {
            self.carry_out(record, place, &mut ())
        } else {
            self.told(record, place)
        };
        match carried_out {
            Ok(()) => self.remember(),
            Err(Halt::Found(finding)) => self.stop(finding, &record.action),
            Err(Halt::Illegal(rejection)) => {
                let finding = self.illegal(record, &rejection, place);
                self.lost = Some(Lost { pending: Some((record.action.clone(), finding)) });
                self.table.pass_over(&record.action);
                self.keep(record);
                self.tell(place, What::Illegal(&rejection));
            }
        }
    }

    /// Keeps the record of an action that is held as a payload, for the step about it.
    fn keep(&mut self, record: &ActionRecord) {
        self.record.get_or_insert_with(|| Arc::new(Record::Action(Box::new(record.clone()))));
    }

    /// Executes an action, and tells its events.
    fn told(&mut self, record: &ActionRecord, place: Place) -> Result<(), Halt> {
        let events = if self.script.is_some() {
            let events = match self.genesis.mode {
                DealMode::Transcribed => self.act_as_known(record, place)?,
                _ => self.act_as_public(record, place)?,
            };
            self.digest(record, place);
            events
        } else {
            let mut events = Events::new();
            self.carry_out(record, place, &mut events)?;
            events
        };
        self.keep(record);
        self.tell(place, What::Acted(&events));
        Ok(())
    }

    /// Executes an action where the cards are known, and compares the digest of the table after it.
    fn carry_out(&mut self, record: &ActionRecord, place: Place, events: &mut impl Sink) -> Result<(), Halt> {
        if record.cards.is_some() {
            let detail = "expected no received cards: only a transcript names them";
            self.find(place, FindingKind::Deal, detail);
        }
        let actor = record.actor.map_or(As::Table, As::Seat);
        let legal = self.judged(None, actor, &record.action).map_err(Halt::Illegal)?;
        self.note_wall(&record.action, &legal);
        self.dealing.apply_into(self.table, legal, events);
        self.digest(record, place);
        Ok(())
    }

    /// Compares the digest of the table after an action with the digest that its record declares.
    pub(super) fn digest(&mut self, record: &ActionRecord, place: Place) {
        let (declared, found) = (record.digest, self.digests.after(&record.action, self.table));
        if found != declared && !self.digest_differs {
            self.digest_differs = true;
            let detail =
                format!("expected the digest {} after this action, found {}", hex(&found), hex(&declared));
            self.find(place, FindingKind::Digest, detail);
        }
    }

    /// Keeps the wall of a deal, or of the draw for seats, while the source of the cards is known.
    fn note_wall(&mut self, action: &Action, legal: &Legal) {
        let drawn = || self.dealing.wall(self.table, &Deal::default()).ok().flatten();
        match action {
            Action::Deal(_) => self.wall = legal.wall().map(<[Card]>::to_vec),
            Action::DrawCards(_) => self.wall = drawn(),
            _ => {}
        }
    }
}
