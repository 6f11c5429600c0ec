//! Positions that games are taken up from: notation, and the saved games of another program.

use crate::shared::caret::pointed;
use crate::shared::io::Io;
use crate::shared::paths;
use crate::shared::text::{join, list};
use anyhow::anyhow;
use canasta_engine::card::Card;
use canasta_engine::notation::Position;
use std::path::Path;

/// Maximum length of a file that is read, in bytes; a longer one is no position.
const TEXT_MAX: u64 = 1 << 16;

/// The rule set of a saved game, which names none.
const RULES: &str = "classic-2p";

/// The parts of a saved game, by the word before their colon.
#[derive(Default)]
struct Saved {
    round: String,
    /// The name, the score, the hand and the melds of each player.
    players: Vec<SavedPlayer>,
    stock: String,
    pile: String,
    next: String,
}

#[derive(Default)]
struct SavedPlayer {
    name: String,
    score: String,
    hand: String,
    melds: String,
}

pub(super) fn is_position(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|first| first.contains(';') || is_saved(first))
}

pub(super) fn read(file: &Path, io: &mut Io<'_>) -> anyhow::Result<Position> {
    let text = paths::read(file, TEXT_MAX, &mut io.input)?;
    let read = paths::in_utf8(&text).and_then(|text| position(text, None));
    read.map_err(|fault| anyhow!("{}: {fault}", file.display()))
}

/// Returns the position of a text: notation, whose lines may end where its sections do, or a saved game. That has `Round:`, two
/// players with `Score:`, `Hand:` and `Melds:`, `Stock:` and `Discard Pile:` from the top, and `Next Player:`, with cards such
/// as `XC` and `J1`.
///
/// # Errors
/// The fault, with its place.
pub(super) fn position(text: &str, rules: Option<&str>) -> Result<Position, String> {
    let text = text.trim();
    let lines = text.lines().map(|line| line.trim().trim_end_matches(';')).filter(|line| !line.is_empty());
    let written = match is_saved(text) {
        true => notation(text, rules.unwrap_or(RULES))?,
        false => join(lines, "; "),
    };
    Position::parse(&written).map_err(|error| pointed("", &written, &error))
}

fn is_saved(text: &str) -> bool {
    text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("round:"))
}

fn notation(text: &str, rules: &str) -> Result<String, String> {
    let Saved { round, players, stock, pile, next } = Saved::read(text)?;
    let next = next.trim_end_matches(':');
    let mut named = (0..).zip(&players).filter(|(_, player)| player.name == next);
    let (Some((seat, _)), None) = (named.next(), named.next()) else {
        return Err(format!("Next Player: expected the name of one player, found {next:?}"));
    };
    let names = join(players.iter().map(|player| &player.name), " / ");
    let scores = list(players.iter().map(|player| &player.score));
    let mut out = format!("{rules}; players {names}; score {scores}; round {round}; to move {seat}");
    for (seat, player) in players.iter().enumerate() {
        let (threes, melds): (Vec<_>, Vec<_>) = player
            .melds
            .split(['[', ']'])
            .map(cards)
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .filter(|cards| !cards.is_empty())
            .partition(|cards| cards.iter().all(|card| matches!(card.as_str(), "3h" | "3d")));
        out += &format!("; hand {seat} {}", joined(&cards(&player.hand)?));
        if !threes.is_empty() {
            out += &format!("; laid {seat} {}", joined(&threes.concat()));
        }
        if !melds.is_empty() {
            out += &format!("; melds {seat} {}", join(melds.iter().map(|cards| cards.concat()), " / "));
        }
    }
    let mut pile = cards(&pile)?;
    pile.reverse();
    Ok(out + &format!("; pile {}; stock {}", joined(&pile), joined(&cards(&stock)?)))
}

/// Returns the cards in notation, `-` for none.
fn joined(cards: &[String]) -> String {
    if cards.is_empty() { String::from("-") } else { cards.join(" ") }
}

/// Returns the cards of a list, each as notation has it: `XC` is the ten of clubs, `J1` a joker.
fn cards(list: &str) -> Result<Vec<String>, String> {
    let card = |word: &str| {
        let written = match *word.as_bytes() {
            [b'J' | b'j', b'1'..=b'9'] => String::from("X"),
            [rank, suit] => {
                let rank = if matches!(rank, b'X' | b'x') { 'T' } else { rank.to_ascii_uppercase().into() };
                format!("{rank}{}", char::from(suit.to_ascii_lowercase()))
            }
            _ => String::new(),
        };
        match Card::parse(&written) {
            Some(card) => Ok(card.to_string()),
            None => Err(format!("expected cards such as 7H, XC or J1, found {word:?}")),
        }
    };
    list.split_whitespace().map(card).collect()
}

impl Saved {
    fn read(text: &str) -> Result<Self, String> {
        let mut saved = Self::default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let unread = || format!("line {}: expected a part of a saved game, found {line:?}", at + 1);
            let (part, value) = line.split_once(':').ok_or_else(unread)?;
            let (part, value) = (part.trim(), value.trim().to_owned());
            let player = saved.players.last_mut();
            match (part.to_lowercase().as_str(), player) {
                ("round", _) => saved.round = value,
                ("score" | "points", Some(player)) => player.score = value,
                ("hand", Some(player)) => player.hand = value,
                ("melds", Some(player)) => player.melds = value,
                ("stock", _) => saved.stock = value,
                ("discard pile", _) => saved.pile = value,
                ("next player", _) => saved.next = value,
                (_, _) if value.is_empty() => {
                    saved.players.push(SavedPlayer { name: part.to_owned(), ..SavedPlayer::default() });
                }
                _ => return Err(unread()),
            }
        }
        Ok(saved)
    }
}
