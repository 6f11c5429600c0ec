//! The report in its format: its beginning, the parts of the logs, its end.

use super::games::SettledGames;
use super::summary::AuditCounts;
use super::{AuditFormat, json, text};
use crate::shared::io::Io;
use crate::shared::paths::FailureList;
use crate::shared::sorted::of_temporary_file;
use std::io::{self, Result, Seek, Write};
use tempfile::SpooledTempFile;

pub struct AuditReport {
    format: AuditFormat,
    /// The parts of the logs as text, which begins with counts: they go to a temporary file if they are long.
    parts: SpooledTempFile,
    has_logs: bool,
}

impl AuditReport {
    /// Begins a report, which takes about `limit` bytes of memory.
    pub fn begin(format: AuditFormat, limit: usize, io: &mut Io<'_>) -> Result<Self> {
        match format {
            AuditFormat::Json => write!(io.out, "{{\"format\":\"{}\",\"logs\":[", json::FORMAT)?,
            AuditFormat::Jsonl => writeln!(io.out, "{{\"format\":\"{}\"}}", json::FORMAT)?,
            AuditFormat::Text => {}
        }
        // A terminal cannot show the report and the bar at once.
        io.progress &= !io.terminal || format == AuditFormat::Text;
        Ok(Self { format, parts: SpooledTempFile::new(limit), has_logs: false })
    }

    pub fn log(&mut self, part: &str, out: &mut dyn Write) -> Result<()> {
        let comma = if std::mem::replace(&mut self.has_logs, true) { "," } else { "" };
        match self.format {
            AuditFormat::Json => write!(out, "{comma}\n{part}"),
            // Whoever reads the lines gets each as soon as it is known.
            AuditFormat::Jsonl => writeln!(out, "{part}").and_then(|()| out.flush()),
            AuditFormat::Text => self.parts.write_all(part.as_bytes()).map_err(of_temporary_file),
        }
    }

    pub fn end(
        mut self,
        counts: &AuditCounts,
        games: &mut SettledGames,
        failures: &mut FailureList,
        out: &mut dyn Write,
    ) -> Result<()> {
        match self.format {
            AuditFormat::Text if counts.logs == 0 => return Ok(()),
            AuditFormat::Text => {
                self.parts.rewind()?;
                text::begin(counts, out)?;
                io::copy(&mut self.parts, out)?;
                return text::end(games, out);
            }
            AuditFormat::Json => write!(out, "\n],")?,
            AuditFormat::Jsonl => write!(out, "{{")?,
        }
        json::rest(counts, games, failures, out)
    }
}
