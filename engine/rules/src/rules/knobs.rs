//! The enumerated knobs and the members of set knobs, each with its word in the canonical form.
//!
//! The type of a knob is its name in camel case. The first value of each is the knob's default.

use crate::card::{Class, Rank};

/// A closed list of values, each with a word in lower snake case.
pub trait Word: Copy + PartialEq + 'static {
    /// Every value with its word, in the rulebook's order.
    const WORDS: &'static [(Self, &'static str)];

    /// The value's place in the enum, below 16: its bit in a [`Set`](super::Set).
    fn index(self) -> u8;

    /// The value's word; empty for a value that no knob lists (a natural card's class).
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(value, _)| *value == self).map_or("", |(_, word)| word)
    }

    /// The value that `word` stands for.
    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, known)| *known == word).map(|(value, _)| *value)
    }
}

/// Declares enums together with their words, so that neither can be forgotten.
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
    /// Whether sides are fixed.
    SideFormation {
        /// The side of seat i is i mod `side_count`.
        Fixed = "fixed",
        /// Each for itself until somebody takes the pile, then 1 v 2 (ALG-22).
        LoneTaker = "lone_taker",
    }
    /// How partners are found before round 1.
    SideChoice {
        /// The table says.
        Given = "given",
        /// By drawn cards (ALG-27).
        DrawnCards = "drawn_cards",
    }
    /// First dealer of the game.
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
    /// Card order used by draws (ALG-27).
    DrawRanking {
        /// No draw.
        None = "none",
        /// By points.
        Points = "points",
        /// Ace high.
        AceHigh = "ace_high",
    }
    /// Dealer of later rounds.
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
    /// Whether an upcard starts the pile.
    StartCard {
        /// One card is turned.
        One = "one",
        /// The pile starts empty.
        None = "none",
    }
    /// A count that makes the cut exact (`cut_ways`).
    CutWay {
        /// The cards of all hands.
        Hands = "hands",
        /// One more, for the upcard.
        HandsPlusOne = "hands_plus_one",
    }
    /// How a talon is awarded.
    TalonAward {
        /// At once.
        Auto = "auto",
        /// By `take_talon`; lost if not taken in time.
        Manual = "manual",
    }
    /// When shape and minimum of melds are tested (ALG-07).
    MeldCheck {
        /// With each meld.
        Immediate = "immediate",
        /// At the discard, at `pass` or at the empty hand.
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
    /// Steps of taking the pile.
    PileSteps {
        /// `take_pile` only.
        One = "one",
        /// `take_top` and `restore_pile` exist besides.
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
        /// To a meld short of a canasta.
        Incomplete = "incomplete",
        /// Never.
        Never = "never",
    }
    /// Taking an open pile whose top has the rank of an own canasta.
    TakeCanastaRank {
        /// Allowed.
        Allow = "allow",
        /// Unless that canasta holds all the wilds it may.
        UnlessWildsFull = "unless_wilds_full",
        /// Never.
        Never = "never",
    }
    /// A wild card on top of the pile.
    WildTop {
        /// Nobody takes it.
        Blocked = "blocked",
        /// A pair of wilds takes it.
        WildPair = "wild_pair",
    }
    /// The pile for a side that has not melded.
    PileUnopened {
        /// Frozen.
        Frozen = "frozen",
        /// As for everybody.
        Normal = "normal",
        /// Never taken in the turn of the initial meld.
        Closed = "closed",
    }
    /// What takes a frozen pile.
    FrozenTake {
        /// A pair of naturals from the hand.
        Pair = "pair",
        /// Also adding the top to a natural meld on the table.
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
    /// What a completed set or wild canasta still takes.
    CanastaAccepts {
        /// Naturals and wilds.
        All = "all",
        /// Naturals only; a wild canasta nothing.
        Naturals = "naturals",
    }
    /// Whether wilds may outnumber the naturals of a set.
    WildRatio {
        /// No such limit.
        Off = "off",
        /// Never more wilds than naturals.
        NotAboveNaturals = "not_above_naturals",
    }
    /// Where `max_wilds` holds.
    WildCapScope {
        /// In every set.
        Always = "always",
        /// Up to `canasta_size` cards.
        ToCanasta = "to_canasta",
    }
    /// The wild policy of one rank (ALG-11).
    RankWilds {
        /// No wild ever.
        Never = "never",
        /// Only in a meld begun mixed in the initial batch.
        InitialOnly = "initial_only",
    }
    /// Sets of one rank that a side may have.
    MeldsPerRank {
        /// One.
        One = "one",
        /// A second beside a completed one.
        OneOpen = "one_open",
        /// Any number.
        Many = "many",
    }
    /// What `merge_melds` may merge.
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
    /// What selects the minimum of the initial meld.
    InitialKey {
        /// The side's total.
        SideScore = "side_score",
        /// The melding player's total.
        MelderScore = "melder_score",
        /// The number of the round.
        Round = "round",
    }
    /// What a take by an unopened side counts (ALG-12).
    InitialCount {
        /// The groups, the top included.
        WithTop = "with_top",
        /// The groups without the top.
        WithoutTop = "without_top",
        /// Only melds complete in hand.
        HandMelds = "hand_melds",
    }
    /// A meld that the initial batch must hold.
    InitialContent {
        /// None.
        None = "none",
        /// A meld with at least three naturals, or a wild meld.
        TripleOrWild = "triple_or_wild",
        /// A clean meld or a wild meld.
        CleanOrWild = "clean_or_wild",
    }
    /// A batch that needs no minimum (`initial_exempt`).
    Exempt {
        /// A concealed going out after drawing from the stock.
        ConcealedStock = "concealed_stock",
        /// Any concealed going out.
        ConcealedAny = "concealed_any",
        /// Seven naturals of a rank or seven wilds from the hand.
        Splash = "splash",
    }
    /// Threes that are laid as bonus cards.
    LaidThrees {
        /// Red ones.
        Red = "red",
        /// Red and black ones.
        Both = "both",
    }
    /// Threes of the dealt hand.
    ThreesDealt {
        /// Laid at once.
        Auto = "auto",
        /// Laid by `lay_threes`.
        Choice = "choice",
    }
    /// Threes from the stock.
    ThreesDrawn {
        /// Laid at once.
        Auto = "auto",
        /// Laid by `lay_threes`.
        Choice = "choice",
    }
    /// When a three may be laid by choice.
    ThreesWindow {
        /// At any time of the own turn.
        AnyTime = "any_time",
        /// At its start, or fresh from the stock.
        StartOrFresh = "start_or_fresh",
    }
    /// Threes that may be kept in hand where laying is a choice.
    ThreesKeep {
        /// Any.
        Free = "free",
        /// Only towards a straight.
        StraightOnly = "straight_only",
        /// None.
        Never = "never",
    }
    /// Red threes of the foot.
    FootThrees {
        /// Laid at once.
        Auto = "auto",
        /// Laid by `lay_threes`.
        Choice = "choice",
    }
    /// A three is laid and the stock cannot replace it.
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
        /// When going out, as the last meld.
        GoingOutLast = "going_out_last",
    }
    /// When held threes enter the three table.
    HeldThreesAsLaid {
        /// Never.
        Never = "never",
        /// If the side has not melded.
        Unopened = "unopened",
        /// Always.
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
        /// When the hand was all wild and the draw is wild too.
        ForcedByDraw = "forced_by_draw",
        /// When the hand is all wild.
        AllWildHand = "all_wild_hand",
    }
    /// Safe cards onto an empty pile.
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
    /// The last card when going out.
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
        /// Asking is a duty before going out.
        Required = "required",
    }
    /// Who answers when there are two mates.
    AskWhom {
        /// The mate whom the question names.
        Named = "named",
        /// Both mates; one no is a no.
        All = "all",
        /// The mate who plays next.
        Next = "next",
        /// Either mate.
        Any = "any",
    }
    /// When in the turn the question may be asked.
    AskWindow {
        /// Before melding.
        BeforeMelds = "before_melds",
        /// At any time of play.
        InPlay = "in_play",
    }
    /// One question per ...
    AskLimit {
        /// Turn.
        Turn = "turn",
        /// Round and seat.
        RoundSeat = "round_seat",
        /// Round and side.
        RoundSide = "round_side",
    }
    /// Asking without being able to go out.
    AskCheck {
        /// Refused.
        Strict = "strict",
        /// Accepted, with a penalty.
        Penalty = "penalty",
        /// Accepted.
        None = "none",
    }
    /// An empty stock.
    StockOut {
        /// Play goes on while the pile is taken.
        PlayOn = "play_on",
        /// The round ends with the turn of the last drawer.
        FinishTurn = "finish_turn",
    }
    /// Duty to take at an empty stock (ALG-16).
    ForcedTake {
        /// None.
        Off = "off",
        /// When an own meld can receive the top.
        OwnMeld = "own_meld",
        /// The same, and only the top is received.
        OwnMeldTopOnly = "own_meld_top_only",
        /// When any take is legal.
        AnyLegal = "any_legal",
    }
    /// A special hand (`special_hands`, ALG-19).
    SpecialHand {
        /// One of each rank.
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
    /// Shape of the hand GARBAGE.
    GarbageShape {
        /// Sets of 4, 4, 3 and 3.
        F4433 = "f4433",
        /// Four sets of three and a wild pair.
        F3333WildPair = "f3333_wild_pair",
    }
    /// Value of a wild in a set.
    WildValue {
        /// Its own.
        Own = "own",
        /// That of the card it stands for.
        Substituted = "substituted",
    }
    /// How the three table is read.
    ThreeTableUnit {
        /// Once.
        All = "all",
        /// Per colour, and added.
        Colour = "colour",
    }
    /// Whose threes are counted together.
    ThreeUnit {
        /// The side's.
        Side = "side",
        /// Each seat's own.
        Seat = "seat",
    }
    /// Sign of the three table's value.
    ThreeSign {
        /// Always plus.
        Plus = "plus",
        /// Minus for a side that has not melded.
        UnmeldedMinus = "unmelded_minus",
        /// Nothing for a side that has not melded.
        UnmeldedZero = "unmelded_zero",
        /// Minus only for an unmelded side when the other side went out.
        BeatenMinus = "beaten_minus",
        /// No canasta minus, one nothing, two or more plus.
        ByCanastas = "by_canastas",
        /// Minus below two canastas.
        TwoCanastas = "two_canastas",
    }
    /// Sign of the melded cards.
    MeldPoints {
        /// Plus.
        Plus = "plus",
        /// Minus for a side without a canasta.
        MinusWithoutCanasta = "minus_without_canasta",
    }
    /// Score of a side below `go_out_total`.
    NoCanastaScore {
        /// As ever.
        Normal = "normal",
        /// Minus (hand + table).
        AllNegative = "all_negative",
    }
    /// Who keeps the total.
    ScoreUnit {
        /// The side.
        Side = "side",
        /// Each seat.
        Seat = "seat",
    }
    /// Equal best totals.
    Tie {
        /// A draw.
        Draw = "draw",
        /// Another round.
        PlayOn = "play_on",
    }
}

/// A natural card is no member: no knob lists it.
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
