//! The draw for seats and dealer that a foreign record leaves out. Cards are picked so that all players sit
//! where the record says, and the dealer of the record deals.

use canasta_engine::action::{Action, As, CardList};
use canasta_engine::apply::act;
use canasta_engine::card::Card;
use canasta_engine::seat::Seat;
use canasta_engine::table::Table;

/// Cards that give each order of draws a different result.
const PICKS: [&str; 6] = ["As", "Ks", "Qs", "Js", "Ts", "9s"];

/// Returns the draw after which the seats are as given and this seat deals, if there is one.
pub(super) fn of_dealer(state: &Table, dealer: Seat) -> Option<Action> {
    let mut order: Vec<usize> = (0..usize::from(state.set().seats)).collect();
    let fits = |order: &[usize]| {
        let pick = |&place: &usize| Card::parse(PICKS[place]).map(|card| CardList::from(vec![card]));
        let picks: Option<Vec<CardList>> = order.iter().map(pick).collect();
        let action = Action::DrawCards(picks?);
        let mut after = state.clone();
        act(&mut after, As::Table, &action).ok()?;
        let seated = after.seating().iter().copied().eq(state.seats());
        (seated && after.dealer() == dealer).then_some(action)
    };
    permuted(&mut order, 0, &fits)
}

/// Returns the first result over all orders of the elements from `from` on.
fn permuted<T>(order: &mut [usize], from: usize, of: &impl Fn(&[usize]) -> Option<T>) -> Option<T> {
    if from == order.len() {
        return of(order);
    }
    for at in from..order.len() {
        order.swap(from, at);
        let found = permuted(order, from + 1, of);
        order.swap(from, at);
        if found.is_some() {
            return found;
        }
    }
    None
}
