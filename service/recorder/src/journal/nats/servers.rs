//! The facts that servers tell of themselves at their monitoring addresses: version, and whether they write to the disk
//! before they acknowledge.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::Client;
use serde::Deserialize;
use tokio::time::sleep;

use super::NatsError;
use super::connection::of_server;

/// The oldest version that has passed the tests. 2.9.10 let two writers win one place.
const VERSION_MIN: [u32; 3] = [2, 15, 1];
/// Time for the answer of one server.
const ANSWER: Duration = Duration::from_secs(5);
/// Interval at which servers are asked again.
const LOOK: Duration = Duration::from_secs(60);
/// Interval at which they are asked as long as one is not known to be safe.
const LOOK_SOON: Duration = Duration::from_secs(5);
/// Maximum length of an answer, in bytes.
const BYTES_MAX: usize = 1 << 20;

/// The part of a server's answer that is read.
#[derive(Deserialize)]
struct ServerFigures {
    server_name: String,
    version: String,
    #[serde(default)]
    jetstream: StorageFigures,
}

#[derive(Deserialize, Default)]
struct StorageFigures {
    config: Option<StorageSettings>,
}

#[derive(Deserialize)]
struct StorageSettings {
    #[serde(default)]
    sync_always: bool,
    /// In ns.
    #[serde(default)]
    sync_interval: u64,
}

/// Whether a version has passed the tests, or is later.
pub fn is_recent(version: &str) -> bool {
    let release = version.split(['-', '+']).next().unwrap_or_default();
    let mut numbers = release.split('.').map(str::parse);
    let mut next = || numbers.next().and_then(Result::ok);
    matches!((next(), next(), next()), (Some(a), Some(b), Some(c)) if [a, b, c] >= VERSION_MIN)
}

/// Returns the fault of a version that is not recent.
pub fn too_old(version: &str) -> String {
    let [major, minor, patch] = VERSION_MIN;
    format!("version {version}; expected {major}.{minor}.{patch} or later")
}

pub struct StreamServer {
    pub name: String,
    /// Whether the leader of a stream misses it.
    pub is_away: bool,
}

/// Asks every server at its monitoring address. Returns the names of the servers that are away and could not be asked;
/// [`watch`] asks them when they are back.
///
/// # Errors
/// A fault for each server that could lose what it has acknowledged, and for each that keeps streams now and is not known.
pub async fn check(monitors: &[String], needed: &[StreamServer]) -> Result<Vec<String>, Vec<NatsError>> {
    let (mut faults, mut seen, mut silent) = (Vec::new(), Vec::new(), Vec::new());
    for monitor in monitors {
        match ask(monitor).await {
            Ok(figures) => {
                let problem = problem(&figures);
                let server = figures.server_name;
                faults.extend(problem.map(|problem| NatsError::Refused(of_server(&server, problem))));
                seen.push(server);
            }
            Err(problem) => silent.push(NatsError::Silent(of_server(monitor, problem))),
        }
    }
    let unseen = needed.iter().filter(|server| !seen.contains(&server.name));
    let (away, unknown): (Vec<_>, Vec<_>) = unseen.partition(|server| server.is_away);
    if silent.is_empty() {
        let problem =
            "its sync_interval is not known; expected its address in --nats-monitors, or --trust-sync";
        faults.extend(unknown.iter().map(|server| NatsError::Refused(of_server(&server.name, problem))));
    }
    // Which silent address belongs to which server that is away, nobody can tell.
    if !unknown.is_empty() || silent.len() > away.len() {
        faults.extend(silent);
    }
    if faults.is_empty() { Ok(away.iter().map(|server| server.name.clone()).collect()) } else { Err(faults) }
}

/// Asks the servers again and again, those named in `unproven` until they answer. Keeps in `is_unproven` whether a server
/// exists of which it is not known that it writes before it acknowledges. What a server has acknowledged before is lost by
/// no stop of ours, so the recorder goes on, and tells.
pub async fn watch(monitors: Vec<String>, mut unproven: Vec<String>, is_unproven: Arc<AtomicBool>) {
    loop {
        is_unproven.store(!unproven.is_empty(), Ordering::Relaxed);
        sleep(if unproven.is_empty() { LOOK } else { LOOK_SOON }).await;
        for monitor in &monitors {
            let Ok(figures) = ask(monitor).await else { continue };
            let is_listed = unproven.contains(&figures.server_name);
            match problem(&figures) {
                None => unproven.retain(|name| *name != figures.server_name),
                Some(problem) => {
                    tracing::error!("the NATS server {}: {problem}", figures.server_name);
                    unproven.extend((!is_listed).then_some(figures.server_name));
                }
            }
        }
    }
}

fn problem(figures: &ServerFigures) -> Option<String> {
    if !is_recent(&figures.version) {
        return Some(too_old(&figures.version));
    }
    let Some(settings) = &figures.jetstream.config else { return Some("JetStream is off".into()) };
    (!settings.sync_always).then(|| {
        format!(
            "sync_interval is {:?}, so acknowledged entries are lost when servers lose power; set sync_interval: always, \
             or --trust-sync",
            Duration::from_nanos(settings.sync_interval)
        )
    })
}

async fn ask(monitor: &str) -> Result<ServerFigures, String> {
    // The client wants one for https; an error says that there is one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().timeout(ANSWER).redirect(reqwest::redirect::Policy::none()).build();
    let url = format!("{}/varz", monitor.trim_end_matches('/'));
    let reason = |error: reqwest::Error| error.without_url().to_string();
    let mut answer = client.map_err(reason)?.get(url).send().await.map_err(reason)?;
    let answer_of = answer.status();
    if !answer_of.is_success() {
        return Err(format!("its monitoring address answers {answer_of}"));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(reason)? {
        bytes.extend(chunk);
        if bytes.len() > BYTES_MAX {
            return Err(format!("its monitoring address answers more than {BYTES_MAX} bytes"));
        }
    }
    serde_json::from_slice(&bytes)
        .map_err(|error| format!("its monitoring address answers something else: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem_of(json: &str) -> Option<String> {
        problem(&serde_json::from_str(json).expect("the fields that are read"))
    }

    #[test]
    fn versions_are_compared_by_number() {
        let recent = ["2.15.1", "2.15.10", "2.16.0-RC.1", "3.0.0"];
        let old = ["2.9.10", "2.15.0", "2.12.9", "2", "", "two.three.four"];
        assert!(recent.iter().all(|version| is_recent(version)));
        assert!(old.iter().all(|version| !is_recent(version)));
    }

    /// Checks answers with the field names of `/varz` of nats-server 2.15.1.
    #[test]
    fn a_server_must_sync_before_it_acknowledges() {
        let of = |version: &str, config: &str| {
            format!(r#"{{"server_name":"n1","version":"{version}","port":4222,"jetstream":{{{config}}}}}"#)
        };
        let always = r#""config":{"sync_interval":120000000000,"sync_always":true}"#;
        let lazy = r#""config":{"sync_interval":120000000000}"#;
        assert_eq!(problem_of(&of("2.15.1", always)), None);
        assert!(
            problem_of(&of("2.15.1", lazy))
                .is_some_and(|problem| problem.starts_with("sync_interval is 120s"))
        );
        assert_eq!(problem_of(&of("2.15.1", "")), Some("JetStream is off".into()));
        let old = "version 2.9.10; expected 2.15.1 or later";
        assert_eq!(problem_of(&of("2.9.10", always)).as_deref(), Some(old));
    }
}
