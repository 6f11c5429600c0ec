//! Tests of the dealing with vectors A and B of docs/DEALING.md, which were fixed before this code was
//! written. engine/tests/it/deal_vectors.rs has the larger set.

use super::shuffle::draw_below;
use super::*;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use canasta_rules::card::{Card, Cards};
use canasta_rules::rules::PresetId;
use sha2::{Digest, Sha256};

const ALL_ONES: u32 = u32::MAX;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sha(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn counting<const N: usize>() -> [u8; N] {
    core::array::from_fn(|i| i as u8)
}

/// Returns the order of `cards` ids under `words`, the digest of that order (each id as u16be) and the number
/// of words taken.
fn order(cards: u16, words: impl IntoIterator<Item = u32>) -> (Vec<u16>, String, u16) {
    let mut ids: Vec<u16> = (0..cards).collect();
    let taken = shuffle(&mut ids, words).expect("enough words");
    let digest = sha(&ids.iter().flat_map(|id| id.to_be_bytes()).collect::<Vec<_>>());
    (ids, digest, taken)
}

fn vector_a(cards: u16) -> (RoundSecret, Context) {
    let deal = DealId::from_text("example-open-2026/r1/t07/d3").unwrap();
    let secret = RoundSecret(counting());
    let seats: Vec<_> = (0..4)
        .map(|k| {
            let value = [0x10 * (k + 1); 32];
            let commitment = Some(Commitment::seat(&deal, Seat(k), &value));
            Contribution { commitment, value: Some(value) }
        })
        .collect();
    let dealer = Commitment::dealer(&deal, &secret);
    assert_eq!(dealer.to_string(), "628cc18e71b42d1e3a26dcd05eda298029b3a736906599c1e0c7db79f17f8fd1");
    let beacon = beacon_value(b"drand-quicknet-placeholder");
    let context = Context::committed(&deal, "classic-4p/1", cards, dealer, &seats, Some(&beacon)).unwrap();
    (secret, context)
}

struct ExpectedA {
    cards: u16,
    context: &'static str,
    stream_start: &'static str,
    stream: &'static str,
    first: [u16; 12],
    order: &'static str,
    zone: u32,
    boundary_order: &'static str,
}

const A: [ExpectedA; 2] = [
    ExpectedA {
        cards: 108,
        context: "c92a1ee0479b06390b675b58676ef67f68fb4ea96c3b3cf6d8e18ed1c7a561ef",
        stream_start: "db63316c2c54304caa951ead8b847d90",
        stream: "a3fc85b569547b03b29ecef2e7e5766ed3ba2861e1ea4747d9a36dba946eb697",
        first: [28, 98, 107, 24, 39, 20, 59, 96, 95, 7, 10, 66],
        order: "40e156ccd3a94fc20857e82a9ffa4a208a90b9cf6a871fdb55a40c93b0269cfe",
        zone: 0xffff_ffb4,
        boundary_order: "751c3d2c8b7e604949dfda4044f0cd0fedfde5e26a405a85b74599012c9aa5dd",
    },
    ExpectedA {
        cards: 324,
        context: "f5b2c9c0714b1485303683e71f72c7cce76252debd21a33f2f8eb376a062e3b7",
        stream_start: "1c61ac2f105d91a46b8002e745094391",
        stream: "67f3145f2f00b34743455e263abef9c8e42329931d1e12298e58d89c8eb2801e",
        first: [249, 247, 271, 204, 177, 60, 201, 162, 268, 160, 274, 148],
        order: "94cb76727d7c39876bdd65690b706b2ee7051219a8f9935a850619f042a634d0",
        zone: 0xffff_fedc,
        boundary_order: "d1f86a23b400ce888101110d508e288912f3d70a040775b3e1e25749951e7c33",
    },
];

#[test]
fn vector_a_context_and_stream() {
    for expected in &A {
        let (secret, context) = vector_a(expected.cards);
        assert_eq!(context.as_bytes().len(), 387);
        assert_eq!(sha(context.as_bytes()), expected.context);
        assert_eq!(context.input_bits(), 512 + 4 * 256 + 256);
        let bytes: Vec<u8> = stream(&secret, &context).flatten().collect();
        assert_eq!(bytes.len(), STREAM_BYTES as usize);
        assert_eq!(hex(&bytes[..16]), expected.stream_start);
        assert_eq!(sha(&bytes), expected.stream);
    }
}

#[test]
fn vector_a_orders() {
    for expected in &A {
        let (secret, context) = vector_a(expected.cards);
        let words = || stream(&secret, &context).words();
        let (ids, digest, taken) = order(expected.cards, words());
        assert_eq!(ids[..12], expected.first);
        assert_eq!(digest, expected.order);
        assert_eq!(taken, expected.cards - 1);

        let (_, digest, taken) = order(expected.cards, [ALL_ONES].into_iter().chain(words()));
        assert_eq!(digest, expected.order);
        assert_eq!(taken, expected.cards, "one rejection");
    }
}

/// Checks that words are skipped from the largest multiple of the bound on, computed here in 64 bits. Tries every
/// bound of a shuffle or a draw with the last words.
#[test]
fn words_above_the_largest_multiple_are_skipped() {
    for bound in 2..=324u32 {
        let zone = (1u64 << 32) - (1u64 << 32) % u64::from(bound);
        for word in u32::MAX - 2 * bound..=u32::MAX {
            let expected = (u64::from(word) < zone).then_some(word % bound);
            assert_eq!(draw_below(bound, &mut [word].into_iter()), expected, "{word} below {bound}");
        }
    }
}

/// Checks that the pack which is shuffled is the rule set's pack: a wall from a secret is not compared with it again.
#[test]
fn the_pack_is_that_of_the_rules() {
    for preset in PresetId::all() {
        let set = preset.rule_set();
        let pack: Cards = pack(set.packs, set.jokers).expect("a preset can be dealt").into_iter().collect();
        assert_eq!(pack, set.deck(), "{}", preset.name());
    }
}

#[test]
fn vector_a_boundary() {
    for expected in &A {
        let (secret, context) = vector_a(expected.cards);
        let words = |first| [first].into_iter().chain(stream(&secret, &context).words()).take(1024);
        let (ids, digest, taken) = order(expected.cards, words(expected.zone - 1));
        assert_eq!(ids.last(), Some(&(expected.cards - 1)));
        assert_eq!(digest, expected.boundary_order);
        assert_eq!(taken, expected.cards - 1, "zone - 1 is accepted");

        let (_, digest, taken) = order(expected.cards, words(expected.zone));
        assert_eq!(digest, expected.order);
        assert_eq!(taken, expected.cards, "zone is rejected");
    }
}

#[test]
fn a_shuffle_takes_at_most_1024_words() {
    let too_many = Err(DealError::Words { limit: WORDS_MAX });
    for cards in [2, 108, 324] {
        let (secret, context) = vector_a(324);
        let after = |rejected: usize| {
            let words = core::iter::repeat_n(ALL_ONES, rejected).chain(stream(&secret, &context).words());
            // 2^32 is a multiple of 2, so every word is below the zone: two cards never reject a word.
            shuffle(&mut (0..cards).collect::<Vec<u16>>(), words)
        };
        let spare = 1024 - (usize::from(cards) - 1);
        if cards == 2 {
            assert_eq!(after(spare + 1), Ok(1));
        } else {
            assert_eq!(after(spare), Ok(1024));
            assert_eq!(after(spare + 1), too_many);
        }
    }
    assert_eq!(shuffle(&mut [0, 1, 2], [5]), too_many, "words may also end early");
    assert_eq!(shuffle::<u8>(&mut [], []), Ok(0));
}

fn vector_b() -> (GameId, GameSecret, DealId, RoundSecret, String) {
    let game = GameId(counting());
    let secret = GameSecret(counting());
    let round = secret.round(1, 1);
    (game, secret, DealId::new(game, 1, 1), round, sha(b"placeholder rule set"))
}

#[test]
fn vector_b_secrets_and_commitments() {
    let (game, secret, deal, round, _) = vector_b();
    assert_eq!(deal.as_str(), "000102030405060708090a0b0c0d0e0f/r1/1");
    assert_eq!(
        Commitment::game(game, &secret).to_string(),
        "63151da42f54d4125dbf6a6b37c6cdde7594bea8ead5e83eb4d05fe9be8d2085"
    );
    assert_eq!(hex(&round.0[..16]), "a421d74b69bf9bfe812c65f926f29a67");
    assert_eq!(
        Commitment::dealer(&deal, &round).to_string(),
        "1c8144bf2cddb659f254ec067507cdf7015f4008b9534a4c519c6e6bd9278cdc"
    );
}

#[test]
fn vector_b_seeded() {
    let (_, _, deal, round, rule_set) = vector_b();
    let context = Context::seeded(&deal, &rule_set, 108, Commitment::dealer(&deal, &round)).unwrap();
    assert_eq!(context.as_bytes().len(), 145);
    assert_eq!(sha(context.as_bytes()), "6df3fc8573ac96416033c5fc8fcba87a2417740edfacda8caf5cfc57890f50b6");
    let (ids, digest, _) = order(108, stream(&round, &context).words());
    assert_eq!(ids[..8], [31, 28, 51, 85, 45, 53, 26, 17]);
    assert_eq!(digest, "5e2b1d7a0b08bd51fe5be3d19a077fe08c4cd19e098906efcaa6cd430699b8c2");

    // With 2 jokers per pack, id = copy * 54 + k: 31 = 6h, 28 = 3h, 51 = Ks, 85 = 31 + 54, 53 = joker.
    let wall = wall(&round, &context, 2, 4).unwrap();
    let start: Vec<String> = wall[..8].iter().map(Card::to_string).collect();
    assert_eq!(start, ["6h", "3h", "Ks", "6h", "7s", "X", "Ah", "5d"]);
}

#[test]
fn vector_b_committed() {
    let (_, _, deal, round, rule_set) = vector_b();
    let mut seats: Vec<_> = [0x10, 0x20, 0x30, 0x40]
        .into_iter()
        .zip(0..)
        .map(|(byte, k)| {
            let value = [byte; 32];
            Contribution { commitment: Some(Commitment::seat(&deal, Seat(k), &value)), value: Some(value) }
        })
        .collect();
    seats[2] = Contribution::default();
    let dealer = Commitment::dealer(&deal, &round);
    let context = Context::committed(&deal, &rule_set, 108, dealer, &seats, None).unwrap();
    assert_eq!(context.as_bytes().len(), 353);
    assert_eq!(context.input_bits(), 512 + 3 * 256);
    assert_eq!(sha(context.as_bytes()), "ea2a07ca4a9328ee04d453da95a2f82022c2faa013b7d489978b52228ea9f052");
    let (ids, digest, _) = order(108, stream(&round, &context).words());
    assert_eq!(ids[..8], [19, 0, 12, 28, 93, 13, 82, 91]);
    assert_eq!(digest, "858c53174472eda89a225dbd414f9e7d2f1890b1f754325fc713b21857efd248");
}

#[test]
fn vector_b_random_dealer() {
    let (game, _, _, round, _) = vector_b();
    assert_eq!(hex(&dealer_block(&round, game, 1)[..8]), "9ee92d164d8f7650");
    assert_eq!(random_dealer(&round, game, 1, 4), Ok(Seat(2)));
    for seats in [0, 1, 7] {
        let found = usize::from(seats);
        assert_eq!(random_dealer(&round, game, 1, seats), Err(DealError::SeatCount { found }));
    }
}

#[test]
fn contributions_must_match_what_was_registered() {
    let (_, _, deal, round, rule_set) = vector_b();
    let dealer = Commitment::dealer(&deal, &round);
    let committed = |seat_2| {
        let seats = [Contribution::default(), Contribution::default(), seat_2];
        Context::committed(&deal, &rule_set, 108, dealer, &seats, None)
    };
    let value = Some([1; 32]);
    let of = |seat| Some(Commitment::seat(&deal, Seat(seat), &[1; 32]));
    let seat = Seat(2);
    assert!(committed(Contribution { commitment: of(2), value }).is_ok());
    assert!(committed(Contribution { commitment: of(2), value: None }).is_ok());
    let copied = committed(Contribution { commitment: of(1), value });
    assert_eq!(copied, Err(DealError::Mismatch { seat }), "another seat's commitment");
    let unregistered = committed(Contribution { commitment: None, value });
    assert_eq!(unregistered, Err(DealError::Unregistered { seat }));
    let nobody = Context::committed(&deal, &rule_set, 108, dealer, &[], None);
    assert_eq!(nobody, Err(DealError::SeatCount { found: 0 }));
}

#[test]
fn texts_are_short_ascii() {
    let (_, _, deal, round, _) = vector_b();
    let dealer = Commitment::dealer(&deal, &round);
    for bad in ["", "d\u{e9}al", &"x".repeat(256)] {
        let error = DealError::Text { length: bad.len() };
        assert_eq!(DealId::from_text(bad), Err(error));
        assert_eq!(Context::seeded(&deal, bad, 108, dealer), Err(error));
    }
}

#[test]
fn a_wall_needs_a_context_of_its_own_size() {
    let (secret, context) = vector_a(108);
    assert_eq!(wall(&secret, &context, 2, 2), Err(DealError::CardCount { context: 108, pack: 106 }));
    assert_eq!(wall(&secret, &context, 0, 4), Err(DealError::PackSize { packs: 0, jokers: 4 }));
}

#[test]
fn packs_hold_their_share_of_the_jokers() {
    // 5 packs, 7 jokers: floor(7 * (c + 1) / 5) - floor(7 * c / 5) = 1, 1, 2, 1, 2.
    let cards = pack(5, 7).unwrap();
    let mut at = 0;
    for jokers in [1, 1, 2, 1, 2] {
        let copy: Cards = cards[at..at + 52].iter().copied().collect();
        assert!(Card::all().all(|card| copy.count(card) == u8::from(card != Card::JOKER)));
        assert!(cards[at + 52..at + 52 + jokers].iter().all(|&card| card == Card::JOKER));
        at += 52 + jokers;
    }
    assert_eq!(at, cards.len());
}

#[test]
fn packs_have_bounds() {
    assert_eq!(card_count(1, 0), Ok(52));
    assert_eq!(card_count(6, 12), Ok(324));
    for (packs, jokers) in [(0, 4), (7, 0), (6, 13), (2, 221), (255, 255)] {
        assert_eq!(card_count(packs, jokers), Err(DealError::PackSize { packs, jokers }));
        assert!(pack(packs, jokers).is_err());
    }
}

#[test]
fn explicit_walls_are_committed_with_their_salt() {
    let (_, _, deal, _, _) = vector_b();
    let cards = pack(6, 12).unwrap();
    let of = |salt, wall| Commitment::wall(&deal, &WallSalt([salt; 32]), wall);
    assert_ne!(of(0, &cards), of(1, &cards));
    assert_ne!(of(0, &cards), of(0, &cards[1..]));
    let too_many = [&cards[..], &cards[..1]].concat();
    assert_eq!(of(0, &too_many), Err(DealError::WallSize { found: 325 }));
}

#[test]
fn game_ids_read_back_and_nothing_else_does() {
    let (game, ..) = vector_b();
    assert_eq!(GameId::parse(&game.to_string()), Some(game));
    for bad in ["", "00", "000102030405060708090A0B0C0D0E0F", "g00102030405060708090a0b0c0d0e0f"] {
        assert_eq!(GameId::parse(bad), None, "{bad:?}");
    }
    assert_eq!(GameId::parse(&format!("{game}0")), None);
}

#[test]
fn masks_open_with_everything_right_and_nothing_wrong() {
    use MaskLabel::{Refusal, Ruling};
    let (secret, salt) = (RoundSecret(counting()), WallSalt(counting()));
    let keys = [MaskKey::Secret(&secret), MaskKey::Salt(&salt)];
    let plain: Vec<u8> = (0..130).map(|i| if i % 3 == 0 { 0 } else { 0x80 }).collect();
    for (length, blocks) in [(0, 1), (1, 1), (63, 1), (64, 2), (127, 2), (128, 3), (130, 3)] {
        for key in keys {
            let masked = mask(Refusal, key, 9, &plain[..length]).unwrap();
            assert_eq!(masked.len(), 16 + 64 * blocks);
            assert_eq!(unmask(Refusal, key, 9, &masked).as_deref(), Ok(&plain[..length]));
            assert_eq!(unmask(Refusal, key, 10, &masked), Err(MaskError::Tag));
            assert!(unmask(Ruling, key, 9, &masked).is_err());
        }
        let masked = mask(Refusal, keys[0], 9, &plain[..length]).unwrap();
        assert!(unmask(Refusal, keys[1], 9, &masked).is_err());
        for at in 0..masked.len() {
            let mut changed = masked.clone();
            changed[at] ^= 1;
            assert!(unmask(Refusal, keys[0], 9, &changed).is_err(), "byte {at} of {length}");
        }
    }
}

#[test]
fn masks_have_bounds() {
    let secret = RoundSecret([7; 64]);
    let key = MaskKey::Secret(&secret);
    let mut plain = alloc::vec![1; PLAIN_MAX];
    let masked = mask(MaskLabel::Ruling, key, 0, &plain).unwrap();
    assert_eq!(unmask(MaskLabel::Ruling, key, 0, &masked).as_ref(), Ok(&plain));
    plain.push(1);
    let too_long = MaskError::TooLong { length: PLAIN_MAX + 1 };
    assert_eq!(mask(MaskLabel::Ruling, key, 0, &plain), Err(too_long));
    for length in [0, 15, 16, 79, 81, 16 + 64 * 939] {
        let result = unmask(MaskLabel::Ruling, key, 0, &alloc::vec![0; length]);
        assert_eq!(result, Err(MaskError::Length { length }));
    }
}

#[test]
fn secrets_do_not_print() {
    let (_, secret, _, round, _) = vector_b();
    let salt = WallSalt(counting());
    let printed = format!("{secret:?} {round:?} {salt:?} {:?}", MaskKey::Secret(&round));
    assert_eq!(
        printed,
        "GameSecret(redacted) RoundSecret(redacted) WallSalt(redacted) Secret(RoundSecret(redacted))"
    );
}
