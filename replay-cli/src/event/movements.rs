//! Movements: who meets whom in which round, as printed cards have it.

use clap::ValueEnum;

/// The movements; the head of the file says what each promises.
const TABLES: &str = include_str!("movements.txt");

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Movement {
    /// 3 to 16 entries: everybody meets everybody once
    RoundRobin,
    /// 4, 6 ... 16 entries: the first half stays, the second half moves to the next table after each round (TF-006)
    EastWestUp,
    /// 8, 10, 12, 14 or 16 pairs: everybody meets everybody once, and plays each board once
    Howell,
    /// 4, 5, 8, 9, 12, 13 or 16 single players: everybody plays once with each other, and twice against each other
    Whist,
}

/// A table of a movement: its board, or 0, and the places of its entries from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovementTable {
    pub board: u32,
    pub entries: Vec<usize>,
}

impl Movement {
    /// Returns the tables of each round for so many entries; `None` if the movement has no such number.
    pub fn rounds(self, entries: usize) -> Option<Vec<Vec<MovementTable>>> {
        let name = format!("{} {entries}", self.to_possible_value()?.get_name());
        let mut lines = TABLES.lines().skip_while(|line| *line != name);
        lines.next()?;
        let table = |text: &str| {
            let (entries, board) = text.split_once('/').unwrap_or((text, "0"));
            let entries = entries.split_whitespace().map(|entry| entry.parse().ok());
            let (board, entries) = (board.trim().parse().ok()?, entries.collect::<Option<_>>()?);
            Some(MovementTable { board, entries })
        };
        let round = |line: &str| line.split(',').map(table).collect();
        lines.take_while(|line| !line.is_empty()).map(round).collect()
    }
}

#[cfg(test)]
mod tests;
