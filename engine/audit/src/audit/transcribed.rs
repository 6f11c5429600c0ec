//! Rounds of transcripts, in which some cards are unknown: the audit judges them as far as the cards are
//! known.

use super::super::finding::{Finding, FindingKind};
use super::super::follow;
use super::super::replay::What;
use super::super::tally;
use super::Place;
use super::held::OpenRound;
use super::round::{Judge, Lost, points, totals};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_log::derive;
use canasta_log::record::{ActionRecord, RoundEnd};
use canasta_log::written;
use canasta_rules::action::{Action, As, CardList};
use canasta_rules::card::Card;
use canasta_rules::event::Events;
use canasta_rules::known::{Known, Misfit, Stop, from_hand, holder};
use canasta_rules::rejection::Rejection;
use canasta_rules::scoring::{self, GameResult};
use canasta_rules::seat::{Seat, Unit};

/// The facts that a round of a transcript leaves unknown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unknown {
    /// Number of the round.
    pub round: u16,
    /// Number of actions that were judged.
    pub actions: u32,
    /// Number of judged actions whose seat held unknown cards. They are legal with at least one hand that the
    /// seat may have held.
    pub unsure: u32,
    /// Number of cards in hands and feet that nobody had shown when the round ended.
    pub unseen: u16,
    /// Sides (or seats, if scores are kept by seat) whose score lines for held cards are taken as declared.
    pub declared: Vec<Unit>,
}

/// The state for judging a transcribed round.
#[derive(Clone)]
pub(super) struct Script {
    pub known: Known,
    pub unknown: Unknown,
    /// The seat of whose hand each action names cards, and these cards; `next` is the index of the first action after the
    /// one that is judged.
    names: Vec<(Option<Seat>, CardList)>,
    next: usize,
}

/// The reason why an action was not executed.
pub(super) enum Halt {
    Illegal(Rejection),
    /// The rest of the round cannot be judged.
    Found(Finding),
}

impl Script {
    pub(super) fn of(number: u16, round: &OpenRound) -> Self {
        let named = |record: &ActionRecord| (holder(record.actor, &record.action), from_hand(&record.action));
        let names = round.records().filter_map(|(_, record)| record.with_action(named));
        let unknown = Unknown { round: number, ..Unknown::default() };
        Self { known: Known::default(), unknown, names: names.collect(), next: 0 }
    }

    /// Counts one more action as read.
    pub(super) fn pass(&mut self) {
        self.next += 1;
    }
}

impl Judge<'_> {
    /// Executes an action as far as its cards are known.
    pub(super) fn act_as_known(&mut self, record: &ActionRecord, place: Place) -> Result<Events, Halt> {
        let Some(script) = &mut self.script else {
            unreachable!("only a transcript is judged as far as known")
        };
        // The cards that the seat names from the hand in later actions; computed only if needed.
        let (names, next) = (&script.names, script.next);
        let later = || -> Vec<Card> {
            let later = names.iter().skip(next).filter(|(by, _)| *by == record.actor);
            later.flat_map(|(_, cards)| cards.iter().copied()).collect()
        };
        let actor = record.actor.map_or(As::Table, As::Seat);
        let received = record.cards.as_deref().unwrap_or(&[]);
        let unsure = record.actor.is_some_and(|seat| !script.known.open(seat).is_empty());
        let stop = match script.known.act(self.table, actor, &record.action, received, &later) {
            Ok(events) => {
                script.unknown.actions += 1;
                script.unknown.unsure += u32::from(unsure);
                return Ok(events);
            }
            Err(stop) => stop,
        };
        let what = record.action.kind();
        let (kind, codes, detail) = match stop {
            Stop::Rejected(rejection) => return Err(Halt::Illegal(rejection)),
            Stop::NotJudged(rejection) => {
                let detail = format!(
                    "{what}: whether this was legal hangs on cards of the hand that nobody knows; with every hand that \
                     was tried: {rejection}"
                );
                (FindingKind::NotJudged, rejection.codes(), detail)
            }
            Stop::Misfit(misfit) => {
                let codes = match misfit {
                    Misfit::NoneLeft(_) => alloc::vec![canasta_rules::violations::Code::SetupDeck],
                    Misfit::TooMany { .. } | Misfit::OnlyThrees => Vec::new(),
                };
                (FindingKind::Deal, codes, format!("{what}: {misfit}"))
            }
            Stop::NoUpcard => {
                let detail =
                    "the card that the pile begins with is not recorded: who may take it cannot be judged";
                (FindingKind::NotJudged, Vec::new(), String::from(detail))
            }
        };
        let finding = place.finding(kind, detail);
        let (round, position) = (Some(self.table.round_number()), self.position());
        Err(Halt::Found(Finding { round, seat: record.actor, codes, position, ..finding }))
    }

    /// Judges an action that the record says was refused, with a hand that holds the cards that the action names. Returns
    /// the rejection, or `Some(None)` if the action was legal; `None` if other unknown cards of the hand decide.
    pub(super) fn refused_as_known(&self, seat: Seat, action: &Action) -> Option<Option<Rejection>> {
        let script = self.script.as_ref()?;
        let (mut table, mut known) = (self.table.clone(), script.known.clone());
        known.show(&mut table, seat, action).ok()?;
        let rejection = canasta_rules::check::check(&table, As::Seat(seat), action).err();
        // While cards of the hand are unknown, a rejection counts only if none of them decides it.
        let open = !known.open(seat).is_empty();
        let hangs = rejection.as_ref().is_none_or(|rejection| known.hangs_on_hand(seat, rejection));
        (!open || !hangs).then_some(rejection)
    }

    /// Books a round; lines that depend on cards which nobody has shown are taken as declared.
    pub(super) fn book_as_known(&mut self, end: &RoundEnd, place: Place) -> Option<GameResult> {
        let Some(script) = &mut self.script else {
            unreachable!("only a transcript is booked as far as known")
        };
        let table = &*self.table;
        script.unknown.unseen = script.known.unseen(table);
        let declared = script.known.unseen_units(table);
        script.unknown.declared.clone_from(&declared);

        let over = table.round_over().expect("a round that is booked is over");
        let counted = tally::totals(table, over);
        let due = derive::scores(&scoring::score(table));
        let written = written::compare(table, Some(&script.known), &due, &end.scores);
        let sums = totals(&end.scores);
        let differs = |(unit, sum): (u8, &i64)| {
            let known = !declared.contains(&Unit(unit));
            known && counted.get(usize::from(unit)) != Some(sum)
        };
        let tally_differs = (0..).zip(&sums).any(differs) || sums.len() != counted.len();
        match written {
            // Whoever wrote the round down made a slip: the chain is sound, and the cards give other points.
            Err(slips) => {
                slips.into_iter().for_each(|slip| self.find(place, FindingKind::Clerical, slip.reason));
            }
            Ok(_) if tally_differs => {
                let detail = format!("the table counts {}, declared are {}", points(&counted), points(&sums));
                self.find(place, FindingKind::Tally, detail);
            }
            Ok(_) => {}
        }
        if declared.is_empty() {
            let (score, result) = scoring::book(self.table);
            self.tell(place, What::Booked { score: Some(&score), result });
            return result;
        }
        let result = follow::book_declared(self.table, &end.scores, over);
        self.tell(place, What::Booked { score: None, result });
        result
    }

    /// Adds the unknown facts of the round to the report.
    pub(super) fn account(&mut self) {
        let Some(mut script) = self.script.take() else { return };
        // After a round is booked its hands are empty.
        script.unknown.unseen = script.unknown.unseen.max(script.known.unseen(self.table));
        if script.unknown.unsure > 0 || script.unknown.unseen > 0 {
            self.tally.unknown(script.unknown);
        }
    }

    /// Reports a finding after which the rest of the round cannot be judged.
    pub(super) fn stop(&mut self, finding: Finding, action: &Action) {
        self.tally.find(finding);
        self.lost = Some(Lost::default());
        self.table.pass_over(action);
    }
}
