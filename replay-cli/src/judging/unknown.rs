//! Judging an action in a position of which some cards are unknown: over every way to fill them in, or a sample.

mod separator;
mod ways;
pub mod words;

use crate::judging::irregular::as_it_stands;
use canasta_engine::action::{Action, As};
use canasta_engine::card::{Card, Cards};
use canasta_engine::check::check;
use canasta_engine::known::{HANG_ON_HAND, from_hand};
use canasta_engine::notation::Position;
use canasta_engine::rejection::{Rejection, Violation};
use canasta_engine::seat::Seat;
use canasta_engine::table::SetupFault;
use canasta_engine::violations::Code;
use separator::{Judged, separator};
use std::ops::ControlFlow;
use ways::{CardWay, Sample, Ways};

/// Maximum number of deals that are all counted.
const DEALS_MAX: u128 = 1_000_000;
/// Maximum number of ways that are all judged, however many deals they stand for.
const WAYS_MAX: u64 = 20_000;
/// Number of ways that are taken at random where there are more.
const SAMPLED: u32 = 4_000;

/// One way to fill in the unknown cards, and its refusal.
pub struct Completion {
    pub cards: Vec<Card>,
    pub refused: Option<Rejection>,
}

/// The part of the deals of the unknown cards that make the action legal.
#[derive(Clone, Copy)]
pub enum Share {
    /// All deals are counted.
    Counted { legal: u128, all: u128 },
    /// Estimated from ways taken at random: parts of all deals, with the bounds of a 95 % interval.
    Sampled { part: f64, low: f64, high: f64 },
}

/// The judgements of all ways together.
pub struct PartialAnswer {
    /// Cards that the action names and that the hand may not have.
    pub needs: Vec<Card>,
    pub legal: Option<Completion>,
    pub refused: Option<Completion>,
    /// The one property on which the judgement depends, if there is one.
    pub depends: Option<String>,
    /// The codes that come first in refusals, the most frequent first.
    pub because: Vec<Code>,
    pub share: Share,
    pub tried: u64,
    /// Number of deals of the unknown cards, if it is not too large a number.
    pub deals: Option<u128>,
    /// Whether all ways that make a difference were judged.
    pub all: bool,
    /// The facts to which legal play does not lead, whatever the unknown cards are.
    pub faults: Vec<SetupFault>,
}

/// Judges `action` by `seat` over the ways to fill in the unknown cards.
///
/// # Errors
/// If the position cannot be judged, whatever the unknown cards are: the faults that all ways have in common.
pub fn answer(position: &Position, seat: Seat, action: &Action) -> Result<PartialAnswer, Vec<SetupFault>> {
    let named: Vec<Card> = from_hand(action).to_vec();
    let needs = needed(position, seat, &named);
    let ways = Ways::new(position, seat, action, &named);
    let deals = ways.deals();
    let mut judged = Judgements::new(position, seat, action);
    if position.pool().len() < position.unknown_in_hand(seat) + position.unknown_in_pile() {
        return Err(as_it_stands(position, seat, &[], &[]).1);
    }
    let all = deals.is_some_and(|deals| deals <= DEALS_MAX) || is_short(&ways);
    let mut holding = 1.0;
    if all {
        let _ = ways.each(&mut |way, deals| {
            judged.take(way, deals);
            ControlFlow::Continue(())
        });
    } else {
        holding = judged.sample(&needs);
    }
    let irregular = judged.regular.is_empty();
    let (tally, common) = if irregular { (judged.irregular, judged.common) } else { (judged.regular, None) };
    if tally.is_empty() {
        return Err(common.unwrap_or_default());
    }
    let share = tally.share(all, holding);
    // A draw does not depend on the hand, except where threes wait in it, and most violations do not depend on cards that
    // the action does not name: one way stands for all.
    let is_draw = *action == Action::DrawStock && !position.rules().set().holds_red_threes();
    let certain = (tally.legal.is_none() || is_draw && tally.refused.is_none())
        && position.unknown_in_pile() == 0
        && tally.because.iter().all(|(code, _)| !HANG_ON_HAND.contains(code));
    let all = all || certain;
    let refused = match tally.refused {
        None if !all && !needs.is_empty() => without_needs(position, seat, action, &needs),
        refused => refused,
    };
    let mut because = tally.because;
    because.sort_by_key(|(_, deals)| std::cmp::Reverse(*deals));
    Ok(PartialAnswer {
        depends: separator(&tally.cases),
        because: because.into_iter().map(|(code, _)| code).collect(),
        needs,
        legal: tally.legal,
        refused,
        share,
        tried: tally.tried,
        deals,
        all,
        faults: common.unwrap_or_default(),
    })
}

/// Returns whether there are few enough ways to judge them all.
fn is_short(ways: &Ways) -> bool {
    let mut count = 0;
    ways.each(&mut |_, _| {
        count += 1;
        if count > WAYS_MAX { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .is_continue()
}

/// Returns the cards that an action names and that the hand may not have.
fn needed(position: &Position, seat: Seat, named: &[Card]) -> Vec<Card> {
    let all: Cards = named.iter().copied().collect();
    let missing = |(card, count): (Card, u8)| {
        (card, count.saturating_sub(position.named().hands[seat.index()].count(card)))
    };
    all.kinds().map(missing).flat_map(|(card, count)| std::iter::repeat_n(card, count.into())).collect()
}

/// Returns a way in which the hand lacks the cards that it needs.
fn without_needs(position: &Position, seat: Seat, action: &Action, needs: &[Card]) -> Option<Completion> {
    let other = |card: &Card| position.may_be_held(*card) && !needs.contains(card);
    let slots = position.unknown_in_hand(seat);
    let hand: Vec<Card> = position.pool().iter().filter(other).take(slots.into()).collect();
    let (table, _) = as_it_stands(position, seat, &hand, &[]);
    let refused = check(&table?, As::Seat(seat), action).err();
    refused.is_some().then_some(Completion { cards: hand, refused })
}

struct Judgements<'a> {
    position: &'a Position,
    seat: Seat,
    action: &'a Action,
    /// Ways to which legal play may lead.
    regular: WayTally,
    /// Ways with an irregularity, which count only if no way is without one.
    irregular: WayTally,
    /// The faults that all ways have in common; `None` before the first way with faults.
    common: Option<Vec<SetupFault>>,
}

#[derive(Default)]
struct WayTally {
    tried: u64,
    legal_deals: u128,
    deals: u128,
    legal: Option<Completion>,
    refused: Option<Completion>,
    because: Vec<(Code, u128)>,
    cases: Vec<Judged>,
}

impl<'a> Judgements<'a> {
    fn new(position: &'a Position, seat: Seat, action: &'a Action) -> Self {
        let (regular, irregular) = (WayTally::default(), WayTally::default());
        Self { position, seat, action, regular, irregular, common: None }
    }

    /// Judges ways in which the hand holds `needs`, taken at random. Returns the part of all deals with such a hand.
    fn sample(&mut self, needs: &[Card]) -> f64 {
        let mut sample = Sample::new(self.position, self.seat, needs);
        if sample.holding == 0.0 {
            // The hand cannot hold what it needs: the action is refused.
            sample = Sample::new(self.position, self.seat, &[]);
        }
        for way in (0..SAMPLED).map_while(|_| sample.draw()) {
            self.take(&way, 1);
        }
        sample.holding
    }

    fn take(&mut self, way: &CardWay, deals: u128) {
        let (table, faults) = as_it_stands(self.position, self.seat, &way.hand, &way.pile);
        let is_regular = faults.is_empty();
        match &mut self.common {
            _ if is_regular => {}
            Some(common) => common.retain(|fault| faults.contains(fault)),
            None => self.common = Some(faults),
        }
        let Some(table) = table else { return };
        let tally = if is_regular { &mut self.regular } else { &mut self.irregular };
        tally.take(way, deals, check(&table, As::Seat(self.seat), self.action).err());
    }
}

impl WayTally {
    fn is_empty(&self) -> bool {
        self.tried == 0
    }

    fn take(&mut self, way: &CardWay, deals: u128, refused: Option<Rejection>) {
        self.tried += 1;
        self.deals = self.deals.saturating_add(deals);
        if self.tried <= WAYS_MAX {
            self.cases.push((way.clone(), refused.is_none()));
        } else {
            // Too many ways to look for what separates them.
            self.cases.clear();
        }
        let cards = || way.hand.iter().chain(&way.pile).copied().collect();
        let Some(rejection) = refused else {
            self.legal_deals = self.legal_deals.saturating_add(deals);
            self.legal.get_or_insert_with(|| Completion { cards: cards(), refused: None });
            return;
        };
        match self.because.iter_mut().find(|(code, _)| *code == rejection.code()) {
            Some((_, counted)) => *counted = counted.saturating_add(deals),
            None => self.because.push((rejection.code(), deals)),
        }
        match &mut self.refused {
            Some(Completion { refused: Some(first), .. }) => keep_certain_repairs(first, &rejection),
            _ => self.refused = Some(Completion { cards: cards(), refused: Some(rejection) }),
        }
    }

    /// Returns the part of deals with which the action is legal. `holding` is the part of all deals from which a sample
    /// was taken: with the others the action is refused.
    fn share(&self, all: bool, holding: f64) -> Share {
        if all {
            return Share::Counted { legal: self.legal_deals, all: self.deals };
        }
        // Wilson's interval of 95 %.
        let (n, z) = (self.deals as f64, 1.96);
        let p = self.legal_deals as f64 / n;
        let middle = p + z * z / (2.0 * n);
        let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        let scale = holding / (1.0 + z * z / n);
        let bound = |bound: f64| (bound * scale).clamp(0.0, 1.0);
        Share::Sampled { part: p * holding, low: bound(middle - spread), high: bound(middle + spread) }
    }
}

/// Removes the repairs of the first refusal that another refusal does not have: they depend on unknown cards.
fn keep_certain_repairs(first: &mut Rejection, other: &Rejection) {
    for violation in first.violations.iter_mut().filter(|violation| violation.repair.is_some()) {
        let same = |known: &Violation| known.code == violation.code && known.repair == violation.repair;
        if !other.violations.iter().any(same) {
            violation.repair = None;
        }
    }
}
