//! Modules that the tests share; see `tests/tests` and `tests/data`.

use std::path::{Path, PathBuf};

pub mod duel;
pub mod games;
pub mod ladder;
pub mod notation;
pub mod pairs;
pub mod probes;
pub mod reference;
pub mod repairs;
pub mod request;
pub mod rulings;
pub mod variations;
pub mod whole;
pub mod work;

/// Returns the path of a file or folder of `tests/data`.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}
