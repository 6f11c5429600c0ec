//! Sealed states of the first version (tests/data/tokens/v1) open to the open states that were kept beside
//! them, and are sealed the same again.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use base64ct::{Base64, Encoding};
use canasta_engine::token::{Catalogue, decode};
use canasta_service::seal::Keyring;

#[test]
fn sealed_states_of_the_first_version_open() {
    let folder: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "tests", "data", "tokens", "v1"].iter().collect();
    // A copy that nobody else can read, as the service wants it.
    let keys = Path::new(env!("CARGO_TARGET_TMPDIR")).join("seal-v1.keys");
    fs::write(&keys, fs::read(folder.join("seal.keys")).expect("the key is kept"))
        .expect("a directory for tests");
    fs::set_permissions(&keys, fs::Permissions::from_mode(0o600)).expect("our file");
    let ring = Keyring::read(&keys, "club").expect("a ring");
    let catalogue = Catalogue::new();
    let text = fs::read_to_string(folder.join("states.txt")).expect("states are kept");
    assert!(text.lines().count() > 100);
    for line in text.lines() {
        let words: Vec<_> = line.split(' ').collect();
        let read = |text| Base64::decode_vec(text).expect("base64");
        let (open, sealed) = (read(words[3]), read(words[4]));
        assert_eq!(ring.open(&sealed).expect(line), open, "{} at {}", words[0], words[1]);
        let state = decode(&open, &catalogue).expect(line);
        assert_eq!(ring.seal(&state), sealed, "{} at {}", words[0], words[1]);
    }
}
