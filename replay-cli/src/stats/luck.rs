//! The luck of a deal: what bots make of it, from every rotation of the seats.
//!
//! As bridge has a par: the same bots play the same cards again, once as they were dealt and once for each rotation, in
//! which every seat gets the hand and the cards of the stock of a neighbour. If nobody chose the cards, each rotation was
//! as likely as the deal itself. Skill does not show in it, for the players do not play.

use crate::judging::what_if::{play, scores};
use canasta_engine::action::{Action, As};
use canasta_engine::apply::apply;
use canasta_engine::bot::Level;
use canasta_engine::card::Card;
use canasta_engine::check::{Dealt, check_deal};
use canasta_engine::table::{Phase, Setup, Table};

/// Returns the points of each unit by rotation, as bots of `level` play it, the first as it was dealt; `None` if they come to no end. `upcards`
/// is the number of cards that were turned at the deal.
pub fn rotations(table: &Table, wall: &[Card], upcards: usize, level: Level) -> Option<Vec<Vec<i32>>> {
    let undealt = undealt(table)?;
    (0..usize::from(table.set().seats))
        .map(|by| {
            let mut played = undealt.clone();
            let dealt = Dealt::Wall(turned(table, wall, upcards, by));
            let deal = Action::Deal(Box::default());
            let legal = check_deal(&played, As::Table, &deal, |_| Ok(dealt)).ok()?;
            apply(&mut played, legal);
            play(&mut played, level);
            Some(scores(&played)).filter(|points| !points.is_empty())
        })
        .collect()
}

/// Returns the table before its deal, with the scores that were then.
fn undealt(table: &Table) -> Option<Table> {
    let setup = Setup {
        scores: table.scores().to_vec(),
        phase: Phase::Deal,
        round: table.round_number(),
        attempt: table.attempt(),
        dealer: table.dealer(),
        seating: table.seating().to_vec(),
        ..Setup::new(table.rules().clone(), table.dealer())
    };
    setup.into_table().ok()
}

/// Returns the wall with which every seat gets what the seat `by` places further got: hands and feet, and of the stock the
/// cards of its turns, as long as every seat draws in turn. Talons and the cards turned at the deal stay.
fn turned(table: &Table, wall: &[Card], upcards: usize, by: usize) -> Vec<Card> {
    let set = table.set();
    let seats = usize::from(set.seats);
    let dealt = seats * (usize::from(set.hand_size) + set.feet_size() as usize);
    let between: usize = set.talons.iter().map(|&size| usize::from(size)).sum::<usize>() + upcards;
    let mut wall = wall.to_vec();
    let turn = |cards: &mut [Card], each: usize| {
        cards.chunks_exact_mut(seats * each).for_each(|cards| cards.rotate_left(by * each));
    };
    let end = dealt.min(wall.len());
    turn(&mut wall[..end], 1);
    let stock = (dealt + between).min(wall.len());
    turn(&mut wall[stock..], set.cards_drawn(table.round_number()).max(1).into());
    wall
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::what_if::PLAYS_ON;
    use canasta_engine::rules::Rules;
    use canasta_engine::seat::Seat;
    use std::sync::Arc;

    fn table(preset: &str) -> Table {
        let rules = Arc::new(Rules::preset(preset).expect("a preset"));
        let setup = Setup { phase: Phase::Deal, ..Setup::new(rules, Seat(0)) };
        setup.into_table().expect("a table before its deal")
    }

    /// Returns the pack in an order that is mixed enough: every 37th card, of packs whose size 37 does not divide.
    fn mixed(table: &Table) -> Vec<Card> {
        let pack: Vec<Card> = table.set().deck().iter().collect();
        (0..pack.len()).map(|place| pack[place * 37 % pack.len()]).collect()
    }

    /// Checks the turned wall by hand: four hands of eleven cards, one card turned, then stock by fours. Place 0 gets the
    /// hand of place 1, and the first card of the stock is the one that the second player would have drawn.
    #[test]
    fn a_rotation_moves_hands_and_turns_of_the_stock_together() {
        let table = table("classic-4p");
        let wall = mixed(&table);
        let turned = |by| turned(&table, &wall, 1, by);
        let one = turned(1);
        assert!(
            (0..11).all(|card| one[4 * card] == wall[4 * card + 1] && one[4 * card + 3] == wall[4 * card])
        );
        assert_eq!((one[44], one[45], one[48]), (wall[44], wall[46], wall[45]));
        assert_eq!(turned(0), wall);
        assert_eq!(turned(4), wall);
        // A deal of 108 cards leaves 63: the last three are no whole turn, and stay.
        assert_eq!(one[105..], wall[105..]);
    }

    /// Checks that the rotations are a group, as the permutation test needs: the turned deal has the same rotations, from
    /// another beginning. A rule set with feet and two cards a draw is among them.
    #[test]
    fn the_rotations_of_a_turned_deal_are_the_same_in_turn() {
        for preset in ["classic-4p", "classic-3p", "hand-and-foot-4p"] {
            let table = table(preset);
            let wall = mixed(&table);
            let mut played = rotations(&table, &wall, 1, PLAYS_ON).expect("rounds of bots end");
            assert_eq!(played.len(), usize::from(table.set().seats), "{preset}");
            let again =
                rotations(&table, &turned(&table, &wall, 1, 1), 1, PLAYS_ON).expect("rounds of bots end");
            played.rotate_left(1);
            assert_eq!(played, again, "{preset}");
            assert!(
                played.iter().any(|points| points != &played[0]),
                "{preset}: every rotation is worth the same"
            );
        }
    }
}
