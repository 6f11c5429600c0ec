//! Playing a game and writing its log: every accepted action becomes frames ready to be appended.

use super::action::action_bytes;
use super::digest;
use super::error::FieldError;
use super::frame::{Chain, HEADER};
use super::record::{
    ActionRecord, Attempt, Author, DealMode, EndReason, Fork, GameEnd, Genesis, Note, Player, Record,
    Refusal, Register, Registration, Reveal, RoundEnd, Score, ScoreLine,
};
use crate::action::{Action, As};
use crate::apply::apply;
use crate::card::{Card, Cards};
use crate::check::check;
use crate::deal::{self, Commitment, DealId, GameId, GameSecret, MaskKey, MaskLabel, RoundSecret, WallSalt};
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

/// The version that stands in every genesis this engine writes.
pub const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where the cards of a new game come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NewDeal {
    /// Seeded: every deal follows from this secret.
    Seeded(GameSecret),
    /// Explicit: the first wall, first card dealt first, and its salt.
    Explicit {
        /// The whole pack in dealing order.
        wall: Vec<Card>,
        /// Never used twice.
        salt: WallSalt,
    },
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
        NewDeal::Explicit { wall, salt } => (DealSource::Wall { wall, salt }, DealMode::Explicit),
    };
    let commitment = match &source {
        DealSource::Seeded(secret) => Some(Commitment::game(new.game_id, secret).0),
        _ => None,
    };
    let genesis = Genesis {
        game_id: new.game_id.0,
        rule_set_id: new.rules.id().to_string(),
        base: new.rules.base().name().to_string(),
        rule_set: new.rules.canonical().to_vec(),
        players: new.players,
        mode,
        registration: Registration::Auto,
        commitment,
        engine: ENGINE_VERSION.to_string(),
        started_at_ms: new.started_at_ms,
        fork_of: new.fork_of,
    };
    let origin =
        Origin { game_id: new.game_id, registration: Registration::Auto, source, expires_at: new.expires_at };
    let mut state = State::new(new.rules, origin, dealer);
    let mut book = Scribe { chain: Chain::START, frames: HEADER.to_vec() };
    book.write(&Record::Genesis(Box::new(genesis))).map_err(CreateError::Field)?;
    book.register(&mut state);
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
        let whole = wall.len() == usize::from(new.rules.deck_size())
            && wall.iter().copied().collect::<Cards>() == new.rules.census();
        if !whole {
            let fault = Violation::new(Code::SetupDeck, Field::Action);
            faults.push(fault.fact("found", wall.len() as u16).fact("required", new.rules.deck_size()));
        }
    }
    let decided = decided_dealer(new);
    let dealer = match (new.dealer, decided) {
        (Some(given), Some(decided)) if given != decided => {
            let fault = Violation::new(Code::SetupDealer, Field::Action);
            faults.push(fault.fact("seat", given).fact("required", decided));
            decided
        }
        (Some(given), None) if given.0 >= seats => {
            let fault = Violation::new(Code::SetupDealer, Field::Action).fact("seat", given);
            faults.push(fault);
            Seat(0)
        }
        (None, None) => {
            faults.push(Violation::new(Code::SetupDealer, Field::Action));
            Seat(0)
        }
        (given, decided) => decided.or(given).unwrap_or(Seat(0)),
    };
    if faults.is_empty() { Ok(dealer) } else { Err(faults) }
}

/// The first dealer where rule set and mode decide it.
fn decided_dealer(new: &NewGame) -> Option<Seat> {
    match &new.deal {
        NewDeal::Seeded(secret) => random_dealer(&new.rules, new.game_id, secret),
        NewDeal::Explicit { .. } => None,
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
/// The rejection; `state` is then unchanged.
pub fn act(state: &mut State, actor: As, action: &Action, stamp: Stamp) -> Result<Acted, Rejection> {
    let legal = check(state, actor, action)?;
    let events = apply(state, legal);
    let mut book = Scribe::open(state);
    let seat = match actor {
        As::Seat(seat) => Some(seat),
        _ => None,
    };
    let record = ActionRecord {
        actor: seat,
        action: action.clone(),
        elapsed_ms: stamp.elapsed_ms,
        cards: None,
        signature: stamp.signature,
        digest: digest::public(state),
    };
    book.must_write(&Record::Action(Box::new(record)));
    let (mut round, mut result) = (None, None);
    if state.phase() == Phase::RoundOver {
        let (score, end) = book.round_end(state);
        round = Some(score);
        result = end;
        match (&result, &state.origin.source) {
            (Some(result), _) => book.game_end(state, result),
            (None, DealSource::Wall { .. }) => state.origin.source = DealSource::Unknown,
            (None, _) => book.register(state),
        }
    }
    let frames = book.close(state);
    Ok(Acted { events, frames, round, result })
}

/// Records a refused action, as [`check`] refused it: a record, no `seq`, nothing else changes.
///
/// # Errors
/// If a log cannot hold the action.
pub fn refuse(
    state: &mut State,
    actor: As,
    action: &Action,
    rejection: &Rejection,
    stamp: Stamp,
) -> Result<Vec<u8>, FieldError> {
    let seat = match actor {
        As::Seat(seat) => Some(seat),
        _ => None,
    };
    let attempt = attempt(state, seat, action)?;
    let codes = rejection.violations.iter().map(|v| v.code.name().to_string()).collect();
    let record = Refusal { actor: seat, elapsed_ms: stamp.elapsed_ms, codes, attempt };
    append(state, &Record::Refusal(Box::new(record)))
}

/// While the cards of a round are hidden a refused action is masked, for it may show hand cards.
fn attempt(state: &State, seat: Option<Seat>, action: &Action) -> Result<Attempt, FieldError> {
    let hidden = matches!(state.phase(), Phase::Start | Phase::Play | Phase::Asked | Phase::RoundOver);
    let bytes = action_bytes(action)?;
    if !hidden {
        return Ok(Attempt::Clear(action.clone()));
    }
    let plain: Vec<u8> = core::iter::once(seat.map_or(u8::MAX, |Seat(s)| s)).chain(bytes).collect();
    let n = state.link().n + 1;
    let masked = match reveal_key(state) {
        Some(Key::Secret(secret)) => deal::mask(MaskLabel::Refusal, MaskKey::Secret(&secret), n, &plain),
        Some(Key::Salt(salt)) => deal::mask(MaskLabel::Refusal, MaskKey::Salt(&salt), n, &plain),
        None => return Ok(Attempt::Clear(action.clone())),
    };
    let bytes = masked.expect("an action that a record holds is short enough to mask");
    Ok(Attempt::Masked { kind: action.kind(), bytes })
}

/// What a round's reveal will disclose.
pub(super) enum Key {
    Secret(RoundSecret),
    Salt(WallSalt),
}

pub(super) fn reveal_key(state: &State) -> Option<Key> {
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

    fn close(self, state: &mut State) -> Vec<u8> {
        let seq = state.link.seq;
        state.link = Link { n: self.chain.next - 1, seq, head: self.chain.head };
        self.frames
    }

    /// The register of the round that comes next.
    fn register(&mut self, state: &mut State) {
        let (round, attempt) = (u32::from(state.round.number), u32::from(state.round.attempt));
        self.must_write(&Record::Register(Box::new(Register {
            round,
            attempt,
            dealer: Some(state.round.dealer),
            commitment: Some(commitment(state).0),
            seats: Vec::new(),
            beacon: None,
        })));
        state.register();
    }

    fn round_end(&mut self, state: &mut State) -> (RoundScore, Option<GameResult>) {
        let over = state.round_over().expect("a round that ends says why");
        let (round, attempt) = (u32::from(state.round.number), u32::from(state.round.attempt));
        let reveal = match &state.origin().source {
            DealSource::Wall { wall, salt } => Reveal::Wall { cards: wall.clone(), salt: salt.0 },
            _ => match reveal_key(state) {
                Some(Key::Secret(secret)) => Reveal::Secret(secret.0),
                _ => Reveal::None,
            },
        };
        let digest = digest::full(state);
        let (score, result) = scoring::book(state);
        let scores = scores(&score);
        let reason: EndReason = over.reason;
        self.must_write(&Record::RoundEnd(Box::new(RoundEnd {
            round,
            attempt,
            reason,
            reveal,
            scores,
            digest,
        })));
        (score, result)
    }

    fn game_end(&mut self, state: &State, result: &GameResult) {
        let secret = match &state.origin().source {
            DealSource::Seeded(secret) => Some(secret.0),
            _ => None,
        };
        self.must_write(&Record::GameEnd(GameEnd { winner: result.winner.map(|side| side.0), secret }));
    }
}

/// The score lines as a round end holds them.
pub(super) fn scores(score: &RoundScore) -> Vec<Score> {
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

/// C_d, or C_w where the wall is given.
pub(super) fn commitment(state: &State) -> Commitment {
    let id = DealId::new(state.origin.game_id, state.round.number.into(), state.round.attempt.into());
    match &state.origin.source {
        DealSource::Wall { wall, salt } => {
            Commitment::wall(&id, salt, wall).expect("a validated wall can be committed to")
        }
        _ => match reveal_key(state) {
            Some(Key::Secret(secret)) => Commitment::dealer(&id, &secret),
            _ => unreachable!("a game that is played has a source of cards"),
        },
    }
}
