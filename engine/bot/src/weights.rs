//! The bot's numbers, in points of the score unless said otherwise.

/// A card from the stock.
pub(super) const DRAW: i32 = 50;
/// Ending the round at an empty stock, against taking a pile.
pub(super) const END_ROUND: i32 = 60;
/// Laying a three.
pub(super) const THREE: i32 = 40;
/// Taking an earned talon.
pub(super) const TALON: i32 = 100;
/// One card of the pile: its points, and what it may become.
pub(super) const PILE_CARD: i32 = 22;

/// How likely a set becomes a canasta that lacks 1, 2, 3 ... cards, in thousandths, where the deck has four cards of
/// the rank for each side.
pub(super) const SET: Chance = Chance { lacking: &[140, 110, 80, 55, 35, 20], cards_a_side: 4 };
/// The same for a meld of wilds, with nine of them for each side.
pub(super) const WILD: Chance = Chance { lacking: &[650, 400, 220, 120], cards_a_side: 9 };
/// The same for a sequence, with ten cards for each side that may lengthen it.
pub(super) const SEQUENCE: Chance = Chance { lacking: &[450, 250, 130, 60], cards_a_side: 10 };
/// The most that a chance grows to with the deck.
pub(super) const SUREST: i32 = 900;

/// The chances to complete a meld.
pub(super) struct Chance {
    /// In thousandths, by the cards that it lacks, from 1.
    pub lacking: &'static [i32],
    /// What they hold for; with more or fewer cards for each side they are in proportion.
    pub cards_a_side: u32,
}

/// A canasta where the side has too few to go out, on top of its bonus.
pub(super) const NEEDED: i32 = 150;
/// A canasta of a kind of which the side has too few to go out, on top of that.
pub(super) const NEEDED_KIND: i32 = 400;
/// A two that is laid and could have completed a canasta later.
pub(super) const TWO: i32 = 70;
/// A joker, likewise.
pub(super) const JOKER: i32 = 110;
/// A wild that is laid in a set while the side needs a wild canasta.
pub(super) const WILD_WANTED: i32 = 150;
/// Emptying the hand, so that the foot is played in the same turn.
pub(super) const FOOT_NOW: i32 = 150;
/// The same with the discard, so that it is played from the next turn on.
pub(super) const FOOT_NEXT: i32 = 100;
/// Making the initial meld.
pub(super) const OPEN: i32 = 140;
/// The same when opponents have made theirs.
pub(super) const OPEN_BEHIND: i32 = 60;
/// For each card of a pile that opening makes easier to take.
pub(super) const OPEN_PILE_CARD: i32 = 8;
/// A hand of so many cards can still take piles and build; below it each card missing costs `SHRINK`.
pub(super) const ROOMY: i32 = 7;
/// See `ROOMY`; for a side without a canasta.
pub(super) const SHRINK: i32 = 22;
/// See `ROOMY`; for a side that may go out.
pub(super) const SHRINK_READY: i32 = 4;
/// A pair broken up while only pairs take the pile, for each card of the pile.
pub(super) const PAIR_FOR_PILE: i32 = 5;

/// Keeping a card of a rank of which the hand has 0, 1, 2, 3 or more.
pub(super) const KEEP_SET: [i32; 4] = [0, 0, 30, 75];
/// Where three held at the end cost: what keeping one of 0, 1, 2, 3 or more costs, in thousandths of that.
pub(super) const SHARE_OF_TRIO: [i32; 4] = [0, 20, 60, 250];
/// Keeping a natural that an own open meld takes.
pub(super) const KEEP_FOR_MELD: i32 = 60;
/// Keeping a natural for each card of the hand that may lie near it in a sequence.
pub(super) const KEEP_NEIGHBOUR: i32 = 12;
/// The same while the side needs a sequence to go out.
pub(super) const KEEP_NEIGHBOUR_NEEDED: i32 = 25;
/// Keeping a natural that an own canasta takes.
pub(super) const KEEP_FOR_CANASTA: i32 = 10;
/// Keeping a black three for a time when the pile is worth stopping.
pub(super) const KEEP_STOPPER: i32 = 25;
/// Keeping a wild card.
pub(super) const KEEP_WILD: i32 = 400;
/// Freezing: for each card of the pile.
pub(super) const FREEZE_PILE_CARD: i32 = 24;
/// Freezing: for each pair held that may then take the pile.
pub(super) const FREEZE_PAIR: i32 = 15;
/// Pairs that make freezing worth a thought.
pub(super) const FREEZE_PAIRS: i32 = 3;

/// Going out, before cards are counted.
pub(super) const OUT: i32 = 100;
/// Going out: for each card in opponents' hands.
pub(super) const OUT_THEIR_CARD: i32 = 9;
/// Going out: for each card in mates' hands.
pub(super) const OUT_MATE_CARD: i32 = 13;
/// Going out by melds that cost more than this is not worth it.
pub(super) const OUT_LOSS: i32 = 300;
/// A mate with so many cards is asked before going out.
pub(super) const ASK_MATE_CARDS: u16 = 5;
/// A mate answers yes if its hand costs no more.
pub(super) const ANSWER_COST: i32 = 130;
/// The same when opponents may soon go out.
pub(super) const ANSWER_COST_THREATENED: i32 = 260;
/// Opponents with a canasta and a hand of at most so many cards may soon go out.
pub(super) const THREAT_CARDS: u16 = 4;
/// With so few cards left the round is about to end.
pub(super) const LAST_CARDS: u16 = 6;
