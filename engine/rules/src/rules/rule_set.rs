//! The 128 knobs of a rule set, in the order of the rulebook's table.

use alloc::vec::Vec;

use super::knobs::*;
use super::table::{KNOBS, Knob};
use super::values::*;
use crate::card::{Card, Cards};
use crate::seat::{Seat, Side};

/// Every rule of a game as data. Any combination of knobs can be written down. Only a combination that
/// [`RuleSet::validate`] accepts can be played.
///
/// `Default` gives each knob the value that an absent knob has in the canonical form: the first listed value, 0,
/// none, or no. These values do not make a game: start from a preset.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RuleSet {
    // Seats
    /// Players; 2 to 6 (CL-006, P6-001, WH-001..003, HF-002, SA-002..003, MZ-004).
    pub seats: u8,
    /// Sides; the side of seat i is i mod `side_count`, so mates are never neighbours; 2 to 6 (CL-006, P6-003, WH-002, HF-003, MA-002).
    pub side_count: u8,
    /// Formation of the sides: fixed, or 1 v 2 once a seat takes the pile (ALG-22) (P3-003..007).
    pub side_formation: SideFormation,
    /// Way in which partners are found before round 1 (HF-004, HF-019..022, SA-009).
    pub side_choice: SideChoice,
    /// First dealer of the game (CL-007, WH-010, HF-023, GR-003, SA-009).
    pub first_dealer: FirstDealer,
    /// Card order used by draws (ALG-27) (HF-015..018, AMB-GR-14, SA-009).
    pub draw_ranking: DrawRanking,
    /// Dealer of later rounds; the seat at the dealer's left always has the first turn (CL-007, MA-017, HN-009, HF-036, MZ-007).
    pub next_dealer: NextDealer,
    // Deck and deal
    /// 52-card packs: copies of each card; the largest black-three meld is 2 x packs; 1 to 6 (CL-001, P6-002, HF-010, SA-001, MZ-001).
    pub packs: u8,
    /// Jokers in all; 0 to 12 (CL-001, P6-002, HF-010, SA-001, MZ-001).
    pub jokers: u8,
    /// Cards dealt to each seat; 1 to 60 (CL-009, P2-002, P3-001, P6-004, MA-011, HN-004, WH-012, HF-024, SA-006, MZ-005).
    pub hand_size: u8,
    /// Cards of the second hand, face down (ALG-21); 0 to 60, 0 = no foot (HF-001, HF-028).
    pub foot_size: u8,
    /// Upcard that is turned to start the pile: one or none (CL-011, MA-014, S3-003, MZ-006).
    pub start_card: StartCard,
    /// Upcards that are covered by another upcard (CL-012, S3-003, GR-034..036, HF-034, SAD-01).
    pub start_cover: Classes,
    /// Cards turned at the start that freeze the pile (CL-012, HN-034..035, WH-015, S3-028, GR-036, AMB-HF-06).
    pub start_freezes: Classes,
    /// Discards that freeze the pile (CL-050, HN-034..035, S3-014, GR-031, HF-076, AC-35).
    pub discard_freezes: Classes,
    /// Points to the dealer's side for an exact cut of the hands (WH-013, WH-094, HF-025).
    pub cut_bonus: i32,
    /// Numbers of cards that make a cut of the hands exact (WH-013, HF-025, AMB-WH-02).
    pub cut_ways: CutWays,
    /// Points to the dealer's side for an exact cut of the feet (HF-027, AMB-HF-04).
    pub foot_cut_bonus: i32,
    /// Cards of the talons, for the first, second ... side to meld (ALG-20); each 1 to 60; empty = none (MA-012, MA-111).
    pub talons: Vec<u8>,
    /// Way in which a talon is awarded: at once, or by an action in time (MA-110, IR-060).
    pub talon_award: TalonAward,
    /// Whether a talon is also awarded if the pile was taken with the initial meld (AC-12, IR-062).
    pub talon_with_pile: bool,
    /// Size of the stock from which on no talon is awarded; 0 to 60, 0 = never (IR-061, AC-70).
    pub talon_expires: u8,
    /// Stock size at a marker, for display only; 0 to 60, 0 = none (MA-015, AC-70).
    pub stock_marker: u8,
    // Turn
    /// Cards drawn by a `draw_stock` (fewer if the stock is short); 1 to 10 (CL-016, P2-003, P3-002, HF-042, SA-015).
    pub draw_count: u8,
    /// Time at which shape and minimum of melds are tested (ALG-07) (HN-015, AMB-HN-07).
    pub meld_check: MeldCheck,
    /// Whether cards placed this turn may return to the hand (HN-013).
    pub undo_meld: bool,
    /// Melding after the own discard (HF-073, AMB-HF-14).
    pub courtesy: Courtesy,
    // Pile
    /// Steps of taking the pile: one, or two with `take_top` and `restore_pile` (HN-039, HN-068, AMB-HN-08).
    pub pile_steps: PileSteps,
    /// Whether a tentatively taken top may go back to the pile (HN-039).
    pub pile_restore: bool,
    /// Cards received from the pile, including the top; 0 to 60, 0 = the whole pile (CL-042, HF-044).
    pub pile_portion: u8,
    /// Taking an open pile with one natural and one wild card (CL-045, CV-002, MA-060, SA-041, HF-046).
    pub take_natural_wild: TakeNaturalWild,
    /// Taking an open pile by adding the top to an own meld (set or sequence) (CL-046, CV-001, S3-007, SA-042..045, MA-060).
    pub take_layoff: TakeLayoff,
    /// Taking an open pile whose top has the rank of an own canasta (CV-008..009).
    pub take_canasta_rank: TakeCanastaRank,
    /// Largest meld that a pair and the top may make; 0 to 60, 0 = no limit (SA-040, SAD-06).
    pub take_result_max: u8,
    /// Taking the pile when its top is a wild card (a three on top always blocks) (CL-047, HF-050, BO-007).
    pub wild_top: WildTop,
    /// State of the pile for a side that has not melded (CL-052, MV-004, WH-076, AMB-HN-04, AMB-GR-05).
    pub pile_unopened: PileUnopened,
    /// Whether the pile is frozen at all times (CV-011, SAD-05).
    pub frozen_always: bool,
    /// Ways to take a frozen pile (CL-053, AMB-GR-04).
    pub frozen_take: FrozenTake,
    /// Taking a one-card pile with a one-card hand (AMB-11, HN-045, SA-019).
    pub one_card_pile: OneCardPile,
    /// Cards under the top that may be looked at (IR-014, AC-39).
    pub pile_look: PileLook,
    // Melds
    /// Smallest meld; 2 to 14 (CL-023, MA-040).
    pub meld_min: u8,
    /// Largest set; 0 to 60, 0 = no limit (CL-030, MA-055, MA-065).
    pub meld_max: u8,
    /// Cards of a canasta; 2 to 14 (CL-031, MZ-013).
    pub canasta_size: u8,
    /// Cards that a completed set or wild canasta still takes (CL-034..035, HF-068..069, SA-024..025, MZ-022).
    pub canasta_accepts: CanastaAccepts,
    /// Fewest naturals in every set; 1 to 14 (CL-028, WH-048).
    pub min_naturals: u8,
    /// Most wilds in a set; 0 to 60, 0 = no cap (CL-032, MA-042, HF-057, SA-021).
    pub max_wilds: u8,
    /// Limit of wild cards relative to the naturals of a set (HN-027, WH-042, S3-012, GR-016).
    pub wild_ratio: WildRatio,
    /// Sets in which `max_wilds` holds: all, or those of up to `canasta_size` cards (CV-007, AMB-55).
    pub wild_cap_scope: WildCapScope,
    /// Naturals needed before a wild may be added later; 0 to 14 (IR-063).
    pub wild_add_base: u8,
    /// Ranks with a wild card policy of their own (ALG-11) (MA-045..051).
    pub rank_wilds: RankMap<RankWilds>,
    /// Sets of one rank that a side may have (CL-038, CV-006, HF-070..071, SA-026).
    pub melds_per_rank: MeldsPerRank,
    /// Melds that `merge_melds` may merge (SA-036, SAD-08).
    pub merge: Merge,
    /// Whether sequences may be melded (ALG-09) (SA-030..035, US-004, MZ-024).
    pub sequences: bool,
    /// Cards of a full sequence (samba, escalera), which is closed; 0 to 11, 0 = no sequences (SA-033..034).
    pub sequence_max: u8,
    /// Whether melds of wilds only are allowed (CL-037, CV-012, MA-052, HF-058, BO-002, AMB-HN-06).
    pub wild_melds: bool,
    /// Largest wild meld; 0 to 60, 0 = no limit (MA-052, BO-003, AMB-50).
    pub wild_meld_max: u8,
    /// Whether wild cards may go to no other meld while an own wild meld is incomplete (ALG-10) (CV-015, MA-053, BO-004).
    pub wild_lock: bool,
    /// Beginning a meld in a rank of which opponents own a canasta (CL-040, MA-058, MV-005).
    pub opp_canasta_rank: OppCanastaRank,
    /// Whether size and wild limits are lifted in the turn of going out (US-003, AC-72).
    pub overfill_out: bool,
    // Initial meld
    /// Total or round that selects the minimum of the initial meld (CL-058, P3-013, HF-067, TF-003).
    pub initial_key: InitialKey,
    /// Minimum of the initial meld by score or by round (CL-058, P6-010, MA-092, HN-063, WH-053, S3-025, GR-030, HF-067, SA-055, BO-009, MZ-025).
    pub initial_bands: Bands,
    /// Cards that count towards the minimum in a take by an unopened side (ALG-12) (CL-063, MA-098..102, HN-067, HF-049).
    pub initial_count: InitialCount,
    /// Whether canasta bonuses count towards the minimum (CL-066, HN-066).
    pub initial_bonus: bool,
    /// A meld the initial batch must hold (MA-095, MV-003, HF-066).
    pub initial_content: InitialContent,
    /// Batches that need no minimum (CL-068, HN-043, WH-079, MA-103, AMB-S3-10, AMB-GR-15).
    pub initial_exempt: Exempts,
    // Threes
    /// Threes that are laid as bonus cards (CL-069, MA-030).
    pub laid_threes: LaidThrees,
    /// Laying threes of the dealt hand: at once or by choice (CL-013, MA-030, HN-030, HF-039).
    pub threes_dealt: ThreesDealt,
    /// Laying threes from the stock: at once or by choice (CL-069, MA-033..035, HF-043, AMB-HN-02).
    pub threes_drawn: ThreesDrawn,
    /// Times at which a three may be laid by choice (AC-03, AMB-HF-08, AMB-HN-02).
    pub threes_window: ThreesWindow,
    /// Threes that may be kept in hand where laying is a choice (MA-034, AC-02).
    pub threes_keep: ThreesKeep,
    /// Whether a three laid later than possible is still replaced (IR-041..042).
    pub late_three_replaced: bool,
    /// Whether red threes of a taken pile are replaced (CL-072, AMB-HF-10, AMB-S3-07).
    pub pile_threes_replaced: bool,
    /// Laying bonus threes of the foot (never replaced): at once or by choice (HF-079..080).
    pub foot_threes: FootThrees,
    /// Consequence of laying a three that the stock cannot replace (CL-093, MA-038, WH-087, AMB-HN-18, AMB-HF-30).
    pub last_three: LastThree,
    /// Melding black threes: never, when going out, or as the last meld when going out (CL-075..077, HN-032..033, HF-096, MA-006, MZ-027).
    pub black_three_meld: BlackThreeMeld,
    /// Points off for each red three left in hand or foot (HF-094, MA-176, AMB-HN-02, IR-040).
    pub held_three_red: i32,
    /// Points off for each black three left in hand (CL-107, HF-098, BO-011).
    pub held_three_black: i32,
    /// Sides whose held threes enter the three table instead of costing points (MA-144, AC-04).
    pub held_threes_as_laid: HeldThreesAsLaid,
    // Discard
    /// Threes that may be discarded (MA-080, HN-035, HF-075, CL-021).
    pub discard_threes: DiscardThrees,
    /// Wild cards that may be discarded, besides the final discard (CL-021, MA-083..085, AC-41).
    pub discard_wilds: DiscardWilds,
    /// Ranks not discarded onto an empty pile while another natural is held (MA-081).
    pub empty_pile_barred: Ranks,
    /// Discarding safe cards onto an empty pile (MV-002).
    pub empty_pile_safe: EmptyPileSafe,
    /// Whether opponents may call for proof of an exceptional discard (MA-082, MA-086).
    pub reveal: bool,
    // Going out
    /// Canastas of any kind needed to go out; 0 to 14 (CL-079, P2-004, P6-007, ML-005, MA-121, HN-022, SA-060, MZ-014).
    pub go_out_total: u8,
    /// Of the canastas needed, those without wilds; 0 to 14 (ML-006, HF-083).
    pub go_out_clean: u8,
    /// Of the canastas needed, wild ones; 0 to 14 (HF-084).
    pub go_out_wild: u8,
    /// Of the canastas needed, sequences; 0 to 14 (BO-010).
    pub go_out_sequence: u8,
    /// Whether every mate must have finished the hand (HF-082).
    pub go_out_hands_finished: bool,
    /// Incomplete melds that bar going out (MV-001).
    pub go_out_bars: GoOutBars,
    /// Rule for the last card when going out: discarded or optional (CL-080, MA-123, HF-085, SA-061).
    pub final_discard: FinalDiscard,
    /// Whether the final discard is hidden from views (MA-124, AC-47).
    pub final_face_down: bool,
    /// Whether a seat that may not go out may keep its last card by `pass` (HN-044).
    pub pass_discard: bool,
    // Permission
    /// The question "may I go out?": none, binding, advice or duty (CL-085, P2-005, MA-126, HF-088, IR-055).
    pub ask: Ask,
    /// Mates who answer when there are two (AMB-20, AMB-WH-04).
    pub ask_whom: AskWhom,
    /// Part of the turn in which the question may be asked (CL-086, AC-45).
    pub ask_window: AskWindow,
    /// Limit of one question: per turn, per round and seat, or per round and side (AMB-18, MA-129, AC-44).
    pub ask_limit: AskLimit,
    /// Consequence of asking without being able to go out (AMB-16, AC-46, IR-050).
    pub ask_check: AskCheck,
    // Stock end
    /// Course of the round when the stock is empty: play goes on, or ends with the turn of the last drawer (CL-090, HF-086, AC-69).
    pub stock_out: StockOut,
    /// Duty to take the pile when the stock is empty (ALG-16) (CL-091, HN-047..048, WH-086, S3-036, SA-017..018).
    pub forced_take: ForcedTake,
    // Special hands
    /// Special hands in use (ALG-19) (MA-140..142, MV-009).
    pub special_hands: SpecialHands,
    /// Points for straight, pairs, pairs with wilds, garbage (MA-181..184, MV-008).
    pub special_scores: SpecialScores,
    /// The wild pair of the hand PAIRS (MA-147, MV-006).
    pub pairs_wilds: PairsWilds,
    /// Shape of the hand GARBAGE (MA-148, MV-007).
    pub garbage_shape: GarbageShape,
    /// Whether all sets of a special hand must differ in rank (AC-51).
    pub special_distinct: bool,
    // Scoring
    /// Points of each card, melded or held (CL-002, MA-003, HN-052, WH-005, S3-024, HF-012, GR-042, SA-004, MZ-002).
    pub card_points: CardPoints,
    /// Value of a wild in a set (GR-014, AMB-GR-01).
    pub wild_value: WildValue,
    /// Points for a natural canasta (CL-100, MA-153, HF-102).
    pub bonus_natural: i32,
    /// Points for a mixed canasta (CL-101, MA-152, HF-102).
    pub bonus_mixed: i32,
    /// Points for a wild canasta (CV-013, MA-157, HN-053, HF-102, BO-003).
    pub bonus_wild: i32,
    /// Points for a wild canasta of twos only; 0 = as `bonus_wild` (CV-014, MA-155).
    pub bonus_wild_twos: i32,
    /// Points for a wild canasta with (at least) four jokers, the larger applies; 0 = as `bonus_wild` (CV-014, MA-156, AMB-58).
    pub bonus_wild_jokers: i32,
    /// Points for a natural canasta of the given ranks, instead of `bonus_natural` (MA-154).
    pub bonus_rank: RankMap<i32>,
    /// Points for a completed sequence (samba, escalera) (SA-065, BO-006).
    pub bonus_sequence: i32,
    /// Points off for an own meld short of a canasta, by kind: A (pure), 7, W (CV-016, ML-004, MA-160..162).
    pub penalty_incomplete: RankMap<i32>,
    /// Points off for three or more cards of a rank in one hand, by rank (MA-163..166).
    pub penalty_held_trio: RankMap<i32>,
    /// Points for going out (CL-096, SA-064).
    pub bonus_out: i32,
    /// Additional points for going out concealed (ALG-18) (CL-097, HN-055, GR-043, SA-064).
    pub bonus_concealed: i32,
    /// Points for 1, 2, 3 ... laid threes (CL-103..104, P6-006, MA-168, HN-056, HF-089, GR-043, SA-066, MZ-028).
    pub three_table: Vec<i32>,
    /// Reading of the three table: once, or per colour and added (MA-168, AC-60).
    pub three_table_unit: ThreeTableUnit,
    /// Holder of laid threes: the side, or each seat (P3-010, AMB-42).
    pub three_unit: ThreeUnit,
    /// Sign of the three table's value (CL-105, MA-170..172, HN-057, SA-067, BO-013, AMB-GR-10).
    pub three_sign: ThreeSign,
    /// Sign of the points of melded cards (CL-106, MA-173..174).
    pub meld_points: MeldPoints,
    /// Score with fewer canastas than `go_out_total`: normal, or minus (hand + table) (HN-061..062).
    pub no_canasta_score: NoCanastaScore,
    /// Points off for each `restore_pile` (HN-039, AMB-HN-09).
    pub restore_penalty: i32,
    /// Holder of the total: the side, or each seat (CL-108, P3-008, P3-011).
    pub score_unit: ScoreUnit,
    // Game
    /// Total that ends the game, in points; 0 to 1,000,000, 0 = none (CL-109, MA-191, HN-023, SA-070, BO-015, MZ-031).
    pub target: i32,
    /// Fixed number of rounds; 0 to 99, 0 = not limited (HF-005, TF-003).
    pub rounds: u8,
    /// Outcome of equal best totals (AMB-34, MA-194, SA-071, AMB-HF-34).
    pub tie: Tie,
}

impl RuleSet {
    /// Returns the rule set with every knob at its default: see [`RuleSet`].
    pub fn defaults() -> Self {
        Self::default()
    }

    /// Returns the knobs in which the two rule sets differ, in the order of the table.
    pub fn differences<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'static Knob> + 'a {
        KNOBS.iter().filter(move |knob| !knob.is_same(self, other))
    }

    /// Returns the side of `seat`, as long as no sides have formed during the round.
    ///
    /// # Panics
    /// If `side_count` is 0, which [`RuleSet::validate`] refuses.
    pub fn side_of(&self, seat: Seat) -> Side {
        Side(seat.0 % self.side_count)
    }

    /// Returns the side of `seat`. If sides of three players have formed, `lone` plays against the other two, and the
    /// pair has the number of its lower seat.
    pub fn formed_side_of(&self, seat: Seat, lone: Option<Seat>) -> Side {
        match lone {
            Some(lone) if seat != lone => Side(u8::from(lone.0 == 0)),
            _ => self.side_of(seat),
        }
    }

    /// Returns all cards of the deck.
    pub fn deck(&self) -> Cards {
        let copies = |card| if card == Card::JOKER { self.jokers } else { self.packs };
        Card::all().flat_map(|card| core::iter::repeat_n(card, usize::from(copies(card)))).collect()
    }

    /// Returns the number of cards of the deck.
    pub fn deck_size(&self) -> u32 {
        52 * u32::from(self.packs) + u32::from(self.jokers)
    }

    /// Returns the number of wild cards (twos and jokers) of the deck.
    pub fn wild_count(&self) -> u32 {
        4 * u32::from(self.packs) + u32::from(self.jokers)
    }

    /// Returns the number of red threes of the deck. The number of black threes, and so the largest meld of black
    /// threes, is the same.
    pub fn red_three_count(&self) -> u32 {
        2 * u32::from(self.packs)
    }

    /// Returns the number of cards that the deal gives to hands, feet and talons.
    pub fn cards_dealt(&self) -> u32 {
        let talons: u32 = self.talons.iter().map(|&size| u32::from(size)).sum();
        u32::from(self.seats) * (u32::from(self.hand_size) + u32::from(self.foot_size)) + talons
    }

    /// Returns the size of the smallest deck that never runs out in the deal: all wild cards and red threes may be
    /// turned or replaced before the last card of the pile's start (AMB-05).
    pub fn cards_needed(&self) -> u32 {
        self.cards_dealt() + self.wild_count() + self.red_three_count() + 1
    }

    /// Whether any threes are laid by `lay_threes` instead of at once.
    pub fn lays_threes_by_choice(&self) -> bool {
        self.threes_dealt == ThreesDealt::Choice
            || self.threes_drawn == ThreesDrawn::Choice
            || self.foot_threes == FootThrees::Choice
    }
}
