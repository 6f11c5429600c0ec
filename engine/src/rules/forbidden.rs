//! The combinations of knobs that no game can have (model 5.4), in the rulebook's order.

use super::knobs::*;
use super::validate::bands_ascend;
use super::{Bands, RuleSet};
use crate::card::Class;

/// A contradiction between knobs.
pub(super) struct Forbidden {
    /// Its stable name.
    pub(super) detail: &'static str,
    /// The knobs concerned.
    pub(super) knobs: &'static [&'static str],
    /// Whether a rule set has it.
    pub(super) broken: fn(&RuleSet) -> bool,
}

/// Knobs that must hold their default because they would have no effect.
pub(super) struct Idle {
    /// The knobs.
    pub(super) knobs: &'static [&'static str],
    /// The knobs that take away the effect.
    pub(super) because: &'static [&'static str],
    /// Whether they do so.
    pub(super) without_effect: fn(&RuleSet) -> bool,
}

/// The numbered combinations of model 5.4, and what the clarifications add to them. Points that
/// are no multiples of 5 (11) are judged by the table of knobs.
pub(super) const FORBIDDEN: &[Forbidden] = &[
    // 1: a top could fit no meld although the pile is open (CV-005).
    Forbidden {
        detail: "COLLISION_UNSET",
        knobs: &[
            "take_layoff",
            "take_natural_wild",
            "max_wilds",
            "canasta_accepts",
            "melds_per_rank",
            "wild_cap_scope",
            "take_canasta_rank",
        ],
        broken: |s| {
            s.take_layoff == TakeLayoff::Incomplete
                && s.take_natural_wild == TakeNaturalWild::Allow
                && s.max_wilds > 0
                && s.canasta_accepts == CanastaAccepts::All
                && s.melds_per_rank == MeldsPerRank::One
                && s.wild_cap_scope == WildCapScope::Always
                && s.take_canasta_rank == TakeCanastaRank::Allow
        },
    },
    // 2: a seat could be left without a legal action.
    Forbidden {
        detail: "NO_WAY_BACK",
        knobs: &["meld_check", "undo_meld", "pile_restore"],
        broken: |s| s.meld_check == MeldCheck::AtDiscard && !s.undo_meld && s.pile_restore,
    },
    // Without the way back of a pending take what was placed wrongly stays all the more.
    Forbidden {
        detail: "NO_WAY_BACK",
        knobs: &["meld_check", "undo_meld"],
        broken: |s| s.meld_check == MeldCheck::AtDiscard && !s.undo_meld && !s.pile_restore,
    },
    Forbidden {
        detail: "NO_WAY_BACK",
        knobs: &["pile_steps", "pile_restore"],
        broken: |s| s.pile_steps == PileSteps::Two && !s.pile_restore,
    },
    Forbidden {
        detail: "NO_WAY_BACK",
        knobs: &["pile_steps", "pass_discard"],
        broken: |s| s.pile_steps == PileSteps::Two && !s.pass_discard,
    },
    Forbidden {
        detail: "NO_WAY_BACK",
        knobs: &["pile_steps", "meld_check", "undo_meld"],
        broken: |s| s.pile_steps == PileSteps::Two && s.meld_check == MeldCheck::Immediate && !s.undo_meld,
    },
    // 3: red threes are discarded only where they can be held.
    Forbidden {
        detail: "RED_THREES_NOT_HELD",
        knobs: &["discard_freezes", "threes_drawn"],
        broken: |s| s.discard_freezes.contains(Class::RedThree) && s.threes_drawn == ThreesDrawn::Auto,
    },
    Forbidden {
        detail: "RED_THREES_NOT_HELD",
        knobs: &["discard_threes", "threes_drawn"],
        broken: |s| s.discard_threes == DiscardThrees::Any && s.threes_drawn == ThreesDrawn::Auto,
    },
    // A black three could neither be laid nor discarded: a hand of them would have no turn's end.
    Forbidden {
        detail: "BLACK_THREES_STUCK",
        knobs: &["discard_threes", "laid_threes"],
        broken: |s| s.discard_threes == DiscardThrees::FinalOnly && s.laid_threes == LaidThrees::Red,
    },
    Forbidden {
        detail: "NO_STRAIGHT",
        knobs: &["threes_keep", "special_hands"],
        broken: |s| {
            s.threes_keep == ThreesKeep::StraightOnly && !s.special_hands.contains(SpecialHand::Straight)
        },
    },
    // 4
    Forbidden {
        detail: "PASS_CONFLICT",
        knobs: &["pass_discard", "foot_size"],
        broken: |s| s.pass_discard && s.foot_size > 0,
    },
    Forbidden {
        detail: "PASS_CONFLICT",
        knobs: &["pass_discard", "final_discard"],
        broken: |s| s.pass_discard && s.final_discard == FinalDiscard::Required,
    },
    // 5
    Forbidden {
        detail: "UNEVEN_SIDES",
        knobs: &["seats", "side_count"],
        broken: |s| s.seats.checked_rem(s.side_count) != Some(0),
    },
    Forbidden {
        detail: "LONE_TAKER_SIDES",
        knobs: &["side_formation", "seats", "side_count"],
        broken: |s| s.side_formation == SideFormation::LoneTaker && (s.seats, s.side_count) != (3, 3),
    },
    Forbidden {
        detail: "MELDER_WITHOUT_SCORE",
        knobs: &["initial_key", "score_unit"],
        broken: |s| s.initial_key == InitialKey::MelderScore && s.score_unit != ScoreUnit::Seat,
    },
    Forbidden {
        detail: "NOBODY_TO_ASK",
        knobs: &["ask", "side_formation", "seats", "side_count"],
        broken: |s| s.ask != Ask::Off && s.side_formation == SideFormation::Fixed && s.seats == s.side_count,
    },
    // 6
    Forbidden {
        detail: "DECK_TOO_SMALL",
        knobs: &["packs", "jokers", "seats", "hand_size", "foot_size", "talons"],
        broken: |s| s.cards_needed() > s.deck_size(),
    },
    // 7
    Forbidden {
        detail: "TALON_COUNT",
        knobs: &["talons", "side_count"],
        broken: |s| !s.talons.is_empty() && s.talons.len() != usize::from(s.side_count),
    },
    Forbidden {
        detail: "TALONS_WITH_FOOT",
        knobs: &["talons", "foot_size"],
        broken: |s| !s.talons.is_empty() && s.foot_size > 0,
    },
    Forbidden {
        detail: "SPECIAL_HAND_SIZE",
        knobs: &["special_hands", "hand_size", "draw_count"],
        broken: |s| !s.special_hands.is_empty() && (s.hand_size, s.draw_count) != (13, 1),
    },
    // 8, besides what IDLE lists
    Forbidden {
        detail: "NO_EFFECT",
        knobs: &["penalty_incomplete", "wild_melds"],
        broken: |s| s.penalty_incomplete.wild().is_some() && !s.wild_melds,
    },
    Forbidden {
        detail: "NO_EFFECT",
        knobs: &["merge", "sequences"],
        broken: |s| s.merge == Merge::SetsAndSequences && !s.sequences,
    },
    Forbidden {
        detail: "MERGE_NEEDS_MANY",
        knobs: &["merge", "melds_per_rank"],
        broken: |s| s.merge != Merge::None && s.melds_per_rank != MeldsPerRank::Many,
    },
    // 9
    Forbidden {
        detail: "CANASTA_IMPOSSIBLE",
        knobs: &["meld_max", "canasta_size"],
        broken: |s| s.meld_max > 0 && s.meld_max < s.canasta_size,
    },
    Forbidden {
        detail: "CANASTA_IMPOSSIBLE",
        knobs: &["wild_meld_max", "canasta_size"],
        broken: |s| s.wild_meld_max > 0 && s.wild_meld_max < s.canasta_size,
    },
    Forbidden {
        detail: "SEQUENCE_IMPOSSIBLE",
        knobs: &["sequence_max", "meld_min"],
        broken: |s| s.sequences && s.sequence_max < s.meld_min,
    },
    Forbidden {
        detail: "SEQUENCE_NOT_CLOSED",
        knobs: &["sequences", "canasta_accepts"],
        broken: |s| s.sequences && s.canasta_accepts == CanastaAccepts::All,
    },
    // 10
    Forbidden {
        detail: "FORCED_AFTER_END",
        knobs: &["stock_out", "forced_take"],
        broken: |s| s.stock_out == StockOut::FinishTurn && s.forced_take != ForcedTake::Off,
    },
    // 11
    Forbidden { detail: "NO_END", knobs: &["target", "rounds"], broken: |s| s.target == 0 && s.rounds == 0 },
    Forbidden {
        detail: "TOO_FEW_BANDS",
        knobs: &["initial_key", "initial_bands", "rounds"],
        broken: |s| {
            let by_round = s.initial_key == InitialKey::Round;
            by_round && s.initial_bands.minimums().len() < usize::from(s.rounds)
        },
    },
    Forbidden {
        detail: "BANDS_OF_OTHER_KEY",
        knobs: &["initial_key", "initial_bands"],
        broken: |s| (s.initial_key == InitialKey::Round) != matches!(s.initial_bands, Bands::ByRound(_)),
    },
    Forbidden {
        detail: "BANDS_NOT_ASCENDING",
        knobs: &["initial_bands"],
        broken: |s| !bands_ascend(&s.initial_bands),
    },
    // 12
    Forbidden {
        detail: "PORTION_CONFLICT",
        knobs: &["pile_portion", "pile_steps"],
        broken: |s| s.pile_portion > 0 && s.pile_steps == PileSteps::Two,
    },
    Forbidden {
        detail: "PORTION_CONFLICT",
        knobs: &["pile_portion", "forced_take"],
        broken: |s| s.pile_portion > 0 && s.forced_take != ForcedTake::Off,
    },
    Forbidden {
        detail: "CANASTA_CLOSED_TO_WILDS",
        knobs: &["canasta_accepts", "wild_cap_scope"],
        broken: |s| {
            s.canasta_accepts == CanastaAccepts::Naturals && s.wild_cap_scope == WildCapScope::ToCanasta
        },
    },
    // Clarification 6
    Forbidden {
        detail: "ASK_UNCHECKED",
        knobs: &["ask", "ask_check"],
        broken: |s| s.ask == Ask::Binding && s.ask_check == AskCheck::None,
    },
];

/// Where model 5.2 has a dash, and the knobs of combinations 2, 3 and 8 that need another.
pub(super) const IDLE: &[Idle] = &[
    Idle {
        knobs: &["start_cover", "start_freezes"],
        because: &["start_card"],
        without_effect: |s| s.start_card == StartCard::None,
    },
    Idle { knobs: &["cut_ways"], because: &["cut_bonus"], without_effect: |s| s.cut_bonus == 0 },
    Idle {
        knobs: &["talon_award", "talon_with_pile", "talon_expires"],
        because: &["talons"],
        without_effect: |s| s.talons.is_empty(),
    },
    Idle {
        knobs: &["pile_restore"],
        because: &["pile_steps"],
        without_effect: |s| s.pile_steps == PileSteps::One,
    },
    Idle { knobs: &["restore_penalty"], because: &["pile_restore"], without_effect: |s| !s.pile_restore },
    Idle {
        knobs: &["sequence_max", "go_out_sequence", "bonus_sequence"],
        because: &["sequences"],
        without_effect: |s| !s.sequences,
    },
    Idle {
        knobs: &[
            "wild_top",
            "wild_meld_max",
            "wild_lock",
            "go_out_wild",
            "bonus_wild",
            "bonus_wild_twos",
            "bonus_wild_jokers",
        ],
        because: &["wild_melds"],
        without_effect: |s| !s.wild_melds,
    },
    Idle {
        knobs: &["threes_window", "threes_keep", "late_three_replaced"],
        because: &["threes_dealt", "threes_drawn", "foot_threes"],
        without_effect: |s| !s.lays_threes_by_choice(),
    },
    Idle { knobs: &["foot_threes"], because: &["foot_size"], without_effect: |s| s.foot_size == 0 },
    Idle {
        knobs: &["held_three_red"],
        because: &["threes_dealt", "threes_drawn", "foot_size"],
        without_effect: |s| !s.lays_threes_by_choice() && s.foot_size == 0,
    },
    Idle {
        knobs: &["ask_whom", "ask_window", "ask_limit", "ask_check"],
        because: &["ask"],
        without_effect: |s| s.ask == Ask::Off,
    },
    Idle {
        knobs: &["special_scores", "pairs_wilds", "garbage_shape", "special_distinct"],
        because: &["special_hands"],
        without_effect: |s| s.special_hands.is_empty(),
    },
];
