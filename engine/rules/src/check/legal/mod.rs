//! Legal actions, in canonical form: a bounded list of [`steps()`].

use crate::action::{About, Action, As, Deal, Group, Groups, MeldId, MeldKind, Onto};
use crate::card::{Cards, Rank};
use crate::check;
use crate::nodes::Nodes;
use crate::rules::{AskCheck, BlackThreeMeld, MeldsPerRank, Merge, RuleSet, StockOut};
use crate::seat::{Seat, Side};
use crate::table::{Phase, Table};
use alloc::string::String;
use alloc::vec::Vec;
use code::Code;
use pick::{Pick, Stack};

mod accepted;
mod aside;
mod canonical;
mod code;
mod far;
mod initial;
#[doc(hidden)]
pub mod internals;
mod out;
mod pick;
mod sequences;
mod sets;
mod takes;
mod tentative;

pub use accepted::choose;
pub use aside::aside;
pub use canonical::canonical;
pub use code::StepCodes;
pub(crate) use takes::has_take;

/// Maximum number of listed steps.
pub const STEPS_MAX: usize = 4096;

/// The actions that are legal now.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Steps {
    /// The actions in canonical order. `check` accepts each, except table actions that need data which nobody has given
    /// yet: a `deal` with a registered beacon, or with cards written down by hand, is listed without this data.
    pub actions: Vec<Action>,
    /// Whether actions may be missing: there are more than [`STEPS_MAX`] in all, or more than 512 initial batches, or
    /// the searches and judgements of this list have reached their limit ([`Nodes`]).
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
    let mut codes = StepCodes::with_capacity(32);
    list(table, &mut codes, nodes);
    codes.write(table, steps);
}

/// Writes the [`steps`] as codes into a list that is cleared first, so that its memory is reused.
pub fn codes_into(table: &Table, codes: &mut StepCodes) {
    list(table, codes, &Nodes::default());
}

fn list(table: &Table, steps: &mut StepCodes, nodes: &Nodes) {
    steps.begin(table, table.turn.seat);
    nodes.limit_work(table.hand(table.turn.seat).len());
    match table.phase() {
        // While a dispute is open, nothing but its end is listed, though rulings are possible.
        _ if table.is_suspended() => {
            steps.push_action(Action::Dispute { open: false, reason: String::new() });
        }
        Phase::Deal => steps.push_action(of_table(table)),
        Phase::Asked => [true, false].into_iter().for_each(|yes| steps.push_action(Action::Answer { yes })),
        Phase::Start => Lister::new(table, steps, nodes).start(),
        Phase::Play => Lister::new(table, steps, nodes).play(),
        Phase::Taking => Lister::new(table, steps, nodes).taking(),
        Phase::Setup | Phase::RoundOver | Phase::GameOver => {}
    }
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

struct Lister<'a> {
    table: &'a Table,
    set: &'a RuleSet,
    steps: &'a mut StepCodes,
    /// The counter of the nodes that searches visit.
    nodes: &'a Nodes,
    /// The maximum number of steps.
    most: usize,
    seat: Seat,
    side: Side,
    hand: &'a Cards,
    /// The number of cards held, by rank.
    counts: [u8; 14],
    wilds: Stack,
    /// Whether the seat is in turn and not bound to go out.
    is_free: bool,
    /// Whether a well-formed group is legal if it leaves enough cards, and a natural where discards are restricted. If not,
    /// `check` is asked.
    proves_sets: bool,
    /// Whether an action must leave a card that may be discarded, because discards are restricted.
    is_restricted: bool,
    /// The number of cards that an action may lay and leave enough, whatever the canastas are.
    free: u16,
}

impl<'a> Lister<'a> {
    fn new(table: &'a Table, steps: &'a mut StepCodes, nodes: &'a Nodes) -> Self {
        Self::of(table, table.turn.seat, steps, nodes)
    }

    /// Returns a lister as [`Lister::new`] does, for a seat that may be out of turn.
    fn of(table: &'a Table, seat: Seat, steps: &'a mut StepCodes, nodes: &'a Nodes) -> Self {
        let set = table.set();
        let hand = table.hand(seat);
        let (side, counts) = (table.side_of(seat), hand.rank_counts());
        let is_free = seat == table.turn.seat && !check::must_go_out(table);
        // While a second hand waits, any number of cards may stay (HF-077).
        let has_foot = !set.undo_meld && !table.foot(seat).is_empty();
        let kept = if has_foot { 0 } else { 2 };
        let free = hand.len().saturating_sub(kept);
        let is_restricted = check::restricted(set) && !has_foot;
        let is_open = is_free && !check::is_closed_by_threes(table, side);
        let proves_sets = is_open && (!set.undo_meld || sets::are_loose_ones_sure(table, side));
        let wilds = Stack::wilds(hand);
        Self {
            table,
            set,
            steps,
            nodes,
            most: STEPS_MAX,
            seat,
            side,
            hand,
            counts,
            wilds,
            proves_sets,
            is_restricted,
            is_free,
            free,
        }
    }

    fn held(&self, rank: Rank) -> u8 {
        self.counts[rank.index()]
    }

    fn push(&mut self, action: Action) {
        self.steps.push_action(action);
    }

    /// Whether the list has reached its maximum length or cost. The rest is left out.
    fn is_cut(&mut self) -> bool {
        let cut = self.nodes.are_used_up() || self.steps.len() >= self.most;
        self.steps.truncated |= cut;
        cut
    }

    /// Searches for actions of the list. If the nodes are used up, the list may miss something and is marked so.
    fn search<T>(&mut self, search: impl FnOnce(&Table, &Nodes) -> T) -> T {
        let table = self.table;
        let (found, is_whole) = self.nodes.list(|nodes| search(table, nodes));
        self.steps.truncated |= !is_whole;
        found
    }

    fn start(&mut self) {
        if let Some(of) = self.table.round.reveal.filter(|&of| self.table.side_of(of) != self.side) {
            self.push(Action::CallReveal { of });
        }
        if self.lay_threes() {
            // At an empty stock, the action that ends the round is left.
            if self.is_accepted(&Action::EndRound) {
                self.steps.push(Code::EndRound);
            }
            return;
        }
        if !self.table.stock.is_empty() || self.set.stock_out == StockOut::FinishTurn {
            self.steps.push(Code::DrawStock);
        } else if !check::must_take(self.table, self.nodes) {
            self.steps.push(Code::EndRound);
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

    /// Lists the laying of one three of each kind that may be laid. Returns whether nothing else may be done.
    fn lay_threes(&mut self) -> bool {
        self.set.lays_threes_by_choice() && self.lay_chosen_threes()
    }

    fn lay_chosen_threes(&mut self) -> bool {
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
            if !check::must_go_out(self.table) && check::faults_of_turn(self.table, self.nodes).is_empty() {
                self.steps.push(Code::EndRound);
            }
        } else if check::may_pass(self.table, self.nodes)
            && check::faults_of_turn(self.table, self.nodes).is_empty()
        {
            self.steps.push(Code::Pass);
        }
        let must_lay = self.lay_threes();
        for hand in check::declarable(self.table) {
            self.push(Action::SpecialHand(hand));
        }
        if must_lay {
            self.undos();
            return;
        }
        let ways = self.ways_out();
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
        if !check::must_ask(self.table) {
            self.push_ways(ways);
        }
        if opened && self.set.merge != Merge::None {
            self.merges();
        }
        self.discards();
    }

    fn single_melds(&mut self) {
        let table = self.table;
        let mut melded = 0u16;
        let side = self.side;
        for (at, meld) in table.melds.iter().enumerate().filter(|(_, meld)| meld.side == side) {
            let old = check::content(&meld.cards);
            match (meld.kind, meld.rank) {
                (MeldKind::Set, Some(rank)) => {
                    // If every meld of a rank is complete, another one may be begun.
                    let begins =
                        self.set.melds_per_rank == MeldsPerRank::OneOpen && meld.grade(self.set).is_some();
                    melded |= u16::from(!begins) << rank.index();
                    if self.held(rank) + self.wilds.len() > 0 {
                        self.sets(rank, Some(at as u8), old);
                    }
                }
                (MeldKind::Wild, _) => self.wild_groups(onto(meld.id), old.1),
                (MeldKind::Sequence, _) => self.lengthen(meld),
                _ => {}
            }
        }
        let set = self.set;
        let begun = if set.melds_per_rank == MeldsPerRank::Many { 0 } else { melded };
        for rank in Rank::of_bits(self.ranks_for_sets() & !begun) {
            // What check refuses at once.
            if set.undo_meld || !check::is_closed(table, side, rank) {
                self.sets(rank, None, (0, 0));
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

    /// Lists the groups of wilds for a wild meld of `old` cards. A group that would overflow is another action
    /// (AMB-HF-13).
    fn wild_groups(&mut self, onto: Onto, old: u8) {
        let least = self.set.meld_min.saturating_sub(old).max(1);
        let fits = |pick: &Pick| pick.len() >= least && check::surplus(self.set, old, pick.len()) == 0;
        let is_alone = old > 0 || self.table.melds_of(self.side).all(|meld| meld.kind != MeldKind::Wild);
        for pick in self.wilds.picks(0, 0).filter(fits) {
            let cards = pick.cards(&Stack::default(), &self.wilds);
            let action = meld(Group { kind: MeldKind::Wild, onto, top: false, cards });
            let (size, most) = (old + pick.len(), self.set.wild_meld_max);
            // Where laid cards are tested later, wilds may lie together that are no meld.
            let is_meld = self.set.wild_melds && is_alone && (most == 0 || size <= most);
            let is_proven = is_meld && self.proves_set(pick);
            self.offer(action, is_proven);
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
        if self.table.turn.no_discard || !check::faults_of_turn(self.table, self.nodes).is_empty() {
            return;
        }
        if self.hand.len() == 1 && self.table.foot(self.seat).is_empty() {
            if !check::may_go_out(self.table, self.table.canastas(self.side)) {
                return;
            }
        } else if check::must_go_out(self.table) {
            return;
        }
        let penalties = check::penalties_due(self.table);
        let due = if penalties.is_empty() { self.hand } else { &penalties };
        for card in check::discardable(self.table, due) {
            self.steps.push(Code::Discard(card));
        }
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
