//! Anything that can be written down as a position; only a validated one becomes a [`State`].

use super::{Link, Meld, Origin, Permission, Phase, Round, RoundOver, Source, State, Turn};
use crate::action::{MeldId, MeldKind};
use crate::card::{Card, Cards};
use crate::invariant;
use crate::rules::Rules;
use crate::seat::{MAX_SEATS, Seat, Side};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// A position as somebody wrote it down.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Setup {
    pub rules: Arc<Rules>,
    pub origin: Origin,
    pub link: Link,
    /// Cumulative scores by side.
    pub scores: Vec<i32>,
    pub phase: Phase,
    /// Number of the round, from 1.
    pub round: u16,
    pub attempt: u16,
    pub dealer: Seat,
    pub over: Option<RoundOver>,
    pub turn: Seat,
    pub source: Source,
    pub permission: Permission,
    /// A meld action was made since the draw.
    pub melded_since_draw: bool,
    /// Seats that have melded in this round.
    pub has_melded: Vec<Seat>,
    /// Seats that have asked in this round.
    pub asked: Vec<Seat>,
    /// Whether the seat in turn had melded before this turn; `None`: as `has_melded` says.
    pub melded_before: Option<bool>,
    /// Whether a card of this turn went onto a meld that existed when it began.
    pub touched_old: bool,
    /// The first meld id of the own side begun in this turn; `None`: no meld was.
    pub new_from: Option<u8>,
    /// Bottom to top.
    pub stock: Vec<Card>,
    /// Bottom to top.
    pub pile: Vec<Card>,
    /// How many cards at the bottom of the pile were turned at the deal.
    pub start_len: u16,
    /// By seat.
    pub hands: Vec<Cards>,
    /// By seat.
    pub laid: Vec<Cards>,
    pub melds: Vec<Meld>,
}

/// One thing that is wrong with a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupFault {
    /// What ought to hold.
    pub expected: &'static str,
    /// What was found.
    pub found: String,
}

impl fmt::Display for SetupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected: {}; found: {}", self.expected, self.found)
    }
}

impl core::error::Error for SetupFault {}

impl Setup {
    /// An empty position at the start of round 1, `turn` to play.
    pub fn new(rules: Arc<Rules>, origin: Origin, turn: Seat) -> Self {
        let (seats, sides) = (usize::from(rules.set().seats), usize::from(rules.set().side_count));
        let dealer = Seat((turn.0 + rules.set().seats - 1) % rules.set().seats);
        Self {
            rules,
            origin,
            link: Link::default(),
            scores: alloc::vec![0; sides],
            phase: Phase::Start,
            round: 1,
            attempt: 1,
            dealer,
            over: None,
            turn,
            source: Source::None,
            permission: Permission::None,
            melded_since_draw: false,
            has_melded: Vec::new(),
            asked: Vec::new(),
            melded_before: None,
            touched_old: false,
            new_from: None,
            stock: Vec::new(),
            pile: Vec::new(),
            start_len: 0,
            hands: alloc::vec![Cards::EMPTY; seats],
            laid: alloc::vec![Cards::EMPTY; seats],
            melds: Vec::new(),
        }
    }

    /// The setup of a state: [`Setup::into_state`] gives the state back.
    pub fn of(state: &State) -> Self {
        let (round, turn) = (&state.round, &state.turn);
        let seats = |bits: u8| state.seats().filter(|seat| bits & (1 << seat.0) != 0).collect();
        let usual_new = round.next_id[state.side_of(turn.seat).index()];
        Self {
            rules: state.rules.clone(),
            origin: state.origin.clone(),
            link: state.link.clone(),
            scores: state.scores().to_vec(),
            phase: state.phase,
            round: round.number,
            attempt: round.attempt,
            dealer: round.dealer,
            over: round.over,
            turn: turn.seat,
            source: turn.source,
            permission: turn.permission,
            melded_since_draw: turn.melded_since_draw,
            has_melded: seats(round.has_melded),
            asked: seats(round.asked),
            melded_before: (turn.melded_before != state.has_melded(turn.seat)).then_some(turn.melded_before),
            touched_old: turn.touched_old,
            new_from: (turn.new_from != usual_new).then_some(turn.new_from),
            stock: state.stock.clone(),
            pile: state.pile.clone(),
            start_len: round.start_len,
            hands: state.seats().map(|seat| *state.hand(seat)).collect(),
            laid: state.seats().map(|seat| *state.laid(seat)).collect(),
            melds: state.melds.clone(),
        }
    }

    /// Adds a meld with the next id of its side.
    pub fn meld(&mut self, side: Side, kind: MeldKind, cards: Cards) {
        let natural = cards.iter().find(|card| !card.is_wild());
        let rank = natural.filter(|_| kind == MeldKind::Set).map(Card::rank);
        let id = MeldId(self.melds.iter().filter(|m| m.side == side).count() as u8);
        self.melds.push(Meld { side, id, kind, rank, cards });
    }

    /// The cards of the pack that lie nowhere yet. Cards named too often are left to validation.
    pub fn missing(&self) -> Vec<Card> {
        let mut rest = self.rules.census();
        let zones = self.hands.iter().chain(&self.laid).chain(self.melds.iter().map(|m| &m.cards));
        let placed = zones.flat_map(Cards::iter).chain(self.stock.iter().chain(&self.pile).copied());
        for card in placed {
            rest.remove(card);
        }
        rest.iter().collect()
    }

    /// Validates.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn into_state(self) -> Result<State, Vec<SetupFault>> {
        let faults = self.size_faults();
        if !faults.is_empty() {
            return Err(faults);
        }
        let state = self.build();
        let faults: Vec<SetupFault> = invariant::ALL
            .iter()
            .filter_map(|&(expected, test)| test(&state).err().map(|found| SetupFault { expected, found }))
            .collect();
        if faults.is_empty() { Ok(state) } else { Err(faults) }
    }

    /// What must hold before a state can be built at all.
    fn size_faults(&self) -> Vec<SetupFault> {
        let set = self.rules.set();
        let (seats, sides) = (usize::from(set.seats), usize::from(set.side_count));
        let melds = |side: usize| self.melds.iter().filter(|m| m.side.index() == side).count();
        let named = self.has_melded.iter().chain(&self.asked).chain([&self.dealer, &self.turn]);
        let tests = [
            ("one score a side", self.scores.len() == sides, self.scores.len()),
            ("one hand a seat", self.hands.len() == seats, self.hands.len()),
            ("one place for threes a seat", self.laid.len() == seats, self.laid.len()),
            ("at most 128 melds", self.melds.len() <= super::MAX_MELDS, self.melds.len()),
            ("melds of sides that exist", self.melds.iter().all(|m| m.side.index() < sides), sides),
            ("ids below 128 melds a side", (0..sides).all(|side| melds(side) <= super::MAX_MELDS), sides),
            ("seats that exist", named.into_iter().all(|seat| seat.index() < seats), seats),
            (
                "a pack of cards",
                self.stock.len() + self.pile.len() <= usize::from(self.rules.deck_size()),
                self.stock.len(),
            ),
        ];
        let failed = tests.into_iter().filter(|&(_, holds, _)| !holds);
        failed.map(|(expected, _, found)| SetupFault { expected, found: alloc::format!("{found}") }).collect()
    }

    fn build(self) -> State {
        let mask = |seats: &[Seat]| seats.iter().fold(0, |bits, seat| bits | 1u8 << seat.0);
        let mut state = State::new(self.rules, self.origin, self.dealer);
        let mut round = Round::new(self.round, self.attempt, self.dealer);
        for meld in &self.melds {
            round.opened |= 1 << meld.side.0;
            let next = &mut round.next_id[meld.side.index()];
            *next = (*next).max(meld.id.0.saturating_add(1));
        }
        round.has_melded = mask(&self.has_melded);
        round.asked = mask(&self.asked);
        round.start_len = self.start_len;
        round.over = self.over;
        let side = state.side_of(self.turn);
        let melded_before = self.melded_before.unwrap_or(self.has_melded.contains(&self.turn));
        state.turn = Turn {
            source: self.source,
            melded_since_draw: self.melded_since_draw,
            permission: self.permission,
            touched_old: self.touched_old,
            ..Turn::of(self.turn, melded_before, self.new_from.unwrap_or(round.next_id[side.index()]))
        };
        state.round = round;
        state.link = self.link;
        state.phase = self.phase;
        state.stock.extend(self.stock);
        state.pile.extend(self.pile);
        state.scores = padded(&self.scores, 0);
        state.hands = padded(&self.hands, Cards::EMPTY);
        state.laid = padded(&self.laid, Cards::EMPTY);
        state.melds.extend(self.melds);
        state.melds.sort_by_key(|m| (m.side, m.id));
        state.freeze = state.causes_of_pile();
        state
    }
}

fn padded<T: Copy>(values: &[T], empty: T) -> [T; MAX_SEATS] {
    core::array::from_fn(|i| values.get(i).copied().unwrap_or(empty))
}
