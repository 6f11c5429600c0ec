//! The requirements for going out (ALG-14). `check` decides by this one list, and every answer about going out
//! shows the same list.

use super::ask::{must_ask, refused_by};
use crate::card::Rank;
use crate::rejection::{Field, Violation};
use crate::rules::{Ask, RuleSet};
use crate::seat::{SEATS_MAX, Seat};
use crate::table::{Canastas, Table};
use crate::violations::Code;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// One requirement for going out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// The code of a violation of this requirement.
    pub code: Code,
    /// The number needed of what the requirement counts: canastas, finished hands, questions. 0 for a
    /// requirement that forbids something: a refusal, an incomplete meld.
    pub needs: u8,
    /// The number present of what the requirement counts.
    pub has: u8,
    /// The seats whose hands are still to be played, or that have refused, by bit.
    seats: u8,
    /// The rank of which a canasta is needed, where the requirement is about one rank.
    rank: Option<Rank>,
}

/// The kinds of canastas that a rank may be asked for, by the number of the rank.
const OF_RANKS: [&str; 14] = [
    "canasta of aces",
    "",
    "",
    "canasta of fours",
    "canasta of fives",
    "canasta of sixes",
    "canasta of sevens",
    "canasta of eights",
    "canasta of nines",
    "canasta of tens",
    "canasta of jacks",
    "canasta of queens",
    "canasta of kings",
    "",
];

impl Requirement {
    const fn new(code: Code, needs: u8, has: u8) -> Self {
        Self { code, needs, has, seats: 0, rank: None }
    }

    /// Whether the requirement forbids what it counts.
    const fn is_bar(&self) -> bool {
        matches!(self.code, Code::GoOutRefused | Code::GoOutIncompleteMeld)
    }

    /// Returns how many are missing or, for a requirement that forbids something, how many stand in the way; 0
    /// if the requirement is met.
    pub const fn missing(&self) -> u8 {
        if self.is_bar() { self.has } else { self.needs.saturating_sub(self.has) }
    }

    /// Returns the rank of which a canasta is needed; `None` for a requirement that is not about one rank.
    pub const fn rank(&self) -> Option<Rank> {
        self.rank
    }

    /// Returns the kind of canasta that the requirement counts, in the singular; `None` if it counts something else.
    pub const fn kind(&self) -> Option<&'static str> {
        Some(match self.code {
            Code::GoOutNeedsCanastas => "canasta",
            Code::GoOutNeedsClean => "clean canasta",
            Code::GoOutNeedsWild => "wild canasta",
            Code::GoOutNeedsMixed => "mixed canasta",
            Code::GoOutNeedsSequence => "sequence canasta",
            _ => match self.rank {
                Some(rank) => OF_RANKS[rank as usize],
                None => return None,
            },
        })
    }

    /// Returns the seats whose hands must still be finished, or that have refused, in seat order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        let seats = self.seats;
        (0..SEATS_MAX as u8).map(Seat).filter(move |seat| seats & 1 << seat.0 != 0)
    }

    /// Returns the violation of an action that does not meet this requirement.
    pub fn violation(&self, field: Field) -> Violation {
        let fault = Violation::new(self.code, field);
        match self.code {
            Code::GoOutNotAsked => fault,
            Code::GoOutRefused => self.seats().fold(fault, |fault, by| fault.fact("refused_by", by)),
            Code::GoOutNeedsHandsFinished => fault.fact("seats", self.seats().collect::<Vec<Seat>>()),
            Code::GoOutIncompleteMeld => fault.fact("melds", self.has),
            Code::GoOutNeedsRank => self.rank.into_iter().fold(fault, |fault, rank| fault.fact("rank", rank)),
            _ => fault.fact("found", self.has).fact("required", self.needs),
        }
    }
}

/// Returns the requirements on the canastas of a side.
pub(crate) fn of_canastas(set: &RuleSet, canastas: Canastas) -> impl Iterator<Item = Requirement> + use<> {
    let counts = [
        Requirement::new(Code::GoOutNeedsCanastas, set.go_out_total, canastas.total),
        Requirement::new(Code::GoOutNeedsClean, set.go_out_clean, canastas.clean),
        Requirement::new(Code::GoOutNeedsWild, set.go_out_wild, canastas.wild),
        Requirement::new(Code::GoOutNeedsSequence, set.go_out_sequence, canastas.sequence),
        Requirement::new(Code::GoOutNeedsMixed, set.go_out_mixed, canastas.mixed),
    ];
    let of_rank = move |rank: Rank| {
        let has = u8::from(canastas.ranks & 1 << rank.index() != 0);
        Requirement { rank: Some(rank), ..Requirement::new(Code::GoOutNeedsRank, 1, has) }
    };
    counts.into_iter().chain(set.go_out_ranks.iter().map(of_rank))
}

/// Returns the requirement on the incomplete melds of a side that bar going out.
const fn of_open_melds(canastas: Canastas) -> Requirement {
    Requirement::new(Code::GoOutIncompleteMeld, 0, canastas.barring)
}

/// Whether `canastas` suffice to go out.
pub fn suffices(set: &RuleSet, canastas: Canastas) -> bool {
    lacking(set, canastas).next().is_none()
}

/// Returns the requirements on the melds of a side that `canastas` do not meet.
pub(crate) fn lacking(set: &RuleSet, canastas: Canastas) -> impl Iterator<Item = Requirement> + use<> {
    let all = of_canastas(set, canastas).chain([of_open_melds(canastas)]);
    all.filter(|requirement| requirement.missing() > 0)
}

/// Returns the requirement on hands that must be finished first: the own hand if the rule set has feet, and the
/// hands of the mates if the rule set requires them (HF-082).
pub(crate) fn of_hands(table: &Table, seat: Seat) -> Requirement {
    let asked = table.set().go_out_hands_finished;
    let own = (table.set().foot_size > 0).then_some(seat);
    let (mut needs, mut seats) = (0, 0);
    for hand in own.into_iter().chain(table.mates(seat).filter(|_| asked)) {
        let played = if hand == seat { table.foot(seat).is_empty() } else { table.has_finished_hand(hand) };
        needs += 1;
        seats |= u8::from(!played) << hand.0;
    }
    let has = needs - seats.count_ones() as u8;
    Requirement { seats, ..Requirement::new(Code::GoOutNeedsHandsFinished, needs, has) }
}

/// Returns the two requirements on the mates: that they were asked, if asking is a duty (IR-055), and that no
/// mate has refused (CL-089).
pub(crate) fn of_question(table: &Table, seat: Seat) -> [Requirement; 2] {
    let in_turn = seat == table.turn.seat;
    let asks = in_turn && table.set().ask == Ask::Required && table.mates(seat).next().is_some();
    let asked = Requirement::new(Code::GoOutNotAsked, u8::from(asks), u8::from(asks && !must_ask(table)));
    let refused = refused_by(table).filter(|_| in_turn);
    let seats = refused.map_or(0, |by| 1 << by.0);
    let refusal = Requirement::new(Code::GoOutRefused, 0, u8::from(refused.is_some()));
    [asked, Requirement { seats, ..refusal }]
}

/// Returns all requirements for `seat` to go out with these canastas, met or not, in the order of the checks.
pub(crate) fn all_requirements(table: &Table, seat: Seat, canastas: Canastas) -> SmallVec<[Requirement; 10]> {
    let rest = [of_hands(table, seat), of_open_melds(canastas)];
    of_question(table, seat).into_iter().chain(of_canastas(table.set(), canastas)).chain(rest).collect()
}

/// Whether the rule set has this requirement, or the requirement is not met.
pub(crate) fn is_asked(set: &RuleSet, requirement: &Requirement) -> bool {
    let may_bar = requirement.code == Code::GoOutIncompleteMeld && !set.go_out_bars.is_empty();
    requirement.needs > 0 || requirement.missing() > 0 || may_bar
}

/// Whether the seat in turn may go out with these canastas (ALG-14).
pub(crate) fn may_go_out(table: &Table, canastas: Canastas) -> bool {
    all_requirements(table, table.turn.seat, canastas).iter().all(|requirement| requirement.missing() == 0)
}

/// Returns the violations of an action that goes out with these canastas and leaves `hand` cards, except those
/// about the mates' answers, which [`of_mates`] returns.
pub(crate) fn reasons(table: &Table, seat: Seat, canastas: Canastas, hand: u16) -> Vec<Violation> {
    let may_pass = if table.set().pass_discard && hand == 1 { "YES" } else { "NO" };
    let asked = [Code::GoOutNotAsked, Code::GoOutRefused];
    let missing =
        missing_to_go_out(table, seat, canastas).filter(|requirement| !asked.contains(&requirement.code));
    let fault = |requirement: Requirement| {
        let fault = requirement.violation(Field::Action);
        let counts = fault.code == Code::GoOutNeedsCanastas;
        if counts { fault.fact("may_pass", may_pass) } else { fault }
    };
    missing.map(fault).collect()
}

/// Returns the unmet requirements for `seat` to go out with these canastas.
pub(crate) fn missing_to_go_out(
    table: &Table,
    seat: Seat,
    canastas: Canastas,
) -> impl Iterator<Item = Requirement> + use<> {
    all_requirements(table, seat, canastas).into_iter().filter(|needed| needed.missing() > 0)
}

/// Returns the violations GO_OUT_NOT_ASKED and GO_OUT_REFUSED of an action that goes out, as far as they apply.
pub(crate) fn of_mates(table: &Table, field: Field) -> Vec<Violation> {
    let missing = of_question(table, table.turn.seat).into_iter().filter(|needed| needed.missing() > 0);
    missing.map(|requirement| requirement.violation(field)).collect()
}
