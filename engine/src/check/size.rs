//! The hand that stays, and going out (ALG-13, ALG-14).

use super::{Batch, Column, Desk};
use crate::action::MeldKind;
use crate::card::Cards;
use crate::event::Grade;
use crate::rejection::{Field, Repair, Violation};
use crate::rules::{FinalDiscard, RuleSet};
use crate::state::{Canastas, Permission, State};
use crate::violations::Code;
use crate::way_out;
use alloc::vec::Vec;

/// What a batch leads to: the hand that stays and the canastas that the side then has.
pub(crate) struct Outlook {
    /// Cards in hand after the action, what comes from the pile included.
    pub hand_after: u16,
    pub canastas: Canastas,
}

impl Outlook {
    /// The outlook after `columns`, with `hand_after` cards left.
    pub(crate) fn of(desk: &Desk<'_>, columns: &[Column], hand_after: u16) -> Self {
        let mut canastas = Canastas::default();
        for (at, meld) in desk.state.melds.iter().enumerate().filter(|(_, m)| m.side == desk.side) {
            if !columns.iter().any(|c| c.placement.target == Some(at as u8)) {
                canastas.count(meld.grade(desk.set));
            }
        }
        for column in columns {
            canastas.count(grade(desk.set, column));
        }
        Self { hand_after, canastas }
    }
}

fn grade(set: &RuleSet, column: &Column) -> Option<Grade> {
    if column.placement.kind == MeldKind::BlackThrees || column.size() < set.canasta_size {
        return None;
    }
    Some(match column.placement.kind {
        MeldKind::Wild => Grade::Wild,
        _ if column.wilds() == 0 => Grade::Natural,
        _ => Grade::Mixed,
    })
}

/// Whether `canastas` suffice to go out.
pub(crate) fn suffices(set: &RuleSet, canastas: Canastas) -> bool {
    canastas.total >= set.go_out_total
        && canastas.clean >= set.go_out_clean
        && canastas.wild >= set.go_out_wild
}

/// ALG-14: whether the seat in turn may go out with these canastas.
pub(crate) fn may_go_out(state: &State, canastas: Canastas) -> bool {
    suffices(state.set(), canastas) && !matches!(state.turn.permission, Permission::No { .. })
}

/// The out-reasons: requirements to go out that `canastas` miss.
fn out_reasons(set: &RuleSet, canastas: Canastas) -> Vec<Violation> {
    let needs = [
        (Code::GoOutNeedsCanastas, canastas.total, set.go_out_total),
        (Code::GoOutNeedsClean, canastas.clean, set.go_out_clean),
        (Code::GoOutNeedsWild, canastas.wild, set.go_out_wild),
    ];
    let missing = needs.into_iter().filter(|&(_, have, need)| have < need);
    missing
        .map(|(code, have, need)| {
            let fault = Violation::new(code, Field::Action).fact("have", have).fact("need", need);
            if code == Code::GoOutNeedsCanastas { fault.fact("may_pass", "NO") } else { fault }
        })
        .collect()
}

/// The last card leaves the hand: GO_OUT_REFUSED and the out-reasons.
pub(super) fn judge_last_card(desk: &mut Desk<'_>) {
    let canastas = desk.state.canastas(desk.side);
    if let Permission::No { by } = desk.state.turn.permission {
        desk.push(Violation::new(Code::GoOutRefused, Field::Card).fact("seat", by));
    }
    for reason in out_reasons(desk.set, canastas) {
        desk.push(reason);
    }
}

/// The list "size" for a meld or a take. `rest` is the hand after it.
pub(super) fn judge(desk: &mut Desk<'_>, batch: &Batch, outlook: &Outlook, rest: &Cards) {
    let set = desk.set;
    let reasons = || out_reasons(set, outlook.canastas);
    let refused = match desk.state.turn.permission {
        Permission::No { by } => Some(by),
        _ => None,
    };
    let may = refused.is_none() && suffices(set, outlook.canastas);
    if let Some(field) = batch.black_threes.filter(|_| outlook.hand_after > 1 || !may) {
        let mut codes: Vec<Code> = reasons().iter().map(|v| v.code).collect();
        if refused.is_some() {
            codes.insert(0, Code::GoOutRefused);
        }
        let fault = Violation::new(Code::ThreeBlackNotGoingOut, field);
        desk.push(fault.fact("hand_after", outlook.hand_after).fact("reasons", codes));
    }
    if outlook.hand_after == 0 && set.final_discard == FinalDiscard::Required {
        desk.push(Violation::new(Code::GoOutDiscardRequired, Field::Action).repair(Repair::KeepMore(1)));
    }
    if outlook.hand_after < 2 && !may {
        if let Some(by) = refused {
            desk.push(Violation::new(Code::GoOutRefused, Field::Action).fact("seat", by));
        }
        let fault = Violation::new(Code::MeldLeavesTooFewCards, Field::Action)
            .fact("hand_after", outlook.hand_after)
            .fact("required", 2u8)
            .repair(Repair::KeepMore(2 - outlook.hand_after as u8));
        desk.push(fault);
        for reason in reasons() {
            desk.push(reason);
        }
    }
    let bound = desk.state.turn.permission == Permission::Yes;
    if bound && !way_out::exists(&way_out::Table::after(desk, &batch.columns, rest)) {
        desk.push(Violation::new(Code::GoOutBound, Field::Action).repair(Repair::GoOut));
    }
}
