//! Ends of rounds, walked exhaustively: from late positions of every rule set that is played, every legal action of
//! every following position, to the end of the round.
//!
//! The walk checks that nothing is stuck, invariants hold, rounds end, the two counts of the score agree, and both
//! legal sets are what `check` accepts. Positions that differ only in the log count as one. `CANASTA_WALK` sets the
//! number of positions per rule set.

use canasta_engine::action::MeldKind;
use canasta_engine::card::{Card, Class};
use canasta_engine::game::Game;
use canasta_engine::invariant::check_all;
use canasta_engine::legal;
use canasta_engine::log::tally;
use canasta_engine::notation::Position;
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::scoring;
use canasta_engine::table::{Meld, Phase, Setup};
use canasta_tests::games::{Policy, Rng, after, is_on, new_game};
use canasta_tests::notation::show;
use canasta_tests::reference;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Number of positions of each rule set that a default run walks.
const DEFAULT: usize = 1_200;
/// Maximum number of cards in all hands, beyond one per seat, of a position from which a walk begins.
const LATE: usize = 8;
/// Maximum number of actions of a position; a walk that meets a position with more actions is given up.
const ACTIONS: usize = 400;

/// The counts of walks of one rule set.
#[derive(Default, Debug)]
struct Walked {
    positions: usize,
    actions: usize,
    ends: usize,
    /// Walks that were completed, and walks that were given up because they grew too large.
    whole: usize,
    given_up: usize,
}

fn budget() -> usize {
    let wanted = std::env::var("CANASTA_WALK").ok().and_then(|text| text.parse().ok());
    wanted.unwrap_or(DEFAULT)
}

/// Returns the position without what only the log has.
fn key(state: &Game) -> String {
    Position::of(&state.table).to_string()
}

/// Returns the position after most cards that could still move are laid onto melds that take them: two or three cards
/// stay in each hand, at most two in the pile and in the stock. `None` if that is not a position, or too many cards
/// are left.
fn shrunk(state: &Game, rng: &mut Rng) -> Option<Game> {
    let mut setup = Setup::of(&state.table);
    let mut spare: Vec<Card> = Vec::new();
    for hand in &mut setup.hands {
        let mut cards: Vec<Card> = hand.iter().collect();
        rng.shuffle(&mut cards);
        let rest = cards.split_off(cards.len().min(2 + rng.below(2)));
        *hand = cards.into_iter().collect();
        spare.extend(rest);
    }
    for row in [&mut setup.pile, &mut setup.stock] {
        let rest = row.len() - row.len().min(rng.below(3));
        spare.extend(row.drain(..rest));
    }
    setup.start_len = setup.start_len.min(setup.pile.len() as u16);
    let seats = setup.hands.len();
    for card in spare {
        if card.class() == Class::RedThree {
            setup.laid[rng.below(seats)].insert(card);
        } else if let Some(meld) = setup.melds.iter_mut().find(|meld| takes(state, meld, card)) {
            meld.cards.insert(card);
        } else {
            setup.hands[rng.below(seats)].insert(card);
        }
    }
    let held: u16 = setup.hands.iter().map(|hand| hand.len()).sum();
    let table = setup.into_table().ok().filter(|_| usize::from(held) <= LATE + seats)?;
    Some(Game { table, ..state.clone() })
}

/// Whether a card may lie on a meld.
fn takes(state: &Game, meld: &Meld, card: Card) -> bool {
    let set = state.table.set();
    let fits = |max: u8| max == 0 || meld.len() < u16::from(max);
    match meld.kind {
        MeldKind::Set if card.is_wild() => {
            let (wilds, naturals) = (meld.wilds() + 1, meld.len() as u8 - meld.wilds());
            let policy = meld.rank.is_none_or(|rank| set.rank_wilds.get(rank).is_none());
            fits(set.meld_max)
                && policy
                && wilds <= naturals
                && fits(set.canasta_size)
                && (set.max_wilds == 0 || wilds <= set.max_wilds)
        }
        MeldKind::Set => fits(set.meld_max) && meld.rank == Some(card.rank()),
        MeldKind::Wild => fits(set.wild_meld_max) && card.is_wild() && fits(set.canasta_size),
        MeldKind::Sequence | MeldKind::BlackThrees => false,
    }
}

/// Walks every position that can follow; `None` if these are more than `limit` positions.
fn walk(from: &Game, limit: usize, walked: &mut Walked) -> Option<()> {
    let mut seen = BTreeSet::from([key(from)]);
    let mut open = vec![from.clone()];
    while let Some(state) = open.pop() {
        walked.positions += 1;
        let actions: Vec<_> = reference::all(&state.table).take(ACTIONS + 1).collect();
        assert!(!actions.is_empty(), "stuck: {}", show(&state.table));
        if actions.len() > ACTIONS || seen.len() > limit {
            return None;
        }
        for action in &actions {
            walked.actions += 1;
            let next = after(&state, action);
            check_all(&next.table).unwrap_or_else(|fault| panic!("{fault:?}\n{}", show(&next.table)));
            if next.table.phase() == Phase::RoundOver {
                walked.ends += 1;
                ended(&next);
            } else if seen.insert(key(&next)) {
                open.push(next);
            }
        }
    }
    Some(())
}

/// Checks that the ledger's lines and the count of the final table give the same points, and that the round can be
/// booked.
fn ended(state: &Game) {
    let over = state.table.round_over().expect("a round that is over says how");
    let score = scoring::score(&state.table);
    let ledger: Vec<i64> = score.accounts.iter().map(|account| i64::from(account.total)).collect();
    assert_eq!(ledger, tally::totals(&state.table, over), "{}", show(&state.table));
    for account in &score.accounts {
        assert_eq!(account.lines.iter().map(|line| line.points).sum::<i32>(), account.total);
    }
    let mut booked = state.clone();
    scoring::book(&mut booked.table);
    check_all(&booked.table).unwrap_or_else(|fault| panic!("{fault:?}\n{}", show(&booked.table)));
}

/// Registers a round, and draws for seats first if the rule set requires it.
fn seat_and_deal(state: &mut Game, rng: &mut Rng) {
    state.register_due();
    while is_on(state) && state.table.round_number() == 0 {
        let steps = legal::steps(&state.table);
        *state = after(state, Policy::Random.choose(state, &steps.actions, rng));
    }
    if state.table.round_number() == 0 {
        scoring::book(&mut state.table);
        state.register_due();
    }
}

/// Walks from late positions of whole games until enough positions have been walked.
fn walk_rule_set(rules: &Arc<Rules>, budget: usize) -> Walked {
    let (mut walked, mut rng) = (Walked::default(), Rng(u64::from(rules.base().number()) + 1));
    for game in 0..400 {
        let mut state = new_game(rules, 77, game);
        let policies = [Policy::Greedy, Policy::Late, Policy::Hoarder, Policy::Random];
        seat_and_deal(&mut state, &mut rng);
        while is_on(&state) && walked.positions < budget {
            if let Some(end) = rng.chance(10).then(|| shrunk(&state, &mut rng)).flatten() {
                match walk(&end, budget, &mut walked) {
                    Some(()) => walked.whole += 1,
                    None => walked.given_up += 1,
                }
            }
            let steps = legal::steps(&state.table);
            let policy = policies[rng.below(policies.len())];
            state = after(&state, policy.choose(&state, &steps.actions, &mut rng));
        }
        if walked.positions >= budget {
            break;
        }
    }
    walked
}

#[test]
fn every_end_of_a_round_is_sound() {
    let budget = budget();
    let mut poor = Vec::new();
    for preset in PresetId::all() {
        let Some(rules) = Rules::preset(preset.name()).map(Arc::new) else { continue };
        let walked = walk_rule_set(&rules, budget);
        println!("{:22} {walked:?}", preset.name());
        if walked.positions < budget.min(DEFAULT) / 4 || walked.ends == 0 {
            poor.push(preset.name());
        }
    }
    assert!(poor.is_empty(), "too little was walked of {poor:?}");
}
