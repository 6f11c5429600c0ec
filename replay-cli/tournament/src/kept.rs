//! The checkpoints that witnesses cosigned, kept on the site for ever: who comes later sees what a witness saw, and when.
//!
//! They stand in files beside the tiles, each checkpoint in the file of the tile that its last leaf is in, one behind the
//! other in the order of their sizes. A file only grows until its tile is full.

use crate::checkpoint::{self, Checkpoint};
use crate::fault::{FAULTS_MAX, FaultKind, SiteFault};
use crate::files::SiteFiles;
use crate::note::{DASH, NoteVerifier};
use crate::policy::WitnessPolicy;
use crate::sightings::{SightedTree, Sightings};
use crate::site::{CHECKPOINT, Site, opened, unsigned};
use crate::tiles::{Tile, WIDTH};
use anyhow::ensure;
use rayon::prelude::*;
use std::io;

/// Maximum size of a file of checkpoints, in bytes: each of its 256 sizes once at its longest.
const FILE_MAX: u64 = WIDTH * checkpoint::BYTES_MAX;

/// Returns the path of the file with the kept checkpoints of trees of this size.
fn path(size: u64) -> String {
    Tile { level: 0, index: size.saturating_sub(1) / WIDTH, width: WIDTH }.cosigned_path()
}

/// Returns the paths of all files of kept checkpoints that a tree of this size may have.
pub fn paths(size: u64) -> impl Iterator<Item = String> {
    Tile::of_level(0, size).map(|tile| tile.cosigned_path())
}

/// Keeps the checkpoint of a site if a witness cosigned it, which a second signature shows.
///
/// # Errors
/// If the disk fails, or the file is full.
pub fn keep(files: &mut impl SiteFiles, site: &Site) -> anyhow::Result<()> {
    let signatures = site.note.lines().filter(|line| line.starts_with(DASH)).count();
    if signatures < 2 {
        return Ok(());
    }
    let path = path(site.checkpoint.size);
    let mut kept = files.read(&path, FILE_MAX)?.unwrap_or_default();
    if kept.ends_with(site.note.as_bytes()) {
        return Ok(());
    }
    kept.extend_from_slice(site.note.as_bytes());
    ensure!(kept.len() as u64 <= FILE_MAX, "{path}: expected at most {FILE_MAX} bytes of checkpoints");
    Ok(files.put(&path, &kept)?)
}

/// Reads the checkpoints of a site, those that were kept and then its own, each of which `keys` must have signed, and adds
/// what is wrong with them to `faults`. Returns when witnesses had seen each leaf, and those of the site's own checkpoint
/// with their times.
///
/// # Errors
/// If the disk fails.
pub fn sightings(
    files: &impl SiteFiles,
    site: &Site,
    keys: &[NoteVerifier],
    policy: &WitnessPolicy,
    faults: &mut Vec<SiteFault>,
) -> io::Result<(SightedTree, Vec<(String, u64)>)> {
    let mut sightings = Sightings::new(policy);
    for path in paths(site.checkpoint.size) {
        let Some(bytes) = files.read(&path, FILE_MAX)? else { continue };
        let text = String::from_utf8(bytes).unwrap_or_default();
        // Signatures cost most of the audit: they are verified on all threads, and judged in their order.
        let notes: Vec<&str> = notes(&text).collect();
        let open = |note: &&str| (opened(note, keys), sightings.open(note));
        let opened: Vec<_> = notes.par_iter().map(open).collect();
        let mut last = 0;
        for (note, (signed, cosigned)) in notes.iter().zip(&opened) {
            if faults.len() >= FAULTS_MAX {
                break;
            }
            let found = Checkpoint::parse(note).map_err(|bad| bad.to_string());
            let found = match found.and_then(|found| in_order(found, &path, last)) {
                Ok(found) => found,
                Err(detail) => {
                    faults.push(SiteFault::new(FaultKind::Checkpoint, &path, detail));
                    break;
                }
            };
            last = found.size;
            faults.extend(unsigned(signed, keys, &path));
            match site.extends(&found, &path) {
                Ok(_) => drop(sightings.take(cosigned, found.size, &path, faults)),
                Err(fault) => faults.push(fault),
            }
        }
        if text.is_empty() {
            let detail = "expected checkpoints, one behind the other";
            faults.push(SiteFault::new(FaultKind::Checkpoint, &path, detail));
        }
    }
    let cosigned = sightings.open(&site.note);
    let own = sightings.take(&cosigned, site.checkpoint.size, CHECKPOINT, faults);
    Ok((sightings.settle(), own))
}

/// Checks that a checkpoint belongs into a file, behind one of a tree of `last` leaves.
fn in_order(found: Checkpoint, file: &str, last: u64) -> Result<Checkpoint, String> {
    let size = found.size;
    if path(size) != file || size < last || size == 0 {
        return Err(format!(
            "expected checkpoints of this tile in the order of their sizes, found one of {size} entries"
        ));
    }
    Ok(found)
}

/// Splits a file into its notes: a note ends with its last signature line.
fn notes(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (mut end, mut is_signed) = (0, false);
        for line in rest.split_inclusive('\n') {
            let is_signature = line.starts_with(DASH);
            if is_signed && !is_signature {
                break;
            }
            is_signed = is_signature;
            end += line.len();
        }
        let (note, after) = rest.split_at(end);
        rest = after;
        (!note.is_empty()).then_some(note)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_end_with_their_signatures() {
        let (first, second) =
            ("a\n1\nx\n\n\u{2014} a A\n\u{2014} w B\n", "a\n2\ny\n\n\u{2014} a C\n\u{2014} w D\n");
        assert_eq!(notes(&format!("{first}{second}")).collect::<Vec<_>>(), [first, second]);
        assert_eq!(notes("").count(), 0);
        assert_eq!(notes("no note").collect::<Vec<_>>(), ["no note"]);
        assert_eq!(
            [path(1), path(256), path(257), path(256_001)],
            ["cosigned/000", "cosigned/000", "cosigned/001", "cosigned/x001/000"]
        );
    }
}
