//! The verdicts that may hang on cards which an action does not name.

use super::{Line, new_game, play};
use canasta_engine::action::{Action, As};
use canasta_engine::card::{Card, Rank};
use canasta_engine::deal::simulate;
use canasta_engine::game::{Game, NewDeal, RegisterEntry, Stamp};
use canasta_engine::known::{HANG_ON_HAND, from_hand};
use canasta_engine::legal::steps;
use canasta_engine::rules::{PRESETS, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Setup};
use canasta_engine::violations::Code;
use canasta_tests::games::{Policy, Rng, actor};
use std::sync::Arc;

/// Checks that only the listed codes depend on hand cards that an action does not name: compares random actions at
/// random positions with the same actions with other cards in the rest of the hand.
#[test]
fn only_some_violations_hang_on_unnamed_cards() {
    let (mut compared, mut hung) = (0, 0);
    for preset in PRESETS {
        let rules = Arc::new(Rules::preset(preset).expect("a preset"));
        let (lines, _) = play(&rules, 21, Policy::Late);
        let mut rng = Rng(5);
        let mut actions: Vec<Action> = Vec::new();
        for line in &lines {
            if let Line::Act { actor: As::Seat(_), action, .. } = line {
                actions.push(action.clone());
            }
        }
        let secret = simulate::game_secret(22, 0);
        let dealer =
            Game::create(new_game(&rules, NewDeal::Seeded(secret.clone()), None)).is_err().then_some(Seat(1));
        let mut state = Game::create(new_game(&rules, NewDeal::Seeded(secret), dealer)).expect("a game").game;
        while state.table.phase() != Phase::GameOver && state.table.round_number() < 3 {
            if state.table.phase() == Phase::Setup {
                state.register(As::Table, RegisterEntry::default()).expect("a register");
                continue;
            }
            if let As::Seat(seat) = actor(&state) {
                for _ in 0..4 {
                    let action = actions[rng.below(actions.len())].clone();
                    let Some(twin) = with_other_cards(&state, seat, &action, &mut rng) else { continue };
                    let codes = |state: &Game| -> Vec<Code> {
                        let rejection = state.check(As::Seat(seat), &action).err();
                        rejection.map_or_else(Vec::new, |rejection| rejection.codes())
                    };
                    let (one, other) = (codes(&state), codes(&twin));
                    let hangs = |codes: &[Code]| codes.iter().any(|code| HANG_ON_HAND.contains(code));
                    compared += 1;
                    hung += usize::from(one != other);
                    let explained = hangs(&one) || hangs(&other);
                    assert!(one == other || explained, "{preset}: {action:?}: {one:?} {other:?}");
                }
            }
            let choices = steps(&state.table);
            let action = Policy::Late.choose(&state, &choices.actions, &mut rng).clone();
            let actor = actor(&state);
            state.act(actor, &action, Stamp::default()).expect("a step is legal");
        }
    }
    assert!(compared > 5_000 && hung > 0, "{compared} compared, {hung} hung");
}

/// Returns the same position with other cards in the hand, except for those that the action names.
fn with_other_cards(state: &Game, seat: Seat, action: &Action, rng: &mut Rng) -> Option<Game> {
    let mut setup = Setup::of(&state.table);
    let mut rest = *state.table.hand(seat);
    if !from_hand(action).into_iter().all(|card| rest.remove(card)) {
        return None;
    }
    let rest: Vec<Card> = rest.iter().filter(|card| card.rank() != Rank::Three).collect();
    let places: Vec<usize> =
        (0..setup.stock.len()).filter(|&at| setup.stock[at].rank() != Rank::Three).collect();
    if places.is_empty() {
        return None;
    }
    for card in rest {
        let at = places[rng.below(places.len())];
        let other = setup.stock[at];
        setup.hands[seat.index()].remove(card);
        setup.hands[seat.index()].insert(other);
        setup.stock[at] = card;
    }
    setup.into_table().ok().map(|table| Game { table, ..state.clone() })
}
