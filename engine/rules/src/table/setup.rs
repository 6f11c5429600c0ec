//! Anything that can be written down as a position; only a validated one becomes a [`Table`].

use super::{
    Answer, Courtesy, Cut, Loose, Meld, Permission, Phase, Round, RoundOver, Rulings, SetupFault, Source,
    Table, TakenTop, Talon, Turn, say,
};
use crate::action::{MeldId, MeldKind, SpecialHand};
use crate::card::{Card, Cards};
use crate::rules::Rules;
use crate::seat::{MAX_SEATS, Seat, Side};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A position as somebody wrote it down.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Setup {
    pub rules: Arc<Rules>,
    /// Number of actions carried out since the game was created.
    pub step: u64,
    /// Cumulative scores by side, or by seat where the rule set scores by seat.
    pub scores: Vec<i32>,
    pub phase: Phase,
    /// Number of the round, from 1; 0 is the draw for sides and dealer.
    pub round: u16,
    pub attempt: u16,
    pub dealer: Seat,
    /// The player on each seat, by place in the list of players.
    pub seating: Vec<Seat>,
    pub over: Option<RoundOver>,
    /// The seat that plays alone, once three players' sides have formed.
    pub lone: Option<Seat>,
    pub turn: Seat,
    pub source: Source,
    pub permission: Permission,
    /// The mate who has answered while the other still has to (ask_whom ALL).
    pub answered: Option<Answer>,
    /// What has become of the request to meld after the discard.
    pub courtesy: Courtesy,
    /// Seats that may still meld what they held at their own discard.
    pub courteous: Vec<Seat>,
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
    /// What was laid in this turn and may return to the hand, by meld.
    pub loose: Vec<Loose>,
    /// How often each side has put a tentatively taken top back.
    pub restores: Vec<u16>,
    /// The turn has no discard: the last card of the stock was a red three.
    pub no_discard: bool,
    /// Seats that have finished a turn, where the rule set asks for it (IR-042).
    pub played: Vec<Seat>,
    /// Threes of the hand in turn that are not too late to be laid or replaced, where that matters.
    pub fresh: Cards,
    /// The seat that may still take the talon it has earned.
    pub offered: Option<Seat>,
    /// The seat that an opponent may call upon to show its hand.
    pub reveal: Option<Seat>,
    /// The special hand that ended the round.
    pub special: Option<SpecialHand>,
    /// The hand was all wild when the draw was done, where that matters.
    pub all_wild_draw: bool,
    /// In the order of the rule set.
    pub talons: Vec<Talon>,
    /// The discard that went out face down.
    pub face_down: Option<Card>,
    /// Bottom to top.
    pub stock: Vec<Card>,
    /// Bottom to top.
    pub pile: Vec<Card>,
    /// The tentatively taken top of the pile.
    pub taken_top: Option<TakenTop>,
    /// By side, the number that its next meld gets, where a number above that of the last meld has been used
    /// and is not used again; else 0.
    pub next_id: Vec<u8>,
    /// How many cards at the bottom of the pile were turned at the deal.
    pub start_len: u16,
    /// Exact cuts of this round's deal that are paid for.
    pub cut: Cut,
    /// By seat.
    pub hands: Vec<Cards>,
    /// Second hands that are not in play yet, by seat; no entries where the rule set has none.
    pub feet: Vec<Cards>,
    /// By seat.
    pub laid: Vec<Cards>,
    pub melds: Vec<Meld>,
    pub rulings: Option<Box<Rulings>>,
}

impl Setup {
    /// An empty position at the start of round 1, `turn` to play.
    pub fn new(rules: Arc<Rules>, turn: Seat) -> Self {
        let (seats, units) = (usize::from(rules.set().seats), usize::from(rules.set().unit_count()));
        let dealer = Seat((turn.0 + rules.set().seats - 1) % rules.set().seats);
        let sides = usize::from(rules.set().side_count);
        let feet = Table::no_feet(&rules);
        Self {
            rules,
            step: 0,
            scores: alloc::vec![0; units],
            phase: Phase::Start,
            round: 1,
            attempt: 1,
            dealer,
            seating: super::AS_GIVEN[..seats].to_vec(),
            over: None,
            lone: None,
            turn,
            source: Source::None,
            permission: Permission::None,
            answered: None,
            courtesy: Courtesy::None,
            courteous: Vec::new(),
            melded_since_draw: false,
            has_melded: Vec::new(),
            asked: Vec::new(),
            melded_before: None,
            touched_old: false,
            new_from: None,
            loose: Vec::new(),
            restores: alloc::vec![0; sides],
            next_id: alloc::vec![0; sides],
            no_discard: false,
            played: Vec::new(),
            fresh: Cards::EMPTY,
            offered: None,
            reveal: None,
            special: None,
            all_wild_draw: false,
            talons: Vec::new(),
            face_down: None,
            stock: Vec::new(),
            pile: Vec::new(),
            taken_top: None,
            start_len: 0,
            cut: Cut::default(),
            hands: alloc::vec![Cards::EMPTY; seats],
            feet,
            laid: alloc::vec![Cards::EMPTY; seats],
            melds: Vec::new(),
            rulings: None,
        }
    }

    /// The setup of a state: [`Setup::into_table`] gives the state back.
    pub fn of(state: &Table) -> Self {
        let (round, turn) = (&state.round, &state.turn);
        let seats = |bits: u8| state.seats().filter(|seat| bits & (1 << seat.0) != 0).collect();
        let usual_new = round.next_id[state.side_of(turn.seat).index()];
        Self {
            rules: state.rules.clone(),
            step: state.step,
            scores: state.scores().to_vec(),
            phase: state.phase,
            round: round.number,
            attempt: round.attempt,
            dealer: round.dealer,
            seating: state.seating().to_vec(),
            over: round.over,
            lone: round.lone,
            turn: turn.seat,
            source: turn.source,
            permission: turn.permission,
            answered: turn.answered,
            courtesy: turn.courtesy,
            courteous: seats(round.courteous),
            melded_since_draw: turn.melded_since_draw,
            has_melded: seats(round.has_melded),
            asked: seats(round.asked),
            melded_before: (turn.melded_before != state.has_melded(turn.seat)).then_some(turn.melded_before),
            touched_old: turn.touched_old,
            new_from: (turn.new_from != usual_new).then_some(turn.new_from),
            loose: turn.loose.clone(),
            restores: state.sides().map(|side| state.restores(side)).collect(),
            next_id: state.sides().map(|side| skipped_id(state, side)).collect(),
            no_discard: turn.no_discard,
            played: seats(round.played),
            fresh: turn.fresh,
            offered: round.offered,
            reveal: round.reveal,
            special: round.special,
            all_wild_draw: turn.all_wild_draw,
            talons: state.talons.clone(),
            face_down: state.face_down,
            stock: state.stock.clone(),
            pile: state.pile.clone(),
            taken_top: state.taken_top,
            start_len: round.start_len,
            cut: round.cut,
            hands: state.seats().map(|seat| *state.hand(seat)).collect(),
            feet: state.feet.clone(),
            laid: state.seats().map(|seat| *state.laid(seat)).collect(),
            melds: state.melds.clone(),
            rulings: state.rulings.clone(),
        }
    }

    /// The side of `seat`.
    pub fn side_of(&self, seat: Seat) -> Side {
        self.rules.set().formed_side_of(seat, self.lone)
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
        let taken = self.taken_top.filter(|top| top.meld.is_none()).map(|top| top.card);
        let zones =
            self.hands.iter().chain(&self.feet).chain(&self.laid).chain(self.melds.iter().map(|m| &m.cards));
        let placed = zones.flat_map(Cards::iter).chain(self.stock.iter().chain(&self.pile).copied());
        let placed = placed.chain(taken);
        let talons = self.talons.iter().flat_map(|talon| talon.cards.iter().copied());
        for card in placed.chain(talons).chain(self.face_down) {
            rest.remove(card);
        }
        rest.iter().collect()
    }

    /// What must hold before a state can be built at all.
    pub(crate) fn size_faults(&self) -> Vec<SetupFault> {
        let set = self.rules.set();
        let (seats, sides) = (usize::from(set.seats), usize::from(set.side_count));
        let feet = if set.foot_size > 0 { seats } else { 0 };
        let melds = |side: usize| self.melds.iter().filter(|m| m.side.index() == side).count();
        let units = usize::from(set.unit_count());
        let named = self.has_melded.iter().chain(&self.asked).chain(&self.played);
        let named = named
            .chain(&self.offered)
            .chain(&self.reveal)
            .chain(&self.courteous)
            .chain([&self.dealer, &self.turn]);
        let named = named.chain(&self.lone);
        let tests = [
            ("one next number of a meld a side", self.next_id.len() == sides, self.next_id.len()),
            ("next numbers of at most 128", self.next_id.iter().all(|&next| next <= 128), sides),
            ("one number of restores a side", self.restores.len() == sides, self.restores.len()),
            ("one score a side, or a seat where seats score", self.scores.len() == units, self.scores.len()),
            ("one player a seat", self.seating.len() == seats, self.seating.len()),
            ("one hand a seat", self.hands.len() == seats, self.hands.len()),
            ("one foot a seat where there are feet", self.feet.len() == feet, self.feet.len()),
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
        let sentence = |expected, found: usize| say!(""; "expected ", expected, ", found ", found);
        failed
            .map(|(expected, _, found)| {
                SetupFault::new(expected, sentence(expected, found), set, &self.rules.books())
            })
            .collect()
    }

    pub(crate) fn build(self) -> Table {
        let mask = |seats: &[Seat]| seats.iter().fold(0, |bits, seat| bits | 1u8 << seat.0);
        let mut state = Table::new(self.rules, self.dealer);
        state.step = self.step;
        let mut round = Round::new(self.round, self.attempt, self.dealer);
        round.next_id = padded(&self.next_id, 0);
        for meld in &self.melds {
            round.opened |= 1 << meld.side.0;
            let next = &mut round.next_id[meld.side.index()];
            *next = (*next).max(meld.id.0.saturating_add(1));
        }
        round.has_melded = mask(&self.has_melded);
        round.asked = mask(&self.asked);
        round.played = mask(&self.played);
        round.courteous = mask(&self.courteous);
        (round.offered, round.reveal, round.special) = (self.offered, self.reveal, self.special);
        round.start_len = self.start_len;
        round.cut = self.cut;
        round.over = self.over;
        round.lone = self.lone;
        state.round = round;
        let side = state.side_of(self.turn);
        if are_all_loose(&self.melds, &self.loose, side) {
            state.round.opened &= !(1 << side.0);
        }
        state.round.restores = padded(&self.restores, 0);
        let melded_before = self.melded_before.unwrap_or(self.has_melded.contains(&self.turn));
        state.turn = Turn {
            source: self.source,
            melded_since_draw: self.melded_since_draw,
            permission: self.permission,
            answered: self.answered,
            courtesy: self.courtesy,
            touched_old: self.touched_old,
            loose: self.loose,
            no_discard: self.no_discard,
            fresh: self.fresh,
            all_wild_draw: self.all_wild_draw,
            ..Turn::of(self.turn, melded_before, self.new_from.unwrap_or(state.round.next_id[side.index()]))
        };
        state.seating[..self.seating.len()].copy_from_slice(&self.seating);
        state.phase = self.phase;
        state.stock.extend(self.stock);
        state.pile.extend(self.pile);
        state.taken_top = self.taken_top;
        state.scores = padded(&self.scores, 0);
        state.hands = padded(&self.hands, Cards::EMPTY);
        state.feet = self.feet;
        state.laid = padded(&self.laid, Cards::EMPTY);
        state.melds.extend(self.melds);
        state.talons = self.talons;
        state.face_down = self.face_down;
        state.melds.sort_by_key(|m| (m.side, m.id));
        state.freeze = state.causes_of_pile();
        state.rulings = self.rulings;
        state
    }
}

/// Whether every card that `side` has melded may still return to the hand: then it has not opened.
pub(crate) fn are_all_loose(melds: &[Meld], loose: &[Loose], side: Side) -> bool {
    let free = |m: &Meld| loose.iter().any(|l| l.meld == m.id && l.cards == m.cards);
    melds.iter().filter(|m| m.side == side).all(free)
}

/// The next number of a side's melds where it does not follow from them, else 0.
fn skipped_id(state: &Table, side: Side) -> u8 {
    let next = state.round.next_id[side.index()];
    let follows = state.melds_of(side).last().map_or(0, |meld| meld.id.0.saturating_add(1));
    if next == follows { 0 } else { next }
}

fn padded<T: Copy>(values: &[T], empty: T) -> [T; MAX_SEATS] {
    core::array::from_fn(|i| values.get(i).copied().unwrap_or(empty))
}
