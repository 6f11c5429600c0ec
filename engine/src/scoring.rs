//! Scoring a round line by line, and the end of the game (ALG-25, ALG-26).

use crate::action::MeldKind;
use crate::card::{Card, Cards, Rank};
use crate::event::Grade;
use crate::rules::{NextDealer, RuleSet, ThreeSign, Tie};
use crate::seat::Side;
use crate::state::{EndReason, Meld, Phase, Round, RoundOver, State};
use alloc::vec::Vec;
use smallvec::SmallVec;

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
    /// One account a side.
    pub accounts: Vec<Account>,
}

/// The result of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The side with the best total; `None` if best totals are equal.
    pub winner: Option<Side>,
    /// Best total minus the second best, 0 for a draw.
    pub margin: i32,
}

/// Scores the round that has ended, without changing anything.
///
/// # Panics
/// If the round is not over.
pub fn score(state: &State) -> RoundScore {
    let over = state.round.over.expect("a round is scored when it is over");
    let accounts = state.sides().map(|side| account(state, side, over)).collect();
    RoundScore { number: state.round.number, over, start_scores: state.scores().to_vec(), accounts }
}

/// Books the round that has ended: scores move, and the state goes to the next round's register, the
/// cards gathered up, or to the end of the game, whose result is then given.
///
/// # Panics
/// If the round is not over.
pub fn book(state: &mut State) -> (RoundScore, Option<GameResult>) {
    assert_eq!(state.phase, Phase::RoundOver, "a round is booked once, when it is over");
    let score = score(state);
    for (total, account) in state.scores.iter_mut().zip(&score.accounts) {
        *total = account.cumulative;
    }
    let result = advance(state, score.over);
    (score, result)
}

/// Books a round by the totals that somebody declares, where it could not be judged.
pub(crate) fn book_declared(state: &mut State, totals: &[i32], over: RoundOver) -> Option<GameResult> {
    for (total, points) in state.scores.iter_mut().zip(totals) {
        *total = total.saturating_add(*points);
    }
    advance(state, over)
}

/// On to the next round's register, or to the end of the game.
fn advance(state: &mut State, over: RoundOver) -> Option<GameResult> {
    let result = result(state.set(), state.round.number, state.scores());
    if result.is_some() {
        state.phase = Phase::GameOver;
    } else {
        let (number, dealer) = (state.round.number.saturating_add(1), next_dealer(state));
        state.round = Round { over: Some(over), ..Round::new(number, 1, dealer) };
        state.phase = Phase::Setup;
        state.gather();
    }
    result
}

fn next_dealer(state: &State) -> crate::seat::Seat {
    debug_assert_eq!(state.set().next_dealer, NextDealer::Left);
    state.round.dealer.left(state.set().seats)
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
    Some(GameResult { winner: Some(Side(winner as u8)), margin: best - second })
}

struct Ledger(SmallVec<[Line; 6]>);

impl Ledger {
    fn add(&mut self, item: Item, count: Option<u16>, points: i32) {
        if points != 0 {
            self.0.push(Line { item, count, points });
        }
    }
}

fn account(state: &State, side: Side, over: RoundOver) -> Account {
    let set = state.set();
    let mut ledger = Ledger(SmallVec::new());
    let melded: i32 = state.melds_of(side).map(|m| points(state, &m.cards)).sum();
    ledger.add(Item::MeldedCards, None, melded);
    canasta_lines(state, side, &mut ledger);
    incomplete_line(state, side, &mut ledger);
    threes_line(state, side, &mut ledger);
    let out = over.reason == EndReason::WentOut && over.seat.is_some_and(|seat| state.side_of(seat) == side);
    if out {
        ledger.add(Item::GoingOut, None, set.bonus_out);
        ledger.add(Item::Concealed, None, if over.concealed { set.bonus_concealed } else { 0 });
    }
    let held: i32 = state.seats_of(side).map(|seat| points(state, state.hand(seat))).sum();
    ledger.add(Item::HandCards, None, -held);

    let total = ledger.0.iter().map(|line| line.points).sum();
    Account { lines: ledger.0, total, cumulative: state.scores[side.index()].saturating_add(total) }
}

fn points(state: &State, cards: &Cards) -> i32 {
    cards.kinds().map(|(card, count)| i32::from(count) * state.rules.card_points(card)).sum()
}

fn canasta_lines(state: &State, side: Side, ledger: &mut Ledger) {
    let graded = [
        (Grade::Natural, Item::NaturalCanastas),
        (Grade::Mixed, Item::MixedCanastas),
        (Grade::Wild, Item::WildCanastas),
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

fn bonus(set: &RuleSet, meld: &Meld, grade: Grade) -> i32 {
    match grade {
        Grade::Natural => meld.rank.and_then(|rank| set.bonus_rank.get(rank)).unwrap_or(set.bonus_natural),
        Grade::Mixed => set.bonus_mixed,
        Grade::Wild => wild_bonus(set, &meld.cards),
        Grade::Sequence => set.bonus_sequence,
    }
}

/// AMB-58: all twos or four jokers may pay another amount; the larger applies.
fn wild_bonus(set: &RuleSet, cards: &Cards) -> i32 {
    let or_basic = |points: i32| if points == 0 { set.bonus_wild } else { points };
    let jokers = cards.count(Card::JOKER);
    let twos = (jokers == 0).then_some(or_basic(set.bonus_wild_twos));
    let four = (jokers >= 4).then_some(or_basic(set.bonus_wild_jokers));
    twos.max(four).unwrap_or(set.bonus_wild)
}

fn incomplete_line(state: &State, side: Side, ledger: &mut Ledger) {
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

/// CL-103 to CL-105.
fn threes_line(state: &State, side: Side, ledger: &mut Ledger) {
    let set = state.set();
    let count: u16 = state.seats_of(side).map(|seat| state.laid(seat).len()).sum();
    let Some(&value) = usize::from(count).checked_sub(1).and_then(|i| set.three_table.get(i)) else { return };
    let melded = state.melds_of(side).next().is_some();
    let points = match set.three_sign {
        _ if melded => value,
        ThreeSign::UnmeldedMinus => -value,
        ThreeSign::UnmeldedZero => 0,
        _ => value,
    };
    ledger.add(Item::Threes, Some(count), points);
}
