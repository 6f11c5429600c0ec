//! Score sheets of games without a log, which the players sign: the typed sheet itself is the signed text.

use crate::entry::GameEntry;
use crate::fault::{FaultKind, SiteFault};
use crate::leaf::{Leaf, Milestone};
use crate::note::{self, NoteSigner};
use crate::policy::TournamentPolicy;
use crate::scores::{self, CountedScores};
use crate::sheet::{BYTES_MAX, is_signed_by_all_sides};
use crate::site::Leaves;
use anyhow::{Context, ensure};
use canasta_engine::hex::hex;
use canasta_engine::log::record::Player;
use canasta_engine::seat::Seat;
use canasta_engine::text::{ScoreText, score_text};
use sha2::{Digest, Sha256};
use std::io;

/// The first line of a signed sheet.
const FORMAT: &str = "canasta-paper/1";

/// A score sheet without a log: a signed note whose first line is `canasta-paper/1`, and whose other lines are the sheet as
/// it was typed. The players sign it with the keys that the sheet has (`key` lines).
pub struct PaperSheet {
    pub note: String,
    /// The sheet. Numbers of lines are those of the note, or of the typed text if the sheet was made of it.
    pub scores: ScoreText,
}

/// A sheet in a published tree, and what it shows.
pub struct PublishedPaper {
    /// The index of its leaf.
    pub index: u64,
    pub sheet: PaperSheet,
    /// Its sums, counted again.
    pub counted: CountedScores,
    /// The players who have signed it, by seat.
    pub signers: Vec<Seat>,
}

impl PaperSheet {
    /// Returns whether a text begins like a signed sheet.
    pub fn is_one(note: &str) -> bool {
        note.strip_prefix(FORMAT).is_some_and(|rest| rest.starts_with('\n'))
    }

    /// Returns a sheet as it was typed, without a signature.
    ///
    /// # Errors
    /// If the text is not a sheet, is too long, or has characters that a signed note must not have.
    pub fn of_typed(typed: &str) -> anyhow::Result<Self> {
        let typed = typed.replace("\r\n", "\n");
        let odd = (1..).zip(typed.lines()).find(|(_, line)| line.contains(char::is_control));
        if let Some((line, _)) = odd {
            anyhow::bail!("line {line}: expected no tabs and no other control characters");
        }
        let scores = parsed(&typed)?;
        let note = format!("{FORMAT}\n{}\n\n", typed.trim_end_matches('\n'));
        ensure!(note.len() <= BYTES_MAX, "expected at most {BYTES_MAX} bytes");
        Ok(Self { note, scores })
    }

    /// Parses a signed sheet. Signatures are not verified.
    ///
    /// # Errors
    /// If the note is not a sheet, with the first line that cannot be read.
    pub fn parse(note: String) -> anyhow::Result<Self> {
        ensure!(note.len() <= BYTES_MAX, "expected at most {BYTES_MAX} bytes");
        let typed = typed(&note).context("expected a score sheet signed by players")?;
        // An empty line stands for the first, so that numbers of lines are those of the note.
        let scores = parsed(&format!("\n{typed}"))?;
        Ok(Self { note, scores })
    }

    /// Returns the sheet as it was typed.
    pub fn typed(&self) -> &str {
        typed(&self.note).unwrap_or_default()
    }

    /// Returns the SHA-256 of the sheet as it was typed.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.typed()).into()
    }

    /// Adds a signature to the sheet.
    ///
    /// # Errors
    /// If the sheet does not name the key, or its last signature would make it too long.
    pub fn signed_by(self, signer: &NoteSigner) -> anyhow::Result<Self> {
        let key = signer.verifier();
        let named = self.scores.players.iter().any(|player| player.key.as_ref() == Some(key.bytes()));
        let hex = hex(key.bytes());
        ensure!(named, "expected a line with this key before anybody signs, such as: key SEAT {hex}");
        Self::parse(note::signed_also(&self.note, signer))
    }

    /// Returns the players who have signed, by seat. If the policy has a register of players, only registered keys count.
    pub fn signers(&self, policy: Option<&TournamentPolicy>) -> Vec<Seat> {
        let has_signed = |Player { name, key }: &Player| {
            let key = key.as_ref().filter(|key| note::is_signed_by_key(&self.note, key));
            let known = policy.and_then(|policy| policy.is_players(name, key));
            key.is_some() && known != Some(false)
        };
        let players = (0..).map(Seat).zip(&self.scores.players);
        players.filter(|(_, player)| has_signed(player)).map(|(seat, _)| seat).collect()
    }
}

fn parsed(typed: &str) -> anyhow::Result<ScoreText> {
    Ok(score_text(typed).map_err(|faults| faults.into_iter().next().expect("a reason to refuse"))?)
}

/// Returns the sheet in a signed note, as it was typed.
fn typed(note: &str) -> Option<&str> {
    let (text, _) = note::split(note)?;
    text.strip_prefix(FORMAT)?.strip_prefix('\n')
}

/// Returns the id of the game that a note is the signed sheet of, if it names one.
pub(crate) fn game_of(note: &str) -> Option<[u8; 16]> {
    PaperSheet::is_one(note).then(|| PaperSheet::parse(note.to_owned()).ok())??.scores.game_id
}

/// Checks the signed sheets of games without a log: their sums, that a player of each side has signed, and that a log of the
/// same game has the same totals. `papers` are the indices of their leaves; `last` returns that of the last entry of a game.
///
/// # Errors
/// If the disk fails.
pub fn check(
    leaves: &Leaves<'_>,
    papers: &[u64],
    last: &dyn Fn(&[u8; 16]) -> Option<u64>,
    policy: Option<&TournamentPolicy>,
    faults: &mut Vec<SiteFault>,
) -> io::Result<Vec<PublishedPaper>> {
    let mut found = Vec::new();
    for &index in papers {
        let Some(Leaf::Milestone(Milestone::Sheet { note, .. })) = leaves.get(index)? else { continue };
        let mut find = |detail: String, game_id: Option<[u8; 16]>| {
            let fault = SiteFault::of_leaf(FaultKind::Sheet, index, detail);
            faults.push(SiteFault { game_id, ..fault });
        };
        let sheet = match PaperSheet::parse(note) {
            Ok(sheet) => sheet,
            Err(error) => {
                find(format!("it is no score sheet: {error}"), None);
                continue;
            }
        };
        let (game_id, counted, signers) =
            (sheet.scores.game_id, scores::count(&sheet.scores), sheet.signers(policy));
        let refusals = refusals(&sheet.scores, &counted, &signers, policy);
        refusals.into_iter().for_each(|detail| find(detail, game_id));
        let log = game_id.and_then(|id| last(&id));
        let log = log.map(|entry| leaves.get(entry)).transpose()?.flatten();
        if let Some(Leaf::Game(entry)) = log
            && differs(&entry, &counted)
        {
            find("it has other rounds or totals than the log of the game".into(), game_id);
        }
        found.push(PublishedPaper { index, sheet, counted, signers });
    }
    Ok(found)
}

/// Returns why a sheet does not count whose sums are `counted`, and which these players have signed.
pub fn refusals(
    scores: &ScoreText,
    counted: &CountedScores,
    signers: &[Seat],
    policy: Option<&TournamentPolicy>,
) -> Vec<String> {
    let is_promised = policy.is_some_and(|policy| !policy.sheets);
    let wrong = counted.faults.first().map(|fault| format!("line {}: {}", fault.line, fault.detail));
    let whose = match policy.is_some_and(|policy| !policy.players.is_empty()) {
        true => "the register of the policy",
        false => "the sheet",
    };
    let is_signed = is_signed_by_all_sides(scores.rules.set(), |seat| signers.contains(&seat));
    let found = [
        is_promised.then(|| "the policy promises a log of every game, and no sheet in its place".into()),
        wrong,
        (!is_signed)
            .then(|| format!("expected the signature of a player of each side, with a key of {whose}")),
    ];
    found.into_iter().flatten().collect()
}

fn differs(entry: &GameEntry, counted: &CountedScores) -> bool {
    counted.rounds.len() as u64 != u64::from(entry.rounds) || entry.totals != counted.totals
}
