//! What is true of every state, one named function each.

use crate::action::MeldKind;
use crate::card::{Cards, Class};
use crate::check::may_go_out;
use crate::seat::MAX_SEATS;
use crate::state::{MAX_MELDS, Permission, Phase, Source, State};
use crate::way_out;
use alloc::string::String;

/// An invariant: its name and the test, which says what it found.
pub type Invariant = (&'static str, fn(&State) -> Result<(), String>);

/// All invariants.
pub const ALL: &[Invariant] = &[
    ("every card is in exactly one place, or the cards are gathered up", census),
    ("no hand holds a red three that is laid by itself", no_red_three_held),
    ("only red threes are laid", only_threes_laid),
    ("every meld has the shape of its kind", melds_shaped),
    ("melds stand by side and id, each id once", melds_ordered),
    ("a side has opened exactly if it has a meld", opened_if_melded),
    ("a seat that has melded belongs to a side that has opened", melded_seats_opened),
    ("what freezes the pile lies in it", freeze_follows),
    ("the start of the pile is no longer than the pile", start_within_pile),
    ("the seat in turn has a card", turn_has_cards),
    ("the source of the turn's cards fits the phase", source_fits),
    ("a question is open exactly while it is asked", question_fits),
    ("a seat that must play its only card may go out", last_card_may_go),
    ("a seat that asked, or was answered yes, can go out", asker_can_go_out),
    ("a round that is over says how it ended", over_fits),
    ("seats and sides that do not exist have nothing", nobody_has_nothing),
    ("seats that are named exist", named_seats_exist),
];

/// Those that a token's bytes can break. The others hold for whatever is read: [`crate::token`] counts
/// cards against the pack, numbers melds as they come and derives the rest.
pub(crate) const OF_FACTS: &[Invariant] = &[
    ("a seat that has melded belongs to a side that has opened", melded_seats_opened),
    ("the start of the pile is no longer than the pile", start_within_pile),
    ("the seat in turn has a card", turn_has_cards),
    ("the source of the turn's cards fits the phase", source_fits),
    ("a question is open exactly while it is asked", question_fits),
    ("a seat that must play its only card may go out", last_card_may_go),
    ("a seat that asked, or was answered yes, can go out", asker_can_go_out),
    ("a round that is over says how it ended", over_fits),
    ("seats that are named exist", named_seats_exist),
];

/// Tests all of them; the first that fails, with what it found.
///
/// # Errors
/// Name of the invariant and what was found.
pub fn check_all(state: &State) -> Result<(), (&'static str, String)> {
    ALL.iter().try_for_each(|&(name, test)| test(state).map_err(|found| (name, found)))
}

fn ensure(holds: bool, found: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(found()) }
}

/// Cards are gathered up from the end of a round to the next deal. A game may end in either way.
fn census(state: &State) -> Result<(), String> {
    let mut found: Cards = state.stock.iter().chain(&state.pile).copied().collect();
    for cards in state.hands.iter().chain(&state.laid).chain(state.melds.iter().map(|m| &m.cards)) {
        found.add(cards);
    }
    let expected = match state.phase {
        Phase::Setup | Phase::Deal => Cards::EMPTY,
        Phase::GameOver if found.is_empty() => Cards::EMPTY,
        _ => state.rules.census(),
    };
    ensure(found == expected, || alloc::format!("{found:?}, expected {expected:?}"))
}

fn no_red_three_held(state: &State) -> Result<(), String> {
    let held = state.seats().find(|&seat| state.hand(seat).red_threes() > 0);
    ensure(held.is_none(), || alloc::format!("seat {held:?}"))
}

fn only_threes_laid(state: &State) -> Result<(), String> {
    let other = state.laid.iter().flat_map(Cards::iter).find(|card| card.class() != Class::RedThree);
    ensure(other.is_none(), || alloc::format!("{other:?}"))
}

fn melds_shaped(state: &State) -> Result<(), String> {
    let set = state.set();
    let bad = state.melds.iter().find(|m| {
        let of_kind = m.cards.iter().all(|card| match (m.kind, card.class()) {
            (MeldKind::Set, Class::Natural) => m.rank == Some(card.rank()),
            (MeldKind::Set | MeldKind::Wild, Class::Wild) => true,
            (MeldKind::BlackThrees, Class::BlackThree) => true,
            _ => false,
        });
        let ranked = m.rank.is_some() == (m.kind == MeldKind::Set);
        let naturals = m.len() - u16::from(m.wilds());
        let enough = m.kind != MeldKind::Set || naturals >= u16::from(set.min_naturals);
        !(of_kind && ranked && enough) || m.len() < u16::from(set.meld_min)
    });
    ensure(bad.is_none(), || alloc::format!("{bad:?}"))
}

fn melds_ordered(state: &State) -> Result<(), String> {
    let ordered = state.melds.is_sorted_by(|a, b| (a.side, a.id) < (b.side, b.id));
    let bounded = state.melds.iter().all(|m| m.id.0 < state.round.next_id[m.side.index()]);
    ensure(ordered && bounded && state.melds.len() <= MAX_MELDS, || alloc::format!("{:?}", state.melds))
}

fn opened_if_melded(state: &State) -> Result<(), String> {
    let bad = state.sides().find(|&side| state.opened(side) != state.melds_of(side).next().is_some());
    ensure(bad.is_none(), || alloc::format!("side {bad:?}"))
}

fn melded_seats_opened(state: &State) -> Result<(), String> {
    let bad = state.seats().find(|&seat| state.has_melded(seat) && !state.opened(state.side_of(seat)));
    ensure(bad.is_none(), || alloc::format!("seat {bad:?}"))
}

fn freeze_follows(state: &State) -> Result<(), String> {
    let expected = state.causes_of_pile();
    ensure(state.freeze == expected, || alloc::format!("{:?}, expected {expected:?}", state.freeze))
}

fn start_within_pile(state: &State) -> Result<(), String> {
    let (start, pile) = (usize::from(state.round.start_len), state.pile.len());
    ensure(start <= pile, || alloc::format!("{start} of {pile}"))
}

fn turn_has_cards(state: &State) -> Result<(), String> {
    let playing = matches!(state.phase, Phase::Start | Phase::Play | Phase::Asked);
    let seat = state.turn.seat;
    ensure(seat.0 < state.set().seats && !(playing && state.hand(seat).is_empty()), || {
        alloc::format!("seat {seat}")
    })
}

fn source_fits(state: &State) -> Result<(), String> {
    let none = state.turn.source == Source::None;
    let fits = match state.phase {
        Phase::Start => none,
        Phase::Play | Phase::Asked => !none,
        _ => true,
    };
    ensure(fits, || alloc::format!("{:?} in {:?}", state.turn.source, state.phase))
}

fn question_fits(state: &State) -> Result<(), String> {
    let pending = matches!(state.turn.permission, Permission::Pending { .. });
    // CL-086: nobody asks before the draw.
    let early = state.phase == Phase::Start && state.turn.permission != Permission::None;
    ensure(pending == (state.phase == Phase::Asked) && !early, || {
        alloc::format!("{:?}", state.turn.permission)
    })
}

/// CL-084: otherwise it could neither discard nor keep the card.
fn last_card_may_go(state: &State) -> Result<(), String> {
    let seat = state.turn.seat;
    let only = state.phase == Phase::Play && state.hand(seat).len() == 1;
    let canastas = state.canastas(state.side_of(seat));
    ensure(!only || may_go_out(state, canastas), || alloc::format!("seat {seat}, {canastas:?}"))
}

/// AMB-16: "yes, but unable" cannot arise.
fn asker_can_go_out(state: &State) -> Result<(), String> {
    let playing = matches!(state.phase, Phase::Play | Phase::Asked);
    let bound = matches!(state.turn.permission, Permission::Pending { .. } | Permission::Yes);
    let stuck = playing && bound && !way_out::exists(&way_out::Table::of(state));
    ensure(!stuck, || alloc::format!("{:?} of {:?}", state.turn.permission, state.hand(state.turn.seat)))
}

fn over_fits(state: &State) -> Result<(), String> {
    let (over, playing) =
        (state.round.over.is_some(), matches!(state.phase, Phase::Start | Phase::Play | Phase::Asked));
    let must = state.phase == Phase::RoundOver;
    ensure(!(over && playing) && (over || !must), || {
        alloc::format!("{:?} in {:?}", state.round.over, state.phase)
    })
}

fn nobody_has_nothing(state: &State) -> Result<(), String> {
    let seats = usize::from(state.set().seats);
    let hands =
        state.hands[seats..MAX_SEATS].iter().chain(&state.laid[seats..MAX_SEATS]).all(Cards::is_empty);
    let sides = usize::from(state.set().side_count);
    let scores = state.scores[sides..].iter().all(|&score| score == 0);
    let melds = state.melds.iter().all(|m| m.side.index() < sides);
    let ids = state.round.next_id[sides..].iter().all(|&next| next == 0);
    ensure(hands && scores && melds && ids, || String::from("a zone beyond the seats is not empty"))
}

fn named_seats_exist(state: &State) -> Result<(), String> {
    let (round, turn, seats) = (&state.round, &state.turn, state.set().seats);
    let asked_or_refusing = match turn.permission {
        Permission::Pending { to: seat, .. } | Permission::No { by: seat } => Some(seat),
        Permission::None | Permission::Yes => None,
    };
    let ender = round.over.and_then(|over| over.seat);
    let mut named = [round.dealer, turn.seat].into_iter().chain(asked_or_refusing).chain(ender);
    let sets = u32::from(round.has_melded | round.asked) >> seats == 0;
    ensure(sets && named.all(|seat| seat.0 < seats), || alloc::format!("{round:?}, {turn:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// What every token keeps, whatever its bytes. An invariant that is new belongs to
    /// [`OF_FACTS`], unless the way cards are read makes it true.
    const KEPT_BY_TOKENS: [&str; 8] = [
        "every card is in exactly one place, or the cards are gathered up",
        "no hand holds a red three that is laid by itself",
        "only red threes are laid",
        "every meld has the shape of its kind",
        "melds stand by side and id, each id once",
        "a side has opened exactly if it has a meld",
        "what freezes the pile lies in it",
        "seats and sides that do not exist have nothing",
    ];

    #[test]
    fn every_invariant_is_kept_or_tested_when_a_token_is_read() {
        let tested: Vec<&str> = OF_FACTS.iter().map(|(name, _)| *name).collect();
        let rest: Vec<&str> =
            ALL.iter().map(|(name, _)| *name).filter(|name| !tested.contains(name)).collect();
        assert_eq!(rest, KEPT_BY_TOKENS);
        assert_eq!(tested.len() + rest.len(), ALL.len());
    }
}
