//! Offers to take back, to which a seat of every other side must agree.

use canasta_engine::game::Game;
use canasta_engine::seat::{Seat, Side};
use canasta_proto::v1::TakeBackOffer;

use crate::entry::{Offer, Settings};

/// Adds the agreement of a seat to the open offer, if it goes back to the same action; else the seat makes a new offer.
pub fn joined(open: Option<Offer>, to_seq: u64, by: Seat, game: &Game) -> Offer {
    let mut offer = open.filter(|offer| offer.to_seq == to_seq).unwrap_or(Offer { to_seq, by, agreed: 0 });
    offer.agreed |= 1 << game.table.side_of(by).0;
    offer
}

/// Returns the sides whose agreement is missing. A side that only bots play agrees to everything.
pub fn missing(offer: Offer, settings: &Settings, game: &Game) -> Vec<Side> {
    let sides = (0..game.table.set().side_count).map(Side);
    let has_player = |side: Side| {
        game.table.seats().any(|seat| game.table.side_of(seat) == side && !settings.bots.has(seat))
    };
    sides.filter(|side| offer.agreed & 1 << side.0 == 0 && has_player(*side)).collect()
}

/// Writes an offer.
pub fn write(offer: Offer, settings: &Settings, game: &Game) -> TakeBackOffer {
    let waits_for = missing(offer, settings, game).into_iter().map(|side| side.0.into()).collect();
    TakeBackOffer { to_seq: offer.to_seq, by: Some(offer.by.0.into()), waits_for }
}
