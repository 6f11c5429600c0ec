//! Numbers, cards and names of players in words.

mod melds;

use crate::shared::io::{in_words, read_whole};
use anyhow::bail;
use canasta_engine::action::{Action, As};
use canasta_engine::bot::Level;
use canasta_engine::card::{Cards, Rank};
use canasta_engine::explanation::grouped;
pub use canasta_engine::hex::hex;
use canasta_engine::hex::unhex;
use canasta_engine::log::Head;
use canasta_engine::log::audit::Report;
use canasta_engine::log::record::Genesis;
use canasta_engine::notation::span::Span;
use canasta_engine::notation::{Names, Position, Proposal};
use canasta_engine::rules::{RuleSet, ScoreUnit};
use canasta_engine::seat::{Seat, Side, Unit};
use canasta_engine::table::SetupFault;
use canasta_engine::text::words;
pub use canasta_engine::text::words::{flag, some};
use canasta_engine::violations::template::Language;
pub use canasta_tournament::log_file::rules_of;
use canasta_tournament::note::NoteVerifier;
pub use canasta_tournament::text::{count, number};
use clap::builder::TypedValueParser;
use clap::value_parser;
use melds::NamedMeld;
use std::fmt::Display;
use std::fs::File;
use std::iter;

/// Returns a count of entries: `1 entry`, `2 entries`.
pub fn entries(value: u64) -> String {
    if value == 1 { "1 entry".into() } else { format!("{} entries", number(value)) }
}

pub fn number_in(value: impl Into<i128>, language: Language) -> String {
    grouped(&value.into().to_string(), language)
}

/// Returns an action as a line of notation, with its actor if one is given; `None` if notation cannot say it.
pub fn action_line(actor: Option<As>, action: &Action, set: &RuleSet) -> Option<String> {
    Proposal { actor, action: action.clone() }.to_text(set)
}

/// Joins things with a text between them.
pub fn join<T: Display>(things: impl IntoIterator<Item = T>, between: &str) -> String {
    things.into_iter().map(|thing| thing.to_string()).collect::<Vec<_>>().join(between)
}

/// Joins things with blanks.
pub fn list<T: Display>(things: impl IntoIterator<Item = T>) -> String {
    join(things, " ")
}

/// Returns the names of the players of a game.
pub fn players(genesis: &Genesis) -> String {
    join(genesis.players.iter().map(|player| &player.name), ", ")
}

/// Returns a hand sorted for people: naturals from the ace down, threes, twos, jokers.
pub fn hand(cards: &Cards) -> String {
    let [ace, from_two @ .., joker] = Rank::ALL;
    let order = iter::once(ace).chain(from_two.into_iter().rev()).chain([joker]);
    list(order.flat_map(|rank| cards.iter().filter(move |card| card.rank() == rank)))
}

pub fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%=:,".contains(c);
    let dashed = path.starts_with('-');
    if !path.is_empty() && !dashed && path.chars().all(plain) {
        return path.to_owned();
    }
    format!("'{}{}'", if dashed { "./" } else { "" }, path.replace('\'', r"'\''"))
}

/// Maximum size of a file with a public key, in bytes.
const KEY_MAX: u64 = 4096;

/// Parses a public key among the arguments of a command, or the file of one after `@`.
pub fn parse_key(text: &str) -> Result<NoteVerifier, String> {
    let key = match text.strip_prefix('@') {
        Some(file) => {
            let read = File::open(file).and_then(|opened| read_whole(opened, KEY_MAX));
            let read = read.map_err(|error| format!("{file}: {}", in_words(&error)))?;
            String::from_utf8(read).map_err(|_| format!("{file}: not UTF-8 text"))?
        }
        None => text.to_owned(),
    };
    NoteVerifier::parse(key.trim()).map_err(|error| format!("{error:#}"))
}

/// Returns the parser of an argument that is a level of the bot, from this one on.
pub fn levels(from: u8) -> impl TypedValueParser<Value = Level> {
    let level = |number: u8| Level::new(number.into()).expect("the range has levels only");
    value_parser!(u8).range(i64::from(from)..=6).map(level)
}

/// Parses a head: 64 lower-case hex digits.
pub fn parse_head(text: &str) -> Result<Head, String> {
    let head = unhex(text);
    head.ok_or_else(|| format!("expected 64 lower-case hex digits, found {text:?}"))
}

/// The names of the seats and sides of one game.
#[derive(Clone)]
pub struct PlayerNames {
    seats: Vec<String>,
    set: Option<RuleSet>,
    /// The seat that plays alone, if two of three players have formed a side.
    lone: Option<Seat>,
    /// The melds that can be named in words, with the side that speaks of them as its own.
    melds: Vec<NamedMeld>,
    own: Option<Side>,
    language: Language,
}

impl PlayerNames {
    pub fn of(genesis: &Genesis) -> Self {
        let seats: Vec<String> = genesis.players.iter().map(|player| player.name.clone()).collect();
        Self::new(seats, RuleSet::from_canonical(&genesis.rule_set).ok())
    }

    fn new(seats: Vec<String>, set: Option<RuleSet>) -> Self {
        let set = set.filter(|set| set.side_count > 0);
        Self { seats, set, lone: None, melds: Vec::new(), own: None, language: Language::English }
    }

    /// Returns the names of an audited game, as its players sat at last; `None` if the game cannot be read.
    pub fn of_report(report: &Report) -> Option<Self> {
        report.genesis.as_ref().map(|genesis| Self::of(genesis).seated(&report.seating, None))
    }

    /// Returns the names by seat: `seating` has the player of each seat, by index in the genesis record.
    /// `lone` plays alone if two of three players have formed a side.
    pub fn seated(self, seating: &[Seat], lone: Option<Seat>) -> Self {
        let seats = seating.iter().filter_map(|player| self.seats.get(player.index()).cloned()).collect();
        Self { seats, lone, ..self }
    }

    /// Returns the names for sentences in this language.
    pub fn speaking(self, language: Language) -> Self {
        Self { language, ..self }
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns the names that notation gives the seats, for a table without players.
    pub fn seats_of(set: &RuleSet) -> Self {
        const COMPASS: [&str; 4] = ["North", "East", "South", "West"];
        let name = |seat: u8| match COMPASS.get(usize::from(seat)) {
            Some(name) if set.seats == 4 => (*name).to_owned(),
            _ => format!("seat {seat}"),
        };
        Self::new((0..set.seats).map(name).collect(), Some(set.clone()))
    }

    /// Returns the names of a position that was typed: the players' if it gives them, else those of notation.
    pub fn of_position(position: &Position) -> Self {
        let names = Self::seats_of(position.rules().set());
        match position.players() {
            [] => names,
            players => Self { seats: players.to_vec(), ..names },
        }
    }

    /// Returns the names of all seats.
    pub fn all(&self) -> String {
        self.seats.join(", ")
    }

    /// Returns the name of a seat; `seat 4` for a seat without a name.
    pub fn seat(&self, seat: Seat) -> String {
        self.seats.get(seat.index()).cloned().unwrap_or_else(|| format!("seat {seat}"))
    }

    /// Parses the seat of an argument.
    ///
    /// # Errors
    /// If the text names no seat, or two.
    pub fn parse_seat(&self, text: &str) -> anyhow::Result<Seat> {
        let seats = || join(self.seats().map(|seat| format!("{seat} {}", self.seat(seat))), ", ");
        match self.spelling().map(|names| names.seat_or_none(Span::of(text))) {
            Some(Ok(Some(found))) => Ok(found),
            Some(Err(error)) => {
                bail!("seat {text:?}: expected {}; the seats are: {}", error.expected, seats())
            }
            _ => bail!("no seat {text:?}; the seats are: {}", seats()),
        }
    }

    pub fn actor(&self, actor: As) -> String {
        match actor {
            As::Seat(seat) => self.seat(seat),
            official => words::official(official, &self.speaker()),
        }
    }

    fn side_of(&self, seat: Seat) -> Side {
        self.set.as_ref().map_or(Side(seat.0), |set| set.formed_side_of(seat, self.lone))
    }

    pub fn side(&self, side: Side) -> String {
        let seats = (0..).zip(&self.seats).filter(|(seat, _)| self.side_of(Seat(*seat)) == side);
        let mates: Vec<&str> = seats.map(|(_, name)| name.as_str()).collect();
        if mates.is_empty() { format!("side {side}") } else { mates.join("-") }
    }

    /// Returns the name of the side or seat that keeps a total.
    pub fn unit(&self, unit: Unit) -> String {
        match self.set.as_ref().map(|set| set.score_unit) {
            Some(ScoreUnit::Seat) => self.seat(Seat(unit.0)),
            _ => self.side(Side(unit.0)),
        }
    }

    /// Returns how notation spells these seats and sides, with the names of the players; `None` without a rule set.
    pub fn spelling(&self) -> Option<Names<'_>> {
        Some(Names::of(self.set.as_ref()?).with_players(&self.seats))
    }

    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.seats.len() as u8).map(Seat)
    }
}

/// Returns the text of why a position cannot arise, with every fault.
pub fn cannot_arise(faults: &[SetupFault]) -> String {
    format!("the position cannot arise: {}", join(faults, "; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        let numbers = [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (-12, "-12")];
        for (value, text) in numbers {
            assert_eq!(number(value), text);
        }
        assert_eq!([count(1, "game"), count(2, "game")], ["1 game", "2 games"]);
    }
}
