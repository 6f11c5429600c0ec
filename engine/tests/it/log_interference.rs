//! A log in progress leaks nothing: two games that differ only in hidden cards have equal payloads after the register
//! until something public differs. Walls and their salt are given, so that nothing else differs.

use crate::support::Rng;
use canasta_engine::action::{Action, As};
use canasta_engine::card::Card;
use canasta_engine::deal::{GameId, WallSalt};
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal;
use canasta_engine::log::digest;
use canasta_engine::log::record::{Attempt, Record};
use canasta_engine::rules::Rules;
use canasta_engine::table::Phase;
use canasta_engine::view;
use std::sync::Arc;

fn new_game(rules: &Arc<Rules>, wall: Vec<Card>) -> Game {
    let deal = NewDeal::Explicit { wall, salt: WallSalt([2; 32]) };
    Game::create(NewGame::new(rules.clone(), GameId([1; 16]), deal)).expect("a game").game
}

/// Splits frames into payloads, without heads: the heads differ because the commitments before them differ.
fn payloads(mut frames: &[u8]) -> Vec<&[u8]> {
    let mut payloads = Vec::new();
    while let Some((&[high, low], rest)) = frames.split_first_chunk() {
        let length = usize::from(u16::from_be_bytes([high, low]));
        payloads.push(&rest[1..1 + length]);
        frames = &rest[1 + length + 8..];
    }
    payloads
}

/// Counts of compared games up to the first public difference.
#[derive(Default)]
struct Seen {
    pairs: u32,
    /// Pairs whose last compared positions differed in hidden cards.
    hidden: u32,
    records: u32,
    refusals: u32,
    draws: u32,
}

/// Plays both games with the actions that are legal in the first, and compares what is recorded.
fn compare(first: &mut Game, second: &mut Game, rng: &mut Rng, seen: &mut Seen) {
    for _ in 0..80 {
        if matches!(first.table.phase(), Phase::Setup | Phase::GameOver) {
            break;
        }
        let steps = legal::steps(&first.table);
        let action = &steps.actions[rng.below(steps.actions.len())];
        let actor = first.table.to_act().map_or(As::Table, As::Seat);
        if let (As::Seat(seat), 0) = (actor, rng.below(4)) {
            let wrong = As::Seat(seat.left(first.table.set().seats));
            let (Err(one), Err(other)) = (first.check(wrong, action), second.check(wrong, action)) else {
                break;
            };
            if one.codes() != other.codes() {
                break;
            }
            let one = first.refuse(wrong, action, &one, Stamp::default()).expect("a record");
            let other = second.refuse(wrong, action, &other, Stamp::default()).expect("a record");
            assert_eq!(payloads(&one), payloads(&other));
            seen.refusals += 1;
        }
        let one = first.act(actor, action, Stamp::default()).expect("a step is legal");
        let Ok(other) = second.act(actor, action, Stamp::default()) else { break };
        let public = |events| view::events(events, As::Table);
        if public(&one.events) != public(&other.events) || one.round.is_some() {
            break;
        }
        assert_eq!(payloads(&one.frames), payloads(&other.frames), "{action:?}");
        seen.records += 1;
        seen.draws += u32::from(*action == Action::DrawStock);
    }
    seen.pairs += 1;
    seen.hidden += u32::from(digest::full(&first.table) != digest::full(&second.table));
}

#[test]
fn equal_public_play_makes_equal_payloads() {
    for preset in ["classic-4p", "classic-2p", "samba-4p", "american-4p", "hand-and-foot-4p"] {
        let rules = Arc::new(Rules::preset(preset).expect("a preset"));
        let (mut rng, mut seen) = (Rng(7), Seen::default());
        for _ in 0..60 {
            let mut wall: Vec<Card> = rules.census().iter().collect();
            for place in (1..wall.len()).rev() {
                wall.swap(place, rng.below(place + 1));
            }
            let mut other = wall.clone();
            // Exchanges a few cards of the hands for cards of the stock.
            for _ in 0..3 {
                let dealt = usize::from(rules.set().seats) * usize::from(rules.set().hand_size);
                other.swap(rng.below(dealt), dealt + rng.below(wall.len() - dealt));
            }
            let (mut first, mut second) = (new_game(&rules, wall), new_game(&rules, other));
            compare(&mut first, &mut second, &mut rng, &mut seen);
        }
        // Threes and upcards make some walls differ at once; the other pairs play on for a while.
        let Seen { pairs, hidden, records, refusals, draws } = seen;
        println!(
            "{preset}: {pairs} pairs, {hidden} differ, {records} records, {refusals} refusals, {draws} draws"
        );
        assert!(hidden > 50 && records > 300 && refusals > 60 && draws > 60, "{preset}");
    }
}

/// Checks that a refused action is hidden: the records of two refused discards differ only in the masked bytes.
#[test]
fn refused_actions_are_masked_in_every_phase_of_a_dealt_round() {
    let rules = Arc::new(Rules::preset("hoyle-2p").expect("a preset"));
    let mut rng = Rng(9);
    let mut phases = Vec::new();
    for _ in 0..40 {
        let mut wall: Vec<Card> = rules.census().iter().collect();
        for place in (1..wall.len()).rev() {
            wall.swap(place, rng.below(place + 1));
        }
        let mut state = new_game(&rules, wall);
        while !matches!(state.table.phase(), Phase::Setup | Phase::GameOver) {
            if let Some(seat) = state.table.to_act() {
                let wrong = As::Seat(seat.left(2));
                let refuse = |card: &str| {
                    let action = Action::Discard(Card::parse(card).expect("a card"));
                    let rejection = state.check(wrong, &action).expect_err("another seat's turn");
                    let mut copy = state.clone();
                    let frames = copy.refuse(wrong, &action, &rejection, Stamp::default()).expect("a record");
                    let Ok(Record::Refusal(refusal)) = Record::decode(payloads(&frames)[0]) else {
                        panic!("a refusal")
                    };
                    refusal
                };
                let (one, other) = (refuse("Ks"), refuse("4d"));
                let (Attempt::Masked { bytes, .. }, Attempt::Masked { bytes: others, .. }) =
                    (&one.attempt, &other.attempt)
                else {
                    panic!("in clear in {:?}", state.table.phase())
                };
                // The tag has 16 bytes and the block 64, for every action.
                assert_eq!((bytes.len(), others.len()), (80, 80));
                assert_ne!(bytes, others);
                assert_eq!((&one.codes, one.actor), (&other.codes, other.actor));
                if !phases.contains(&state.table.phase()) {
                    phases.push(state.table.phase());
                }
            }
            let steps = legal::steps(&state.table);
            let action = steps.actions[rng.below(steps.actions.len())].clone();
            let actor = state.table.to_act().map_or(As::Table, As::Seat);
            state.act(actor, &action, Stamp::default()).expect("a step is legal");
        }
    }
    for phase in [Phase::Start, Phase::Play, Phase::Taking] {
        assert!(phases.contains(&phase), "{phase:?} was not reached: {phases:?}");
    }
}
