//! The part of a state that one viewer may see (ALG-28, AMB-36).
//!
//! A [`View`] is built up from public facts, never filtered down from the whole state: [`OpenTable`] has no
//! place for a hidden card, and [`Insight`] adds what the viewer alone may see. Two states that differ only
//! in cards that a viewer cannot see give that viewer equal views.
//!
//! Of the pile only the top card and the number of cards are in view (AMB-36, HF-032). Cards under the top
//! are shown to a judge only, although each of them was shown when it was laid, unless the rule set lets
//! players look (IR-014). They nevertheless count as known: what a seat may do, and why it may not
//! (PILE_BURIED_CARD), may depend on them.

use crate::action::{As, SpecialHand};
use crate::card::{Card, Cards};
use crate::event::Grade;
use crate::rules::{InitialKey, PileLook, Rules, ScoreUnit};
use crate::seat::{Seat, Side};
use crate::table::{
    Answer, Causes, Courtesy, Cut, Meld, Permission, Phase, RoundOver, Source, Table, TakenTop, TalonPlace,
};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

mod event;
#[cfg(test)]
mod tests;

pub use event::{EventView, Seen, events};

/// A state as one viewer sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// The facts that everyone at the table sees.
    pub table: OpenTable,
    /// The cards that this viewer sees in addition.
    pub insight: Insight,
}

/// The facts that everyone at the table sees.
#[derive(Clone, PartialEq, Debug)]
pub struct OpenTable {
    /// The rule set in force.
    pub rules: Arc<Rules>,
    /// The phase of the game.
    pub phase: Phase,
    /// Number of the round, from 1; 0 while cards are drawn for sides and dealer.
    pub round: u16,
    /// The number of the deal within the round: 1 plus the number of voided deals.
    pub attempt: u16,
    /// The dealer of this round.
    pub dealer: Seat,
    /// The seat whose turn it is; `None` between rounds.
    pub turn: Option<Seat>,
    /// The seat that must act now: the seat in turn, or the seat that was asked.
    pub to_act: Option<Seat>,
    /// The source of this turn's cards.
    pub source: Source,
    /// Whether the turn has no discard, because a red three was the last card of the stock and nothing
    /// replaced it.
    pub no_discard: bool,
    /// The state of the question of this turn. Question and answer are public.
    pub permission: Permission,
    /// The answer of one mate while the other mate still has to answer.
    pub answered: Option<Answer>,
    /// The state of the request of the seat in turn to meld after its discard.
    pub courtesy: Courtesy,
    /// The seat that plays alone, once the sides of three players have formed in this round.
    pub lone: Option<Seat>,
    /// The end of the last round; `None` while a round is played.
    pub over: Option<RoundOver>,
    /// The cuts of this round's deal that were exact, if the rule set pays for exact cuts.
    pub cut: Cut,
    /// The number of cards in the stock.
    pub stock: u16,
    /// The pile.
    pub pile: PileView,
    /// The top of the pile while the seat in turn has taken it tentatively.
    pub taken_top: Option<TakenTop>,
    /// The facts of each side, by side.
    pub sides: Vec<SideView>,
    /// The facts of each seat, by seat.
    pub seats: Vec<SeatView>,
    /// The melds, by side, then by id.
    pub melds: Vec<MeldView>,
    /// The action (`seq`) that opened the dispute which suspends play.
    pub dispute: Option<u64>,
    /// The talons; empty if the rule set has none.
    pub talons: Vec<TalonView>,
    /// Whether the discard that went out lies face down beside the pile.
    pub face_down: bool,
    /// The seat that may still take the talon it has earned.
    pub offered: Option<Seat>,
    /// The seat that its opponents may call upon to show its hand.
    pub reveal: Option<Seat>,
    /// The special hand that has ended the round.
    pub special: Option<Special>,
}

/// The facts of a talon that everyone sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TalonView {
    /// The place of the talon.
    pub place: TalonPlace,
    /// The number of cards in the talon.
    pub size: u16,
}

/// A special hand that lies face up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Special {
    /// The seat that has the hand.
    pub seat: Seat,
    /// The kind of special hand.
    pub hand: SpecialHand,
    /// The cards of the hand.
    pub cards: Cards,
}

/// The facts of the pile that everyone sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PileView {
    /// The number of cards in the pile.
    pub size: u16,
    /// The top card; `None` if the pile is empty. Also `None` while the top is taken tentatively, because the
    /// card under it is not in view.
    pub top: Option<Card>,
    /// Cards under the top that anyone may look at, from the top down; empty in most rule sets (IR-014).
    pub under: Vec<Card>,
    /// The causes that freeze the pile against every side. Those that freeze it against one side are in
    /// [`SideView`].
    pub frozen: Causes,
}

/// The facts of a side that everyone sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideView {
    /// Points of the finished rounds; `None` if seats keep the score.
    pub score: Option<i32>,
    /// Whether the side has made its initial meld in this round.
    pub opened: bool,
    /// Points that the side's initial meld needs in this round; `None` if they depend on the seat that melds.
    pub minimum: Option<i32>,
    /// All causes that freeze the pile against the side.
    pub frozen: Causes,
    /// The number of times that the side has put a tentatively taken top back in this round.
    pub restores: u16,
    /// Points of rulings that this round will book; 0 if seats keep the score.
    pub ruled: i32,
    /// Whether the side has signed the sheet of the finished game.
    pub signed: bool,
}

/// The facts of a seat that everyone sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeatView {
    /// The player on the seat, as an index into the list with which the game was created.
    pub player: u8,
    /// The side of the seat.
    pub side: Side,
    /// Points of the finished rounds; `None` if sides keep the score.
    pub score: Option<i32>,
    /// Points that the seat needs to make its side's initial meld; `None` if they do not depend on the seat.
    pub minimum: Option<i32>,
    /// The number of cards in the hand.
    pub hand: u16,
    /// The number of cards in the foot, 0 once the foot is in play. Nobody looks at the foot before (HF-030).
    pub foot: u16,
    /// The threes that the seat has laid.
    pub laid: Cards,
    /// Whether the seat has melded in this round.
    pub has_melded: bool,
    /// Whether the seat has asked in this round.
    pub has_asked: bool,
    /// Whether the seat may still meld cards that it held at its own discard.
    pub courteous: bool,
    /// Cards of the hand that lie open and must be discarded first.
    pub penalty_cards: Cards,
    /// The number of the ruling that forbids the seat to take the pile in its current or next turn.
    pub pile_forfeited: Option<u32>,
    /// Points of rulings that this round will book; 0 if sides keep the score.
    pub ruled: i32,
}

/// A meld on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeldView {
    /// The meld. All of it is public.
    pub meld: Meld,
    /// The kind of canasta; `None` while the meld is open.
    pub grade: Option<Grade>,
    /// The cards of the meld that may still return to the hand.
    pub loose: Cards,
}

/// The cards that a viewer sees in addition to the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Insight {
    /// No further cards.
    None,
    /// The viewer's own hand.
    Hand {
        /// The viewer.
        seat: Seat,
        /// The cards that the viewer holds.
        cards: Cards,
    },
    /// Every card.
    All(Box<Everything>),
}

/// Every card that is not on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Everything {
    /// The hands, by seat.
    pub hands: Vec<Cards>,
    /// The cards of all feet that are not in play yet, by seat.
    pub feet: Vec<Cards>,
    /// The stock, bottom to top: the last card is drawn next.
    pub stock: Vec<Card>,
    /// The pile, bottom to top.
    pub pile: Vec<Card>,
    /// The cards of the talons, in the order of [`OpenTable::talons`], each in the order in which they were
    /// set aside.
    pub talons: Vec<Vec<Card>>,
    /// The discard that went out face down.
    pub face_down: Option<Card>,
}

/// Returns the state as `viewer` sees it. Judge and director see everything. A seat that does not exist sees
/// what the table sees.
pub fn view(table: &Table, viewer: As) -> View {
    let insight = match viewer {
        As::Seat(seat) if seat.0 < table.set().seats => Insight::Hand { seat, cards: *table.hand(seat) },
        As::Judge | As::Director => Insight::All(Box::new(everything(table))),
        As::Seat(_) | As::Table | As::Spectator => Insight::None,
    };
    View { table: open_table(table), insight }
}

fn everything(table: &Table) -> Everything {
    let hands = table.seats().map(|seat| *table.hand(seat)).collect();
    let feet = table.seats().map(|seat| table.waiting(seat)).collect();
    let talons = table.talons().iter().map(|talon| talon.cards.clone()).collect();
    let (stock, pile) = (table.stock().to_vec(), table.pile().to_vec());
    Everything { hands, feet, stock, pile, talons, face_down: table.face_down() }
}

fn open_table(table: &Table) -> OpenTable {
    let between = matches!(table.phase(), Phase::Setup | Phase::Deal);
    OpenTable {
        rules: table.rules().clone(),
        phase: table.phase(),
        round: table.round_number(),
        attempt: table.round.attempt,
        dealer: table.dealer(),
        turn: (!between).then_some(table.turn_seat()),
        to_act: table.to_act(),
        source: table.turn.source,
        no_discard: table.turn.no_discard,
        permission: table.turn.permission,
        answered: table.turn.answered,
        courtesy: table.turn.courtesy,
        lone: table.lone(),
        over: table.round_over(),
        cut: table.cut(),
        stock: table.stock_len(),
        pile: PileView {
            size: table.pile().len() as u16,
            top: table.pile().last().copied().filter(|_| table.taken_top().is_none()),
            under: under_top(table),
            frozen: table.pile_causes(),
        },
        taken_top: table.taken_top(),
        sides: table.sides().map(|side| side_view(table, side)).collect(),
        seats: table.seats().map(|seat| seat_view(table, seat)).collect(),
        melds: melds(table),
        dispute: table.rulings().dispute,
        talons: table
            .talons()
            .iter()
            .map(|talon| TalonView { place: talon.place, size: talon.cards.len() as u16 })
            .collect(),
        face_down: table.face_down().is_some(),
        offered: table.round.offered,
        reveal: table.round.reveal,
        special: special(table),
    }
}

/// Returns the cards under the top, as many as players may look at. While the top is taken, these begin with
/// the card under its place.
fn under_top(table: &Table) -> Vec<Card> {
    let most = match table.set().pile_look {
        PileLook::None => 0,
        PileLook::Three => 3,
        PileLook::All => usize::MAX,
    };
    let above = usize::from(table.taken_top().is_none());
    table.pile().iter().rev().skip(above).take(most).copied().collect()
}

fn side_view(table: &Table, side: Side) -> SideView {
    let set = table.set();
    let seat = table.seats_of(side).next().filter(|_| set.initial_key != InitialKey::MelderScore);
    SideView {
        score: (set.score_unit == ScoreUnit::Side).then(|| table.scores()[side.index()]),
        opened: table.opened(side),
        minimum: seat.map(|seat| table.minimum(seat)),
        frozen: table.frozen(side),
        restores: table.restores(side),
        ruled: if set.score_unit == ScoreUnit::Side { table.rulings().adjustments[side.index()] } else { 0 },
        signed: table.rulings().signed & (1 << side.0) != 0,
    }
}

fn seat_view(table: &Table, seat: Seat) -> SeatView {
    let set = table.set();
    SeatView {
        player: table.player_on(seat),
        side: table.side_of(seat),
        score: (set.score_unit == ScoreUnit::Seat).then(|| table.scores()[seat.index()]),
        minimum: (set.initial_key == InitialKey::MelderScore).then(|| table.minimum(seat)),
        hand: table.hand(seat).len(),
        foot: table.waiting(seat).len(),
        laid: *table.laid(seat),
        has_melded: table.has_melded(seat),
        has_asked: table.round.asked & (1 << seat.0) != 0,
        courteous: table.is_courteous(seat),
        penalty_cards: table.rulings().penalty_cards(seat),
        pile_forfeited: table.rulings().forfeits_pile(seat),
        ruled: if set.score_unit == ScoreUnit::Seat { table.rulings().adjustments[seat.index()] } else { 0 },
    }
}

fn special(table: &Table) -> Option<Special> {
    let (hand, seat) = (table.round.special?, table.round.over?.seat?);
    Some(Special { seat, hand, cards: *table.hand(seat) })
}

fn melds(table: &Table) -> Vec<MeldView> {
    let in_turn = table.side_of(table.turn_seat());
    let loose = |m: &Meld| table.loose_of(m.id).filter(|_| m.side == in_turn).copied();
    let seen = |m: &Meld| MeldView {
        meld: m.clone(),
        grade: m.grade(table.set()),
        loose: loose(m).unwrap_or(Cards::EMPTY),
    };
    table.melds().iter().map(seen).collect()
}

impl View {
    /// Returns the seat whose view this is; `None` if the viewer is no seat.
    pub fn seat(&self) -> Option<Seat> {
        match self.insight {
            Insight::Hand { seat, .. } => Some(seat),
            _ => None,
        }
    }

    /// Returns the viewer's own hand; `None` if the viewer is no seat.
    pub fn own_hand(&self) -> Option<&Cards> {
        match &self.insight {
            Insight::Hand { cards, .. } => Some(cards),
            _ => None,
        }
    }
}

impl OpenTable {
    /// Returns the melds of `side`, by id.
    pub fn melds_of(&self, side: Side) -> impl Iterator<Item = &MeldView> {
        self.melds.iter().filter(move |m| m.meld.side == side)
    }
}
