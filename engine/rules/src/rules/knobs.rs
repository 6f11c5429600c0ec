//! The types of enumerated knobs and of members of set knobs. Each value has a word in the canonical form.
//!
//! The name of a type is the knob's name in camel case. The first value of each type is the knob's default.

use crate::card::{Class, Rank};

/// A type with a closed list of values, each with a word in lower snake case.
pub trait Word: Copy + PartialEq + 'static {
    /// All values with their words, in the rulebook's order.
    const WORDS: &'static [(Self, &'static str)];

    /// Returns the value's place in the enum, below 16, which is its bit in a [`Set`](super::Set).
    fn index(self) -> u8;

    /// Returns the value's word; empty for a value that no knob lists (the class of natural cards).
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(value, _)| *value == self).map_or("", |(_, word)| word)
    }

    /// Returns the value that `word` stands for, or `None` if no value has this word.
    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, known)| *known == word).map(|(value, _)| *value)
    }
}

/// Declares enums together with their words, so that no value lacks a word.
macro_rules! words {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident { $( $(#[doc = $value_doc:literal])+ $value:ident = $word:literal, )+ }
    )+) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $( $(#[doc = $value_doc])+ $value, )+ }

        impl Word for $name {
            const WORDS: &'static [(Self, &'static str)] = &[$( (Self::$value, $word), )+];

            fn index(self) -> u8 {
                self as u8
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::WORDS[0].0
            }
        }
    )+ };
}

words! {
    /// The formation of the sides.
    SideFormation {
        /// The side of seat i is i mod `side_count`.
        Fixed = "fixed",
        /// Each seat for itself until a seat takes the pile, then 1 v 2 (ALG-22).
        LoneTaker = "lone_taker",
    }
    /// The way in which partners are found before round 1.
    SideChoice {
        /// The table says.
        Given = "given",
        /// Drawn cards decide (ALG-27).
        DrawnCards = "drawn_cards",
    }
    /// The first dealer of the game.
    FirstDealer {
        /// Drawn by the deal.
        Random = "random",
        /// The table says.
        Given = "given",
        /// The highest drawn card deals.
        HighCardDeals = "high_card_deals",
        /// The highest drawn card leads.
        HighCardLeads = "high_card_leads",
    }
    /// The order of cards in draws (ALG-27).
    DrawRanking {
        /// No draw.
        None = "none",
        /// By points.
        Points = "points",
        /// Ace high.
        AceHigh = "ace_high",
    }
    /// The dealer of later rounds.
    NextDealer {
        /// The seat left of the last dealer.
        Left = "left",
        /// The loser of the round leads.
        LoserLeads = "loser_leads",
        /// The winner of the round leads.
        WinnerLeads = "winner_leads",
        /// Drawn anew.
        Random = "random",
    }
    /// The upcard that starts the pile.
    StartCard {
        /// One card is turned.
        One = "one",
        /// The pile starts empty.
        None = "none",
    }
    /// A number of cards that makes a cut exact (`cut_ways`).
    CutWay {
        /// The cards of all hands.
        Hands = "hands",
        /// The cards of all hands and one more, for the upcard.
        HandsPlusOne = "hands_plus_one",
    }
    /// The way in which a talon is awarded.
    TalonAward {
        /// At once.
        Auto = "auto",
        /// By `take_talon`; lost if not taken in time.
        Manual = "manual",
    }
    /// The time at which shape and minimum of melds are tested (ALG-07).
    MeldCheck {
        /// With each meld.
        Immediate = "immediate",
        /// At the discard, at `pass`, or when the hand is empty.
        AtDiscard = "at_discard",
    }
    /// Melding after the own discard.
    Courtesy {
        /// Never.
        Off = "off",
        /// Whenever asked for.
        OnRequest = "on_request",
        /// If the opponents agree.
        WithConsent = "with_consent",
    }
    /// The steps of taking the pile.
    PileSteps {
        /// `take_pile` only.
        One = "one",
        /// `take_pile`, and also `take_top` and `restore_pile`.
        Two = "two",
    }
    /// Taking an open pile with one natural and one wild.
    TakeNaturalWild {
        /// Allowed.
        Allow = "allow",
        /// Never.
        Never = "never",
    }
    /// Taking an open pile by adding the top to an own meld.
    TakeLayoff {
        /// To any meld that can receive it.
        Any = "any",
        /// To a meld that is not yet a canasta.
        Incomplete = "incomplete",
        /// Never.
        Never = "never",
    }
    /// Taking an open pile whose top has the rank of an own canasta.
    TakeCanastaRank {
        /// Allowed.
        Allow = "allow",
        /// Allowed unless that canasta holds all the wild cards that it may hold.
        UnlessWildsFull = "unless_wilds_full",
        /// Never.
        Never = "never",
    }
    /// A wild card on top of the pile.
    WildTop {
        /// Nobody can take the pile.
        Blocked = "blocked",
        /// A pair of wild cards takes the pile.
        WildPair = "wild_pair",
    }
    /// The state of the pile for a side that has not melded.
    PileUnopened {
        /// Frozen.
        Frozen = "frozen",
        /// The same as for other sides.
        Normal = "normal",
        /// Never taken in the turn of the initial meld.
        Closed = "closed",
    }
    /// The ways to take a frozen pile.
    FrozenTake {
        /// A pair of naturals from the hand.
        Pair = "pair",
        /// A pair of naturals, or adding the top to a natural meld on the table.
        NaturalMeld = "natural_meld",
    }
    /// A one-card hand taking a one-card pile.
    OneCardPile {
        /// Allowed.
        Allow = "allow",
        /// Forbidden.
        Forbid = "forbid",
        /// Forbidden while the stock has cards.
        UnlessStockEmpty = "unless_stock_empty",
    }
    /// Cards under the top that may be looked at.
    PileLook {
        /// None.
        None = "none",
        /// Three.
        Three = "three",
        /// All.
        All = "all",
    }
    /// The cards that a completed set or wild canasta still takes.
    CanastaAccepts {
        /// Naturals and wilds.
        All = "all",
        /// Naturals only; a wild canasta takes nothing.
        Naturals = "naturals",
    }
    /// The limit of wild cards relative to the naturals of a set.
    WildRatio {
        /// No limit.
        Off = "off",
        /// At most as many wild cards as naturals.
        NotAboveNaturals = "not_above_naturals",
    }
    /// The sets in which `max_wilds` holds.
    WildCapScope {
        /// All sets.
        Always = "always",
        /// Sets of up to `canasta_size` cards.
        ToCanasta = "to_canasta",
    }
    /// The policy for wild cards in melds of one rank (ALG-11).
    RankWilds {
        /// Never a wild card.
        Never = "never",
        /// Wild cards only in a meld that was begun with some in the initial batch.
        InitialOnly = "initial_only",
    }
    /// The number of sets of one rank that a side may have.
    MeldsPerRank {
        /// One.
        One = "one",
        /// One, and a second beside a completed one.
        OneOpen = "one_open",
        /// Any number.
        Many = "many",
    }
    /// The melds that `merge_melds` may merge.
    Merge {
        /// Nothing.
        None = "none",
        /// Sets.
        Sets = "sets",
        /// Sets and sequences.
        SetsAndSequences = "sets_and_sequences",
    }
    /// Beginning a meld in a rank of which opponents own a canasta.
    OppCanastaRank {
        /// Allowed.
        Allow = "allow",
        /// Refused.
        NoNewMeld = "no_new_meld",
    }
    /// The quantity that selects the minimum of the initial meld.
    InitialKey {
        /// The side's total.
        SideScore = "side_score",
        /// The melding player's total.
        MelderScore = "melder_score",
        /// The number of the round.
        Round = "round",
    }
    /// The cards that count towards the minimum in a take by an unopened side (ALG-12).
    InitialCount {
        /// The groups, the top included.
        WithTop = "with_top",
        /// The groups without the top.
        WithoutTop = "without_top",
        /// Only melds that are complete in the hand.
        HandMelds = "hand_melds",
    }
    /// A meld that the initial batch must hold.
    InitialContent {
        /// None.
        None = "none",
        /// A meld with at least three naturals, or a wild meld.
        TripleOrWild = "triple_or_wild",
        /// A meld without wild cards, or a wild meld.
        CleanOrWild = "clean_or_wild",
    }
    /// A batch that needs no minimum (`initial_exempt`).
    Exempt {
        /// A concealed going out after drawing from the stock.
        ConcealedStock = "concealed_stock",
        /// Any concealed going out.
        ConcealedAny = "concealed_any",
        /// A batch with seven naturals of a rank or seven wild cards from the hand.
        Splash = "splash",
    }
    /// Threes that are laid as bonus cards.
    LaidThrees {
        /// Red ones.
        Red = "red",
        /// Red and black ones.
        Both = "both",
    }
    /// Laying threes of the dealt hand.
    ThreesDealt {
        /// Laid at once.
        Auto = "auto",
        /// Laid by `lay_threes`.
        Choice = "choice",
    }
    /// Laying threes from the stock.
    ThreesDrawn {
        /// Laid at once.
        Auto = "auto",
        /// Laid by `lay_threes`.
        Choice = "choice",
    }
    /// The times at which a three may be laid by choice.
    ThreesWindow {
        /// At any time of the own turn.
        AnyTime = "any_time",
        /// At the start of the own turn, or just after the three came from the stock.
        StartOrFresh = "start_or_fresh",
    }
    /// Threes that may be kept in hand where laying is a choice.
    ThreesKeep {
        /// Any.
        Free = "free",
        /// Only threes for a straight.
        StraightOnly = "straight_only",
        /// None.
        Never = "never",
    }
    /// Laying red threes of the foot.
    FootThrees {
        /// Laid at once.
        Auto = "auto",
        /// Laid by `lay_threes`.
        Choice = "choice",
    }
    /// The consequence of laying a three that the stock cannot replace.
    LastThree {
        /// The round ends.
        EndRound = "end_round",
        /// The player may meld, then the round ends.
        MeldNoDiscard = "meld_no_discard",
        /// Play goes on.
        GoOn = "go_on",
    }
    /// Melding black threes.
    BlackThreeMeld {
        /// Never.
        Never = "never",
        /// When going out.
        GoingOut = "going_out",
        /// When going out, and only as the last meld.
        GoingOutLast = "going_out_last",
    }
    /// The sides whose held threes enter the three table.
    HeldThreesAsLaid {
        /// No side.
        Never = "never",
        /// Sides that have not melded.
        Unopened = "unopened",
        /// All sides.
        Always = "always",
    }
    /// Threes that may be discarded.
    DiscardThrees {
        /// Black ones.
        Black = "black",
        /// All.
        Any = "any",
        /// Only as the final discard.
        FinalOnly = "final_only",
    }
    /// Wild cards that may be discarded, besides the final discard.
    DiscardWilds {
        /// Any.
        Any = "any",
        /// Any, if all cards of the hand were wild and the drawn cards are wild too.
        ForcedByDraw = "forced_by_draw",
        /// Any, if all cards of the hand are wild.
        AllWildHand = "all_wild_hand",
    }
    /// Discarding safe cards onto an empty pile.
    EmptyPileSafe {
        /// Allowed.
        Allow = "allow",
        /// Forbidden.
        Forbid = "forbid",
    }
    /// An incomplete meld that bars going out (`go_out_bars`).
    GoOutBar {
        /// Sevens.
        Sevens = "sevens",
        /// Aces without wilds.
        PureAces = "pure_aces",
    }
    /// The rule for the last card when going out.
    FinalDiscard {
        /// May be melded or discarded.
        Optional = "optional",
        /// Must be discarded.
        Required = "required",
    }
    /// The question "may I go out?".
    Ask {
        /// Not in these rules.
        Off = "off",
        /// The answer binds.
        Binding = "binding",
        /// The answer is advice.
        Advisory = "advisory",
        /// Asking is required before going out.
        Required = "required",
    }
    /// The mates who answer when there are two.
    AskWhom {
        /// The mate whom the question names.
        Named = "named",
        /// Both mates; the answer is no if one of them says no.
        All = "all",
        /// The mate who plays next.
        Next = "next",
        /// Either mate.
        Any = "any",
    }
    /// The part of the turn in which the question may be asked.
    AskWindow {
        /// Before melding.
        BeforeMelds = "before_melds",
        /// At any time of play.
        InPlay = "in_play",
    }
    /// The scope in which only one question may be asked.
    AskLimit {
        /// One question per turn.
        Turn = "turn",
        /// One question per round and seat.
        RoundSeat = "round_seat",
        /// One question per round and side.
        RoundSide = "round_side",
    }
    /// The consequence of asking without being able to go out.
    AskCheck {
        /// Refused.
        Strict = "strict",
        /// Accepted, with a penalty.
        Penalty = "penalty",
        /// Accepted.
        None = "none",
    }
    /// The course of the round when the stock is empty.
    StockOut {
        /// Play goes on while the pile is taken.
        PlayOn = "play_on",
        /// The round ends with the turn of the last drawer.
        FinishTurn = "finish_turn",
    }
    /// The duty to take the pile when the stock is empty (ALG-16).
    ForcedTake {
        /// None.
        Off = "off",
        /// When an own meld can receive the top.
        OwnMeld = "own_meld",
        /// When an own meld can receive the top, and only the top is received.
        OwnMeldTopOnly = "own_meld_top_only",
        /// When any take is legal.
        AnyLegal = "any_legal",
    }
    /// A special hand (`special_hands`, ALG-19).
    SpecialHand {
        /// One card of each rank.
        Straight = "straight",
        /// Seven pairs.
        Pairs = "pairs",
        /// Sets only, in the shape `garbage_shape`.
        Garbage = "garbage",
    }
    /// The wild pair of the hand PAIRS.
    PairsWilds {
        /// None.
        None = "none",
        /// Twos.
        Twos = "twos",
        /// Twos or jokers.
        TwosOrJokers = "twos_or_jokers",
    }
    /// The shape of the hand GARBAGE.
    GarbageShape {
        /// Sets of 4, 4, 3 and 3.
        F4433 = "f4433",
        /// Four sets of three and a wild pair.
        F3333WildPair = "f3333_wild_pair",
    }
    /// The value of a wild card in a set.
    WildValue {
        /// Its own points.
        Own = "own",
        /// The points of the card that it stands for.
        Substituted = "substituted",
    }
    /// The reading of the three table.
    ThreeTableUnit {
        /// Once.
        All = "all",
        /// Per colour, and added.
        Colour = "colour",
    }
    /// The seats whose threes are counted together.
    ThreeUnit {
        /// The seats of a side.
        Side = "side",
        /// Each seat alone.
        Seat = "seat",
    }
    /// The sign of the three table's value.
    ThreeSign {
        /// Always plus.
        Plus = "plus",
        /// Minus for a side that has not melded.
        UnmeldedMinus = "unmelded_minus",
        /// Nothing for a side that has not melded.
        UnmeldedZero = "unmelded_zero",
        /// Minus only for an unmelded side when the other side went out.
        BeatenMinus = "beaten_minus",
        /// Minus without a canasta, nothing with one, plus with two or more.
        ByCanastas = "by_canastas",
        /// Minus with fewer than two canastas.
        TwoCanastas = "two_canastas",
    }
    /// The sign of the points of melded cards.
    MeldPoints {
        /// Plus.
        Plus = "plus",
        /// Minus for a side without a canasta.
        MinusWithoutCanasta = "minus_without_canasta",
    }
    /// The score of a side with fewer canastas than `go_out_total`.
    NoCanastaScore {
        /// The usual score.
        Normal = "normal",
        /// Minus (hand + table).
        AllNegative = "all_negative",
    }
    /// The holder of the total.
    ScoreUnit {
        /// The side.
        Side = "side",
        /// Each seat.
        Seat = "seat",
    }
    /// The outcome of equal best totals.
    Tie {
        /// A draw.
        Draw = "draw",
        /// Another round.
        PlayOn = "play_on",
    }
}

/// The class of natural cards is left out: no knob lists it.
impl Word for Class {
    const WORDS: &'static [(Self, &'static str)] =
        &[(Self::Wild, "wild"), (Self::RedThree, "red_three"), (Self::BlackThree, "black_three")];

    fn index(self) -> u8 {
        self as u8
    }
}

/// The order of rank maps and sets of ranks: A K Q ... 2 X.
impl Word for Rank {
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Ace, "A"),
        (Self::King, "K"),
        (Self::Queen, "Q"),
        (Self::Jack, "J"),
        (Self::Ten, "T"),
        (Self::Nine, "9"),
        (Self::Eight, "8"),
        (Self::Seven, "7"),
        (Self::Six, "6"),
        (Self::Five, "5"),
        (Self::Four, "4"),
        (Self::Three, "3"),
        (Self::Two, "2"),
        (Self::Joker, "X"),
    ];

    fn index(self) -> u8 {
        self as u8
    }
}
