//! Parses any bytes as each thing that a tournament publishes: key, signed note, checkpoint, proof, bundle of
//! entries. Nothing panics, each thing has one spelling, and no note verifies with a key that has not signed it.
#![no_main]

use canasta_tournament::checkpoint::Checkpoint;
use canasta_tournament::entry::GameEntry;
use canasta_tournament::note::{NoteSigner, NoteVerifier, Opened};
use canasta_tournament::proof::InclusionProof;
use canasta_tournament::tiles::{bundle, unbundle};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

/// A key that signs nothing here.
static KEY: LazyLock<NoteVerifier> =
    LazyLock::new(|| NoteSigner::new("club.example", &[7; 32]).expect("a name").verifier());

fuzz_target!(|bytes: &[u8]| {
    if let Some((&width, rest)) = bytes.split_first()
        && let Some(leaves) = unbundle(rest, width.into())
    {
        assert_eq!(bundle(leaves), rest);
    }
    if let Some(entry) = GameEntry::from_bytes(bytes) {
        assert_eq!(entry.to_bytes(), bytes);
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(key) = NoteVerifier::parse(text) {
        assert_eq!(key.to_string(), text.trim());
    }
    assert_ne!(KEY.open(text), Opened::Signed);
    if let Ok(checkpoint) = Checkpoint::parse(text) {
        assert!(text.starts_with(&checkpoint.body()));
    }
    if let Ok((proof, checkpoint)) = InclusionProof::parse(text) {
        assert_eq!(proof.to_text(), text);
        assert!(proof.note.starts_with(&checkpoint.body()));
    }
});
