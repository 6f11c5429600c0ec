//! The requirements for going out (ALG-14): the one list by which `check` decides, and which everything that speaks of
//! going out shows.

use super::ask::{must_ask, refused_by};
use crate::rejection::{Field, Violation};
use crate::rules::{Ask, RuleSet};
use crate::seat::{MAX_SEATS, Seat};
use crate::table::{Canastas, Table};
use crate::violations::Code;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// One thing that going out needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// The code of a violation of this requirement.
    pub code: Code,
    /// The number needed, in what the requirement counts: canastas, hands that are played, questions. 0 where nothing
    /// may be there: a refusal, an incomplete meld that bars.
    pub needs: u8,
    /// The number that is there.
    pub has: u8,
    /// The seats whose hands are still to be played, or that have refused, by bit.
    seats: u8,
}

impl Requirement {
    const fn new(code: Code, needs: u8, has: u8) -> Self {
        Self { code, needs, has, seats: 0 }
    }

    /// Whether nothing may be there.
    const fn is_bar(&self) -> bool {
        matches!(self.code, Code::GoOutRefused | Code::GoOutIncompleteMeld)
    }

    /// Returns how many are missing, or stand in the way: 0 where the requirement is met.
    pub const fn missing(&self) -> u8 {
        if self.is_bar() { self.has } else { self.needs.saturating_sub(self.has) }
    }

    /// Returns the kind of canasta that the requirement counts, in the singular; `None` if it counts something else.
    pub const fn kind(&self) -> Option<&'static str> {
        Some(match self.code {
            Code::GoOutNeedsCanastas => "canasta",
            Code::GoOutNeedsClean => "clean canasta",
            Code::GoOutNeedsWild => "wild canasta",
            Code::GoOutNeedsSequence => "sequence canasta",
            _ => return None,
        })
    }

    /// Returns the seats that are waited for, or that have refused, in their order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        let seats = self.seats;
        (0..MAX_SEATS as u8).map(Seat).filter(move |seat| seats & 1 << seat.0 != 0)
    }

    /// Returns the violation of an action that needs what is missing.
    pub fn violation(&self, field: Field) -> Violation {
        let fault = Violation::new(self.code, field);
        match self.code {
            Code::GoOutNotAsked => fault,
            Code::GoOutRefused => self.seats().fold(fault, |fault, by| fault.fact("refused_by", by)),
            Code::GoOutNeedsHandsFinished => fault.fact("seats", self.seats().collect::<Vec<Seat>>()),
            Code::GoOutIncompleteMeld => fault.fact("melds", self.has),
            _ => fault.fact("have", self.has).fact("need", self.needs),
        }
    }
}

/// What the canastas of a side, and its melds that are none yet, have to be.
pub(crate) fn of_canastas(set: &RuleSet, canastas: Canastas) -> [Requirement; 5] {
    [
        Requirement::new(Code::GoOutNeedsCanastas, set.go_out_total, canastas.total),
        Requirement::new(Code::GoOutNeedsClean, set.go_out_clean, canastas.clean),
        Requirement::new(Code::GoOutNeedsWild, set.go_out_wild, canastas.wild),
        Requirement::new(Code::GoOutNeedsSequence, set.go_out_sequence, canastas.sequence),
        Requirement::new(Code::GoOutIncompleteMeld, 0, canastas.barring),
    ]
}

/// Whether `canastas` suffice to go out.
pub fn suffices(set: &RuleSet, canastas: Canastas) -> bool {
    of_canastas(set, canastas).iter().all(|requirement| requirement.missing() == 0)
}

/// The hands that must be played first: the own one where a foot waits, and those of the mates where that is asked
/// (HF-082).
pub(crate) fn of_hands(state: &Table, seat: Seat) -> Requirement {
    let asked = state.set().go_out_hands_finished;
    let own = (state.set().foot_size > 0).then_some(seat);
    let (mut needs, mut seats) = (0, 0);
    for hand in own.into_iter().chain(state.mates(seat).filter(|_| asked)) {
        let played = if hand == seat { state.foot(seat).is_empty() } else { state.has_finished_hand(hand) };
        needs += 1;
        seats |= u8::from(!played) << hand.0;
    }
    let has = needs - seats.count_ones() as u8;
    Requirement { seats, ..Requirement::new(Code::GoOutNeedsHandsFinished, needs, has) }
}

/// Whether `seat` plays its last hand, and its mates have finished their first where that is asked (HF-082).
pub(crate) fn hands_allow_going_out(state: &Table, seat: Seat) -> bool {
    of_hands(state, seat).missing() == 0
}

/// What the mates have to say of it: the question where it is a duty (IR-055), and no refusal (CL-089).
pub(crate) fn of_question(state: &Table, seat: Seat) -> [Requirement; 2] {
    let in_turn = seat == state.turn.seat;
    let asks = in_turn && state.set().ask == Ask::Required && state.mates(seat).next().is_some();
    let asked = Requirement::new(Code::GoOutNotAsked, u8::from(asks), u8::from(asks && !must_ask(state)));
    let refused = refused_by(state).filter(|_| in_turn);
    let seats = refused.map_or(0, |by| 1 << by.0);
    let refusal = Requirement::new(Code::GoOutRefused, 0, u8::from(refused.is_some()));
    [asked, Requirement { seats, ..refusal }]
}

/// Returns everything that decides whether the seat in turn may go out with these canastas, met or not, in the order of
/// the checks.
pub(crate) fn all_requirements(state: &Table, seat: Seat, canastas: Canastas) -> SmallVec<[Requirement; 8]> {
    let [total, clean, wild, sequence, barring] = of_canastas(state.set(), canastas);
    let of_melds = [total, clean, wild, sequence, of_hands(state, seat), barring];
    of_question(state, seat).into_iter().chain(of_melds).collect()
}

/// Whether the rule set asks for it, or it stands in the way.
pub(crate) fn is_asked(set: &RuleSet, requirement: &Requirement) -> bool {
    let may_bar = requirement.code == Code::GoOutIncompleteMeld && !set.go_out_bars.is_empty();
    requirement.needs > 0 || requirement.missing() > 0 || may_bar
}

/// ALG-14: whether the seat in turn may go out with these canastas.
pub(crate) fn may_go_out(state: &Table, canastas: Canastas) -> bool {
    all_requirements(state, state.turn.seat, canastas).iter().all(|requirement| requirement.missing() == 0)
}

/// The violations of an action that goes out with these canastas and leaves `hand` cards: what the mates have to say
/// of it is judged apart.
pub(crate) fn reasons(state: &Table, seat: Seat, canastas: Canastas, hand: u16) -> Vec<Violation> {
    let may_pass = if state.set().pass_discard && hand == 1 { "YES" } else { "NO" };
    let missing =
        all_requirements(state, seat, canastas).into_iter().filter(|requirement| requirement.missing() > 0);
    let asked = [Code::GoOutNotAsked, Code::GoOutRefused];
    let missing = missing.filter(|requirement| !asked.contains(&requirement.code));
    let fault = |requirement: Requirement| {
        let fault = requirement.violation(Field::Action);
        let counts = fault.code == Code::GoOutNeedsCanastas;
        if counts { fault.fact("may_pass", may_pass) } else { fault }
    };
    missing.map(fault).collect()
}

/// What keeps the seat in turn from going out with its last card, with these canastas.
pub(crate) fn missing_to_go_out(state: &Table, canastas: Canastas) -> Vec<Requirement> {
    all_requirements(state, state.turn.seat, canastas)
        .into_iter()
        .filter(|needed| needed.missing() > 0)
        .collect()
}

/// GO_OUT_NOT_ASKED and GO_OUT_REFUSED of an action that goes out.
pub(crate) fn of_mates(state: &Table, field: Field) -> Vec<Violation> {
    let missing = of_question(state, state.turn.seat).into_iter().filter(|needed| needed.missing() > 0);
    missing.map(|requirement| requirement.violation(field)).collect()
}
