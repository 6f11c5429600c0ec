//! What one viewer may see of a state (ALG-28, AMB-36).
//!
//! A [`View`] is built up from what is public, never filtered down from everything: [`OpenTable`] has no place
//! for a hidden card, and [`Insight`] adds what the viewer alone may see. Two states that differ only in
//! cards that a viewer cannot see give that viewer equal views.
//!
//! Of the pile only the top card and the number of cards are in view (AMB-36, HF-032): cards under the top
//! are not shown to anyone but a judge, although each of them was shown when it was laid, unless the rule set lets
//! players look (IR-014). They count as known all the same: what a seat may do, and why it may not (PILE_BURIED_CARD), may depend on them.

use crate::action::{As, SpecialHand};
use crate::card::{Card, Cards};
use crate::event::Grade;
use crate::rules::{InitialKey, PileLook, Rules, ScoreUnit};
use crate::seat::{Seat, Side};
use crate::table::{
    Answer, Causes, Courtesy, Cut, Meld, Permission, Phase, RoundOver, Source, Table, TakenTop, Talon,
    TalonPlace,
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
    /// What everyone at the table sees.
    pub table: OpenTable,
    /// What this viewer sees besides.
    pub insight: Insight,
}

/// What everyone at the table sees.
#[derive(Clone, PartialEq, Debug)]
pub struct OpenTable {
    /// The rule set in force.
    pub rules: Arc<Rules>,
    /// Where the game stands.
    pub phase: Phase,
    /// Number of the round, from 1; 0 while cards are drawn for sides and dealer.
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
    /// The turn has no discard: nothing replaced the last card of the stock, a red three.
    pub no_discard: bool,
    /// The question of this turn and its answer, both given openly.
    pub permission: Permission,
    /// The mate who has answered while the other still has to.
    pub answered: Option<Answer>,
    /// Whether the seat in turn may meld after its discard.
    pub courtesy: Courtesy,
    /// The seat that plays alone, once three players' sides have formed in this round.
    pub lone: Option<Seat>,
    /// How the last round ended; `None` while one is being played.
    pub over: Option<RoundOver>,
    /// Which cuts of this round's deal were exact, where the rule set pays for them.
    pub cut: Cut,
    /// How many cards the stock has.
    pub stock: u16,
    /// The pile.
    pub pile: PileView,
    /// The top of the pile while the seat in turn has taken it tentatively.
    pub taken_top: Option<TakenTop>,
    /// By side.
    pub sides: Vec<SideView>,
    /// By seat.
    pub seats: Vec<SeatView>,
    /// By side, then by id.
    pub melds: Vec<MeldView>,
    /// The action (`seq`) that opened the dispute which suspends play.
    pub dispute: Option<u64>,
    /// The talons; none in rule sets without.
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

/// What everyone sees of a talon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TalonView {
    /// Where it lies.
    pub place: TalonPlace,
    /// How many cards it has.
    pub size: u16,
}

/// A special hand that lies face up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Special {
    /// Whose it is.
    pub seat: Seat,
    /// What it is.
    pub hand: SpecialHand,
    /// Its cards.
    pub cards: Cards,
}

/// What everyone sees of the pile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PileView {
    /// How many cards it has.
    pub size: u16,
    /// Its top card; `None` when it is empty, and while the top is taken tentatively: the card under it
    /// is not in view.
    pub top: Option<Card>,
    /// Cards under the top that anyone may look at, from the top down; none in most rule sets (IR-014).
    pub under: Vec<Card>,
    /// What freezes it against every side; what freezes it against one side stands with the side.
    pub frozen: Causes,
}

/// What everyone sees of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideView {
    /// Points of the finished rounds; `None` where seats keep the score.
    pub score: Option<i32>,
    /// Whether it has made its initial meld in this round.
    pub opened: bool,
    /// Points that its initial meld needs in this round; `None` where that depends on who melds.
    pub minimum: Option<i32>,
    /// All that freezes the pile against it.
    pub frozen: Causes,
    /// How often it has put a tentatively taken top back in this round.
    pub restores: u16,
    /// Points of rulings that this round will book; 0 where seats keep the score.
    pub ruled: i32,
    /// Whether it has signed the sheet of the finished game.
    pub signed: bool,
}

/// What everyone sees of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeatView {
    /// The player on it, by place in the list that the game was created with.
    pub player: u8,
    /// The side it plays for.
    pub side: Side,
    /// Points of the finished rounds; `None` where sides keep the score.
    pub score: Option<i32>,
    /// Points that it needs to make its side's initial meld; `None` where that does not depend on the seat.
    pub minimum: Option<i32>,
    /// How many cards its hand has.
    pub hand: u16,
    /// How many cards its foot has, 0 from when it is in play; nobody looks at it before (HF-030).
    pub foot: u16,
    /// The threes it has laid.
    pub laid: Cards,
    /// Whether it has melded in this round.
    pub has_melded: bool,
    /// Whether it has asked in this round.
    pub has_asked: bool,
    /// Whether it may still meld what it held at its own discard.
    pub courteous: bool,
    /// Cards of its hand that lie open and must be discarded first.
    pub penalty_cards: Cards,
    /// The ruling that takes the pile from it in its turn under way or next.
    pub pile_forfeited: Option<u32>,
    /// Points of rulings that this round will book; 0 where sides keep the score.
    pub ruled: i32,
}

/// A meld on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeldView {
    /// The meld itself: all of it is public.
    pub meld: Meld,
    /// What kind of canasta it is; `None` while it is open.
    pub grade: Option<Grade>,
    /// Those of its cards that may still return to the hand.
    pub loose: Cards,
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
    /// By seat: second hands that are not in play yet; no entries where there are none.
    pub feet: Vec<Cards>,
    /// Bottom to top: the last is drawn next.
    pub stock: Vec<Card>,
    /// Bottom to top.
    pub pile: Vec<Card>,
    /// In the order of [`OpenTable::talons`], each in the order in which it was set aside.
    pub talons: Vec<Vec<Card>>,
    /// The discard that went out face down.
    pub face_down: Option<Card>,
}

/// The state as `viewer` sees it. Judge and director see everything; a seat that does not exist sees what
/// the table sees.
pub fn view(state: &Table, viewer: As) -> View {
    let insight = match viewer {
        As::Seat(seat) if seat.0 < state.set().seats => Insight::Hand { seat, cards: *state.hand(seat) },
        As::Judge | As::Director => Insight::All(Box::new(everything(state))),
        As::Seat(_) | As::Table => Insight::None,
    };
    View { table: table(state), insight }
}

fn everything(state: &Table) -> Everything {
    let hands = state.seats().map(|seat| *state.hand(seat)).collect();
    let talons = state.talons().iter().map(|talon| talon.cards.clone()).collect();
    let (stock, pile) = (state.stock().to_vec(), state.pile().to_vec());
    Everything { hands, feet: state.feet.clone(), stock, pile, talons, face_down: state.face_down() }
}

fn table(state: &Table) -> OpenTable {
    let between = matches!(state.phase(), Phase::Setup | Phase::Deal);
    OpenTable {
        rules: state.rules().clone(),
        phase: state.phase(),
        round: state.round_number(),
        attempt: state.round.attempt,
        dealer: state.dealer(),
        turn: (!between).then_some(state.turn_seat()),
        to_act: state.to_act(),
        source: state.turn.source,
        no_discard: state.turn.no_discard,
        permission: state.turn.permission,
        answered: state.turn.answered,
        courtesy: state.turn.courtesy,
        lone: state.lone(),
        over: state.round_over(),
        cut: state.cut(),
        stock: state.stock_len(),
        pile: PileView {
            size: state.pile().len() as u16,
            top: state.pile().last().copied().filter(|_| state.taken_top().is_none()),
            under: under_top(state),
            frozen: state.pile_causes(),
        },
        taken_top: state.taken_top(),
        sides: state.sides().map(|side| side_view(state, side)).collect(),
        seats: state.seats().map(|seat| seat_view(state, seat)).collect(),
        melds: melds(state),
        dispute: state.rulings().dispute,
        talons: state.talons().iter().map(talon_view).collect(),
        face_down: state.face_down().is_some(),
        offered: state.round.offered,
        reveal: state.round.reveal,
        special: special(state),
    }
}

/// The cards under the top, as many as may be looked at; while the top is taken, those that lie under its place.
fn under_top(state: &Table) -> Vec<Card> {
    let most = match state.set().pile_look {
        PileLook::None => 0,
        PileLook::Three => 3,
        PileLook::All => usize::MAX,
    };
    let above = usize::from(state.taken_top().is_none());
    state.pile().iter().rev().skip(above).take(most).copied().collect()
}

fn side_view(state: &Table, side: Side) -> SideView {
    let set = state.set();
    let seat = state.seats_of(side).next().filter(|_| set.initial_key != InitialKey::MelderScore);
    SideView {
        score: (set.score_unit == ScoreUnit::Side).then(|| state.scores()[side.index()]),
        opened: state.opened(side),
        minimum: seat.map(|seat| state.minimum(seat)),
        frozen: state.frozen(side),
        restores: state.restores(side),
        ruled: if set.score_unit == ScoreUnit::Side { state.rulings().adjustments[side.index()] } else { 0 },
        signed: state.rulings().signed & (1 << side.0) != 0,
    }
}

fn seat_view(state: &Table, seat: Seat) -> SeatView {
    let set = state.set();
    SeatView {
        player: state.player_on(seat),
        side: state.side_of(seat),
        score: (set.score_unit == ScoreUnit::Seat).then(|| state.scores()[seat.index()]),
        minimum: (set.initial_key == InitialKey::MelderScore).then(|| state.minimum(seat)),
        hand: state.hand(seat).len(),
        foot: state.foot(seat).len(),
        laid: *state.laid(seat),
        has_melded: state.has_melded(seat),
        has_asked: state.round.asked & (1 << seat.0) != 0,
        courteous: state.is_courteous(seat),
        penalty_cards: state.rulings().penalty_cards(seat),
        pile_forfeited: state.rulings().forfeits_pile(seat),
        ruled: if set.score_unit == ScoreUnit::Seat { state.rulings().adjustments[seat.index()] } else { 0 },
    }
}

fn talon_view(talon: &Talon) -> TalonView {
    TalonView { place: talon.place, size: talon.cards.len() as u16 }
}

fn special(state: &Table) -> Option<Special> {
    let (hand, seat) = (state.round.special?, state.round.over?.seat?);
    Some(Special { seat, hand, cards: *state.hand(seat) })
}

fn melds(state: &Table) -> Vec<MeldView> {
    let in_turn = state.side_of(state.turn_seat());
    let loose = |m: &Meld| state.loose_of(m.id).filter(|_| m.side == in_turn).copied();
    let seen = |m: &Meld| MeldView {
        meld: m.clone(),
        grade: m.grade(state.set()),
        loose: loose(m).unwrap_or(Cards::EMPTY),
    };
    state.melds().iter().map(seen).collect()
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

impl OpenTable {
    /// The melds of `side`, by id.
    pub fn melds_of(&self, side: Side) -> impl Iterator<Item = &MeldView> {
        self.melds.iter().filter(move |m| m.meld.side == side)
    }
}
