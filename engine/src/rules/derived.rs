//! What follows from the knobs and is never stored.

use super::{MeldsPerRank, RuleSet, Rules, TakeCanastaRank, TakeLayoff, TakeNaturalWild, WildCapScope};
use crate::card::{Cards, Rank};
use crate::violations::Books;
use alloc::format;
use alloc::string::String;

impl Rules {
    /// How many cards the pack has.
    pub fn deck_size(&self) -> u16 {
        u16::try_from(self.set.deck_size()).expect("a validated pack has at most 324 cards")
    }

    /// The whole pack.
    pub fn census(&self) -> Cards {
        self.set.deck()
    }

    /// The points of any card of `rank`; a three's are a black three's.
    pub fn rank_points(&self, rank: Rank) -> i32 {
        self.set.card_points.of_rank(rank)
    }

    /// The digest as 64 hex digits.
    pub fn digest_text(&self) -> String {
        self.digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The books that a refusal under these rules cites.
    pub fn books(&self) -> Books {
        Books::new(self.base.name(), self.set.classic_switches())
    }
}

impl RuleSet {
    /// Ids of the Classic variations that are on (CV-001 to CV-015); CV-010 if any is.
    fn classic_switches(&self) -> impl Iterator<Item = &'static str> + use<> {
        let layoff = self.take_layoff == TakeLayoff::Incomplete;
        let natural_wild = self.take_natural_wild == TakeNaturalWild::Never;
        let solutions = [
            (self.melds_per_rank == MeldsPerRank::OneOpen, "CV-006"),
            (self.wild_cap_scope == WildCapScope::ToCanasta, "CV-007"),
            (self.take_canasta_rank == TakeCanastaRank::UnlessWildsFull, "CV-008"),
            (self.take_canasta_rank == TakeCanastaRank::Never, "CV-009"),
        ];
        let solved = solutions.iter().any(|&(on, _)| on);
        let others = [
            (layoff, "CV-001"),
            (natural_wild, "CV-002"),
            ((layoff && !natural_wild) || solved, "CV-005"),
            (self.frozen_always, "CV-011"),
            (self.wild_melds, "CV-012"),
            (self.wild_lock, "CV-015"),
        ];
        let any = solved || others.iter().any(|&(on, _)| on);
        solutions.into_iter().chain(others).chain([(any, "CV-010")]).filter(|&(on, _)| on).map(|(_, id)| id)
    }
}
