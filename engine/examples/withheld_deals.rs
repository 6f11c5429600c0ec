//! The worth of a deal that may be voided: an operator who knows the dealer's secret, together with one seat, sees a wall
//! before anybody else, lets the seat keep its value back if the wall is poor, and so gets another one. Bots play every
//! round; what is printed is the lead of the cheating side in points a round, and its standard error.
//!
//!     cargo run --release -p canasta-engine --example withheld_deals -- [RULE_SET] [WALLS]

use canasta_engine::action::{Action, As};
use canasta_engine::apply::apply;
use canasta_engine::bot;
use canasta_engine::card::Card;
use canasta_engine::check::{Dealt, check, check_deal, legal};
use canasta_engine::rules::Rules;
use canasta_engine::scoring::score;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{Phase, Setup};
use canasta_engine::view::view;
use std::sync::Arc;

/// A wall as the cheat sees it: the lead of its side in wild cards dealt, and in points as bots play.
struct Wall {
    wild: f64,
    points: f64,
}

fn main() {
    let mut words = std::env::args().skip(1);
    let preset = words.next().unwrap_or_else(|| "classic-4p".into());
    let walls: u64 = words.next().map_or(2_000, |word| word.parse().expect("a number of walls"));
    let rules = Arc::new(Rules::preset(&preset).expect("a rule set"));
    let walls: Vec<Wall> = (0..walls).filter_map(|number| played(&rules, number)).collect();
    let mean = |value: &dyn Fn(&Wall) -> f64| walls.iter().map(value).sum::<f64>() / walls.len() as f64;
    // With no try left each wall is taken; with tries left, one that is at least as good as what is to be expected.
    let (mut by_wild, mut lead, mut by_play) =
        (mean(&|of| of.wild), mean(&|of| of.points), mean(&|of| of.points));
    let variance = mean(&|of| (of.points - by_play).powi(2));
    let error = (variance / walls.len() as f64).sqrt();
    println!("{preset}: {} rounds, standard error {error:.0} points", walls.len());
    println!("voided deals   lead if wild cards decide   lead if a simulation decides");
    for tries in 0..=5 {
        println!("{tries:12}   {lead:25.0}   {by_play:28.0}");
        let (limit, continued) = (by_wild, lead);
        by_wild = mean(&|of| of.wild.max(limit));
        lead = mean(&|of| if of.wild >= limit { of.points } else { continued });
        let expected = by_play;
        by_play = mean(&|of| of.points.max(expected));
    }
}

/// Deals a wall, and lets bots play the round; `None` if they come to no end.
fn played(rules: &Arc<Rules>, number: u64) -> Option<Wall> {
    let setup = Setup { phase: Phase::Deal, ..Setup::new(rules.clone(), Seat((number % 2) as u8)) };
    let mut table = setup.into_table().ok()?;
    let deal = Action::Deal(Box::default());
    let dealt = Dealt::Wall(shuffled(table.set().deck().iter().collect(), number));
    let legal = check_deal(&table, As::Table, &deal, |_| Ok(dealt)).ok()?;
    apply(&mut table, legal);
    let of_side = |seat: Seat| if table.side_of(seat) == Side(0) { 1.0 } else { -1.0 };
    let wild = table.seats().map(|seat| of_side(seat) * f64::from(table.hand(seat).wilds())).sum();
    while !matches!(table.phase(), Phase::RoundOver | Phase::GameOver) {
        let steps = legal::steps(&table);
        let actor = As::Seat(table.to_act()?);
        let action = bot::suggest(&view(&table, actor), &steps.actions, 0);
        let legal = check(&table, actor, &action).ok()?;
        apply(&mut table, legal);
    }
    let accounts = score(&table).accounts;
    let points = f64::from(accounts[0].total) - f64::from(accounts[1].total);
    Some(Wall { wild, points })
}

/// Shuffles a pack by Fisher and Yates with splitmix64.
fn shuffled(mut pack: Vec<Card>, seed: u64) -> Vec<Card> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for last in (1..pack.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        pack.swap(last, ((mixed ^ (mixed >> 31)) % (last as u64 + 1)) as usize);
    }
    pack
}
