//! Decodes any bytes as a token. Nothing panics, a token that can be decoded encodes to the same bytes, and decoding into
//! another game gives the same game or the same error.
#![no_main]

use canasta_engine::deal::GameId;
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::Game;
use canasta_engine::invariant;
use canasta_engine::rules::Rules;
use canasta_engine::seat::Seat;
use canasta_engine::token::{Catalogue, decode, decode_into, encode};
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::new);
static OTHER: LazyLock<Game> = LazyLock::new(|| {
    let dealing = Dealing::new(GameId([7; 16]), DealSource::Unknown, false);
    Game::new(Arc::new(Rules::preset("hand-and-foot-4p").expect("a preset")), dealing, Seat(0))
});

fuzz_target!(|bytes: &[u8]| {
    let mut reused = OTHER.clone();
    let (decoded, into) = (decode(bytes, &CATALOGUE), decode_into(&mut reused, bytes, &CATALOGUE));
    assert_eq!(invariant::check_without_search(&reused.table), Ok(()));
    assert_eq!(decoded.as_ref().err(), into.as_ref().err());
    if let Ok(game) = decoded {
        assert_eq!(game, reused);
        assert_eq!(encode(&game), bytes);
        assert_eq!(invariant::check_without_search(&game.table), Ok(()));
    }
});
