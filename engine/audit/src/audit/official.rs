//! Actions of officials in a round under audit, and the continuation after an action that broke the rules.

use super::super::finding::FindingKind;
use super::super::replay::{Place, What};
use super::held::{HeldRecord, OpenRound};
use super::round::{Judge, Lost, RestoredTable};
use canasta_log::dealing::hides_cards;
use canasta_log::derive;
use canasta_log::record::{ActionRecord, DealMode, Refusal};
use canasta_rules::action::{Action, As, Effect, EffectKind, Ruling};
use canasta_rules::apply::apply;
use canasta_rules::check::Legal;
use canasta_rules::rejection::Rejection;
use canasta_rules::table::Table;

impl Judge<'_> {
    /// Notes the `seq` of the positions that rulings of the round restore: no other positions are kept.
    pub(super) fn expect_restoring(&mut self, round: &OpenRound) {
        for (_, record) in round.rare_actions() {
            self.earlier.extend(record.action.restored_seq().map(|seq| (seq, None)));
        }
    }

    /// Keeps the current position if a later ruling restores it.
    pub(super) fn remember(&mut self) {
        let seq = self.table.step();
        if let Some(kept) = self.earlier.get_mut(&seq) {
            let known = self.script.as_ref().map(|script| script.known.clone());
            *kept = Some(RestoredTable { table: self.table.clone(), known });
        }
    }

    fn earlier(&self, action: &Action) -> Option<&Table> {
        self.kept(action).map(|earlier| &earlier.table)
    }

    fn kept(&self, action: &Action) -> Option<&RestoredTable> {
        let seq = action.restored_seq()?;
        self.earlier.get(&seq)?.as_ref()
    }

    /// Changes the knowledge of a transcript's cards for a legal action that will be applied next.
    fn learn(&mut self, action: &Action) {
        let restored = self.kept(action).and_then(|earlier| earlier.known.clone());
        if let Some(script) = &mut self.script {
            derive::learn(self.table, &mut script.known, restored, action);
        }
    }

    /// Counts a record of a round that cannot be executed; nothing else changes.
    pub(super) fn pass_over(&mut self, record: &HeldRecord<'_>) {
        record.with_action(|record| self.table.pass_over(&record.action));
    }

    /// Reports the action that broke the rules, which no ruling covers.
    pub(super) fn uncovered(&mut self) {
        if let Some((_, finding)) = self.lost.as_mut().and_then(|lost| lost.pending.take()) {
            self.tally.find(finding);
        }
    }

    pub(super) fn official(&mut self, record: &ActionRecord, place: Place) {
        let action = self.opened(&record.action, place);
        if let Action::Ruling(ruling) = &action {
            self.tally.ruled(place.n, ruling);
            if ruling.id == 0 {
                self.find(place, FindingKind::Illegal, "expected a ruling with its number");
            }
        }
        let actor = record.actor.map_or(As::Director, As::Seat);
        let action = if self.went_on() { in_part(action) } else { action };
        match self.judged(self.earlier(&action), actor, &action) {
            Ok(legal) => {
                self.learn(&action);
                let events = apply(self.table, legal);
                self.find_back(&action);
                if self.lost.is_none() {
                    self.digest(record, place);
                    self.remember();
                }
                if let Some(position) = position(&action) {
                    self.tell(place, What::Stood { position });
                }
                self.tell(place, What::Acted(&events));
            }
            Err(rejection) => {
                self.uncovered();
                let finding = self.illegal(record, &rejection, place);
                self.tally.find(finding);
                self.lost = Some(Lost::default());
                self.table.pass_over(&action);
                self.tell(place, What::Illegal(&rejection));
            }
        }
    }

    /// Whether play continued after an action that broke the rules.
    fn went_on(&self) -> bool {
        self.lost.as_ref().is_some_and(|lost| lost.pending.is_none())
    }

    /// Brings a lost round back if the ruling decides where play stands. The action that broke the rules is
    /// covered if, before play continued, it was taken back or named as the action that stands.
    fn find_back(&mut self, action: &Action) {
        let Action::Ruling(ruling) = action else { return };
        let covers = match ruling.effect.kind {
            EffectKind::Redeal | EffectKind::Restore | EffectKind::Forfeit => true,
            EffectKind::Stand => {
                let pending = self.lost.as_ref().and_then(|lost| lost.pending.as_ref());
                pending.is_some_and(|(broken, _)| Some(broken) == ruling.effect.action.as_deref())
            }
            _ => return,
        };
        if !covers {
            self.uncovered();
        }
        self.lost = None;
    }

    /// Returns the action with its position in clear, and reports a position that should be masked or does
    /// not open.
    fn opened(&mut self, action: &Action, place: Place) -> Action {
        let opened = derive::opened(self.table, self.dealing, place.n, action);
        let hides = self.genesis.mode != DealMode::Transcribed && hides_cards(self.table);
        let fault = match action {
            Action::Ruling(ruling) if ruling.effect.position.is_none() => None,
            Action::Ruling(ruling) if ruling.effect.masked => {
                position(&opened).is_none().then_some("the masked position does not open")
            }
            Action::Ruling(_) => hides.then_some("expected the position masked while cards are hidden"),
            _ => None,
        };
        if let Some(fault) = fault {
            self.find(place, FindingKind::Refusal, fault);
        }
        opened
    }

    /// Judges an action, and counts the work.
    pub(super) fn judged(
        &self,
        earlier: Option<&Table>,
        actor: As,
        action: &Action,
    ) -> Result<Legal, Rejection> {
        let known = self.script.as_ref().map(|script| &script.known);
        let nodes = self.tally.nodes();
        let judged = derive::check(self.table, self.dealing, known, earlier, actor, action, &nodes);
        self.tally.count(&nodes);
        judged
    }

    /// Returns the rejection of a refused action, `None` if the action was legal. For an action without a
    /// seat the record does not say which official (or the table) tried it, so all are tried.
    pub(super) fn rejection(&self, refusal: &Refusal, action: &Action) -> Option<Rejection> {
        let codes =
            |rejection: &Rejection| rejection.violations.iter().map(|v| v.code.name()).eq(&refusal.codes);
        match refusal.actor {
            Some(seat) => self.judged(None, As::Seat(seat), action).err(),
            None if action.is_official() => {
                let earlier = self.earlier(action);
                let tries = [(As::Director, earlier), (As::Director, None), (As::Table, None)];
                let mut found = tries.map(|(actor, earlier)| self.judged(earlier, actor, action).err());
                let fits = found.iter().position(|found| found.as_ref().is_some_and(codes));
                found[fits.unwrap_or(0)].take()
            }
            None => self.judged(None, As::Table, action).err(),
        }
    }
}

fn position(action: &Action) -> Option<&[u8]> {
    match action {
        Action::Ruling(ruling) => ruling.effect.position.as_deref(),
        _ => None,
    }
}

/// Returns the part of a ruling that can be judged if the cards are unknown: effects that concern cards are
/// removed.
fn in_part(action: Action) -> Action {
    use EffectKind::{ForfeitPile, PenaltyCards, RaiseMinimum, RevokeTalon};
    match action {
        Action::Ruling(ruling)
            if matches!(ruling.effect.kind, RaiseMinimum | PenaltyCards | ForfeitPile | RevokeTalon) =>
        {
            Action::Ruling(Ruling { effect: Effect::of(EffectKind::None), ..*ruling }.into())
        }
        action => action,
    }
}
