//! The combinations of knobs that no game can have (model 5.4), in the rulebook's order.

use super::knobs::*;
use super::{Bands, RuleSet};
use crate::card::Class;

/// A contradiction between knobs.
pub(super) struct Forbidden {
    /// The stable name of the contradiction.
    pub(super) detail: &'static str,
    /// The knobs concerned.
    pub(super) knobs: &'static [&'static str],
    /// The text that says what contradicts what.
    pub(super) why: &'static str,
    /// The test whether a rule set has the contradiction.
    pub(super) broken: fn(&RuleSet) -> bool,
}

/// Knobs that must hold their default because they would have no effect.
pub(super) struct Idle {
    /// The knobs.
    pub(super) knobs: &'static [&'static str],
    /// The knobs that take away the effect.
    pub(super) because: &'static [&'static str],
    /// The test whether the knobs of `because` take away the effect.
    pub(super) without_effect: fn(&RuleSet) -> bool,
}

/// The numbered combinations of model 5.4, the combinations that the clarifications add to them, and at the end
/// combinations without a number that no game can mean either. The table of knobs judges points that are not
/// multiples of 5 (combination 11).
pub(super) const FORBIDDEN: &[Forbidden] = &[
    // 1: the top could fit no meld although the pile is open (CV-005).
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
        why: "the top may fit no meld although the pile is open: a canasta of its rank takes neither the top alone nor another wild",
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
        why: "what was laid wrongly stays for ever, and the top that was put back with it",
        broken: |s| s.meld_check == MeldCheck::AtDiscard && !s.undo_meld && s.pile_restore,
    },
    // Even without `pile_restore`, cards that were laid wrongly would stay.
    Forbidden {
        detail: "NO_WAY_BACK",
        knobs: &["meld_check", "undo_meld"],
        why: "what was laid wrongly is tested at the discard, and cannot be taken back before it",
        broken: |s| s.meld_check == MeldCheck::AtDiscard && !s.undo_meld && !s.pile_restore,
    },
    Forbidden {
        detail: "NO_WAY_BACK",
        knobs: &["pile_steps", "pile_restore"],
        why: "a top that fits nowhere could not be put back",
        broken: |s| s.pile_steps == PileSteps::Two && !s.pile_restore,
    },
    Forbidden {
        detail: "NO_WAY_BACK",
        knobs: &["pile_steps", "pass_discard"],
        why: "a last card that is needed to go out, and may not, could not be kept",
        broken: |s| s.pile_steps == PileSteps::Two && !s.pass_discard,
    },
    Forbidden {
        detail: "NO_WAY_BACK",
        knobs: &["pile_steps", "meld_check", "undo_meld"],
        why: "cards laid beside a pending top could not be taken back",
        broken: |s| s.pile_steps == PileSteps::Two && s.meld_check == MeldCheck::Immediate && !s.undo_meld,
    },
    // 3: red threes are discarded only where they can be held.
    Forbidden {
        detail: "RED_THREES_NOT_HELD",
        knobs: &["discard_freezes", "threes_drawn"],
        why: "a red three that is laid as it comes is never discarded",
        broken: |s| s.discard_freezes.contains(Class::RedThree) && s.threes_drawn == ThreesDrawn::Auto,
    },
    Forbidden {
        detail: "RED_THREES_NOT_HELD",
        knobs: &["discard_threes", "threes_drawn"],
        why: "a red three that is laid as it comes is never discarded",
        broken: |s| s.discard_threes == DiscardThrees::Any && s.threes_drawn == ThreesDrawn::Auto,
    },
    // Black threes could be neither laid nor discarded: a hand of black threes could never end a turn.
    Forbidden {
        detail: "BLACK_THREES_STUCK",
        knobs: &["discard_threes", "laid_threes"],
        why: "black threes are neither laid nor discarded: a hand of them has no way to end a turn",
        broken: |s| s.discard_threes == DiscardThrees::FinalOnly && s.laid_threes == LaidThrees::Red,
    },
    Forbidden {
        detail: "NO_STRAIGHT",
        knobs: &["threes_keep", "special_hands"],
        why: "a three is kept for a straight, and there are no straights",
        broken: |s| {
            s.threes_keep == ThreesKeep::StraightOnly && !s.special_hands.contains(SpecialHand::Straight)
        },
    },
    // 4
    Forbidden {
        detail: "PASS_CONFLICT",
        knobs: &["pass_discard", "foot_size"],
        why: "who plays the last card of the hand goes on with the foot: there is no card to keep",
        broken: |s| s.pass_discard && s.foot_size > 0,
    },
    Forbidden {
        detail: "PASS_CONFLICT",
        knobs: &["pass_discard", "final_discard"],
        why: "who must discard to go out cannot keep the last card instead",
        broken: |s| s.pass_discard && s.final_discard == FinalDiscard::Required,
    },
    // 5
    Forbidden {
        detail: "UNEVEN_SIDES",
        knobs: &["seats", "side_count"],
        why: "every side has as many seats as the others",
        broken: |s| s.seats.checked_rem(s.side_count) != Some(0),
    },
    Forbidden {
        detail: "LONE_TAKER_SIDES",
        knobs: &["side_formation", "seats", "side_count"],
        why: "one plays against two: three seats, each a side until then",
        broken: |s| s.side_formation == SideFormation::LoneTaker && (s.seats, s.side_count) != (3, 3),
    },
    Forbidden {
        detail: "MELDER_WITHOUT_SCORE",
        knobs: &["initial_key", "score_unit"],
        why: "the melder's own total is asked for, and totals are kept by side",
        broken: |s| s.initial_key == InitialKey::MelderScore && s.score_unit != ScoreUnit::Seat,
    },
    Forbidden {
        detail: "NOBODY_TO_ASK",
        knobs: &["ask", "side_formation", "seats", "side_count"],
        why: "there is no mate to ask",
        broken: |s| s.ask != Ask::Off && s.side_formation == SideFormation::Fixed && s.seats == s.side_count,
    },
    // 6
    Forbidden {
        detail: "DECK_TOO_SMALL",
        knobs: &["packs", "jokers", "seats", "hand_size", "foot_size", "talons"],
        why: "the hands, feet, talons, wilds, red threes and a card more are more than the pack has",
        broken: |s| s.cards_needed() > s.deck_size(),
    },
    // 7
    Forbidden {
        detail: "TALON_COUNT",
        knobs: &["talons", "side_count"],
        why: "every side has one talon",
        broken: |s| !s.talons.is_empty() && s.talons.len() != usize::from(s.side_count),
    },
    Forbidden {
        detail: "TALONS_WITH_FOOT",
        knobs: &["talons", "foot_size"],
        why: "a seat has a talon or a foot to come",
        broken: |s| !s.talons.is_empty() && s.foot_size > 0,
    },
    Forbidden {
        detail: "SPECIAL_HAND_SIZE",
        knobs: &["special_hands", "hand_size", "draw_count"],
        why: "a special hand is 14 cards: 13 that are dealt and one that is drawn",
        broken: |s| !s.special_hands.is_empty() && (s.hand_size, s.draw_count) != (13, 1),
    },
    // 8, except the combinations that IDLE lists
    Forbidden {
        detail: "NO_EFFECT",
        knobs: &["penalty_incomplete", "wild_melds"],
        why: "there are no wild melds to be incomplete",
        broken: |s| s.penalty_incomplete.wild().is_some() && !s.wild_melds,
    },
    Forbidden {
        detail: "NO_EFFECT",
        knobs: &["merge", "sequences"],
        why: "there are no sequences to merge",
        broken: |s| s.merge == Merge::SetsAndSequences && !s.sequences,
    },
    Forbidden {
        detail: "MERGE_NEEDS_MANY",
        knobs: &["merge", "melds_per_rank"],
        why: "two melds of a rank are merged, and no side has two",
        broken: |s| s.merge != Merge::None && s.melds_per_rank != MeldsPerRank::Many,
    },
    // 9
    Forbidden {
        detail: "CANASTA_IMPOSSIBLE",
        knobs: &["meld_max", "canasta_size"],
        why: "no set grows to a canasta",
        broken: |s| s.meld_max > 0 && s.meld_max < s.canasta_size,
    },
    Forbidden {
        detail: "CANASTA_IMPOSSIBLE",
        knobs: &["wild_meld_max", "canasta_size"],
        why: "no wild meld grows to a canasta",
        broken: |s| s.wild_meld_max > 0 && s.wild_meld_max < s.canasta_size,
    },
    Forbidden {
        detail: "SEQUENCE_IMPOSSIBLE",
        knobs: &["sequence_max", "meld_min"],
        why: "the longest sequence is shorter than the smallest meld",
        broken: |s| s.sequences && s.sequence_max < s.meld_min,
    },
    Forbidden {
        detail: "SEQUENCE_NOT_CLOSED",
        knobs: &["sequences", "canasta_accepts"],
        why: "a complete sequence takes nothing, a complete set would take wilds",
        broken: |s| s.sequences && s.canasta_accepts == CanastaAccepts::All,
    },
    // 10
    Forbidden {
        detail: "FORCED_AFTER_END",
        knobs: &["stock_out", "forced_take"],
        why: "the round ends with the turn of the last drawer: nobody is left to be forced",
        broken: |s| s.stock_out == StockOut::FinishTurn && s.forced_take != ForcedTake::Off,
    },
    // 11
    Forbidden {
        detail: "NO_END",
        knobs: &["target", "rounds"],
        why: "no total and no number of rounds ends the game",
        broken: |s| s.target == 0 && s.rounds == 0,
    },
    // Mates share every line of their side's score sheet.
    Forbidden {
        detail: "NO_END",
        knobs: &["tie", "score_unit", "side_count"],
        why: "mates whose seats are scored alone always tie, and a tie is played on",
        broken: |s| {
            let mates = s.side_formation == SideFormation::Fixed && s.side_count < s.seats;
            s.tie == Tie::PlayOn && s.score_unit == ScoreUnit::Seat && mates
        },
    },
    Forbidden {
        detail: "TOO_FEW_BANDS",
        knobs: &["initial_key", "initial_bands", "rounds"],
        why: "some round has no minimum",
        broken: |s| {
            let by_round = s.initial_key == InitialKey::Round;
            by_round && s.initial_bands.minimums().len() < usize::from(s.rounds)
        },
    },
    Forbidden {
        detail: "BANDS_OF_OTHER_KEY",
        knobs: &["initial_key", "initial_bands"],
        why: "the minimums are by round and the key is a score, or the other way round",
        broken: |s| (s.initial_key == InitialKey::Round) != matches!(s.initial_bands, Bands::ByRound(_)),
    },
    Forbidden {
        detail: "BANDS_NOT_ASCENDING",
        knobs: &["initial_bands"],
        why: "bounds and minimums ascend, and the last has no bound",
        broken: |s| !s.initial_bands.ascend(),
    },
    // 12
    Forbidden {
        detail: "PORTION_CONFLICT",
        knobs: &["pile_portion", "pile_steps"],
        why: "a part of the pile is handed over, and the top alone is taken first",
        broken: |s| s.pile_portion > 0 && s.pile_steps == PileSteps::Two,
    },
    Forbidden {
        detail: "PORTION_CONFLICT",
        knobs: &["pile_portion", "forced_take"],
        why: "a part of the pile is handed over, and the duty is to take it",
        broken: |s| s.pile_portion > 0 && s.forced_take != ForcedTake::Off,
    },
    Forbidden {
        detail: "CANASTA_CLOSED_TO_WILDS",
        knobs: &["canasta_accepts", "wild_cap_scope"],
        why: "the cap is lifted beyond a canasta, which takes no wild",
        broken: |s| {
            s.canasta_accepts == CanastaAccepts::Naturals && s.wild_cap_scope == WildCapScope::ToCanasta
        },
    },
    // Clarification 6
    Forbidden {
        detail: "ASK_UNCHECKED",
        knobs: &["ask", "ask_check"],
        why: "the answer binds whoever can go out, and nobody looks whether the asker can",
        broken: |s| s.ask == Ask::Binding && s.ask_check == AskCheck::None,
    },
    // ALG-27 divides the drawn cards into two halves.
    Forbidden {
        detail: "HALVES_ARE_TWO",
        knobs: &["side_choice", "side_count"],
        why: "the higher and the lower half of the drawn cards are two sides",
        broken: |s| s.side_choice == SideChoice::DrawnCards && s.side_count != 2,
    },
    Forbidden {
        detail: "DRAW_UNRANKED",
        knobs: &["draw_ranking", "side_choice", "first_dealer"],
        why: "cards are drawn for sides or the deal, and nothing says which card is higher",
        broken: |s| s.draw_ranking == DrawRanking::None && s.draws_cards(),
    },
    Forbidden {
        detail: "PAIR_WITHOUT_SCORE",
        knobs: &["side_formation", "score_unit"],
        why: "who plays with whom changes from round to round: a side has no total of its own",
        broken: |s| s.side_formation == SideFormation::LoneTaker && s.score_unit != ScoreUnit::Seat,
    },
    Forbidden {
        detail: "FOOT_THREES_UNTOLD",
        knobs: &["foot_threes", "threes_drawn", "late_three_replaced"],
        why: "threes of the foot are never replaced and drawn ones always, and nothing tells them apart in the hand",
        broken: |s| {
            s.foot_size > 0
                && s.foot_threes == FootThrees::Choice
                && s.threes_drawn == ThreesDrawn::Choice
                && s.late_three_replaced
        },
    },
];

/// The knobs for which model 5.2 has a dash, and the knobs of combinations 2, 3 and 8 that need another knob.
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
