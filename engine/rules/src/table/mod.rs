//! The table of one game at one moment: zones, round facts, turn facts (model section 2).
//!
//! A [`Table`] is always valid; anything else is a [`Setup`], which says all that is wrong with it. A table holds no
//! secret, no commitment and nothing of a log, so what judges a table cannot reach them.

use crate::action::{About, Action, MeldId};
use crate::card::{Card, Cards};
use crate::rules::{FirstDealer, InitialKey, NextDealer, RuleSet, Rules, ScoreUnit};
use crate::seat::{MAX_SEATS, Seat, Side, Unit};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

mod fault;
mod freeze;
mod meld;
mod phase;
mod round;
mod rulings;
mod setup;
mod talon;

pub use fault::{Found, SetupFault};
pub(crate) use fault::{Part, Sentence, say};
pub use freeze::Causes;
pub use meld::grade;
pub use meld::{Canastas, Meld};
pub use phase::{EndReason, Phase, RoundOver};
pub use round::{Answer, Courtesy, Cut, Loose, Permission, Round, Source, TakenTop, Turn};
pub use rulings::{Kept, MAX_KEPT, Rulings, Standing};
pub(crate) use rulings::{MAX_POINTS, MAX_RULINGS};
pub use setup::Setup;
pub(crate) use setup::are_all_loose;
pub use talon::{Talon, TalonPlace};

/// The most melds a state may hold, all sides together.
pub const MAX_MELDS: usize = 128;

/// Every player on the seat of the same number.
pub(crate) const AS_GIVEN: [Seat; MAX_SEATS] = [Seat(0), Seat(1), Seat(2), Seat(3), Seat(4), Seat(5)];

/// One game at one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    pub(crate) rules: Arc<Rules>,
    /// Number of actions carried out since the game was created.
    pub(crate) step: u64,
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
    /// In the order of [`RuleSet::talons`]; none in rule sets without.
    pub(crate) talons: Vec<Talon>,
    /// The discard that went out, where that lies face down beside the pile (MA-124).
    pub(crate) face_down: Option<Card>,
    /// What officials have decided; `None` is nothing.
    pub(crate) rulings: Option<Box<Rulings>>,
}

impl Table {
    /// Returns the table of a game before its first register: that of round 1, or of round 0 where cards are drawn
    /// first.
    pub fn new(rules: Arc<Rules>, dealer: Seat) -> Self {
        let capacity = usize::from(rules.deck_size());
        let feet = Self::no_feet(&rules);
        let first = u16::from(!rules.set().draws_cards());
        Self {
            rules,
            step: 0,
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
            talons: Vec::new(),
            face_down: None,
            rulings: None,
        }
    }

    /// Every foot empty, where the rule set has feet.
    pub(crate) fn no_feet(rules: &Rules) -> Vec<Cards> {
        let count = if rules.set().foot_size > 0 { rules.set().seats } else { 0 };
        alloc::vec![Cards::EMPTY; usize::from(count)]
    }

    /// Registers the round with this dealer, who is in turn until the cards are dealt: the next action is `deal`.
    ///
    /// # Panics
    /// If no register is due.
    pub fn register(&mut self, dealer: Seat) {
        assert_eq!(self.phase, Phase::Setup, "a register stands before every deal and nowhere else");
        self.phase = Phase::Deal;
        (self.round.dealer, self.turn.seat) = (dealer, dealer);
    }

    /// Counts an action that was recorded and cannot be carried out.
    pub fn pass_over(&mut self, action: &Action) {
        self.step += 1;
        if let Action::Ruling(_) = action {
            self.rulings_mut().last += 1;
        }
    }

    /// Sets which deal of the round is registered next.
    pub fn set_attempt(&mut self, attempt: u16) {
        self.round.attempt = attempt;
    }

    /// Ends a round whose deal is void, without an action that says so.
    pub fn void_round(&mut self) {
        self.round.over = Some(RoundOver { reason: EndReason::Voided, seat: None, concealed: false });
        self.phase = Phase::RoundOver;
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

    /// Returns the number of actions carried out since the game was created: the `seq` of the last one.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Returns which deal of the round this is: 1, and one more for each that was voided.
    pub fn attempt(&self) -> u16 {
        self.round.attempt
    }

    /// Whether the dealer of this round follows from its secret.
    pub fn has_random_dealer(&self) -> bool {
        match self.round.number {
            0 => false,
            1 => self.set().first_dealer == FirstDealer::Random,
            _ => self.set().next_dealer == NextDealer::Random,
        }
    }

    /// Whether only its register says who deals this round: nothing that was recorded before decides it.
    pub fn names_dealer(&self) -> bool {
        let set = self.set();
        self.round.attempt == 1
            && match self.round.number {
                0 => !set.draws_dealer(),
                1 => !set.draws_cards(),
                _ => set.next_dealer == NextDealer::Random,
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

    /// Returns the facts of the round besides the cards.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// Returns the facts of the turn besides the cards.
    pub fn turn(&self) -> &Turn {
        &self.turn
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

    /// Returns the second hands that are not in play yet, by seat; empty where the rule set has none.
    pub fn feet(&self) -> &[Cards] {
        &self.feet
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

    /// Whether `side` has made its initial meld: what is only laid tentatively does not open it.
    pub fn opened(&self, side: Side) -> bool {
        self.round.opened & (1 << side.0) != 0
    }

    /// Whether `seat` has melded in this round.
    pub fn has_melded(&self, seat: Seat) -> bool {
        self.round.has_melded & (1 << seat.0) != 0
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
