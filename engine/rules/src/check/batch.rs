//! A batch of groups, sorted into the melds they make.
//!
//! A batch has no order (clarification 1): groups that go to one meld are judged as merged, and every limit is judged
//! on the batch as a whole.

use super::column::place;
use super::{BatchColumn, CheckContext, Outlook, Placement, sequence, shape};
use crate::action::{Group, MeldId, MeldKind, Onto};
use crate::card::{Card, Class, Rank};
use crate::facts::{content, has_ids, is_closed_by_threes, wilds_allowed};
use crate::rejection::{Field, Violation};
use crate::rules::{BlackThreeMeld, CanastaAccepts, MeldsPerRank};
use crate::seat::Side;
use crate::table::{MELDS_MAX, Meld};
use crate::violations::Code;
use smallvec::SmallVec;

/// The groups of an action on their way to become placements.
#[derive(Default)]
pub(crate) struct Batch {
    pub columns: SmallVec<[BatchColumn; 4]>,
    /// Faults by place (0: the top's meld, from 1: the groups as named), to be listed in that order.
    pub faults: SmallVec<[(u8, Violation); 2]>,
    /// The first group of black threes, well formed or not: a batch with black threes must go out (CL-075).
    pub black_threes: Option<Field>,
    /// The wilds of all AUTO groups of one kind and rank, where there are several groups.
    pub(super) auto_wilds: SmallVec<[(MeldKind, Option<Rank>, u8); 2]>,
}

/// The contents of a list of cards.
#[derive(Default)]
struct CardContent {
    rank: Option<Rank>,
    naturals: u8,
    wilds: u8,
    /// A natural of a second rank.
    other: Option<Card>,
    red_three: Option<Card>,
    black_three: Option<Card>,
    natural: Option<Card>,
}

impl CardContent {
    fn of(cards: &[Card]) -> Self {
        let mut content = Self::default();
        for &card in cards {
            match card.class() {
                Class::Wild => content.wilds = content.wilds.saturating_add(1),
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
    /// Adds a group to the meld that it goes to. Faults of the group alone or of its target are recorded under its number;
    /// a group with such a fault is left out, because its other faults would be guesses.
    pub(super) fn add(&mut self, ctx: &CheckContext<'_>, number: u8, group: &Group) {
        let mut cards = group.cards.clone();
        cards.extend(ctx.table.taken_top.filter(|_| group.top).map(|top| top.card));
        let content = CardContent::of(&cards);
        let before = self.faults.len();
        let threes = group.kind == MeldKind::BlackThrees && content.black_three.is_some();
        if threes && ctx.set.black_three_meld != BlackThreeMeld::Never {
            self.black_threes = self.black_threes.or(Some(Field::Group(number)));
        }
        for fault in group_faults(ctx, number, group, &content) {
            self.faults.push((number + 1, fault));
        }
        let rank = (group.kind == MeldKind::Set).then_some(content.rank).flatten();
        let added = (content.naturals, content.wilds);
        let place = self.find(ctx, number, group, rank, &content);
        if self.faults.len() > before {
            return;
        }
        let Some((target, named_new)) = place else { return };
        let placement = Placement { target, kind: group.kind, rank, cards };
        let at = self.join(ctx, Field::Group(number), placement, named_new, added);
        self.columns[at].top |= group.top;
    }

    /// Adds cards to the column of their target, which is created if needed. Returns the index of the column.
    pub(crate) fn join(
        &mut self,
        ctx: &CheckContext<'_>,
        field: Field,
        mut placement: Placement,
        named_new: bool,
        added: (u8, u8),
    ) -> usize {
        let same = |c: &BatchColumn| match (c.placement.target, placement.target) {
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
            let meld = &ctx.table.melds[usize::from(at)];
            placement.rank = meld.rank;
            content(&meld.cards)
        });
        self.columns.push(BatchColumn::new(placement, field, old, added));
        self.columns.len() - 1
    }

    /// Returns the meld that a group goes to: `Some((None, named))` is a new meld, which `named` keeps apart from other
    /// new melds. `None` if a fault leaves the target unknown.
    fn find(
        &mut self,
        ctx: &CheckContext<'_>,
        number: u8,
        group: &Group,
        rank: Option<Rank>,
        content: &CardContent,
    ) -> Option<(Option<u8>, bool)> {
        let field = Field::GroupOnto(number);
        match group.onto {
            Onto::Meld { side, id } => {
                let at = match owned(ctx, side, id, field) {
                    Ok(at) => at,
                    Err(fault) => {
                        self.faults.push((number + 1, fault));
                        let owner = side.unwrap_or(ctx.side);
                        if ctx.table.meld(owner, id).is_some_and(|m| m.kind != group.kind) {
                            self.note_once(number, kind_mismatch(group.kind, Field::Group(number)));
                        }
                        return None;
                    }
                };
                if let Some(fault) = misfit(ctx, at, group.kind, rank, content, Field::Group(number)) {
                    self.note_once(number, fault);
                }
                Some((Some(at), false))
            }
            _ if group.kind == MeldKind::Set && rank.is_none() => None,
            Onto::New => Some((None, true)),
            // Two groups are two sequences, unless one extends the other's target.
            Onto::Auto if group.kind == MeldKind::Sequence => {
                Some((sequence::extended(ctx, &self.columns, &group.cards), true))
            }
            Onto::Auto => {
                let shared = self.auto_wilds.iter().find(|(kind, of, _)| (*kind, *of) == (group.kind, rank));
                let wilds = shared.map_or(content.wilds, |&(_, _, wilds)| wilds);
                Some((auto(ctx, &self.columns, group.kind, rank, wilds), false))
            }
        }
    }

    /// Sums the wilds of the AUTO groups of one kind and rank: they are one meld with one target (AC-33).
    fn share_wilds(&mut self, groups: &[Group]) {
        for group in groups.iter().filter(|group| group.onto == Onto::Auto && groups.len() > 1) {
            let content = CardContent::of(&group.cards);
            let rank = (group.kind == MeldKind::Set).then_some(content.rank).flatten();
            let known = self.auto_wilds.iter_mut().find(|(kind, of, _)| (*kind, *of) == (group.kind, rank));
            match known {
                Some((_, _, wilds)) => *wilds = wilds.saturating_add(content.wilds),
                None => self.auto_wilds.push((group.kind, rank, content.wilds)),
            }
        }
    }

    /// Records a fault of a group unless a fault of this group with the same code is already recorded.
    fn note_once(&mut self, number: u8, fault: Violation) {
        if !self.faults.iter().any(|(n, known)| *n == number + 1 && known.code == fault.code) {
            self.faults.push((number + 1, fault));
        }
    }

    /// Returns the columns as placements, which are complete only if no fault was found.
    pub(crate) fn placements(self) -> super::Placements {
        self.columns.into_iter().map(|c| c.placement).collect()
    }

    /// Adds all groups, first those that name their target: AUTO depends on the melds there, and a batch has no order.
    /// Then sorts the columns in the order in which the groups touch them, the top's first.
    pub(crate) fn add_all(&mut self, ctx: &CheckContext<'_>, groups: &[Group]) {
        self.share_wilds(groups);
        for auto in [false, true] {
            let later = |g: &Group| auto && g.kind == MeldKind::Sequence;
            let now = |g: &Group| (g.onto == Onto::Auto) == auto && !later(g);
            for (i, group) in groups.iter().enumerate().filter(|(_, group)| now(group)) {
                self.add(ctx, i as u8, group);
            }
        }
        self.add_sequences(ctx, groups);
        self.columns.sort_by_key(|column| (!column.top, place(column.field)));
    }

    /// Adds the groups of sequences that name no target. Groups that extend a sequence, as it then lies, come
    /// before the others: a batch has no order of its own.
    fn add_sequences(&mut self, ctx: &CheckContext<'_>, groups: &[Group]) {
        let open = |g: &Group| g.kind == MeldKind::Sequence && g.onto == Onto::Auto;
        let mut left: SmallVec<[(u8, &Group); 4]> =
            (0..).zip(groups).filter(|(_, group)| open(group)).collect();
        while !left.is_empty() {
            let extends =
                |(_, group): &(u8, &Group)| sequence::extended(ctx, &self.columns, &group.cards).is_some();
            let (number, group) = left.remove(left.iter().position(extends).unwrap_or(0));
            self.add(ctx, number, group);
        }
    }

    /// Moves the wilds left over when a canasta closes, if wild melds have no maximum size (AMB-HF-13): to a new wild
    /// meld, or to one that the batch begins. The lowest wilds and the top of a take stay; so do wilds without a place.
    pub(crate) fn overflow(&mut self, ctx: &CheckContext<'_>) {
        let set = ctx.set;
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
                let top = ctx.table.pile.last().copied().filter(|_| field == Field::With);
                let cards = self.columns[i].split_highest(over, top);
                let placement = Placement { target: None, kind: MeldKind::Wild, rank: None, cards };
                match begun {
                    Some(at) => self.columns[at].extend(&placement.cards, (0, over)),
                    None => self.columns.push(BatchColumn::new(placement, field, (0, 0), (0, over))),
                }
            }
            i += 1;
        }
    }

    /// Judges every column and passes all faults to `ctx`, group by group.
    pub(crate) fn judge(&mut self, ctx: &mut CheckContext<'_>, outlook: &Outlook) {
        self.note_after_black_threes(ctx);
        self.judge_columns(ctx, outlook.overfills(ctx));
    }

    /// Judges only what placing requires: a card fits its column (AMB-HN-07). Other tests come at the turn's end.
    pub(super) fn judge_placing(&mut self, ctx: &mut CheckContext<'_>) {
        self.note_after_black_threes(ctx);
        for column in &self.columns {
            let number = place(column.field);
            let fault = shape::mixed_ranks(column).or_else(|| shape::wild_among_threes(column));
            self.faults.extend(fault.map(|fault| (number, fault)));
            if column.placement.kind == MeldKind::Sequence {
                sequence::judge_fit(ctx, column, &mut |fault| self.faults.push((number, fault)));
            }
        }
        self.report(ctx);
    }

    /// Records a fault for each meld after black threes (HN-033), which lie there only in the turn of going out.
    pub(super) fn note_after_black_threes(&mut self, ctx: &CheckContext<'_>) {
        let is_closed = is_closed_by_threes(ctx.table, ctx.side);
        for column in self.columns.iter().filter(|c| is_closed && c.placement.kind != MeldKind::BlackThrees) {
            let fault = Violation::new(Code::ThreeBlackNotLast, column.field);
            self.faults.push((place(column.field), fault));
        }
    }

    /// Judges every column. `lifted`: the batch goes out free of the limits on size and wilds (US-003).
    pub(super) fn judge_columns(&mut self, ctx: &mut CheckContext<'_>, lifted: bool) {
        for i in 0..self.columns.len() {
            shape::judge(ctx, &self.columns, i, lifted, &mut self.faults);
        }
        self.report(ctx);
    }

    fn report(&mut self, ctx: &mut CheckContext<'_>) {
        if !self.faults.is_empty() {
            self.faults.sort_by_key(|(number, fault)| (*number, fault.code.entry().precedence()));
            ctx.faults.extend(self.faults.drain(..).map(|(_, fault)| fault));
        }
    }
}

/// Returns the faults of a group alone (common part of shape(g)): threes, kind, kinds that the rule set lacks.
fn group_faults(
    ctx: &CheckContext<'_>,
    number: u8,
    group: &Group,
    content: &CardContent,
) -> SmallVec<[Violation; 2]> {
    let field = Field::GroupCards(number);
    let mut faults = SmallVec::new();
    let never = ctx.set.black_three_meld == BlackThreeMeld::Never;
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
    if group.kind == MeldKind::Wild && !ctx.set.wild_melds && !ctx.defers() {
        faults.push(Violation::new(Code::MeldWildMeldOff, Field::Group(number)));
    }
    if group.kind == MeldKind::Sequence && !ctx.set.sequences {
        faults.push(Violation::new(Code::MeldSequenceOff, Field::Group(number)));
    }
    faults
}

/// Returns the index of the own meld that `onto` names.
pub(super) fn owned(
    ctx: &CheckContext<'_>,
    side: Option<Side>,
    id: MeldId,
    field: Field,
) -> Result<u8, Violation> {
    let owner = side.unwrap_or(ctx.side);
    let at = ctx.table.melds.iter().position(|m| m.side == owner && m.id == id);
    match at {
        None => Err(Violation::new(Code::MeldNotFound, field).fact("meld", id)),
        Some(_) if owner != ctx.side => {
            Err(Violation::new(Code::MeldNotOwnSide, field).fact("meld", id).fact("side", owner))
        }
        Some(at) => Ok(at as u8),
    }
}

/// Returns why cards of this kind and rank cannot go onto the meld at `at`; `None` if they can.
pub(super) fn misfit_rank(
    ctx: &CheckContext<'_>,
    at: u8,
    kind: MeldKind,
    rank: Option<Rank>,
    card: Card,
    field: Field,
) -> Option<Violation> {
    let meld = &ctx.table.melds[usize::from(at)];
    if meld.kind != kind {
        return Some(kind_mismatch(kind, field));
    }
    let other = meld.rank.filter(|_| meld.rank != rank)?;
    Some(Violation::new(Code::MeldMixedRanks, field).fact("rank", other).fact("card", card))
}

fn misfit(
    ctx: &CheckContext<'_>,
    at: u8,
    kind: MeldKind,
    rank: Option<Rank>,
    content: &CardContent,
    field: Field,
) -> Option<Violation> {
    let meld = &ctx.table.melds[usize::from(at)];
    if meld.kind != kind {
        let may_be_meant = meld.kind != MeldKind::Wild || content.natural.is_none();
        let target = may_be_meant.then(|| meld.kind.name());
        return Some(kind_mismatch(kind, field).maybe_fact("target", target));
    }
    let card = content.natural.filter(|_| rank.is_some())?;
    // A group of several ranks is reported once, by `shape`.
    content.other.is_none().then(|| misfit_rank(ctx, at, kind, rank, card, field)).flatten()
}

fn kind_mismatch(kind: MeldKind, field: Field) -> Violation {
    Violation::new(Code::MeldKindMismatch, field).fact("kind", kind.name())
}

/// Returns the index of the meld that AUTO means (AMB-54, clarification 12): the own open meld of the rank with the
/// lowest id, else the completed one with the lowest id that may receive the cards, else `None` (a new meld).
pub(super) fn auto(
    ctx: &CheckContext<'_>,
    columns: &[BatchColumn],
    kind: MeldKind,
    rank: Option<Rank>,
    wilds: u8,
) -> Option<u8> {
    let own = |m: &Meld| m.side == ctx.side && m.kind == kind && m.rank == rank;
    let melds = || ctx.table.melds.iter().enumerate().filter(|(_, m)| own(m));
    let open = melds().find(|(_, m)| m.grade(ctx.set).is_none());
    let single = ctx.set.melds_per_rank == MeldsPerRank::One;
    let found = open.or_else(|| melds().find(|(_, m)| single || may_receive(ctx, columns, m, wilds)));
    found.map(|(i, _)| i as u8)
}

/// Whether a completed meld may receive this many wilds together with any number of naturals.
fn may_receive(ctx: &CheckContext<'_>, columns: &[BatchColumn], meld: &Meld, wilds: u8) -> bool {
    let closed = ctx.set.canasta_accepts == CanastaAccepts::Naturals;
    if closed && (wilds > 0 || meld.kind == MeldKind::Wild) {
        return false;
    }
    if meld.kind == MeldKind::Wild {
        return true;
    }
    let pending: u8 = columns
        .iter()
        .filter(|c| c.placement.target.is_some_and(|at| ctx.table.melds[usize::from(at)].id == meld.id))
        .map(|c| c.added.1)
        .sum();
    let total = meld.wilds() + pending + wilds;
    wilds_allowed(ctx.set, meld.len() as u8 + pending + wilds, total)
}

/// Judges MELD_NOT_FOUND, with the first id that does not exist, if ids for new melds are used up.
pub(super) fn judge_ids<'p>(ctx: &mut CheckContext<'_>, placements: impl IntoIterator<Item = &'p Placement>) {
    let begun = placements.into_iter().filter(|p| p.target.is_none()).count();
    if ctx.set.undo_meld && !has_ids(ctx.table, ctx.side, begun) {
        ctx.push(Violation::new(Code::MeldNotFound, Field::Action).fact("meld", MeldId(MELDS_MAX as u8)));
    }
}
