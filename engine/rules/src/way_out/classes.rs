//! The progress towards going out: classes, and the changes that melds make to them.

use super::MeldSlot;
use super::search::{Filling, Search};
use crate::rules::{InitialContent, RuleSet};
use crate::table::Canastas;
use smallvec::SmallVec;

/// The classes of progress: the numbers of canastas, each capped at the number that going out requires, and whether an
/// initial batch has its content.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct ProgressClasses {
    total: u8,
    clean: u8,
    wild: u8,
    mixed: u8,
    content: bool,
}

impl ProgressClasses {
    /// The single class of a search that requires nothing.
    pub(super) const ONE: Self = Self { total: 0, clean: 0, wild: 0, mixed: 0, content: false };

    pub(super) fn of(set: &RuleSet, initial: bool) -> Self {
        let content = initial && set.initial_content != InitialContent::None;
        let (total, clean, wild, mixed) =
            (set.go_out_total, set.go_out_clean, set.go_out_wild, set.go_out_mixed);
        // A total that the kinds reach by themselves would only multiply the classes.
        let total = if mixed > 0 && total <= clean + wild + mixed { 0 } else { total };
        Self { total, clean, wild, mixed, content }
    }

    pub(super) fn count(self) -> usize {
        let of_caps = |cap: u8| usize::from(cap) + 1;
        of_caps(self.total)
            * of_caps(self.clean)
            * of_caps(self.wild)
            * of_caps(self.mixed)
            * of_caps(self.content.into())
    }

    pub(super) fn class(self, reached: &Reached) -> usize {
        let Reached { canastas, content } = reached;
        let content = u8::from(self.content && *content);
        let digits = [
            (content, 1),
            (canastas.mixed, self.mixed),
            (canastas.wild, self.wild),
            (canastas.clean, self.clean),
            (canastas.total, self.total),
        ];
        digits
            .into_iter()
            .fold(0, |class, (count, cap)| class * (usize::from(cap) + 1) + usize::from(count.min(cap)))
    }

    /// Returns, for each class by number, the class that follows if a meld adds `more`.
    fn after(self, more: &Reached) -> SmallVec<[u16; 8]> {
        let mut after = SmallVec::with_capacity(self.count());
        // The loops go through the classes in the order of their numbers: `class` gives the total the lowest weight.
        let caps = || {
            let mixed = (0..=self.mixed).flat_map(|mixed| (0..=self.wild).map(move |wild| (mixed, wild)));
            mixed.flat_map(|(mixed, wild)| (0..=self.clean).map(move |clean| (mixed, wild, clean)))
        };
        for content in 0..=u8::from(self.content) {
            for (mixed, wild, clean) in caps() {
                after.extend((0..=self.total).map(|total| {
                    let canastas = Canastas {
                        total: total + more.canastas.total,
                        clean: clean + more.canastas.clean,
                        wild: wild + more.canastas.wild,
                        mixed: mixed + more.canastas.mixed,
                        ..more.canastas
                    };
                    self.class(&Reached { canastas, content: content > 0 || more.content }) as u16
                }));
            }
        }
        after
    }
}

/// The canastas and the content that the melds chosen so far have reached.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Reached {
    pub canastas: Canastas,
    /// Whether an initial batch has the content that it must have.
    pub content: bool,
}

/// The change that one filling of a meld makes, for all its numbers of wilds alike.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Gain {
    /// The index of the change of classes in [`ClassSteps`].
    step: u8,
    pub is_new: bool,
    pub is_open: bool,
}

/// The numbers of wilds with which a meld can be filled, as bits, for each gain.
pub(super) type Gains = SmallVec<[(Gain, u64); 4]>;

/// The changes that melds make to the classes, each with the class that then follows each class. There are few: a meld
/// adds one canasta of one kind at most.
#[derive(Default)]
pub(super) struct ClassSteps {
    classes: ProgressClasses,
    changes: SmallVec<[(Reached, SmallVec<[u16; 8]>); 4]>,
}

impl ClassSteps {
    pub(super) fn of(classes: ProgressClasses) -> Self {
        Self { classes, changes: SmallVec::new() }
    }

    /// Returns the class that follows each class after a gain.
    pub(super) fn classes_after(&self, gain: Gain) -> &[u16] {
        &self.changes[usize::from(gain.step)].1
    }

    /// Returns the gain of a pool that has nothing to lay.
    pub(super) fn nothing(&mut self) -> Gain {
        Gain { step: self.step(Reached::default()), is_new: false, is_open: false }
    }

    /// Adds the numbers of wilds, up to `most`, with which a meld can be filled by `naturals`, for each gain.
    pub(super) fn add_gains(
        &mut self,
        search: &Search<'_>,
        (&spot, naturals): (&MeldSlot, u8),
        most: u8,
        gains: &mut Gains,
    ) {
        let mut fitting = search.fitting(spot, naturals, most);
        while fitting != 0 {
            let filling = Filling { spot, naturals, wilds: fitting.trailing_zeros() as u8 };
            let grown = filling.grown();
            // More wilds make the same change until they complete the meld, or soil it.
            let alike = match () {
                () if self.classes.content => 1,
                () if !grown.is_full(search.set) => search.set.canasta_size - grown.size(),
                () if grown.wilds == 0 => 1,
                () => 63,
            };
            let numbers = fitting & ((1 << alike) - 1) << filling.wilds;
            fitting &= !numbers;
            let content = self.classes.content && filling.is_content(search.set);
            let mut more = Reached { content, ..Reached::default() };
            more.canastas.count(search.set, grown.rank, grown.wilds, grown.grade(search.set));
            // The rank is judged where its pool ends.
            more.canastas.ranks = 0;
            let step = self.step(more);
            let gain = Gain { step, is_new: spot.is_new(), is_open: !grown.is_full(search.set) };
            match gains.iter_mut().find(|(known, _)| *known == gain) {
                Some((_, all)) => *all |= numbers,
                None => gains.push((gain, numbers)),
            }
        }
    }

    fn step(&mut self, more: Reached) -> u8 {
        let known = self.changes.iter().position(|(step, _)| *step == more);
        known.unwrap_or_else(|| {
            self.changes.push((more, self.classes.after(&more)));
            self.changes.len() - 1
        }) as u8
    }
}
