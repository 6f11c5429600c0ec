//! The screens of a seat: two games that differ only in what the seat cannot know give the same screens.

use super::*;
use canasta_engine::card::{Card, Rank};
use canasta_engine::deal::WallSalt;

/// A round dealt from a given wall. The seats act by a plan as long as it has actions, then at random.
struct PlayedRound {
    log: Vec<u8>,
    /// The actions of the round.
    actions: Vec<(As, Action)>,
}

/// Deals from `wall` and plays the round to its end: first the actions of `plan`, then random steps. Returns `None`
/// if an action of the plan is not possible.
fn play_wall(wall: &[Card], plan: &[(As, Action)]) -> Option<PlayedRound> {
    let rules = rules("classic-4p", 5);
    let deal = NewDeal::Explicit { wall: wall.to_vec(), salt: WallSalt([7; 32]) };
    let (mut state, mut log) = create(&rules, 1, Some(deal));
    let mut actions = Vec::new();
    let mut rng = Rng(11);
    for at in 0.. {
        if matches!(state.table.phase(), Phase::Setup | Phase::GameOver) {
            break;
        }
        let actor = state.table.to_act().map_or(As::Table, As::Seat);
        let steps = legal::steps(&state.table).actions;
        let action = match plan.get(at) {
            Some((planned, action)) => {
                if *planned != actor || state.check(actor, action).is_err() {
                    return None;
                }
                action.clone()
            }
            None => steps[rng.below(steps.len())].clone(),
        };
        // Seat 1 tries to discard a card that it holds, out of turn: masked in the log.
        if actor == As::Seat(Seat(3)) && at < SAME {
            let card = state.table.hand(Seat(1)).iter().next().expect("a card");
            refuse(&mut state, As::Seat(Seat(1)), &Action::Discard(card), &mut log);
        }
        actions.push((actor, action.clone()));
        act(&mut state, actor, &action, &mut log);
    }
    Some(PlayedRound { log, actions })
}

/// Number of actions that the two games have in common.
const SAME: usize = 16;

/// Returns the logs of two games: in the wall of the second, one card of seat 1's hand is exchanged for a card deep
/// in the stock.
fn pair() -> (Vec<u8>, Vec<u8>) {
    let mut rng = Rng(3);
    let mut wall: Vec<Card> = rules("classic-4p", 5).census().iter().collect();
    for place in (1..wall.len()).rev() {
        wall.swap(place, rng.below(place + 1));
    }
    let first = play_wall(&wall, &[]).expect("nothing is planned");
    let plan = &first.actions[..SAME];
    let natural = |card: Card| card.rank().is_natural() && card.rank() != Rank::Three;
    let (mut state, mut log) = create(
        &rules("classic-4p", 5),
        1,
        Some(NewDeal::Explicit { wall: wall.clone(), salt: WallSalt([7; 32]) }),
    );
    act(&mut state, As::Table, &first.actions[0].1, &mut log);
    // The last cards of the wall lie deepest: nobody draws them in these turns.
    for (held, deep) in
        (0..wall.len()).flat_map(|held| (wall.len() - 20..wall.len()).map(move |deep| (held, deep)))
    {
        let (a, b) = (wall[held], wall[deep]);
        if held >= 44 || !natural(a) || !natural(b) || a.rank() == b.rank() {
            continue;
        }
        let mut other = wall.clone();
        other.swap(held, deep);
        let Some(second) = play_wall(&other, plan) else { continue };
        let judge = |log: &[u8]| history(log).before(10).map(|position| *position.table.hand(Seat(1)));
        if judge(&first.log) != judge(&second.log) {
            return (first.log, second.log);
        }
    }
    panic!("no two games agree for so long")
}

/// Returns the screen without the length of the log, which belongs to the file and not to the table.
fn seen(app: &App) -> Vec<String> {
    let last = app.history.last();
    screen(app)
        .iter()
        .map(|line| line.replace(&format!("of {last} "), "of N ").replace(&format!("/{last} "), "/N "))
        .collect()
}

#[test]
fn a_seat_is_shown_nothing_that_it_cannot_know() {
    let (one, two) = pair();
    let mut differ = 0;
    // The records of the actions that both games have: genesis, register, actions and refusals.
    let last = history(&one)
        .entries
        .iter()
        .zip(&history(&two).entries)
        .take_while(|(a, b)| std::mem::discriminant(&*a.record) == std::mem::discriminant(&*b.record))
        .count()
        .min(SAME + 2) as u64;
    for size in [(80, 24), (40, 12), (200, 60)] {
        for viewer in [As::Table, As::Seat(Seat(0)), As::Seat(Seat(2)), As::Seat(Seat(3)), As::Judge] {
            let (mut a, mut b) = (app(&one, 1, viewer, size), app(&two, 1, viewer, size));
            // Every record at the usual size; every fifth record at the other sizes.
            let stride = if size == (80, 24) { 1 } else { 5 };
            for n in (2..last).step_by(stride) {
                press(&mut a, &format!("{}<enter>", n - 1));
                press(&mut b, &format!("{}<enter>", n - 1));
                // These keys open the page "why", offer steps, type a draw and a play of another seat, go back, and
                // open the other pages.
                let keys = [
                    "<right>",
                    "<tab><tab>",
                    "w",
                    "draw<enter>",
                    "<esc>",
                    "w",
                    "E: draw<enter>",
                    "<esc>",
                    "w",
                    "<tab><tab>",
                    "<esc>",
                    "<enter>",
                    "<esc>",
                    "f",
                    "<esc>",
                    "s",
                ];
                for key in keys {
                    press(&mut a, key);
                    press(&mut b, key);
                    let (one, two) = (seen(&a), seen(&b));
                    if viewer == As::Judge {
                        differ += usize::from(one != two);
                    } else {
                        assert_eq!(one, two, "{viewer:?} {size:?} record {n} after {key:?}");
                    }
                }
            }
        }
    }
    assert!(differ > 50, "a judge sees the difference: {differ} screens");
}

#[test]
fn what_comes_later_is_not_told_to_a_seat() {
    let log = play(&rules("classic-4p", 5), 1);
    for viewer in [As::Table, As::Seat(Seat(1))] {
        let app = app(&log, 6, viewer, (80, 48));
        let text = screen(&app);
        let digits = app.history.last().to_string().len();
        for n in 0..=12 {
            let row = text.iter().find(|line| line.starts_with(&format!("{n:>digits$} "))).expect("a row");
            assert_eq!(row.trim_end().ends_with('·'), n > 6, "{row}");
        }
    }
}

#[test]
fn another_seats_refused_action_is_hidden_and_its_own_is_not() {
    let (log, _) = pair();
    let at =
        (0..).zip(&history(&log).entries).find(|(_, entry)| entry.refused.is_some()).expect("a refusal").0;
    for viewer in [As::Table, As::Seat(Seat(0)), As::Seat(Seat(1)), As::Judge] {
        let text = screen(&app(&log, at, viewer, (80, 24))).join("\n");
        let allowed = matches!(viewer, As::Judge | As::Seat(Seat(1)));
        assert_eq!(text.contains("(hidden from this viewer)"), !allowed, "{viewer:?}: {text}");
        assert_eq!(text.contains("Bob tried: discard ("), !allowed, "{viewer:?}: {text}");
        assert!(text.contains("Bob tried: discard "), "{viewer:?}: {text}");
        assert!(text.contains("REFUSED TURN_NOT_YOURS") || text.contains("REFUSED TURN"), "{text}");
    }
}
