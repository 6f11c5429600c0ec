//! The hand that stays, and going out (ALG-13, ALG-14).

use super::{Batch, Column, Desk, discard, must_go_out, restricted};
use crate::action::{ActionKind, Group};
use crate::card::Cards;
use crate::facts::Requirement;
use crate::facts::{self, may_go_out};
use crate::nodes::Nodes;
use crate::rejection::{Field, Violation};
use crate::rules::{FinalDiscard, RuleSet};
use crate::seat::{Seat, Side};
use crate::table::{Canastas, Table, grade};
use crate::violations::Code;
use crate::way_out;
use alloc::vec::Vec;

/// What a batch leads to: the hand that stays and the canastas that the side then has.
pub(crate) struct Outlook {
    /// Cards in hand after the action, what comes from the pile included.
    pub hand_after: u16,
    pub canastas: Canastas,
    /// Cards that a seat that goes out may still hold after it: the final discard.
    pub for_discard: u16,
}

impl Outlook {
    /// The outlook after `columns`, with `hand_after` cards left.
    pub(crate) fn of(desk: &Desk<'_>, columns: &[Column], hand_after: u16) -> Self {
        let mut canastas = Canastas::default();
        for (at, meld) in desk.state.melds.iter().enumerate().filter(|(_, m)| m.side == desk.side) {
            if !columns.iter().any(|c| c.placement.target == Some(at as u8)) {
                canastas.count(desk.set, meld.rank, meld.wilds(), meld.grade(desk.set));
            }
        }
        for column in columns {
            let (rank, wilds) = (column.placement.rank, column.wilds());
            let grade = grade(desk.set, column.placement.kind, column.size(), wilds);
            canastas.count(desk.set, rank, wilds, grade);
        }
        Self { hand_after, canastas, for_discard: desk.state.for_discard() }
    }

    /// Whether the batch leaves at most the final card and goes out free of the limits on size and wilds (US-003,
    /// clarification 8).
    pub(super) fn overfills(&self, desk: &Desk<'_>) -> bool {
        desk.set.overfill_out && self.hand_after <= self.for_discard && may_go_out(desk.state, self.canastas)
    }
}

impl Table {
    /// How many cards the seat in turn may keep to go out with: one to discard, where a discard follows.
    pub(crate) fn for_discard(&self) -> u16 {
        u16::from(!self.turn.no_discard)
    }
}

/// The canastas of the side of `seat` once `groups` lie where they can.
pub(super) fn canastas_with(state: &Table, seat: Seat, groups: &[Group]) -> Canastas {
    let nodes = Nodes::default();
    let desk = Desk::new(state, seat, ActionKind::Meld, &nodes);
    let mut batch = Batch::default();
    batch.add_all(&desk, groups);
    batch.overflow(&desk);
    Outlook::of(&desk, &batch.columns, 0).canastas
}

/// Returns the requirements that the rule set has for the side of `seat`, once `groups` lie where they can.
pub(crate) fn requirements(state: &Table, seat: Seat, groups: &[Group]) -> Vec<Requirement> {
    let canastas = match groups {
        [] => state.canastas(state.side_of(seat)),
        _ => canastas_with(state, seat, groups),
    };
    let all = facts::all_requirements(state, seat, canastas).into_iter();
    all.filter(|requirement| facts::is_asked(state.set(), requirement)).collect()
}

/// What keeps the seat in turn from going out as its melds are; none if it is only its cards.
pub(super) fn missing(state: &Table, seat: Seat, side: Side) -> Vec<Code> {
    let reasons = facts::reasons(state, seat, state.canastas(side), state.hand(seat).len());
    reasons.iter().map(|reason| reason.code).collect()
}

/// The last card leaves the hand: GO_OUT_NOT_ASKED, GO_OUT_REFUSED and the out-reasons.
pub(super) fn judge_last_card(desk: &mut Desk<'_>) {
    let canastas = desk.state.canastas(desk.side);
    desk.faults.extend(facts::of_mates(desk.state, Field::Card));
    for reason in facts::reasons(desk.state, desk.seat, canastas, 1) {
        // The test of the turn's melds may have named it.
        if !desk.faults.iter().any(|known| known.code == reason.code) {
            desk.push(reason);
        }
    }
}

/// Returns how far the seat reaches after a batch that leaves `rest` in the hand.
fn reach_after<'a>(desk: &Desk<'a>, columns: &[Column], rest: &Cards) -> way_out::Reach<'a> {
    let laid = columns.iter().map(|column| {
        let (naturals, wilds) = (column.naturals(), column.wilds());
        // A batch is judged by then, a turn that may be taken back is not.
        let base = if desk.lays_loose() { column.old } else { (naturals, wilds) };
        let placement = &column.placement;
        let (target, kind, rank) = (placement.target, placement.kind, placement.rank);
        way_out::Laid { target, kind, rank, naturals, wilds, base, cards: &placement.cards }
    });
    way_out::Reach::after(desk.state, rest, laid)
}

/// ALG-13: whether the hand that stays can neither make a discard and keep a card nor go out. A hand that is too
/// small is another fault.
fn leaves_no_finish(desk: &Desk<'_>, columns: &[Column], outlook: &Outlook, rest: &Cards, may: bool) -> bool {
    let size = outlook.hand_after;
    !desk.state.turn.no_discard
        && (size >= 2 || (size == 1 && may))
        && !discard::leaves_a_card(desk.state, rest)
        && !way_out::exists(&reach_after(desk, columns, rest), desk.nodes)
}

/// ALG-13: how many cards stay at least when the side may not go out: one to keep and one to discard, or one
/// for which the discard is passed (HN-044).
pub(crate) fn least_kept(set: &RuleSet) -> u16 {
    if set.pass_discard { 1 } else { 2 }
}

/// AMB-HF-14: nobody goes out after the own discard, and a card stays for the next turn.
fn judge_late(desk: &mut Desk<'_>, black_threes: Option<Field>, outlook: &Outlook) {
    if let Some(field) = black_threes {
        let fault = Violation::new(Code::ThreeBlackNotGoingOut, field);
        desk.push(fault.fact("hand_after", outlook.hand_after).fact("reasons", Vec::<Code>::new()));
    }
    if outlook.hand_after == 0 {
        let fault = Violation::new(Code::MeldLeavesTooFewCards, Field::Action);
        desk.push(fault.fact("hand_after", 0u16).fact("required", 1u16));
    }
}

/// The list "size" for a meld or a take. `rest` is the hand after it.
/// `black_threes` is the group that lays them.
pub(super) fn judge(
    desk: &mut Desk<'_>,
    black_threes: Option<Field>,
    columns: &[Column],
    outlook: &Outlook,
    rest: &Cards,
) {
    let set = desk.set;
    // While a foot waits any hand may be left, and none of this is going out (HF-077).
    if !desk.state.foot(desk.seat).is_empty() {
        return;
    }
    if desk.is_late() {
        return judge_late(desk, black_threes, outlook);
    }
    let (state, seat) = (desk.state, desk.seat);
    let reasons = || facts::reasons(state, seat, outlook.canastas, outlook.hand_after);
    let may = may_go_out(state, outlook.canastas);
    if let Some(field) = black_threes.filter(|_| outlook.hand_after > outlook.for_discard || !may) {
        let all = facts::of_mates(state, field).into_iter().chain(reasons());
        let codes: Vec<Code> = all.map(|reason| reason.code).collect();
        let fault = Violation::new(Code::ThreeBlackNotGoingOut, field);
        desk.push(fault.fact("hand_after", outlook.hand_after).fact("reasons", codes));
    }
    if outlook.hand_after == 0 && set.final_discard == FinalDiscard::Required {
        desk.push(Violation::new(Code::GoOutDiscardRequired, Field::Action));
    }
    let required = least_kept(set);
    if outlook.hand_after < required && !may {
        desk.faults.extend(facts::of_mates(state, Field::Action));
        let fault = Violation::new(Code::MeldLeavesTooFewCards, Field::Action)
            .fact("hand_after", outlook.hand_after)
            .fact("required", required);
        desk.push(fault);
        desk.faults.extend(reasons());
    }
    if restricted(set) && leaves_no_finish(desk, columns, outlook, rest, may) {
        let fault = Violation::new(Code::MeldLeavesNoFinish, Field::Action);
        desk.push(fault.fact("hand_after", outlook.hand_after));
    }
    if must_go_out(desk.state) && !way_out::exists(&reach_after(desk, columns, rest), desk.nodes) {
        desk.push(Violation::new(Code::GoOutBound, Field::Action));
    }
}
