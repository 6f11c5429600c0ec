//! The pack, the wall and the random dealer.

use super::shuffle::{draw_below, shuffle};
use super::{Context, DealError, DealId, GameId, RoundSecret, Stream};
use alloc::vec::Vec;
use canasta_rules::card::{CARDS_MAX, Card, PACKS_MAX};
use canasta_rules::seat::{SEATS_MAX, Seat};

/// Number of bytes in the stream of a wall: 64 blocks of 64 bytes, or 1,024 words.
pub const STREAM_BYTES: u32 = 4096;

/// Returns the wall of a round: all cards of the pack, first card dealt first.
///
/// # Errors
/// [`DealError::PackSize`] as for [`card_count`], [`DealError::CardCount`] if `context` was made for another
/// number of cards, [`DealError::Words`] for an invalid deal.
pub fn wall(secret: &RoundSecret, context: &Context, packs: u8, jokers: u8) -> Result<Vec<Card>, DealError> {
    let pack_size = card_count(packs, jokers)?;
    if context.cards() != pack_size {
        return Err(DealError::CardCount { context: context.cards(), pack: pack_size });
    }
    let mut wall = pack(packs, jokers)?;
    shuffle(&mut wall, stream(secret, context).words())?;
    Ok(wall)
}

/// Returns the number of cards in `packs` packs of 52 (1 to 6) with `jokers` jokers in all.
///
/// # Errors
/// [`DealError::PackSize`] outside 1 to 6 packs or above 324 cards.
pub fn card_count(packs: u8, jokers: u8) -> Result<u16, DealError> {
    let cards = u16::from(packs) * 52 + u16::from(jokers);
    if !(1..=PACKS_MAX).contains(&packs) || usize::from(cards) > CARDS_MAX {
        return Err(DealError::PackSize { packs, jokers });
    }
    Ok(cards)
}

/// Returns the pack before the shuffle, in order of card ids: each pack's 52 cards by kind, then its share of
/// the jokers. Pack c of n (from 0) has `floor(jokers * (c+1) / n) - floor(jokers * c / n)` jokers, so the
/// shares are as even as possible.
///
/// # Errors
/// [`DealError::PackSize`] as for [`card_count`].
pub fn pack(packs: u8, jokers: u8) -> Result<Vec<Card>, DealError> {
    let mut cards = Vec::with_capacity(usize::from(card_count(packs, jokers)?));
    let jokers_before = |pack: u8| u16::from(jokers) * u16::from(pack) / u16::from(packs);
    for pack in 0..packs {
        cards.extend(Card::all().filter(|&card| card != Card::JOKER));
        cards.extend((jokers_before(pack)..jokers_before(pack + 1)).map(|_| Card::JOKER));
    }
    Ok(cards)
}

/// Returns the dealer of `round`, for a rule set that draws the dealer at random. `first` is the secret of
/// the round's attempt 1: a repeated deal keeps its dealer.
///
/// # Errors
/// [`DealError::SeatCount`] outside 2 to 6 seats; [`DealError::Words`] if none of the block's 16 words
/// decides (probability below 10^-140).
pub fn random_dealer(first: &RoundSecret, game: GameId, round: u32, seats: u8) -> Result<Seat, DealError> {
    if !(2..=SEATS_MAX).contains(&usize::from(seats)) {
        return Err(DealError::SeatCount { found: usize::from(seats) });
    }
    let context = dealer_context(game, round);
    let mut words = dealer_stream(first, &context).words();
    let seat = draw_below(seats.into(), &mut words).ok_or(DealError::Words { limit: 16 })?;
    Ok(Seat(seat as u8))
}

/// Returns the one block of KDF output that [`random_dealer`] draws from, so that a check can show its steps.
pub fn dealer_block(first: &RoundSecret, game: GameId, round: u32) -> [u8; 64] {
    let context = dealer_context(game, round);
    dealer_stream(first, &context).next().expect("the stream has one block")
}

fn dealer_context(game: GameId, round: u32) -> Vec<u8> {
    let deal = DealId::new(game, round, 1);
    let text = deal.as_str().as_bytes();
    [&super::commit::length(text)[..], text].concat()
}

fn dealer_stream<'a>(first: &RoundSecret, context: &'a [u8]) -> Stream<'a> {
    Stream::new(&first.0, "canasta-dealer/1", context, 64)
}

/// Returns the stream that a wall is shuffled with: 64 blocks.
pub fn stream<'a>(secret: &RoundSecret, context: &'a Context) -> Stream<'a> {
    Stream::new(&secret.0, "canasta-deal/1", context.as_bytes(), STREAM_BYTES)
}
