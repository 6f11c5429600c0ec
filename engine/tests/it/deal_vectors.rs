//! The dealing checked by every vector of tests/data/deal/vectors.json, which another implementation made
//! (tests/interop/deal_reference.py). `CANASTA_DEAL_VECTORS` names another file of the same form, for fresh random
//! inputs.

use canasta_engine::card::Card;
use canasta_engine::deal::{
    self, Commitment, Context, Contribution, DealError, DealId, GameId, GameSecret, MaskKey, MaskLabel,
    RoundSecret, WallSalt, simulate,
};
use canasta_engine::seat::Seat;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::ffi::OsString;

/// The vectors that everybody has.
const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/deal/vectors.json");

fn section(name: &str) -> Vec<Value> {
    section_of(std::env::var_os("CANASTA_DEAL_VECTORS").unwrap_or_else(|| COMMITTED.into()), name)
}

fn section_of(path: OsString, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the vectors can be read");
    let document: Value = serde_json::from_str(&text).expect("the vectors are JSON");
    assert_eq!(document["format"], "canasta-deal-vectors/1");
    document[name].as_array().expect("a list of vectors").clone()
}

fn text<'a>(vector: &'a Value, key: &str) -> &'a str {
    vector[key].as_str().unwrap_or_else(|| panic!("{}: {key} is text", vector["name"]))
}

fn number<T: TryFrom<u64>>(vector: &Value, key: &str) -> T {
    let number = vector[key].as_u64().and_then(|number| number.try_into().ok());
    number.unwrap_or_else(|| panic!("{}: {key} is a number in range", vector["name"]))
}

fn bytes(hex: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex");
    (0..hex.len()).step_by(2).map(byte).collect()
}

fn array<const N: usize>(hex: &str) -> [u8; N] {
    bytes(hex).try_into().expect("hex of the right length")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sha(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn game_of(vector: &Value) -> GameId {
    GameId::parse(text(vector, "game_id")).expect("a game id")
}

fn deal_of(vector: &Value) -> DealId {
    DealId::new(game_of(vector), number(vector, "round"), number(vector, "attempt"))
}

/// Returns deal and secret of a vector: derived from the game's secret if the vector has one, otherwise as given.
fn secret_of(vector: &Value) -> (DealId, RoundSecret) {
    let given = RoundSecret(array(text(vector, "round_secret")));
    if vector["game_secret"].is_null() {
        return (DealId::from_text(text(vector, "deal_id")).expect("a short text"), given);
    }
    let game = GameSecret(array(text(vector, "game_secret")));
    let commitment = Commitment::game(game_of(vector), &game);
    assert_eq!(commitment.to_string(), text(vector, "game_commitment"));
    let derived = game.round(number(vector, "round"), number(vector, "attempt"));
    assert!(derived == given, "round secret");
    (deal_of(vector), derived)
}

fn context_of(vector: &Value, deal: &DealId, dealer: Commitment) -> Context {
    let seats: Vec<Contribution> = vector["seats"]
        .as_array()
        .expect("a list of seats")
        .iter()
        .map(|seat| Contribution {
            commitment: seat["commitment"].as_str().map(|hex| Commitment(array(hex))),
            value: seat["value"].as_str().map(array),
        })
        .collect();
    let (rule_set, cards) = (text(vector, "rule_set"), number(vector, "cards"));
    if seats.is_empty() {
        return Context::seeded(deal, rule_set, cards, dealer).expect("a seeded context");
    }
    for (seat, (k, found)) in vector["seats"].as_array().unwrap().iter().zip((0..).zip(&seats)) {
        let value = seat["value"].as_str().or(seat["unrevealed"].as_str());
        let computed = value.map(|hex| Commitment::seat(deal, Seat(k), &array(hex)));
        assert_eq!(found.commitment, computed, "commitment of seat {k}");
    }
    let beacon = vector["beacon"].as_str().map(array);
    Context::committed(deal, rule_set, cards, dealer, &seats, beacon.as_ref()).expect("a committed context")
}

fn check_wall(vector: &Value) {
    let (deal, secret) = secret_of(vector);
    assert_eq!(deal.as_str(), text(vector, "deal_id"));
    let dealer = Commitment::dealer(&deal, &secret);
    assert_eq!(dealer.to_string(), text(vector, "dealer_commitment"));
    let context = context_of(vector, &deal, dealer);
    assert_eq!(context.as_bytes().len(), number::<usize>(vector, "context_length"));
    assert_eq!(sha(context.as_bytes()), text(vector, "context_sha256"));
    let stream: Vec<u8> = deal::stream(&secret, &context).flatten().collect();
    assert_eq!(hex(&stream[..16]), text(vector, "stream_start"));
    assert_eq!(sha(&stream), text(vector, "stream_sha256"));

    let first_words: Vec<u32> = vector["first_words"]
        .as_array()
        .expect("a list of words")
        .iter()
        .flat_map(|run| {
            let word = u32::from_str_radix(text(run, "word"), 16).expect("a word");
            std::iter::repeat_n(word, number(run, "count"))
        })
        .collect();
    let words = || first_words.iter().copied().chain(deal::stream(&secret, &context).words());
    let cards: u16 = number(vector, "cards");
    let mut ids: Vec<u16> = (0..cards).collect();
    let taken = deal::shuffle(&mut ids, words());
    if vector["error"] == "words" {
        assert_eq!(taken, Err(DealError::Words { limit: 1024 }));
        return;
    }
    assert_eq!(taken, Ok(number(vector, "words_taken")));
    assert_eq!(taken.unwrap() - (cards - 1), number::<u16>(vector, "rejected"));
    let start: Vec<u16> = serde_json::from_value(vector["order_start"].clone()).expect("ids");
    assert_eq!(ids[..12], start);
    assert_eq!(ids.last().copied(), Some(number(vector, "order_last")));
    let order: Vec<u8> = ids.iter().flat_map(|id| id.to_be_bytes()).collect();
    assert_eq!(sha(&order), text(vector, "order_sha256"));

    let (packs, jokers) = (number(vector, "packs"), number(vector, "jokers"));
    assert_eq!(deal::card_count(packs, jokers), Ok(cards));
    let mut wall = deal::pack(packs, jokers).expect("a pack");
    deal::shuffle(&mut wall, words()).expect("enough words");
    let kinds = |wall: &[Card]| hex(&wall.iter().map(|card| card.kind()).collect::<Vec<_>>());
    assert_eq!(kinds(&wall), text(vector, "wall"));
    if first_words.is_empty() {
        let wall = deal::wall(&secret, &context, packs, jokers).expect("a wall");
        assert_eq!(kinds(&wall), text(vector, "wall"));
    }
}

#[test]
fn walls_agree() {
    let walls = section("walls");
    assert!(walls.len() >= 32);
    let rejecting = walls.iter().filter(|v| v["rejected"].as_u64() > Some(0)).count();
    assert!(rejecting >= 4, "{rejecting} vectors reject a word");
    for vector in &walls {
        println!("{}", vector["name"]);
        check_wall(vector);
    }
}

/// Counts the walls of docs/DEALING.md, those that reject words, and those whose stream does so without being forced.
#[test]
fn there_are_as_many_walls_as_the_page_says() {
    let walls = section_of(COMMITTED.into(), "walls");
    let rejects = |wall: &&Value| wall["rejected"].as_u64() > Some(0);
    let is_forced = |wall: &Value| wall["first_words"].as_array().is_some_and(|words| !words.is_empty());
    let rejecting: Vec<&Value> = walls.iter().filter(rejects).collect();
    let unforced = rejecting.iter().filter(|wall| !is_forced(wall)).count();
    assert_eq!((walls.len(), rejecting.len(), unforced), (42, 14, 2));
}

#[test]
fn commitments_to_explicit_walls_agree() {
    for vector in section("explicit") {
        let deal = deal_of(&vector);
        assert_eq!(deal.as_str(), text(&vector, "deal_id"));
        let salt = WallSalt(array(text(&vector, "salt")));
        let wall: Vec<Card> =
            bytes(text(&vector, "wall")).into_iter().map(|kind| Card::from_kind(kind).unwrap()).collect();
        let commitment = Commitment::wall(&deal, &salt, &wall).expect("a wall");
        assert_eq!(commitment.to_string(), text(&vector, "commitment"));
    }
}

#[test]
fn random_dealers_agree() {
    for vector in section("dealers") {
        let (game, round) = (game_of(&vector), number(&vector, "round"));
        let first = GameSecret(array(text(&vector, "game_secret"))).round(round, 1);
        assert_eq!(hex(&deal::dealer_block(&first, game, round)), text(&vector, "block"));
        let dealer = deal::random_dealer(&first, game, round, number(&vector, "seats"));
        assert_eq!(dealer, Ok(Seat(number(&vector, "dealer"))));
    }
}

#[test]
fn masks_agree() {
    for vector in section("masks") {
        let label = match text(&vector, "label") {
            "canasta-refusal/1" => MaskLabel::Refusal,
            "canasta-ruling/1" => MaskLabel::Ruling,
            other => panic!("unknown label {other}"),
        };
        let key = bytes(text(&vector, "key"));
        let secret = <[u8; 64]>::try_from(&key[..]).map(RoundSecret);
        let salt = <[u8; 32]>::try_from(&key[..]).map(WallSalt);
        let key = match (&secret, &salt) {
            (Ok(secret), _) => MaskKey::Secret(secret),
            (_, Ok(salt)) => MaskKey::Salt(salt),
            _ => panic!("a key of {} bytes", key.len()),
        };
        let (n, plain) = (number(&vector, "record"), bytes(text(&vector, "plain")));
        let masked = deal::mask(label, key, n, &plain).expect("a mask");
        assert_eq!(hex(&masked), text(&vector, "masked"));
        assert_eq!(deal::unmask(label, key, n, &masked), Ok(plain));
    }
}

#[test]
fn simulated_games_agree() {
    for vector in section("simulate") {
        let seed = text(&vector, "seed").parse().expect("a number");
        let secret = simulate::game_secret(seed, number(&vector, "game"));
        assert_eq!(hex(&secret.0), text(&vector, "game_secret"));
        assert_eq!(simulate::game_id(&secret).to_string(), text(&vector, "game_id"));
        for (seat, expected) in (0..6).map(Seat).zip(vector["bot_seeds"].as_array().expect("seeds")) {
            let found = format!("{:016x}", simulate::bot_seed(&secret, seat));
            assert_eq!(Some(found.as_str()), expected.as_str());
        }
    }
}
