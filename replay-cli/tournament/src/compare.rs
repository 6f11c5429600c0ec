//! Two checkpoints of one tree, compared.

use crate::audit::KeptCheckpoint;
use crate::checkpoint::Checkpoint;
use crate::files::{Directory, read_text};
use crate::proof::{self, InclusionProof};
use crate::site::{self, Site};
use anyhow::Context;
use std::path::Path;

/// A checkpoint, and its tree if it is that of a published directory.
pub struct Compared {
    pub note: String,
    pub checkpoint: Checkpoint,
    site: Option<Site>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeRelation {
    /// They are of trees with different names.
    OtherTree,
    /// They sign the same tree.
    Equal,
    /// One tree begins the other.
    Prefix,
    /// No tree begins with both.
    Fork,
    /// The sizes differ, and the larger tree is not at hand.
    Unknown,
}

impl Compared {
    /// Reads a checkpoint, the checkpoint of a proof, or a published directory.
    ///
    /// # Errors
    /// If the file cannot be read or is none of these, or the directory is damaged.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let name = || path.display().to_string();
        if path.is_dir() {
            let mut faults = Vec::new();
            let site = site::load(&Directory::new(path), &mut faults).with_context(name)?;
            let detail = faults.first().map_or("no checkpoint", |fault| fault.detail.as_str());
            let site = site.filter(|_| faults.is_empty());
            let site = site.with_context(|| format!("{}: {detail}", name()))?;
            return Ok(Self {
                note: site.note.clone(),
                checkpoint: site.checkpoint.clone(),
                site: Some(site),
            });
        }
        if path.extension().is_some_and(|extension| extension == proof::EXTENSION) {
            let text = read_text(path, proof::BYTES_MAX)?;
            let (proof, checkpoint) = InclusionProof::parse(&text).with_context(name)?;
            return Ok(Self { note: proof.note, checkpoint, site: None });
        }
        let KeptCheckpoint { note, checkpoint, .. } = KeptCheckpoint::read(path)?;
        Ok(Self { note, checkpoint, site: None })
    }

    /// Returns the relation of two checkpoints; `None` if the larger one is a site that does not hold.
    pub fn relation(&self, other: &Self) -> Option<TreeRelation> {
        let (here, there) = (&self.checkpoint, &other.checkpoint);
        if here.origin != there.origin {
            return Some(TreeRelation::OtherTree);
        }
        if here.size == there.size {
            return Some(if here.root == there.root { TreeRelation::Equal } else { TreeRelation::Fork });
        }
        let (larger, smaller) = if here.size > there.size { (self, there) } else { (other, here) };
        let Some(site) = &larger.site else { return Some(TreeRelation::Unknown) };
        match site.extends(smaller, "") {
            Ok(true) => Some(TreeRelation::Prefix),
            Ok(false) => None,
            Err(_) => Some(TreeRelation::Fork),
        }
    }
}
