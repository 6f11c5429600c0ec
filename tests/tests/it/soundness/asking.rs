//! Questions, and the ways out that they name, judged as the batches themselves are.

use super::Tally;
use canasta_engine::action::{About, Action, NamedWay};
use canasta_engine::card::{Card, Cards};
use canasta_engine::game::Game;
use canasta_engine::rules::{Ask, AskCheck, AskWhom};
use canasta_engine::table::{EndReason, Phase};
use canasta_engine::violations::Code;
use canasta_tests::games::{actor, after};
use canasta_tests::notation::show;
use std::collections::BTreeSet;

/// The ways in which a set of actions goes out.
#[derive(Default, Debug)]
pub struct Ends {
    /// Whether one of the actions goes out itself.
    pub out: bool,
    /// Ranks of the one card that is kept for the last discard.
    pub kept: BTreeSet<u8>,
    /// Batches that leave at most one card, as ways that a question can name, and whether the seat goes out by each.
    ways: Vec<(NamedWay, bool)>,
}

/// Maximum number of such batches per position.
const WAYS: usize = 8;

impl Ends {
    pub fn add(&mut self, state: &Game, action: &Action) {
        if !matches!(action, Action::Meld(_) | Action::TakePile(_) | Action::Discard(_)) {
            return;
        }
        let next = after(state, action);
        let hand = next.table.hand(state.table.turn_seat());
        self.out |= next.table.round_over().is_some_and(|over| over.reason == EndReason::WentOut);
        let last_hand = next.table.foot(state.table.turn_seat()).is_empty();
        if next.table.phase() == Phase::Play && hand.len() == 1 && last_hand {
            // Laid cards may still return, so the last discard may be refused.
            let goes = |card: &Card| {
                !next.table.set().undo_meld || next.check(actor(&next), &Action::Discard(*card)).is_ok()
            };
            self.kept.extend(hand.iter().filter(goes).map(|card| card.rank().index() as u8));
        }
        self.note_way(action, &next, hand);
    }

    /// Notes a batch that leaves at most one card as a way out, and whether the seat goes out by it.
    fn note_way(&mut self, action: &Action, next: &Game, hand: &Cards) {
        let Action::Meld(groups) = action else { return };
        if self.ways.len() == WAYS || hand.len() > 1 {
            return;
        }
        let discard = hand.iter().next();
        let ended = next.table.round_over().is_some_and(|over| over.reason == EndReason::WentOut);
        let goes = discard.map_or(ended, |card| {
            let played = next.check(actor(next), &Action::Discard(card)).is_ok();
            let then = played.then(|| after(next, &Action::Discard(card)));
            then.and_then(|then| then.table.round_over())
                .is_some_and(|over| over.reason == EndReason::WentOut)
        });
        self.ways.push((NamedWay { groups: groups.clone(), discard }, goes));
    }
}

/// Checks that `ask` gives ASK_CANNOT_GO_OUT exactly if every batch leaves two cards or more. Skips rules that do not
/// check questions, or under which a batch waits for a question.
pub fn ask_agrees(state: &Game, ends: &Ends, tally: &mut Tally) {
    let asks = state.table.set().ask_check == AskCheck::Strict
        && matches!(state.table.set().ask, Ask::Binding | Ask::Advisory);
    if state.table.mates(state.table.turn_seat()).next().is_none() || !asks {
        return;
    }
    let named = state.table.set().ask_whom == AskWhom::Named;
    let to = state.table.mates(state.table.turn_seat()).next().filter(|_| named);
    let ask = Action::Ask { about: About::GoOut, to, with: None };
    let codes = state.check(actor(state), &ask).err().map_or(Vec::new(), |r| r.codes());
    let can = ends.out || !ends.kept.is_empty();
    let says = !codes.contains(&Code::AskCannotGoOut);
    assert!(says == can, "ask says {says}, the batches say {can}: {}", show(&state.table));
    tally.count("questions judged as the batches say", 1);
    // A way is judged as after a "yes", whatever the answer was.
    for (way, goes) in ends.ways.iter().filter(|_| !codes.contains(&Code::AskUsedUp)) {
        let accepts = |way: NamedWay| {
            let ask = Action::Ask { about: About::GoOut, to, with: Some(Box::new(way)) };
            let codes = state.check(actor(state), &ask).err().map_or(Vec::new(), |r| r.codes());
            !codes.contains(&Code::AskCannotGoOut)
        };
        assert!(accepts(way.clone()) == *goes, "{way:?} goes out: {goes}, on {}", show(&state.table));
        assert!(way.discard.is_none() || !accepts(NamedWay { discard: None, ..way.clone() }));
        tally.count(if *goes { "named ways out accepted" } else { "named ways out refused" }, 1);
    }
}
