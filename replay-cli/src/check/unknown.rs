//! Judging a position that is known in part: tries every way to fill in its cards, or a sample of the ways.

use super::known::PartialPosition;
use crate::text::{cannot_arise, rank};
use anyhow::{bail, ensure};
use canasta_engine::action::{Action, As};
use canasta_engine::card::{Card, Rank};
use canasta_engine::check::check;
use canasta_engine::rejection::{Rejection, Violation};
use canasta_engine::seat::Seat;
use canasta_engine::table::SetupFault;

/// Maximum number of ways that are tried one by one; of more ways, a random sample is tried.
const WAYS_MAX: usize = 20_000;
const SAMPLED: usize = 4_000;

/// One way to fill in the unknown cards, and its judgement.
pub struct Completion {
    pub cards: Vec<Card>,
    pub refused: Option<Rejection>,
}

/// The judgements of all ways together.
pub struct CheckAnswer {
    /// Cards that the action names and that the hand may not have.
    pub needs: Vec<Card>,
    pub legal: Option<Completion>,
    pub refused: Option<Completion>,
    /// The one property on which the judgement depends, if there is one.
    pub depends: Option<String>,
    pub tried: u64,
    /// Whether all ways that make a difference were tried.
    pub all: bool,
}

/// Judges `action` by `seat` over the ways to fill in the unknown cards.
///
/// # Errors
/// If no way gives a position that can arise.
pub fn answer(known: &PartialPosition, seat: Seat, action: &Action) -> anyhow::Result<CheckAnswer> {
    let free = known.free(seat);
    let needs = needed(known, seat, action);
    let slots = known.unknown_hand[seat.index()];
    // The hand holds the named cards, or the action is refused: the other cards are tried with these in the hand.
    let holds = needs.len() <= slots && contains(&free, &needs);
    let fixed: &[Card] = if holds { &needs } else { &[] };
    let shape = Shape { hand: slots - fixed.len(), pile: known.unknown_pile.len() };
    let rest = without(&free, fixed);
    let (ways, all) = ways(&rest, shape, &representatives(&rest, known, action));
    let (mut cases, mut common) = (Vec::new(), None::<Vec<SetupFault>>);
    for way in ways {
        let (hand, pile) = way.split_at(shape.hand);
        let hand: Vec<Card> = fixed.iter().chain(hand).copied().collect();
        match known.filled(seat, &hand, pile) {
            Ok(state) => {
                let refused = check(&state, As::Seat(seat), action).err();
                cases.push(Completion { cards: way, refused });
            }
            // Faults that all ways have in common are not caused by the unknown cards.
            Err(faults) => match &mut common {
                Some(common) => common.retain(|fault| faults.contains(fault)),
                None => common = Some(faults),
            },
        }
    }
    if cases.is_empty() {
        let common = common.unwrap_or_default();
        ensure!(!common.is_empty(), "the position cannot arise: no cards of the pack fit the unknown places");
        bail!("{} (whatever the unknown cards are)", cannot_arise(&common));
    }
    let depends = separator(&cases, shape);
    let tried = cases.len() as u64;
    let mut answer = CheckAnswer { needs: fixed.to_vec(), legal: None, refused: None, depends, tried, all };
    keep_certain_repairs(&mut cases);
    for case in cases {
        let place = if case.refused.is_none() { &mut answer.legal } else { &mut answer.refused };
        if place.is_none() {
            *place = Some(case);
        }
    }
    if !fixed.is_empty() && answer.legal.is_some() && answer.refused.is_none() {
        // Without the cards that it names, the action is impossible.
        let without = ways_without(known, seat, action, &free, slots);
        answer.refused = without;
    }
    Ok(answer)
}

/// Removes the repairs of the first refusal that another refusal does not have: they depend on unknown cards.
fn keep_certain_repairs(cases: &mut [Completion]) {
    let mut refusals = cases.iter_mut().filter_map(|case| case.refused.as_mut());
    let Some(first) = refusals.next() else { return };
    for other in refusals {
        for violation in &mut first.violations {
            let same = |known: &Violation| known.code == violation.code && known.repair == violation.repair;
            if !other.violations.iter().any(same) {
                violation.repair = None;
            }
        }
    }
}

/// Returns a way in which the hand lacks the cards that it needs.
fn ways_without(
    known: &PartialPosition,
    seat: Seat,
    action: &Action,
    free: &[Card],
    slots: usize,
) -> Option<Completion> {
    let needs = needed(known, seat, action);
    let hand: Vec<Card> = free.iter().copied().filter(|card| !needs.contains(card)).take(slots).collect();
    let pile: Vec<Card> = without(free, &hand).into_iter().take(known.unknown_pile.len()).collect();
    let state = known.filled(seat, &hand, &pile).ok()?;
    let refused = check(&state, As::Seat(seat), action).err();
    refused.is_some().then(|| Completion { cards: hand.into_iter().chain(pile).collect(), refused })
}

/// Number of cards to fill into the hand and into the pile.
#[derive(Clone, Copy)]
struct Shape {
    hand: usize,
    pile: usize,
}

/// Returns the cards of the hand that an action names.
fn named(action: &Action) -> Vec<Card> {
    let mut named: Vec<Card> = Vec::new();
    match action {
        Action::Discard(card) => named.push(*card),
        Action::Meld(groups) => named.extend(groups.iter().flat_map(|group| &group.cards)),
        Action::TakePile(take) => {
            named.extend(&take.with);
            named.extend(take.also.iter().flat_map(|group| &group.cards));
        }
        Action::LayThrees(cards) => named.extend(cards),
        _ => {}
    }
    named
}

/// Returns the cards that an action names and that the hand may not have.
fn needed(known: &PartialPosition, seat: Seat, action: &Action) -> Vec<Card> {
    let mut named = named(action);
    named.sort();
    let mut needs = Vec::new();
    for (i, &card) in named.iter().enumerate() {
        let before = named[..i].iter().filter(|&&other| other == card).count();
        if before >= usize::from(known.held(seat, card)) {
            needs.push(card);
        }
    }
    needs
}

/// Returns the kinds of cards that make a difference: one per rank if suits do not matter, and those that the
/// action names.
fn representatives(free: &[Card], known: &PartialPosition, action: &Action) -> Vec<Card> {
    let suits_matter = known.rules.set().sequences || matches!(action, Action::SpecialHand(_));
    let named = named(action);
    let mut kinds: Vec<Card> = Vec::new();
    for &card in free {
        let same = |kind: &Card| {
            kind.rank() == card.rank() && (card.rank() != Rank::Three || kind.class() == card.class())
        };
        let is_new = if suits_matter || named.contains(&card) {
            !kinds.contains(&card)
        } else {
            !kinds.iter().any(same)
        };
        if is_new {
            kinds.push(card);
        }
    }
    kinds
}

/// Returns every way, or as many as are tried, and whether these are all ways.
fn ways(free: &[Card], shape: Shape, kinds: &[Card]) -> (Vec<Vec<Card>>, bool) {
    let mut ways = Vec::new();
    let all = extend(&mut Vec::new(), free, shape, kinds, &mut ways);
    if all {
        return (ways, true);
    }
    let mut random = Random(1);
    let size = shape.hand + shape.pile;
    let draw = |random: &mut Random| {
        let mut rest = free.to_vec();
        (0..size.min(rest.len())).map(|_| rest.swap_remove(random.below(rest.len()))).collect::<Vec<Card>>()
    };
    ((0..SAMPLED).map(|_| draw(&mut random)).filter(|way| way.len() == size).collect(), false)
}

/// Adds every way that begins with `way`; returns `false` if there are too many. The cards of the hand are
/// sorted, because their order does not matter.
fn extend(
    way: &mut Vec<Card>,
    free: &[Card],
    shape: Shape,
    kinds: &[Card],
    ways: &mut Vec<Vec<Card>>,
) -> bool {
    if way.len() == shape.hand + shape.pile {
        ways.push(way.clone());
        return ways.len() <= WAYS_MAX;
    }
    let from = if (1..shape.hand).contains(&way.len()) {
        way.last().and_then(|last| kinds.iter().position(|kind| same_group(kind, last, kinds))).unwrap_or(0)
    } else {
        0
    };
    for kind in &kinds[from..] {
        let used = |card: &Card| way.iter().filter(|&other| other == card).count();
        let lying = |card: &Card| free.iter().filter(|&other| other == card).count();
        // Any remaining card that the kind represents.
        let card =
            free.iter().copied().find(|card| same_group(kind, card, kinds) && used(card) < lying(card));
        let Some(card) = card else { continue };
        way.push(card);
        let goes_on = extend(way, free, shape, kinds, ways);
        way.pop();
        if !goes_on {
            return false;
        }
    }
    true
}

/// Returns whether `kind` represents `card`.
fn same_group(kind: &Card, card: &Card, kinds: &[Card]) -> bool {
    let alike = kind.rank() == card.rank() && (card.rank() != Rank::Three || kind.class() == card.class());
    kind == card || (alike && !kinds.contains(card))
}

/// Returns the one property that separates the legal ways from the others, if there is one.
fn separator(cases: &[Completion], shape: Shape) -> Option<String> {
    if cases.iter().all(|case| case.refused.is_none()) || cases.iter().all(|case| case.refused.is_some()) {
        return None;
    }
    let count = |case: &Completion, zone: UnknownZone, of: Trait| {
        let (hand, pile) = case.cards.split_at(shape.hand);
        let cards = if zone == UnknownZone::Hand { hand } else { pile };
        cards.iter().filter(|&&card| of.is(card)).count()
    };
    let traits = traits(cases);
    for (zone, most) in [(UnknownZone::Hand, shape.hand), (UnknownZone::Pile, shape.pile)] {
        for (&of, least) in traits.iter().flat_map(|of| (1..=most).map(move |least| (of, least))) {
            let holds = |case: &Completion| count(case, zone, of) >= least;
            let is_legal = |case: &Completion| case.refused.is_none();
            let word = match cases.iter().filter(|case| holds(case) == is_legal(case)).count() {
                agreeing if agreeing == cases.len() => "legal",
                0 => "not legal",
                _ => continue,
            };
            let place = if zone == UnknownZone::Hand { "hand" } else { "pile" };
            let number = if least == 1 { String::new() } else { format!("{least} or more ") };
            let name = of.name();
            return Some(format!(
                "the unknown cards: {word} if and only if the {place} holds {number}{name} among them"
            ));
        }
    }
    None
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum UnknownZone {
    Hand,
    Pile,
}

/// A property of a card.
#[derive(Clone, Copy)]
enum Trait {
    Wild,
    Of(Rank),
    Kind(Card),
}

impl Trait {
    fn is(self, card: Card) -> bool {
        match self {
            Self::Wild => card.is_wild(),
            Self::Of(rank) => card.rank() == rank,
            Self::Kind(kind) => card == kind,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Wild => "wild cards".into(),
            Self::Of(of) => rank(of).into(),
            Self::Kind(kind) => kind.to_string(),
        }
    }
}

/// Returns the properties that separate the cards of these ways, the widest first.
fn traits(cases: &[Completion]) -> Vec<Trait> {
    let mut kinds: Vec<Card> = cases.iter().flat_map(|case| case.cards.iter().copied()).collect();
    kinds.sort();
    kinds.dedup();
    let mut ranks: Vec<Rank> = kinds.iter().map(|card| card.rank()).collect();
    ranks.sort();
    ranks.dedup();
    let ranks = ranks.into_iter().map(Trait::Of);
    std::iter::once(Trait::Wild).chain(ranks).chain(kinds.into_iter().map(Trait::Kind)).collect()
}

fn contains(free: &[Card], cards: &[Card]) -> bool {
    cards.iter().all(|card| {
        let of = |list: &[Card]| list.iter().filter(|&other| other == card).count();
        of(free) >= of(cards)
    })
}

fn without(free: &[Card], cards: &[Card]) -> Vec<Card> {
    let mut rest = free.to_vec();
    for card in cards {
        if let Some(at) = rest.iter().position(|other| other == card) {
            rest.remove(at);
        }
    }
    rest
}

/// A generator of random numbers that yields the same numbers every time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}
