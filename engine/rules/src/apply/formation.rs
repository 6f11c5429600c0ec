//! The sides of three players: the seat that takes the pile first, or goes out before anyone took it, plays
//! alone (ALG-22).

use super::Sink;
use crate::action::MeldKind;
use crate::event::Event;
use crate::rules::SideFormation;
use crate::seat::{Seat, Side};
use crate::table::{Meld, Table};
use alloc::vec::Vec;

/// Forms the sides: `lone` plays against the other two from now on (P3-004 to P3-006). Does nothing if the
/// sides are fixed already. The pair has the number of its lower seat, whose melds keep their ids. No seat is
/// left on the side with the number of the pair's other seat.
pub(super) fn fix_sides(table: &mut Table, lone: Seat, events: &mut impl Sink) {
    if table.set().side_formation == SideFormation::Fixed || table.round.lone.is_some() {
        return;
    }
    let mut others = table.seats().filter(|&seat| seat != lone).map(|seat| Side(seat.0));
    let (Some(pair), Some(emptied)) = (others.next(), others.next()) else {
        unreachable!("sides form among three (forbidden combination 5)")
    };
    events.add(|| Event::SidesFixed { lone });
    let round = &mut table.round;
    round.lone = Some(lone);
    round.next_id[emptied.index()] = 0;
    if round.opened & (1 << emptied.0) != 0 {
        round.opened = round.opened & !(1 << emptied.0) | 1 << pair.0;
    }
    let joining: Vec<Meld> = table.melds.extract_if(.., |meld| meld.side == emptied).collect();
    for meld in joining {
        join(table, pair, meld, events);
    }
}

/// Adds a meld to the pair's open meld of its rank, else to the completed one (AMB-38, clarification 16). The
/// result may hold more wilds than the rule set allows in a meld (AMB-39). If the pair has no such meld, the
/// meld takes the next free id.
fn join(table: &mut Table, pair: Side, meld: Meld, events: &mut impl Sink) {
    let set = table.rules.set();
    // Two sequences stay two melds.
    let is_set = meld.kind != MeldKind::Sequence;
    let like = |m: &&mut Meld| is_set && m.side == pair && m.kind == meld.kind && m.rank == meld.rank;
    let own = table.melds.iter_mut().filter(like).min_by_key(|m| (m.grade(set).is_some(), m.id));
    let Some(own) = own else {
        let id = table.begin_meld_id(pair);
        table.insert_meld(Meld { side: pair, id, ..meld });
        return;
    };
    let before = own.grade(set);
    own.cards.add(&meld.cards);
    events.add(|| Event::Merged { side: pair, a: own.id, b: meld.id });
    if let Some(grade) = own.grade(set).filter(|_| own.grade(set) != before) {
        events.add(|| Event::Canasta { side: pair, meld: own.id, grade });
    }
}
