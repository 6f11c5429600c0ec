//! The state of one game at one moment: zones, round facts, turn facts (model section 2).
//!
//! A [`State`] is always valid; anything else is a [`Setup`], which says all that is wrong with it.

use crate::action::{About, MeldId, MeldKind, SpecialHand};
use crate::card::{Card, Cards, Class, Rank};
use crate::deal::{GameId, GameSecret, RoundSecret, WallSalt};
use crate::event::{FreezeCause, Grade};
use crate::rules::{Classes, FirstDealer, InitialKey, NextDealer, PileUnopened, RuleSet, Rules, ScoreUnit};
use crate::seat::{MAX_SEATS, Seat, Side, Unit};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

mod entries;
mod rulings;
mod setup;
mod talon;

pub use entries::Entries;
pub use rulings::{Kept, MAX_KEPT, Rulings, Standing};
pub(crate) use rulings::{MAX_POINTS, MAX_RULINGS};
pub(crate) use setup::are_all_loose;
pub use setup::{Setup, SetupFault};
pub use talon::{Talon, TalonPlace};

/// The most melds a state may hold, all sides together.
pub const MAX_MELDS: usize = 128;

/// Every player on the seat of the same number.
pub(crate) const AS_GIVEN: [Seat; MAX_SEATS] = [Seat(0), Seat(1), Seat(2), Seat(3), Seat(4), Seat(5)];

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
    /// The seat in turn has taken the top of the pile tentatively (ALG-07).
    Taking = 7,
}

impl Phase {
    /// All phases, by number.
    pub const ALL: [Self; 8] = [
        Self::Setup,
        Self::Deal,
        Self::Start,
        Self::Play,
        Self::Asked,
        Self::RoundOver,
        Self::GameOver,
        Self::Taking,
    ];

    /// The phase's name in facts and views (`START`).
    pub fn name(self) -> &'static str {
        ["SETUP", "DEAL", "START", "PLAY", "ASKED", "ROUND_OVER", "GAME_OVER", "TAKING"][self as usize]
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
    /// The pile, or its top while that is taken tentatively.
    Pile = 2,
    /// The top of the pile alone, by the duty of HN-048.
    TopOnly = 3,
}

/// The state of this turn's question whether to go out (ALG-17).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Permission {
    None,
    /// `to` was asked and has not answered.
    Pending {
        to: Seat,
    },
    Yes,
    /// Refused by this seat.
    No {
        by: Seat,
    },
}

/// What has become of this turn's request to meld after its own discard (HF-073).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Courtesy {
    None,
    /// This opponent answers next; those before it have consented.
    Asked(Seat),
    Granted,
    /// Refused by this opponent.
    Refused(Seat),
}

/// What one mate has answered where all are asked (AMB-WH-04). A side has three seats at most, so one waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The mate.
    pub by: Seat,
    /// What it said.
    pub yes: bool,
}

/// Which of the dealer's cuts took off exactly the cards that were dealt from them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    /// The cut of the hands (WH-013, HF-025).
    pub hands: bool,
    /// The cut of the feet (HF-027).
    pub feet: bool,
}

/// What of a round is remembered besides the cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// Rounds count from 1; 0 is the draw for sides and dealer.
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
    /// Bit per seat that has finished a turn, where it decides which threes are late (IR-042); else 0.
    pub(crate) played: u8,
    /// How many cards at the bottom of the pile were turned at the deal.
    pub(crate) start_len: u16,
    /// Exact cuts that this round's score pays for (WH-094, HF-025, HF-027).
    pub(crate) cut: Cut,
    /// The seat that may still take the talon it has earned, where it must do so itself (IR-060).
    pub(crate) offered: Option<Seat>,
    /// The seat that an opponent may call upon to show its hand, until the next seat acts (AC-49).
    pub(crate) reveal: Option<Seat>,
    /// Bit per seat that may still meld what it held at its own discard (AMB-HF-14).
    pub(crate) courteous: u8,
    /// The special hand that ended the round, of the seat that `over` names.
    pub(crate) special: Option<SpecialHand>,
    /// The next meld id of each side.
    pub(crate) next_id: [u8; MAX_SEATS],
    /// How often each side has put a tentatively taken top back (HN-039).
    pub(crate) restores: [u16; MAX_SEATS],
    /// The seat that plays alone against the other two, once three players' sides have formed (ALG-22).
    pub(crate) lone: Option<Seat>,
    pub(crate) over: Option<RoundOver>,
    /// What the round takes up in the log: no round grows without end.
    pub(crate) length: Length,
}

/// What a round takes up in the log: its actions and refusals, not its register and end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Length {
    /// How many records.
    pub records: u16,
    /// Bytes of their frames.
    pub bytes: u32,
}

/// What of a turn is remembered besides the cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    pub(crate) seat: Seat,
    pub(crate) source: Source,
    /// A meld action (not the take itself) was made since the draw: the window to ask is closed.
    pub(crate) melded_since_draw: bool,
    pub(crate) permission: Permission,
    /// The mate who has answered while the other still has to (ask_whom ALL).
    pub(crate) answered: Option<Answer>,
    /// Whether the seat may meld after its discard.
    pub(crate) courtesy: Courtesy,
    /// The seat had melded in this round before this turn began (ALG-18).
    pub(crate) melded_before: bool,
    /// A card of this turn went onto a meld that existed when the turn began (ALG-18).
    pub(crate) touched_old: bool,
    /// Melds of the own side with this id or above were begun in this turn.
    pub(crate) new_from: u8,
    /// What was laid in this turn and may still return to the hand, by meld; empty without `undo_meld`
    /// (HN-013).
    pub(crate) loose: Vec<Loose>,
    /// Nothing replaced a red three, the last card of the stock: the turn has no discard (clarification 7).
    pub(crate) no_discard: bool,
    /// Threes of the hand that came since the last turn and are not too late to be laid (MA-033) or
    /// replaced (IR-042), where that matters; else none.
    pub(crate) fresh: Cards,
    /// The hand was all wild when the draw was done, where only that lets a wild be discarded (MA-085).
    pub(crate) all_wild_draw: bool,
}

/// Cards of one meld that were laid in this turn and are not locked (ALG-07).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loose {
    /// The own meld.
    pub meld: MeldId,
    /// Those of its cards, the tentatively taken top included; never empty.
    pub cards: Cards,
}

/// The top of the pile while it is taken tentatively (ALG-07).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TakenTop {
    /// The card.
    pub card: Card,
    /// The own meld it lies in; `None`: it has not been laid.
    pub meld: Option<MeldId>,
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
        grade(set, self.kind, self.len() as u8, self.wilds())
    }
}

/// What kind of canasta a meld of this kind and size with so many wilds is.
pub(crate) fn grade(set: &RuleSet, kind: MeldKind, size: u8, wilds: u8) -> Option<Grade> {
    let full = if kind == MeldKind::Sequence { set.sequence_max } else { set.canasta_size };
    if kind == MeldKind::BlackThrees || size < full {
        return None;
    }
    Some(match kind {
        MeldKind::Wild => Grade::Wild,
        MeldKind::Sequence => Grade::Sequence,
        _ if wilds == 0 => Grade::Natural,
        _ => Grade::Mixed,
    })
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
    /// Seeded and committed: the game's secret.
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
    /// The player on each seat, by place in the list of players: as given, unless cards were drawn for
    /// seats (HF-020).
    pub(crate) seating: [Seat; MAX_SEATS],
    /// Cumulative scores of finished rounds, by unit.
    pub(crate) scores: [i32; MAX_SEATS],
    pub(crate) phase: Phase,
    pub(crate) round: Round,
    pub(crate) turn: Turn,
    /// Face down; the last element is the top.
    pub(crate) stock: Vec<Card>,
    /// Face up; the last element is the top.
    pub(crate) pile: Vec<Card>,
    /// What lay on top of the pile, in [`Phase::Taking`] only.
    pub(crate) taken_top: Option<TakenTop>,
    pub(crate) hands: [Cards; MAX_SEATS],
    /// Second hands that are not in play yet, by seat; no entries where the rule set has none (ALG-21).
    pub(crate) feet: Vec<Cards>,
    /// What in the pile freezes it against everyone; follows from `pile` and `round.start_len`.
    pub(crate) freeze: Causes,
    /// Threes laid by each seat.
    pub(crate) laid: [Cards; MAX_SEATS],
    /// By side, then by id.
    pub(crate) melds: Vec<Meld>,
    /// Ed25519 keys that players may sign their actions with; empty if none has one.
    pub(crate) keys: Vec<Option<[u8; 32]>>,
    /// In the order of [`RuleSet::talons`]; none in rule sets without.
    pub(crate) talons: Vec<Talon>,
    /// The discard that went out, where that lies face down beside the pile (MA-124).
    pub(crate) face_down: Option<Card>,
    /// What officials have decided; `None` is nothing.
    pub(crate) rulings: Option<Box<Rulings>>,
    /// In committed mode what is registered for the next deal; else `None`.
    pub(crate) entries: Option<Box<Entries>>,
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
    /// Incomplete melds that bar going out (MV-001).
    pub barring: u8,
    /// Complete sequences.
    pub sequence: u8,
}

impl Canastas {
    /// Counts a meld of `rank` with so many wilds.
    pub(crate) fn count(&mut self, set: &RuleSet, rank: Option<Rank>, wilds: u8, grade: Option<Grade>) {
        let Some(grade) = grade else {
            self.barring += u8::from(set.bars_going_out(rank, wilds));
            return;
        };
        self.total += 1;
        self.clean += u8::from(matches!(grade, Grade::Natural | Grade::Sequence));
        self.wild += u8::from(grade == Grade::Wild);
        self.sequence += u8::from(grade == Grade::Sequence);
    }
}

impl State {
    /// A game before its first register: that of round 1, or of round 0 where cards are drawn first.
    pub fn new(rules: Arc<Rules>, origin: Origin, dealer: Seat) -> Self {
        let capacity = usize::from(rules.deck_size());
        let feet = Self::no_feet(&rules);
        let first = u16::from(!rules.set().draws_cards());
        Self {
            rules,
            origin,
            link: Link::default(),
            seating: AS_GIVEN,
            scores: [0; MAX_SEATS],
            phase: Phase::Setup,
            round: Round::new(first, 1, dealer),
            turn: Turn::of(dealer, false, 0),
            stock: Vec::with_capacity(capacity),
            pile: Vec::with_capacity(capacity),
            taken_top: None,
            hands: [Cards::EMPTY; MAX_SEATS],
            feet,
            freeze: Causes::default(),
            laid: [Cards::EMPTY; MAX_SEATS],
            melds: Vec::with_capacity(32),
            keys: Vec::new(),
            talons: Vec::new(),
            face_down: None,
            rulings: None,
            entries: None,
        }
    }

    /// Every foot empty, where the rule set has feet.
    pub(crate) fn no_feet(rules: &Rules) -> Vec<Cards> {
        let count = if rules.set().foot_size > 0 { rules.set().seats } else { 0 };
        alloc::vec![Cards::EMPTY; usize::from(count)]
    }

    /// The round is registered: the next action is `deal`.
    ///
    /// # Panics
    /// If no register is due.
    pub fn register(&mut self) {
        assert_eq!(self.phase, Phase::Setup, "a register stands before every deal and nowhere else");
        self.phase = Phase::Deal;
        self.round.length = Length::default();
    }

    /// Takes all cards off the table, with everything of the round that speaks of them.
    pub(crate) fn gather(&mut self) {
        self.stock.clear();
        self.pile.clear();
        self.taken_top = None;
        self.melds.clear();
        self.talons.clear();
        self.face_down = None;
        self.hands = [Cards::EMPTY; MAX_SEATS];
        self.feet.fill(Cards::EMPTY);
        self.laid = [Cards::EMPTY; MAX_SEATS];
        self.freeze = Causes::default();
        if let Some(entries) = &mut self.entries {
            **entries = Entries::default();
        }
        let Round { number, attempt, dealer, over, length, .. } = self.round;
        self.round = Round { over, length, ..Round::new(number, attempt, dealer) };
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

    /// The Ed25519 key that `seat` may sign its actions with.
    pub fn key(&self, seat: Seat) -> Option<&[u8; 32]> {
        self.keys.get(usize::from(self.player_on(seat)))?.as_ref()
    }

    pub(crate) fn set_keys(&mut self, mut keys: Vec<Option<[u8; 32]>>) {
        if keys.iter().all(Option::is_none) {
            keys.clear();
        }
        self.keys = keys;
    }

    /// Whether the dealer of this round follows from its secret.
    pub(crate) fn has_random_dealer(&self) -> bool {
        match self.round.number {
            0 => false,
            1 => self.set().first_dealer == FirstDealer::Random,
            _ => self.set().next_dealer == NextDealer::Random,
        }
    }

    /// The player on each seat, by place in the list of players.
    pub fn seating(&self) -> &[Seat] {
        &self.seating[..usize::from(self.set().seats)]
    }

    /// The player on `seat`, by place in the list of players.
    pub fn player_on(&self, seat: Seat) -> u8 {
        self.seating[seat.index()].0
    }

    /// Where the game stands.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Which cuts of this round's deal were exact, where the rule set pays for them.
    pub fn cut(&self) -> Cut {
        self.round.cut
    }

    /// Number of the round, from 1; 0 while cards are drawn for sides and dealer.
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
        match self.phase {
            Phase::Asked => self.pending().map(|(_, to)| to),
            Phase::Start | Phase::Play | Phase::Taking => Some(self.turn.seat),
            _ => None,
        }
    }

    /// What the seat in turn has asked about, and who answers next.
    pub(crate) fn pending(&self) -> Option<(About, Seat)> {
        match (self.turn.permission, self.turn.courtesy) {
            (_, Courtesy::Asked(to)) => Some((About::Courtesy, to)),
            (Permission::Pending { to }, _) => Some((About::GoOut, to)),
            _ => None,
        }
    }

    /// Whether `seat` may still meld what it held at its own discard (AMB-HF-14).
    pub fn is_courteous(&self, seat: Seat) -> bool {
        self.round.courteous & (1 << seat.0) != 0
    }

    /// How the round ended, while it is not scored yet.
    pub fn round_over(&self) -> Option<RoundOver> {
        self.round.over
    }

    /// Cumulative scores of finished rounds, by side, or by seat where the rule set scores by seat.
    pub fn scores(&self) -> &[i32] {
        &self.scores[..usize::from(self.set().unit_count())]
    }

    /// What keeps the total that `seat` plays for.
    pub fn unit_of(&self, seat: Seat) -> Unit {
        match self.set().score_unit {
            ScoreUnit::Side => Unit(self.side_of(seat).0),
            ScoreUnit::Seat => Unit(seat.0),
        }
    }

    /// The hand of `seat`.
    pub fn hand(&self, seat: Seat) -> &Cards {
        &self.hands[seat.index()]
    }

    /// The second hand of `seat` until it comes to the hand (ALG-21); empty from then on, and where the rule
    /// set has none.
    pub fn foot(&self, seat: Seat) -> &Cards {
        self.feet.get(seat.index()).unwrap_or(&Cards::EMPTY)
    }

    /// Whether `seat` has played its first hand, so that it plays the foot or will in its next turn (HF-082).
    pub fn has_finished_hand(&self, seat: Seat) -> bool {
        self.foot(seat).is_empty() || self.hand(seat).is_empty()
    }

    /// The threes laid by `seat`.
    pub fn laid(&self, seat: Seat) -> &Cards {
        &self.laid[seat.index()]
    }

    /// All melds, by side, then by id.
    pub fn melds(&self) -> &[Meld] {
        &self.melds
    }

    /// Whether the discard that went out lies face down, and which card it is: hidden from everyone at the table.
    pub fn face_down(&self) -> Option<Card> {
        self.face_down
    }

    /// The pile, bottom to top.
    pub fn pile(&self) -> &[Card] {
        &self.pile
    }

    /// The top of the pile while the seat in turn has taken it tentatively.
    pub fn taken_top(&self) -> Option<TakenTop> {
        self.taken_top
    }

    /// What the seat in turn has laid and may still take back, by meld.
    pub fn loose(&self) -> &[Loose] {
        &self.turn.loose
    }

    /// The cards of the own meld `id` that may still be taken back.
    pub fn loose_of(&self, id: MeldId) -> Option<&Cards> {
        self.turn.loose.iter().find(|loose| loose.meld == id).map(|loose| &loose.cards)
    }

    /// How often `side` has put a tentatively taken top back in this round.
    pub fn restores(&self, side: Side) -> u16 {
        self.round.restores[side.index()]
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

    /// The side of `seat` (CL-006). A pair that has formed has the number of its lower seat (P3-005).
    pub fn side_of(&self, seat: Seat) -> Side {
        self.set().formed_side_of(seat, self.round.lone)
    }

    /// The seats of `side` in order.
    pub fn seats_of(&self, side: Side) -> impl Iterator<Item = Seat> + use<> {
        let seats =
            self.seats().fold(0u8, |seats, seat| seats | u8::from(self.side_of(seat) == side) << seat.0);
        self.seats().filter(move |seat| seats >> seat.0 & 1 == 1)
    }

    /// The seat that plays alone, once three players' sides have formed in this round (P3-004).
    pub fn lone(&self) -> Option<Seat> {
        self.round.lone
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

    /// Whether `side` has made its initial meld: what is only laid tentatively does not open it.
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

    /// The id of the meld that `side` begins now.
    pub(crate) fn begin_meld_id(&mut self, side: Side) -> MeldId {
        let next = &mut self.round.next_id[side.index()];
        *next += 1;
        MeldId(*next - 1)
    }

    /// Puts a meld in its place among the melds.
    pub(crate) fn insert_meld(&mut self, meld: Meld) {
        let at = self.melds.partition_point(|m| (m.side, m.id) < (meld.side, meld.id));
        self.melds.insert(at, meld);
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
            canastas.count(self.set(), meld.rank, meld.wilds(), meld.grade(self.set()));
        }
        canastas
    }

    /// Puts the cards of the meld at `b` onto the one at `a`, both of one side; the id of `b` is not used again.
    pub(crate) fn unite(&mut self, a: u8, b: u8) {
        let cards = self.melds[usize::from(b)].cards;
        self.melds[usize::from(a)].cards.add(&cards);
        self.melds.remove(usize::from(b));
    }

    /// What selects the minimum of `seat`: a score (P3-013: its own), or the round.
    pub fn initial_key(&self, seat: Seat) -> i32 {
        match self.set().initial_key {
            InitialKey::SideScore | InitialKey::MelderScore => self.scores[self.unit_of(seat).index()],
            InitialKey::Round => self.round.number.into(),
        }
    }

    /// The minimum that `seat` must reach if it makes its side's initial meld (CL-058), what rulings add to it
    /// included (IR-110).
    pub fn minimum(&self, seat: Seat) -> i32 {
        let bands = &self.set().initial_bands;
        let band = match self.set().initial_key {
            InitialKey::Round => bands.minimum_for_round(self.round.number),
            _ => bands.minimum_for_score(self.initial_key(seat)),
        };
        self.rulings.as_ref().map_or(band, |rulings| band + rulings.surcharge(self.side_of(seat)))
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
            played: 0,
            offered: None,
            reveal: None,
            courteous: 0,
            special: None,
            start_len: 0,
            cut: Cut::default(),
            next_id: [0; MAX_SEATS],
            restores: [0; MAX_SEATS],
            lone: None,
            over: None,
            length: Length::default(),
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
            answered: None,
            courtesy: Courtesy::None,
            melded_before,
            touched_old: false,
            new_from,
            loose: Vec::new(),
            no_discard: false,
            fresh: Cards::EMPTY,
            all_wild_draw: false,
        }
    }
}
