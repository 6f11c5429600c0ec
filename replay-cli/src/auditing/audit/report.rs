//! The report in its format: its beginning, the parts of the logs, its end.

use super::games::SettledGames;
use super::summary::AuditCounts;
use super::{Args, AuditFormat, csv, json, junit, text};
use crate::shared::io::Io;
use crate::shared::paths::SortedFailures;
use crate::shared::sorted::of_temporary_file;
use std::io::{self, Seek, Write};
use tempfile::SpooledTempFile;

/// A report that is being written.
pub struct AuditReport<'a> {
    args: &'a Args,
    /// The parts of the logs, in formats that begin with counts: they go to a temporary file if they are long.
    parts: SpooledTempFile,
    has_logs: bool,
    /// The promises of the policy that are not judged.
    not_judged: Vec<String>,
}

impl<'a> AuditReport<'a> {
    /// Begins a report.
    ///
    /// # Errors
    /// If writing fails.
    pub fn begin(args: &'a Args, not_judged: Vec<String>, io: &mut Io<'_>) -> io::Result<Self> {
        match args.format {
            AuditFormat::Json => json::begin(&mut io.out)?,
            AuditFormat::Jsonl => json::first_line(&mut io.out)?,
            AuditFormat::Csv => csv::begin(&mut io.out)?,
            AuditFormat::Text | AuditFormat::Junit => {}
        }
        // A terminal cannot show the report and the bar at once.
        io.progress &= !io.terminal || args.format.begins_with_counts();
        Ok(Self { args, parts: SpooledTempFile::new(args.limit()), has_logs: false, not_judged })
    }

    /// Adds the part of the next log.
    ///
    /// # Errors
    /// If writing fails.
    pub fn log(&mut self, part: &str, out: &mut dyn Write) -> io::Result<()> {
        let is_first = !self.has_logs;
        self.has_logs = true;
        match self.args.format {
            AuditFormat::Json => json::write(part, is_first, out),
            // Whoever reads the lines gets each as soon as it is known.
            AuditFormat::Jsonl => writeln!(out, "{part}").and_then(|()| out.flush()),
            AuditFormat::Csv => out.write_all(part.as_bytes()),
            AuditFormat::Text | AuditFormat::Junit => {
                self.parts.write_all(part.as_bytes()).map_err(of_temporary_file)
            }
        }
    }

    /// Ends the report, and writes the standings to their file.
    ///
    /// # Errors
    /// If writing fails.
    pub fn end(
        mut self,
        counts: &AuditCounts,
        mut games: SettledGames,
        failures: &mut SortedFailures,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        self.parts.rewind()?;
        games.not_judged = self.not_judged;
        let file = self.args.standings.as_ref().and_then(Option::as_ref);
        let is_ranked = file.is_none();
        match self.args.format {
            AuditFormat::Text if counts.logs == 0 => {}
            AuditFormat::Text => {
                text::begin(counts, out)?;
                io::copy(&mut self.parts, out)?;
                text::end(&mut games, is_ranked, out)?;
            }
            AuditFormat::Json => json::end(counts, &mut games, is_ranked, failures, out)?,
            AuditFormat::Jsonl => json::last_line(counts, &mut games, is_ranked, failures, out)?,
            AuditFormat::Junit => {
                junit::begin(counts, games.forks, failures.count(), out)?;
                io::copy(&mut self.parts, out)?;
                junit::end(&mut games, failures, out)?;
            }
            AuditFormat::Csv => {}
        }
        if let (Some(table), Some(file)) = (&mut games.standings, self.args.standings_file()?) {
            file.write_by(&mut |out| csv::standings(table, out))?;
        }
        Ok(())
    }
}
