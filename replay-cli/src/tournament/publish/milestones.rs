//! Milestones that the director publishes besides games: announced tables, voids, score sheets, the end.

use anyhow::{Context, bail, ensure};
use canasta_engine::hex::unhex;
use canasta_tournament::boards::NamedBoard;
use canasta_tournament::files::read_text;
use canasta_tournament::leaf::{AnnouncedBoard, AnnouncedTable, Leaf, Milestone, TABLES_MAX, TEXT_MAX};
use canasta_tournament::paper::PaperSheet;
use canasta_tournament::publish::UnpublishedLeaf;
use canasta_tournament::scores::count;
use canasta_tournament::sheet::{SignedSheet, read_note};
use std::path::{Path, PathBuf};

/// Maximum size of a list of tables, in bytes.
const LIST_MAX: u64 = 1 << 24;

/// The arguments of `publish` about milestones.
#[derive(clap::Args, Debug)]
#[group(id = "milestone", multiple = true)]
pub struct MilestoneArgs {
    /// Announce games before play: each line of FILE begins with a game id, and the rest is the table's title
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    announce: Option<PathBuf>,
    /// Commit to the cards of a board, of a file as keygen --board writes it, which the games of --tables will have
    #[arg(long, value_name = "FILE", conflicts_with = "watch", requires = "tables")]
    board: Option<PathBuf>,
    /// The games that have the cards of --board: each line begins with a game id, and the rest is the table's title
    #[arg(long, value_name = "FILE", requires = "board")]
    tables: Option<PathBuf>,
    /// Show the secret of a board that all its tables have played. May be given several times
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    reveal: Vec<PathBuf>,
    /// Void a game that was announced or opened and will have no result. May be given several times
    #[arg(long, value_name = "ID:REASON", conflicts_with = "watch", value_parser = parse_void)]
    void: Vec<([u8; 16], String)>,
    /// Publish a score sheet that players have signed, as sign --sheet writes it. May be given several times
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    sheet: Vec<PathBuf>,
    /// End the tournament: no game is opened after it, and a game still open is a finding
    #[arg(long, conflicts_with = "watch")]
    end: bool,
}

impl MilestoneArgs {
    pub fn leaves(&self, at_ms: i64) -> anyhow::Result<Vec<UnpublishedLeaf>> {
        let mut milestones = Vec::new();
        if let Some(file) = &self.announce {
            let tables = tables(file)?;
            let chunks = tables.chunks(TABLES_MAX);
            milestones.extend(chunks.map(|tables| Milestone::Tables { at_ms, tables: tables.to_vec() }));
        }
        if let (Some(file), Some(list)) = (&self.board, &self.tables) {
            let (NamedBoard { name, board }, tables) = (NamedBoard::read(file)?, tables(list)?);
            let name =
                checked(&name).map_err(anyhow::Error::msg).with_context(|| file.display().to_string())?;
            let most = TABLES_MAX;
            ensure!(
                tables.len() <= most,
                "{}: expected at most {most} tables, found {}",
                list.display(),
                tables.len()
            );
            let (board_id, commitment) = (board.id.0, board.commitment().0);
            milestones.push(Milestone::Board(AnnouncedBoard { at_ms, board_id, name, commitment, tables }));
        }
        for file in &self.reveal {
            let board = NamedBoard::read(file)?.board;
            milestones.push(Milestone::Reveal { at_ms, board_id: board.id.0, secret: board.secret.0 });
        }
        for (game_id, reason) in &self.void {
            milestones.push(Milestone::Void { at_ms, game_id: *game_id, reason: reason.clone() });
        }
        for file in &self.sheet {
            milestones.push(Milestone::Sheet { at_ms, note: signed_sheet(file)? });
        }
        milestones.extend(self.end.then_some(Milestone::End { at_ms }));
        let leaf = |milestone| UnpublishedLeaf::Milestone(Leaf::Milestone(milestone), None);
        Ok(milestones.into_iter().map(leaf).collect())
    }
}

/// Reads a signed sheet, of a game with a log or without one.
fn signed_sheet(file: &Path) -> anyhow::Result<String> {
    let name = || file.display().to_string();
    let note = read_note(file)?;
    if !PaperSheet::is_one(&note) {
        return Ok(SignedSheet::parse(note).with_context(name)?.note);
    }
    let sheet = PaperSheet::parse(note).with_context(name)?;
    if let Some(fault) = count(&sheet.scores).faults.first() {
        bail!("{}: line {}: {}", name(), fault.line, fault.detail.escape_debug());
    }
    ensure!(!sheet.signers(None).is_empty(), "{}: expected a signature with a key of the sheet", name());
    Ok(sheet.note)
}

fn tables(file: &Path) -> anyhow::Result<Vec<AnnouncedTable>> {
    let name = file.display().to_string();
    let text = read_text(file, LIST_MAX)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let table = |(number, line): (usize, &str)| {
        let (id, title) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let place = || format!("{name} line {number}");
        Ok(AnnouncedTable {
            game_id: parse_id(id).map_err(anyhow::Error::msg).with_context(place)?,
            title: checked(title.trim()).map_err(anyhow::Error::msg).with_context(place)?,
        })
    };
    lines.map(table).collect()
}

fn parse_id(text: &str) -> Result<[u8; 16], String> {
    let id = unhex(text);
    id.ok_or_else(|| format!("expected a game id of 32 lower-case hex digits, found {text:?}"))
}

fn parse_void(text: &str) -> Result<([u8; 16], String), String> {
    let (id, reason) = text.split_once(':').ok_or("expected ID:REASON")?;
    Ok((parse_id(id)?, checked(reason)?))
}

/// Checks a text of the director's.
pub fn checked(text: &str) -> Result<String, String> {
    if text.len() > TEXT_MAX || text.contains(char::is_control) {
        return Err(format!("expected a text of at most {TEXT_MAX} bytes without control characters"));
    }
    Ok(text.to_owned())
}
