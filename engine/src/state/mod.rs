//! The state of one game at one moment: zones, round facts, turn facts (model section 2).
//!
//! A [`State`] is always valid; anything else is a [`Setup`], which says all that is wrong with it.

use crate::action::{About, MeldId, MeldKind};
use crate::card::{Card, Cards, Class, Rank};
use crate::deal::{GameId, GameSecret, RoundSecret, WallSalt};
use crate::event::{FreezeCause, Grade};
use crate::rules::{Classes, PileUnopened, RuleSet, Rules, SideFormation};
use crate::seat::{MAX_SEATS, Seat, Side};
use alloc::sync::Arc;
use alloc::vec::Vec;

mod setup;

pub use setup::{Setup, SetupFault};

/// The most melds a state may hold, all sides together.
pub const MAX_MELDS: usize = 128;

/// Where the game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Phase {
    /// The next record is a register.
    Setup = 0,
    /// The next action is `deal`.
    Deal = 1,
    /// The seat in turn has not drawn or taken yet.
    Start = 2,
    /// The seat in turn may meld and must discard.
    Play = 3,
    /// A question waits for its answer.
    Asked = 4,
    /// The round has ended and is not scored yet.
    RoundOver = 5,
    /// The game has its result.
    GameOver = 6,
}

impl Phase {
    /// All phases, by number.
    pub const ALL: [Self; 7] =
        [Self::Setup, Self::Deal, Self::Start, Self::Play, Self::Asked, Self::RoundOver, Self::GameOver];

    /// The phase's name in facts and views (`START`).
    pub fn name(self) -> &'static str {
        ["SETUP", "DEAL", "START", "PLAY", "ASKED", "ROUND_OVER", "GAME_OVER"][self as usize]
    }
}

/// Why a round ended (ALG-24).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum EndReason {
    /// Round 0: cards were drawn for seats and dealer.
    Drawn = 0,
    WentOut = 1,
    StockExhausted = 2,
    LastThree = 3,
    LastDrawerDone = 4,
    SpecialHand = 5,
    Ruled = 6,
    Voided = 7,
}

impl EndReason {
    /// All reasons, by number.
    pub const ALL: [Self; 8] = [
        Self::Drawn,
        Self::WentOut,
        Self::StockExhausted,
        Self::LastThree,
        Self::LastDrawerDone,
        Self::SpecialHand,
        Self::Ruled,
        Self::Voided,
    ];

    /// The reason's name in facts (`WENT_OUT`).
    pub fn fact(self) -> &'static str {
        const NAMES: [&str; 8] = [
            "DRAWN",
            "WENT_OUT",
            "STOCK_EXHAUSTED",
            "LAST_THREE",
            "LAST_DRAWER_DONE",
            "SPECIAL_HAND",
            "RULED",
            "VOIDED",
        ];
        NAMES[self as usize]
    }

    /// The interchange form's word (`went_out`).
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 8] = [
            "drawn",
            "went_out",
            "stock_exhausted",
            "last_three",
            "last_drawer_done",
            "special_hand",
            "ruled",
            "voided",
        ];
        NAMES[self as usize]
    }
}

/// How a round ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundOver {
    /// The cause.
    pub reason: EndReason,
    /// The seat whose action ended the round.
    pub seat: Option<Seat>,
    /// Whether that seat went out concealed.
    pub concealed: bool,
}

/// Where this turn's cards came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Source {
    None = 0,
    Stock = 1,
    Pile = 2,
}

/// The state of this turn's question (ALG-17).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Permission {
    None,
    /// `to` was asked and has not answered.
    Pending {
        about: About,
        to: Seat,
    },
    Yes,
    /// Refused by this seat.
    No {
        by: Seat,
    },
}

/// What of a round is remembered besides the cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// Rounds count from 1; 0 before the first register.
    pub(crate) number: u16,
    /// 1, and one more for each voided deal of this round.
    pub(crate) attempt: u16,
    pub(crate) dealer: Seat,
    /// Bit per side that has made its initial meld.
    pub(crate) opened: u8,
    /// Bit per seat that has laid a meld or an addition in this round.
    pub(crate) has_melded: u8,
    /// Bit per seat that has asked in this round.
    pub(crate) asked: u8,
    /// How many cards at the bottom of the pile were turned at the deal.
    pub(crate) start_len: u16,
    /// The next meld id of each side.
    pub(crate) next_id: [u8; MAX_SEATS],
    pub(crate) over: Option<RoundOver>,
}

/// What of a turn is remembered besides the cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    pub(crate) seat: Seat,
    pub(crate) source: Source,
    /// A meld action (not the take itself) was made since the draw: the window to ask is closed.
    pub(crate) melded_since_draw: bool,
    pub(crate) permission: Permission,
    /// The seat had melded in this round before this turn began (ALG-18).
    pub(crate) melded_before: bool,
    /// A card of this turn went onto a meld that existed when the turn began (ALG-18).
    pub(crate) touched_old: bool,
    /// Melds of the own side with this id or above were begun in this turn.
    pub(crate) new_from: u8,
}

/// A meld on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meld {
    /// The side that owns it.
    pub side: Side,
    /// Its number within the side and round.
    pub id: MeldId,
    /// What it is.
    pub kind: MeldKind,
    /// The rank of a set.
    pub rank: Option<Rank>,
    /// Its cards.
    pub cards: Cards,
}

impl Meld {
    /// How many cards it has.
    pub fn len(&self) -> u16 {
        self.cards.len()
    }

    /// Whether it has no card (never true of a meld on the table).
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// How many twos and jokers it holds.
    pub fn wilds(&self) -> u8 {
        self.cards.wilds()
    }

    /// What kind of canasta it is under `set`; `None` while it is open. Black threes never are one.
    pub fn grade(&self, set: &RuleSet) -> Option<Grade> {
        let full =
            u16::from(if self.kind == MeldKind::Sequence { set.sequence_max } else { set.canasta_size });
        if self.kind == MeldKind::BlackThrees || self.len() < full {
            return None;
        }
        Some(match self.kind {
            MeldKind::Wild => Grade::Wild,
            MeldKind::Sequence => Grade::Sequence,
            _ if self.wilds() == 0 => Grade::Natural,
            _ => Grade::Mixed,
        })
    }
}

/// The place of a state in its log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Link {
    /// Number of the last record.
    pub n: u64,
    /// Number of the last accepted action, 0 before the first.
    pub seq: u64,
    /// Head of the hash chain after record `n`.
    pub head: [u8; 32],
}

/// Whether registers are written by the engine or sent by the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum Registration {
    #[default]
    Auto,
    ByTable,
}

/// What the deals of a game follow from (spec "Dealing", Modes).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DealSource {
    /// Seeded: the game's secret.
    Seeded(GameSecret),
    /// An audit that knows the secret of one round only.
    Round(RoundSecret),
    /// Explicit: the wall of this round, first card dealt first, and its salt.
    Wall {
        /// The whole pack in dealing order.
        wall: Vec<Card>,
        /// The commitment's salt.
        salt: WallSalt,
    },
    /// Nothing can be dealt: an explicit game whose next wall has not been registered.
    Unknown,
}

/// What a game keeps from its creation to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The game's id.
    pub game_id: GameId,
    /// Who writes registers.
    pub registration: Registration,
    /// Where the cards come from.
    pub source: DealSource,
    /// When tokens of this game expire, ms since 1970; `None` is never.
    pub expires_at: Option<i64>,
}

/// One game at one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    pub(crate) rules: Arc<Rules>,
    pub(crate) origin: Origin,
    pub(crate) link: Link,
    /// Cumulative scores of finished rounds, by side.
    pub(crate) scores: [i32; MAX_SEATS],
    pub(crate) phase: Phase,
    pub(crate) round: Round,
    pub(crate) turn: Turn,
    /// Face down; the last element is the top.
    pub(crate) stock: Vec<Card>,
    /// Face up; the last element is the top.
    pub(crate) pile: Vec<Card>,
    pub(crate) hands: [Cards; MAX_SEATS],
    /// What in the pile freezes it against everyone; follows from `pile` and `round.start_len`.
    pub(crate) freeze: Causes,
    /// Red threes laid by each seat.
    pub(crate) laid: [Cards; MAX_SEATS],
    /// By side, then by id.
    pub(crate) melds: Vec<Meld>,
}

/// A set of causes that freeze a pile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Causes(u8);

impl Causes {
    /// Whether nothing freezes the pile.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The causes in the order of the facts.
    pub fn iter(self) -> impl Iterator<Item = FreezeCause> {
        FreezeCause::ALL.into_iter().filter(move |&cause| self.0 & (1 << cause as u8) != 0)
    }

    pub(crate) fn set(&mut self, cause: FreezeCause, on: bool) {
        self.0 |= u8::from(on) << cause as u8;
    }
}

/// Completed melds of a side, counted for going out (ALG-14).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Canastas {
    /// Of any kind.
    pub total: u8,
    /// Without wild cards.
    pub clean: u8,
    /// Of wild cards only.
    pub wild: u8,
}

impl Canastas {
    pub(crate) fn count(&mut self, grade: Option<Grade>) {
        let Some(grade) = grade else { return };
        self.total += 1;
        self.clean += u8::from(matches!(grade, Grade::Natural | Grade::Sequence));
        self.wild += u8::from(grade == Grade::Wild);
    }
}

impl State {
    /// A game before its first register.
    pub fn new(rules: Arc<Rules>, origin: Origin, dealer: Seat) -> Self {
        let capacity = usize::from(rules.deck_size());
        Self {
            rules,
            origin,
            link: Link::default(),
            scores: [0; MAX_SEATS],
            phase: Phase::Setup,
            round: Round::new(1, 1, dealer),
            turn: Turn::of(dealer, false, 0),
            stock: Vec::with_capacity(capacity),
            pile: Vec::with_capacity(capacity),
            hands: [Cards::EMPTY; MAX_SEATS],
            freeze: Causes::default(),
            laid: [Cards::EMPTY; MAX_SEATS],
            melds: Vec::with_capacity(32),
        }
    }

    /// The round is registered: the next action is `deal`.
    ///
    /// # Panics
    /// If no register is due.
    pub fn register(&mut self) {
        assert_eq!(self.phase, Phase::Setup, "a register stands before every deal and nowhere else");
        self.phase = Phase::Deal;
    }

    /// Takes all cards off the table, with everything of the round that speaks of them.
    pub(crate) fn gather(&mut self) {
        self.stock.clear();
        self.pile.clear();
        self.melds.clear();
        self.hands = [Cards::EMPTY; MAX_SEATS];
        self.laid = [Cards::EMPTY; MAX_SEATS];
        self.freeze = Causes::default();
        let Round { number, attempt, dealer, over, .. } = self.round;
        self.round = Round { over, ..Round::new(number, attempt, dealer) };
        self.turn = Turn::of(dealer, false, 0);
    }

    /// The rule set in force, made ready.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The knobs in force.
    pub fn set(&self) -> &RuleSet {
        self.rules.set()
    }

    /// The place in the log.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// What the game keeps from its creation.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Where the game stands.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Number of the round, from 1.
    pub fn round_number(&self) -> u16 {
        self.round.number
    }

    /// The dealer of this round.
    pub fn dealer(&self) -> Seat {
        self.round.dealer
    }

    /// The seat whose turn it is.
    pub fn turn_seat(&self) -> Seat {
        self.turn.seat
    }

    /// The seat that must act now: the one in turn, or the one that was asked.
    pub fn to_act(&self) -> Option<Seat> {
        match (self.phase, self.turn.permission) {
            (Phase::Asked, Permission::Pending { to, .. }) => Some(to),
            (Phase::Start | Phase::Play, _) => Some(self.turn.seat),
            _ => None,
        }
    }

    /// How the round ended, while it is not scored yet.
    pub fn round_over(&self) -> Option<RoundOver> {
        self.round.over
    }

    /// Cumulative scores of finished rounds, by side.
    pub fn scores(&self) -> &[i32] {
        &self.scores[..usize::from(self.set().side_count)]
    }

    /// The hand of `seat`.
    pub fn hand(&self, seat: Seat) -> &Cards {
        &self.hands[seat.index()]
    }

    /// The red threes laid by `seat`.
    pub fn laid(&self, seat: Seat) -> &Cards {
        &self.laid[seat.index()]
    }

    /// All melds, by side, then by id.
    pub fn melds(&self) -> &[Meld] {
        &self.melds
    }

    /// The pile, bottom to top.
    pub fn pile(&self) -> &[Card] {
        &self.pile
    }

    /// How many cards the stock has.
    pub fn stock_len(&self) -> u16 {
        self.stock.len() as u16
    }

    /// The stock, bottom to top: hidden from everyone at the table.
    pub fn stock(&self) -> &[Card] {
        &self.stock
    }

    /// All seats in order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.set().seats).map(Seat)
    }

    /// All sides in order.
    pub fn sides(&self) -> impl Iterator<Item = Side> + use<> {
        (0..self.set().side_count).map(Side)
    }

    /// The side of `seat` (CL-006).
    pub fn side_of(&self, seat: Seat) -> Side {
        debug_assert_eq!(self.set().side_formation, SideFormation::Fixed);
        Side(seat.0 % self.set().side_count)
    }

    /// The seats of `side` in order.
    pub fn seats_of(&self, side: Side) -> impl Iterator<Item = Seat> + use<> {
        let step = usize::from(self.set().side_count);
        (side.0..self.set().seats).step_by(step).map(Seat)
    }

    /// The mates of `seat`: the other seats of its side, in order.
    pub fn mates(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        self.seats_of(self.side_of(seat)).filter(move |&s| s != seat)
    }

    /// The melds of `side`, by id.
    pub fn melds_of(&self, side: Side) -> impl Iterator<Item = &Meld> {
        self.melds.iter().filter(move |m| m.side == side)
    }

    /// The meld `id` of `side`.
    pub fn meld(&self, side: Side, id: MeldId) -> Option<&Meld> {
        self.melds.iter().find(|m| m.side == side && m.id == id)
    }

    /// Whether `side` has made its initial meld.
    pub fn opened(&self, side: Side) -> bool {
        self.round.opened & (1 << side.0) != 0
    }

    /// Whether `seat` has melded in this round.
    pub fn has_melded(&self, seat: Seat) -> bool {
        self.round.has_melded & (1 << seat.0) != 0
    }

    /// Causes in the pile itself that freeze it against every side (CL-050, CL-051, CV-011).
    pub fn pile_causes(&self) -> Causes {
        let mut causes = self.freeze;
        causes.set(FreezeCause::Always, self.set().frozen_always);
        causes
    }

    /// All causes that freeze the pile against `side` (ALG-04).
    pub fn frozen(&self, side: Side) -> Causes {
        let mut causes = self.pile_causes();
        let unopened = !self.opened(side) && self.set().pile_unopened == PileUnopened::Frozen;
        causes.set(FreezeCause::NotOpened, unopened);
        causes
    }

    /// Puts `card` on the pile; returns the cause if the card froze a pile that was open to all.
    pub(crate) fn push_pile(&mut self, card: Card, freezers: Classes) -> Option<FreezeCause> {
        self.pile.push(card);
        let cause = match card.class() {
            class if !freezers.contains(class) => return None,
            Class::Wild => FreezeCause::Wild,
            _ => FreezeCause::RedThree,
        };
        let was_open = self.pile_causes().is_empty();
        self.freeze.set(cause, true);
        was_open.then_some(cause)
    }

    /// Recomputes the freezing causes from the cards of the pile.
    pub(crate) fn causes_of_pile(&self) -> Causes {
        let set = self.set();
        let (start, discards) = self.pile.split_at(self.pile.len().min(usize::from(self.round.start_len)));
        let mut causes = Causes::default();
        for (cards, freezers) in [(start, set.start_freezes), (discards, set.discard_freezes)] {
            let kinds = cards.iter().fold(0, |kinds, card| kinds | 1u64 << card.kind());
            let freezing = kinds & freezers.iter().fold(0, |kinds, class| kinds | class.kinds());
            causes.set(FreezeCause::Wild, freezing & Class::Wild.kinds() != 0);
            causes.set(FreezeCause::RedThree, freezing & !Class::Wild.kinds() != 0);
        }
        causes
    }

    /// The completed melds of `side`.
    pub fn canastas(&self, side: Side) -> Canastas {
        let mut canastas = Canastas::default();
        for meld in self.melds_of(side) {
            canastas.count(meld.grade(self.set()));
        }
        canastas
    }

    /// The minimum that `side` must reach with its initial meld (CL-058).
    pub fn minimum(&self, side: Side) -> i32 {
        self.set().initial_bands.minimum_for_score(self.scores[side.index()])
    }
}

impl Round {
    pub(crate) fn new(number: u16, attempt: u16, dealer: Seat) -> Self {
        Self {
            number,
            attempt,
            dealer,
            opened: 0,
            has_melded: 0,
            asked: 0,
            start_len: 0,
            next_id: [0; MAX_SEATS],
            over: None,
        }
    }
}

impl Turn {
    pub(crate) fn of(seat: Seat, melded_before: bool, new_from: u8) -> Self {
        Self {
            seat,
            source: Source::None,
            melded_since_draw: false,
            permission: Permission::None,
            melded_before,
            touched_old: false,
            new_from,
        }
    }
}
