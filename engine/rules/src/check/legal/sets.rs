//! Groups of one rank and wilds among the steps.

use super::code::{Code, SetCode};
use super::pick::{Pick, Stack};
use super::{Lister, meld};
use crate::action::MeldKind;
use crate::card::Rank;
use crate::check;
use crate::rules::{FinalDiscard, MeldCheck, OppCanastaRank};
use crate::seat::Side;
use crate::table::{Canastas, Meld, Phase, Table, grade};

impl Lister<'_> {
    /// Lists every group of `rank` that makes a legal set with the `old` naturals and wilds of its target.
    pub(super) fn sets(&mut self, rank: Rank, target: Option<u8>, old: (u8, u8)) {
        if self.is_cut() {
            return;
        }
        let (set, held, all) = (self.set, self.held(rank), self.wilds.len());
        // A group has a card, and a new set has naturals.
        let least = if target.is_none() { set.min_naturals.max(1) } else { u8::from(all == 0) };
        let least = least.max(set.meld_min.saturating_sub(old.0 + old.1 + all));
        let takes_wilds = all > 0 && self.takes_wilds(rank, target.is_none(), old.1);
        let base = if self.table.opened(self.side) { set.wild_add_base } else { 0 };
        let mut naturals = least;
        while naturals <= held {
            let wilds_fit = takes_wilds && old.0 + naturals >= base;
            // Loose cards are judged again with what lies there, and then more may be legal.
            let most = if wilds_fit || set.undo_meld { all } else { 0 };
            let fitting = check::fitting(set, old, naturals, most) & !u64::from(naturals == 0);
            // A whole row is proven if its largest group is.
            let is_proven =
                self.proves_sets && (wilds_fit || most == 0) && self.leaves_enough(naturals, most);
            let row = SetCode { target, rank, pick: Pick { naturals, twos: 0, jokers: 0 }, is_proven };
            if is_proven {
                each_fitting(self.wilds, fitting, |twos, jokers| self.push_set(row.with_wilds(twos, jokers)));
            } else {
                self.offer_row(row, fitting, old, wilds_fit);
            }
            naturals += 1;
        }
    }

    /// Lists those groups of a row that are legal: groups with the same naturals, and with each number of wilds that fits.
    #[inline(never)]
    fn offer_row(&mut self, row: SetCode, fitting: u64, old: (u8, u8), wilds_fit: bool) {
        if !self.is_cut() {
            each_fitting(self.wilds, fitting, |twos, jokers| {
                let is_proven = self.proves_sets && (wilds_fit || twos + jokers == 0);
                self.offer_set(SetCode { is_proven, ..row.with_wilds(twos, jokers) }, old);
            });
        }
    }

    /// Lists a well-formed group for a set of `old` naturals and wilds, if it is legal. It is proven, except for the
    /// cards that stay, if the code says so.
    fn offer_set(&mut self, code: SetCode, old: (u8, u8)) {
        let stays = self.hand.len() - u16::from(code.pick.len());
        let has_foot = !self.table.foot(self.seat).is_empty();
        if stays < check::least_kept(self.set) && !has_foot && !self.may_end_with(old, code.pick) {
            return;
        }
        let is_settled = code.is_proven && !check::restricted(self.set) && !self.set.undo_meld;
        if stays < 2 && is_settled && !has_foot {
            if self.may_leave(stays, code) {
                self.push_set(code);
            } else {
                debug_assert!(
                    !self.is_accepted_uncounted(&meld(code.group(self.table, self.seat, &self.wilds))),
                    "is refused: {code:?}"
                );
            }
            return;
        }
        let is_proven = code.is_proven && self.proves_set(code.pick);
        if is_proven || self.is_legal(&meld(code.group(self.table, self.seat, &self.wilds))) {
            self.push_set(SetCode { is_proven, ..code });
        }
    }

    /// Whether a group may leave fewer than two cards, which is all that its legality still depends on (ALG-13).
    fn may_leave(&self, stays: u16, code: SetCode) -> bool {
        let (set, table) = (self.set, self.table);
        if stays == 0 && set.final_discard == FinalDiscard::Required {
            return false;
        }
        let mut canastas = Canastas::default();
        let (mut naturals, mut wilds) = (code.pick.naturals, code.pick.wilds());
        for (at, meld) in table.melds.iter().enumerate().filter(|(_, meld)| meld.side == self.side) {
            if code.target == Some(at as u8) {
                let old = check::content(&meld.cards);
                (naturals, wilds) = (naturals + old.0, wilds + old.1);
            } else {
                canastas.count(set, meld.rank, meld.wilds(), meld.grade(set));
            }
        }
        let grade = grade(set, MeldKind::Set, naturals + wilds, wilds);
        canastas.count(set, Some(code.rank), wilds, grade);
        stays >= check::least_kept(set) || check::may_go_out(table, canastas)
    }

    fn push_set(&mut self, code: SetCode) {
        debug_assert!(
            !code.is_proven
                || self.is_accepted_uncounted(&meld(code.group(self.table, self.seat, &self.wilds))),
            "what is proven is accepted: {code:?}"
        );
        self.steps.push(Code::Set(code));
    }

    /// Whether a well-formed group of this pick is proven: nothing but the cards that stay could refuse it.
    pub(super) fn proves_set(&self, pick: Pick) -> bool {
        self.proves_sets && self.leaves_enough(pick.naturals, pick.wilds())
    }

    /// Whether a group of these naturals and wilds leaves enough cards, and one to discard: a natural always is one.
    pub(super) fn leaves_enough(&self, naturals: u8, wilds: u8) -> bool {
        u16::from(naturals + wilds) <= self.free && (!self.is_restricted || self.naturals() > naturals.into())
    }

    /// Returns a bit for each natural rank of which enough cards are held to begin a set, with all wilds.
    pub(super) fn ranks_for_sets(&self) -> u16 {
        let least = self.set.meld_min.saturating_sub(self.wilds.len()).max(self.set.min_naturals).max(1);
        self.hand.ranks_with(least) & Rank::NATURALS
    }

    /// Returns the number of naturals in the hand.
    pub(super) fn naturals(&self) -> u16 {
        self.hand.len() - u16::from(self.wilds.len()) - u16::from(self.held(Rank::Three))
    }

    /// Whether a set of `rank` with so many wilds may take more of them, as far as the number of naturals allows it.
    pub(super) fn takes_wilds(&self, rank: Rank, is_new: bool, wilds: u8) -> bool {
        let begins = is_new && !self.table.opened(self.side);
        check::rank_takes_wilds(self.set, Some(rank), wilds, begins) && !self.are_wilds_locked()
    }

    /// Whether an open wild meld keeps wilds from all other melds (ALG-10).
    fn are_wilds_locked(&self) -> bool {
        let is_open = |m: &Meld| m.kind == MeldKind::Wild && m.grade(self.set).is_none();
        self.set.wild_lock && self.table.melds_of(self.side).any(is_open)
    }

    /// Whether, by a quick bound, the canastas could suffice to go out with this group.
    fn may_end_with(&self, old: (u8, u8), pick: Pick) -> bool {
        let before = old.0 + old.1;
        let completes = before < self.set.canasta_size && before + pick.len() >= self.set.canasta_size;
        let canastas = self.table.canastas(self.side);
        canastas.total + u8::from(completes) >= self.set.go_out_total
    }
}

/// Whether a loose set that fits its meld and leaves enough cards is legal by itself, whatever else the turn has laid:
/// no three must be laid first, nothing that lies there goes only with the last cards, and a new meld gets an id. A taken
/// top may wait longer, or is released by the set: the cards of the pile only add to those that stay.
pub(super) fn are_loose_ones_sure(table: &Table, side: Side) -> bool {
    let set = table.set();
    let is_turn = match table.phase() {
        Phase::Play => true,
        Phase::Taking => check::must_lay(table).is_empty(),
        _ => false,
    };
    is_turn
        && (table.opened(side) || set.meld_check == MeldCheck::AtDiscard)
        && set.opp_canasta_rank == OppCanastaRank::Allow
        && check::has_ids(table, side, 1)
        && table.melds_of(side).all(|m| m.kind != MeldKind::BlackThrees)
}

/// Calls `then` with the twos and jokers of each choice of these wilds whose number has a bit: twos ascending, then
/// jokers.
#[inline(always)]
fn each_fitting(wilds: Stack, mut fitting: u64, mut then: impl FnMut(u8, u8)) {
    let of_jokers = check::up_to(wilds.jokers());
    let mut twos = 0;
    while fitting != 0 && twos <= wilds.twos() {
        let mut with_jokers = fitting & of_jokers;
        while with_jokers != 0 {
            then(twos, with_jokers.trailing_zeros() as u8);
            with_jokers &= with_jokers - 1;
        }
        (fitting, twos) = (fitting >> 1, twos + 1);
    }
}
