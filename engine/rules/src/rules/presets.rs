//! The 22 presets as data: each is a base with changes.

use alloc::vec;

use super::RuleSet;
use super::knobs::*;
use super::values::*;
use crate::card::{Class, Rank};

/// The number of a preset: its index in [`PRESETS`], which never changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PresetId(u8);

type Preset = (&'static str, Cited, fn() -> RuleSet);

/// Groups of books, in the order of their precedence. Each group lists the prefixes of its rule ids.
type Cited = &'static [&'static str];

/// The presets by number. States and logs hold the number, so the order never changes and new
/// presets go to the end.
const TABLE: [Preset; 22] = [
    ("classic-4p", CLASSIC, classic_4p),
    ("american-4p", AMERICAN, american_4p),
    ("hoyle-2p", HOYLE, hoyle_2p),
    ("wahhi-4p", WAHHI, wahhi_4p),
    ("s3-4p", S3, s3_4p),
    ("gr-4p", GR, gr_4p),
    ("hand-and-foot-4p", HAND_AND_FOOT, hand_and_foot_4p),
    ("samba-4p", SAMBA, samba_4p),
    ("bolivia-4p", BOLIVIA, bolivia_4p),
    ("manzana-2p", MANZANA, manzana_2p),
    ("classic-2p", CLASSIC_2P, classic_2p),
    ("classic-3p", CLASSIC_3P, classic_3p),
    ("classic-3p-11", CLASSIC_3P, classic_3p_11),
    ("classic-6p-3x2", CLASSIC_6P, classic_6p_3x2),
    ("classic-6p-2x3", CLASSIC_6P, classic_6p_2x3),
    ("miller-6p-2x3", MILLER, miller_6p_2x3),
    ("wahhi-2p", WAHHI, wahhi_2p),
    ("wahhi-3p", WAHHI, wahhi_3p),
    ("wahhi-5p", WAHHI, wahhi_5p),
    ("wahhi-6p", WAHHI, wahhi_6p),
    ("hand-and-foot-6p", HAND_AND_FOOT, hand_and_foot_6p),
    ("american-wikipedia-4p", AMERICAN_WIKIPEDIA, american_4p),
];

/// The books of the Classic games: groups of books in the order of their precedence.
const CLASSIC: Cited = &["CL- AMB- CV-"];
const CLASSIC_2P: Cited = &["CL- AMB- CV- P2-"];
const CLASSIC_3P: Cited = &["CL- AMB- CV- P3-"];
const CLASSIC_6P: Cited = &["CL- AMB- CV- P6-"];
/// Miller's game is the six-player form with changes (ML-001), so rules of both books are cited.
const MILLER: Cited = &["CL- AMB- CV- P6- ML-"];
const AMERICAN: Cited = &["MA- AC- MV-"];
const AMERICAN_WIKIPEDIA: Cited = &["MA- AC- MV- US-"];
const HOYLE: Cited = &["HN- AMB-HN-"];
const WAHHI: Cited = &["WH- AMB-WH-"];
const S3: Cited = &["S3- AMB-S3-"];
const GR: Cited = &["GR- AMB-GR-"];
const HAND_AND_FOOT: Cited = &["HF- AMB-HF-"];
const SAMBA: Cited = &["SA- SAD-"];
const BOLIVIA: Cited = &["BO- BOD-", "SA- SAD-"];
const MANZANA: Cited = &["MZ- MZD-"];

/// The presets whose text could not be read whole, with the knobs whose values are our guesses.
const GUESSED: &[(&str, &[&str])] = &[(
    "manzana-2p",
    &[
        "discard_freezes",
        "take_natural_wild",
        "take_layoff",
        "pile_unopened",
        "meld_min",
        "canasta_accepts",
        "min_naturals",
        "max_wilds",
        "melds_per_rank",
        "sequences",
        "wild_melds",
        "initial_bands",
        "initial_exempt",
        "threes_drawn",
        "black_three_meld",
        "forced_take",
        "bonus_natural",
        "bonus_mixed",
        "bonus_out",
        "bonus_concealed",
        "three_table",
        "three_sign",
        "target",
        "tie",
    ],
)];

/// The presets in words, one per line. Lines that begin with `#` are comments.
const TITLES: &str = include_str!("titles.txt");

const NAMES: [&str; TABLE.len()] = {
    let mut names = [""; TABLE.len()];
    let mut index = 0;
    while index < TABLE.len() {
        names[index] = TABLE[index].0;
        index += 1;
    }
    names
};

/// The names of all presets, in the order of their numbers.
pub const PRESETS: &[&str] = &NAMES;

/// Returns the rule set of the preset called `id`, or `None` if there is no such preset.
pub fn preset(id: &str) -> Option<RuleSet> {
    Some(PresetId::from_name(id)?.rule_set())
}

impl PresetId {
    /// Returns all presets in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.len() as u8).map(Self)
    }

    /// Returns the preset with this number, or `None` if there is no such preset.
    pub fn from_number(number: u8) -> Option<Self> {
        (usize::from(number) < TABLE.len()).then_some(Self(number))
    }

    /// Returns the knobs whose values are guesses, since the preset's text could not be read whole. Empty for a
    /// preset that is not provisional.
    pub fn guessed(self) -> &'static [&'static str] {
        GUESSED.iter().find(|(name, _)| *name == self.name()).map_or(&[], |(_, knobs)| knobs)
    }

    /// Returns the preset called `name`, or `None` if there is no such preset.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|preset| preset.name() == name)
    }

    /// Returns the number, from 0.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns the name, such as `classic-4p`.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// Returns the title, such as `Classic Canasta`.
    pub fn title(self) -> &'static str {
        self.words().0
    }

    /// Returns one sentence that says what the game is.
    pub fn sentence(self) -> &'static str {
        self.words().1
    }

    fn words(self) -> (&'static str, &'static str) {
        let after = |line: &'static str| line.strip_prefix(self.name())?.strip_prefix(" | ");
        let words = TITLES.lines().find_map(after).and_then(|words| words.split_once(" | "));
        words.expect("every preset has a title and a sentence")
    }

    /// Returns the books that refusals of the preset cite: groups in the order of their precedence. Each group lists
    /// the prefixes of its rule ids.
    pub(crate) fn books(self) -> &'static [&'static str] {
        TABLE[usize::from(self.0)].1
    }

    /// Returns the rule set.
    pub fn rule_set(self) -> RuleSet {
        TABLE[usize::from(self.0)].2()
    }
}

fn classic_4p() -> RuleSet {
    RuleSet {
        seats: 4,
        side_count: 2,
        packs: 2,
        jokers: 4,
        hand_size: 11,
        start_cover: Set::of(&[Class::Wild, Class::RedThree]),
        start_freezes: Set::of(&[Class::Wild, Class::RedThree]),
        discard_freezes: Set::of(&[Class::Wild]),
        draw_count: 1,
        meld_min: 3,
        canasta_size: 7,
        min_naturals: 2,
        max_wilds: 3,
        wild_add_base: 2,
        initial_bands: Bands::by_score(&[(0, 15), (1500, 50), (3000, 90)], 120),
        initial_exempt: Set::of(&[Exempt::ConcealedStock]),
        black_three_meld: BlackThreeMeld::GoingOut,
        held_three_black: 5,
        go_out_total: 1,
        ask: Ask::Binding,
        forced_take: ForcedTake::OwnMeld,
        card_points: CardPoints::STANDARD,
        bonus_natural: 500,
        bonus_mixed: 300,
        bonus_out: 100,
        bonus_concealed: 100,
        three_table: vec![100, 200, 300, 800],
        three_sign: ThreeSign::UnmeldedMinus,
        target: 5000,
        ..RuleSet::defaults()
    }
}

fn classic_2p() -> RuleSet {
    RuleSet { seats: 2, hand_size: 15, draw_count: 2, go_out_total: 2, ask: Ask::Off, ..classic_4p() }
}

fn classic_3p() -> RuleSet {
    RuleSet {
        seats: 3,
        side_count: 3,
        side_formation: SideFormation::LoneTaker,
        hand_size: 13,
        draw_count: 2,
        initial_key: InitialKey::MelderScore,
        three_unit: ThreeUnit::Seat,
        score_unit: ScoreUnit::Seat,
        target: 7500,
        ..classic_4p()
    }
}

fn classic_3p_11() -> RuleSet {
    RuleSet { hand_size: 11, ..classic_3p() }
}

fn classic_6p_3x2() -> RuleSet {
    RuleSet {
        seats: 6,
        side_count: 3,
        packs: 3,
        jokers: 6,
        hand_size: 13,
        go_out_total: 2,
        three_table: vec![100, 200, 300, 400, 1000, 1200],
        target: 7500,
        ..classic_4p()
    }
}

fn classic_6p_2x3() -> RuleSet {
    RuleSet {
        side_count: 2,
        initial_bands: Bands::by_score(&[(0, 15), (1500, 50), (3000, 90), (7000, 120)], 150),
        target: 10_000,
        ..classic_6p_3x2()
    }
}

fn miller_6p_2x3() -> RuleSet {
    RuleSet {
        wild_melds: true,
        go_out_total: 3,
        go_out_clean: 2,
        bonus_wild: 2000,
        penalty_incomplete: RankMap::NONE.with_wild(2000),
        ..classic_6p_2x3()
    }
}

fn american_4p() -> RuleSet {
    RuleSet {
        hand_size: 13,
        start_card: StartCard::None,
        start_cover: Set::NONE,
        start_freezes: Set::NONE,
        discard_freezes: Set::NONE,
        talons: vec![4, 3],
        talon_with_pile: true,
        take_natural_wild: TakeNaturalWild::Never,
        take_layoff: TakeLayoff::Never,
        pile_unopened: PileUnopened::Normal,
        meld_max: 7,
        max_wilds: 2,
        rank_wilds: RankMap::NONE.with(Rank::Ace, RankWilds::InitialOnly).with(Rank::Seven, RankWilds::Never),
        wild_melds: true,
        wild_meld_max: 7,
        wild_lock: true,
        initial_bands: Bands::by_score(&[(3000, 125), (5000, 155)], 180),
        initial_count: InitialCount::HandMelds,
        initial_content: InitialContent::TripleOrWild,
        initial_exempt: Set::of(&[Exempt::Splash]),
        laid_threes: LaidThrees::Both,
        threes_dealt: ThreesDealt::Choice,
        threes_drawn: ThreesDrawn::Choice,
        threes_window: ThreesWindow::StartOrFresh,
        late_three_replaced: true,
        black_three_meld: BlackThreeMeld::Never,
        held_three_red: 5,
        held_threes_as_laid: HeldThreesAsLaid::Unopened,
        discard_threes: DiscardThrees::FinalOnly,
        discard_wilds: DiscardWilds::ForcedByDraw,
        empty_pile_barred: Set::of(&[Rank::Ace, Rank::Seven]),
        reveal: true,
        go_out_total: 2,
        final_discard: FinalDiscard::Required,
        final_face_down: true,
        ask_window: AskWindow::InPlay,
        ask_limit: AskLimit::RoundSeat,
        forced_take: ForcedTake::Off,
        special_hands: Set::of(&[SpecialHand::Straight, SpecialHand::Pairs, SpecialHand::Garbage]),
        special_scores: SpecialScores { straight: 3000, pairs: 2500, pairs_with_wilds: 2000, garbage: 2000 },
        pairs_wilds: PairsWilds::Twos,
        bonus_wild: 2000,
        bonus_wild_twos: 3000,
        bonus_wild_jokers: 2500,
        bonus_rank: RankMap::NONE.with(Rank::Ace, 2500).with(Rank::Seven, 2500),
        penalty_incomplete: RankMap::NONE.with(Rank::Ace, 2500).with(Rank::Seven, 2500).with_wild(2000),
        penalty_held_trio: RankMap::NONE.with(Rank::Ace, 1500).with(Rank::Seven, 1500),
        bonus_concealed: 0,
        three_table: vec![100, 300, 500, 1000],
        three_table_unit: ThreeTableUnit::Colour,
        three_sign: ThreeSign::ByCanastas,
        meld_points: MeldPoints::MinusWithoutCanasta,
        target: 8500,
        ..classic_4p()
    }
}

fn hoyle_2p() -> RuleSet {
    RuleSet {
        seats: 2,
        hand_size: 15,
        discard_freezes: Set::of(&[Class::Wild, Class::RedThree]),
        meld_check: MeldCheck::AtDiscard,
        undo_meld: true,
        pile_steps: PileSteps::Two,
        pile_restore: true,
        pile_unopened: PileUnopened::Normal,
        one_card_pile: OneCardPile::Forbid,
        max_wilds: 0,
        wild_ratio: WildRatio::NotAboveNaturals,
        wild_melds: true,
        initial_exempt: Set::of(&[Exempt::ConcealedAny]),
        threes_drawn: ThreesDrawn::Choice,
        late_three_replaced: true,
        last_three: LastThree::GoOn,
        black_three_meld: BlackThreeMeld::GoingOutLast,
        held_three_red: 100,
        discard_threes: DiscardThrees::Any,
        pass_discard: true,
        ask: Ask::Off,
        forced_take: ForcedTake::OwnMeldTopOnly,
        bonus_wild: 1000,
        three_sign: ThreeSign::BeatenMinus,
        restore_penalty: 50,
        ..classic_4p()
    }
}

fn wahhi_4p() -> RuleSet {
    RuleSet {
        cut_bonus: 100,
        cut_ways: Set::of(&[CutWay::Hands, CutWay::HandsPlusOne]),
        pile_unopened: PileUnopened::Normal,
        wild_ratio: WildRatio::NotAboveNaturals,
        forced_take: ForcedTake::Off,
        ..classic_4p()
    }
}

fn wahhi_2p() -> RuleSet {
    RuleSet { seats: 2, ask: Ask::Off, ..wahhi_4p() }
}

fn wahhi_3p() -> RuleSet {
    RuleSet { seats: 3, side_count: 3, ask: Ask::Off, ..wahhi_4p() }
}

fn wahhi_5p() -> RuleSet {
    RuleSet { seats: 5, side_count: 5, ask: Ask::Off, ..wahhi_4p() }
}

fn wahhi_6p() -> RuleSet {
    RuleSet { seats: 6, ask_whom: AskWhom::All, ..wahhi_4p() }
}

fn s3_4p() -> RuleSet {
    RuleSet {
        start_cover: Set::NONE,
        take_layoff: TakeLayoff::Never,
        max_wilds: 0,
        wild_ratio: WildRatio::NotAboveNaturals,
        initial_bands: Bands::by_score(&[(0, 0), (1500, 50), (3000, 90)], 120),
        initial_exempt: Set::NONE,
        forced_take: ForcedTake::AnyLegal,
        ..classic_4p()
    }
}

fn gr_4p() -> RuleSet {
    RuleSet {
        first_dealer: FirstDealer::HighCardDeals,
        draw_ranking: DrawRanking::AceHigh,
        start_cover: Set::of(&[Class::Wild, Class::RedThree, Class::BlackThree]),
        start_freezes: Set::of(&[Class::Wild]),
        pile_unopened: PileUnopened::Normal,
        max_wilds: 0,
        wild_ratio: WildRatio::NotAboveNaturals,
        initial_exempt: Set::NONE,
        bonus_concealed: 0,
        three_table: vec![100, 200, 300, 400],
        three_sign: ThreeSign::Plus,
        ..classic_4p()
    }
}

fn hand_and_foot_4p() -> RuleSet {
    RuleSet {
        first_dealer: FirstDealer::Given,
        draw_ranking: DrawRanking::Points,
        packs: 6,
        jokers: 12,
        hand_size: 13,
        foot_size: 13,
        start_freezes: Set::NONE,
        discard_freezes: Set::NONE,
        cut_bonus: 100,
        cut_ways: Set::of(&[CutWay::HandsPlusOne]),
        foot_cut_bonus: 100,
        draw_count: 2,
        pile_portion: 7,
        take_natural_wild: TakeNaturalWild::Never,
        take_layoff: TakeLayoff::Never,
        wild_top: WildTop::WildPair,
        pile_unopened: PileUnopened::Normal,
        canasta_accepts: CanastaAccepts::Naturals,
        melds_per_rank: MeldsPerRank::OneOpen,
        wild_melds: true,
        initial_key: InitialKey::Round,
        initial_bands: Bands::ByRound(vec![50, 90, 120, 150]),
        initial_content: InitialContent::CleanOrWild,
        initial_exempt: Set::NONE,
        threes_dealt: ThreesDealt::Choice,
        late_three_replaced: true,
        pile_threes_replaced: true,
        last_three: LastThree::GoOn,
        black_three_meld: BlackThreeMeld::Never,
        held_three_red: 100,
        go_out_total: 0,
        go_out_clean: 7,
        go_out_wild: 1,
        go_out_hands_finished: true,
        final_discard: FinalDiscard::Required,
        ask: Ask::Advisory,
        ask_window: AskWindow::InPlay,
        ask_check: AskCheck::None,
        stock_out: StockOut::FinishTurn,
        forced_take: ForcedTake::Off,
        bonus_wild: 1500,
        bonus_concealed: 0,
        three_table: (1..=12).map(|threes| threes * 100).collect(),
        three_sign: ThreeSign::Plus,
        target: 0,
        rounds: 4,
        ..classic_4p()
    }
}

fn hand_and_foot_6p() -> RuleSet {
    RuleSet { seats: 6, ..hand_and_foot_4p() }
}

fn samba_4p() -> RuleSet {
    RuleSet {
        draw_ranking: DrawRanking::AceHigh,
        packs: 3,
        jokers: 6,
        hand_size: 15,
        draw_count: 2,
        take_natural_wild: TakeNaturalWild::Never,
        take_layoff: TakeLayoff::Incomplete,
        take_result_max: 7,
        one_card_pile: OneCardPile::Forbid,
        canasta_accepts: CanastaAccepts::Naturals,
        max_wilds: 2,
        melds_per_rank: MeldsPerRank::Many,
        merge: Merge::Sets,
        sequences: true,
        sequence_max: 7,
        initial_bands: Bands::by_score(&[(0, 15), (1500, 50), (3000, 90), (7000, 120)], 150),
        go_out_total: 2,
        forced_take: ForcedTake::Off,
        bonus_sequence: 1500,
        bonus_out: 200,
        bonus_concealed: 0,
        three_table: vec![100, 200, 300, 400, 500, 1000],
        three_sign: ThreeSign::TwoCanastas,
        target: 10_000,
        ..classic_4p()
    }
}

fn bolivia_4p() -> RuleSet {
    RuleSet {
        wild_melds: true,
        wild_meld_max: 7,
        held_three_black: 100,
        go_out_sequence: 1,
        bonus_wild: 2500,
        target: 15_000,
        ..samba_4p()
    }
}

fn manzana_2p() -> RuleSet {
    RuleSet {
        seats: 2,
        packs: 1,
        jokers: 2,
        hand_size: 7,
        start_card: StartCard::None,
        start_cover: Set::NONE,
        start_freezes: Set::NONE,
        canasta_size: 4,
        canasta_accepts: CanastaAccepts::Naturals,
        max_wilds: 2,
        black_three_meld: BlackThreeMeld::Never,
        ask: Ask::Off,
        three_table: vec![100, 400],
        ..classic_4p()
    }
}

#[cfg(test)]
mod tests;
