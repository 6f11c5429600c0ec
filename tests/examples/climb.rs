//! Positions whose lists of actions cost most, found by hill climbing:
//!
//!     cargo run --release -p canasta-tests --example climb -- [TRIES] > tests/data/climbed/lists.txt
//!
//! Each rule set has three positions: of a side that has not opened, of a side that has, and of one that has with a hand
//! of moderate size. They begin with every card once or twice in the hand of the seat in turn. A try moves some cards, or adds or removes a meld; it is kept if
//! the list then visits no fewer search nodes. Nodes are counted, not time, so every machine finds the same positions.

use canasta_engine::action::{MeldId, MeldKind};
use canasta_engine::card::{Card, Cards, Class, Rank};
use canasta_engine::notation::Position;
use canasta_engine::rules::{PRESETS, Rules};
use canasta_engine::seat::Side;
use canasta_engine::table::{Meld, Phase, Setup, Source, Table};
use canasta_tests::games::Rng;
use canasta_tests::work::{LARGE, Listed, full_hand, large};
use std::process::ExitCode;
use std::sync::Arc;

/// Maximum number of cards of a hand of moderate size.
const MODERATE: u16 = 30;
/// Number of tries from each first position.
const TRIES: usize = 120;

fn main() -> ExitCode {
    let Ok(tries) = std::env::args().nth(1).map_or(Ok(TRIES), |tries| tries.parse()) else {
        eprintln!("usage: climb [TRIES]");
        return ExitCode::from(2);
    };
    let presets = PRESETS.iter().map(|preset| Arc::new(Rules::preset(preset).expect("a preset")));
    for rules in presets.chain(LARGE.map(|(preset, knobs)| large(preset, knobs))) {
        for (has_opened, most) in [(false, u16::MAX), (true, u16::MAX), (true, MODERATE)] {
            let firsts = (1..=2).flat_map(|copies| [(copies, Phase::Start), (copies, Phase::Play)]);
            let climbs = firsts.filter_map(|(copies, phase)| {
                let mut rng = Rng(copies.into());
                let mut first = full_hand(&rules, copies, phase)?;
                (0..if has_opened { 8 } else { 0 }).for_each(|_| begin(&mut first, &mut rng));
                while first.hands[0].len() > most {
                    lay_down(&mut first, &mut rng);
                }
                climb(first, most, tries, &mut rng)
            });
            if let Some((listed, table)) = climbs.max_by_key(|(listed, _)| listed.nodes) {
                println!("{listed} | {}", Position::of(&table));
            }
        }
    }
    ExitCode::SUCCESS
}

/// Returns the dearest position with at most so many cards in hand that so many tries find, and what its list is; `None`
/// if the first is no position.
fn climb(first: Setup, most: u16, tries: usize, rng: &mut Rng) -> Option<(Listed, Table)> {
    let table = first.clone().into_table().ok()?;
    let (mut best, mut setup) = ((Listed::of(&table), table), first);
    for _ in 0..tries {
        let mut tried = setup.clone();
        for _ in 0..1 + rng.below(3) {
            change(&mut tried, rng);
        }
        if tried.hands[0].len() > most {
            continue;
        }
        let Ok(table) = tried.clone().into_table() else { continue };
        let listed = Listed::of(&table);
        if listed.nodes >= best.0.nodes {
            (best, setup) = ((listed, table), tried);
        }
    }
    Some(best)
}

/// Moves some cards between the hand and the stock, or a meld and the stock.
fn change(setup: &mut Setup, rng: &mut Rng) {
    match rng.below(6) {
        0 | 1 if setup.hands[0].len() > 2 => lay_down(setup, rng),
        2 | 3 if !setup.stock.is_empty() => {
            let card = setup.stock.swap_remove(rng.below(setup.stock.len()));
            setup.hands[0].insert(card);
        }
        4 if !setup.melds.is_empty() => begin(setup, rng),
        _ if setup.melds.len() > 1 => {
            let meld = setup.melds.swap_remove(rng.below(setup.melds.len()));
            setup.stock.extend(meld.cards.iter());
            number(setup);
        }
        _ => {}
    }
}

/// Moves a card of the hand to the stock.
fn lay_down(setup: &mut Setup, rng: &mut Rng) {
    let held: Vec<Card> = setup.hands[0].iter().collect();
    let card = held[rng.below(held.len())];
    setup.hands[0].remove(card);
    setup.stock.push(card);
}

/// Begins a meld of the side in turn: a set with all naturals of a rank that the stock has, or a sequence.
fn begin(setup: &mut Setup, rng: &mut Rng) {
    let side = Side(setup.turn.0 % setup.rules.set().side_count);
    let first = setup.stock.get(rng.below(setup.stock.len().max(1))).copied();
    let Some(first) = first.filter(|card| card.class() == Class::Natural) else { return };
    let is_sequence = setup.rules.set().sequences && rng.chance(50);
    let wanted: Vec<Card> = if is_sequence {
        let len = 3 + rng.below(4);
        let at = Rank::NATURAL.iter().position(|&rank| rank == first.rank()).expect("a natural rank");
        let ranks = Rank::NATURAL.iter().skip(at.max(1)).take(len);
        ranks.map(|&rank| Card::suited(first.suit().expect("a suit"), rank)).collect()
    } else {
        setup
            .stock
            .iter()
            .copied()
            .filter(|card| card.rank() == first.rank())
            .take(3 + rng.below(4))
            .collect()
    };
    let mut cards = Cards::EMPTY;
    for card in wanted {
        let Some(at) = setup.stock.iter().position(|&other| other == card) else { break };
        cards.insert(setup.stock.swap_remove(at));
    }
    let (kind, rank) = match is_sequence {
        true => (MeldKind::Sequence, None),
        false => (MeldKind::Set, Some(first.rank())),
    };
    setup.melds.push(Meld { side, id: MeldId(0), kind, rank, cards });
    number(setup);
}

/// Numbers the melds in their order.
fn number(setup: &mut Setup) {
    for (id, meld) in (0..).zip(&mut setup.melds) {
        meld.id = MeldId(id);
    }
    setup.source = if setup.phase == Phase::Play { Source::Stock } else { Source::None };
}
