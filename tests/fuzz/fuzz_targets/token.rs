//! Decodes any bytes as a token. Nothing panics, and a token that can be decoded encodes to the same bytes.
#![no_main]

use canasta_engine::invariant;
use canasta_engine::token::{Catalogue, decode, encode};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::new);

fuzz_target!(|bytes: &[u8]| {
    if let Ok(game) = decode(bytes, &CATALOGUE) {
        assert_eq!(encode(&game), bytes);
        assert_eq!(invariant::check_without_search(&game.table), Ok(()));
    }
});
