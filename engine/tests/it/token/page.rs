//! The examples of docs/formats/TOKEN.md, compared with the tokens of the states that the page describes.

use super::common::rules;
use crate::support::CATALOGUE;
use canasta_engine::action::{MeldId, MeldKind};
use canasta_engine::card::{Card, Cards, Class, Rank};
use canasta_engine::deal::GameId;
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::Game;
use canasta_engine::game::Link;
use canasta_engine::log::Length;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{Meld, Phase, Setup, Source};
use canasta_engine::token::{decode, encode};

const PAGE: &str = include_str!("../../../../docs/formats/TOKEN.md");

fn dealing() -> Dealing {
    Dealing::new(GameId(std::array::from_fn(|i| i as u8)), DealSource::Unknown, false)
}

/// Returns a new game of `classic-2p` after its genesis.
fn new_game() -> Game {
    let mut setup = Setup::new(rules("classic-2p").clone(), Seat(0));
    setup.phase = Phase::Setup;
    let table = setup.into_table().expect("a game can begin");
    Game { link: Link { n: 0, head: [0xaa; 32] }, ..Game::of(table, dealing()) }
}

fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(|card| Card::parse(card).expect("a card")).collect()
}

/// Returns a game of `classic-2p` in which seat 1 has drawn and melded; nearly all cards lie in the pile, in order of
/// kind.
fn in_play() -> Game {
    let mut setup = Setup::new(rules("classic-2p").clone(), Seat(1));
    setup.phase = Phase::Play;
    setup.source = Source::Stock;
    setup.step = 290;
    setup.scores = vec![1250, -70];
    setup.round = 3;
    setup.has_melded = vec![Seat(1)];
    setup.melded_since_draw = true;
    setup.melded_before = Some(false);
    setup.new_from = Some(0);
    let set = |rank, text: &str| Meld {
        side: Side(1),
        id: MeldId(0),
        kind: MeldKind::Set,
        rank: Some(rank),
        cards: cards(text).into_iter().collect(),
    };
    setup.melds = vec![set(Rank::King, "Kc Kc Kh 2s X")];
    setup.laid[0] = cards("3h 3h").into_iter().collect();
    setup.laid[1] = cards("3d").into_iter().collect();
    setup.hands[0] = cards("4c 5c 5c").into_iter().collect();
    setup.hands[1] = cards("4c Qs").into_iter().collect();
    setup.stock = cards("3d X 7h");
    setup.pile = setup.missing();
    setup.start_len = 1;
    let table = setup.into_table().expect("the position is valid");
    let length = Length { records: 97, bytes: 2811 };
    Game { link: Link { n: 300, head: [0xbb; 32] }, length, ..Game::of(table, dealing()) }
}

/// Decodes the code block after `title`, in which each line ends before a `#`.
fn block(title: &str) -> Vec<u8> {
    let (_, rest) = PAGE.split_once(title).expect("the page has the title");
    let block = rest.split("```").nth(1).expect("a block follows").trim_start_matches("text");
    let hex: String = block.lines().map(|line| line.split('#').next().unwrap_or_default()).collect();
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16).expect("hex");
    digits.chunks(2).map(byte).collect()
}

#[test]
fn the_examples_of_the_page_are_tokens() {
    let examples = [("### A new game", new_game()), ("### In play", in_play())];
    for (title, state) in &examples {
        let hex: String = encode(state).iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{title}: {hex}");
    }
    for (title, state) in examples {
        let token = encode(&state);
        assert_eq!(block(title), token, "{title}");
        assert_eq!(decode(&block(title), &CATALOGUE), Ok(state));
    }
}

/// Compares the example with the text of the page: sizes of pile and hands, a sorted pile without red threes.
#[test]
fn the_example_in_play_has_what_the_page_says() {
    let state = in_play();
    assert_eq!(state.table.pile().len(), 108 - 3 - 5 - 3 - 5);
    assert!(state.table.pile().is_sorted());
    assert!(state.table.pile().iter().all(|card| card.class() != Class::RedThree));
    let held: u16 = [0, 1].map(|seat| Cards::len(state.table.hand(Seat(seat)))).iter().sum();
    assert_eq!(held, 5);
}
