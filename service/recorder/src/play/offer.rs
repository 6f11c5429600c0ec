//! Offers, which others must agree to: to take back, and to end a game before its time.

use canasta_engine::action::As;
use canasta_engine::game::Game;
use canasta_engine::seat::{Seat, Side};
use canasta_messages::answers::proposal::{ProposedRecord, ReadProposal};
use canasta_proto::v1::{EndOffer, EndWay, TakeBackOffer};

use crate::entry::{Offer, Offered, Settings};

/// Adds the agreement of a seat to the open offer, if it is the same; else the seat makes a new offer.
pub fn joined(open: Option<Offer>, what: Offered, by: Seat, game: &Game) -> Offer {
    // Others of the seat's side may join a resignation, and nobody else.
    let is_same = |offer: &Offer| {
        let is_ours = game.table.side_of(offer.by) == game.table.side_of(by);
        offer.what == what && (what != Offered::Resign || is_ours)
    };
    let mut offer = open.filter(is_same).unwrap_or(Offer { what, by, agreed: 0 });
    offer.agreed |= bit(what, by, game);
    offer
}

/// Returns the bit of whom a seat agrees for.
fn bit(what: Offered, seat: Seat, game: &Game) -> u8 {
    1 << if what == Offered::Resign { seat.0 } else { game.table.side_of(seat).0 }
}

/// Returns the seats that may still agree. A bot agrees to everything.
pub fn missing(offer: Offer, settings: &Settings, game: &Game) -> Vec<Seat> {
    let is_asked = |seat: &Seat| {
        let is_partner = game.table.side_of(*seat) == game.table.side_of(offer.by);
        !settings.bots.has(*seat) && (offer.what != Offered::Resign || is_partner)
    };
    let agrees = |seat: &Seat| offer.agreed & bit(offer.what, *seat, game) != 0;
    game.table.seats().filter(|seat| is_asked(seat) && !agrees(seat)).collect()
}

/// Returns the note that records an offer of the seat that makes it, or the agreement of another seat.
pub fn note(seat: Seat, offer: Offer) -> ReadProposal {
    let does = if offer.by == seat { "offers" } else { "agrees" };
    let text = match offer.what {
        Offered::TakeBack(to_seq) => format!("{does} to take back to action {to_seq}"),
        Offered::Stop => format!("{does} to stop"),
        Offered::Resign => format!("{does} to resign"),
    };
    ReadProposal::of(As::Seat(seat), ProposedRecord::Note(text))
}

/// Writes an offer to take back; `None` if it is another one.
pub fn write_take_back(offer: Offer, settings: &Settings, game: &Game) -> Option<TakeBackOffer> {
    let Offered::TakeBack(to_seq) = offer.what else { return None };
    let mut sides: Vec<Side> =
        missing(offer, settings, game).into_iter().map(|seat| game.table.side_of(seat)).collect();
    sides.sort_unstable();
    sides.dedup();
    let waits_for = sides.into_iter().map(|side| side.0.into()).collect();
    Some(TakeBackOffer { to_seq, by: Some(offer.by.0.into()), waits_for })
}

/// Writes an offer to end the game; `None` if it is another one.
pub fn write_end(offer: Offer, settings: &Settings, game: &Game) -> Option<EndOffer> {
    let way = match offer.what {
        Offered::TakeBack(_) => return None,
        Offered::Stop => EndWay::Agreed,
        Offered::Resign => EndWay::Resigned,
    };
    let waits_for = missing(offer, settings, game).into_iter().map(|seat| seat.0.into()).collect();
    Some(EndOffer { way: way.into(), by: Some(offer.by.0.into()), waits_for })
}
