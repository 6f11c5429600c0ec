//! A game under audit: which record may come now, and what holds from round to round.

use super::super::checkpoint;
use super::super::finding::FindingKind;
use super::super::limits::{ROUND_BYTES_MAX, ROUND_RECORDS_MAX};
use super::super::reader::Frame;
use super::super::record::{
    ActionRecord, DealMode, EndReason, GameEnd, Genesis, Record, Register, Registration, Reveal, RoundEnd,
};
use super::super::replay::{Step, Watch, What};
use super::super::writer;
use super::round::{Held, OpenRound};
use super::{Place, Tally, live, official, round};
use crate::card::MAX_CARDS;
use crate::deal::{Commitment, GameId, GameSecret};
use crate::rules::{PresetId, RuleSet, Rules};
use crate::scoring::{self, GameResult};
use crate::seat::Seat;
use crate::state::{DealSource, Origin, State};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub(super) struct Game {
    genesis: Genesis,
    state: State,
    stage: Stage,
    /// Round, attempt and the first bytes of the secret of every reveal, to be held against G.
    revealed: Vec<(u32, u32, [u8; 16])>,
    rounds: u32,
    voided: u32,
    conditional_from: Option<u32>,
    result: Option<GameResult>,
}

enum Stage {
    /// A register must come, for this attempt.
    Register(u32),
    Round(OpenRound),
    /// The last round ended the game: game end must come.
    GameEnd,
    Ended,
}

impl Game {
    pub(super) fn open(genesis: Genesis, place: Place, tally: &mut Tally) -> Option<Self> {
        let rules = match playable(&genesis) {
            Ok(rules) => rules,
            Err((kind, detail)) => {
                tally.find(place.finding(kind, detail));
                tally.stopped = true;
                return None;
            }
        };
        let origin = Origin {
            game_id: GameId(genesis.game_id),
            registration: genesis.registration,
            source: DealSource::Unknown,
            expires_at: None,
        };
        let mut state = State::new(Arc::new(rules), origin, Seat(0));
        if genesis.mode == DealMode::Committed {
            state.commit_deals();
        }
        let secret = matches!(genesis.mode, DealMode::Seeded | DealMode::Committed);
        if secret != genesis.commitment.is_some() {
            let expected =
                if secret { "the commitment to the game's secret" } else { "no commitment in this mode" };
            tally.find(place.finding(FindingKind::Commitment, format!("expected {expected}")));
        }
        let (stage, revealed) = (Stage::Register(1), Vec::new());
        Some(Self {
            genesis,
            state,
            stage,
            revealed,
            rounds: 0,
            voided: 0,
            conditional_from: None,
            result: None,
        })
    }

    pub(super) fn has_ended(&self) -> bool {
        matches!(self.stage, Stage::Ended)
    }

    pub(super) fn into_genesis(self) -> Genesis {
        self.genesis
    }

    pub(super) fn seating(&self) -> Vec<Seat> {
        self.state.seating().to_vec()
    }

    #[allow(clippy::type_complexity)] // read once, in `finish`
    pub(super) fn summary(&self) -> (u32, u32, Option<u32>, Vec<i64>, Option<GameResult>) {
        let totals = self.state.scores().iter().copied().map(i64::from).collect();
        (self.rounds, self.voided, self.conditional_from, totals, self.result)
    }

    /// A round without reveal: order of seats is all that can be checked.
    pub(super) fn check_open_round(&self, tally: &mut Tally) {
        if let Stage::Round(round) = &self.stage {
            live::check_register(&self.state, &self.genesis, round, tally);
            live::check_order(&self.state, &self.genesis, round, tally);
        }
    }

    pub(super) fn take(
        &mut self,
        record: Record,
        frame: &Frame<'_>,
        place: Place,
        tally: &mut Tally,
        watch: &mut Watch<'_>,
    ) {
        match record {
            Record::Note(_) => tally.remarks += 1,
            Record::Checkpoint(note) => {
                tally.remarks += 1;
                self.checkpoint(&note, frame, place, tally, watch);
            }
            Record::Register(register) => self.register(&register, place, tally),
            Record::Action(ref action) => {
                tally.actions += 1;
                tally.signed_actions += u64::from(action.signature.is_some());
                let between = matches!(self.stage, Stage::Ended | Stage::Register(_));
                if between && official::is_official(&action.action) {
                    self.official(action, frame, place, tally, watch);
                } else {
                    self.hold(record, frame, place, tally);
                }
            }
            Record::Refusal(_) => {
                tally.refusals += 1;
                if let Stage::Round(_) = self.stage {
                    self.hold(record, frame, place, tally);
                }
            }
            Record::RoundEnd(end) => self.round_end(*end, place, tally, watch),
            Record::GameEnd(end) => self.game_end(end, place, tally, watch),
            Record::Genesis(_) => self.misplaced("genesis", place, tally),
        }
    }

    /// Between rounds, and after the game's end, when a ruling may still change the result.
    fn official(
        &mut self,
        action: &ActionRecord,
        frame: &Frame<'_>,
        place: Place,
        tally: &mut Tally,
        watch: &mut Watch<'_>,
    ) {
        round::judge_official(&mut self.state, &self.genesis, action, place, &frame.before, tally, watch);
        if self.result.is_some() {
            self.result = Some(scoring::standing(&self.state));
        }
    }

    /// What is signed must be the record before; who signed it is for those to say who have keys.
    fn checkpoint(
        &self,
        note: &str,
        frame: &Frame<'_>,
        place: Place,
        tally: &mut Tally,
        watch: &mut Watch<'_>,
    ) {
        let body = checkpoint::body(&self.genesis.game_id, frame.n.saturating_sub(1), &frame.before);
        let rest = note.strip_prefix(body.as_str());
        if rest.is_some_and(|rest| rest.starts_with('\n')) {
            let what = What::Checkpoint { note, offset: place.offset };
            watch(&Step { n: place.record, state: &self.state, what });
        } else {
            let detail = String::from("expected a note over the record before, its number and its head");
            tally.find(place.finding(FindingKind::Checkpoint, detail));
        }
    }

    fn misplaced(&self, found: &str, place: Place, tally: &mut Tally) {
        let expected = match self.stage {
            Stage::Register(_) => "a register",
            Stage::Round(_) => "an action of the round, or its end",
            Stage::GameEnd => "the game end",
            Stage::Ended => {
                "nothing but rulings, disputes, signatures, notes and checkpoints after the game end"
            }
        };
        tally.find(place.finding(FindingKind::Order, format!("expected {expected}, found {found}")));
        tally.stopped = true;
    }

    fn register(&mut self, register: &Register, place: Place, tally: &mut Tally) {
        let Stage::Register(attempt) = self.stage else { return self.misplaced("a register", place, tally) };
        let number = u32::from(self.state.round_number());
        if (register.round, register.attempt) != (number, attempt) {
            let found = format!("round {} attempt {}", register.round, register.attempt);
            tally.find(place.finding(
                FindingKind::Register,
                format!("expected round {number} attempt {attempt}, found {found}"),
            ));
            tally.stopped = true;
            return;
        }
        let drawn = number == 0 && self.state.set().draws_dealer();
        let dealer = match register.dealer {
            None if drawn => self.state.round.dealer,
            Some(dealer) if !drawn && dealer.0 < self.state.set().seats => dealer,
            _ => {
                let expected = if drawn { "no dealer before the draw" } else { "a dealer among the seats" };
                tally.find(place.finding(FindingKind::Register, format!("expected {expected}")));
                tally.stopped = true;
                return;
            }
        };
        // Else it follows from what came before; a random one is held against its secret once that is known.
        let first = number == u32::from(!self.state.set().draws_cards());
        if attempt == 1 && (first || self.state.has_random_dealer()) {
            self.state.round.dealer = dealer;
        } else if dealer != self.state.round.dealer {
            let expected = self.state.round.dealer;
            tally.find(
                place.finding(FindingKind::Register, format!("expected dealer {expected}, found {dealer}")),
            );
            self.state.round.dealer = dealer;
        }
        self.state.round.attempt = attempt as u16;
        self.entries(register, place, tally);
        if self.state.phase() == crate::state::Phase::Setup {
            self.state.register();
        }
        self.stage = Stage::Round(OpenRound::new(register.clone(), place));
    }

    /// What seats and beacon registered, where the mode lets them.
    fn entries(&mut self, register: &Register, place: Place, tally: &mut Tally) {
        let seats = usize::from(self.state.set().seats);
        let none = register.seats.iter().all(Option::is_none) && register.beacon.is_none();
        let expected = match self.genesis.mode {
            _ if register.seats.len() > seats => Some("commitments of no more seats than there are"),
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
        if let Some(entries) = &mut self.state.entries {
            **entries = writer::entries_of(&register.seats, register.beacon);
        }
    }

    fn hold(&mut self, record: Record, frame: &Frame<'_>, place: Place, tally: &mut Tally) {
        let Stage::Round(round) = &mut self.stage else { return self.misplaced("an action", place, tally) };
        round.bytes += frame.payload.len() as u32 + 11;
        if round.held.len() as u32 >= ROUND_RECORDS_MAX || round.bytes > ROUND_BYTES_MAX {
            let detail = format!(
                "expected at most {ROUND_RECORDS_MAX} records and {ROUND_BYTES_MAX} bytes in a round"
            );
            tally.find(place.finding(FindingKind::RoundTooLong, detail));
            tally.stopped = true;
            return;
        }
        round.held.push(Held { record, place, before: frame.before });
    }

    fn round_end(&mut self, end: RoundEnd, place: Place, tally: &mut Tally, watch: &mut Watch<'_>) {
        let Stage::Round(round) = core::mem::replace(&mut self.stage, Stage::GameEnd) else {
            return self.misplaced("a round end", place, tally);
        };
        if (end.round, end.attempt) != (round.register.round, round.register.attempt) {
            tally.find(
                place.finding(FindingKind::Result, String::from("this round end is that of another round")),
            );
        }
        self.note_reveal(&end, place, tally);
        let number = self.state.round_number();
        let outcome = round.judge(&mut self.state, &self.genesis, &end, place, tally, watch);
        if end.reason == EndReason::Voided {
            self.voided += 1;
            self.stage = Stage::Register(end.attempt.saturating_add(1));
            if !outcome.judged && self.conditional_from.is_none() {
                self.conditional_from = Some(u32::from(number));
            }
            return;
        }
        self.rounds += u32::from(number > 0);
        if !outcome.judged && self.conditional_from.is_none() {
            self.conditional_from = Some(u32::from(number) + 1);
        }
        self.result = outcome.result;
        self.stage = if self.result.is_some() { Stage::GameEnd } else { Stage::Register(1) };
    }

    /// Keeps the beginning of what a round reveals. No salt may hide two walls: who knows one could try the other.
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

    fn game_end(&mut self, end: GameEnd, place: Place, tally: &mut Tally, watch: &mut Watch<'_>) {
        let (Stage::GameEnd, Some(result)) = (&self.stage, self.result) else {
            return self.misplaced("a game end", place, tally);
        };
        let winner = result.winner.map(|unit| unit.0);
        if end.winner != winner {
            let detail = format!("expected winner {winner:?}, found {:?}", end.winner);
            tally.find(place.finding(FindingKind::Result, detail));
        }
        self.check_secret(end.secret, place, tally);
        watch(&Step { n: place.record, state: &self.state, what: What::GameEnd(result) });
        self.stage = Stage::Ended;
    }

    /// G must be what genesis commits to, and every round's secret must follow from it.
    fn check_secret(&self, secret: Option<[u8; 64]>, place: Place, tally: &mut Tally) {
        let mut find = |detail: String| tally.find(place.finding(FindingKind::Commitment, detail));
        if matches!(self.genesis.mode, DealMode::Explicit | DealMode::Transcribed) {
            if secret.is_some() {
                find(String::from("expected no game secret in this mode"));
            }
            return;
        }
        let Some(secret) = secret.map(GameSecret) else {
            return find(String::from("expected the reveal of the game's secret"));
        };
        let commitment = Commitment::game(GameId(self.genesis.game_id), &secret).0;
        if Some(commitment) != self.genesis.commitment {
            find(String::from("the game's secret is not the one that genesis commits to"));
        }
        for &(round, attempt, first) in &self.revealed {
            if secret.round(round, attempt).0[..16] != first {
                find(format!(
                    "the secret of round {round} attempt {attempt} does not follow from the game's secret"
                ));
            }
        }
    }
}

/// The rule set of genesis, made ready, if this engine plays it.
fn playable(genesis: &Genesis) -> Result<Rules, (FindingKind, String)> {
    let rule_set = |detail: String| (FindingKind::RuleSet, detail);
    let base = PresetId::from_name(&genesis.base)
        .ok_or_else(|| rule_set(format!("unknown preset {:?}", genesis.base)))?;
    let set = RuleSet::from_canonical(&genesis.rule_set)
        .map_err(|error| rule_set(format!("canonical rule set: {error}")))?;
    let name = genesis.rule_set_id.split_once('+').map(|(_, name)| name);
    let rules = Rules::house(base, set, name).map_err(|error| rule_set(format!("{error}")))?;
    if rules.id() != genesis.rule_set_id {
        return Err(rule_set(format!(
            "these knobs are {:?}, found id {:?}",
            rules.id(),
            genesis.rule_set_id
        )));
    }
    let (seats, players) = (usize::from(rules.set().seats), genesis.players.len());
    if seats != players {
        return Err((FindingKind::RuleSet, format!("expected {seats} players, found {players}")));
    }
    debug_assert!(usize::from(rules.deck_size()) <= MAX_CARDS);
    match genesis.mode {
        DealMode::Seeded | DealMode::Committed | DealMode::Explicit => Ok(rules),
        DealMode::Transcribed => {
            Err((FindingKind::NotJudged, String::from("transcribed deals are not judged by this version")))
        }
    }
}
