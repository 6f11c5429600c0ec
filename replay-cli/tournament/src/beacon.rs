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
    /// The public key of the chain is invalid.
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
mod tests {
    use super::*;
    use canasta_engine::hex::hex;

    /// Checks the chain's hash against the hash that drand publishes, which covers key, period, times, group and
    /// name.
    #[test]
    fn the_stored_chain_has_the_published_hash() {
        let hash = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
        assert_eq!(hex(&BeaconChain::quicknet().hash()), hash);
    }

    /// Round 123 of quicknet, a test vector of the crate drand-verify 0.6.2 (src/verify.rs), which took it from
    /// <https://api3.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public/123>.
    const ROUND_123: &str =
        "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92";

    #[test]
    fn a_published_round_verifies_and_nothing_else_does() {
        let chain = BeaconChain::quicknet();
        let signature = lower::decode_vec(ROUND_123).expect("hex");
        assert_eq!(chain.verify(123, &signature), Ok(()));
        assert_eq!(chain.verify(124, &signature), Err(BeaconError::Wrong { round: 124 }));
        assert_eq!(chain.verify(123, &signature[..47]), Err(BeaconError::Form { length: 47 }));
        assert_eq!(chain.verify(123, &[0; 48]), Err(BeaconError::Form { length: 48 }));
        for at in 0..48 {
            let mut flipped = signature.clone();
            flipped[at] ^= 1;
            assert!(chain.verify(123, &flipped).is_err(), "byte {at}");
        }
        // The point at infinity, and the same point uncompressed.
        let mut infinity = [0; 48];
        infinity[0] = 0xc0;
        assert_eq!(chain.verify(123, &infinity), Err(BeaconError::Form { length: 48 }));
        let spelled = Signature::from_bytes(&signature).expect("a point").serialize();
        assert_eq!(chain.verify(123, &spelled), Err(BeaconError::Form { length: 96 }));
    }

    /// Verifies test vectors of the scheme's author, from the same crate: rounds 3, 4 and 6 of another chain.
    #[test]
    fn another_chains_rounds_verify_under_its_key() {
        let key = "a1ee12542360bf75742bcade13d6134e7d5283d9eb782887c47d3d9725f05805d37b0106b7f744395bf82c175dd7434a169e998f188a657a030d588892c0cd2c01f996aaf331c4d8bc5b9734bbe261d09e7d2d39ef88b635077f262bd7bbb30f";
        let chain = BeaconChain { public_key: key.into(), ..BeaconChain::quicknet() };
        let rounds = [
            (
                3,
                "b98dae74f6a9d2ec79d75ba273dcfda86a45d589412860eb4c0fd056b00654dbf667c1b6884987c9aee0d43f8ba9db52",
            ),
            (
                4,
                "962c2b2969e8f3351cf5cc457b04ecbf0c65bd79f4c1ee3bd0205f581368aaaa0cdeb1531a0709d39ef06a8ba1e1bb93",
            ),
            (
                6,
                "a054dafb27a4a4fb9e06b17b30da3e0c7b13b4ca8e1dec3c6775f81758587029aa358523f2e7e62204018347db7cbd1c",
            ),
        ];
        for (round, signature) in rounds {
            let signature = lower::decode_vec(signature).expect("hex");
            assert_eq!(chain.verify(round, &signature), Ok(()));
            assert!(BeaconChain::quicknet().verify(round, &signature).is_err());
        }
    }

    /// Checks that round 1 has the time at which the chain begins, and that round 123 follows 366 seconds later.
    #[test]
    fn rounds_have_their_times() {
        let chain = BeaconChain::quicknet();
        assert_eq!(chain.published_ms(1), Some(1_692_803_367_000));
        assert_eq!(chain.published_ms(123), Some(1_692_803_733_000));
        assert_eq!((chain.published_ms(0), chain.published_ms(u64::MAX)), (None, None));
    }

    #[test]
    fn a_chain_of_another_scheme_or_form_is_refused() {
        let chain = |from: &str, to: &str| {
            BeaconChain::read(&QUICKNET.replace(from, to)).map(|_| ()).unwrap_err().to_string()
        };
        assert!(chain(SCHEME, "pedersen-bls-chained").contains("scheme"));
        assert!(chain("83cf0f", "").contains("public_key"));
        assert!(chain("f477d5", "zz77d5").contains("groupHash"));
        assert!(BeaconChain::read(QUICKNET).is_ok() && BeaconChain::read("[").is_err());
    }
}
