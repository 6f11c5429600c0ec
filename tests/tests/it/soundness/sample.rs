//! The positions to examine, and the number of positions of each class.

use canasta_engine::action::{Action, MeldKind};
use canasta_engine::card::{Card, Cards, Class, Rank};
use canasta_engine::game::Game;
use canasta_engine::invariant::check_all;
use canasta_engine::legal;
use canasta_engine::rules::{DiscardThrees, DiscardWilds, LastThree, RuleSet, Rules, SideFormation};
use canasta_engine::scoring;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{Phase, Setup, Source, Talon, TalonPlace};
use canasta_tests::games::{Policy, Rng, after, at, is_on, new_game};
use canasta_tests::notation::show;
use canasta_tests::reference;
use canasta_tests::rulings::some_ruling;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Natural ranks in the order of sequences.
const RANKS: [Rank; 11] = {
    use Rank::{Ace, Eight, Five, Four, Jack, King, Nine, Queen, Seven, Six, Ten};
    [Four, Five, Six, Seven, Eight, Nine, Ten, Jack, Queen, King, Ace]
};

/// The classes of positions, each of which must be frequent enough.
pub const CLASSES: [&str; 5] = [
    "16 or more cards in hand",
    "frozen pile",
    "5 or fewer stock cards",
    "open question",
    "black threes going out",
];

/// Minimum share of each class in the sample, in percent.
pub const LEAST_PERCENT: u64 = 10;

/// The name in the histogram of positions with an open dispute.
pub const DISPUTE: &str = "a dispute is open";
/// The name in the histogram of other positions after a ruling.
pub const RULED: &str = "officials have ruled";

/// Returns the classes to which a position belongs.
pub fn classes(state: &Game, steps: &[Action]) -> [bool; 5] {
    let hand = state.table.to_act().map_or(0, |seat| state.table.hand(seat).len());
    let black = |action: &Action| match action {
        Action::Meld(groups) => groups.iter().any(|g| g.kind == MeldKind::BlackThrees),
        Action::TakePile(take) => take.also.iter().any(|g| g.kind == MeldKind::BlackThrees),
        _ => false,
    };
    [
        hand >= 16,
        !state.table.pile_causes().is_empty(),
        state.table.stock_len() <= 5,
        state.table.phase() == Phase::Asked,
        steps.iter().any(black),
    ]
}

/// The counts of the sampled positions.
#[derive(Clone, Default)]
pub struct Histogram {
    pub positions: u64,
    pub by_class: [u64; 5],
    /// Number of positions by origin: from a game, or constructed.
    pub by_origin: BTreeMap<&'static str, u64>,
    pub by_rules: BTreeMap<String, u64>,
    pub by_hand: BTreeMap<u16, u64>,
    pub by_phase: BTreeMap<&'static str, u64>,
}

impl Histogram {
    /// Whether a position of these classes is wanted: positions without a class make up at most a third, and a class
    /// that has its share makes room for the other classes.
    fn wants(&self, classes: [bool; 5], rng: &mut Rng) -> bool {
        let short = |i: usize| self.by_class[i] * 100 < self.positions * (LEAST_PERCENT + 4);
        let wanted = classes.iter().enumerate().any(|(i, &is)| is && short(i));
        wanted || rng.chance(if classes == [false; 5] { 6 } else { 3 })
    }

    fn add(&mut self, state: &Game, classes: [bool; 5], origin: &'static str) {
        self.positions += 1;
        for (count, is) in self.by_class.iter_mut().zip(classes) {
            *count += u64::from(is);
        }
        *self.by_origin.entry(origin).or_default() += 1;
        *self.by_rules.entry(state.table.rules().id().to_string()).or_default() += 1;
        let hand = state.table.to_act().map_or(0, |seat| state.table.hand(seat).len());
        *self.by_hand.entry(hand / 4 * 4).or_default() += 1;
        *self.by_phase.entry(state.table.phase().name()).or_default() += 1;
        if state.table.is_suspended() {
            *self.by_origin.entry(DISPUTE).or_default() += 1;
        } else if state.table.rulings().last > 0 {
            *self.by_origin.entry(RULED).or_default() += 1;
        }
    }

    /// Prints all counts.
    pub fn print(&self) {
        let percent = |count: u64| 100.0 * count as f64 / self.positions.max(1) as f64;
        println!("{} positions", self.positions);
        for (name, &count) in CLASSES.iter().zip(&self.by_class) {
            println!("  {name:26} {count:9} {:5.1} %", percent(count));
        }
        for (from, &count) in &self.by_hand {
            println!("  {:26} {count:9} {:5.1} %", format!("hand of {from} to {}", from + 3), percent(count));
        }
        let named = self.by_origin.iter().chain(&self.by_phase).map(|(name, count)| (*name, count));
        for (name, &count) in named.chain(self.by_rules.iter().map(|(name, count)| (name.as_str(), count))) {
            println!("  {name:26} {count:9} {:5.1} %", percent(count));
        }
    }
}

/// Plays whole games with mixed policies and passes every position that the histogram wants to `visit`. Between
/// rounds, constructs positions of the classes that lack positions, until there are `count` positions in all.
pub fn sample(
    rule_sets: &[Arc<Rules>],
    seed: u64,
    count: u64,
    mut visit: impl FnMut(&Game, &mut Rng),
) -> Histogram {
    let mut rng = Rng(seed);
    let mut histogram = Histogram::default();
    // Maximum number of positions per game, so that every rule set has its turn.
    let share = count / rule_sets.len() as u64 + 1;
    for game in 0.. {
        let enough = histogram.positions + share;
        let rules = &rule_sets[game as usize % rule_sets.len()];
        let mut state = new_game(rules, seed, game);
        let policies: Vec<Policy> =
            state.table.seats().map(|_| Policy::ALL[rng.below(Policy::ALL.len())]).collect();
        for _round in 0..3 {
            state.register_due();
            while is_on(&state) && histogram.positions < enough {
                let steps = legal::steps(&state.table);
                assert!(!steps.actions.is_empty(), "stuck: {}", show(&state.table));
                let classes = classes(&state, &steps.actions);
                if histogram.wants(classes, &mut rng) {
                    histogram.add(&state, classes, "from games");
                    visit(&state, &mut rng);
                }
                if rng.chance(3) || state.table.is_suspended() {
                    some_ruling(&mut state, &mut rng);
                    continue;
                }
                let policy = state.table.to_act().map_or(Policy::Random, |seat| policies[seat.index()]);
                let policy = if rng.chance(15) { Policy::Random } else { policy };
                let mut action = policy.choose(&state, &steps.actions, &mut rng).clone();
                let hand = state.table.to_act().map_or(0, |seat| state.table.hand(seat).len());
                if state.table.set().undo_meld && hand <= 14 && rng.chance(12) {
                    // Actions of `all` may lay groups that are not melds yet, which steps never do.
                    let some = rng.below(400);
                    action = reference::all(&state.table).within_steps(100_000).nth(some).unwrap_or(action);
                }
                state = after(&state, &action);
                check_all(&state.table).expect("an invariant holds after every action");
            }
            for _ in 0..12 {
                let Some(state) = construct(rules, &mut rng) else { continue };
                let classes = classes(&state, &legal::steps(&state.table).actions);
                if histogram.wants(classes, &mut rng) {
                    histogram.add(&state, classes, "constructed");
                    visit(&state, &mut rng);
                }
            }
            if histogram.positions >= count {
                return histogram;
            }
            if is_on(&state) {
                break;
            }
            if scoring::book(&mut state.table).1.is_some() {
                break;
            }
        }
    }
    unreachable!("there are enough games")
}

/// Returns a position put together at random: melds of both sides, a hand that mostly fits them, often black threes,
/// a short stock, a wild in the pile, a question. `None` if that is not a position.
pub fn construct(rules: &Arc<Rules>, rng: &mut Rng) -> Option<Game> {
    let set = rules.set();
    let turn = Seat(rng.below(usize::from(set.seats)) as u8);
    let mut setup = Setup::new(rules.clone(), turn);
    let mut deck = rules.census();
    for card in rules.census().iter().filter(|card| lies_laid(set, card.class(), rng)).collect::<Vec<_>>() {
        deck.remove(card);
        setup.laid[rng.below(usize::from(set.seats))].insert(card);
    }
    if set.side_formation == SideFormation::LoneTaker && rng.chance(70) {
        setup.lone = Some(Seat(rng.below(usize::from(set.seats)) as u8));
    }
    let own = setup.side_of(turn);
    let has_seat =
        |side: &Side| (0..set.seats).any(|seat| set.formed_side_of(Seat(seat), setup.lone) == *side);
    let sides: Vec<Side> = (0..set.side_count).map(Side).filter(has_seat).collect();
    for side in sides {
        if side == own || rng.chance(30) {
            let most = 1 + rng.below(6);
            (0..most).for_each(|_| put_meld(&mut setup, side, &mut deck, rng));
        }
    }
    setup.scores.iter_mut().for_each(|score| *score = rng.below(90) as i32 * 50 - 200);
    fill_hand(&mut setup, turn, &mut deck, rng);
    for seat in (0..set.seats).map(Seat).filter(|&seat| seat != turn) {
        let size = 1 + rng.below(11);
        (0..size)
            .filter_map(|_| draw(&mut deck, rng, |_| true))
            .for_each(|card| setup.hands[seat.index()].insert(card));
    }
    put_feet(&mut setup, &mut deck, rng);
    let mut rest: Vec<Card> = deck.iter().collect();
    rng.shuffle(&mut rest);
    let stock = if rng.chance(40) { rng.below(6) } else { rng.below(rest.len() + 1) };
    // A short pile lets a take go out.
    let pile = if rng.chance(50) { rng.below(3) } else { rest.len() };
    setup.pile = rest.split_off(stock.min(rest.len()));
    if setup.pile.len() > pile {
        let extra = setup.pile.split_off(pile);
        let seat = Seat((turn.0 + 1) % set.seats);
        extra.into_iter().for_each(|card| setup.hands[seat.index()].insert(card));
    }
    setup.stock = rest;
    setup.talons = set.talons.iter().map(|_| Talon { place: TalonPlace::Used, cards: Vec::new() }).collect();
    setup.has_melded = (0..set.seats)
        .map(Seat)
        .filter(|s| setup.melds.iter().any(|m| m.side == setup.side_of(*s)))
        .filter(|_| rng.chance(60))
        .collect();
    setup.phase = if rng.chance(30) { Phase::Start } else { Phase::Play };
    if setup.phase == Phase::Play {
        setup.source = if rng.chance(70) { Source::Stock } else { Source::Pile };
    }
    let after_three = set.last_three == LastThree::MeldNoDiscard && setup.stock.is_empty();
    setup.no_discard = after_three && setup.phase == Phase::Play && rng.chance(60);
    // A position may be set up so, to look at one hand alone; a game has no such seat. Nor has it one that can make no
    // discard, where some are barred: that is seen to before.
    let has_natural = setup.hands[turn.index()].iter().any(|card| card.class() == Class::Natural);
    let barred = set.discard_threes == DiscardThrees::FinalOnly || set.discard_wilds != DiscardWilds::Any;
    if setup.hands.iter().any(Cards::is_empty) || (barred && !has_natural) {
        return None;
    }
    let mut state = at(setup.into_table().ok()?);
    if rng.chance(12) {
        some_ruling(&mut state, rng);
    }
    let steps = legal::steps(&state.table).actions;
    let ask = steps.iter().find(|step| matches!(step, Action::Ask { .. }) && rng.chance(60));
    let Some(ask) = ask else { return Some(state) };
    let asked = after(&state, ask);
    // A courtesy that needs no consent is granted at once.
    if asked.table.phase() != Phase::Asked {
        return Some(asked);
    }
    let answer = Action::Answer { yes: rng.chance(50) };
    Some(if rng.chance(60) { asked } else { after(&asked, &answer) })
}

/// Takes a random card that is wanted out of the deck.
fn draw(deck: &mut Cards, rng: &mut Rng, wanted: impl Fn(Card) -> bool) -> Option<Card> {
    let cards: Vec<Card> = deck.iter().filter(|&card| wanted(card)).collect();
    let card = *cards.get(rng.below(cards.len().max(1)))?;
    deck.remove(card);
    Some(card)
}

/// Whether a three lies before a seat: every red one that is a bonus card, and some black ones of a taken pile.
fn lies_laid(set: &RuleSet, class: Class, rng: &mut Rng) -> bool {
    match class {
        Class::RedThree => set.lays(class),
        Class::BlackThree => !set.lays(class) && set.lies_laid(class) && rng.chance(30),
        Class::Natural | Class::Wild => false,
    }
}

/// Puts some of its feet before each seat, where the rule set has feet.
fn put_feet(setup: &mut Setup, deck: &mut Cards, rng: &mut Rng) {
    let (sizes, seats): (Vec<u8>, _) = (setup.rules.set().foot_sizes().collect(), setup.hands.len());
    for seat in 0..seats {
        let come = rng.below(sizes.len() + 1);
        for (at, size) in (0..).zip(&sizes).skip(come) {
            let cards = (0..*size).filter_map(|_| draw(deck, rng, |_| true));
            cards.for_each(|card| setup.feet[at * seats + seat].insert(card));
        }
    }
}

fn put_meld(setup: &mut Setup, side: Side, deck: &mut Cards, rng: &mut Rng) {
    let set = setup.rules.set().clone();
    let size = usize::from(set.meld_min) + rng.below(6);
    let mut cards = Cards::EMPTY;
    let put = |cards: &mut Cards, card: Option<Card>| card.into_iter().for_each(|card| cards.insert(card));
    if set.wild_melds
        && rng.chance(15)
        && !setup.melds.iter().any(|m| m.side == side && m.kind == MeldKind::Wild)
    {
        (0..size).for_each(|_| put(&mut cards, draw(deck, rng, |card| card.is_wild())));
        if cards.len() >= 3 {
            setup.meld(side, MeldKind::Wild, cards);
        }
        return;
    }
    if set.sequences && rng.chance(40) {
        return put_sequence(setup, side, deck, rng);
    }
    let Some(first) = draw(deck, rng, |card| card.class() == Class::Natural) else { return };
    let rank = first.rank();
    let taken = setup.melds.iter().any(|m| {
        m.side == side
            && m.rank == Some(rank)
            && (m.grade(&set).is_none() || set.melds_per_rank == canasta_engine::rules::MeldsPerRank::One)
    });
    cards.insert(first);
    let wilds =
        if rng.chance(50) { 0 } else { rng.below(usize::from(set.max_wilds).min(3) + 1).min(size / 2) };
    (0..wilds).for_each(|_| put(&mut cards, draw(deck, rng, |card| card.is_wild())));
    while usize::from(cards.len()) < size {
        let Some(card) = draw(deck, rng, |card| card.rank() == rank) else { break };
        cards.insert(card);
    }
    let naturals = cards.len() - u16::from(cards.wilds());
    if taken || cards.len() < 3 || naturals < u16::from(set.min_naturals.max(cards.wilds())) {
        deck.add(&cards);
        return;
    }
    setup.meld(side, MeldKind::Set, cards);
}

fn put_sequence(setup: &mut Setup, side: Side, deck: &mut Cards, rng: &mut Rng) {
    let (suit, first) = (rng.below(4) as u8, rng.below(9));
    let size = usize::from(setup.rules.set().meld_min) + rng.below(5);
    let mut cards = Cards::EMPTY;
    for rank in RANKS.iter().skip(first).take(size) {
        let Some(card) = draw(deck, rng, |card| card.suit() == Some(suit) && card.rank() == *rank) else {
            break;
        };
        cards.insert(card);
    }
    if cards.len() < 3 {
        deck.add(&cards);
        return;
    }
    setup.meld(side, MeldKind::Sequence, cards);
}

/// Fills the hand of the seat in turn with 1 to 8, 9 to 12, or 13 to 24 cards.
fn fill_hand(setup: &mut Setup, turn: Seat, deck: &mut Cards, rng: &mut Rng) {
    let size = match rng.below(4) {
        0 | 1 => 1 + rng.below(8),
        2 => 9 + rng.below(4),
        _ => 13 + rng.below(12),
    };
    let own = setup.side_of(turn).0;
    let ranks: Vec<_> = setup.melds.iter().filter(|m| m.side.0 == own).filter_map(|m| m.rank).collect();
    // Often cards of one suit, where there are sequences.
    let suit = (setup.rules.set().sequences && rng.chance(60)).then(|| rng.below(4) as u8);
    let mut hand = Cards::EMPTY;
    if rng.chance(60) {
        let most = 2 + rng.below(usize::from(setup.rules.set().packs) * 2 - 1);
        let threes = (0..most).filter_map(|_| draw(deck, rng, |card| card.rank() == Rank::Three));
        threes.collect::<Vec<_>>().into_iter().for_each(|card| hand.insert(card));
    }
    let stray = [0, 8, 50][rng.below(3)];
    let group = rng.below(13);
    while usize::from(hand.len()) < size {
        let free = rng.chance(stray);
        let wild = rng.chance(12);
        let fits = |card: Card| match card.class() {
            _ if free => true,
            Class::Wild => wild,
            Class::Natural if suit.is_some() && !hand.len().is_multiple_of(3) => !wild && card.suit() == suit,
            Class::Natural => !wild && (ranks.contains(&card.rank()) || card.rank().index() == group),
            _ => false,
        };
        let Some(card) =
            draw(deck, rng, fits).or_else(|| draw(deck, rng, |card| card.class() == Class::Natural))
        else {
            break;
        };
        hand.insert(card);
    }
    setup.hands[turn.index()] = hand;
}
