//! Steps as small codes, made into actions when asked.

use super::initial::InitialBatch;
use super::pick::{Pick, Stack};
use super::{STEPS_MAX, Steps, actor, canonical, meld, onto};
use crate::action::{Action, Group, Groups, MeldKind, Onto, TakePile};
use crate::card::{Card, Rank};
use crate::check::{Legal, Placement, Placements, Plan, permits};
use crate::seat::Seat;
use crate::table::{Phase, Table};
use crate::way_out::FoundWay;
use alloc::vec::Vec;

/// The legal steps of one table as small codes. Only the steps that are asked for become actions, so a player who
/// chooses by number pays for one action.
#[derive(Clone, Debug)]
pub struct StepCodes {
    codes: Vec<Code>,
    batches: Vec<InitialBatch>,
    ways: Vec<FoundWay>,
    /// The actions that have no code of their own.
    pub(super) actions: Vec<Action>,
    /// Whether steps may be missing, as [`Steps::truncated`] says.
    pub(super) truncated: bool,
    /// The seat that acts, and the step of the table that the list was made for.
    seat: Seat,
    step: u64,
}

/// A step. Those of which a list has many have a code; the others are an index into the actions of the list.
#[derive(Clone, Copy, Debug)]
pub(super) enum Code {
    DrawStock,
    EndRound,
    Pass,
    Discard(Card),
    Set(SetCode),
    /// A take of the whole pile by the group with the top, proven.
    Take(SetCode),
    /// An index into the ways to go out of the list.
    WayOut(u32),
    /// An index into the initial batches of the list.
    Batch(u32),
    Listed(u32),
}

/// A group of one rank and wilds: the lowest cards of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct SetCode {
    /// Index into the melds; `None` begins a new set.
    pub target: Option<u8>,
    pub rank: Rank,
    pub pick: Pick,
    /// Whether the lister has proven that `check` accepts the group.
    pub is_proven: bool,
}

const _: () = assert!(size_of::<Code>() <= 8, "a list has many codes");

impl Default for StepCodes {
    fn default() -> Self {
        let (codes, batches, ways, actions) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { codes, batches, ways, actions, truncated: false, seat: Seat(0), step: 0 }
    }
}

impl StepCodes {
    /// Returns an empty list with room for this many steps.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        let (codes, actions) = (Vec::with_capacity(capacity), Vec::with_capacity(capacity));
        Self { codes, actions, ..Self::default() }
    }

    /// Returns the number of steps.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are no steps.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Whether steps may be missing, as [`Steps::truncated`] says.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// Returns step number `index`, from 0 and in the order of [`steps`](super::steps), as an action.
    ///
    /// # Panics
    /// If there is no such step, or the list was made at another step of the table.
    pub fn action(&self, index: usize, table: &Table) -> Action {
        self.assert_made_for(table);
        match self.codes[index] {
            Code::Set(set) => meld(set.group(table, self.seat, &Stack::wilds(table.hand(self.seat)))),
            Code::Take(set) => take(set.group(table, self.seat, &Stack::wilds(table.hand(self.seat)))),
            Code::WayOut(at) => Action::Meld(self.way_out(at, table)),
            Code::Batch(at) => self.batches[at as usize].action(table, table.hand(self.seat)),
            Code::Listed(at) => self.actions[at as usize].clone(),
            code => code.plain(),
        }
    }

    /// Returns the proof that step number `index` is legal: what [`check`](crate::check::check) returns for the
    /// action, without a second look at what the list has proven. `None` for an action of the table that needs data
    /// which nobody has given yet.
    ///
    /// # Panics
    /// As [`StepCodes::action`].
    pub fn legal(&self, index: usize, table: &Table) -> Option<Legal> {
        self.assert_made_for(table);
        let checked = || permits(table, actor(table), &self.action(index, table));
        let plan = match self.codes[index] {
            Code::DrawStock => Plan::Draw,
            Code::EndRound => Plan::EndRound,
            Code::Pass => Plan::Pass,
            Code::Discard(card) => Plan::Discard(card),
            // While a top is taken, the check also finds out which melds are released.
            Code::Set(SetCode { is_proven: false, .. }) => return checked(),
            Code::Set(_) | Code::Batch(_) if table.phase() == Phase::Taking => return checked(),
            Code::Set(set) => laid(table, set.placements(table, self.seat)),
            Code::WayOut(at) => {
                let groups = self.way_out(at, table).into_iter();
                laid(table, groups.map(|group| Placement::from_group(table, group)).collect())
            }
            Code::Batch(at) => {
                let batch = &self.batches[at as usize];
                let placements = batch.placements(table, table.hand(self.seat));
                if batch.takes() { Plan::Take(placements) } else { laid(table, placements) }
            }
            Code::Take(set) => {
                let mut placements = set.placements(table, self.seat);
                placements[0].cards.extend(table.pile.last().copied());
                Plan::Take(placements)
            }
            Code::Listed(at) => return permits(table, actor(table), &self.actions[at as usize]),
        };
        Some(Legal::of(table, plan))
    }

    fn assert_made_for(&self, table: &Table) {
        assert_eq!(self.step, table.step, "a list of steps is used at the table that it was made for");
    }

    /// Whether a take of the whole pile is among the steps.
    pub(super) fn has_take(&self) -> bool {
        self.batches.iter().any(InitialBatch::takes)
            || self.codes.iter().any(|code| matches!(code, Code::Take(_)))
            || self.actions.iter().any(|action| matches!(action, Action::TakePile(_)))
    }

    pub(super) fn contains(&self, action: &Action, table: &Table) -> bool {
        let named = named(action);
        // Where the numbers differ, no action is made.
        (0..self.len()).any(|index| match self.codes[index] {
            Code::Listed(at) => self.actions[at as usize] == *action,
            Code::Batch(at) if self.batches[at as usize].named() != named => false,
            Code::Set(set) | Code::Take(set) if named != (1, usize::from(set.pick.len())) => false,
            _ => self.action(index, table) == *action,
        })
    }

    /// Empties the list for the steps of `seat`.
    pub(super) fn begin(&mut self, table: &Table, seat: Seat) {
        self.codes.clear();
        self.batches.clear();
        self.ways.clear();
        self.actions.clear();
        (self.truncated, self.seat, self.step) = (false, seat, table.step);
    }

    /// Adds a step, unless the list is full. Returns whether it had room.
    pub(super) fn push(&mut self, code: Code) -> bool {
        let has_room = self.codes.len() < STEPS_MAX;
        match has_room {
            true => self.codes.push(code),
            false => self.truncated = true,
        }
        has_room
    }

    /// Adds an initial batch, unless the list is full.
    pub(super) fn push_batch(&mut self, batch: InitialBatch) {
        if self.push(Code::Batch(self.batches.len() as u32)) {
            self.batches.push(batch);
        }
    }

    /// Adds a way to go out, unless the list is full.
    pub(super) fn push_way(&mut self, way: FoundWay) {
        if self.push(Code::WayOut(self.ways.len() as u32)) {
            self.ways.push(way);
        }
    }

    /// Adds a step that has no code, unless the list is full.
    pub(super) fn push_action(&mut self, action: Action) {
        if self.push(Code::Listed(self.actions.len() as u32)) {
            self.actions.push(action);
        }
    }

    fn way_out(&self, at: u32, table: &Table) -> Groups {
        canonical::sorted(self.ways[at as usize].named(table.hand(self.seat)).groups(table))
    }

    /// Moves the steps into a list of actions, which is cleared first.
    pub(super) fn write(mut self, table: &Table, steps: &mut Steps) {
        steps.actions.clear();
        steps.truncated = self.truncated;
        // They stand in the order of their codes.
        let mut listed = core::mem::take(&mut self.actions).into_iter();
        let wilds = Stack::wilds(table.hand(self.seat));
        steps.actions.extend(self.codes.iter().map(|code| match *code {
            Code::Take(set) => take(set.group(table, self.seat, &wilds)),
            Code::WayOut(at) => Action::Meld(self.way_out(at, table)),
            Code::Batch(at) => self.batches[at as usize].action(table, table.hand(self.seat)),
            Code::Listed(_) => listed.next().expect("each action has one code"),
            Code::Set(set) => meld(set.group(table, self.seat, &wilds)),
            code => code.plain(),
        }));
    }
}

impl Code {
    /// Returns the action of a code that needs nothing else.
    fn plain(self) -> Action {
        match self {
            Self::DrawStock => Action::DrawStock,
            Self::EndRound => Action::EndRound,
            Self::Pass => Action::Pass,
            Self::Discard(card) => Action::Discard(card),
            Self::Set(_) | Self::Take(_) | Self::WayOut(_) | Self::Batch(_) | Self::Listed(_) => {
                unreachable!("these need a table or a list")
            }
        }
    }
}

/// Returns the number of groups that an action lays, with the one of a top, and of cards of the hand in them.
fn named(action: &Action) -> (usize, usize) {
    let of = |groups: &[Group]| (groups.len(), groups.iter().map(|group| group.cards.len()).sum::<usize>());
    match action {
        Action::Meld(groups) => of(groups),
        Action::TakePile(take) => {
            let (groups, cards) = of(&take.also);
            (groups + 1, cards + take.with.len())
        }
        _ => (0, 0),
    }
}

/// Returns the plan that lays these cards in a phase of play.
fn laid(table: &Table, placements: Placements) -> Plan {
    match table.set().undo_meld {
        true => Plan::Place { placements, top: None, release: None },
        false => Plan::Meld(placements),
    }
}

fn take(Group { cards: with, onto, .. }: Group) -> Action {
    Action::TakePile(TakePile { with, onto, also: Groups::new() })
}

impl SetCode {
    /// Returns the group of the same naturals and these wilds.
    pub(super) fn with_wilds(self, twos: u8, jokers: u8) -> Self {
        Self { pick: Pick { twos, jokers, ..self.pick }, ..self }
    }

    /// Returns the group, of the cards of `seat` and these wilds of it.
    pub(super) fn group(self, table: &Table, seat: Seat, wilds: &Stack) -> Group {
        let onto = self.target.map_or(Onto::New, |at| onto(table.melds[usize::from(at)].id));
        let cards = self.pick.cards(&Stack::of(table.hand(seat), self.rank), wilds);
        Group { kind: MeldKind::Set, onto, top: false, cards }
    }

    fn placements(self, table: &Table, seat: Seat) -> Placements {
        let Group { cards, .. } = self.group(table, seat, &Stack::wilds(table.hand(seat)));
        let mut placements = Placements::new();
        placements.push(Placement { target: self.target, kind: MeldKind::Set, rank: Some(self.rank), cards });
        placements
    }
}
