//! What of a position tells how play goes on: small numbers that decisions are asked in.
//!
//! Everything here follows from the position alone, so a reader that has executed the actions before has it too.

use canasta_rules::action::MeldKind;
use canasta_rules::card::{Card, Cards, Class, Rank};
use canasta_rules::seat::{Seat, Side};
use canasta_rules::table::Table;

/// How a meld of some rank stands.
const NONE: u8 = 0;
const OPEN: u8 = 1;
const COMPLETE: u8 = 2;

pub(super) struct Scene<'a> {
    pub table: &'a Table,
    pub seat: Seat,
    pub side: Side,
    pub hand: Cards,
    /// Cards held, by rank.
    pub held: [u8; 14],
    /// The own side's melds, and the best of the others', by rank: none, open, complete.
    pub own: [u8; 14],
    pub theirs: [u8; 14],
    /// Cards of each rank that lie open: in melds and in the pile.
    pub open: [u8; 14],
    pub wilds: u8,
    pub opened: bool,
    pub frozen: bool,
    pub top: Option<Card>,
    pub canastas: u8,
    /// 0..7: cards in the pile, 0 1 2-3 4-7 8-15 ...
    pub pile: u32,
    /// 0..3: cards in the stock: none, up to 8, up to 24, more.
    pub stock: u32,
    /// Naturals that an own meld takes.
    pub fitting: u8,
    /// Ranks of three naturals or more that no own meld takes, of two.
    pub trios: u8,
    pub pairs: u8,
    /// What those trios are worth, in fives.
    pub worth: u32,
    /// The minimum of the initial meld, in fives; 0 once the side has opened.
    pub minimum: u32,
    /// The fewest cards in a hand of another side: 0..3.
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

    /// What the top of the pile is to this side: its class, how many of its rank are held, the own meld of it.
    pub(super) fn of_top(&self) -> [u32; 3] {
        let Some(top) = self.top else { return [9, 0, 0] };
        let rank = top.rank().index();
        [class(top), u32::from(self.held[rank].min(3)), u32::from(self.own[rank])]
    }

    /// Whether what the trios are worth reaches the minimum: 0 no trio, 1 no, 2 with wilds, 3 yes.
    pub(super) fn reach(&self) -> u32 {
        match (self.trios, self.worth) {
            (0, _) => 0,
            (_, worth) if worth >= self.minimum => 3,
            (_, worth) if worth + 6 * u32::from(self.wilds) >= self.minimum => 2,
            _ => 1,
        }
    }
}

/// The points of a natural rank, in fives, as most rule sets have them.
fn points(table: &Table, rank: Rank) -> u32 {
    (table.rules().card_points(Card::suited(0, rank)).max(0) / 5) as u32
}

/// 0 natural, 1 wild, 2 red three, 3 black three.
pub(super) fn class(card: Card) -> u32 {
    match card.class() {
        Class::Natural => 0,
        Class::Wild => 1,
        Class::RedThree => 2,
        Class::BlackThree => 3,
    }
}

/// How many binary digits a number has.
pub(super) fn log2(number: u32) -> u32 {
    u32::BITS - number.leading_zeros()
}
