//! A game under audit: the order of its records, and the state that lasts from round to round.

mod drift;
mod hold;
mod live;
mod open;
mod origins;
mod outside;
mod signatures;

use super::super::finding::FindingKind;
use super::super::reader::Frame;
use super::super::replay::{Place, Step, Watch, What};
use super::held::OpenRound;
use super::round::Judge;
use super::{Report, Tally, or_none};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_log::deal::{Commitment, GameId, GameSecret};
use canasta_log::dealing::{DealSource, Dealing, Entries, Registration};
use canasta_log::frame::Head;
use canasta_log::record::{DealMode, EndReason, GameEnd, Genesis, Record, Register, Reveal, RoundEnd};
use canasta_rules::rules::Rules;
use canasta_rules::seat::Seat;
use canasta_rules::table::Table;

/// Maximum number of deals per game. It bounds the reveals that are kept until the game's secret is known.
const DEALS_MAX: usize = 16_384;

pub(super) struct GameAudit {
    genesis: Genesis,
    table: Table,
    dealing: Dealing,
    stage: Stage,
    /// Round, attempt and first bytes of the secret (or salt) of every reveal, for the comparison with G.
    revealed: Vec<(u32, u32, [u8; 16])>,
    /// Number of registered deals; `dealt` counts those whose cards were revealed.
    deals: u32,
    dealt: u32,
    /// Whether the game's secret was revealed, if there is one.
    secret_shown: bool,
}

enum Stage {
    /// A register of this attempt must come.
    Register(u32),
    Round(Box<OpenRound>),
    /// The last round ended the game: the game end must come.
    GameEnd,
    Ended,
    /// The next records depend on missing records, in a salvaging audit.
    Adrift,
}

impl GameAudit {
    /// Opens the game that begins with this genesis; returns genesis again if the game cannot be played.
    pub(super) fn open(genesis: Genesis, place: Place, tally: &mut Tally) -> Result<Self, Box<Genesis>> {
        let rules = match tally.prepared.of(&genesis) {
            Ok(rules) => rules,
            Err((kind, detail)) => {
                tally.fault(place.finding(kind, detail));
                return Err(Box::new(genesis));
            }
        };
        let table = Table::new(rules, Seat(0));
        let committed = genesis.mode == DealMode::Committed;
        let dealing = Dealing::new(GameId(genesis.game_id), DealSource::Unknown, committed);
        let secret = matches!(genesis.mode, DealMode::Seeded | DealMode::Committed);
        if secret != genesis.commitment.is_some() {
            let expected =
                if secret { "the commitment to the game's secret" } else { "no commitment in this mode" };
            tally.find(place.finding(FindingKind::Commitment, format!("expected {expected}")));
        }
        Ok(Self {
            genesis,
            table,
            dealing,
            stage: Stage::Register(1),
            revealed: Vec::new(),
            deals: 0,
            dealt: 0,
            secret_shown: false,
        })
    }

    pub(super) fn has_ended(&self) -> bool {
        matches!(self.stage, Stage::Ended)
    }

    pub(super) fn rules(&self) -> &Arc<Rules> {
        self.table.rules()
    }

    /// Whether every deal was revealed, and the game's secret too if the game has one.
    pub(super) fn is_dealt_as_committed(&self) -> bool {
        self.deals > 0 && self.dealt == self.deals && self.secret_shown
    }

    /// Adds what the game is at its end to the report.
    pub(super) fn report(self, report: &mut Report) {
        let hides = self.genesis.mode != DealMode::Transcribed;
        let is_open = hides && matches!(self.stage, Stage::Round(_));
        report.open_round = is_open.then(|| self.table.round_number());
        report.seating = self.table.seating().to_vec();
        report.totals = self.table.scores().iter().copied().map(i64::from).collect();
        report.genesis = Some(self.genesis);
    }

    /// Checks a round without reveal: only register and order of seats can be checked. A transcript is executed at
    /// once, because its knowledge of cards does not depend on a reveal.
    pub(super) fn check_open_round(&mut self, tally: &mut Tally) {
        let Stage::Round(round) = &self.stage else { return };
        let is_executed = self.genesis.mode == DealMode::Transcribed && self.table.round_number() > 0;
        if is_executed || !round.lost {
            self.check_register(round, tally);
        }
        if round.lost {
            return;
        }
        if !is_executed {
            return self.check_order(round, tally);
        }
        let watch = &mut |_: &Step<'_>| ();
        let mut judge = Judge::new(&mut self.table, &mut self.dealing, &self.genesis, tally, watch);
        judge.follow_open(round, None);
        judge.uncovered();
        judge.account();
    }

    pub(super) fn take(
        &mut self,
        record: Arc<Record>,
        frame: &Frame<'_>,
        place: Place,
        tally: &mut Tally,
        watch: &mut dyn Watch,
    ) {
        if let Stage::Adrift = self.stage {
            return self.drift(&record, place, tally);
        }
        match &*record {
            Record::Remark(_) => {
                tally.report.remarks += 1;
                if let Some(note) = record.checkpoint() {
                    self.checkpoint(note, &record, frame, tally, watch);
                }
            }
            Record::Register(register) => self.register(register, &frame.before, place, tally),
            Record::Action(action) => {
                tally.report.actions += 1;
                self.signature(action, frame, place, tally);
                let between = matches!(self.stage, Stage::Ended | Stage::Register(_));
                if between && action.action.is_official() {
                    self.official(&record, place, tally, watch);
                } else {
                    self.hold(record, frame, place, tally);
                }
            }
            Record::Refusal(_) => {
                tally.report.refusals += 1;
                if let Stage::Round(_) = self.stage {
                    self.hold(record, frame, place, tally);
                }
            }
            Record::RoundEnd(end) => self.round_end(end, &record, place, tally, watch),
            Record::GameEnd(end) => self.game_end(end, &record, place, tally, watch),
            Record::Genesis(_) => self.misplaced("genesis", place, tally),
        }
        if self.has_ended() && tally.report.ends.len() < super::report::ENDS_MAX {
            tally.report.ends.push(frame.head);
        }
    }

    /// Reports a register from which the game cannot continue.
    fn refuse_register(&mut self, detail: String, place: Place, tally: &mut Tally) {
        tally.fault(place.finding(FindingKind::Register, detail));
        self.lose();
    }

    fn register(&mut self, register: &Register, before: &Head, place: Place, tally: &mut Tally) {
        tally.report.decided = place.n;
        if matches!(&self.stage, Stage::Round(round) if round.lost) {
            self.stage = Stage::Adrift;
            return self.drift(&Record::Register(Box::new(register.clone())), place, tally);
        }
        let Stage::Register(attempt) = self.stage else { return self.misplaced("a register", place, tally) };
        let is_later = self.table.take_up(register.round);
        let number = u32::from(self.table.round_number());
        if (register.round, register.attempt) != (number, attempt) {
            let found = format!("round {} attempt {}", register.round, register.attempt);
            let detail = format!("expected round {number} attempt {attempt}, found {found}");
            return self.refuse_register(detail, place, tally);
        }
        if self.deals as usize >= DEALS_MAX {
            let detail = format!("expected at most {DEALS_MAX} deals in a game");
            tally.fault(place.finding(FindingKind::RoundTooLong, detail));
            return self.lose();
        }
        let drawn = number == 0 && self.table.set().draws_dealer();
        let dealer = match register.dealer {
            None if drawn => self.table.dealer(),
            Some(dealer) if !drawn && dealer.0 < self.table.set().seats => dealer,
            _ => {
                let expected = if drawn { "no dealer before the draw" } else { "a dealer among the seats" };
                return self.refuse_register(format!("expected {expected}"), place, tally);
            }
        };
        // A dealer that the rules decide follows from earlier rounds; a random one is checked at the reveal.
        self.table.set_attempt(attempt as u16);
        let expected = self.table.dealer();
        if dealer != expected && !self.table.names_dealer() && !is_later {
            tally.find(
                place.finding(FindingKind::Register, format!("expected dealer {expected}, found {dealer}")),
            );
        }
        self.entries(register, place, tally);
        let signed = self.verify_entries(register, before, place, tally);
        if self.table.phase() == canasta_rules::table::Phase::Setup {
            self.table.register(dealer);
        }
        self.deals += 1;
        self.stage = Stage::Round(Box::new(OpenRound::new(register.clone(), place, signed, is_later)));
    }

    /// Takes the entries of seats and beacon, and checks that the mode allows them.
    fn entries(&mut self, register: &Register, place: Place, tally: &mut Tally) {
        let seats = usize::from(self.table.set().seats);
        let none = register.seats.iter().all(Option::is_none) && register.beacon.is_none();
        let expected = match self.genesis.mode {
            _ if register.seats.len().max(register.signatures.len()) > seats => {
                Some("commitments and signatures of no more seats than there are")
            }
            _ if none => None,
            DealMode::Seeded | DealMode::Explicit | DealMode::Transcribed => {
                Some("neither seats nor beacon in this deal mode")
            }
            DealMode::Committed if self.genesis.registration == Registration::Auto => {
                Some("neither seats nor beacon where registers are written automatically")
            }
            DealMode::Committed if register.round == 0 => Some("neither seats nor beacon before the draw"),
            DealMode::Committed => None,
        };
        if let Some(expected) = expected {
            tally.find(place.finding(FindingKind::Register, format!("expected {expected}")));
        }
        if let Some(entries) = &mut self.dealing.entries {
            **entries = Entries::new(&register.seats, register.beacon.is_some());
        }
    }

    fn round_end(
        &mut self,
        end: &RoundEnd,
        record: &Arc<Record>,
        place: Place,
        tally: &mut Tally,
        watch: &mut dyn Watch,
    ) {
        if !matches!(self.stage, Stage::Round(_)) {
            return self.misplaced("a round end", place, tally);
        }
        let Stage::Round(round) = core::mem::replace(&mut self.stage, Stage::GameEnd) else { return };
        let is_other = (end.round, end.attempt) != (round.register.round, round.register.attempt);
        if is_other && round.lost {
            self.stage = Stage::Adrift;
            return;
        }
        if is_other {
            tally.find(place.finding(FindingKind::Result, "this round end is that of another round"));
        }
        round.skipped().into_iter().for_each(|finding| tally.find(finding));
        self.note_reveal(end, place, tally);
        let origin = (end.reason != EndReason::Voided && !round.takes_up()).then(|| round.origin());
        self.count_owed(&round, tally);
        let number = self.table.round_number();
        let judge = Judge::new(&mut self.table, &mut self.dealing, &self.genesis, tally, watch);
        let outcome = judge.judge(&round, end, record, place);
        self.dealt += u32::from(outcome.dealt);
        if let Some(origin) = origin.filter(|_| outcome.dealt) {
            self.count_origin(origin, tally);
        }
        if end.reason == EndReason::Voided {
            tally.report.voided += 1;
            self.stage = Stage::Register(end.attempt.saturating_add(1));
            if !outcome.judged {
                tally.report.conditional_from.get_or_insert(number.into());
            }
            return;
        }
        tally.report.rounds += u32::from(number > 0);
        if !outcome.judged {
            tally.report.conditional_from.get_or_insert(u32::from(number) + 1);
        }
        tally.report.result = outcome.result;
        self.stage = if outcome.result.is_some() { Stage::GameEnd } else { Stage::Register(1) };
    }

    /// Keeps the first bytes of a revealed value. No salt may hide two walls: who knows one wall could guess the other.
    fn note_reveal(&mut self, end: &RoundEnd, place: Place, tally: &mut Tally) {
        let first = match &end.reveal {
            Reveal::None => return,
            Reveal::Secret(secret) => *secret.first_chunk().expect("a secret is longer"),
            Reveal::Wall { salt, .. } => *salt.first_chunk().expect("a salt is longer"),
        };
        if let Some((round, attempt, _)) = self.revealed.iter().find(|(.., known)| *known == first) {
            let detail = format!(
                "expected a secret or salt of its own, found that of round {round} attempt {attempt}"
            );
            tally.find(place.finding(FindingKind::Commitment, detail));
        }
        self.revealed.push((end.round, end.attempt, first));
    }

    fn game_end(
        &mut self,
        end: &GameEnd,
        record: &Arc<Record>,
        place: Place,
        tally: &mut Tally,
        watch: &mut dyn Watch,
    ) {
        let (Stage::GameEnd, Some(result)) = (&self.stage, tally.report.result) else {
            return self.misplaced_end(place, tally);
        };
        let winner = result.winner.map(|unit| unit.0);
        if end.winner != winner {
            let detail = format!("expected winner {}, found {}", or_none(winner), or_none(end.winner));
            tally.find(place.finding(FindingKind::Result.as_written(self.genesis.mode), detail));
        }
        self.check_secret(end.secret, place, tally);
        self.tell(What::GameEnd(result), record, place, watch);
        self.stage = Stage::Ended;
    }

    /// Checks that genesis commits to G, and that the secret of every round follows from G.
    fn check_secret(&mut self, secret: Option<[u8; 64]>, place: Place, tally: &mut Tally) {
        let mut find = |detail: &str| tally.find(place.finding(FindingKind::Commitment, detail));
        if matches!(self.genesis.mode, DealMode::Explicit | DealMode::Transcribed) {
            self.secret_shown = true;
            if secret.is_some() {
                find("expected no game secret in this mode");
            }
            return;
        }
        let Some(secret) = secret.map(GameSecret) else {
            return find("expected the reveal of the game's secret");
        };
        self.secret_shown = true;
        let commitment = Commitment::game(GameId(self.genesis.game_id), &secret).0;
        if Some(commitment) != self.genesis.commitment {
            find("the game's secret is not the one that genesis commits to");
        }
        for &(round, attempt, first) in &self.revealed {
            if secret.round(round, attempt).0[..16] != first {
                find(&format!(
                    "the secret of round {round} attempt {attempt} does not follow from the game's secret"
                ));
            }
        }
    }
}
