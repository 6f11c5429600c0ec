//! Scoring a round line by line, and the end of the game (ALG-25, ALG-26).

use crate::action::{CardList, MeldKind, SpecialHand};
use crate::card::{Card, Cards, Rank};
use crate::event::Grade;
use crate::facts;
use crate::rules::{MeldPoints, NextDealer, NoCanastaScore, RuleSet, ScoreUnit, Tie};
use crate::seat::{MAX_SEATS, Seat, Side, Unit};
use crate::table::{EndReason, Meld, Phase, Round, RoundOver, Table};
use alloc::vec::Vec;
use smallvec::SmallVec;

mod threes;

/// What a score line is for. The order is that in which lines stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Item {
    MeldedCards = 0,
    NaturalCanastas = 1,
    MixedCanastas = 2,
    WildCanastas = 3,
    SequenceCanastas = 4,
    IncompleteMelds = 5,
    HeldTrios = 6,
    Threes = 7,
    GoingOut = 8,
    Concealed = 9,
    Cut = 10,
    FootCut = 11,
    HandCards = 12,
    FootCards = 13,
    Restores = 14,
    SpecialHand = 15,
    NoCanasta = 16,
    Adjustments = 17,
}

impl Item {
    /// All items, by number.
    pub const ALL: [Self; 18] = [
        Self::MeldedCards,
        Self::NaturalCanastas,
        Self::MixedCanastas,
        Self::WildCanastas,
        Self::SequenceCanastas,
        Self::IncompleteMelds,
        Self::HeldTrios,
        Self::Threes,
        Self::GoingOut,
        Self::Concealed,
        Self::Cut,
        Self::FootCut,
        Self::HandCards,
        Self::FootCards,
        Self::Restores,
        Self::SpecialHand,
        Self::NoCanasta,
        Self::Adjustments,
    ];

    /// The interchange form's word (`melded_cards`).
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 18] = [
            "melded_cards",
            "natural_canastas",
            "mixed_canastas",
            "wild_canastas",
            "sequence_canastas",
            "incomplete_melds",
            "held_trios",
            "threes",
            "going_out",
            "concealed",
            "cut",
            "foot_cut",
            "hand_cards",
            "foot_cards",
            "restores",
            "special_hand",
            "no_canasta",
            "adjustments",
        ];
        NAMES[self as usize]
    }
}

/// One line of a side's score. Lines of zero points are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// What for.
    pub item: Item,
    /// How many, on canastas, threes and incomplete melds.
    pub count: Option<u16>,
    /// Signed points.
    pub points: i32,
}

/// The score of one side (or seat, where scores are kept by seat) for one round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// Lines in the order of [`Item`]; they add up to `total`.
    pub lines: SmallVec<[Line; 6]>,
    /// The round's score.
    pub total: i32,
    /// The score of all rounds, this one included.
    pub cumulative: i32,
}

/// A finished round, scored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundScore {
    /// Number of the round.
    pub number: u16,
    /// How it ended.
    pub over: RoundOver,
    /// Scores before the round.
    pub start_scores: Vec<i32>,
    /// One account a side, or a seat where scores are kept by seat; none for a draw for seats.
    pub accounts: Vec<Account>,
}

/// The result of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The side (or seat) with the best total; `None` if best totals are equal.
    pub winner: Option<Unit>,
    /// Best total minus the second best, 0 for a draw.
    pub margin: i32,
}

/// Scores the round that has ended, without changing anything.
///
/// # Panics
/// If the round is not over.
pub fn score(state: &Table) -> RoundScore {
    let over = state.round.over.expect("a round is scored when it is over");
    let accounts = match state.set().score_unit {
        _ if over.reason == EndReason::Drawn => Vec::new(),
        ScoreUnit::Side => state.sides().map(|side| account(state, side, None, over)).collect(),
        // P3-011, P3-012: what a side scores counts in full for each of its seats.
        ScoreUnit::Seat => {
            state.seats().map(|seat| account(state, state.side_of(seat), Some(seat), over)).collect()
        }
    };
    RoundScore { number: state.round.number, over, start_scores: state.scores().to_vec(), accounts }
}

/// Books the round that has ended: scores move, and the state goes to the next round's register, the
/// cards gathered up, or to the end of the game, whose result is then given.
///
/// # Panics
/// If the round is not over.
pub fn book(state: &mut Table) -> (RoundScore, Option<GameResult>) {
    assert_eq!(state.phase, Phase::RoundOver, "a round is booked once, when it is over");
    let score = score(state);
    for (total, account) in state.scores.iter_mut().zip(&score.accounts) {
        *total = account.cumulative;
    }
    let totals: SmallVec<[i32; MAX_SEATS]> = score.accounts.iter().map(|account| account.total).collect();
    let result = advance(state, score.over, &totals);
    (score, result)
}

/// Ends a deal that is void: the same round is registered again. Points of rulings stay for its next deal.
///
/// # Panics
/// If the round is not over.
pub fn void(state: &mut Table) {
    assert_eq!(state.phase, Phase::RoundOver, "a deal is voided once, when it is over");
    state.round.attempt = state.round.attempt.saturating_add(1);
    if let Some(rulings) = &mut state.rulings {
        rulings.end_round();
    }
    state.phase = Phase::Setup;
    state.gather();
}

/// Books a round by the totals that somebody declares, where it could not be judged.
pub fn book_declared(state: &mut Table, totals: &[i32], over: RoundOver) -> Option<GameResult> {
    for (total, points) in state.scores.iter_mut().zip(totals) {
        *total = total.saturating_add(*points);
    }
    advance(state, over, totals)
}

/// On to the next round's register, or to the end of the game. `totals` are those of the round.
fn advance(state: &mut Table, over: RoundOver, totals: &[i32]) -> Option<GameResult> {
    let result = outcome(state);
    if let Some(rulings) = &mut state.rulings {
        rulings.adjustments = Default::default();
        rulings.end_round();
    }
    if result.is_some() {
        state.phase = Phase::GameOver;
    } else {
        let (number, dealer) = (state.round.number.saturating_add(1), next_dealer(state, totals));
        state.round = Round { over: Some(over), ..Round::new(number, 1, dealer) };
        state.phase = Phase::Setup;
        state.gather();
    }
    result
}

/// The dealer of the next round. The first turn is at his left, so a leader has him at the right; equal
/// totals name no leader, and the deal goes on to the left. Of a side with several seats the one leads that comes
/// first after the last leader.
fn next_dealer(state: &Table, totals: &[i32]) -> Seat {
    let set = state.set();
    if state.round.number == 0 {
        return state.round.dealer;
    }
    let left = state.round.dealer.left(set.seats);
    let leads = match set.next_dealer {
        NextDealer::Left => None,
        NextDealer::LoserLeads => sole(totals, totals.iter().min()),
        NextDealer::WinnerLeads => sole(totals, totals.iter().max()),
        // The next register says.
        NextDealer::Random => None,
    };
    let Some(unit) = leads else { return left };
    let units = set.unit_count();
    let seats = core::iter::successors(Some(left), |seat| Some(seat.left(set.seats)));
    // The last leader is the seat at this dealer's left: it comes last.
    seats.take(usize::from(set.seats)).find(|seat| seat.left(set.seats).0 % units == unit).unwrap_or(left)
}

/// The side, or seat where seats keep the totals, that alone has this total.
fn sole(totals: &[i32], wanted: Option<&i32>) -> Option<u8> {
    let mut having = (0..).zip(totals).filter(|&(_, total)| Some(total) == wanted);
    having.next().map(|(unit, _)| unit).filter(|_| having.next().is_none())
}

/// Whether the game is over now: by its rules, or because a side has forfeited it.
fn outcome(state: &Table) -> Option<GameResult> {
    let by_rules = result(state.set(), state.round.number, state.scores());
    if state.rulings().forfeited == 0 { by_rules } else { Some(standing(state)) }
}

/// Who leads, of the sides that have not forfeited: after the game's end, when rulings may still move totals,
/// this is its result.
pub fn standing(state: &Table) -> GameResult {
    let lost = |unit: usize| state.rulings().forfeited & (1 << unit) != 0;
    let scores = || state.scores().iter().copied().enumerate();
    let best = scores().filter(|&(unit, _)| !lost(unit)).max_by_key(|&(_, total)| total);
    let Some((winner, best)) = best else { return GameResult { winner: None, margin: 0 } };
    let others = || scores().filter(|&(unit, _)| unit != winner);
    if others().any(|(unit, total)| total == best && !lost(unit)) {
        return GameResult { winner: None, margin: 0 };
    }
    let second = others().map(|(_, total)| total).max().unwrap_or(best);
    GameResult { winner: Some(Unit(winner as u8)), margin: (best - second).max(0) }
}

/// CL-108, CL-109: whether the game is over with these totals, and who has won.
pub fn result(set: &RuleSet, round: u16, totals: &[i32]) -> Option<GameResult> {
    let reached = set.target > 0 && totals.iter().any(|&total| total >= set.target);
    let played = set.rounds > 0 && round >= u16::from(set.rounds);
    if !reached && !played {
        return None;
    }
    let best = *totals.iter().max()?;
    let mut leaders = totals.iter().enumerate().filter(|&(_, &total)| total == best);
    let (winner, _) = leaders.next()?;
    if leaders.next().is_some() {
        return (set.tie == Tie::Draw).then_some(GameResult { winner: None, margin: 0 });
    }
    let second = totals.iter().copied().filter(|&total| total != best).max().unwrap_or(best);
    Some(GameResult { winner: Some(Unit(winner as u8)), margin: best - second })
}

struct Ledger(SmallVec<[Line; 6]>);

impl Ledger {
    fn add(&mut self, item: Item, count: Option<u16>, points: i32) {
        if points != 0 {
            self.0.push(Line { item, count, points });
        }
    }
}

/// The account of `side`, or of its `seat` where seats keep the score.
fn account(state: &Table, side: Side, seat: Option<Seat>, over: RoundOver) -> Account {
    let set = state.set();
    let mut ledger = Ledger(SmallVec::new());
    if over.reason == EndReason::Ruled {
        return settle(state, side, seat, ledger);
    }
    if let Some(points) = special_score(state, side, over) {
        // MA-185: nothing else counts.
        ledger.add(Item::SpecialHand, None, points);
        return settle(state, side, seat, ledger);
    }
    let melded: i32 = state.melds_of(side).map(|m| melded_points(state, m)).sum();
    let held: i32 = state.seats_of(side).map(|seat| cost(state, seat, state.hand(seat))).sum();
    let waiting: i32 = state.seats_of(side).map(|seat| cost(state, seat, state.foot(seat))).sum();
    let short = state.canastas(side).total < set.go_out_total;
    let negative = short && set.no_canasta_score == NoCanastaScore::AllNegative;
    if !negative {
        plain_lines(state, side, seat, over, melded, (held, waiting), &mut ledger);
    }
    let restores = state.restores(side);
    ledger.add(Item::Restores, Some(restores), -set.restore_penalty * i32::from(restores));
    if negative {
        // HN-061, clarification 28: this line stands for all others but the restores and what was ruled.
        ledger.add(Item::NoCanasta, None, -(melded + held + waiting + threes::as_cards(state, side)));
    }
    settle(state, side, seat, ledger)
}

/// What is scored where the canastas suffice, or nothing asks for them.
fn plain_lines(
    state: &Table,
    side: Side,
    seat: Option<Seat>,
    over: RoundOver,
    melded: i32,
    (held, waiting): (i32, i32),
    ledger: &mut Ledger,
) {
    let set = state.set();
    let minus = set.meld_points == MeldPoints::MinusWithoutCanasta && state.canastas(side).total == 0;
    ledger.add(Item::MeldedCards, None, if minus { -melded } else { melded });
    canasta_lines(state, side, ledger);
    incomplete_line(state, side, ledger);
    held_trios_line(state, side, ledger);
    threes::line(state, side, seat, over, ledger);
    let out = over.reason == EndReason::WentOut && over.seat.is_some_and(|seat| state.side_of(seat) == side);
    if out {
        ledger.add(Item::GoingOut, None, set.bonus_out);
        ledger.add(Item::Concealed, None, if over.concealed { set.bonus_concealed } else { 0 });
    }
    if state.side_of(state.round.dealer) == side {
        ledger.add(Item::Cut, None, if state.round.cut.hands { set.cut_bonus } else { 0 });
        ledger.add(Item::FootCut, None, if state.round.cut.feet { set.foot_cut_bonus } else { 0 });
    }
    ledger.add(Item::HandCards, None, -held);
    ledger.add(Item::FootCards, None, -waiting);
}

/// What the side of a special hand scores instead of all else (MA-181 to MA-185).
fn special_score(state: &Table, side: Side, over: RoundOver) -> Option<i32> {
    let hand = state.round.special?;
    let seat = over.seat.filter(|&seat| state.side_of(seat) == side)?;
    let scores = &state.set().special_scores;
    Some(match hand {
        SpecialHand::Straight => scores.straight,
        SpecialHand::Pairs if facts::has_wild_pair(state.hand(seat)) => scores.pairs_with_wilds,
        SpecialHand::Pairs => scores.pairs,
        SpecialHand::Garbage => scores.garbage,
    })
}

/// Adds the points of rulings (IR-108): the only line of a round that a forfeit ended, whose cards count for
/// nobody.
fn settle(state: &Table, side: Side, seat: Option<Seat>, mut ledger: Ledger) -> Account {
    let unit = seat.map_or(side.index(), Seat::index);
    ledger.add(Item::Adjustments, None, state.rulings().adjustments[unit]);
    let total = ledger.0.iter().map(|line| line.points).sum();
    Account { lines: ledger.0, total, cumulative: state.scores[unit].saturating_add(total) }
}

fn melded_points(state: &Table, meld: &Meld) -> i32 {
    match meld.rank.filter(|_| meld.kind == MeldKind::Set) {
        Some(rank) => state.rules.points_in_set(rank, &meld.cards.iter().collect::<CardList>()),
        None => points(state, &meld.cards),
    }
}

fn points(state: &Table, cards: &Cards) -> i32 {
    cards.kinds().map(|(card, count)| i32::from(count) * state.rules.card_points(card)).sum()
}

/// What cards that `seat` has not played cost.
fn cost(state: &Table, seat: Seat, cards: &Cards) -> i32 {
    let value = |card: Card| match card.rank() {
        Rank::Three => threes::held(state, seat, card),
        _ => state.rules.card_points(card),
    };
    cards.kinds().map(|(card, count)| i32::from(count) * value(card)).sum()
}

fn canasta_lines(state: &Table, side: Side, ledger: &mut Ledger) {
    let graded = [
        (Grade::Natural, Item::NaturalCanastas),
        (Grade::Mixed, Item::MixedCanastas),
        (Grade::Wild, Item::WildCanastas),
        (Grade::Sequence, Item::SequenceCanastas),
    ];
    for (grade, item) in graded {
        let of_grade = state.melds_of(side).filter(|m| m.grade(state.set()) == Some(grade));
        let (mut count, mut total) = (0, 0);
        for meld in of_grade {
            count += 1;
            total += bonus(state.set(), meld, grade);
        }
        ledger.add(item, Some(count), total);
    }
}

/// What a canasta pays besides its cards.
pub(crate) fn bonus(set: &RuleSet, meld: &Meld, grade: Grade) -> i32 {
    bonus_of(set, meld.rank, grade, meld.cards.count(Card::JOKER))
}

/// The same for a canasta of `rank` with so many jokers.
pub(crate) fn bonus_of(set: &RuleSet, rank: Option<Rank>, grade: Grade, jokers: u8) -> i32 {
    match grade {
        Grade::Natural => rank.and_then(|rank| set.bonus_rank.get(rank)).unwrap_or(set.bonus_natural),
        Grade::Mixed => set.bonus_mixed,
        Grade::Wild => wild_bonus(set, jokers),
        Grade::Sequence => set.bonus_sequence,
    }
}

/// AMB-58: all twos or four jokers may pay another amount; the larger applies.
fn wild_bonus(set: &RuleSet, jokers: u8) -> i32 {
    let or_basic = |points: i32| if points == 0 { set.bonus_wild } else { points };
    let twos = (jokers == 0).then_some(or_basic(set.bonus_wild_twos));
    let four = (jokers >= 4).then_some(or_basic(set.bonus_wild_jokers));
    twos.max(four).unwrap_or(set.bonus_wild)
}

/// MA-163: three or more of some ranks in one hand.
fn held_trios_line(state: &Table, side: Side, ledger: &mut Ledger) {
    let penalties = &state.set().penalty_held_trio;
    if penalties.is_empty() {
        return;
    }
    let hands = state.seats_of(side).map(|seat| state.hand(seat).rank_counts());
    let (mut count, mut total) = (0, 0);
    for counts in hands {
        for rank in Rank::NATURAL.into_iter().filter(|rank| counts[rank.index()] >= 3) {
            if let Some(points) = penalties.get(rank) {
                count += 1;
                total -= points;
            }
        }
    }
    ledger.add(Item::HeldTrios, Some(count), total);
}

fn incomplete_line(state: &Table, side: Side, ledger: &mut Ledger) {
    let set = state.set();
    let (mut count, mut total) = (0, 0);
    for meld in state.melds_of(side).filter(|m| m.grade(set).is_none()) {
        let penalty = match (meld.kind, meld.rank) {
            (MeldKind::Wild, _) => set.penalty_incomplete.wild(),
            (MeldKind::Set, Some(Rank::Ace)) if meld.wilds() > 0 => None,
            (MeldKind::Set, Some(rank)) => set.penalty_incomplete.get(rank),
            _ => None,
        };
        if let Some(points) = penalty {
            count += 1;
            total -= points;
        }
    }
    ledger.add(Item::IncompleteMelds, Some(count), total);
}
