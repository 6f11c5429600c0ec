//! Text tables: aligned columns, the same at a terminal and in a pipe, without colours and boxes.

use std::io::{Result, Write};

/// Rows under a head, which is not written if it is empty. The first column, and columns whose head begins with a blank, are
/// aligned left; other columns are aligned right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextTable {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    /// Returns a table without rows. A column whose head begins with a blank holds text.
    pub fn new<const N: usize>(head: [&str; N]) -> Self {
        Self { head: head.map(str::to_owned).into(), rows: Vec::new() }
    }

    /// Returns a table without a head, of one column.
    pub fn of_lines(lines: impl IntoIterator<Item = String>) -> Self {
        Self { head: vec![String::new()], rows: lines.into_iter().map(|line| vec![line]).collect() }
    }

    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    /// Returns whether a column holds text.
    pub fn is_text(&self, column: usize) -> bool {
        column == 0 || self.head[column].starts_with(' ')
    }

    /// Writes the table, with `indent` before every line.
    pub fn write(&self, indent: &str, out: &mut dyn Write) -> Result<()> {
        let lines = || std::iter::once(&self.head).chain(&self.rows);
        let length = |text: &String| text.trim_start().chars().count();
        let widths: Vec<usize> = (0..self.head.len())
            .map(|column| lines().filter_map(|line| line.get(column)).map(length).max().unwrap_or(0))
            .collect();
        for line in lines().filter(|line| line.iter().any(|cell| !cell.is_empty())) {
            let mut text = String::from(indent);
            for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
                let gap = if column > 0 { "  " } else { "" };
                let cell = cell.trim_start();
                text += gap;
                text +=
                    &if self.is_text(column) { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
            }
            writeln!(out, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = TextTable::new(["what", "times", " rules"]);
        table.row(["a".into(), "1,000".into(), "CL-001".into()]);
        table.row(["längeres".into(), "1".into(), String::new()]);
        let mut out = Vec::new();
        table.write("  ", &mut out).unwrap();
        let text = "  what      times  rules\n  a         1,000  CL-001\n  längeres      1\n";
        assert_eq!(String::from_utf8(out).unwrap(), text);
    }
}
