//! One round, which is executed when its secret is known.

use super::super::finding::{Finding, FindingKind};
use super::super::follow;
use super::super::replay::{Place, Step, Watch, What};
use super::super::tally;
use super::held::{HeldRecord, OpenRound};
use super::transcribed::Script;
use super::{RECORD_UNITS, Tally, or_none};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_log::deal::{self, RoundSecret, WallSalt};
use canasta_log::dealing::{DealSource, Dealing, hides_cards};
use canasta_log::derive;
use canasta_log::digest::{self, Digests};
use canasta_log::record::{
    ActionRecord, Attempt, DealMode, EndReason, Genesis, Record, Refusal, Reveal, RoundEnd, Score,
};
use canasta_rules::action::Action;
use canasta_rules::card::Card;
use canasta_rules::known::Known;
use canasta_rules::notation::Position;
use canasta_rules::rejection::{Field, Rejection};
use canasta_rules::scoring::{self, GameResult};
use canasta_rules::table::{Phase, RoundOver, Table};
use canasta_rules::violations::Code;

pub(super) struct JudgedRound {
    /// Whether every action could be judged.
    pub judged: bool,
    /// Whether the wall was revealed.
    pub dealt: bool,
    pub result: Option<GameResult>,
}

/// The state for judging one round.
pub(super) struct Judge<'a> {
    pub(super) table: &'a mut Table,
    pub(super) dealing: &'a mut Dealing,
    pub(super) genesis: &'a Genesis,
    pub(super) tally: &'a mut Tally,
    watch: &'a mut (dyn Watch + 'a),
    /// The record that is judged; `None` while it is only a payload.
    pub(super) record: Option<Arc<Record>>,
    pub(super) round: u16,
    pub(super) digests: Digests,
    /// Whether a wrong digest was reported: only the first is reported.
    pub(super) digest_differs: bool,
    /// Set while the state of the round no longer follows from its records, until a ruling restores it.
    pub(super) lost: Option<Lost>,
    /// The positions that rulings of the round restore, by the `seq` of the action before each.
    pub(super) earlier: BTreeMap<u64, Option<RestoredTable>>,
    /// The knowledge of the cards, in a transcript.
    pub(super) script: Option<Script>,
    /// The wall of the deal, or of the draw for seats.
    pub(super) wall: Option<Vec<Card>>,
}

/// A position that a ruling restores, and the knowledge of its cards.
pub(super) struct RestoredTable {
    pub table: Table,
    pub known: Option<Known>,
}

/// The reason why no action can be executed.
#[derive(Default)]
pub(super) struct Lost {
    /// The action that broke the rules, and the finding to report unless a ruling comes before play continues.
    pub(super) pending: Option<(Action, Finding)>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        table: &'a mut Table,
        dealing: &'a mut Dealing,
        genesis: &'a Genesis,
        tally: &'a mut Tally,
        watch: &'a mut (dyn Watch + 'a),
    ) -> Self {
        let round = table.round_number();
        Self {
            table,
            dealing,
            genesis,
            tally,
            watch,
            record: None,
            round,
            digests: Digests::default(),
            digest_differs: false,
            lost: None,
            earlier: BTreeMap::new(),
            script: None,
            wall: None,
        }
    }

    /// Executes a round and compares everything that its end declares.
    pub(super) fn judge(
        mut self,
        round: &OpenRound,
        end: &RoundEnd,
        record: &Arc<Record>,
        place: Place,
    ) -> JudgedRound {
        let is_transcribed = self.genesis.mode == DealMode::Transcribed;
        let dealt = self.reveal(round, &end.reveal, place);
        if is_transcribed {
            self.script = Some(Script::of(self.round, round));
        }
        if dealt && !round.lost {
            if !self.play(round) {
                self.lost = Some(Lost::default());
            }
        } else {
            round.records().for_each(|(_, record)| self.pass_over(&record));
            self.lost = Some(Lost::default());
        }
        self.uncovered();
        self.record = Some(Arc::clone(record));
        let played = self.lost.is_none() && self.ended(end, place);
        let over = self.table.round_over().filter(|_| played);
        let wall = self.wall.take();
        self.tell(place, What::RoundEnd { over, wall: wall.as_deref() });
        let result = match (end.reason, played) {
            (EndReason::Voided, _) => self.void(played),
            (_, true) => self.book(end, place),
            (_, false) => self.book_declared(end, place),
        };
        self.account();
        JudgedRound { judged: played, dealt: dealt && !is_transcribed, result }
    }

    pub(super) fn tell(&mut self, place: Place, what: What<'_>) {
        let known = self.script.as_ref().map(|script| &script.known);
        let record = self.record.as_ref().expect("the record of a step is kept before it");
        self.watch.step(&Step { place, record, table: self.table, dealing: self.dealing, known, what });
    }

    pub(super) fn find(&mut self, place: Place, kind: FindingKind, detail: impl Into<String>) {
        let position = self.position();
        let finding = Finding { round: Some(self.round), position, ..place.finding(kind, detail) };
        self.tally.find(finding);
    }

    /// Returns the position, while its cards are known.
    pub(super) fn position(&self) -> Option<Box<Position>> {
        let dealt = !matches!(self.table.phase(), Phase::Setup | Phase::Deal | Phase::GameOver);
        let position = || match &self.script {
            None => Position::of(self.table),
            Some(script) => Position::as_known(self.table, &script.known),
        };
        (dealt && self.lost.is_none()).then(|| Box::new(position()))
    }

    /// Sets the source of cards from the reveal, checks it, and returns whether the round can be executed.
    pub(super) fn reveal(&mut self, round: &OpenRound, reveal: &Reveal, end: Place) -> bool {
        let (register, at) = (&round.register, round.place);
        self.dealing.source = match reveal {
            Reveal::Secret(secret) => DealSource::Round(RoundSecret(*secret)),
            Reveal::Wall { cards, salt } => DealSource::Wall { wall: cards.clone(), salt: WallSalt(*salt) },
            // With a given wall, players pick their cards for seats by hand. A transcript reveals nothing.
            Reveal::None if self.round == 0 && self.genesis.mode == DealMode::Explicit => DealSource::Unknown,
            Reveal::None if self.genesis.mode == DealMode::Transcribed => DealSource::Unknown,
            Reveal::None => {
                self.find(end, FindingKind::Deal, "expected the reveal of the round's secret or wall");
                return false;
            }
        };
        if self.genesis.mode == DealMode::Transcribed && *reveal != Reveal::None {
            self.find(end, FindingKind::Deal, "expected no secret and no wall in this deal mode");
            self.dealing.source = DealSource::Unknown;
        }
        if let DealSource::Wall { wall, .. } = &self.dealing.source
            && wall.len() != usize::from(self.table.rules().deck_size())
        {
            self.find(end, FindingKind::Deal, "the wall is not the whole pack");
            return false;
        }
        if register.commitment != self.dealing.commitment(self.table).map(|commitment| commitment.0) {
            self.find(at, FindingKind::Commitment, "the reveal is not what the register commits to");
        }
        let random = register.attempt == 1 && self.table.has_random_dealer() && !round.takes_up();
        if let (DealSource::Round(secret), true) = (&self.dealing.source, random) {
            let (game_id, seats) = (self.dealing.game_id, self.table.set().seats);
            let expected = deal::random_dealer(secret, game_id, self.round.into(), seats).ok();
            if expected != register.dealer {
                self.find(
                    at,
                    FindingKind::Register,
                    format!("expected dealer {}, found {}", or_none(expected), or_none(register.dealer)),
                );
            }
        }
        true
    }

    /// Judges the records of a round in their order. Returns `false` if the audit is cancelled before the last.
    pub(super) fn play(&mut self, round: &OpenRound) -> bool {
        self.expect_restoring(round);
        for (place, record) in round.records() {
            if self.tally.is_given_up(RECORD_UNITS) {
                return false;
            }
            self.take(&record, place);
        }
        true
    }

    /// Judges one record.
    pub(super) fn take(&mut self, record: &HeldRecord<'_>, place: Place) {
        self.record = match record {
            HeldRecord::Payload(_) => None,
            HeldRecord::Shared(record) => Some(Arc::clone(record)),
        };
        if let HeldRecord::Shared(record) = record
            && let Record::Refusal(refusal) = &***record
        {
            if self.lost.is_none() {
                self.refusal(refusal, place);
            }
            return;
        }
        self.script.iter_mut().for_each(Script::pass);
        record.with_action(|action| self.action(action, place));
    }

    pub(super) fn illegal(&self, record: &ActionRecord, rejection: &Rejection, place: Place) -> Finding {
        let kind = match rejection.code() {
            _ if rejection.misfit().is_some() => FindingKind::Commitment,
            Code::SetupDeal | Code::SetupDeck => FindingKind::Deal,
            _ => FindingKind::Illegal,
        };
        let contributor = match rejection.violations[0].field {
            Field::Contribution(seat) => Some(seat),
            _ => None,
        };
        let detail = format!("{}: {rejection}", record.action.kind());
        Finding {
            round: Some(self.round),
            seat: record.actor.or(contributor),
            codes: rejection.codes(),
            position: self.position(),
            ..place.finding(kind, detail)
        }
    }

    /// Checks that a refusal names the refused action and the true reasons.
    fn refusal(&mut self, refusal: &Refusal, place: Place) {
        let hides = self.genesis.mode != DealMode::Transcribed && hides_cards(self.table);
        if hides != matches!(refusal.attempt, Attempt::Masked { .. }) {
            let expected = if hides { "masked while cards are hidden" } else { "in clear" };
            self.find(place, FindingKind::Refusal, format!("expected the refused action {expected}"));
        }
        let Some(action) = derive::attempted(self.table, self.dealing, place.n, refusal) else {
            return self.find(place, FindingKind::Refusal, "the masked action does not open");
        };
        let rejection = match refusal.actor.filter(|_| self.script.is_some()) {
            // Codes that depend on unknown cards are not judged.
            Some(seat) => match self.refused_as_known(seat, &action) {
                Some(rejection) => rejection,
                None => return,
            },
            None => self.rejection(refusal, &action),
        };
        self.tell(place, What::Refused { action: &action, rejection: rejection.as_ref() });
        let kind = FindingKind::Refusal.as_written(self.genesis.mode);
        let Some(rejection) = rejection else {
            return self.find(place, kind, "the refused action was legal");
        };
        let codes: Vec<&str> = rejection.violations.iter().map(|v| v.code.name()).collect();
        if codes != refusal.codes {
            let detail = format!("expected the codes {}, found {}", codes.join(" "), refusal.codes.join(" "));
            self.find(place, kind, detail);
        }
    }

    /// Whether the round has ended. Reports a reason or a full digest other than declared.
    fn ended(&mut self, end: &RoundEnd, place: Place) -> bool {
        let Some(over) = self.table.round_over().filter(|_| self.table.phase() == Phase::RoundOver) else {
            self.find(
                place,
                FindingKind::Result,
                format!("the round goes on, found its end ({})", end.reason.name()),
            );
            return false;
        };
        if over.reason != end.reason {
            let detail = format!("expected the reason {}, found {}", over.reason.name(), end.reason.name());
            self.find(place, FindingKind::Result.as_written(self.genesis.mode), detail);
        }
        let full = match &self.script {
            None => digest::full(self.table),
            Some(script) => digest::full_as_known(self.table, &script.known),
        };
        if full != end.digest {
            self.find(place, FindingKind::Digest, "the full digest is not that of the final state");
        }
        true
    }

    /// Compares two counts of the round with the declared scores. Play continues from the first count.
    fn book(&mut self, end: &RoundEnd, place: Place) -> Option<GameResult> {
        if self.script.is_some() && end.reason != EndReason::Drawn {
            return self.book_as_known(end, place);
        }
        let counted = tally::totals(self.table, self.table.round_over().expect("the round is over"));
        let expected = derive::scores(&scoring::score(self.table));
        if expected != end.scores {
            let detail = format!("expected {}, found {}", lines(&expected), lines(&end.scores));
            self.find(place, FindingKind::Score, detail);
        }
        let declared = totals(&end.scores);
        if counted != declared {
            let detail = format!("the table counts {}, declared are {}", points(&counted), points(&declared));
            self.find(place, FindingKind::Tally, detail);
        }
        let (score, result) = scoring::book(self.table);
        self.tell(place, What::Booked { score: Some(&score), result });
        result
    }

    /// Ends a void deal: nothing is booked, and the same round is registered again.
    fn void(&mut self, played: bool) -> Option<GameResult> {
        if !played {
            self.table.void_round();
        }
        scoring::void(self.table);
        None
    }

    /// Books a round that could not be judged: play continues from the scores as declared.
    fn book_declared(&mut self, end: &RoundEnd, place: Place) -> Option<GameResult> {
        let result = book_declared(self.table, end);
        self.tell(place, What::Booked { score: None, result });
        result
    }
}

/// Books the round by the scores as declared.
pub(super) fn book_declared(table: &mut Table, end: &RoundEnd) -> Option<GameResult> {
    follow::book_declared(table, &end.scores, RoundOver::without_seat(EndReason::Ruled))
}

pub(super) fn totals(scores: &[Score]) -> Vec<i64> {
    scores.iter().map(Score::total).collect()
}

/// Returns the points of all sides, or seats, as a list in text.
pub(super) fn points(points: &[i64]) -> String {
    points.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

pub(super) fn lines(scores: &[Score]) -> String {
    let line = |l: &canasta_log::record::ScoreLine| format!("{} {}", l.item.name(), l.points);
    let side =
        |s: &Score| format!("side {}: {}", s.unit, s.lines.iter().map(line).collect::<Vec<_>>().join(", "));
    scores.iter().map(side).collect::<Vec<_>>().join("; ")
}
