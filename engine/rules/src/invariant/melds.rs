//! The invariants of melds.

use super::none;
use crate::action::MeldKind;
use crate::card::{Card, Cards, Class};
use crate::facts::wild_cap;
use crate::rules::{BlackThreeMeld, RankWilds, RuleSet, SideFormation};
use crate::sequence::Sequence;
use crate::table::{Found, Meld, Phase, Sentence, Table, say};
use crate::violations::Code;
use alloc::vec::Vec;

/// Tests the shape of melds. Only the kind of a loose meld is tested: the rest follows at the turn's end (HN-015).
pub(crate) fn melds_shaped(table: &Table) -> Result<(), Found> {
    none(table.melds.iter().flat_map(|meld| faults_of_meld(table, meld)))
}

/// Tests the limits of melds that have the shape of their kind.
pub(super) fn melds_within_limits(table: &Table) -> Result<(), Found> {
    let judged =
        table.melds.iter().filter(|meld| !is_loose(table, meld) && faults_of_meld(table, meld).is_empty());
    none(judged.filter_map(|meld| limit_fault(table, meld)))
}

fn is_loose(table: &Table, m: &Meld) -> bool {
    m.side == table.side_of(table.turn.seat) && table.loose_of(m.id).is_some()
}

/// Returns all faults in the shape of a meld.
fn faults_of_meld(table: &Table, m: &Meld) -> Vec<Sentence> {
    let set = table.set();
    let loose = is_loose(table, m);
    let own = |code: Code, problem: &'static str, found: Cards| say!(code.entry().row(); m.side, "'s meld ", m.cards, problem, found);
    let few = |code: Code, found: u16, what: &'static str, least: u8| say!(code.entry().row(); m.side, "'s meld ", m.cards, " has ", found, what, "; a meld has ", least, " or more");
    let belongs = |card: &Card| match (m.kind, card.class()) {
        (MeldKind::Set, Class::Natural) => m.rank == Some(card.rank()),
        (MeldKind::Set | MeldKind::Wild, Class::Wild) => true,
        (MeldKind::BlackThrees, Class::BlackThree) => true,
        (MeldKind::Sequence, Class::Natural) => true,
        _ => false,
    };
    let strays: Cards = m.cards.iter().filter(|card| !belongs(card)).collect();
    let naturals = m.len() - u16::from(m.wilds());
    let mut found = Vec::new();
    if !strays.is_empty() {
        found.push(own(Code::MeldMixedRanks, " holds cards that do not belong to it: ", strays));
    }
    if m.rank.is_some() != (m.kind == MeldKind::Set) || loose && m.kind == MeldKind::Set && naturals == 0 {
        found.push(own(Code::MeldTooFewNaturals, " is of no rank: ", m.cards));
    }
    if m.len() < if loose { 1 } else { u16::from(set.meld_min) } {
        found.push(few(Code::MeldTooSmall, m.len(), " {card|cards}", set.meld_min));
    }
    if !loose && m.kind == MeldKind::Set && naturals < u16::from(set.min_naturals) {
        found.push(few(Code::MeldTooFewNaturals, naturals, " natural {card|cards}", set.min_naturals));
    }
    if !loose && m.kind == MeldKind::Sequence && strays.is_empty() {
        found.extend(sequence_fault(set, m));
    }
    found
}

/// Returns the limit that a meld on the table exceeds while play is on. Whoever goes out may be free of limits, and the
/// melds that three players join may hold any number of wild cards (AMB-39).
fn limit_fault(table: &Table, m: &Meld) -> Option<Sentence> {
    let set = table.set();
    let (size, wilds) = (m.cards.len() as u8, m.wilds());
    let in_turn = table.phase != Phase::Start && m.side == table.side_of(table.turn.seat);
    let may_exceed = in_turn || set.side_formation == SideFormation::LoneTaker;
    let fault = |code: Code, problem| Some(say!(code.entry().row(); m.side, "'s meld ", m.cards, problem));
    if matches!(table.phase, Phase::RoundOver | Phase::GameOver) {
        return None;
    }
    match m.kind {
        MeldKind::Wild if !set.wild_melds => {
            fault(Code::MeldWildMeldOff, " is of wild cards alone; the rule set has no such melds")
        }
        // Black threes that are laid when going out lie there in that turn alone.
        MeldKind::BlackThrees if set.black_three_meld == BlackThreeMeld::Never => {
            fault(Code::ThreeBlackNotGoingOut, " is of black threes; the rule set has no such melds")
        }
        MeldKind::BlackThrees if table.phase == Phase::Start => {
            fault(Code::ThreeBlackNotGoingOut, " is of black threes, which are melded only when going out")
        }
        MeldKind::Set
            if wilds > 0 && m.rank.and_then(|rank| set.rank_wilds.get(rank)) == Some(RankWilds::Never) =>
        {
            fault(Code::MeldRankTakesNoWild, " is of a rank that takes no wild cards")
        }
        MeldKind::Set if wilds > set.wild_ratio.most_wilds(size - wilds) => {
            fault(Code::MeldWildsOutnumber, " holds too many wild cards for its natural cards")
        }
        MeldKind::Set if wild_cap(set, size).is_some_and(|cap| wilds > cap) && !may_exceed => {
            fault(Code::MeldTooManyWilds, " holds too many wild cards")
        }
        _ => None,
    }
}

fn sequence_fault(set: &RuleSet, m: &Meld) -> Option<Sentence> {
    let fault = |code: Code, problem| say!(code.entry().row(); m.side, "'s meld ", m.cards, problem);
    if !set.sequences {
        return Some(fault(Code::MeldSequenceOff, " is a sequence; the rule set has none"));
    }
    match Sequence::of_meld(m) {
        None => Some(fault(Code::MeldSequenceGap, " is no unbroken sequence of one suit")),
        Some(sequence) if sequence.len > set.sequence_max => {
            Some(fault(Code::MeldTooLarge, " is longer than a sequence may be"))
        }
        Some(_) => None,
    }
}
