//! The question "may I go out?": asking and answering.

use super::merit::{Merit, Reason, Tier};
use super::situation::Situation;
use super::weights::Weight as W;
use canasta_rules::card::Rank;
use canasta_rules::rules::{Ask, AskCheck};

/// Returns the merit of asking. The bot asks a mate with many cards; if the mates have few cards, the bot
/// goes out without asking.
pub(super) fn of_ask(situation: &Situation<'_>) -> Merit {
    let set = situation.set;
    let asks =
        set.ask == Ask::Required || i32::from(situation.mate_cards()) >= situation.weights[W::AskMateCards];
    // If the question is not checked, asking with a hand that cannot go out costs points after a "yes".
    let can = set.ask_check == AskCheck::Strict || situation.is_nearly_out();
    let asks = situation.wants_out && asks && can && !situation.is_costly_to_lay();
    // Asking ranks above every step that goes out: the answer must come first.
    if asks { Merit::new(Tier::Finish, i32::MAX, Reason::AskPartner) } else { Merit::last_resort(0) }
}

/// Returns the merit of an answer: yes if the own hand, which will count against the side, is cheap enough.
pub(super) fn of_answer(situation: &Situation<'_>, yes: bool) -> Merit {
    let hand = situation.hand.kinds();
    let cards: i32 = hand.map(|(card, count)| situation.points(card) * i32::from(count)).sum();
    let trio = |rank: Rank| {
        situation.set.penalty_held_trio.get(rank).filter(|_| situation.hand.rank_count(rank) >= 3)
    };
    let cost = cards + Rank::NATURAL.into_iter().filter_map(trio).sum::<i32>();
    let limit = if situation.threatened() {
        situation.weights[W::AnswerCostThreatened]
    } else {
        situation.weights[W::AnswerCost]
    };
    let reason = if yes { Reason::Agree } else { Reason::Decline };
    Merit::new(Tier::Due, i32::from(yes == (cost <= limit)), reason)
}
