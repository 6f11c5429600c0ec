//! Values that follow from the knobs and are never stored.

use super::{
    DiscardThrees, EmptyPileSafe, FirstDealer, GarbageShape, GoOutBar, InitialContent, InitialCount,
    LaidThrees, MeldsPerRank, OppCanastaRank, PairsWilds, PileUnopened, RuleSet, Rules, ScoreUnit,
    SideChoice, TakeCanastaRank, TakeLayoff, TakeNaturalWild, TalonAward, ThreesDealt, ThreesWindow,
    WildCapScope, WildRatio, WildValue,
};
use crate::card::{Card, Cards, Class, Rank};

impl Rules {
    /// Returns the number of cards of the deck.
    pub fn deck_size(&self) -> u16 {
        u16::try_from(self.set.deck_size()).expect("a validated pack has at most 324 cards")
    }

    /// Returns all cards of the deck.
    pub fn census(&self) -> Cards {
        self.set.deck()
    }

    /// Returns the points of a card of `rank`. For a three, these are the points of a black three.
    pub fn rank_points(&self, rank: Rank) -> i32 {
        self.set.card_points.of_rank(rank)
    }

    /// Returns the points of `cards` in a set of `rank`. The rule set decides whether a wild card has its own points
    /// or those of the rank that it stands for (GR-014).
    pub(crate) fn points_in_set(&self, rank: Rank, cards: &[Card]) -> i32 {
        let substituted = self.set.wild_value == WildValue::Substituted;
        let points = |card: &Card| match card.is_wild() && substituted {
            true => self.rank_points(rank),
            false => self.card_points(*card),
        };
        cards.iter().map(points).sum()
    }

    /// Returns the digest as 64 hex digits.
    pub fn digest_text(&self) -> &str {
        &self.digest_text
    }
}

impl WildRatio {
    /// Returns the maximum number of wilds in a set with this many naturals.
    #[inline]
    pub(crate) fn most_wilds(self, naturals: u8) -> u8 {
        match self {
            Self::Off => u8::MAX,
            Self::NotAboveNaturals => naturals,
            Self::BelowNaturals => naturals.saturating_sub(1),
        }
    }
}

impl RuleSet {
    /// Returns the ids of the optional rules that these knobs switch on.
    pub(crate) fn switched_rules(&self) -> impl Iterator<Item = &'static str> {
        self.classic_switches().chain(self.american_switches()).chain(self.hoyle_switches())
    }

    /// Whether drawn cards decide who deals first (ALG-27).
    pub fn draws_dealer(&self) -> bool {
        matches!(self.first_dealer, FirstDealer::HighCardDeals | FirstDealer::HighCardLeads)
    }

    /// Whether the table names the first dealer of a game whose cards follow from a secret.
    pub fn leaves_dealer_to_table(&self) -> bool {
        self.first_dealer == FirstDealer::Given
    }

    /// Whether the game begins with round 0, in which cards are drawn for sides, dealer or both.
    pub fn draws_cards(&self) -> bool {
        self.side_choice == SideChoice::DrawnCards || self.draws_dealer()
    }

    /// Returns the number of totals: one per side, or one per seat.
    pub fn unit_count(&self) -> u8 {
        match self.score_unit {
            ScoreUnit::Side => self.side_count,
            ScoreUnit::Seat => self.seats,
        }
    }

    /// Whether cards of this class are laid as bonus cards.
    pub fn lays(&self, class: Class) -> bool {
        match class {
            Class::RedThree => self.laid_threes != LaidThrees::None,
            Class::BlackThree => self.laid_threes == LaidThrees::Both,
            Class::Natural | Class::Wild => false,
        }
    }

    /// Returns the classes of threes that are laid as bonus cards.
    pub(crate) fn laid_classes(&self) -> impl Iterator<Item = Class> {
        [Class::RedThree, Class::BlackThree].into_iter().filter(|&class| self.lays(class))
    }

    /// Whether threes of this class may lie before a seat: as bonus cards, or as black threes of a taken pile (CL-117).
    pub fn lies_laid(&self, class: Class) -> bool {
        self.lays(class) || class == Class::BlackThree && !self.black_three_table.is_empty()
    }

    /// Whether a card that comes with the pile is set aside: it goes to no hand (CL-072, CL-117).
    pub(crate) fn sets_aside(&self, card: Card) -> bool {
        self.is_red_bonus(card) || card.class() == Class::BlackThree && !self.black_three_table.is_empty()
    }

    /// Whether a card is a red three that is laid as a bonus card: no card of a hand or pile (HF-113).
    pub(crate) fn is_red_bonus(&self, card: Card) -> bool {
        card.class() == Class::RedThree && self.lays(Class::RedThree)
    }

    /// Whether cards of this class may stay in a hand: no three does that is laid as it comes.
    pub(crate) fn may_hold(&self, class: Class) -> bool {
        self.lays_threes_by_choice() || !self.lays(class)
    }

    /// Whether a hand may hold red threes: players choose when to lay them, or they are no bonus cards (HF-113).
    pub fn holds_red_threes(&self) -> bool {
        self.may_hold(Class::RedThree)
    }

    /// Whether a seat must itself take the talon that it has earned (IR-060).
    pub fn offers_talons(&self) -> bool {
        !self.talons.is_empty() && self.talon_award == TalonAward::Manual
    }

    /// Whether the pile may be frozen without a card that freezes it.
    pub(crate) fn freezes_any_pile(&self) -> bool {
        self.frozen_always || self.start_frozen || self.pile_unopened == PileUnopened::Frozen
    }

    /// Whether a pile may ever be frozen.
    pub(crate) fn may_freeze_pile(&self) -> bool {
        self.freezes_any_pile() || !self.start_freezes.is_empty() || !self.discard_freezes.is_empty()
    }

    /// Whether six players form two sides.
    pub(crate) fn has_teams_of_three(&self) -> bool {
        (self.seats, self.side_count) == (6, 2)
    }

    /// Returns the number of cards that a draw brings in round `number` (from 1), if the stock has them (HF-109).
    pub fn cards_drawn(&self, number: u16) -> u8 {
        let index = usize::from(number).saturating_sub(1);
        self.draw_rounds.get(index).or(self.draw_rounds.last()).copied().unwrap_or(self.draw_count)
    }

    /// Whether the engine must record which threes came to the hand in this turn ([`crate::table::Turn`]).
    pub fn marks_fresh_threes(&self) -> bool {
        self.lays_threes_by_choice()
            && (self.threes_window == ThreesWindow::StartOrFresh || !self.late_three_replaced)
    }

    /// Whether the engine must record which seats have had a turn.
    pub fn marks_turns(&self) -> bool {
        self.spares_dealt_threes() || self.discard_threes == DiscardThrees::BlackLater
    }

    /// Whether threes dealt to a seat that has had no turn are not late (IR-042).
    pub(crate) fn spares_dealt_threes(&self) -> bool {
        self.threes_dealt == ThreesDealt::Choice && !self.late_three_replaced
    }

    /// Whether an exact cut earns points (WH-013, HF-025, HF-027).
    pub fn pays_cuts(&self) -> bool {
        self.cut_bonus > 0 || self.foot_cut_bonus > 0
    }

    /// Whether an incomplete meld of `rank` with this many wild cards bars going out (MV-001).
    pub(crate) fn bars_going_out(&self, rank: Option<Rank>, wilds: u8) -> bool {
        !self.go_out_bars.is_empty()
            && match rank {
                Some(Rank::Seven) => self.go_out_bars.contains(GoOutBar::Sevens),
                Some(Rank::Ace) => wilds == 0 && self.go_out_bars.contains(GoOutBar::PureAces),
                _ => false,
            }
    }

    /// Whether melds of all natural ranks are judged alike.
    pub(crate) fn treats_ranks_alike(&self) -> bool {
        self.rank_wilds.is_empty() && self.go_out_bars.is_empty()
    }

    /// Returns the ids of the American variations that are on (MV-001 to MV-009). The books of other bases do not
    /// cite them.
    fn american_switches(&self) -> impl Iterator<Item = &'static str> + use<> {
        let switches = [
            (!self.go_out_bars.is_empty(), "MV-001"),
            (self.empty_pile_safe == EmptyPileSafe::Forbid, "MV-002"),
            (self.initial_content == InitialContent::None, "MV-003"),
            (self.pile_unopened == PileUnopened::Closed, "MV-004"),
            (self.opp_canasta_rank == OppCanastaRank::NoNewMeld, "MV-005"),
            (self.pairs_wilds != PairsWilds::Twos, "MV-006"),
            (self.garbage_shape == GarbageShape::F3333WildPair, "MV-007"),
            // MV-009 is always on: which special hands are in use is always agreed (MA-142).
            (true, "MV-009"),
        ];
        switches.into_iter().filter(|&(on, _)| on).map(|(_, id)| id)
    }

    /// Returns the id of the rule by which the top does not count, if the top does not count.
    fn hoyle_switches(&self) -> impl Iterator<Item = &'static str> + use<> {
        (self.initial_count == InitialCount::WithoutTop).then_some("HN-067").into_iter()
    }

    /// Returns the ids of the Classic variations that are on (CV-001 to CV-015), and CV-010 if any of them is on.
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
