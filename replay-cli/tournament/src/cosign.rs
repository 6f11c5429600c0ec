//! Cosignatures of witnesses (C2SP tlog-cosignature, Ed25519): a witness signs that a checkpoint goes on from all that it
//! saw of a tree before, and when.

use crate::note::{DASH, NoteSigner, check_name, fields, split, typed};
use anyhow::{Context, ensure};
use base64ct::{Base64, Encoding};
use canasta_engine::hex::hex;
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest, Sha256};
use std::fmt;

/// The algorithm byte of cosigning keys.
const COSIGNATURE: u8 = 4;

/// The public key of a witness: `NAME+HASH+BASE64`, with the algorithm byte 4.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessKey {
    name: String,
    hash: [u8; 4],
    key: VerifyingKey,
}

/// The result of verifying the cosignatures of a checkpoint with the key of a witness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cosigned {
    /// The witness signed the checkpoint at this time, in seconds since 1970; the latest of several times.
    At(u64),
    /// A cosignature in the name of the witness does not verify.
    Forged,
    /// No cosignature is in the name of the witness.
    Absent,
}

impl WitnessKey {
    /// Returns the public key with which a signer cosigns.
    pub fn of(signer: &NoteSigner) -> Self {
        let verifier = signer.verifier();
        let key = VerifyingKey::from_bytes(verifier.bytes()).expect("the key of a signer is valid");
        Self::new(verifier.name().to_owned(), key)
    }

    fn new(name: String, key: VerifyingKey) -> Self {
        let digest = Sha256::new().chain_update(&name).chain_update([b'\n', COSIGNATURE]);
        let digest = digest.chain_update(key.as_bytes()).finalize();
        Self { name, hash: *digest.first_chunk().expect("a digest has 32 bytes"), key }
    }

    /// Parses a public key.
    ///
    /// # Errors
    /// If the text is not the public key of a witness.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let (name, hash, bytes) = fields(text.trim(), COSIGNATURE).context("key of a witness")?;
        check_name(name)?;
        let key = VerifyingKey::from_bytes(&bytes).context("key of a witness: not a point of the curve")?;
        let found = Self::new(name.to_owned(), key);
        ensure!(found.hash == hash, "key of a witness: its hash does not match the name and the key");
        Ok(found)
    }

    /// Returns the name of the witness.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the 32 bytes of the key.
    pub fn bytes(&self) -> &[u8; 32] {
        self.key.as_bytes()
    }

    /// Verifies the cosignatures of a checkpoint with this key.
    pub fn open(&self, note: &str) -> Cosigned {
        let Some((text, signatures)) = split(note) else { return Cosigned::Absent };
        let mut found = Cosigned::Absent;
        for line in signatures.lines() {
            let Some((name, bytes)) = line.strip_prefix(DASH).and_then(|line| line.rsplit_once(' ')) else {
                continue;
            };
            let Ok(bytes) = Base64::decode_vec(bytes) else { continue };
            let Some((hash, signed)) = bytes.split_first_chunk() else { continue };
            if name != self.name || *hash != self.hash {
                continue;
            }
            match (self.time(text, signed), found) {
                (None, _) => return Cosigned::Forged,
                (Some(time), Cosigned::At(other)) => found = Cosigned::At(time.max(other)),
                (Some(time), _) => found = Cosigned::At(time),
            }
        }
        found
    }

    /// Returns the time of a timestamped signature, if the signature verifies.
    fn time(&self, text: &str, signed: &[u8]) -> Option<u64> {
        let (time, signature) = signed.split_first_chunk()?;
        let time = Some(u64::from_be_bytes(*time)).filter(|&time| i64::try_from(time).is_ok())?;
        let signature = Signature::from_slice(signature).ok()?;
        self.key.verify_strict(message(text, time).as_bytes(), &signature).ok().map(|()| time)
    }
}

impl fmt::Display for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hash = hex(&self.hash);
        write!(f, "{}+{hash}+{}", self.name, typed(COSIGNATURE, self.key.as_bytes()))
    }
}

/// Returns the signature line of a witness under the text of a checkpoint, at a time in seconds since 1970.
pub fn cosign(signer: &NoteSigner, text: &str, time: u64) -> String {
    let signature = signer.sign_bytes(message(text, time).as_bytes());
    let bytes = [&WitnessKey::of(signer).hash[..], &time.to_be_bytes(), &signature].concat();
    format!("{DASH}{} {}\n", signer.name(), Base64::encode_string(&bytes))
}

fn message(text: &str, time: u64) -> String {
    format!("cosignature/v1\ntime {time}\n{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str =
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";

    /// Checks that every changed bit of text, time, name, hash and signature is seen.
    #[test]
    fn a_cosignature_covers_text_and_time() {
        let signer = NoteSigner::new("witness.example.com/w1", &[9; 32]).expect("a key");
        let key = WitnessKey::of(&signer);
        assert_eq!(WitnessKey::parse(&key.to_string()).expect("a key"), key);
        let note = format!("{BODY}\n{}", cosign(&signer, BODY, 1_679_315_147));
        assert_eq!(key.open(&note), Cosigned::At(1_679_315_147));
        for at in 0..note.len() - 1 {
            let mut bytes = note.as_bytes().to_vec();
            bytes[at] ^= 1;
            let Ok(other) = String::from_utf8(bytes) else { continue };
            assert!(!matches!(key.open(&other), Cosigned::At(_)), "byte {at}");
        }
        // The key of a note's signer is none of a witness, and the other way around.
        assert!(WitnessKey::parse(&signer.verifier().to_string()).is_err());
        assert!(crate::note::NoteVerifier::parse(&key.to_string()).is_err());
    }

    /// Reads the example of the specification, a line of a witness: its name and key id are read, and its key is unknown.
    #[test]
    fn the_line_of_the_specification_has_the_form() {
        let line = "jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==";
        let bytes = Base64::decode_vec(line).expect("base64");
        assert_eq!(bytes.len(), 4 + 8 + 64);
        assert_eq!(u64::from_be_bytes(bytes[4..12].try_into().unwrap()), 1_679_315_147);
        assert!(message(BODY, 1_679_315_147).starts_with("cosignature/v1\ntime 1679315147\nexample.com/"));
    }
}
