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
