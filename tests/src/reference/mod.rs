//! The exact set of legal actions, one at a time: a reference for the list of steps, decided by `check` alone.

use batches::Batches;
use canasta_engine::action::{About, Action, CardList, Onto, SpecialHand, TakePile};
use canasta_engine::card::{Card, Cards, Rank};
use canasta_engine::check::permits;
use canasta_engine::legal::{self, actor, canonical, internals};
use canasta_engine::nodes::Nodes;
use canasta_engine::rules::{Merge, PileSteps, WildTop};
use canasta_engine::sequence::Sequence;
use canasta_engine::table::{Meld, Phase, Table};
use undos::Undos;

mod batches;
mod counts;
mod facts;
mod targets;
mod undos;

/// An iterator over every legal action of the seat or role that must act, in [canonical] form, each once.
///
/// The order is that of [`legal::steps`], with all batches in place of the few: `deal`; answers; choices
/// of threes to be laid; draw and end of round; the first step of a take, and its way back; `pass`; parts of
/// loose melds back to the hand; takes of the pile by the top's meld (own ones by id, then a new one), then by
/// `with`, then by `also`; questions; batches of melds; merges; discards by kind. Batches are in the order of
/// their groups: for each target in canonical order, no group comes first, then groups in ascending order of
/// how many clubs, diamonds, hearts and spades of the rank they hold, how many twos of each suit, and how many
/// jokers; for a sequence, of how many cards they hold above those that lie there, and below.
///
/// The iterator holds one action at a time. There may be millions of actions; never collect them.
pub struct All<'a> {
    table: &'a Table,
    plain: std::vec::IntoIter<Action>,
    undos: Option<Undos<'a>>,
    threes: Threes<'a>,
    batches: Option<Batches<'a>>,
    merges: std::vec::IntoIter<Action>,
    discards: Cards,
}

/// Returns the exact set of legal actions of the seat or role that must act; empty if nobody must act.
pub fn all(table: &Table) -> All<'_> {
    let hand = acting_hand(table);
    All {
        table,
        plain: plain(table).into_iter(),
        undos: (!table.is_suspended()).then(|| Undos::new(table)),
        threes: Threes::new(table, &hand, false),
        batches: if table.is_suspended() { None } else { Batches::new(table, hand, false) },
        merges: merges(table).into_iter(),
        discards: if table.phase() == Phase::Play { hand } else { Cards::EMPTY },
    }
}

/// Returns those actions of [`all`] that name exactly these cards of the hand, each card as often as it is
/// given.
pub fn all_within<'a>(table: &'a Table, cards: &Cards) -> All<'a> {
    let hand = acting_hand(table);
    let held = hand.contains(cards);
    let plain = if cards.is_empty() { plain(table) } else { Vec::new() };
    let discards =
        if held && cards.len() == 1 && table.phase() == Phase::Play { *cards } else { Cards::EMPTY };
    let batches = if held { Batches::new(table, *cards, true) } else { None };
    let merges = if cards.is_empty() { merges(table) } else { Vec::new() };
    let threes = Threes::new(table, if held { cards } else { &Cards::EMPTY }, true);
    // An `undo_meld` names cards on the table, not in the hand.
    let undos = (cards.is_empty() && !table.is_suspended()).then(|| Undos::new(table));
    All { table, plain: plain.into_iter(), undos, threes, batches, merges: merges.into_iter(), discards }
}

fn acting_hand(table: &Table) -> Cards {
    match table.phase() {
        _ if table.is_suspended() => Cards::EMPTY,
        Phase::Start | Phase::Play | Phase::Taking => *table.hand(table.turn_seat()),
        _ => Cards::EMPTY,
    }
}

/// Returns the candidates that name no cards.
fn plain(table: &Table) -> Vec<Action> {
    let mut actions: Vec<Action> = Vec::new();
    match table.phase() {
        _ if table.is_suspended() => return legal::steps(table).actions,
        Phase::Deal => return legal::steps(table).actions,
        Phase::Asked => actions.extend([true, false].map(|yes| Action::Answer { yes })),
        Phase::Start => {
            actions.extend(table.round().reveal.map(|of| Action::CallReveal { of }));
            actions.extend([Action::DrawStock, Action::EndRound]);
            if table.set().pile_steps == PileSteps::Two {
                actions.push(Action::TakeTop);
            }
            actions.extend(duties(table));
        }
        Phase::Taking => actions.push(Action::RestorePile),
        Phase::Play => {
            if table.turn().no_discard {
                actions.push(Action::EndRound);
            } else {
                actions.push(Action::Pass);
            }
            let about = About::GoOut;
            actions.extend(table.seats().map(|to| Action::Ask { about, to: Some(to), with: None }));
            actions.push(Action::Ask { about: About::Courtesy, to: None, with: None });
            actions.extend(SpecialHand::ALL.map(Action::SpecialHand));
        }
        Phase::Setup | Phase::RoundOver | Phase::GameOver => {}
    }
    actions
}

/// Returns the candidates that merge two own melds.
fn merges(table: &Table) -> Vec<Action> {
    let mut merges = Vec::new();
    if table.set().merge == Merge::None || table.phase() != Phase::Play {
        return merges;
    }
    let own = || table.melds_of(table.side_of(table.turn_seat()));
    for first in own() {
        let later = own().filter(|m| m.id > first.id && m.kind == first.kind && m.rank == first.rank);
        merges.extend(later.map(|second| Action::MergeMelds { a: first.id, b: second.id }));
    }
    merges
}

impl Iterator for All<'_> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        loop {
            let action = self.candidate()?;
            // The cards of a deal do not come from the table; the deal is judged once they are known.
            if self.table.phase() == Phase::Deal && !self.table.is_suspended() {
                return Some(action);
            }
            if permits(self.table, actor(self.table), &action).is_none() {
                continue;
            }
            // There are several ways to name wilds that overflow, and cards that follow a top; only one is
            // canonical.
            let several = self.table.set().wild_top == WildTop::WildPair || facts::splits(self.table);
            let several = several && matches!(action, Action::TakePile(_));
            // So are several ways to ask the one player who answers.
            let several = several || matches!(action, Action::Ask { .. });
            if !several || canonical(self.table, &action) == action {
                return Some(action);
            }
        }
    }
}

impl All<'_> {
    /// Limits the search to this many steps, after which the iterator gives up. The limit is for large hands,
    /// where millions of illegal batches may lie between two legal ones.
    #[must_use]
    pub fn within_steps(mut self, steps: u64) -> Self {
        if let Some(batches) = &mut self.batches {
            batches.budget = steps;
        }
        self
    }

    /// Whether the iterator gave up, so that batches are missing.
    pub fn is_cut_short(&self) -> bool {
        self.batches.as_ref().is_some_and(|batches| batches.budget == 0)
    }

    fn candidate(&mut self) -> Option<Action> {
        if let Some(action) = self.threes.next().or_else(|| self.plain.next()) {
            return Some(action);
        }
        if let Some(action) = self.undos.as_mut().and_then(Undos::next) {
            return Some(action);
        }
        if let Some(action) = self.batches.as_mut().and_then(Batches::next_batch) {
            return Some(action);
        }
        if let Some(merge) = self.merges.next() {
            return Some(merge);
        }
        let (card, _) = self.discards.kinds().next()?;
        while self.discards.remove(card) {}
        Some(Action::Discard(card))
    }
}

/// An iterator over every choice of threes that may be laid by choice, as canonical actions.
struct Threes<'a> {
    table: &'a Table,
    /// The kinds; of each, how many copies may be named, and how many the current choice names.
    kinds: Vec<(Card, u8, u8)>,
    done: bool,
}

impl<'a> Threes<'a> {
    /// Returns the choices of threes of `within`; if `exact`, only the choice of all its cards.
    fn new(table: &'a Table, within: &Cards, exact: bool) -> Self {
        let playing = matches!(table.phase(), Phase::Start | Phase::Play);
        let mut kinds = Vec::new();
        if playing && table.set().lays_threes_by_choice() {
            let threes = within.kinds().filter(|(card, _)| card.rank() == Rank::Three);
            let named = threes;
            kinds = named.filter(|&(_, count)| count > 0).map(|(card, count)| (card, count, 0)).collect();
        }
        let all = kinds.iter().map(|&(_, count, _)| u16::from(count)).sum::<u16>() == within.len();
        if exact {
            // The state is one step before the end: the next choice is all of them.
            let mut places = kinds.iter_mut();
            if let Some((_, most, named)) = places.next_back() {
                *named = *most - 1;
            }
            places.for_each(|(_, most, named)| *named = *most);
        }
        Self { table, done: kinds.is_empty() || (exact && !all), kinds }
    }
}

impl Iterator for Threes<'_> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        while !self.done {
            let Some(place) = self.kinds.iter().rposition(|&(_, most, named)| named < most) else {
                self.done = true;
                break;
            };
            self.kinds[place].2 += 1;
            self.kinds[place + 1..].iter_mut().for_each(|(.., named)| *named = 0);
            let of_kind = |&(card, _, named): &(Card, u8, u8)| std::iter::repeat_n(card, named.into());
            let named: CardList = self.kinds.iter().flat_map(of_kind).collect();
            let action = canonical(self.table, &Action::LayThrees(named.clone()));
            if matches!(&action, Action::LayThrees(laid) if laid.len() == named.len()) {
                return Some(action);
            }
        }
        None
    }
}

/// Returns the takes that a duty to take the top alone may name; none if there is no such duty.
fn duties(table: &Table) -> impl Iterator<Item = Action> {
    let side = table.side_of(table.turn_seat());
    let top = table.pile().last().copied().filter(|_| internals::yields_top_only(table, &Nodes::default()));
    let receives = move |meld: &&Meld| {
        let grown = |top: Card| Sequence::of_meld(meld).and_then(|sequence| sequence.with(top));
        top.is_some_and(|top| meld.rank == Some(top.rank()) || grown(top).is_some())
    };
    table.melds_of(side).filter(receives).map(|meld| {
        let onto = Onto::Meld { side: None, id: meld.id };
        Action::TakePile(TakePile { onto, ..TakePile::default() })
    })
}
