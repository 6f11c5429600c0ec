//! A batch of groups, sorted into the melds they make.
//!
//! A batch has no order (clarification 1): groups that go to one meld are judged merged, and every
//! limit is judged on the batch as a whole.

use super::{Desk, Outlook, sequence, shape};
use crate::action::{CardList, Group, MeldId, MeldKind, Onto};
use crate::card::{Card, Class, Rank};
use crate::rejection::{Field, Violation};
use crate::rules::{BlackThreeMeld, CanastaAccepts, MeldsPerRank, RuleSet};
use crate::seat::Side;
use crate::table::Meld;
use crate::violations::Code;
use smallvec::SmallVec;

/// Cards that go to one meld.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Placement {
    /// Index into the state's melds; `None` begins a new meld.
    pub target: Option<u8>,
    pub kind: MeldKind,
    pub rank: Option<Rank>,
    pub cards: CardList,
}

/// What one meld becomes by a batch.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub placement: Placement,
    /// The first group that names it.
    pub field: Field,
    /// Naturals and wilds that lie there already.
    pub old: (u8, u8),
    /// Naturals (or black threes) and wilds added, the top card included.
    pub added: (u8, u8),
    /// The tentatively taken top is among the cards.
    pub top: bool,
    /// Naturals and wilds of `added` that are laid before all others: the top of a take and what entitles to it
    /// (clarification 29).
    pub first: (u8, u8),
}

impl Column {
    pub(crate) fn size(&self) -> u8 {
        self.naturals().saturating_add(self.wilds())
    }

    /// Nothing lay there before: a new meld, or one that is all loose (ALG-07).
    pub(crate) fn is_new(&self) -> bool {
        self.old == (0, 0)
    }

    fn extend(&mut self, cards: &[Card], added: (u8, u8)) {
        self.placement.cards.extend_from_slice(cards);
        self.added.0 = self.added.0.saturating_add(added.0);
        self.added.1 = self.added.1.saturating_add(added.1);
    }

    /// Takes so many of its wilds out, the highest; one copy of `kept` stays.
    fn split_highest(&mut self, count: u8, kept: Option<Card>) -> CardList {
        let mut split = CardList::new();
        let cards = &mut self.placement.cards;
        let kept = kept.and_then(|card| cards.iter().rposition(|&c| c == card)).map(|at| cards.remove(at));
        for _ in 0..count {
            let wilds = (0..cards.len()).filter(|&at| cards[at].is_wild());
            let highest = wilds.max_by_key(|&at| (cards[at], core::cmp::Reverse(at)));
            split.push(cards.remove(highest.expect("surplus wilds are among the cards")));
        }
        cards.extend(kept);
        self.added.1 -= count;
        self.first.1 = self.first.1.min(self.added.1);
        split
    }

    /// How many of its wilds find no place in a canasta that is closed to them. What entitles to the pile goes with
    /// the top first, everything else after it, wilds before naturals (clarifications 2 and 29).
    pub(super) fn surplus(&self, set: &RuleSet) -> u8 {
        crate::facts::surplus_after(set, self.old.0 + self.old.1, self.first, self.added.1)
    }

    pub(crate) fn naturals(&self) -> u8 {
        self.old.0.saturating_add(self.added.0)
    }

    pub(crate) fn wilds(&self) -> u8 {
        self.old.1.saturating_add(self.added.1)
    }
}

/// The groups of an action on their way to become placements.
#[derive(Default)]
pub(crate) struct Batch {
    pub columns: SmallVec<[Column; 4]>,
    /// Faults by place (0 the top's meld, then the groups as named), to be listed in that order.
    pub faults: SmallVec<[(u8, Violation); 2]>,
    /// The first group of black threes, well formed or not: such a batch must go out (CL-075).
    pub black_threes: Option<Field>,
    /// The wilds of all AUTO groups of one kind and rank, where there are several groups.
    pub(super) auto_wilds: SmallVec<[(MeldKind, Option<Rank>, u8); 2]>,
}

/// What a list of cards holds.
struct Content {
    rank: Option<Rank>,
    naturals: u8,
    wilds: u8,
    /// A natural of a second rank.
    other: Option<Card>,
    red_three: Option<Card>,
    black_three: Option<Card>,
    natural: Option<Card>,
}

impl Content {
    fn of(cards: &[Card]) -> Self {
        let mut content = Self {
            rank: None,
            naturals: 0,
            wilds: 0,
            other: None,
            red_three: None,
            black_three: None,
            natural: None,
        };
        for &card in cards {
            match card.class() {
                Class::Wild => {
                    content.wilds = content.wilds.saturating_add(1);
                }
                Class::RedThree => content.red_three = Some(card),
                Class::BlackThree => {
                    content.naturals = content.naturals.saturating_add(1);
                    content.black_three = Some(card);
                }
                Class::Natural => {
                    content.naturals = content.naturals.saturating_add(1);
                    content.natural = Some(card);
                    match content.rank {
                        None => content.rank = Some(card.rank()),
                        Some(rank) if rank != card.rank() => content.other = content.other.or(Some(card)),
                        Some(_) => {}
                    }
                }
            }
        }
        content
    }
}

impl Batch {
    /// Adds a group; what is wrong with it alone or with its target is noted under its number.
    pub(super) fn add(&mut self, desk: &Desk<'_>, number: u8, group: &Group) {
        let mut cards = group.cards.clone();
        cards.extend(desk.state.taken_top.filter(|_| group.top).map(|top| top.card));
        let content = Content::of(&cards);
        let before = self.faults.len();
        let threes = group.kind == MeldKind::BlackThrees && content.black_three.is_some();
        if threes && desk.set.black_three_meld != BlackThreeMeld::Never {
            self.black_threes = self.black_threes.or(Some(Field::Group(number)));
        }
        for fault in group_faults(desk, number, group, &content) {
            self.faults.push((number + 1, fault));
        }
        let rank = (group.kind == MeldKind::Set).then_some(content.rank).flatten();
        let added = (content.naturals, content.wilds);
        let place = self.find(desk, number, group, rank, &content);
        if self.faults.len() > before {
            return;
        }
        let Some((target, named_new)) = place else { return };
        let placement = Placement { target, kind: group.kind, rank, cards };
        let at = self.join(desk, Field::Group(number), placement, named_new, added);
        self.columns[at].top |= group.top;
    }

    /// Adds cards to the column of their target, which is made if there is none yet; its place.
    pub(crate) fn join(
        &mut self,
        desk: &Desk<'_>,
        field: Field,
        mut placement: Placement,
        named_new: bool,
        added: (u8, u8),
    ) -> usize {
        let same = |c: &Column| match (c.placement.target, placement.target) {
            (None, None) => {
                c.placement.kind == placement.kind && c.placement.rank == placement.rank && !named_new
            }
            (a, b) => a == b,
        };
        if let Some(at) = self.columns.iter().position(same) {
            let column = &mut self.columns[at];
            column.extend(&placement.cards, added);
            if place(field) < place(column.field) {
                column.field = field;
            }
            return at;
        }
        let old = placement.target.map_or((0, 0), |at| {
            let meld = &desk.state.melds[usize::from(at)];
            placement.rank = meld.rank;
            let wilds = meld.wilds();
            (meld.len() as u8 - wilds, wilds)
        });
        self.columns.push(Column { placement, field, old, added, top: false, first: (0, 0) });
        self.columns.len() - 1
    }

    /// The meld a group goes to: `Some((None, named))` is a new one.
    fn find(
        &mut self,
        desk: &Desk<'_>,
        number: u8,
        group: &Group,
        rank: Option<Rank>,
        content: &Content,
    ) -> Option<(Option<u8>, bool)> {
        let field = Field::GroupOnto(number);
        match group.onto {
            Onto::Meld { side, id } => {
                let at = match owned(desk, side, id, field) {
                    Ok(at) => at,
                    Err(fault) => {
                        self.faults.push((number + 1, fault));
                        let owner = side.unwrap_or(desk.side);
                        if desk.state.meld(owner, id).is_some_and(|m| m.kind != group.kind) {
                            self.note_once(number, kind_mismatch(group.kind, Field::Group(number)));
                        }
                        return None;
                    }
                };
                if let Some(fault) = misfit(desk, at, group.kind, rank, content, Field::Group(number)) {
                    self.note_once(number, fault);
                }
                Some((Some(at), false))
            }
            _ if group.kind == MeldKind::Set && rank.is_none() => None,
            Onto::New => Some((None, true)),
            // Two of them are two sequences, unless one extends the other's target.
            Onto::Auto if group.kind == MeldKind::Sequence => {
                Some((sequence::extended(desk, &self.columns, &group.cards), true))
            }
            Onto::Auto => {
                let shared = self.auto_wilds.iter().find(|(kind, of, _)| (*kind, *of) == (group.kind, rank));
                let wilds = shared.map_or(content.wilds, |&(_, _, wilds)| wilds);
                Some((auto(desk, &self.columns, group.kind, rank, wilds), false))
            }
        }
    }

    /// AUTO groups of one rank are one meld (AC-33): what one of them holds decides where all go.
    fn share_wilds(&mut self, groups: &[Group]) {
        for group in groups.iter().filter(|group| group.onto == Onto::Auto && groups.len() > 1) {
            let content = Content::of(&group.cards);
            let rank = (group.kind == MeldKind::Set).then_some(content.rank).flatten();
            let known = self.auto_wilds.iter_mut().find(|(kind, of, _)| (*kind, *of) == (group.kind, rank));
            match known {
                Some((_, _, wilds)) => *wilds = wilds.saturating_add(content.wilds),
                None => self.auto_wilds.push((group.kind, rank, content.wilds)),
            }
        }
    }

    /// Notes a fault of a group unless its code stands there already.
    fn note_once(&mut self, number: u8, fault: Violation) {
        if !self.faults.iter().any(|(n, known)| *n == number + 1 && known.code == fault.code) {
            self.faults.push((number + 1, fault));
        }
    }

    /// The columns as placements, where no fault was found.
    pub(crate) fn placements(self) -> super::Placements {
        self.columns.into_iter().map(|c| c.placement).collect()
    }

    /// Adds all groups. Those that name their target come first, since AUTO looks at what is there and a
    /// batch has no order; the columns then stand in the order in which the groups touch them, the top's first.
    pub(crate) fn add_all(&mut self, desk: &Desk<'_>, groups: &[Group]) {
        self.share_wilds(groups);
        for auto in [false, true] {
            let later = |g: &Group| auto && g.kind == MeldKind::Sequence;
            let now = |g: &Group| (g.onto == Onto::Auto) == auto && !later(g);
            for (i, group) in groups.iter().enumerate().filter(|(_, group)| now(group)) {
                self.add(desk, i as u8, group);
            }
        }
        self.add_sequences(desk, groups);
        self.columns.sort_by_key(|column| (!column.top, place(column.field)));
    }

    /// AMB-HF-13, where wild melds have no largest size: wilds that close a canasta and are left over begin a new wild meld, or join the one that the
    /// batch begins, if they make one. The lowest stay, and the top of a take; those without a
    /// place are left to be judged.
    pub(crate) fn overflow(&mut self, desk: &Desk<'_>) {
        let set = desk.set;
        let mut i = 0;
        while set.wild_melds && set.wild_meld_max == 0 && i < self.columns.len() {
            let column = &self.columns[i];
            let old = column.old.0 + column.old.1;
            let over = if old < set.canasta_size { column.surplus(set) } else { 0 };
            let begun = self.columns.iter().position(|c| {
                let (wild, new) = (c.placement.kind == MeldKind::Wild, c.placement.target.is_none());
                wild && new && c.size() < set.canasta_size
            });
            let joined = begun.map_or(0, |at| self.columns[at].size());
            if over > 0 && over + joined >= set.meld_min {
                let field = column.field;
                let top = desk.state.pile.last().copied().filter(|_| field == Field::With);
                let cards = self.columns[i].split_highest(over, top);
                let placement = Placement { target: None, kind: MeldKind::Wild, rank: None, cards };
                match begun {
                    Some(at) => self.columns[at].extend(&placement.cards, (0, over)),
                    None => {
                        let (old, added) = ((0, 0), (0, over));
                        self.columns.push(Column { placement, field, old, added, top: false, first: (0, 0) });
                    }
                }
            }
            i += 1;
        }
    }

    /// Judges every column and hands all faults to `desk`, group by group.
    pub(crate) fn judge(&mut self, desk: &mut Desk<'_>, outlook: &Outlook) {
        self.note_after_black_threes(desk);
        self.judge_columns(desk, outlook.overfills(desk));
    }

    /// Judges what placing asks for: a card fits its column (AMB-HN-07). The rest comes at the turn's end.
    pub(super) fn judge_placing(&mut self, desk: &mut Desk<'_>) {
        self.note_after_black_threes(desk);
        for column in &self.columns {
            let number = place(column.field);
            let fault = shape::mixed_ranks(column).or_else(|| shape::wild_among_threes(column));
            self.faults.extend(fault.map(|fault| (number, fault)));
            if column.placement.kind == MeldKind::Sequence {
                sequence::judge_fit(desk, column, &mut |fault| self.faults.push((number, fault)));
            }
        }
        self.report(desk);
    }

    /// HN-033: nothing is melded after black threes, which lie on the table in the turn of going out only.
    pub(super) fn note_after_black_threes(&mut self, desk: &Desk<'_>) {
        let laid = || desk.state.melds_of(desk.side).any(|m| m.kind == MeldKind::BlackThrees);
        if desk.set.black_three_meld != BlackThreeMeld::GoingOutLast || !laid() {
            return;
        }
        for column in self.columns.iter().filter(|c| c.placement.kind != MeldKind::BlackThrees) {
            let fault = Violation::new(Code::ThreeBlackNotLast, column.field);
            self.faults.push((place(column.field), fault));
        }
    }

    /// `lifted`: the batch goes out free of the limits on size and wilds (US-003).
    pub(super) fn judge_columns(&mut self, desk: &mut Desk<'_>, lifted: bool) {
        for i in 0..self.columns.len() {
            shape::judge(desk, &self.columns, i, lifted, &mut self.faults);
        }
        self.report(desk);
    }

    fn report(&mut self, desk: &mut Desk<'_>) {
        if !self.faults.is_empty() {
            self.faults.sort_by_key(|(number, fault)| (*number, fault.code.entry().precedence()));
            desk.faults.extend(self.faults.drain(..).map(|(_, fault)| fault));
        }
    }
}

/// The place of a field in the order of the action: the top's meld, then the groups as named.
pub(super) fn place(field: Field) -> u8 {
    match field {
        Field::Group(number) => number.saturating_add(1),
        _ => 0,
    }
}

/// The common part of shape(g): threes, kind, and kinds that the rule set does not have.
fn group_faults(desk: &Desk<'_>, number: u8, group: &Group, content: &Content) -> SmallVec<[Violation; 2]> {
    let field = Field::GroupCards(number);
    let mut faults = SmallVec::new();
    let never = desk.set.black_three_meld == BlackThreeMeld::Never;
    let three = match group.kind {
        MeldKind::BlackThrees if !never => content.red_three,
        _ => content.red_three.or(content.black_three),
    };
    if let Some(card) = three {
        let fault = Violation::new(Code::ThreeNotMeldable, field).fact("card", card);
        faults.push(fault);
    }
    let targeted = matches!(group.onto, Onto::Meld { .. });
    let mismatch = match group.kind {
        MeldKind::Set => three.is_none() && content.rank.is_none() && !targeted,
        MeldKind::Wild | MeldKind::BlackThrees => content.natural.is_some(),
        MeldKind::Sequence => false,
    };
    if mismatch {
        faults.push(kind_mismatch(group.kind, Field::Group(number)));
    }
    if group.kind == MeldKind::Wild && !desk.set.wild_melds && !desk.defers() {
        faults.push(Violation::new(Code::MeldWildMeldOff, Field::Group(number)));
    }
    if group.kind == MeldKind::Sequence && !desk.set.sequences {
        faults.push(Violation::new(Code::MeldSequenceOff, Field::Group(number)));
    }
    faults
}

/// The own meld that `onto` names, by index.
pub(super) fn owned(desk: &Desk<'_>, side: Option<Side>, id: MeldId, field: Field) -> Result<u8, Violation> {
    let owner = side.unwrap_or(desk.side);
    let at = desk.state.melds.iter().position(|m| m.side == owner && m.id == id);
    match at {
        None => Err(Violation::new(Code::MeldNotFound, field).fact("meld", id)),
        Some(_) if owner != desk.side => {
            Err(Violation::new(Code::MeldNotOwnSide, field).fact("meld", id).fact("owner", owner))
        }
        Some(at) => Ok(at as u8),
    }
}

/// Why cards of this kind and rank cannot go onto the meld at `at`.
pub(super) fn misfit_rank(
    desk: &Desk<'_>,
    at: u8,
    kind: MeldKind,
    rank: Option<Rank>,
    card: Card,
    field: Field,
) -> Option<Violation> {
    let meld = &desk.state.melds[usize::from(at)];
    if meld.kind != kind {
        return Some(kind_mismatch(kind, field));
    }
    let other = meld.rank.filter(|_| meld.rank != rank)?;
    Some(Violation::new(Code::MeldMixedRanks, field).fact("rank", other).fact("card", card))
}

fn misfit(
    desk: &Desk<'_>,
    at: u8,
    kind: MeldKind,
    rank: Option<Rank>,
    content: &Content,
    field: Field,
) -> Option<Violation> {
    let meld = &desk.state.melds[usize::from(at)];
    if meld.kind != kind {
        return Some(kind_mismatch(kind, field));
    }
    let card = content.natural.filter(|_| rank.is_some())?;
    // A mixed group is reported once, by shape.
    content.other.is_none().then(|| misfit_rank(desk, at, kind, rank, card, field)).flatten()
}

fn kind_mismatch(kind: MeldKind, field: Field) -> Violation {
    Violation::new(Code::MeldKindMismatch, field).fact("kind", kind.name())
}

/// Where AUTO goes (AMB-54, clarification 12): the own open meld of the rank with the lowest id, else the
/// completed one with the lowest id that may receive the cards, else a new meld.
pub(super) fn auto(
    desk: &Desk<'_>,
    columns: &[Column],
    kind: MeldKind,
    rank: Option<Rank>,
    wilds: u8,
) -> Option<u8> {
    let own = |m: &Meld| m.side == desk.side && m.kind == kind && m.rank == rank;
    let melds = || desk.state.melds.iter().enumerate().filter(|(_, m)| own(m));
    let open = melds().find(|(_, m)| m.grade(desk.set).is_none());
    let single = desk.set.melds_per_rank == MeldsPerRank::One;
    let found = open.or_else(|| melds().find(|(_, m)| single || may_receive(desk, columns, m, wilds)));
    found.map(|(i, _)| i as u8)
}

/// Whether a completed meld may receive so many wilds beside any number of naturals.
fn may_receive(desk: &Desk<'_>, columns: &[Column], meld: &Meld, wilds: u8) -> bool {
    let closed = desk.set.canasta_accepts == CanastaAccepts::Naturals;
    if closed && (wilds > 0 || meld.kind == MeldKind::Wild) {
        return false;
    }
    if meld.kind == MeldKind::Wild {
        return true;
    }
    let pending: u8 = columns
        .iter()
        .filter(|c| c.placement.target.is_some_and(|at| desk.state.melds[usize::from(at)].id == meld.id))
        .map(|c| c.added.1)
        .sum();
    let total = meld.wilds() + pending + wilds;
    crate::facts::wilds_allowed(desk.set, meld.len() as u8 + pending + wilds, total)
}

impl MeldKind {
    /// The interchange form's word (`set`).
    pub fn name(self) -> &'static str {
        ["set", "wild", "sequence", "black_threes"][self as usize]
    }
}
