//! Identities with their keys, and a recorder that knows them.

use std::path::Path;

use canasta_serve::identity::ApiKey;
use canasta_service::program::random;

use super::server::{Client, Recorder};

/// Makes a key. Returns it, and its entry for the identities file.
pub fn key(name: &str, games: &str, whom: &str) -> (String, String) {
    let made = ApiKey::generate(name, random).expect("randomness");
    let (comment, entry) = made.split_once('\n').expect("a comment with the key, then its entry");
    let entry = entry.replace("games = []", &format!("games = {games}"));
    let entry = entry.replace("as = []", &format!("as = {whom}"));
    (comment.rsplit(' ').next().expect("a key").into(), entry + "\n")
}

pub async fn client(recorder: &Recorder, key: &str) -> Client {
    Client { bearer: Some(key.into()), ..recorder.client().await }
}

pub async fn start(folder: &Path, entries: &str) -> Recorder {
    let file = folder.join("identities.toml");
    std::fs::write(&file, entries).expect("our file");
    let file = file.to_str().expect("UTF-8");
    let data = folder.join("data");
    // The service looks for a seal when it reads identities with limits.
    Recorder::start(&data, &["--identities-file", file, "--reread-ms", "20"]).await
}
