//! Files of keys and of identities.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use canasta_serve::outside::NoRandomness;
use canasta_service::seal::keygen;
use sha2::{Digest, Sha256};

/// Fills with one byte in the place of random ones: equal tests, equal keys and games.
pub fn filled<const BYTE: u8>(bytes: &mut [u8]) -> Result<(), NoRandomness> {
    bytes.fill(BYTE);
    Ok(())
}

/// Writes a key file with keys that differ by their bytes: `active 1`, `open-only 2`.
pub fn write_ring(path: &Path, lines: &[&str]) {
    let mut text = String::from("# keys of a test\n");
    for line in lines {
        let (word, key) = line.split_once(' ').expect("a word and a byte");
        let made = path.with_extension(key);
        let _ = fs::remove_file(&made);
        keygen(&made, if key == "1" { filled::<1> } else { filled::<2> }).expect("a key");
        text += &fs::read_to_string(&made).expect("written").replace("active", word);
    }
    write_private(path, &text);
}

/// Writes a file that nobody else may read.
pub fn write_private(path: &Path, text: &str) {
    fs::write(path, text).expect("a directory for tests");
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("our file");
}

/// Returns the lines of an identities file that names callers with all rights, whose API keys are their names.
pub fn identities(names: &[&str]) -> String {
    let entry = |name: &&str| {
        let digest = base16ct::lower::encode_string(&Sha256::digest(name));
        format!("[[api_key]]\nname = \"{name}\"\nsha256 = \"{digest}\"\ngames = \"all\"\nas = \"all\"\n")
    };
    names.iter().map(entry).collect()
}
