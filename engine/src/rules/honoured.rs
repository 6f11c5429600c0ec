//! Values that no code plays yet. A knob without a line here is played in all its values.

use super::RuleSet;
use super::knobs::*;
use crate::card::Rank;
use crate::state::MAX_MELDS;

/// Whether the engine plays the value that a rule set has for a knob.
type IsHonoured = fn(&RuleSet) -> bool;

/// The knobs of which only some values are played, in the order of the table of knobs. To honour
/// a value, widen its line; when all are played, delete it.
pub(super) const HONOURED: &[(&str, IsHonoured)] = &[
    // The pair's totals would have no place of their own.
    ("side_formation", |s| s.side_formation == SideFormation::Fixed || s.score_unit == ScoreUnit::Seat),
    // HF-020: the higher half is one of two sides.
    ("side_choice", |s| s.side_choice == SideChoice::Given || s.side_count == 2),
    ("draw_ranking", |s| s.draw_ranking != DrawRanking::None || !s.draws_cards()),
    // Who of a side would lead is not said.
    ("next_dealer", |s| {
        matches!(s.next_dealer, NextDealer::Left | NextDealer::Random) || s.seats == s.side_count
    }),
    // Threes of the foot are told from others by not being drawn ones.
    ("foot_size", |s| s.foot_size == 0 || s.threes_drawn == ThreesDrawn::Auto),
    ("undo_meld", |s| !s.undo_meld || plays_loose(s)),
    ("courtesy", |s| s.courtesy == Courtesy::Off || plays_courtesy(s)),
    // Where the top is taken tentatively, nothing says what a sequence does with it.
    ("sequences", |s| {
        !s.sequences || (s.pile_steps == PileSteps::One && s.meld_check == MeldCheck::Immediate)
    }),
    ("last_three", |s| s.last_three != LastThree::MeldNoDiscard || !s.lays_threes_by_choice()),
    ("pass_discard", |s| !s.pass_discard || s.ask == Ask::Off),
    ("forced_take", |s| s.forced_take != ForcedTake::AnyLegal || finds_any_take(s)),
    ("wild_value", |s| s.wild_value == WildValue::Own || bounds_substituted(s)),
];

/// What is laid and may return is played by single seats with sets alone, whose melds no rule closes: of the
/// others it is not said what taking back does to them. Every card may be a meld of its own until it is tested.
fn plays_loose(s: &RuleSet) -> bool {
    let alone = s.seats == s.side_count && s.side_formation == SideFormation::Fixed && s.ask == Ask::Off;
    let sets = s.melds_per_rank == MeldsPerRank::One
        && !s.sequences
        && s.canasta_accepts == CanastaAccepts::All
        && s.rank_wilds.is_empty()
        && !s.wild_lock
        && !s.overfill_out;
    let takes = s.take_layoff == TakeLayoff::Any
        && s.take_canasta_rank == TakeCanastaRank::Allow
        && s.frozen_take == FrozenTake::Pair
        && s.wild_top == WildTop::Blocked
        && s.pile_unopened != PileUnopened::Closed;
    let initial = s.initial_content == InitialContent::None
        && s.initial_count != InitialCount::HandMelds
        && !s.initial_exempt.contains(Exempt::Splash);
    let turn = s.opp_canasta_rank == OppCanastaRank::Allow
        && s.final_discard == FinalDiscard::Optional
        && s.threes_window == ThreesWindow::AnyTime
        && s.stock_out == StockOut::PlayOn
        && (s.last_three == LastThree::GoOn
            || s.last_three == LastThree::EndRound && s.threes_drawn == ThreesDrawn::Auto);
    let one_hand =
        discards_freely(s) && s.foot_size == 0 && s.talons.is_empty() && s.special_hands.is_empty();
    alone && sets && takes && initial && turn && one_hand && s.deck_size() <= MAX_MELDS as u32
}

/// Melding after the discard (AMB-HF-14) changes nothing that a turn under way relies on: a mate's melds only help,
/// nothing that is laid in a turn decides about points, and no rule closes what a hand could still do.
fn plays_courtesy(s: &RuleSet) -> bool {
    let helps = s.opp_canasta_rank == OppCanastaRank::Allow
        && s.go_out_bars.is_empty()
        && (s.go_out_clean == 0 || s.canasta_accepts == CanastaAccepts::Naturals)
        && !s.wild_lock
        && s.rank_wilds.is_empty()
        && !s.overfill_out;
    let turn = s.meld_check == MeldCheck::Immediate
        && !s.undo_meld
        && !s.pass_discard
        && s.last_three != LastThree::MeldNoDiscard
        && s.side_formation == SideFormation::Fixed
        && s.bonus_concealed == 0
        && s.initial_exempt.is_empty();
    helps && turn && discards_freely(s) && s.talons.is_empty() && s.special_hands.is_empty()
}

/// Whether the search for any legal take knows the rule set's ways to meld.
fn finds_any_take(s: &RuleSet) -> bool {
    s.melds_per_rank == MeldsPerRank::One
        && s.initial_count != InitialCount::HandMelds
        && s.initial_content == InitialContent::None
        && !s.initial_bonus
        && s.rank_wilds.is_empty()
        && s.wild_top == WildTop::Blocked
        && s.pile_steps == PileSteps::One
        && s.foot_size == 0
        && discards_freely(s)
        && s.wild_add_base <= s.min_naturals
        && !(s.wild_lock || s.sequences || s.overfill_out)
}

/// Whether every hand of two cards has a discard, but for red threes.
fn discards_freely(s: &RuleSet) -> bool {
    s.discard_wilds == DiscardWilds::Any && s.discard_threes != DiscardThrees::FinalOnly
}

/// Whether a wild in a set is worth its own value at most and lies nowhere else: the searches for initial melds
/// rely on it.
fn bounds_substituted(s: &RuleSet) -> bool {
    let own = s.card_points.of_rank(Rank::Two).min(s.card_points.of_rank(Rank::Joker));
    Rank::NATURAL.into_iter().all(|rank| s.card_points.of_rank(rank) <= own)
        && s.meld_check == MeldCheck::Immediate
        && !(s.wild_melds || s.sequences)
}
