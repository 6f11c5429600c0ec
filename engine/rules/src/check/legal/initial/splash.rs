//! Batches with a canasta that lifts the minimum (MA-103).

use super::Choices;
use super::exact::InitialSearch;
use super::worth::{InitialChoice, InitialGroup};
use alloc::vec::Vec;

impl InitialSearch<'_, '_> {
    /// Adds the minimal batches with a canasta that lifts the minimum. Beside it and the group of the top, a batch needs
    /// nothing but its content.
    pub(super) fn add_splashes(&mut self, tops: &[Option<InitialChoice>]) {
        for top in tops {
            match top.filter(|top| top.is_splash && top.is_content) {
                Some(top) => self.add_minimal(Choices::from_slice(&[top.group])),
                None => self.add_splashes_to(top.as_ref()),
            }
        }
        let order = |batch: &Choices| -> Vec<_> { batch.iter().map(InitialGroup::order).collect() };
        self.found.sort_by_cached_key(|(value, batch)| (*value, order(batch)));
    }

    /// Adds the minimal batches of the group of the top, if there is a top, and one more group.
    fn add_splashes_to(&mut self, top: Option<&InitialChoice>) {
        let is_splash = top.is_some_and(|top| top.is_splash);
        for pool in 0..self.pools.len() {
            let state = self.first_state(top, 0);
            let choices = self.choices[self.pools[pool].choices.clone()]
                .iter()
                .filter(|choice| state.has(pool, choice));
            let closes =
                |choice: &&InitialChoice| if is_splash { choice.is_content } else { choice.is_splash };
            for group in choices.filter(closes).map(|choice| choice.group).collect::<Vec<_>>() {
                self.add_minimal(top.map(|top| top.group).into_iter().chain([group]).collect());
            }
        }
    }

    fn add_minimal(&mut self, batch: Choices) {
        if self.is_minimal(&batch) {
            self.found.push((batch.iter().map(|group| group.value).sum(), batch));
        }
    }

    /// Whether a batch is legal, and no longer is without any of its cards, and without any group except the top's.
    pub(super) fn is_minimal(&self, batch: &[InitialGroup]) -> bool {
        (0..batch.len()).all(|at| {
            let others = || batch.iter().enumerate().filter(move |&(i, _)| i != at).map(|(_, &group)| group);
            let mut is_minimal = batch[at].top > 0 || !self.meets(others());
            self.worth.each_smaller(&batch[at], |less| is_minimal &= !self.meets(others().chain([less])));
            is_minimal
        }) && self.meets(batch.iter().copied())
    }

    /// Whether these groups are an initial batch.
    fn meets(&self, mut groups: impl Iterator<Item = InitialGroup> + Clone) -> bool {
        let set = self.worth.lister.set;
        let value: i32 = groups.clone().map(|group| group.value).sum();
        let enough = value >= self.required || groups.clone().any(|group| group.is_splash(set));
        enough && groups.any(|group| group.is_content(set))
    }
}
