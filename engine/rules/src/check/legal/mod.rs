//! Legal actions, in canonical form: a bounded list of [`steps()`], and [`all()`] of them.

use crate::action::{About, Action, As, Deal, Group, Groups, MeldId, MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Rank};
use crate::check::{self, Legal, permits_counted};
use crate::nodes::Nodes;
use crate::rules::{
    AskCheck, BlackThreeMeld, FrozenTake, MeldCheck, MeldsPerRank, Merge, OppCanastaRank, RuleSet, StockOut,
};
use crate::seat::{Seat, Side};
use crate::table::{Meld, Phase, Table};
use crate::way_out::{self, WayOut};
use alloc::string::String;
use alloc::vec::Vec;
use pick::{Pick, Stack};
use smallvec::SmallVec;

mod all;
mod aside;
mod batches;
mod canonical;
mod initial;
mod pick;
mod sequences;
mod targets;
mod tentative;

pub use all::{All, all, all_within};
pub use aside::aside;
pub use canonical::canonical;

/// Maximum number of listed steps.
pub const STEPS_MAX: usize = 4096;

/// The actions that are legal now.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Steps {
    /// The actions in canonical order. `check` accepts each, except table actions that need data which nobody has given
    /// yet: a `deal` with a registered beacon, or with cards written down by hand, is listed without this data.
    pub actions: Vec<Action>,
    /// Whether actions may be missing: there are more than [`STEPS_MAX`] in all, or more than 512 initial batches, or
    /// the searches of this list have reached their limit ([`Nodes`]).
    pub truncated: bool,
}

impl Steps {
    /// Removes the steps that take cards back, unless there is no other step. Players who choose at random could
    /// otherwise lay and take back the same cards until the round is too long for a log.
    pub fn leave_out_ways_back(&mut self) {
        let back = |step: &Action| matches!(step, Action::UndoMeld { .. } | Action::RestorePile);
        if !self.actions.iter().all(back) {
            self.actions.retain(|step| !back(step));
        }
    }
}

/// Returns the bounded list of legal steps for whoever must act, each in [canonical] form, in this order: `deal`;
/// answers; threes laid by choice, one of a kind; draw and end of round; takes of the pile, whole, then by its top;
/// `restore_pile`; `pass`; questions; loose melds back to the hand; melds with one group (own melds by id, then new
/// sets by rank, wilds, sequences by suit, low end and length, black threes) or, for a side that has not opened,
/// minimal initial batches, smallest value first; batches that go out now, by the card that is kept for the discard;
/// merges; discards by kind. Where suits do not matter, the lowest are named. While a dispute is open, its closing is
/// the only step.
///
/// The list is never empty while the game is on, unless it is cut. [`aside`] returns what a seat may do out of turn.
pub fn steps(table: &Table) -> Steps {
    let mut steps = Steps::default();
    steps_into(table, &mut steps);
    steps
}

/// Writes the [`steps`] into a list that is cleared first, so that its memory is reused.
pub fn steps_into(table: &Table, steps: &mut Steps) {
    steps_counted(table, steps, &Nodes::default());
}

/// Writes the steps as [`steps_into`] does, and counts the nodes of its searches.
pub fn steps_counted(table: &Table, steps: &mut Steps, nodes: &Nodes) {
    steps.actions.clear();
    steps.truncated = false;
    match table.phase() {
        _ if table.is_suspended() => steps.actions.push(closing()),
        Phase::Deal => steps.actions.push(of_table(table)),
        Phase::Asked => {
            steps.actions.extend([true, false].map(|yes| Action::Answer { yes }));
        }
        Phase::Start => Lister::new(table, steps, nodes).start(),
        Phase::Play => Lister::new(table, steps, nodes).play(),
        Phase::Taking => Lister::new(table, steps, nodes).taking(),
        Phase::Setup | Phase::RoundOver | Phase::GameOver => {}
    }
}

/// Whether a legal take of the whole pile is among the steps of the seat in turn, which has not drawn.
pub(crate) fn has_take(table: &Table, nodes: &Nodes) -> bool {
    let mut steps = Steps::default();
    if let Some(&top) = table.pile.last() {
        Lister::new(table, &mut steps, nodes).whole_takes(top);
    }
    !steps.actions.is_empty()
}

/// Returns the next action of the table, without data of its own.
fn of_table(table: &Table) -> Action {
    match table.round_number() {
        0 => Action::DrawCards(Vec::new()),
        _ => Action::Deal(Deal::default().into()),
    }
}

/// Returns on whose behalf the next action must be taken: the director while a dispute is open, else the seat that must
/// act, else the table.
pub fn actor(table: &Table) -> As {
    if table.is_suspended() {
        return As::Director;
    }
    table.to_act().map_or(As::Table, As::Seat)
}

/// Returns the action that ends a dispute. While one is open nothing else is listed, though rulings are possible.
fn closing() -> Action {
    Action::Dispute { open: false, reason: String::new() }
}

struct Lister<'a> {
    table: &'a Table,
    set: &'a RuleSet,
    steps: &'a mut Steps,
    /// The counter of the nodes that searches visit.
    nodes: &'a Nodes,
    seat: Seat,
    side: Side,
    hand: &'a Cards,
    /// The number of cards held, by rank.
    counts: [u8; 14],
    wilds: Stack,
    /// Whether a well-formed group that leaves two cards is always legal. If not, `check` is asked.
    is_plain: bool,
}

impl<'a> Lister<'a> {
    fn new(table: &'a Table, steps: &'a mut Steps, nodes: &'a Nodes) -> Self {
        Self::of(table, table.turn.seat, steps, nodes)
    }

    /// Returns a lister as [`Lister::new`] does, for a seat that may be out of turn.
    fn of(table: &'a Table, seat: Seat, steps: &'a mut Steps, nodes: &'a Nodes) -> Self {
        let set = table.set();
        let hand = table.hand(seat);
        let is_plain = !check::must_go_out(table)
            && !set.wild_lock
            && set.rank_wilds.is_empty()
            && set.wild_add_base <= set.min_naturals
            && !check::restricted(set)
            && !set.undo_meld
            && seat == table.turn.seat
            && set.opp_canasta_rank == OppCanastaRank::Allow;
        let (side, counts) = (table.side_of(seat), hand.rank_counts());
        Self { table, set, steps, nodes, seat, side, hand, counts, wilds: Stack::wilds(hand), is_plain }
    }

    fn held(&self, rank: Rank) -> u8 {
        self.counts[rank.index()]
    }

    fn push(&mut self, action: Action) {
        if self.steps.actions.len() < STEPS_MAX {
            self.steps.actions.push(action);
        } else {
            self.steps.truncated = true;
        }
    }

    /// Whether the list has reached its maximum length or cost. The rest is left out.
    fn is_cut(&mut self) -> bool {
        let cut = self.nodes.are_used_up() || self.steps.actions.len() >= STEPS_MAX;
        self.steps.truncated |= cut;
        cut
    }

    /// Asks a question that a search answers. If its nodes are used up, the list may miss something and is marked so.
    fn ask<T>(&mut self, question: impl FnOnce(&Table, &Nodes) -> T) -> T {
        let table = self.table;
        let (answer, known) = self.nodes.ask(|nodes| {
            let answer = question(table, nodes);
            (answer, !nodes.are_used_up())
        });
        self.steps.truncated |= !known;
        answer
    }

    fn start(&mut self) {
        if let Some(of) = self.table.round.reveal.filter(|&of| self.table.side_of(of) != self.side) {
            self.push(Action::CallReveal { of });
        }
        if self.lay_threes() {
            // At an empty stock, the action that ends the round is left.
            if self.is_accepted(&Action::EndRound) {
                self.push(Action::EndRound);
            }
            return;
        }
        if !self.table.stock.is_empty() || self.set.stock_out == StockOut::FinishTurn {
            self.push(Action::DrawStock);
        } else if !check::must_take(self.table, self.nodes) {
            self.push(Action::EndRound);
        }
        let Some(&top) = self.table.pile.last() else { return };
        if check::is_barred(self.table, self.side, top)
            || self.table.rulings().forfeits_pile(self.seat).is_some()
        {
            return;
        }
        if check::yields_top_only(self.table, self.nodes) {
            self.duty(top);
        } else {
            self.whole_takes(top);
        }
        self.take_top();
    }

    /// Lists the takes of the whole pile.
    fn whole_takes(&mut self, top: Card) {
        if !self.table.opened(self.side) {
            initial::takes(self, top);
        } else if top.is_wild() {
            self.wild_takes();
        } else {
            self.takes(top);
        }
    }

    /// Lists the takes by a side that has opened: one group and, where little is picked up, takes that go out.
    fn takes(&mut self, top: Card) {
        let rank = top.rank();
        let held = self.held(rank);
        let pairs_only = self.set.frozen_take == FrozenTake::Pair;
        if held < 2 && pairs_only && !self.table.frozen(self.side).is_empty() {
            return;
        }
        let picked = check::picked_up(self.table).len();
        let naturals = Stack::of(self.hand, rank);
        // In other rule sets it depends on other melds whether the target may be a new one.
        let is_plain = self.set.melds_per_rank == MeldsPerRank::One && self.set.take_result_max == 0;
        for (target, onto) in self.top_targets(top) {
            if target.is_some_and(|meld| meld.kind == MeldKind::Sequence) {
                let take = TakePile { onto, ..TakePile::default() };
                if picked <= 1 {
                    self.take_and_go_out(&take, top);
                }
                self.offer(Action::TakePile(take), self.hand.len() + picked);
                continue;
            }
            let old = target.map_or((0, 0), content);
            for pick in self.wilds.picks(0, held) {
                if !check::entitles(self.table, self.side, target, rank, pick.naturals, pick.wilds())
                    || !check::may_grow(self.set, old, (pick.naturals + 1, pick.wilds()))
                {
                    continue;
                }
                let take = TakePile { with: pick.cards(&naturals, &self.wilds), onto, also: Groups::new() };
                if picked <= 1 {
                    self.take_and_go_out(&take, top);
                }
                let stays = self.hand.len() + picked - u16::from(pick.len());
                self.offer(Action::TakePile(take), if is_plain { stays } else { 0 });
            }
        }
    }

    /// Lists the takes of a wild top by a side that has opened: two wilds or more, to one wild meld.
    fn wild_takes(&mut self) {
        for (old, onto) in self.wild_targets() {
            for pick in self.wilds.picks(0, 0).filter(|pick| pick.wilds() >= 2) {
                if check::surplus(self.set, old, pick.wilds() + 1) == 0 {
                    let with = pick.cards(&Stack::default(), &self.wilds);
                    self.offer(Action::TakePile(TakePile { with, onto, also: Groups::new() }), 0);
                }
            }
        }
    }

    /// Returns the targets of a wild top, each with the number of wilds that lie there.
    fn wild_targets(&self) -> SmallVec<[(u8, Onto); 2]> {
        let own = self.table.melds_of(self.side).filter(|m| m.kind == MeldKind::Wild);
        let open = own.filter(|m| m.grade(self.set).is_none()).map(|m| (m.len() as u8, onto(m.id)));
        open.chain([(0, Onto::New)]).collect()
    }

    /// Returns the targets of the top.
    fn top_targets(&self, top: Card) -> SmallVec<[(Option<&'a Meld>, Onto); 3]> {
        let table = self.table;
        let takes = |m: &&Meld| m.rank == Some(top.rank()) || check::receives(table, m, top);
        let own = table.melds_of(self.side).filter(takes);
        let mut targets: SmallVec<[(Option<&'a Meld>, Onto); 3]> =
            own.map(|m| (Some(m), onto(m.id))).collect();
        if targets.iter().all(|(m, _)| m.is_some_and(|m| m.kind == MeldKind::Sequence))
            || self.set.melds_per_rank != MeldsPerRank::One
        {
            targets.push((None, Onto::New));
        }
        targets
    }

    fn take_and_go_out(&mut self, take: &TakePile, top: Card) {
        if self.is_cut() {
            return;
        }
        let Some(way) = self.ask(|table, nodes| way_out::with_take(table, take, top, nodes)) else { return };
        let action = Action::TakePile(TakePile { also: self.groups(&way), ..take.clone() });
        // The groups of this way may have to be merged with the top's.
        if let Some(legal) = self.judge(&action) {
            let action = canonical::form(self.table, &action, legal);
            if !self.steps.actions.contains(&action) {
                self.push(action);
            }
        }
    }

    fn groups(&self, way: &WayOut) -> Groups {
        let mut groups = way.groups(self.table);
        canonical::sort(&mut groups);
        groups
    }

    /// Lists the laying of one three of each kind that may be laid. Returns whether nothing else may be done.
    fn lay_threes(&mut self) -> bool {
        if !self.set.lays_threes_by_choice() {
            return false;
        }
        for (card, _) in check::layable_threes(self.table).kinds() {
            let action = Action::LayThrees([card].into_iter().collect());
            let fixed = self.table.turn.loose.is_empty();
            let replaced = self.set.late_three_replaced && !self.table.stock.is_empty() && fixed;
            if replaced || self.is_accepted(&action) {
                self.push(action);
            }
        }
        !check::must_lay(self.table).is_empty()
    }

    fn play(&mut self) {
        if self.table.turn.no_discard {
            if !check::must_go_out(self.table) && check::may_end_turn(self.table, self.nodes) {
                self.push(Action::EndRound);
            }
        } else if check::may_pass(self.table, self.nodes) && check::may_end_turn(self.table, self.nodes) {
            self.push(Action::Pass);
        }
        let must_lay = self.lay_threes();
        for hand in check::declarable(self.table) {
            self.push(Action::SpecialHand(hand));
        }
        if must_lay {
            self.undos();
            return;
        }
        let ways = match self.is_far_from_out() {
            true => Vec::new(),
            false => self.ask(|table, nodes| way_out::ways(&way_out::Reach::of(table), nodes)),
        };
        let strict = self.set.ask_check == AskCheck::Strict;
        if !(ways.is_empty() && strict) && check::may_ask(self.table) {
            for to in check::addressees(self.table, self.seat) {
                self.push(Action::Ask { about: About::GoOut, to: Some(to), with: None });
            }
        }
        if check::may_ask_courtesy(self.table) {
            self.push(Action::Ask { about: About::Courtesy, to: None, with: None });
        }
        self.undos();
        let opened = self.table.opened(self.side);
        if opened || !self.table.turn.loose.is_empty() {
            self.single_melds();
        } else {
            initial::melds(self);
        }
        let ways = if check::must_ask(self.table) { &[][..] } else { &ways[..] };
        // A way with one group is listed as a single meld, unless it exceeds a limit that holds for single melds.
        let listed = |way: &WayOut| way.groups.len() == 1 && opened && !self.set.overfill_out;
        for way in ways.iter().filter(|way| !way.groups.is_empty() && !listed(way)) {
            let action = Action::Meld(self.groups(way));
            // Columns that are loose may be no melds yet, black threes may lie there already, and ids may be used up.
            let is_sure = !self.set.undo_meld;
            debug_assert!(
                !is_sure || self.is_accepted(&action),
                "the search for a way out is exact: {action:?}"
            );
            if !is_sure && !self.is_legal(&action) {
                continue;
            }
            // The list of initial batches may have the same action.
            if (opened && !self.set.overfill_out) || !self.steps.actions.contains(&action) {
                self.push(action);
            }
        }
        if opened && self.set.merge != Merge::None {
            self.merges();
        }
        self.discards();
    }

    /// Whether a quick look rules out going out: two cards can neither be laid nor both be discarded. This spares most
    /// hands the search for a way out.
    fn is_far_from_out(&self) -> bool {
        let ranks = self.table.melds_of(self.side).filter_map(|m| m.rank);
        let melded = ranks.fold(0u16, |ranks, rank| ranks | 1 << rank.index());
        let lone = |rank: &Rank| self.held(*rank) == 1 && melded & (1 << rank.index()) == 0;
        // In a sequence the only card of a rank may be laid.
        !self.set.sequences
            && self.set.min_naturals > 1
            && Rank::NATURAL.iter().filter(|rank| lone(rank)).count() > 1
    }

    fn single_melds(&mut self) {
        let table = self.table;
        let mut melded = 0u16;
        for meld in table.melds_of(self.side) {
            let old = content(meld);
            match (meld.kind, meld.rank) {
                (MeldKind::Set, Some(rank)) => {
                    // If every meld of a rank is complete, another one may be begun.
                    let begins =
                        self.set.melds_per_rank == MeldsPerRank::OneOpen && meld.grade(self.set).is_some();
                    melded |= u16::from(!begins) << rank.index();
                    if self.held(rank) + self.wilds.len() > 0 {
                        self.sets(rank, onto(meld.id), old);
                    }
                }
                (MeldKind::Wild, _) => self.wild_groups(onto(meld.id), old.1),
                (MeldKind::Sequence, _) => self.lengthen(meld),
                _ => {}
            }
        }
        for rank in Rank::NATURAL {
            let held = self.held(rank);
            let is_free = melded & (1 << rank.index()) == 0 || self.set.melds_per_rank == MeldsPerRank::Many;
            if is_free
                && held > 0
                && held >= self.set.min_naturals
                && held + self.wilds.len() >= self.set.meld_min
            {
                self.sets(rank, Onto::New, (0, 0));
            }
        }
        if self.set.wild_melds && self.wilds.len() >= self.set.meld_min {
            self.wild_groups(Onto::New, 0);
        }
        if self.set.sequences {
            self.begin_sequences();
        }
        self.black_threes();
    }

    /// Lists every group of `rank` that makes a legal set with the `old` naturals and wilds of its target.
    fn sets(&mut self, rank: Rank, onto: Onto, old: (u8, u8)) {
        let naturals = Stack::of(self.hand, rank);
        let least = if onto == Onto::New { self.set.min_naturals.max(1) } else { 0 };
        for pick in self.wilds.picks(least, self.held(rank)) {
            if self.is_cut() {
                return;
            }
            if pick.len() == 0 || !check::may_grow(self.set, old, (pick.naturals, pick.wilds())) {
                continue;
            }
            let stays = self.hand.len() - u16::from(pick.len());
            if stays < check::least_kept(self.set) && !self.may_end_with(old, pick) {
                continue;
            }
            let group =
                Group { kind: MeldKind::Set, onto, top: false, cards: pick.cards(&naturals, &self.wilds) };
            self.offer(meld(group), stays);
        }
    }

    /// Whether, by a quick bound, the canastas could suffice to go out with this group.
    fn may_end_with(&self, old: (u8, u8), pick: Pick) -> bool {
        let before = old.0 + old.1;
        let completes = before < self.set.canasta_size && before + pick.len() >= self.set.canasta_size;
        let canastas = self.table.canastas(self.side);
        canastas.total + u8::from(completes) >= self.set.go_out_total
    }

    /// Lists the groups of wilds for a wild meld of `old` cards. A group that would overflow is another action
    /// (AMB-HF-13).
    fn wild_groups(&mut self, onto: Onto, old: u8) {
        let least = self.set.meld_min.saturating_sub(old).max(1);
        let fits = |pick: &Pick| pick.len() >= least && check::surplus(self.set, old, pick.len()) == 0;
        for pick in self.wilds.picks(0, 0).filter(fits) {
            let cards = pick.cards(&Stack::default(), &self.wilds);
            let action = meld(Group { kind: MeldKind::Wild, onto, top: false, cards });
            if self.is_legal(&action) {
                self.push(action);
            }
        }
    }

    /// Lists the groups of black threes, which go only with the last cards.
    fn black_threes(&mut self) {
        let held = self.hand.black_threes();
        let stays = self.hand.len() - u16::from(held);
        if held == 0
            || stays > 1
            || self.set.black_three_meld == BlackThreeMeld::Never
            || !check::may_go_out(self.table, self.table.canastas(self.side))
        {
            return;
        }
        let threes = Stack::of(self.hand, Rank::Three);
        let own = self.table.melds_of(self.side).find(|m| m.kind == MeldKind::BlackThrees);
        let onto = own.map_or(Onto::New, |m| onto(m.id));
        let least = self.set.meld_min.saturating_sub(own.map_or(0, |m| m.len() as u8)).max(1);
        for naturals in least..=held {
            let cards = Pick { naturals, twos: 0, jokers: 0 }.cards(&threes, &self.wilds);
            let action = meld(Group { kind: MeldKind::BlackThrees, onto, top: false, cards });
            if self.is_legal(&action) {
                self.push(action);
            }
        }
    }

    fn discards(&mut self) {
        if self.table.turn.no_discard || !check::may_end_turn(self.table, self.nodes) {
            return;
        }
        if self.hand.len() == 1 && self.table.foot(self.seat).is_empty() {
            if !check::may_go_out(self.table, self.table.canastas(self.side)) {
                return;
            }
        } else if check::must_go_out(self.table) {
            return;
        }
        let limited =
            check::restricted(self.set) || self.set.lays_threes_by_choice() || self.table.pile.is_empty();
        let penalties = check::penalties_due(self.table);
        let due = if penalties.is_empty() { self.hand } else { &penalties };
        // Only loose melds take a search to judge.
        let is_quick = self.table.turn.loose.is_empty();
        for (card, _) in due.kinds() {
            let action = Action::Discard(card);
            if !limited || (is_quick && self.is_accepted(&action)) || (!is_quick && self.is_legal(&action)) {
                self.push(action);
            }
        }
    }

    /// Lists a well-formed action that leaves `stays` cards in the hand, if it is legal.
    fn offer(&mut self, action: Action, stays: u16) {
        if (self.is_plain && stays >= 2) || self.is_legal(&action) {
            self.push(action);
        }
    }

    /// Whether the list is not cut yet and an action is accepted, as [`Self::is_accepted`] says.
    fn is_legal(&mut self, action: &Action) -> bool {
        !self.is_cut() && self.is_accepted(action)
    }

    /// Whether an action is accepted, and if it lays melds, whether they can stand.
    fn is_accepted(&self, action: &Action) -> bool {
        let stands = match action {
            Action::Meld(groups) if self.set.meld_check == MeldCheck::AtDiscard => {
                check::stands(self.table, self.seat, groups, self.nodes)
            }
            _ => true,
        };
        stands && self.judge(action).is_some()
    }

    fn judge(&self, action: &Action) -> Option<Legal> {
        permits_counted(self.table, As::Seat(self.seat), action, self.nodes)
    }
}

fn meld(group: Group) -> Action {
    let mut groups = Groups::new();
    groups.push(group);
    Action::Meld(groups)
}

fn onto(id: MeldId) -> Onto {
    Onto::Meld { side: None, id }
}

/// Returns the number of naturals and of wilds of a meld.
fn content(meld: &Meld) -> (u8, u8) {
    let wilds = meld.wilds();
    (meld.len() as u8 - wilds, wilds)
}
