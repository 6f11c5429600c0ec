use super::comparison::{Comparison, ratings};
use super::decision::{SeatDecision, heard};
use canasta_engine::action::{About, Action, As};
use canasta_engine::bot::{Draws, Knowledge, Level, RoundMemory};
use canasta_engine::deal::simulate;
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::Game;
use canasta_engine::legal;
use canasta_engine::rules::{PRESETS, Rules};
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_engine::view::events;
use std::sync::Arc;

/// Plays the first round of a deal by level 2, and shows each decision of a seat.
fn decisions(rules: &Arc<Rules>, look: &mut dyn FnMut(&SeatDecision<'_>)) {
    let secret = simulate::game_secret(5, 0);
    let dealing = Dealing::new(simulate::game_id(&secret), DealSource::Seeded(secret), false);
    let mut state = Game::new(rules.clone(), dealing, Seat(0));
    let mut memory = RoundMemory::default();
    state.register_due();
    if state.table.round_number() == 0 {
        let draw = legal::steps(&state.table).actions.remove(0);
        state.play(As::Table, &draw).expect("seats are drawn");
        scoring::book(&mut state.table);
        state.register_due();
    }
    while state.table.phase() != Phase::RoundOver {
        let steps = legal::steps(&state.table).actions;
        let actor = legal::actor(&state.table);
        let action = match actor {
            As::Seat(seat) => {
                look(&SeatDecision { table: &state.table, seat, memory: &memory, since: &[], steps: &steps });
                Level::ALL[1].choose(&state.table, seat, &memory, &steps, 7).action
            }
            _ => steps[0].clone(),
        };
        memory.see(actor, &events(&state.play(actor, &action).expect("a step"), As::Spectator));
    }
}

fn line(decision: &SeatDecision<'_>) -> String {
    decision.question(1000).to_string()
}

/// Checks that a question is the same for two tables that differ only in cards that the seat does not know, and that the pile
/// of its position is the one that everybody who has watched the round remembers.
#[test]
fn no_question_tells_a_hidden_card() {
    for id in PRESETS {
        let (mut twins, mut others) = (0, 0);
        let Some(rules) = Rules::preset(id) else { continue };
        decisions(&Arc::new(rules), &mut |decision| {
            assert_eq!(decision.memory.recall().pile, decision.table.pile(), "{id}");
            let knowledge = Knowledge::of(decision.table, decision.seat, decision.memory);
            let Some(twin) = knowledge.sample(&mut Draws(twins)) else { return };
            let steps = legal::steps(&twin).actions;
            assert_eq!(
                line(decision),
                line(&SeatDecision { table: &twin, steps: &steps, ..*decision }),
                "{id}"
            );
            let differs = |seat| twin.hand(seat) != decision.table.hand(seat);
            others += u32::from(twin.seats().any(differs));
            twins += 1;
        });
        assert!(twins > 0 && others > 0, "{id}: {twins} twins, {others} with other hands");
    }
}

#[test]
fn the_way_out_is_not_told_to_others() {
    let ask = |with| Action::Ask { about: About::GoOut, to: None, with };
    assert_eq!(heard(&ask(Some(Box::default()))), ask(None));
}

fn of_games(deals: &[[[i64; 2]; 2]]) -> Comparison {
    let mut comparison = Comparison::default();
    deals.iter().for_each(|deal| comparison.add(&deal.map(Vec::from)));
    comparison
}

/// Checks sums by hand: leads of +100 and +300 in one deal, -100 and +100 in the other; 200 and 0 a deal, three games of four.
#[test]
fn comparisons_are_sums_over_deals() {
    let comparison = of_games(&[[[100, 0], [0, 300]], [[0, 100], [50, 150]]]);
    let (points, won) = (comparison.points.mean(), comparison.won.mean());
    assert_eq!((points.value, points.error), (100.0, 100.0));
    assert_eq!((won.value, won.error), (0.75, 0.25));
    // 400 times the logarithm of 3 to the base 10 is 190.8; its slope is 400 / ln 10 / (0.75 * 0.25) = 926.5.
    let rating = comparison.rating();
    assert!((rating.value - 190.85).abs() < 0.01 && (rating.error - 231.62).abs() < 0.01, "{rating:?}");
}

#[test]
fn who_has_won_all_games_has_a_rating() {
    let comparison = of_games(&[[[1, 0], [0, 1]]; 5]);
    let rating = comparison.rating();
    // 19 to 1 for ten games.
    assert!((rating.value - 511.50).abs() < 0.01 && rating.error > 200.0, "{rating:?}");
    let all =
        ratings(3, &[([0, 1], comparison), ([0, 2], comparison), ([1, 2], of_games(&[[[1, 1], [1, 1]]; 5]))]);
    let values: Vec<i64> = all.iter().map(|rating| rating.value.round() as i64).collect();
    assert_eq!(values, [341, -171, -171]);
}
