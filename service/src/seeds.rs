//! Seeds of new games, derived from the requests that create the games (docs/operate/SEALING.md).

use canasta_messages::host::GameSeeds;
use ring::hmac;

/// A key that games are derived under.
pub struct CreateKey(hmac::Key);

impl CreateKey {
    /// Derives the key from a seal key, so that the seal key itself is used by one algorithm only.
    pub fn of(seal_key: &[u8; 32]) -> Self {
        let derived = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA512, seal_key), b"canasta-create/1");
        Self(hmac::Key::new(hmac::HMAC_SHA512, derived.as_ref()))
    }

    /// Derives id and secret of the game that a request creates.
    pub fn seeds(&self, audience: &str, request: &[u8]) -> GameSeeds {
        let derived = |label: &str| {
            let begin = format!("{label}\0{audience}\0");
            hmac::sign(&self.0, &[begin.as_bytes(), request].concat())
        };
        let (id, secret) = (derived("id"), derived("secret"));
        GameSeeds {
            id: *id.as_ref().first_chunk().expect("a tag has 64 bytes"),
            secret: *secret.as_ref().first_chunk().expect("a tag has 64 bytes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the bytes with those of Python's `hmac` with SHA-512, computed as docs/operate/SEALING.md says.
    #[test]
    fn seeds_are_those_of_another_implementation() {
        let hex = |bytes: &[u8]| base16ct::lower::encode_string(bytes);
        let seeds = CreateKey::of(&[1; 32]).seeds("club", b"a request");
        assert_eq!(hex(&seeds.id), "621c03161097e9419c7e06403103161e");
        let secret = concat!(
            "ecc4a89bf6bd173b0c4ac6528eb620c3cbfca369c8200ad293da25bf73b07fdc",
            "c1ec41eb79069dc9a59baba169c3db2f572ac143250715440f405601b7c0a43c"
        );
        assert_eq!(hex(&seeds.secret), secret);
        let other = CreateKey::of(&[2; 32]).seeds("club", b"a request");
        assert_eq!(hex(&other.id), "c678d9232518a59a14764d5c536b7062");
    }
}
