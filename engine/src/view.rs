//! What one viewer may see of a state (ALG-28, AMB-36).
//!
//! A [`View`] is built up from what is public, never filtered down from everything: [`Table`] has no place
//! for a hidden card, and [`Insight`] adds what the viewer alone may see. Two states that differ only in
//! cards that a viewer cannot see give that viewer equal views.
//!
//! Of the pile only the top card and the number of cards are in view (AMB-36, HF-032): cards under the top
//! are not shown to anyone but a judge, although each of them was shown when it was laid. They count as
//! known all the same: what a seat may do, and why it may not (PILE_BURIED_CARD), may depend on them.

use crate::action::As;
use crate::card::{Card, Cards};
use crate::event::Grade;
use crate::rules::{PileLook, Rules};
use crate::seat::{Seat, Side};
use crate::state::{Causes, Meld, Permission, Phase, RoundOver, Source, State};
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
    /// What everyone at the table sees.
    pub table: Table,
    /// What this viewer sees besides.
    pub insight: Insight,
}

/// What everyone at the table sees.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// The rule set in force.
    pub rules: Arc<Rules>,
    /// Where the game stands.
    pub phase: Phase,
    /// Number of the round, from 1.
    pub round: u16,
    /// 1, and one more for each voided deal of this round.
    pub attempt: u16,
    /// The dealer of this round.
    pub dealer: Seat,
    /// The seat whose turn it is; `None` between rounds.
    pub turn: Option<Seat>,
    /// The seat that must act now: the one in turn, or the one that was asked.
    pub to_act: Option<Seat>,
    /// Where the cards of this turn came from.
    pub source: Source,
    /// The question of this turn and its answer, both given openly.
    pub permission: Permission,
    /// How the last round ended; `None` while one is being played.
    pub over: Option<RoundOver>,
    /// How many cards the stock has.
    pub stock: u16,
    /// The pile.
    pub pile: PileView,
    /// By side.
    pub sides: Vec<SideView>,
    /// By seat.
    pub seats: Vec<SeatView>,
    /// By side, then by id.
    pub melds: Vec<MeldView>,
}

/// What everyone sees of the pile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PileView {
    /// How many cards it has.
    pub size: u16,
    /// Its top card; `None` when it is empty.
    pub top: Option<Card>,
    /// What freezes it against every side; what freezes it against one side stands with the side.
    pub frozen: Causes,
}

/// What everyone sees of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideView {
    /// Points of the finished rounds.
    pub score: i32,
    /// Whether it has made its initial meld in this round.
    pub opened: bool,
    /// Points that its initial meld needs in this round.
    pub minimum: i32,
    /// All that freezes the pile against it.
    pub frozen: Causes,
}

/// What everyone sees of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeatView {
    /// The side it plays for.
    pub side: Side,
    /// How many cards its hand has.
    pub hand: u16,
    /// The red threes it has laid.
    pub laid: Cards,
    /// Whether it has melded in this round.
    pub has_melded: bool,
    /// Whether it has asked in this round.
    pub has_asked: bool,
}

/// A meld on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeldView {
    /// The meld itself: all of it is public.
    pub meld: Meld,
    /// What kind of canasta it is; `None` while it is open.
    pub grade: Option<Grade>,
}

/// What a viewer sees besides the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Insight {
    /// Nothing.
    None,
    /// Its own hand.
    Hand {
        /// The viewer.
        seat: Seat,
        /// The cards it holds.
        cards: Cards,
    },
    /// Every card.
    All(Box<Everything>),
}

/// Every card that is not on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Everything {
    /// By seat.
    pub hands: Vec<Cards>,
    /// Bottom to top: the last is drawn next.
    pub stock: Vec<Card>,
    /// Bottom to top.
    pub pile: Vec<Card>,
}

/// The state as `viewer` sees it. Judge and director see everything; a seat that does not exist sees what
/// the table sees.
pub fn view(state: &State, viewer: As) -> View {
    debug_assert_eq!(state.set().pile_look, PileLook::None);
    let insight = match viewer {
        As::Seat(seat) if seat.0 < state.set().seats => Insight::Hand { seat, cards: *state.hand(seat) },
        As::Judge | As::Director => Insight::All(Box::new(everything(state))),
        As::Seat(_) | As::Table => Insight::None,
    };
    View { table: table(state), insight }
}

fn everything(state: &State) -> Everything {
    let hands = state.seats().map(|seat| *state.hand(seat)).collect();
    Everything { hands, stock: state.stock().to_vec(), pile: state.pile().to_vec() }
}

fn table(state: &State) -> Table {
    let between = matches!(state.phase(), Phase::Setup | Phase::Deal);
    Table {
        rules: state.rules().clone(),
        phase: state.phase(),
        round: state.round_number(),
        attempt: state.round.attempt,
        dealer: state.dealer(),
        turn: (!between).then_some(state.turn_seat()),
        to_act: state.to_act(),
        source: state.turn.source,
        permission: state.turn.permission,
        over: state.round_over(),
        stock: state.stock_len(),
        pile: PileView {
            size: state.pile().len() as u16,
            top: state.pile().last().copied(),
            frozen: state.pile_causes(),
        },
        sides: state.sides().map(|side| side_view(state, side)).collect(),
        seats: state.seats().map(|seat| seat_view(state, seat)).collect(),
        melds: melds(state),
    }
}

fn side_view(state: &State, side: Side) -> SideView {
    SideView {
        score: state.scores()[side.index()],
        opened: state.opened(side),
        minimum: state.minimum(side),
        frozen: state.frozen(side),
    }
}

fn seat_view(state: &State, seat: Seat) -> SeatView {
    SeatView {
        side: state.side_of(seat),
        hand: state.hand(seat).len(),
        laid: *state.laid(seat),
        has_melded: state.has_melded(seat),
        has_asked: state.round.asked & (1 << seat.0) != 0,
    }
}

fn melds(state: &State) -> Vec<MeldView> {
    state.melds().iter().map(|m| MeldView { meld: m.clone(), grade: m.grade(state.set()) }).collect()
}

impl View {
    /// The seat whose view this is.
    pub fn seat(&self) -> Option<Seat> {
        match self.insight {
            Insight::Hand { seat, .. } => Some(seat),
            _ => None,
        }
    }

    /// The viewer's own hand.
    pub fn own_hand(&self) -> Option<&Cards> {
        match &self.insight {
            Insight::Hand { cards, .. } => Some(cards),
            _ => None,
        }
    }
}

impl Table {
    /// The melds of `side`, by id.
    pub fn melds_of(&self, side: Side) -> impl Iterator<Item = &MeldView> {
        self.melds.iter().filter(move |m| m.meld.side == side)
    }
}
