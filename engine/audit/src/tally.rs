//! A second count of a finished round, from its final table only.
//!
//! The count shares no code with [`canasta_rules::scoring`]. The audit compares both counts with the declared
//! scores, so an error in either count is noticed.

use alloc::vec::Vec;
use canasta_rules::action::{MeldKind, SpecialHand};
use canasta_rules::card::{Cards, Class, Rank};
use canasta_rules::rules::{
    HeldThreesAsLaid, LaidThrees, MeldPoints, NoCanastaScore, RuleSet, ScoreUnit, ThreeSign, ThreeTableUnit,
    ThreeUnit, WildValue,
};
use canasta_rules::seat::{Seat, Side};
use canasta_rules::table::{EndReason, RoundOver, Table};

/// Returns the points of each side, or of each seat if seats score, for the round that has ended. They are
/// counted from the cards on the table and in hands, and from the adjustments of rulings.
pub fn totals(table: &Table, over: RoundOver) -> Vec<i64> {
    let mut totals = match over.reason {
        EndReason::Ruled => alloc::vec![0; usize::from(table.set().unit_count())],
        _ => of_table(table, over),
    };
    for (total, points) in totals.iter_mut().zip(table.rulings().adjustments) {
        *total += i64::from(points);
    }
    totals
}

fn of_table(table: &Table, over: RoundOver) -> Vec<i64> {
    if over.reason == EndReason::Drawn {
        return Vec::new();
    }
    let set = table.set();
    let sides = usize::from(set.side_count);
    let mut totals = alloc::vec![0i64; sides];
    let mut has_meld = alloc::vec![false; sides];
    let mut complete = alloc::vec![0u8; sides];
    let mut melded = alloc::vec![0i64; sides];
    let side_of: Vec<usize> = table.seats().map(|seat| side_of(set, table.lone(), seat)).collect();
    for meld in table.melds() {
        has_meld[meld.side.index()] = true;
        let counts = meld.kind != MeldKind::BlackThrees && is_full(set, meld.kind, meld.cards.len());
        complete[meld.side.index()] += u8::from(counts);
        let substituted = meld.kind == MeldKind::Set && set.wild_value == WildValue::Substituted;
        let points = value(set, &meld.cards) + if substituted { substitution(set, &meld.cards) } else { 0 };
        melded[meld.side.index()] += points;
        totals[meld.side.index()] += points + meld_bonus(set, meld.kind, &meld.cards);
    }
    let (cut, dealt_by) = (table.cut(), side_of[table.dealer().index()]);
    totals[dealt_by] += if cut.hands { i64::from(set.cut_bonus) } else { 0 };
    totals[dealt_by] += if cut.feet { i64::from(set.foot_cut_bonus) } else { 0 };
    for (seat, &side) in table.seats().zip(&side_of) {
        let as_laid = held_as_laid(set, has_meld[side]);
        totals[side] -=
            held_value(set, table.hand(seat), as_laid) + cards_held(set, &table.waiting(seat), as_laid);
        if over.reason == EndReason::WentOut && over.seat == Some(seat) {
            totals[side] += i64::from(set.bonus_out);
            totals[side] += if over.concealed { i64::from(set.bonus_concealed) } else { 0 };
        }
    }
    let mates = |side: usize| -> Vec<Seat> {
        (0..).map(Seat).zip(&side_of).filter(|&(_, of)| *of == side).map(|(seat, _)| seat).collect()
    };
    for side in 0..sides {
        if set.meld_points == MeldPoints::MinusWithoutCanasta && complete[side] == 0 {
            totals[side] -= 2 * melded[side];
        }
    }
    // Numbers of red and black threes in front of these seats, and in their hands if held threes count as laid.
    let laid = |seats: &[Seat]| {
        seats.iter().fold([0, 0], |[red, black], &seat| {
            let side = side_of[seat.index()];
            let held = if held_as_laid(set, has_meld[side]) { *table.hand(seat) } else { Cards::EMPTY };
            let blacks = if set.laid_threes == LaidThrees::Both { held.black_threes() } else { 0 };
            let laid = table.laid(seat);
            [red + laid.red_threes() + held.red_threes(), black + laid.black_threes() + blacks]
        })
    };
    let beaten = |side: usize| {
        let out = over.seat.filter(|_| over.reason == EndReason::WentOut);
        set.three_sign == ThreeSign::BeatenMinus
            && !has_meld[side]
            && out.is_some_and(|seat| side_of[seat.index()] != side)
    };
    let threes = |side: usize, seats: &[Seat]| {
        let value = |seats: &[Seat]| match beaten(side) {
            true => -threes_value(set, laid(seats), true, complete[side]),
            false => threes_value(set, laid(seats), has_meld[side], complete[side]),
        };
        // Black threes that were set aside are always worth what their own table says (CL-117).
        let value = |seats: &[Seat]| value(seats) + entry(&set.black_three_table, laid(seats)[1]);
        match set.three_unit {
            ThreeUnit::Side => value(&mates(side)),
            ThreeUnit::Seat => seats.iter().map(|&seat| value(&[seat])).sum(),
        }
    };
    let special = |side: usize| match (table.round().special, over.seat) {
        (Some(hand), Some(seat)) if side_of[seat.index()] == side => {
            let [straight, pairs, with_wilds, garbage] = set.special_scores.in_order();
            Some(i64::from(match hand {
                SpecialHand::Straight => straight,
                SpecialHand::Pairs if table.hand(seat).wilds() > 0 => with_wilds,
                SpecialHand::Pairs => pairs,
                SpecialHand::Garbage => garbage,
            }))
        }
        _ => None,
    };
    // The score of a side with fewer canastas than required: all its cards, laid or held, count against it.
    let negative = |side: usize| {
        let as_laid = held_as_laid(set, has_meld[side]);
        let cost = |seat: &Seat| {
            cards_held(set, table.hand(*seat), as_laid) + cards_held(set, &table.waiting(*seat), as_laid)
        };
        let held = mates(side).iter().map(cost).sum::<i64>();
        let [red, black] = laid(&mates(side));
        let three = i64::from(set.three_table.first().copied().unwrap_or(0));
        let applies =
            set.no_canasta_score == NoCanastaScore::AllNegative && complete[side] < set.go_out_total;
        applies.then(|| -melded[side] - held - three * i64::from(red + black))
    };
    let back = |side: usize| i64::from(table.restores(Side(side as u8))) * i64::from(set.restore_penalty);
    let scored = |side: usize, seats: &[Seat]| {
        let plain = || negative(side).unwrap_or_else(|| totals[side] + threes(side, seats)) - back(side);
        special(side).unwrap_or_else(plain)
    };
    match set.score_unit {
        ScoreUnit::Side => (0..sides).map(|side| scored(side, &mates(side))).collect(),
        ScoreUnit::Seat => (0..).map(Seat).zip(&side_of).map(|(seat, &side)| scored(side, &[seat])).collect(),
    }
}

/// Returns the side of a seat at the end of the round. If three players' sides have formed, `lone` plays
/// against the other two.
fn side_of(set: &RuleSet, lone: Option<Seat>, seat: Seat) -> usize {
    let others = |lone: Seat| usize::from(lone == Seat(0));
    match lone {
        Some(lone) if lone != seat => others(lone),
        _ => seat.index() % usize::from(set.side_count),
    }
}

fn value(set: &RuleSet, cards: &Cards) -> i64 {
    cards
        .iter()
        .filter(|card| card.class() != Class::RedThree)
        .map(|card| i64::from(set.card_points.of(card)))
        .sum()
}

/// Returns the points by which the wilds of a set count more (or less) as the rank that they stand for
/// (GR-014).
fn substitution(set: &RuleSet, cards: &Cards) -> i64 {
    let natural = cards.iter().find(|card| !card.is_wild()).map_or(0, |card| set.card_points.of(card));
    cards.iter().filter(|card| card.is_wild()).map(|wild| i64::from(natural - set.card_points.of(wild))).sum()
}

/// Returns the cost of a hand: its cards, and the penalty for three or more cards of some ranks.
fn held_value(set: &RuleSet, cards: &Cards, as_laid: bool) -> i64 {
    let trio = |rank: &Rank| cards.rank_count(*rank) >= 3;
    let trios =
        Rank::NATURAL.iter().filter(|rank| trio(rank)).filter_map(|&rank| set.penalty_held_trio.get(rank));
    cards_held(set, cards, as_laid) + trios.map(i64::from).sum::<i64>()
}

/// Returns the cost of the cards of a hand.
fn cards_held(set: &RuleSet, cards: &Cards, as_laid: bool) -> i64 {
    let black = if as_laid && set.laid_threes == LaidThrees::Both { 0 } else { set.held_three_black };
    let red = if as_laid { 0 } else { set.held_three_red };
    let threes =
        i64::from(cards.black_threes()) * i64::from(black) + i64::from(cards.red_threes()) * i64::from(red);
    let others = cards.iter().filter(|c| c.rank() != Rank::Three);
    threes + others.map(|c| i64::from(set.card_points.of(c))).sum::<i64>()
}

fn meld_bonus(set: &RuleSet, kind: MeldKind, cards: &Cards) -> i64 {
    let (size, wilds) = (cards.len(), u16::from(cards.wilds()));
    let natural = cards.iter().find(|card| !card.is_wild()).map(|card| card.rank());
    let full = is_full(set, kind, size);
    let points = match (kind, full) {
        (MeldKind::BlackThrees, _) | (MeldKind::Sequence, false) => 0,
        (MeldKind::Sequence, true) => set.bonus_sequence,
        (MeldKind::Wild, false) => -set.penalty_incomplete.wild().unwrap_or(0),
        (MeldKind::Wild, true) => wild_canasta(set, cards.rank_count(Rank::Joker)),
        (MeldKind::Set, true) if wilds > 0 => {
            natural.and_then(|rank| set.bonus_rank_mixed.get(rank)).unwrap_or(set.bonus_mixed)
        }
        (MeldKind::Set, true) => {
            natural.and_then(|rank| set.bonus_rank.get(rank)).unwrap_or(set.bonus_natural)
        }
        // An incomplete meld of aces is penalised only if it has no wilds.
        (MeldKind::Set, false) if natural == Some(Rank::Ace) && wilds > 0 => 0,
        (MeldKind::Set, false) => -natural.and_then(|rank| set.penalty_incomplete.get(rank)).unwrap_or(0),
    };
    i64::from(points)
}

fn is_full(set: &RuleSet, kind: MeldKind, size: u16) -> bool {
    size >= u16::from(if kind == MeldKind::Sequence { set.sequence_max } else { set.canasta_size })
}

fn wild_canasta(set: &RuleSet, jokers: u8) -> i32 {
    let special = match jokers {
        0 => set.bonus_wild_twos,
        1..=3 => 0,
        _ => set.bonus_wild_jokers,
    };
    if special == 0 { set.bonus_wild } else { special }
}

/// Whether threes in the hands of a side count as laid.
fn held_as_laid(set: &RuleSet, has_meld: bool) -> bool {
    match set.held_threes_as_laid {
        HeldThreesAsLaid::Never => false,
        HeldThreesAsLaid::Unopened => !has_meld,
        HeldThreesAsLaid::Always => true,
    }
}

/// Returns what a table of points has for this many threes.
fn entry(table: &[i32], count: u8) -> i64 {
    let value = usize::from(count).checked_sub(1).and_then(|at| table.get(at));
    value.copied().map_or(0, i64::from)
}

fn threes_value(set: &RuleSet, [red, black]: [u8; 2], has_meld: bool, canastas: u8) -> i64 {
    let table = |count: u8| entry(&set.three_table, count);
    let black = if set.black_three_table.is_empty() { black } else { 0 };
    let value = match set.three_table_unit {
        ThreeTableUnit::All => table(red + black),
        ThreeTableUnit::Colour => table(red) + table(black),
    };
    match set.three_sign {
        ThreeSign::ByCanastas | ThreeSign::OneCanasta if canastas == 0 => -value,
        ThreeSign::ByCanastas if canastas == 1 => 0,
        ThreeSign::UnmeldedMinus if !has_meld => -value,
        ThreeSign::UnmeldedZero if !has_meld => 0,
        ThreeSign::TwoCanastas if canastas < 2 => -value,
        _ => value,
    }
}
