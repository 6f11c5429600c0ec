//! The proof of a game in a link: its keys and its `.tlog-proof` without the entry, which follows from the log; deflated.
//! docs/TOURNAMENT.md defines the bytes.

use anyhow::{Context, ensure};
use base64ct::{Base64, Encoding};
use canasta_engine::archive::LinkedLog;
use canasta_engine::log::audit::{Expect, audit};
use canasta_tournament::bundle::ProofBundle;
use canasta_tournament::entry::GameEntry;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use sha2::{Digest, Sha256};

/// Number of bytes of the digest at the end, which finds slips.
const CHECK: usize = 8;
/// Maximum number of bytes of the text.
const TEXT_MAX: usize = 1 << 16;

/// Packs the proof of an entry with its keys; `None` if the bundle has no tree.
pub fn pack(bundle: &ProofBundle, entry: &GameEntry) -> Option<Vec<u8>> {
    let (_, rest) = bundle.tree.as_deref()?.split_once("\nindex ")?;
    let (keys, witnesses) = (bundle.keys.join(" "), bundle.witnesses.join(" "));
    let text = format!("{}\n{keys}\n{witnesses}\n{rest}", entry.label);
    let packed = compress_to_vec(text.as_bytes(), 9);
    Some([&packed[..], &Sha256::digest(&packed)[..CHECK]].concat())
}

/// Unpacks the proof of a link beside its log. Nothing is verified yet.
///
/// # Errors
/// If the bytes are no proof, or the log is no log of a game.
pub fn unpack(bytes: &[u8], LinkedLog { log, full_head }: LinkedLog) -> anyhow::Result<ProofBundle> {
    let (packed, digest) = bytes.split_last_chunk::<CHECK>().context("its proof is cut off")?;
    ensure!(Sha256::digest(packed).starts_with(digest), "its proof is damaged");
    let text = decompress_to_vec_with_limit(packed, TEXT_MAX).ok().context("its proof does not unpack")?;
    let [label, keys, witnesses, rest] = str::from_utf8(&text)?.splitn(4, '\n').collect::<Vec<_>>()[..]
        .try_into()
        .context("its proof is cut off")?;
    let mut report = audit(&log, Expect::default());
    report.head = full_head.unwrap_or(report.head);
    let entry = GameEntry::of(&report, label.to_owned()).context("its log is no log of a game")?;
    let split = |keys: &str| keys.split_terminator(' ').map(str::to_owned).collect();
    let mut bundle = ProofBundle::new(log);
    (bundle.keys, bundle.witnesses, bundle.full_head) = (split(keys), split(witnesses), full_head);
    let leaf = Base64::encode_string(&entry.to_bytes());
    bundle.tree = Some(format!("c2sp.org/tlog-proof@v1\nextra {leaf}\nindex {rest}"));
    Ok(bundle)
}
