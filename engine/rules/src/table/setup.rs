//! Positions as they can be written down, valid or not. Only a validated position becomes a [`Table`].

use super::{
    Answer, Courtesy, Cut, Loose, Meld, Permission, Phase, Round, RoundOver, Rulings, SetupFault, Source,
    Table, TakenTop, Talon, Turn, say,
};
use crate::action::{MeldId, MeldKind, SpecialHand};
use crate::card::{Card, Cards};
use crate::rules::Rules;
use crate::seat::{SEATS_MAX, Seat, Side};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A position that may be invalid.
#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    /// The rule set.
    pub rules: Arc<Rules>,
    /// Number of actions carried out since the game was created.
    pub step: u64,
    /// Cumulative scores by side, or by seat if the rule set scores by seat.
    pub scores: Vec<i32>,
    /// The phase of the game.
    pub phase: Phase,
    /// Number of the round, from 1; 0 is the draw for sides and dealer.
    pub round: u16,
    /// Which deal of the round this is, from 1.
    pub attempt: u16,
    /// The dealer of the round.
    pub dealer: Seat,
    /// The player on each seat, as an index into the list of players.
    pub seating: Vec<Seat>,
    /// The end of the last round; `None` while a round is played, and before the first round has ended.
    pub over: Option<RoundOver>,
    /// The seat that plays alone, once the sides of three players have formed.
    pub lone: Option<Seat>,
    /// The seat in turn.
    pub turn: Seat,
    /// The source of the cards of this turn.
    pub source: Source,
    /// The question of this turn whether to go out.
    pub permission: Permission,
    /// The answer of one mate while the other mate still has to answer (ask_whom ALL).
    pub answered: Option<Answer>,
    /// The state of the request to meld after the discard.
    pub courtesy: Courtesy,
    /// Seats that may still meld cards that they held at their own discard.
    pub courteous: Vec<Seat>,
    /// Whether a meld action was made since the draw.
    pub melded_since_draw: bool,
    /// Seats that have melded in this round.
    pub has_melded: Vec<Seat>,
    /// Seats that have asked in this round.
    pub asked: Vec<Seat>,
    /// The value of [`Turn::melded_before`]; `None` if it follows from `has_melded`.
    pub melded_before: Option<bool>,
    /// Whether a card of this turn went onto a meld that existed when the turn began.
    pub touched_old: bool,
    /// The first meld id of the own side begun in this turn; `None` if no meld was begun.
    pub new_from: Option<u8>,
    /// The cards that were laid in this turn and may still return to the hand, by meld.
    pub loose: Vec<Loose>,
    /// The number of times that each side has put a tentatively taken top back.
    pub restores: Vec<u16>,
    /// Whether the turn has no discard, because the last card of the stock was a red three.
    pub no_discard: bool,
    /// Seats that have finished a turn, if the rule set needs this fact (IR-042).
    pub played: Vec<Seat>,
    /// Threes in the hand of the seat in turn that can still be laid or replaced in time; empty if the rule
    /// set has no such limit.
    pub fresh: Cards,
    /// The seat that may still take the talon it has earned.
    pub offered: Option<Seat>,
    /// The seat that an opponent may call upon to show its hand.
    pub reveal: Option<Seat>,
    /// The special hand that ended the round.
    pub special: Option<SpecialHand>,
    /// Whether the hand was all wild after the draw, if the rule set needs this fact.
    pub all_wild_draw: bool,
    /// The talons, in the order of the rule set.
    pub talons: Vec<Talon>,
    /// The discard that went out face down.
    pub face_down: Option<Card>,
    /// The stock, bottom to top.
    pub stock: Vec<Card>,
    /// The pile, bottom to top.
    pub pile: Vec<Card>,
    /// The tentatively taken top of the pile.
    pub taken_top: Option<TakenTop>,
    /// The id of each side's next meld, by side, if an id above that of the last meld has been used and is
    /// not used again; else 0.
    pub next_id: Vec<u8>,
    /// The number of cards at the bottom of the pile that were turned at the deal.
    pub start_len: u16,
    /// The exact cuts of this round's deal that the score pays for.
    pub cut: Cut,
    /// The hands, by seat.
    pub hands: Vec<Cards>,
    /// The feet: the first one of each seat, then the second one of each. One that has come is empty. Empty if the rule
    /// set has no feet.
    pub feet: Vec<Cards>,
    /// The laid threes, by seat.
    pub laid: Vec<Cards>,
    /// All melds.
    pub melds: Vec<Meld>,
    /// The decisions of officials; `None` if there are none.
    pub rulings: Option<Box<Rulings>>,
}

impl Setup {
    /// Returns an empty position at the start of round 1 with `turn` to play.
    pub fn new(rules: Arc<Rules>, turn: Seat) -> Self {
        let dealer = Seat((turn.0 + rules.set().seats - 1) % rules.set().seats);
        Self { phase: Phase::Start, round: 1, turn, ..Self::of(&Table::new(rules, dealer)) }
    }

    /// Returns the setup of a state: [`Setup::into_table`] returns the state again.
    pub fn of(table: &Table) -> Self {
        let (round, turn) = (&table.round, &table.turn);
        let seats = |bits: u8| table.seats().filter(|seat| bits & (1 << seat.0) != 0).collect();
        let usual_new = round.next_id[table.side_of(turn.seat).index()];
        Self {
            rules: table.rules.clone(),
            step: table.step,
            scores: table.scores().to_vec(),
            phase: table.phase,
            round: round.number,
            attempt: round.attempt,
            dealer: round.dealer,
            seating: table.seating().to_vec(),
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
            melded_before: (turn.melded_before != table.has_melded(turn.seat)).then_some(turn.melded_before),
            touched_old: turn.touched_old,
            new_from: (turn.new_from != usual_new).then_some(turn.new_from),
            loose: turn.loose.clone(),
            restores: table.sides().map(|side| table.restores(side)).collect(),
            next_id: table.sides().map(|side| skipped_id(table, side)).collect(),
            no_discard: turn.no_discard,
            played: seats(round.played),
            fresh: turn.fresh,
            offered: round.offered,
            reveal: round.reveal,
            special: round.special,
            all_wild_draw: turn.all_wild_draw,
            talons: table.talons.clone(),
            face_down: table.face_down,
            stock: table.stock.clone(),
            pile: table.pile.clone(),
            taken_top: table.taken_top,
            start_len: round.start_len,
            cut: round.cut,
            hands: table.seats().map(|seat| *table.hand(seat)).collect(),
            feet: table.feet.clone(),
            laid: table.seats().map(|seat| *table.laid(seat)).collect(),
            melds: table.melds.clone(),
            rulings: table.rulings.clone(),
        }
    }

    /// Returns the side of `seat`.
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

    /// Returns the cards of the pack that lie in no zone yet. A card that is named too often is left to
    /// validation.
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

    /// Returns the faults of lengths and numbers, which must be excluded before a state can be built.
    pub(crate) fn size_faults(&self) -> Vec<SetupFault> {
        let set = self.rules.set();
        let (seats, sides) = (usize::from(set.seats), usize::from(set.side_count));
        let feet = set.feet().count();
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
            ("as many feet a seat as the rule set has", self.feet.len() == feet, self.feet.len()),
            ("one place for threes a seat", self.laid.len() == seats, self.laid.len()),
            ("at most 128 melds", self.melds.len() <= super::MELDS_MAX, self.melds.len()),
            ("melds of sides that exist", self.melds.iter().all(|m| m.side.index() < sides), sides),
            ("ids below 128 melds a side", (0..sides).all(|side| melds(side) <= super::MELDS_MAX), sides),
            ("seats that exist", named.into_iter().all(|seat| seat.index() < seats), seats),
            (
                "no more cards in stock and pile than the pack has",
                self.stock.len() + self.pile.len() <= usize::from(self.rules.deck_size()),
                self.stock.len() + self.pile.len(),
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
        let mut table = Table::new(self.rules, self.dealer);
        table.step = self.step;
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
        table.round = round;
        let side = table.side_of(self.turn);
        if are_all_loose(&self.melds, &self.loose, side) {
            table.round.opened &= !(1 << side.0);
        }
        table.round.restores = padded(&self.restores, 0);
        let melded_before = self.melded_before.unwrap_or(self.has_melded.contains(&self.turn));
        table.turn = Turn {
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
            ..Turn::of(self.turn, melded_before, self.new_from.unwrap_or(table.round.next_id[side.index()]))
        };
        table.seating[..self.seating.len()].copy_from_slice(&self.seating);
        table.phase = self.phase;
        table.stock.extend(self.stock);
        table.pile.extend(self.pile);
        table.taken_top = self.taken_top;
        table.scores = padded(&self.scores, 0);
        table.hands = padded(&self.hands, Cards::EMPTY);
        table.feet = self.feet;
        table.laid = padded(&self.laid, Cards::EMPTY);
        table.melds.extend(self.melds);
        table.talons = self.talons;
        table.face_down = self.face_down;
        table.melds.sort_by_key(|m| (m.side, m.id));
        table.freeze = table.causes_of_pile();
        table.rulings = self.rulings;
        table
    }
}

/// Whether every card that `side` has melded may still return to the hand: then the side has not opened.
pub(crate) fn are_all_loose(melds: &[Meld], loose: &[Loose], side: Side) -> bool {
    let free = |m: &Meld| loose.iter().any(|l| l.meld == m.id && l.cards == m.cards);
    melds.iter().filter(|m| m.side == side).all(free)
}

/// Returns the id of a side's next meld if it does not follow from the side's melds, else 0.
fn skipped_id(table: &Table, side: Side) -> u8 {
    let next = table.round.next_id[side.index()];
    let follows = table.melds_of(side).last().map_or(0, |meld| meld.id.0.saturating_add(1));
    if next == follows { 0 } else { next }
}

fn padded<T: Copy>(values: &[T], empty: T) -> [T; SEATS_MAX] {
    core::array::from_fn(|i| values.get(i).copied().unwrap_or(empty))
}
