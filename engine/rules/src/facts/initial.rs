//! What counts towards the initial meld (ALG-10, ALG-11).

use crate::action::MeldKind;
use crate::card::{Card, Rank};
use crate::rules::{Exempt, InitialContent, PileSteps, RuleSet};
use crate::table::{Phase, Source, Table};

/// A meld of the batch as it counts.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub kind: MeldKind,
    pub naturals: u8,
    pub wilds: u8,
}

impl Part {
    /// Whether it is what the initial batch must hold (MA-095, HF-066).
    pub(crate) fn is_content(&self, set: &RuleSet) -> bool {
        match set.initial_content {
            InitialContent::None => true,
            _ if self.kind == MeldKind::Wild => self.wilds >= set.meld_min,
            InitialContent::TripleOrWild => self.kind == MeldKind::Set && self.naturals >= 3,
            InitialContent::CleanOrWild => self.wilds == 0,
        }
    }

    /// Whether it is a canasta of naturals or of wilds complete in the hand, where that needs no minimum (MA-103).
    pub(crate) fn is_splash(&self, set: &RuleSet) -> bool {
        let size = match self.kind {
            MeldKind::Set => self.naturals,
            MeldKind::Wild => self.wilds,
            MeldKind::Sequence | MeldKind::BlackThrees => 0,
        };
        set.initial_exempt.contains(Exempt::Splash) && size >= set.canasta_size
    }
}

/// Whether the seat in turn, its side not opened, needs no minimum to go out.
pub(crate) fn exempts_going_out(state: &Table) -> bool {
    let (set, exempts) = (state.set(), state.set().initial_exempt);
    let from_stock = state.turn.source == Source::Stock && exempts.contains(Exempt::ConcealedStock);
    // AMB-HN-19: where the pile is handed over against the points, it is not without them.
    let takes = set.pile_steps == PileSteps::Two && matches!(state.phase, Phase::Start | Phase::Taking);
    (from_stock || exempts.contains(Exempt::ConcealedAny)) && !takes
}

/// The value of cards towards the minimum (CL-060), `rank` being that of their set.
pub(crate) fn points(state: &Table, rank: Option<Rank>, cards: &[Card]) -> i32 {
    match rank {
        Some(rank) => state.rules.points_in_set(rank, cards),
        None => cards.iter().map(|&card| state.rules.card_points(card)).sum(),
    }
}
