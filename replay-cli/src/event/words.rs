//! The words of a table of results, in English and German.

use super::place::TablePlace;
use crate::auditing::audit::standings::Criterion;
use crate::shared::table::TextTable;
use crate::shared::text::{join, number_in};
use canasta_engine::violations::template::Language;

/// The German of each English text, one per line.
const GERMAN: &str = include_str!("german.txt");

/// The language of a table of results.
#[derive(Clone, Copy)]
pub struct Words(pub Language);

impl Words {
    /// Returns an English text in this language.
    pub fn say(self, english: &str) -> &str {
        let german = |line: &'static str| line.strip_prefix(english)?.strip_prefix(" = ");
        match self.0 {
            Language::English => english,
            Language::German => GERMAN.lines().find_map(german).expect("the table has every text"),
        }
    }

    /// Returns a number with separators; a dash for the best game of an entry without games.
    pub fn number(self, value: i64) -> String {
        if value == i64::MIN { "–".into() } else { number_in(value, self.0) }
    }

    /// Returns numbers with colons between them.
    pub fn against(self, numbers: impl Iterator<Item = i64>) -> String {
        join(numbers.map(|points| self.number(points)), " : ")
    }

    /// Returns hundredths with two decimals.
    pub fn hundredths(self, value: i64) -> String {
        let sign = if value < 0 { "-" } else { "" };
        let point = if self.0 == Language::German { ',' } else { '.' };
        format!("{sign}{}{point}{:02}", self.number(value.abs() / 100), value.abs() % 100)
    }

    /// Returns hundredths with a sign.
    pub fn signed(self, value: i64) -> String {
        let plus = if value > 0 { "+" } else { "" };
        plus.to_owned() + &self.hundredths(value)
    }

    /// Returns a figure: differences have a sign.
    pub fn figure(self, criterion: Criterion, value: i64) -> String {
        if criterion == Criterion::Field {
            return self.hundredths(value);
        }
        let plus = if criterion == Criterion::Difference && value > 0 { "+" } else { "" };
        format!("{plus}{}", self.number(value))
    }

    pub fn criterion(self, criterion: Criterion) -> &'static str {
        self.say(match criterion {
            Criterion::MatchPoints => "match points",
            Criterion::Points => "points",
            Criterion::Difference => "difference",
            Criterion::Best => "best game",
            Criterion::Won => "games won",
            Criterion::Direct => "direct encounters",
            Criterion::Opponents => "sum of the opponents",
            Criterion::Field => "score against the field",
            Criterion::Lots => "lots",
        })
    }

    /// Returns a table with these heads. A blank before a head marks a column of text.
    pub fn columns(self, heads: &[&str]) -> TextTable {
        let head = |head: &&str| match head.strip_prefix(' ') {
            Some(text) => format!(" {}", self.say(text)),
            None => self.say(head).to_owned(),
        };
        TextTable { head: heads.iter().map(head).collect(), rows: Vec::new() }
    }

    /// Returns the criteria of an event: the first one ranks, the others break ties.
    pub fn order(self, criteria: &[Criterion]) -> String {
        let then = format!(", {} ", self.say("then"));
        join(criteria.iter().map(|&criterion| self.criterion(criterion)), &then)
    }

    pub fn place(self, place: TablePlace) -> String {
        let (round, table) = (self.say("round"), self.say("table"));
        format!("{round} {} {table} {}", place.round, self.table(place))
    }

    /// Returns the number of a table, with its board if it has one.
    pub fn table(self, TablePlace { table, board, .. }: TablePlace) -> String {
        if board == 0 { table.to_string() } else { format!("{table} {} {board}", self.say("board")) }
    }
}

#[cfg(test)]
mod tests;
