//! Playing a game and writing its log: every accepted action becomes frames ready to be appended.

use super::action::action_bytes;
use super::digest;
use super::error::FieldError;
use super::frame::{Chain, HEADER};
use super::limits;
use super::record::{
    ActionRecord, Attempt, Author, Beacon, DealMode, EndReason, Fork, GameEnd, Genesis, Note, Player, Record,
    Refusal, Register, Registration, Reveal, RoundEnd, Score, ScoreLine,
};
use crate::action::{Action, As};
use crate::apply::apply;
use crate::card::Card;
use crate::check::{
    LeftToTable, check_restoring, dealer_before_cards, other_dealer, unnamed_dealer, wrong_pack,
};
use crate::deal::{self, Commitment, GameId, GameSecret, MaskKey, MaskLabel, RoundSecret, WallSalt};
use crate::event::Events;
use crate::rejection::{Field, Rejection, Violation};
use crate::rules::{FirstDealer, Rules};
use crate::scoring::{self, GameResult, RoundScore};
use crate::seat::Seat;
use crate::state::{DealSource, Link, Origin, Phase, State};
use crate::violations::Code;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

mod register;

pub(crate) use register::entries_of;
pub use register::{Entry, RegisterError, register};

/// The version that stands in every genesis this engine writes.
pub const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where the cards of a new game come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NewDeal {
    /// Seeded: every deal follows from this secret.
    Seeded(GameSecret),
    /// Committed: every deal follows from this secret and from what seats and beacons contribute.
    Committed(GameSecret),
    /// Explicit: the first wall, first card dealt first, and its salt.
    Explicit {
        /// The whole pack in dealing order.
        wall: Vec<Card>,
        /// Never used twice.
        salt: WallSalt,
    },
    /// Transcribed: a game that was played with cards of its own ([`crate::notation::game::from_text`]).
    Transcribed,
}

/// What a game is created with.
#[derive(Clone, PartialEq, Debug)]
pub struct NewGame {
    /// The rule set, made ready.
    pub rules: Arc<Rules>,
    /// The game's id.
    pub game_id: GameId,
    /// Where the cards come from.
    pub deal: NewDeal,
    /// The first dealer; needed where the rule set or the mode leaves it to the caller.
    pub dealer: Option<Seat>,
    /// The players by seat.
    pub players: Vec<Player>,
    /// Who writes registers.
    pub registration: Registration,
    /// The claimed start, ms since 1970.
    pub started_at_ms: Option<i64>,
    /// When the game's tokens expire, ms since 1970.
    pub expires_at: Option<i64>,
    /// The record of another game that this one continues from.
    pub fork_of: Option<Fork>,
}

/// A game that has been created.
#[derive(Clone, PartialEq, Debug)]
pub struct Created {
    /// The game before its first deal.
    pub state: State,
    /// Header, genesis and register: the beginning of the log file.
    pub frames: Vec<u8>,
}

/// Why a game was not created.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CreateError {
    /// Rules broken: SETUP_* violations, all of them.
    Rejected(Vec<Violation>),
    /// A field that no log can hold.
    Field(FieldError),
}

impl fmt::Display for CreateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(violations) => {
                f.write_str("rules are broken:")?;
                violations.iter().try_for_each(|violation| write!(f, " {}", violation.code.name()))
            }
            Self::Field(error) => error.fmt(f),
        }
    }
}

/// Why an action was not carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ActError {
    /// It breaks rules.
    Rejected(Rejection),
    /// The round has become too long: only rulings are still taken.
    RoundTooLong,
}

impl fmt::Display for ActError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(rejection) => rejection.fmt(f),
            Self::RoundTooLong => f.write_str("the round has become too long: only a ruling can end it"),
        }
    }
}

impl From<Rejection> for ActError {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

/// Why a refusal was not recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefuseError {
    /// No log can hold the action.
    Field(FieldError),
    /// The round has become too long.
    RoundTooLong,
}

impl From<FieldError> for RefuseError {
    fn from(error: FieldError) -> Self {
        Self::Field(error)
    }
}

/// What a caller claims about an action besides the action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stamp {
    /// Milliseconds since the last record that has a time.
    pub elapsed_ms: Option<u64>,
    /// The seat's signature.
    pub signature: Option<[u8; 64]>,
}

/// What an accepted action led to.
#[derive(Clone, PartialEq, Debug)]
pub struct Acted {
    /// What happened, in order.
    pub events: Events,
    /// The frames to append, as one write.
    pub frames: Vec<u8>,
    /// The round's score, where the action ended the round.
    pub round: Option<RoundScore>,
    /// The game's result, where the action ended the game.
    pub result: Option<GameResult>,
}

/// Creates a game: the state before its first deal, and the beginning of its log.
///
/// # Errors
/// Every SETUP_* violation at once, or the first field that a log cannot hold.
pub fn create(new: NewGame) -> Result<Created, CreateError> {
    let dealer = validate(&new).map_err(CreateError::Rejected)?;
    let (source, mode) = match new.deal {
        NewDeal::Seeded(secret) => (DealSource::Seeded(secret), DealMode::Seeded),
        NewDeal::Committed(secret) => (DealSource::Seeded(secret), DealMode::Committed),
        NewDeal::Explicit { wall, salt } => (DealSource::Wall { wall, salt }, DealMode::Explicit),
        NewDeal::Transcribed => (DealSource::Unknown, DealMode::Transcribed),
    };
    let commitment = match &source {
        DealSource::Seeded(secret) => Some(Commitment::game(new.game_id, secret).0),
        _ => None,
    };
    let keys: Vec<_> = new.players.iter().map(|player| player.key).collect();
    let genesis = Genesis {
        game_id: new.game_id.0,
        rule_set_id: new.rules.id().to_string(),
        base: new.rules.base().name().to_string(),
        rule_set: new.rules.canonical().to_vec(),
        players: new.players,
        mode,
        registration: new.registration,
        commitment,
        engine: ENGINE_VERSION.to_string(),
        started_at_ms: new.started_at_ms,
        fork_of: new.fork_of,
    };
    let origin =
        Origin { game_id: new.game_id, registration: new.registration, source, expires_at: new.expires_at };
    let mut state = State::new(new.rules, origin, dealer);
    state.set_keys(keys);
    if mode == DealMode::Committed {
        state.commit_deals();
    }
    let mut book = Scribe { chain: Chain::START, frames: HEADER.to_vec() };
    book.write(&Record::Genesis(Box::new(genesis))).map_err(CreateError::Field)?;
    if new.registration == Registration::Auto {
        book.register(&mut state, Vec::new(), None);
    }
    let frames = book.close(&mut state);
    Ok(Created { state, frames })
}

/// The first dealer, or all SETUP_* violations.
fn validate(new: &NewGame) -> Result<Seat, Vec<Violation>> {
    let mut faults = Vec::new();
    let seats = new.rules.set().seats;
    if new.players.len() != usize::from(seats) {
        let fault = Violation::new(Code::SetupPlayerCount, Field::Action);
        faults.push(fault.fact("found", new.players.len() as u16).fact("allowed", seats));
    }
    if let NewDeal::Explicit { wall, .. } = &new.deal {
        faults.extend(wrong_pack(&new.rules, wall));
    }
    let decided = decided_dealer(new);
    let left_to_table =
        if new.rules.set().leaves_dealer_to_table() { LeftToTable::ByRuleSet } else { LeftToTable::ByWall };
    let dealer = match (new.dealer, decided) {
        (given, _) if new.rules.set().draws_dealer() => {
            faults.extend(given.map(dealer_before_cards));
            Seat(0)
        }
        (Some(given), Some(decided)) if given != decided => {
            faults.push(other_dealer(given, decided));
            decided
        }
        (given, None) if given.is_none_or(|seat| seat.0 >= seats) => {
            faults.push(unnamed_dealer(given, seats, left_to_table));
            Seat(0)
        }
        (given, decided) => decided.or(given).unwrap_or(Seat(0)),
    };
    if faults.is_empty() { Ok(dealer) } else { Err(faults) }
}

/// The first dealer where rule set and mode decide it.
fn decided_dealer(new: &NewGame) -> Option<Seat> {
    match &new.deal {
        NewDeal::Seeded(secret) | NewDeal::Committed(secret) => {
            random_dealer(&new.rules, new.game_id, secret)
        }
        NewDeal::Explicit { .. } | NewDeal::Transcribed => None,
    }
}

pub(super) fn random_dealer(rules: &Rules, game_id: GameId, secret: &GameSecret) -> Option<Seat> {
    if rules.set().first_dealer != FirstDealer::Random {
        return None;
    }
    deal::random_dealer(&secret.round(1, 1), game_id, 1, rules.set().seats).ok()
}

/// Judges, carries out and records an action. A round that ends is scored and closed in the same
/// reply, and the next one registered.
///
/// # Errors
/// The rejection, or that the round takes no more actions; `state` is then unchanged.
pub fn act(state: &mut State, actor: As, action: &Action, stamp: Stamp) -> Result<Acted, ActError> {
    act_restoring(state, None, actor, action, stamp)
}

/// As [`act`], with the state that a ruling restores (see [`check_restoring`]).
///
/// # Errors
/// As [`act`].
pub fn act_restoring(
    state: &mut State,
    earlier: Option<&State>,
    actor: As,
    action: &Action,
    stamp: Stamp,
) -> Result<Acted, ActError> {
    let legal = check_restoring(state, earlier, actor, action)?;
    if !limits::has_room(state.round.length, action.kind()) {
        return Err(ActError::RoundTooLong);
    }
    let length = state.round.length;
    let events = apply(state, legal);
    // A ruling that restores an earlier state takes nothing out of the log.
    state.round.length = length;
    let mut book = Scribe::open(state);
    let seat = match actor {
        As::Seat(seat) => Some(seat),
        _ => None,
    };
    let record = ActionRecord {
        actor: seat,
        action: as_recorded(state, action),
        elapsed_ms: stamp.elapsed_ms,
        cards: None,
        signature: stamp.signature,
        digest: digest::public(state),
    };
    book.must_write(&Record::Action(Box::new(record)));
    book.count(state);
    let (mut round, mut result) = (None, None);
    if state.phase() == Phase::GameOver && matches!(action, Action::Ruling(_)) {
        // It may have moved the totals.
        result = Some(scoring::standing(state));
    }
    if state.round_over().is_some_and(|over| over.reason == EndReason::Voided)
        && state.phase() == Phase::RoundOver
    {
        book.void(state);
        book.prepare(state);
    } else if state.phase() == Phase::RoundOver {
        let (score, end) = book.round_end(state);
        round = Some(score);
        result = end;
        match &result {
            Some(result) => book.game_end(state, result),
            None => book.prepare(state),
        }
    }
    let frames = book.close(state);
    Ok(Acted { events, frames, round, result })
}

/// A ruling is recorded with its number, and with the position it sets masked, for that shows hands.
pub(crate) fn as_recorded(state: &State, action: &Action) -> Action {
    let Action::Ruling(ruling) = action else { return action.clone() };
    let mut ruling = ruling.clone();
    ruling.id = state.rulings().last;
    if let Some(plain) = ruling.effect.position.take() {
        let (n, key) = (state.link().n + 1, reveal_key(state));
        let masked = key.map(|key| {
            let masked = deal::mask(MaskLabel::Ruling, key.as_mask(), n, &plain);
            masked.expect("a position that was read is short enough to mask")
        });
        ruling.effect.masked = masked.is_some();
        ruling.effect.position = Some(masked.unwrap_or(plain));
    }
    Action::Ruling(ruling)
}

/// Records a refused action, as [`check`] refused it: a record, no `seq`, nothing else changes.
///
/// # Errors
/// If a log cannot hold the action, or the round takes no more.
pub fn refuse(
    state: &mut State,
    actor: As,
    action: &Action,
    rejection: &Rejection,
    stamp: Stamp,
) -> Result<Vec<u8>, RefuseError> {
    if !limits::has_room(state.round.length, action.kind()) {
        return Err(RefuseError::RoundTooLong);
    }
    let seat = match actor {
        As::Seat(seat) => Some(seat),
        _ => None,
    };
    let attempt = attempt(state, seat, action)?;
    let codes = rejection.violations.iter().map(|v| v.code.name().to_string()).collect();
    let record = Refusal { actor: seat, elapsed_ms: stamp.elapsed_ms, codes, attempt };
    let mut book = Scribe::open(state);
    book.write(&Record::Refusal(Box::new(record)))?;
    book.count(state);
    Ok(book.close(state))
}

/// Whether a round is dealt and not revealed yet.
pub(super) fn hides_cards(state: &State) -> bool {
    !matches!(state.phase(), Phase::Setup | Phase::Deal | Phase::GameOver)
}

/// While the cards of a round are hidden a refused action is masked, for it may show hand cards.
pub(crate) fn attempt(state: &State, seat: Option<Seat>, action: &Action) -> Result<Attempt, FieldError> {
    let bytes = action_bytes(action)?;
    let Some(key) = reveal_key(state).filter(|_| hides_cards(state)) else {
        return Ok(Attempt::Clear(action.clone()));
    };
    let plain: Vec<u8> = core::iter::once(seat.map_or(u8::MAX, |Seat(s)| s)).chain(bytes).collect();
    let n = state.link().n + 1;
    let bytes = deal::mask(MaskLabel::Refusal, key.as_mask(), n, &plain);
    let bytes = bytes.expect("an action that a record holds is short enough to mask");
    Ok(Attempt::Masked { kind: action.kind(), bytes })
}

/// What a round's reveal will disclose.
pub(crate) enum Key {
    Secret(RoundSecret),
    Salt(WallSalt),
}

impl Key {
    pub(crate) fn as_mask(&self) -> MaskKey<'_> {
        match self {
            Self::Secret(secret) => MaskKey::Secret(secret),
            Self::Salt(salt) => MaskKey::Salt(salt),
        }
    }
}

pub(crate) fn reveal_key(state: &State) -> Option<Key> {
    match &state.origin().source {
        DealSource::Seeded(game) => {
            Some(Key::Secret(game.round(state.round.number.into(), state.round.attempt.into())))
        }
        DealSource::Round(secret) => Some(Key::Secret(secret.clone())),
        DealSource::Wall { salt, .. } => Some(Key::Salt(salt.clone())),
        DealSource::Unknown => None,
    }
}

/// Records a remark: a record, no `seq`.
///
/// # Errors
/// If the text is too long.
pub fn note(state: &mut State, by: Author, text: String, stamp: Stamp) -> Result<Vec<u8>, FieldError> {
    append(state, &Record::Note(Note { by, elapsed_ms: stamp.elapsed_ms, text }))
}

/// Records a signed note over the last record.
///
/// # Errors
/// If the note is too long.
pub fn checkpoint(state: &mut State, signed: String) -> Result<Vec<u8>, FieldError> {
    append(state, &Record::Checkpoint(signed))
}

fn append(state: &mut State, record: &Record) -> Result<Vec<u8>, FieldError> {
    let mut book = Scribe::open(state);
    book.write(record)?;
    Ok(book.close(state))
}

/// Writes records one after another and keeps the chain.
struct Scribe {
    chain: Chain,
    frames: Vec<u8>,
}

impl Scribe {
    fn open(state: &State) -> Self {
        let link = state.link();
        Self { chain: Chain { next: link.n + 1, head: link.head }, frames: Vec::with_capacity(64) }
    }

    fn write(&mut self, record: &Record) -> Result<(), FieldError> {
        let payload = record.encode()?;
        self.chain.append(&payload, &mut self.frames);
        Ok(())
    }

    fn must_write(&mut self, record: &Record) {
        self.write(record).expect("what check allowed fits a record");
    }

    /// Counts the record that was written as one of the round, if one goes on.
    fn count(&self, state: &mut State) {
        if !matches!(state.phase(), Phase::Setup | Phase::GameOver) {
            let length = &mut state.round.length;
            length.records += 1;
            length.bytes += self.frames.len() as u32;
        }
    }

    fn close(self, state: &mut State) -> Vec<u8> {
        let seq = state.link.seq;
        state.link = Link { n: self.chain.next - 1, seq, head: self.chain.head };
        self.frames
    }

    /// What follows the end of a round: the next register, where the table does not send it.
    fn prepare(&mut self, state: &mut State) {
        // A given wall is that of one deal; cards drawn for the seats are not of it.
        let drawn = state.round_over().is_some_and(|over| over.reason == EndReason::Drawn);
        if matches!(state.origin.source, DealSource::Wall { .. }) && !drawn {
            state.origin.source = DealSource::Unknown;
        } else if state.origin.registration == Registration::Auto {
            self.register(state, Vec::new(), None);
        }
    }

    /// The register of the round that comes next.
    fn register(&mut self, state: &mut State, seats: Vec<Option<[u8; 32]>>, beacon: Option<Beacon>) {
        if let Some(entries) = &mut state.entries {
            **entries = entries_of(&seats, beacon);
        }
        let (round, attempt) = (u32::from(state.round.number), u32::from(state.round.attempt));
        state.register();
        self.must_write(&Record::Register(Box::new(Register {
            round,
            attempt,
            // Where cards decide who deals there is no dealer before.
            dealer: (round > 0 || !state.set().draws_dealer()).then_some(state.round.dealer),
            commitment: commitment(state).map(|commitment| commitment.0),
            seats,
            beacon,
        })));
    }

    fn round_end(&mut self, state: &mut State) -> (RoundScore, Option<GameResult>) {
        let end = end_of(state);
        let (score, result) = scoring::book(state);
        self.must_write(&Record::RoundEnd(Box::new(RoundEnd { scores: scores(&score), ..end })));
        (score, result)
    }

    /// The end of a deal that is void: nothing is scored, and the next record is a register.
    fn void(&mut self, state: &mut State) {
        let end = end_of(state);
        scoring::void(state);
        self.must_write(&Record::RoundEnd(Box::new(end)));
    }

    fn game_end(&mut self, state: &State, result: &GameResult) {
        let secret = match &state.origin().source {
            DealSource::Seeded(secret) => Some(secret.0),
            _ => None,
        };
        self.must_write(&Record::GameEnd(GameEnd { winner: result.winner.map(|unit| unit.0), secret }));
    }
}

/// The end of the round that is over, without its score.
pub(crate) fn end_of(state: &State) -> RoundEnd {
    let over = state.round_over().expect("a round that ends says why");
    RoundEnd {
        round: state.round.number.into(),
        attempt: state.round.attempt.into(),
        reason: over.reason,
        reveal: reveal(state),
        scores: Vec::new(),
        digest: digest::full(state),
    }
}

/// What the end of the round will disclose of its cards.
pub(crate) fn reveal(state: &State) -> Reveal {
    match &state.origin().source {
        DealSource::Wall { .. } if state.round.number == 0 => Reveal::None,
        DealSource::Wall { wall, salt } => Reveal::Wall { cards: wall.clone(), salt: salt.0 },
        _ => match reveal_key(state) {
            Some(Key::Secret(secret)) => Reveal::Secret(secret.0),
            _ => Reveal::None,
        },
    }
}

/// The score lines as a round end holds them.
pub(crate) fn scores(score: &RoundScore) -> Vec<Score> {
    let account = |(unit, account): (usize, &scoring::Account)| Score {
        unit: unit as u8,
        lines: account
            .lines
            .iter()
            .map(|l| ScoreLine { item: l.item, count: l.count, points: l.points })
            .collect(),
    };
    score.accounts.iter().enumerate().map(account).collect()
}

/// C_d, or C_w where the wall is given; none where players pick their own cards.
pub(crate) fn commitment(state: &State) -> Option<Commitment> {
    let id = state.deal_id();
    match &state.origin.source {
        DealSource::Wall { .. } if state.round.number == 0 => None,
        DealSource::Wall { wall, salt } => {
            Some(Commitment::wall(&id, salt, wall).expect("a validated wall can be committed to"))
        }
        _ => match reveal_key(state) {
            Some(Key::Secret(secret)) => Some(Commitment::dealer(&id, &secret)),
            _ => None,
        },
    }
}
