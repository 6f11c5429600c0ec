//! Three players' sides: who takes the pile first, or goes out before anyone did, plays alone (ALG-22).

use crate::action::MeldKind;
use crate::event::{Event, Events};
use crate::rules::SideFormation;
use crate::seat::{Seat, Side};
use crate::table::{Meld, Table};
use alloc::vec::Vec;

/// `lone` plays against the other two from now on, unless sides are fixed already (P3-004 to P3-006). The
/// pair has the number of its lower seat, whose melds keep their ids; the other number is empty.
pub(super) fn fix_sides(state: &mut Table, lone: Seat, events: &mut Events) {
    if state.set().side_formation == SideFormation::Fixed || state.round.lone.is_some() {
        return;
    }
    let mut others = state.seats().filter(|&seat| seat != lone).map(|seat| Side(seat.0));
    let (Some(pair), Some(emptied)) = (others.next(), others.next()) else {
        unreachable!("sides form among three (forbidden combination 5)")
    };
    events.push(Event::SidesFixed { lone });
    let round = &mut state.round;
    round.lone = Some(lone);
    round.next_id[emptied.index()] = 0;
    if round.opened & (1 << emptied.0) != 0 {
        round.opened = round.opened & !(1 << emptied.0) | 1 << pair.0;
    }
    let joining: Vec<Meld> = state.melds.extract_if(.., |meld| meld.side == emptied).collect();
    for meld in joining {
        join(state, pair, meld, events);
    }
}

/// A meld joins the pair's open one of its rank, else the completed one (AMB-38, clarification 16); it may
/// then hold more wilds than a meld may (AMB-39). Without one it takes the next free id.
fn join(state: &mut Table, pair: Side, meld: Meld, events: &mut Events) {
    let set = state.rules.set();
    // Two sequences are two.
    let is_set = meld.kind != MeldKind::Sequence;
    let like = |m: &&mut Meld| is_set && m.side == pair && m.kind == meld.kind && m.rank == meld.rank;
    let own = state.melds.iter_mut().filter(like).min_by_key(|m| (m.grade(set).is_some(), m.id));
    let Some(own) = own else {
        let id = state.begin_meld_id(pair);
        state.insert_meld(Meld { side: pair, id, ..meld });
        return;
    };
    let before = own.grade(set);
    own.cards.add(&meld.cards);
    events.push(Event::Merged { side: pair, a: own.id, b: meld.id });
    if let Some(grade) = own.grade(set).filter(|_| own.grade(set) != before) {
        events.push(Event::Canasta { side: pair, meld: own.id, grade });
    }
}
