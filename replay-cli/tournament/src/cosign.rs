//! Cosignatures of witnesses (C2SP tlog-cosignature, Ed25519): a witness signs that a checkpoint goes on from all that it
//! saw of a tree before, and when.

use crate::note::{DASH, NamedKey, NoteSigner, split};
use base64ct::{Base64, Encoding};
use ed25519_dalek::VerifyingKey;

/// The algorithm byte of cosigning keys.
const COSIGNATURE: u8 = 4;

/// The public key of a witness: `NAME+HASH+BASE64`, with the algorithm byte 4.
pub type WitnessKey = NamedKey<COSIGNATURE>;

/// The result of verifying the cosignatures of a checkpoint with the key of a witness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cosigned {
    /// The witness signed the checkpoint at this time, in seconds since 1970; the earliest of several times.
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

    /// Verifies the cosignatures of a checkpoint with this key.
    pub fn open(&self, note: &str) -> Cosigned {
        let Some((text, signatures)) = split(note) else { return Cosigned::Absent };
        let mut found = Cosigned::Absent;
        for signed in self.signatures(signatures) {
            match (self.time(text, &signed), found) {
                (None, _) => return Cosigned::Forged,
                (Some(time), Cosigned::At(other)) => found = Cosigned::At(time.min(other)),
                (Some(time), _) => found = Cosigned::At(time),
            }
        }
        found
    }

    /// Returns the time of a timestamped signature, if the signature verifies.
    fn time(&self, text: &str, signed: &[u8]) -> Option<u64> {
        let (time, signature) = signed.split_first_chunk()?;
        let time = Some(u64::from_be_bytes(*time)).filter(|&time| i64::try_from(time).is_ok())?;
        self.has_signed(&message(text, time), signature).then_some(time)
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
mod tests;
