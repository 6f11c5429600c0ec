//! The score of a round, line by line, and the end of the game (ALG-25, ALG-26).

use crate::action::{CardList, MeldKind};
use crate::card::{Card, Cards, Rank};
use crate::event::Grade;
use crate::rules::{MeldPoints, NextDealer, NoCanastaScore, RuleSet, ScoreUnit, Tie};
use crate::seat::{SEATS_MAX, Seat, Side, Unit};
use crate::table::{EndReason, Meld, Phase, Round, RoundOver, Table};
use alloc::vec::Vec;
use smallvec::SmallVec;

mod item;
mod payable;
mod special;
pub(crate) mod threes;
mod worth;

pub use item::{Item, Line, SCORE_ITEMS};
pub(crate) use payable::is_sum;
pub use payable::{NotPaid, WrittenRound, may_score, not_paid};
pub(crate) use special::special_scores;
pub use worth::{ItemWorth, worths};

/// The kinds of canastas with their items, in the order of the lines.
const GRADED: [(Grade, Item); 4] = [
    (Grade::Natural, Item::NaturalCanastas),
    (Grade::Mixed, Item::MixedCanastas),
    (Grade::Wild, Item::WildCanastas),
    (Grade::Sequence, Item::SequenceCanastas),
];

/// The score of one side (or of one seat, if scores are kept by seat) for one round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// Lines in the order of [`Item`]; they add up to `total`.
    pub lines: SmallVec<[Line; 6]>,
    /// The round's score.
    pub total: i32,
    /// The score of all rounds, including this round.
    pub cumulative: i32,
}

/// The score of a finished round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundScore {
    /// The number of the round.
    pub number: u16,
    /// The end of the round.
    pub over: RoundOver,
    /// Scores before the round.
    pub start_scores: Vec<i32>,
    /// One account per side, or per seat if scores are kept by seat; empty for a draw for seats.
    pub accounts: Vec<Account>,
}

/// The result of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The side (or seat) with the best total; `None` if the best totals are equal.
    pub winner: Option<Unit>,
    /// Best total minus the second best, 0 for a draw.
    pub margin: i32,
}

/// Returns the score of the round that has ended, without changing anything.
///
/// # Panics
/// If the round is not over.
pub fn score(table: &Table) -> RoundScore {
    let over = table.round.over.expect("a round is scored when it is over");
    let accounts = match table.set().score_unit {
        _ if over.reason == EndReason::Drawn => Vec::new(),
        ScoreUnit::Side => table.sides().map(|side| account(table, side, None, over)).collect(),
        // P3-011, P3-012: the score of a side counts in full for each of its seats.
        ScoreUnit::Seat => {
            table.seats().map(|seat| account(table, table.side_of(seat), Some(seat), over)).collect()
        }
    };
    RoundScore { number: table.round.number, over, start_scores: table.scores().to_vec(), accounts }
}

/// Returns the score of each side (or seat, if scores are kept by seat) as if the round ended now, nobody went out and nobody
/// held a card: what lies on the table, which everybody sees. Empty if no round is being played.
pub fn on_table(table: &Table) -> Vec<Account> {
    if !table.is_dealt() {
        return Vec::new();
    }
    let mut bare = table.clone();
    bare.hands = [Cards::EMPTY; SEATS_MAX];
    bare.feet = Table::no_feet(&bare.rules);
    bare.round.over = Some(RoundOver::without_seat(EndReason::StockExhausted));
    score(&bare).accounts
}

/// Books the round that has ended: adds its score to the totals. The state then expects the next round's register,
/// with no card on the table, or the game is over. Returns the score, and the result if the game is over.
///
/// # Panics
/// If the round is not over.
pub fn book(table: &mut Table) -> (RoundScore, Option<GameResult>) {
    assert_eq!(table.phase, Phase::RoundOver, "a round is booked once, when it is over");
    let score = score(table);
    for (total, account) in table.scores.iter_mut().zip(&score.accounts) {
        *total = account.cumulative;
    }
    let totals: SmallVec<[i32; SEATS_MAX]> = score.accounts.iter().map(|account| account.total).collect();
    let result = advance(table, score.over, &totals);
    (score, result)
}

/// Ends a deal that is void: the same round is registered again. Points of rulings stay for its next deal.
///
/// # Panics
/// If the round is not over.
pub fn void(table: &mut Table) {
    assert_eq!(table.phase, Phase::RoundOver, "a deal is voided once, when it is over");
    table.round.attempt = table.round.attempt.saturating_add(1);
    if let Some(rulings) = &mut table.rulings {
        rulings.end_round();
    }
    table.phase = Phase::Setup;
    table.gather();
}

/// Books a round that could not be judged by declared totals. Returns the result if the game is then over.
pub fn book_declared(table: &mut Table, totals: &[i32], over: RoundOver) -> Option<GameResult> {
    for (total, points) in table.scores.iter_mut().zip(totals) {
        *total = total.saturating_add(*points);
    }
    advance(table, over, totals)
}

/// Moves on to the next round's register, or to the end of the game. `totals` are the scores of the round.
fn advance(table: &mut Table, over: RoundOver, totals: &[i32]) -> Option<GameResult> {
    let result = outcome(table);
    if let Some(rulings) = &mut table.rulings {
        rulings.adjustments = Default::default();
        rulings.end_round();
    }
    if result.is_some() {
        table.phase = Phase::GameOver;
    } else {
        let (number, dealer) = (table.round.number.saturating_add(1), next_dealer(table, totals));
        table.round = Round { over: Some(over), ..Round::new(number, 1, dealer) };
        table.phase = Phase::Setup;
        table.gather();
    }
    result
}

/// Returns the next dealer: the seat at the right of the leader, or if totals are equal (no leader) the seat at the
/// left of the last dealer. If a side with several seats leads, its leader is the seat that comes first after the last
/// leader.
fn next_dealer(table: &Table, totals: &[i32]) -> Seat {
    let set = table.set();
    if table.round.number == 0 {
        return table.round.dealer;
    }
    let left = table.round.dealer.left(set.seats);
    let leads = match set.next_dealer {
        NextDealer::Left => None,
        NextDealer::LoserLeads => sole(totals, totals.iter().min()),
        NextDealer::WinnerLeads => sole(totals, totals.iter().max()),
        // The next register names the dealer.
        NextDealer::Random => None,
    };
    let Some(unit) = leads else { return left };
    let units = set.unit_count();
    let seats = core::iter::successors(Some(left), |seat| Some(seat.left(set.seats)));
    // The last leader is the seat at the left of this dealer, so that seat comes last.
    seats.take(usize::from(set.seats)).find(|seat| seat.left(set.seats).0 % units == unit).unwrap_or(left)
}

/// Returns the side, or seat if seats keep the totals, that alone has the total `wanted`.
fn sole(totals: &[i32], wanted: Option<&i32>) -> Option<u8> {
    let mut having = (0..).zip(totals).filter(|&(_, total)| Some(total) == wanted);
    having.next().map(|(unit, _)| unit).filter(|_| having.next().is_none())
}

/// Returns the result if the game is over now: by its rules, or because a side has forfeited it.
fn outcome(table: &Table) -> Option<GameResult> {
    let by_rules = result(table.set(), table.round.number, table.scores());
    if table.rulings().forfeited == 0 { by_rules } else { Some(standing(table)) }
}

/// Returns the leader among the sides that have not forfeited, and the margin to the best other total. After the
/// game's end this is the result of the game, which rulings may still change.
pub fn standing(table: &Table) -> GameResult {
    leader(table.scores(), |unit| table.rulings().forfeited & (1 << unit) != 0)
}

/// Returns the result if the game is over with these totals (CL-108, CL-109).
pub fn result(set: &RuleSet, round: u16, totals: &[i32]) -> Option<GameResult> {
    let reached = set.target > 0 && totals.iter().any(|&total| total >= set.target);
    let played = set.rounds > 0 && round >= u16::from(set.rounds);
    let result = leader(totals, |_| false);
    ((reached || played) && (result.winner.is_some() || set.tie == Tie::Draw)).then_some(result)
}

fn leader(totals: &[i32], lost: impl Fn(usize) -> bool) -> GameResult {
    let scores = || totals.iter().copied().enumerate();
    let best = scores().filter(|&(unit, _)| !lost(unit)).max_by_key(|&(_, total)| total);
    let Some((winner, best)) = best else { return GameResult { winner: None, margin: 0 } };
    let others = || scores().filter(|&(unit, _)| unit != winner);
    if others().any(|(unit, total)| total == best && !lost(unit)) {
        return GameResult { winner: None, margin: 0 };
    }
    let second = others().map(|(_, total)| total).max().unwrap_or(best);
    GameResult { winner: Some(Unit(winner as u8)), margin: (best - second).max(0) }
}

struct Ledger(SmallVec<[Line; 6]>);

impl Ledger {
    fn add(&mut self, item: Item, count: Option<u16>, points: i32) {
        if points != 0 {
            self.0.push(Line { item, count, points });
        }
    }
}

/// Returns the account of `side`, or of its `seat` if seats keep the score.
fn account(table: &Table, side: Side, seat: Option<Seat>, over: RoundOver) -> Account {
    let set = table.set();
    let mut ledger = Ledger(SmallVec::new());
    if over.reason == EndReason::Ruled {
        return settle(table, side, seat, ledger);
    }
    if let Some(points) = special::score(table, side, over) {
        // MA-185: nothing else counts.
        ledger.add(Item::SpecialHand, None, points);
        return settle(table, side, seat, ledger);
    }
    let melded: i32 = table.melds_of(side).map(|m| melded_points(table, m)).sum();
    let held: i32 = table.seats_of(side).map(|seat| cost(table, seat, table.hand(seat))).sum();
    let waiting: i32 = table.seats_of(side).map(|seat| cost(table, seat, &table.waiting(seat))).sum();
    let negative = counts_against(table, side);
    if !negative {
        plain_lines(table, side, seat, over, melded, (held, waiting), &mut ledger);
    }
    let restores = table.restores(side);
    ledger.add(Item::Restores, Some(restores), -set.restore_penalty * i32::from(restores));
    if negative {
        // HN-061, clarification 28: this line replaces all others except restores and rulings.
        ledger.add(Item::NoCanasta, None, -(melded + held + waiting + threes::as_cards(table, side)));
    }
    settle(table, side, seat, ledger)
}

/// Returns the line of the threes of `side`, or of its `seat` if seats keep the score.
pub(crate) fn three_line(table: &Table, side: Side, seat: Option<Seat>, over: RoundOver) -> Line {
    let mut ledger = Ledger(SmallVec::new());
    threes::line(table, side, seat, over, &mut ledger);
    ledger.0.first().copied().unwrap_or(Line { item: Item::Threes, count: Some(0), points: 0 })
}

/// Whether all cards of `side` count against it, because it has fewer canastas than required (HN-061).
pub(crate) fn counts_against(table: &Table, side: Side) -> bool {
    let short = table.canastas(side).total < table.set().go_out_total;
    short && table.set().no_canasta_score == NoCanastaScore::AllNegative
}

/// Adds the lines of a side that has enough canastas, or does not need any.
fn plain_lines(
    table: &Table,
    side: Side,
    seat: Option<Seat>,
    over: RoundOver,
    melded: i32,
    (held, waiting): (i32, i32),
    ledger: &mut Ledger,
) {
    let set = table.set();
    let minus = set.meld_points == MeldPoints::MinusWithoutCanasta && table.canastas(side).total == 0;
    ledger.add(Item::MeldedCards, None, if minus { -melded } else { melded });
    canasta_lines(table, side, ledger);
    incomplete_line(table, side, ledger);
    held_trios_line(table, side, ledger);
    threes::line(table, side, seat, over, ledger);
    let out = over.reason == EndReason::WentOut && over.seat.is_some_and(|seat| table.side_of(seat) == side);
    if out {
        ledger.add(Item::GoingOut, None, set.bonus_out);
        ledger.add(Item::Concealed, None, if over.concealed { set.bonus_concealed } else { 0 });
    }
    if table.side_of(table.round.dealer) == side {
        ledger.add(Item::Cut, None, if table.round.cut.hands { set.cut_bonus } else { 0 });
        ledger.add(Item::FootCut, None, if table.round.cut.feet { set.foot_cut_bonus } else { 0 });
    }
    ledger.add(Item::HandCards, None, -held);
    ledger.add(Item::FootCards, None, -waiting);
}

/// Adds the points of rulings (IR-108). They are the only line of a round that a forfeit ended, because its cards
/// count for nobody.
fn settle(table: &Table, side: Side, seat: Option<Seat>, mut ledger: Ledger) -> Account {
    let unit = seat.map_or(side.index(), Seat::index);
    ledger.add(Item::Adjustments, None, table.rulings().adjustments[unit]);
    let total = ledger.0.iter().map(|line| line.points).sum();
    Account { lines: ledger.0, total, cumulative: table.scores[unit].saturating_add(total) }
}

pub(crate) fn melded_points(table: &Table, meld: &Meld) -> i32 {
    match meld.rank.filter(|_| meld.kind == MeldKind::Set) {
        Some(rank) => table.rules.points_in_set(rank, &meld.cards.iter().collect::<CardList>()),
        None => points(table, &meld.cards),
    }
}

fn points(table: &Table, cards: &Cards) -> i32 {
    cards.kinds().map(|(card, count)| i32::from(count) * table.rules.card_points(card)).sum()
}

/// Returns the cost of cards that `seat` has not played.
pub(crate) fn cost(table: &Table, seat: Seat, cards: &Cards) -> i32 {
    let value = |card: Card| match card.rank() {
        Rank::Three => threes::held(table, seat, card),
        _ => table.rules.card_points(card),
    };
    cards.kinds().map(|(card, count)| i32::from(count) * value(card)).sum()
}

fn canasta_lines(table: &Table, side: Side, ledger: &mut Ledger) {
    for (grade, item) in GRADED {
        let of_grade = table.melds_of(side).filter(|m| m.grade(table.set()) == Some(grade));
        let (mut count, mut total) = (0, 0);
        for meld in of_grade {
            count += 1;
            total += bonus(table.set(), meld, grade);
        }
        ledger.add(item, Some(count), total);
    }
}

/// Returns the bonus of a canasta, which is paid in addition to its cards.
pub(crate) fn bonus(set: &RuleSet, meld: &Meld, grade: Grade) -> i32 {
    bonus_of(set, meld.rank, grade, meld.cards.count(Card::JOKER))
}

/// Returns the bonus of a canasta of `rank` with this number of jokers.
pub fn bonus_of(set: &RuleSet, rank: Option<Rank>, grade: Grade, jokers: u8) -> i32 {
    match grade {
        Grade::Natural => rank.and_then(|rank| set.bonus_rank.get(rank)).unwrap_or(set.bonus_natural),
        Grade::Mixed => rank.and_then(|rank| set.bonus_rank_mixed.get(rank)).unwrap_or(set.bonus_mixed),
        Grade::Wild => wild_bonus(set, jokers),
        Grade::Sequence => set.bonus_sequence,
    }
}

/// Returns the bonus of a wild canasta. All twos, or four jokers, may pay another amount; the larger applies (AMB-58).
fn wild_bonus(set: &RuleSet, jokers: u8) -> i32 {
    let or_basic = |points: i32| if points == 0 { set.bonus_wild } else { points };
    let twos = (jokers == 0).then_some(or_basic(set.bonus_wild_twos));
    let four = (jokers >= 4).then_some(or_basic(set.bonus_wild_jokers));
    twos.max(four).unwrap_or(set.bonus_wild)
}

/// Adds the penalty for three or more cards of some ranks in one hand (MA-163).
fn held_trios_line(table: &Table, side: Side, ledger: &mut Ledger) {
    let penalties = &table.set().penalty_held_trio;
    if penalties.is_empty() {
        return;
    }
    let hands = table.seats_of(side).map(|seat| table.hand(seat).rank_counts());
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

fn incomplete_line(table: &Table, side: Side, ledger: &mut Ledger) {
    let set = table.set();
    let (mut count, mut total) = (0, 0);
    for meld in table.melds_of(side).filter(|m| m.grade(set).is_none()) {
        if let Some(points) = incomplete_penalty(set, meld.kind, meld.rank, meld.wilds()) {
            count += 1;
            total -= points;
        }
    }
    ledger.add(Item::IncompleteMelds, Some(count), total);
}

/// Returns the penalty of a meld that stays short of a canasta (MA-160); `None` if it has none.
pub fn incomplete_penalty(set: &RuleSet, kind: MeldKind, rank: Option<Rank>, wilds: u8) -> Option<i32> {
    match (kind, rank) {
        (MeldKind::Wild, _) => set.penalty_incomplete.wild(),
        // An incomplete meld of aces costs only if it has no wilds.
        (MeldKind::Set, Some(Rank::Ace)) if wilds > 0 => None,
        (MeldKind::Set, Some(rank)) => set.penalty_incomplete.get(rank),
        _ => None,
    }
}
