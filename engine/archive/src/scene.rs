//! The facts of a position that predict the next decisions, as small numbers that become contexts.
//!
//! All facts follow from the position alone, so a decoder that has executed the actions before knows the same
//! facts.

use canasta_rules::action::MeldKind;
use canasta_rules::card::{Card, Cards, Class, Rank};
use canasta_rules::seat::{Seat, Side};
use canasta_rules::table::Table;

/// Standing of the melds of a rank.
const NONE: u8 = 0;
const OPEN: u8 = 1;
const COMPLETE: u8 = 2;

pub(super) struct Scene<'a> {
    pub table: &'a Table,
    pub seat: Seat,
    pub side: Side,
    pub hand: Cards,
    /// Number of cards held, by rank.
    pub held: [u8; 14],
    /// Best standing of the own side's melds by rank (none, open, complete), and of the melds of other sides.
    pub own: [u8; 14],
    pub theirs: [u8; 14],
    /// Number of open cards of each rank: in melds and in the pile.
    pub open: [u8; 14],
    pub wilds: u8,
    pub opened: bool,
    pub frozen: bool,
    pub top: Option<Card>,
    pub canastas: u8,
    /// Number of binary digits of the pile's size, at most 7: 0, 1, 2-3, 4-7, 8-15 ... cards.
    pub pile: u32,
    /// Class of the stock's size: 0 none, 1 up to 8 cards, 2 up to 24, 3 more.
    pub stock: u32,
    /// Number of naturals that an own meld takes.
    pub fitting: u8,
    /// Number of ranks with three or more naturals that no own meld takes; `pairs` is the same for two
    /// naturals.
    pub trios: u8,
    pub pairs: u8,
    /// Points of those trios, in fives.
    pub worth: u32,
    /// The minimum of the initial meld, in fives; 0 once the side has opened.
    pub minimum: u32,
    /// Number of binary digits, at most 3, of the smallest hand of another side.
    pub threat: u32,
}

impl<'a> Scene<'a> {
    pub(super) fn of(table: &'a Table, seat: Seat) -> Self {
        let side = table.side_of(seat);
        let hand = *table.hand(seat);
        let held = hand.rank_counts();
        let (mut own, mut theirs, mut open) = ([NONE; 14], [NONE; 14], [0u8; 14]);
        for meld in table.melds() {
            let counts = meld.cards.rank_counts();
            open.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            let Some(rank) = meld.rank.filter(|_| meld.kind == MeldKind::Set) else { continue };
            let stands = if meld.grade(table.set()).is_some() { COMPLETE } else { OPEN };
            let of = if meld.side == side { &mut own } else { &mut theirs };
            of[rank.index()] = of[rank.index()].max(stands);
        }
        table.pile().iter().for_each(|card| open[card.rank().index()] += 1);
        let opened = table.opened(side);
        let (mut fitting, mut trios, mut pairs, mut worth) = (0, 0, 0, 0);
        for rank in Rank::NATURAL {
            let (count, at) = (held[rank.index()], rank.index());
            if own[at] != NONE {
                fitting += count;
            } else if count >= 3 {
                trios += 1;
                worth += u32::from(count) * points(table, rank);
            } else if count == 2 {
                pairs += 1;
            }
        }
        let others = table.seats().filter(|&other| table.side_of(other) != side);
        let least = others.map(|other| table.hand(other).len()).min().unwrap_or(0);
        Self {
            table,
            seat,
            side,
            hand,
            held,
            own,
            theirs,
            open,
            wilds: hand.wilds(),
            opened,
            frozen: !table.frozen(side).is_empty(),
            top: table.pile().last().copied(),
            canastas: table.canastas(side).total,
            pile: log2(table.pile().len() as u32).min(7),
            stock: match table.stock_len() {
                0 => 0,
                1..=8 => 1,
                9..=24 => 2,
                _ => 3,
            },
            fitting,
            trios,
            pairs,
            worth,
            minimum: if opened { 0 } else { (table.minimum(seat).max(0) / 5) as u32 },
            threat: log2(least.into()).min(3),
        }
    }

    /// Returns the value of the pile's top for this side: its class, the number of cards held of its rank,
    /// the own meld of its rank.
    pub(super) fn of_top(&self) -> [u32; 3] {
        let Some(top) = self.top else { return [9, 0, 0] };
        let rank = top.rank().index();
        [class(top), u32::from(self.held[rank].min(3)), u32::from(self.own[rank])]
    }

    /// Returns how the points of the trios compare with the minimum: 0 no trio, 1 below, 2 enough with wilds,
    /// 3 enough.
    pub(super) fn reach(&self) -> u32 {
        match (self.trios, self.worth) {
            (0, _) => 0,
            (_, worth) if worth >= self.minimum => 3,
            (_, worth) if worth + 6 * u32::from(self.wilds) >= self.minimum => 2,
            _ => 1,
        }
    }
}

/// Returns the points of a natural rank, in fives, from its card of the first suit.
fn points(table: &Table, rank: Rank) -> u32 {
    (table.rules().card_points(Card::suited(0, rank)).max(0) / 5) as u32
}

/// Returns the class of a card: 0 natural, 1 wild, 2 red three, 3 black three.
pub(super) fn class(card: Card) -> u32 {
    match card.class() {
        Class::Natural => 0,
        Class::Wild => 1,
        Class::RedThree => 2,
        Class::BlackThree => 3,
    }
}

/// Returns the number of binary digits of a number.
pub(super) fn log2(number: u32) -> u32 {
    u32::BITS - number.leading_zeros()
}
