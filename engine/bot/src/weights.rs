//! The bot's numbers, in points of the score unless stated otherwise.

/// Value of drawing from the stock.
pub(super) const DRAW: i32 = 50;
/// Value of ending the round at an empty stock, compared with taking a pile.
pub(super) const END_ROUND: i32 = 60;
/// Value of laying a three.
pub(super) const THREE: i32 = 40;
/// Value of taking an earned talon.
pub(super) const TALON: i32 = 100;
/// Value of one card of the pile: its points, and the melds that it may join.
pub(super) const PILE_CARD: i32 = 22;

/// Chance that a set which lacks 1, 2, 3 ... cards becomes a canasta, in thousandths, if the deck has four
/// cards of the rank for each side.
pub(super) const SET: Chance = Chance { lacking: &[140, 110, 80, 55, 35, 20], cards_a_side: 4 };
/// The same chance for a meld of wilds, if the deck has nine wilds for each side.
pub(super) const WILD: Chance = Chance { lacking: &[650, 400, 220, 120], cards_a_side: 9 };
/// The same chance for a sequence, if the deck has ten cards for each side that may lengthen the sequence.
pub(super) const SEQUENCE: Chance = Chance { lacking: &[450, 250, 130, 60], cards_a_side: 10 };
/// Maximum chance, in thousandths, in a deck with more such cards.
pub(super) const SUREST: i32 = 900;

/// The chances to complete a meld.
pub(super) struct Chance {
    /// Chances in thousandths, by the number of cards that the meld lacks, from 1.
    pub lacking: &'static [i32],
    /// Number of suitable cards per side for which the chances hold. With more or fewer cards the chances
    /// change in proportion.
    pub cards_a_side: u32,
}

/// Value of a canasta, in addition to its bonus, if the side has too few canastas to go out.
pub(super) const NEEDED: i32 = 150;
/// Further value of a canasta if the side has too few of this kind to go out.
pub(super) const NEEDED_KIND: i32 = 400;
/// Cost of laying a two, which could have completed a canasta later.
pub(super) const TWO: i32 = 70;
/// Cost of laying a joker, which could have completed a canasta later.
pub(super) const JOKER: i32 = 110;
/// Cost of laying a wild in a set while the side needs a wild canasta.
pub(super) const WILD_WANTED: i32 = 150;
/// Value of emptying the hand by melds, so that the foot is played in the same turn.
pub(super) const FOOT_NOW: i32 = 150;
/// Value of emptying the hand with the discard, so that the foot is played from the next turn on.
pub(super) const FOOT_NEXT: i32 = 100;
/// Value of the initial meld.
pub(super) const OPEN: i32 = 140;
/// Further value of the initial meld if opponents have made theirs.
pub(super) const OPEN_BEHIND: i32 = 60;
/// Further value of the initial meld for each card of a pile that becomes easier to take.
pub(super) const OPEN_PILE_CARD: i32 = 8;
/// Number of cards with which a hand can still take piles and build melds; below it each missing card costs
/// `SHRINK`.
pub(super) const ROOMY: i32 = 7;
/// Cost per card below `ROOMY`, for a side that may not go out yet.
pub(super) const SHRINK: i32 = 22;
/// Cost per card below `ROOMY`, for a side that may go out.
pub(super) const SHRINK_READY: i32 = 4;
/// Cost of breaking up a pair while only pairs take the pile, per card of the pile.
pub(super) const PAIR_FOR_PILE: i32 = 5;

/// Value of keeping a card of a rank of which the hand has 0, 1, 2, 3 or more.
pub(super) const KEEP_SET: [i32; 4] = [0, 0, 30, 75];
/// Cost of keeping a card of a rank of which the hand has 0, 1, 2, 3 or more, if three cards held at the end
/// cost a penalty: in thousandths of that penalty.
pub(super) const SHARE_OF_TRIO: [i32; 4] = [0, 20, 60, 250];
/// Value of keeping a natural that fits an own open meld.
pub(super) const KEEP_FOR_MELD: i32 = 60;
/// Value of keeping a natural, per card of the hand that is near it in a sequence.
pub(super) const KEEP_NEIGHBOUR: i32 = 12;
/// The same value while the side needs a sequence to go out.
pub(super) const KEEP_NEIGHBOUR_NEEDED: i32 = 25;
/// Value of keeping a natural that fits an own canasta.
pub(super) const KEEP_FOR_CANASTA: i32 = 10;
/// Value of keeping a black three until the pile is worth blocking.
pub(super) const KEEP_STOPPER: i32 = 25;
/// Maximum chance, in thousandths, that the next seat takes the pile with a discard which is called safe.
pub(super) const SAFE_PERMILLE: i32 = 100;
/// Value of keeping a wild card.
pub(super) const KEEP_WILD: i32 = 400;
/// Value of freezing, per card of the pile.
pub(super) const FREEZE_PILE_CARD: i32 = 24;
/// Value of freezing, per pair held that may then take the pile.
pub(super) const FREEZE_PAIR: i32 = 15;
/// Minimum number of pairs held for which the bot considers freezing.
pub(super) const FREEZE_PAIRS: i32 = 3;

/// Value of going out, before cards are counted.
pub(super) const OUT: i32 = 100;
/// Value of going out, per card in opponents' hands.
pub(super) const OUT_THEIR_CARD: i32 = 9;
/// Cost of going out, per card in mates' hands.
pub(super) const OUT_MATE_CARD: i32 = 13;
/// Maximum cost of the melds with which the bot goes out.
pub(super) const OUT_LOSS: i32 = 300;
/// Minimum number of cards in a mate's hand for which the bot asks before it goes out.
pub(super) const ASK_MATE_CARDS: u16 = 5;
/// Maximum cost of the own hand for which the bot answers yes.
pub(super) const ANSWER_COST: i32 = 130;
/// The same maximum if opponents may soon go out.
pub(super) const ANSWER_COST_THREATENED: i32 = 260;
/// Maximum number of cards in the hand of an opponent, with enough canastas, who may soon go out.
pub(super) const THREAT_CARDS: u16 = 4;
/// Number of cards in the stock at which the round is about to end.
pub(super) const LAST_CARDS: u16 = 6;
