//! The numbers of the bot, in points of the score unless stated otherwise.

use canasta_rules::rules::RuleSet;
use core::ops::Index;

/// A number of the bot: a row of `weights.txt`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[rustfmt::skip]
pub enum Weight {
    /// Value of drawing from the stock.
    Draw,
    /// Value of ending the round at an empty stock, compared with taking a pile.
    EndRound,
    /// Value of laying a three.
    Three,
    /// Value of taking an earned talon.
    Talon,
    /// Value of one card of the pile: its points, and the melds that it may join.
    PileCard,
    /// Value of one card of the pile to a side whose canastas suffice to go out.
    PileCardReady,
    /// Value of one card of the pile to the next seat, if it takes the pile with a discard.
    RiskCard,
    /// Cost of a discard with which the next seat takes the pile, whatever lies in it.
    RiskTake,
    /// Further cost of such a discard if the next seat has few cards and its canastas suffice to go out.
    RiskOut,
    /// Cost of a discard that fits an open meld of an opponent.
    Feed,
    /// Chance that a set which lacks one card becomes a canasta, in thousandths, if the deck has four cards of
    /// the rank for each side. The next rows are for two to six cards.
    SetLacksOne,
    /// The same chance for a meld of wilds, if the deck has nine wilds for each side. The next rows are for two to
    /// four cards.
    WildLacksOne = 16,
    /// The same chance for a sequence, if the deck has ten cards for each side that may lengthen the sequence. The
    /// next rows are for two to four cards.
    SequenceLacksOne = 20,
    /// Maximum chance, in thousandths, in a deck with more such cards.
    Surest = 24,
    /// Value of a canasta, in addition to its bonus, if the side has too few canastas to go out.
    Needed,
    /// Further value of a canasta if the side has too few of this kind to go out.
    NeededKind,
    /// Cost of laying a two, which could have completed a canasta later.
    Two,
    /// Cost of laying a joker, which could have completed a canasta later.
    Joker,
    /// Share of the cost of laying wilds if they complete a canasta, in hundredths.
    CompletesShare,
    /// Cost of laying a wild in a set while the side needs a wild canasta.
    WildWanted,
    /// Value of emptying the hand by melds, so that the foot is played in the same turn.
    FootNow,
    /// Value of emptying the hand with the discard, so that the foot is played from the next turn on.
    FootNext,
    /// Value of the initial meld.
    Open,
    /// Further value of the initial meld if opponents have made theirs.
    OpenBehind,
    /// Further value of the initial meld for each card of a pile that becomes easier to take.
    OpenPileCard,
    /// Cost of the initial meld, for each card that it takes from the hand.
    OpenCard,
    /// Number of cards with which a hand can still take piles and build melds; below it each missing card costs
    /// [`Self::Shrink`].
    Roomy,
    /// Cost per card below [`Self::Roomy`], for a side that may not go out yet.
    Shrink,
    /// Cost per card below [`Self::Roomy`], for a side that may go out.
    ShrinkReady,
    /// Cost of laying a card on an own meld that stays open, which opponents then see: for each card.
    HoldCard,
    /// Cost of laying a card on an own canasta: for each card.
    HoldCanasta,
    /// Cost of beginning a meld once the side has opened.
    HoldNew,
    /// Share of the last three costs for a side that may go out, in hundredths.
    HoldReadyShare,
    /// Cost of breaking up a pair while only pairs take the pile, per card of the pile.
    PairForPile,
    /// Value of keeping a card of a rank of which the hand has one. The next rows are for two, and for three or more.
    KeepOfOne,
    /// Value of keeping a card of a pair, per card of the pile that it may take.
    KeepPairPile = 48,
    /// Cost of keeping a card of a rank of which the hand has one, if three held at the end cost a penalty: in
    /// thousandths of that penalty. The next rows are for two, and for three or more.
    TrioOfOne,
    /// Value of keeping a natural that fits an own open meld.
    KeepForMeld = 52,
    /// Value of keeping a natural, per card of the hand that is near it in a sequence.
    KeepNeighbour,
    /// The same value while the side needs a sequence to go out.
    KeepNeighbourNeeded,
    /// Value of keeping a natural that fits an own canasta.
    KeepForCanasta,
    /// Value of keeping a natural, per card of its rank that is not seen yet.
    KeepUnseen,
    /// Value of keeping a black three until the pile is worth blocking.
    KeepStopper,
    /// Maximum chance, in thousandths, that the next seat takes the pile with a discard which is called safe.
    SafePermille,
    /// Maximum chance, in thousandths, that the next seat takes the pile with a card that fits none of its
    /// melds.
    TakesPairMost,
    /// Chance that a wild helps the next seat to take the pile, in hundredths of the chance that it has such a
    /// card.
    TakesWithWild,
    /// The same chances for a side that has not opened, in hundredths.
    TakesUnopened,
    /// Value of keeping a wild card.
    KeepWild,
    /// Share of the points of a discard that are saved by it, in hundredths.
    SavedShare,
    /// Value of freezing, per card of the pile.
    FreezePileCard,
    /// Value of freezing, per pair held that may then take the pile.
    FreezePair,
    /// Minimum number of pairs held for which the bot considers freezing.
    FreezePairs,
    /// Value of going out, before cards are counted.
    Out,
    /// Value of going out, per card in opponents' hands.
    OutTheirCard,
    /// Cost of going out, per card in mates' hands.
    OutMateCard,
    /// Maximum cost of the melds with which the bot goes out.
    OutLoss,
    /// Points of a card laid when the round may end, in hundredths.
    HurryShare,
    /// Minimum number of cards in a mate's hand for which the bot asks before it goes out.
    AskMateCards,
    /// Maximum cost of the own hand for which the bot answers yes.
    AnswerCost,
    /// The same maximum if opponents may soon go out.
    AnswerCostThreatened,
    /// Maximum number of cards in the hand of an opponent, with enough canastas, who may soon go out.
    ThreatCards,
    /// Number of cards in the stock at which the round is about to end.
    LastCards,
}

/// The number of weights.
pub const COUNT: usize = Weight::LastCards as usize + 1;

/// A value for each [`Weight`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights(pub [i32; COUNT]);

/// The lines of the table: name, and values by column, in the order of [`Weight`].
pub const TABLE: &str = include_str!("weights.txt");

/// Weights by rules of thumb, the first column.
pub static PLAIN: Weights = Weights(column(0));
/// Weights fitted by self-play, the next columns: for players without partners, for partners who need one canasta to go out or
/// are more than two sides, for two sides that need more, and for rule sets with sequences.
static FITTED: [Weights; 4] =
    [Weights(column(1)), Weights(column(2)), Weights(column(3)), Weights(column(4))];

impl Index<Weight> for Weights {
    type Output = i32;

    fn index(&self, weight: Weight) -> &i32 {
        &self.0[weight as usize]
    }
}

impl Weights {
    /// Returns the best weights for a rule set, and their column. For rule sets with a second hand, and those in which a
    /// sequence must be completed, nothing better than the rules of thumb was found.
    pub fn fitted(set: &RuleSet) -> (&'static Self, usize) {
        let column = match set {
            _ if set.foot_size > 0 || set.go_out_sequence > 0 => return (&PLAIN, 0),
            _ if set.sequences => 4,
            _ if set.seats == set.side_count => 1,
            _ if set.go_out_total > 1 && set.side_count == 2 => 3,
            _ => 2,
        };
        (&FITTED[column - 1], column)
    }

    /// Returns the weight for this number of cards, from 1. `one`: the weight for one card, which the others follow.
    pub(super) fn of_cards(&self, one: Weight, count: u8) -> i32 {
        self.0[one as usize + usize::from(count) - 1]
    }
}

/// Reads a column of values of the table at compile time.
const fn column(number: usize) -> [i32; COUNT] {
    let (text, mut values) = (TABLE.as_bytes(), [0; COUNT]);
    let (mut at, mut row, mut field, mut sign) = (0, 0, 0, 1);
    while at < text.len() {
        let byte = text[at];
        if byte == b'-' {
            sign = -1;
        } else if byte == b'\n' {
            (row, field, sign) = (row + 1, 0, 1);
        } else if byte == b' ' && text[at - 1] != b' ' {
            (field, sign) = (field + 1, 1);
        } else if field == number + 1 && byte.is_ascii_digit() {
            values[row] = 10 * values[row] + sign * (byte - b'0') as i32;
        }
        at += 1;
    }
    assert!(row == COUNT, "a line a weight");
    values
}
