//! The table of one game at one moment: zones, facts of the round, facts of the turn (model section 2).
//!
//! A [`Table`] is always valid. Anything else is a [`Setup`], whose validation lists all its faults. A table holds no
//! secret, no commitment and nothing of a log, so code that judges a table cannot reach them.

use crate::action::{About, Action, MeldId};
use crate::card::{Card, Cards};
use crate::rules::{FirstDealer, InitialKey, NextDealer, RuleSet, Rules, ScoreUnit};
use crate::seat::{SEATS_MAX, Seat, Side, Unit};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

mod fault;
mod feet;
mod freeze;
mod meld;
mod phase;
mod round;
mod rulings;
mod setup;
mod talon;

pub use fault::{Found, SetupFault};
pub(crate) use fault::{Sentence, SentencePart, say};
pub use freeze::Causes;
pub use meld::grade;
pub use meld::{Canastas, Meld};
pub use phase::{END_REASONS, EndReason, Phase, RoundOver};
pub use round::{Answer, Courtesy, Cut, Loose, Permission, Round, Source, TakenTop, Turn};
pub(crate) use rulings::RULINGS_MAX;
pub use rulings::{KEPT_MAX, Kept, POINTS_MAX, Rulings, Standing};
pub use setup::Setup;
pub(crate) use setup::are_all_loose;
pub use talon::{Talon, TalonPlace};

/// The maximum number of melds of a state, all sides together.
pub const MELDS_MAX: usize = 128;

/// The seating in which every player has the seat of the player's own number.
pub(crate) const AS_GIVEN: [Seat; SEATS_MAX] = [Seat(0), Seat(1), Seat(2), Seat(3), Seat(4), Seat(5)];

/// One game at one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    pub(crate) rules: Arc<Rules>,
    /// Number of actions carried out since the game was created.
    pub(crate) step: u64,
    /// The player on each seat, as an index into the list of players: player N on seat N, unless cards were drawn
    /// for seats (HF-020).
    pub(crate) seating: [Seat; SEATS_MAX],
    /// Cumulative scores of finished rounds, by score unit.
    pub(crate) scores: [i32; SEATS_MAX],
    pub(crate) phase: Phase,
    pub(crate) round: Round,
    pub(crate) turn: Turn,
    /// The stock, face down; the last element is the top.
    pub(crate) stock: Vec<Card>,
    /// The pile, face up; the last element is the top.
    pub(crate) pile: Vec<Card>,
    /// The top of the pile, taken tentatively; only in [`Phase::Taking`].
    pub(crate) taken_top: Option<TakenTop>,
    pub(crate) hands: [Cards; SEATS_MAX],
    /// Second hands that are not in play yet, by seat; empty if the rule set has no feet (ALG-21).
    pub(crate) feet: Vec<Cards>,
    /// The causes in the pile that freeze it against every side. They follow from `pile` and `round.start_len`.
    pub(crate) freeze: Causes,
    /// Threes laid by each seat.
    pub(crate) laid: [Cards; SEATS_MAX],
    /// All melds, by side, then by id.
    pub(crate) melds: Vec<Meld>,
    /// The talons, in the order of [`RuleSet::talons`]; empty if the rule set has no talons.
    pub(crate) talons: Vec<Talon>,
    /// The discard that went out, if it lies face down beside the pile (MA-124).
    pub(crate) face_down: Option<Card>,
    /// The decisions of officials; `None` if there are none.
    pub(crate) rulings: Option<Box<Rulings>>,
}

impl Table {
    /// Returns the table of a game before its first register. The first round has number 0 if cards are drawn first,
    /// else 1.
    pub fn new(rules: Arc<Rules>, dealer: Seat) -> Self {
        let capacity = usize::from(rules.deck_size());
        let round = Round::new(u16::from(!rules.set().draws_cards()), 1, dealer);
        Self {
            round,
            turn: Turn::of(dealer, false, 0),
            stock: Vec::with_capacity(capacity),
            pile: Vec::with_capacity(capacity),
            melds: Vec::with_capacity(32),
            ..Self::blank(rules, Phase::Setup)
        }
    }

    /// Returns a table with these rules, in this phase, that has no card and no facts yet: what [`crate::pack::read`]
    /// fills.
    #[inline(always)]
    pub fn blank(rules: Arc<Rules>, phase: Phase) -> Self {
        Self {
            feet: Self::no_feet(&rules),
            rules,
            step: 0,
            seating: AS_GIVEN,
            scores: [0; SEATS_MAX],
            phase,
            round: Round::default(),
            turn: Turn::default(),
            stock: Vec::new(),
            pile: Vec::new(),
            taken_top: None,
            hands: [Cards::EMPTY; SEATS_MAX],
            freeze: Causes::default(),
            laid: [Cards::EMPTY; SEATS_MAX],
            melds: Vec::new(),
            talons: Vec::new(),
            face_down: None,
            rulings: None,
        }
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

    /// Counts an action that was recorded but cannot be executed.
    pub fn pass_over(&mut self, action: &Action) {
        self.step += 1;
        if let Action::Ruling(_) = action {
            self.rulings_mut().last += 1;
        }
    }

    /// Sets which deal of the round is registered next, counted from 1.
    pub fn set_attempt(&mut self, attempt: u16) {
        self.round.attempt = attempt;
    }

    /// Ends the round because its deal is void. The log has no action for this.
    pub fn void_round(&mut self) {
        self.round.over = Some(RoundOver::without_seat(EndReason::Voided));
        self.phase = Phase::RoundOver;
    }

    /// Takes all cards off the table. Resets the round except its number, deal, dealer and end, and resets the turn.
    pub(crate) fn gather(&mut self) {
        self.stock.clear();
        self.pile.clear();
        self.taken_top = None;
        self.melds.clear();
        self.talons.clear();
        self.face_down = None;
        self.hands = [Cards::EMPTY; SEATS_MAX];
        self.feet.fill(Cards::EMPTY);
        self.laid = [Cards::EMPTY; SEATS_MAX];
        self.freeze = Causes::default();
        let Round { number, attempt, dealer, over, .. } = self.round;
        self.round = Round { over, ..Round::new(number, attempt, dealer) };
        self.turn = Turn::of(dealer, false, 0);
    }

    /// Returns the rule set in force, prepared for play.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Returns the knobs of the rule set in force.
    pub fn set(&self) -> &RuleSet {
        self.rules.set()
    }

    /// Returns the number of actions carried out since the game was created: the `seq` of the last action.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Returns which deal of the round this is: 1 plus the number of voided deals.
    pub fn attempt(&self) -> u16 {
        self.round.attempt
    }

    /// Whether the dealer of this round is derived from the round's secret.
    pub fn has_random_dealer(&self) -> bool {
        match self.round.number {
            0 => false,
            1 => self.set().first_dealer == FirstDealer::Random,
            _ => self.set().next_dealer == NextDealer::Random,
        }
    }

    /// Whether the dealer of this round is known from its register only: no earlier record determines the dealer.
    pub fn names_dealer(&self) -> bool {
        let set = self.set();
        self.round.attempt == 1
            && match self.round.number {
                0 => !set.draws_dealer(),
                1 => !set.draws_cards(),
                _ => set.next_dealer == NextDealer::Random,
            }
    }

    /// Returns the player on each seat, as an index into the list of players.
    pub fn seating(&self) -> &[Seat] {
        &self.seating[..usize::from(self.set().seats)]
    }

    /// Returns the player on `seat`, as an index into the list of players.
    pub fn player_on(&self, seat: Seat) -> u8 {
        self.seating[seat.index()].0
    }

    /// Returns the phase of the game.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns which cuts of this round's deal were exact, if the rule set pays for exact cuts.
    pub fn cut(&self) -> Cut {
        self.round.cut
    }

    /// Returns the number of the round, from 1; 0 while cards are drawn for sides and dealer.
    pub fn round_number(&self) -> u16 {
        self.round.number
    }

    /// Returns the dealer of this round.
    pub fn dealer(&self) -> Seat {
        self.round.dealer
    }

    /// Returns the seat whose turn it is.
    pub fn turn_seat(&self) -> Seat {
        self.turn.seat
    }

    /// Returns the seat that must act now: the seat in turn, or the seat that was asked.
    pub fn to_act(&self) -> Option<Seat> {
        match self.phase {
            Phase::Asked => self.pending().map(|(_, to)| to),
            Phase::Start | Phase::Play | Phase::Taking => Some(self.turn.seat),
            _ => None,
        }
    }

    /// Returns the subject of the open question of the seat in turn, and the seat that answers next.
    pub(crate) fn pending(&self) -> Option<(About, Seat)> {
        match (self.turn.permission, self.turn.courtesy) {
            (_, Courtesy::Asked(to)) => Some((About::Courtesy, to)),
            (Permission::Pending { to }, _) => Some((About::GoOut, to)),
            _ => None,
        }
    }

    /// Whether `seat` may still meld cards that it held at its own discard (AMB-HF-14).
    pub fn is_courteous(&self, seat: Seat) -> bool {
        self.round.courteous & (1 << seat.0) != 0
    }

    /// Returns how the last round ended; `None` while a round is played, and before the first round has ended.
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

    /// Returns the cumulative scores of finished rounds, by side, or by seat if the rule set scores by seat.
    pub fn scores(&self) -> &[i32] {
        &self.scores[..usize::from(self.set().unit_count())]
    }

    /// Returns the score unit of `seat`: its side, or the seat itself if the rule set scores by seat.
    pub fn unit_of(&self, seat: Seat) -> Unit {
        match self.set().score_unit {
            ScoreUnit::Side => Unit(self.side_of(seat).0),
            ScoreUnit::Seat => Unit(seat.0),
        }
    }

    /// Returns the hand of `seat`.
    pub fn hand(&self, seat: Seat) -> &Cards {
        &self.hands[seat.index()]
    }

    /// Returns the threes laid by `seat`.
    pub fn laid(&self, seat: Seat) -> &Cards {
        &self.laid[seat.index()]
    }

    /// Returns all melds, by side, then by id.
    pub fn melds(&self) -> &[Meld] {
        &self.melds
    }

    /// Returns the discard that went out, if it lies face down. The card is hidden from everyone at the table.
    pub fn face_down(&self) -> Option<Card> {
        self.face_down
    }

    /// Returns the pile, bottom to top.
    pub fn pile(&self) -> &[Card] {
        &self.pile
    }

    /// Returns the top of the pile while the seat in turn has taken it tentatively.
    pub fn taken_top(&self) -> Option<TakenTop> {
        self.taken_top
    }

    /// Returns the cards that the seat in turn has laid and may still take back, by meld.
    pub fn loose(&self) -> &[Loose] {
        &self.turn.loose
    }

    /// Returns the cards of the own meld `id` that the seat in turn may still take back.
    pub fn loose_of(&self, id: MeldId) -> Option<&Cards> {
        self.turn.loose.iter().find(|loose| loose.meld == id).map(|loose| &loose.cards)
    }

    /// Returns how often `side` has put a tentatively taken top back in this round.
    pub fn restores(&self, side: Side) -> u16 {
        self.round.restores[side.index()]
    }

    /// Returns the number of cards in the stock.
    pub fn stock_len(&self) -> u16 {
        self.stock.len() as u16
    }

    /// Returns the stock, bottom to top. It is hidden from everyone at the table.
    pub fn stock(&self) -> &[Card] {
        &self.stock
    }

    /// Returns all seats in order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.set().seats).map(Seat)
    }

    /// Returns all sides in order.
    pub fn sides(&self) -> impl Iterator<Item = Side> + use<> {
        (0..self.set().side_count).map(Side)
    }

    /// Returns the side of `seat` (CL-006). A pair that has formed has the number of its lower seat (P3-005).
    pub fn side_of(&self, seat: Seat) -> Side {
        self.set().formed_side_of(seat, self.round.lone)
    }

    /// Returns the seats of `side` in order.
    pub fn seats_of(&self, side: Side) -> impl Iterator<Item = Seat> + use<> {
        let seats =
            self.seats().fold(0u8, |seats, seat| seats | u8::from(self.side_of(seat) == side) << seat.0);
        self.seats().filter(move |seat| seats >> seat.0 & 1 == 1)
    }

    /// Returns the seat that plays alone, once the sides of three players have formed in this round (P3-004).
    pub fn lone(&self) -> Option<Seat> {
        self.round.lone
    }

    /// Returns the mates of `seat`, the other seats of its side, in order.
    pub fn mates(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        self.seats_of(self.side_of(seat)).filter(move |&s| s != seat)
    }

    /// Whether `side` has made its initial meld. Cards that are only laid tentatively do not open a side.
    pub fn opened(&self, side: Side) -> bool {
        self.round.opened & (1 << side.0) != 0
    }

    /// Whether `seat` has melded in this round.
    pub fn has_melded(&self, seat: Seat) -> bool {
        self.round.has_melded & (1 << seat.0) != 0
    }

    /// Returns the number that selects the minimum of `seat`: a score (P3-013: its own), or the number of the round.
    pub fn initial_key(&self, seat: Seat) -> i32 {
        match self.set().initial_key {
            InitialKey::SideScore | InitialKey::MelderScore => self.scores[self.unit_of(seat).index()],
            InitialKey::Round => self.round.number.into(),
        }
    }
}
