//! `draw_cards`: drawn cards decide the seating and the first dealer (ALG-27).

use super::{Legal, Plan, Verdict, conclude, one, table_gate};
use crate::action::{Action, ActionKind, As, CardList};
use crate::card::{Card, Class, Rank};
use crate::rejection::{Field, Rejection, Violation};
use crate::rules::{DrawRanking, FirstDealer, RuleSet, SideChoice};
use crate::seat::Seat;
use crate::table::Table;
use crate::violations::Code;
use alloc::vec::Vec;
use core::cmp::Reverse;

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Draw {
    /// The cards that each player picked, by place in the list of players.
    pub picks: Vec<CardList>,
    /// The player on each seat.
    pub seating: Vec<Seat>,
    pub dealer: Seat,
}

/// Judges `draw_cards`. `wall` gives the drawn cards, first card drawn first. Without a wall the players draw
/// by hand, and the action names their cards.
///
/// # Errors
/// The same as for [`check`](super::check).
pub fn check_draw_cards(
    table: &Table,
    actor: As,
    action: &Action,
    wall: Option<&[Card]>,
) -> Result<Legal, Rejection> {
    let Action::DrawCards(picks) = action else { unreachable!("only a draw is judged as one") };
    conclude(table, actor, action, judge(table, actor, picks, wall))
}

pub(super) fn judge(table: &Table, actor: As, picks: &[CardList], wall: Option<&[Card]>) -> Verdict {
    table_gate(table, ActionKind::DrawCards)?;
    if actor != As::Table {
        let fault = Violation::new(Code::TurnNotYours, Field::Actor);
        return Err(one(fault));
    }
    let seats = usize::from(table.set().seats);
    let wrong_size = |zone, found: usize, required: usize| {
        let fault = Violation::new(Code::SetupDeal, Field::Action).fact("zone", zone);
        Err(one(fault.fact("found", found as u16).fact("required", required as u16)))
    };
    let by_hand = wall.is_none();
    if picks.len() != if by_hand { seats } else { 0 } {
        return wrong_size("PICKS", picks.len(), if by_hand { seats } else { 0 });
    }
    let draw = if by_hand {
        let mut rest = table.rules.census();
        if let Some(&card) = picks.iter().flatten().find(|&&card| !rest.remove(card)) {
            let found = picks.iter().flatten().filter(|other| **other == card).count();
            let fault = Violation::new(Code::SetupDeck, Field::Action).fact("card", card);
            let fault = fault.fact("found", found as u16);
            return Err(one(fault.fact("required", table.rules.census().count(card))));
        }
        let mut next: Vec<_> = picks.iter().map(|picks| picks.iter().copied()).collect();
        draw(table, |seat| next[seat.index()].next())
    } else {
        let mut wall = wall.unwrap_or_default().iter().copied();
        draw(table, |_| wall.next())
    };
    let draw =
        draw.map_err(|tied| one(Violation::new(Code::SetupDrawTied, Field::Action).fact("seats", tied)))?;
    let picked = |picks: &[CardList]| picks.iter().map(|picks| picks.len()).sum();
    if by_hand && picked(&draw.picks) != picked(picks) {
        return wrong_size("PICKS", picked(picks), picked(&draw.picks));
    }
    Ok(Plan::DrawCards(draw))
}

/// Draws cards until everything is decided. First all seats pick in order. Then the seats whose card does not
/// count pick again, and after them the seats that tie where it matters, as often as needed. `next` returns the
/// card that a seat picks.
///
/// # Errors
/// The seats that must still pick, if a card is missing.
fn draw(table: &Table, mut next: impl FnMut(Seat) -> Option<Card>) -> Result<Draw, Vec<Seat>> {
    let set = table.set();
    let mut picks: Vec<CardList> = table.seats().map(|_| CardList::new()).collect();
    let mut due: Vec<Seat> = table.seats().collect();
    while !due.is_empty() {
        for (i, &seat) in due.iter().enumerate() {
            let card = next(seat).ok_or_else(|| due[i..].to_vec())?;
            picks[seat.index()].push(card);
        }
        let counts = |card: &Card| worth(set.draw_ranking, *card).is_some();
        due.retain(|seat| !picks[seat.index()].last().is_some_and(counts));
        if due.is_empty() {
            due = undecided(set, &order(set, &picks));
        }
    }
    let order = order(set, &picks);
    let seating = seating(set, &order);
    let top = (0..).map(Seat).zip(&seating).find(|(_, player)| **player == order[0].1);
    let top = top.map_or(Seat(0), |(seat, _)| seat);
    let dealer = match set.first_dealer {
        FirstDealer::Random | FirstDealer::Given => table.round.dealer,
        FirstDealer::HighCardDeals => top,
        // SA-009: the seat left of the dealer has the first turn.
        FirstDealer::HighCardLeads => Seat((top.0 + set.seats - 1) % set.seats),
    };
    Ok(Draw { picks, seating, dealer })
}

/// The values of the cards of a seat in the order of its picks: later cards decide between equal earlier ones
/// (AMB-HF-03).
type Worth = Vec<(u8, u8)>;

/// Returns the players with the values of their cards, highest first; equal players in the order of the list.
fn order(set: &RuleSet, picks: &[CardList]) -> Vec<(Worth, Seat)> {
    let worth = |picks: &CardList| picks.iter().filter_map(|&card| worth(set.draw_ranking, card)).collect();
    let mut order: Vec<(Worth, Seat)> = picks.iter().map(worth).zip((0..).map(Seat)).collect();
    order.sort_by_key(|(worth, seat)| (Reverse(worth.clone()), *seat));
    order
}

/// Returns the seats that tie where it matters: at the top if the draw decides the dealer, across the middle if
/// it decides the sides.
fn undecided(set: &RuleSet, order: &[(Worth, Seat)]) -> Vec<Seat> {
    let half = order.len() / 2;
    let mut due = Vec::new();
    let mut from = 0;
    for block in order.chunk_by(|a, b| a.0 == b.0) {
        let to = from + block.len();
        let for_dealer = set.draws_dealer() && from == 0;
        let for_sides = set.side_choice == SideChoice::DrawnCards && from < half && half < to;
        if block.len() > 1 && (for_dealer || for_sides) {
            due.extend(block.iter().map(|(_, seat)| *seat));
        }
        from = to;
    }
    due.sort_unstable();
    due
}

/// Returns the player on each seat (HF-020): the higher half is one side, in falling order on seats 0, 2, 4;
/// the rest is the other side.
fn seating(set: &RuleSet, order: &[(Worth, Seat)]) -> Vec<Seat> {
    if set.side_choice == SideChoice::Given {
        return (0..set.seats).map(Seat).collect();
    }
    let half = order.len() / 2;
    (0..order.len()).map(|seat| order[seat / 2 + seat % 2 * half].1).collect()
}

/// Returns the value of a card in draws, a higher one being better, or `None` if the card does not count. Equal
/// cards tie, and so do all jokers (AMB-HF-02).
fn worth(ranking: DrawRanking, card: Card) -> Option<(u8, u8)> {
    let suit = card.suit().unwrap_or(0);
    let rank = card.rank().index() as u8;
    let ace_high = if card.rank() == Rank::Ace { 13 } else { rank };
    match (ranking, card.class()) {
        // HF-018: red threes, jokers, twos, aces, kings to fours, black threes.
        (DrawRanking::Points, Class::RedThree) => Some((17, suit)),
        (DrawRanking::Points, Class::Wild) if card == Card::JOKER => Some((16, 0)),
        (DrawRanking::Points, Class::Wild) => Some((15, suit)),
        (DrawRanking::Points, _) => Some((ace_high, suit)),
        // AMB-GR-14, SA-009: the joker does not count.
        (DrawRanking::AceHigh, _) if card == Card::JOKER => None,
        (DrawRanking::AceHigh | DrawRanking::None, _) => Some((ace_high, suit)),
    }
}

#[cfg(test)]
mod tests;
