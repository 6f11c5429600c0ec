//! Public beacons of randomness (drand): verifies the signatures of a chain's rounds.
//!
//! The only scheme is `bls-unchained-g1-rfc9380`, which drand's network quicknet uses: unchained beacons with
//! signatures on G1, hashed as RFC 9380 says. The hash of a chain covers its key and its times, so whoever knows the
//! hash needs to trust nobody for them.

use base16ct::lower;
use blst::BLST_ERROR;
use blst::min_sig::{PublicKey, Signature};
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// The only scheme that is supported.
const SCHEME: &str = "bls-unchained-g1-rfc9380";
/// The domain separation tag of the signatures of [`SCHEME`].
const DOMAIN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/// A chain, in the form of drand's `/info`. Other fields of that form are ignored.
#[derive(Clone, Debug, Deserialize)]
pub struct BeaconChain {
    /// Public key of the network, 96 bytes in hex.
    public_key: String,
    /// Time from one round to the next, in seconds.
    period: u32,
    /// Time at which round 1 was published, in seconds since 1970.
    genesis_time: i64,
    /// Hash of the network's founding group, 32 bytes in hex.
    #[serde(rename = "groupHash")]
    group_hash: String,
    /// Name of the signature scheme.
    #[serde(rename = "schemeID")]
    scheme: String,
    metadata: Metadata,
}

#[derive(Clone, Debug, Deserialize)]
struct Metadata {
    #[serde(rename = "beaconID")]
    name: String,
}

/// The reason why a signature is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BeaconError {
    #[error("the chain's public key is not a point of the curve")]
    Key,
    /// The signature has not 48 bytes, or is not a point of the group.
    #[error("{length} bytes that are not a signature of this scheme")]
    Form {
        /// Number of bytes found.
        length: usize,
    },
    /// The signature belongs to another round or chain, or to none.
    #[error("not the chain's signature of round {round}")]
    Wrong {
        /// The number of the round, from 1.
        round: u64,
    },
}

impl BeaconChain {
    /// Returns drand's network `quicknet`, which publishes a round every three seconds.
    pub fn quicknet() -> Self {
        serde_json::from_str(QUICKNET).expect("the stored chain is well formed")
    }

    /// Parses drand's `/info`.
    ///
    /// # Errors
    /// If a field is missing or not in hex, or the scheme is not `bls-unchained-g1-rfc9380`.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let chain: Self = serde_json::from_str(text)?;
        anyhow::ensure!(chain.scheme == SCHEME, "scheme {:?}, expected {SCHEME:?}", chain.scheme);
        let is_hex = |text: &str, bytes| lower::decode_vec(text).is_ok_and(|found| found.len() == bytes);
        anyhow::ensure!(is_hex(&chain.public_key, 96), "public_key: expected 96 bytes in hex");
        anyhow::ensure!(is_hex(&chain.group_hash, 32), "groupHash: expected 32 bytes in hex");
        Ok(chain)
    }

    pub fn name(&self) -> &str {
        &self.metadata.name
    }

    /// Returns the hash of the chain, by which a log's registration names it.
    pub fn hash(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.period.to_be_bytes());
        hash.update(self.genesis_time.to_be_bytes());
        hash.update(lower::decode_vec(&self.public_key).unwrap_or_default());
        hash.update(lower::decode_vec(&self.group_hash).unwrap_or_default());
        if self.name() != "default" {
            hash.update(self.name());
        }
        hash.finalize().into()
    }

    /// Returns the time at which `round` (from 1) is published, in ms since 1970; `None` if that overflows.
    pub fn published_ms(&self, round: u64) -> Option<i64> {
        let seconds = i64::try_from(round.checked_sub(1)?).ok()?.checked_mul(self.period.into())?;
        self.genesis_time.checked_add(seconds)?.checked_mul(1000)
    }

    /// Checks that `signature` is the chain's signature of `round`.
    ///
    /// # Errors
    /// The reason why the signature is refused.
    pub fn verify(&self, round: u64, signature: &[u8]) -> Result<(), BeaconError> {
        let key = lower::decode_vec(&self.public_key).unwrap_or_default();
        let key = PublicKey::key_validate(&key).map_err(|_| BeaconError::Key)?;
        let form = BeaconError::Form { length: signature.len() };
        // The library takes uncompressed points too: a second spelling, and so a second B.
        if signature.len() != 48 {
            return Err(form);
        }
        let point = Signature::sig_validate(signature, true).map_err(|_| form)?;
        let message = Sha256::digest(round.to_be_bytes());
        match point.verify(false, &message, DOMAIN, &[], &key, false) {
            BLST_ERROR::BLST_SUCCESS => Ok(()),
            _ => Err(BeaconError::Wrong { round }),
        }
    }
}

/// <https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/info>
const QUICKNET: &str = r#"{
    "public_key": "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    "period": 3,
    "genesis_time": 1692803367,
    "hash": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "groupHash": "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
    "schemeID": "bls-unchained-g1-rfc9380",
    "metadata": { "beaconID": "quicknet" }
}"#;

#[cfg(test)]
mod tests;
