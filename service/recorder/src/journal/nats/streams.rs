//! The streams of the journal: their settings, and the faults of settings under which an acknowledged entry could be lost.
//!
//! | stream | subjects | content |
//! |---|---|---|
//! | `CANASTA-00` and further shards | `canasta.game.<first byte of the id>.<id>` | entries of games with entries |
//! | `CANASTA-FINISHED` | `canasta.finished.<id>`, `canasta.stuck.<id>` | the queue of ended games, one message per game |
//! | `CANASTA-VERDICTS` | `canasta.verdict.<id>.<head>` | verdicts of games that are not dropped |
//! | `CANASTA-DROPPED` | `canasta.dropped.<id>` | what remains of games that were dropped within the last hour; older ones are in the archive |

use std::time::Duration;

use async_nats::jetstream::stream::{
    Config, DiscardPolicy, Info, PersistenceMode, RetentionPolicy, StorageType,
};
use canasta_engine::deal::GameId;
use canasta_engine::hex::{hex, unhex};

/// Number of replicas of each stream: a majority survives the loss of one.
pub const REPLICAS: usize = 3;
pub const SHARDS_MAX: u16 = 64;
/// Maximum length of a message, headers included, in bytes.
const MESSAGE_BYTES_MAX: i32 = 524_288;
/// The least duplicate window that servers accept. Entries have no message ids, which cost memory.
const WINDOW: Duration = Duration::from_millis(100);

/// The field of a stream's metadata that tells whose stream it is.
const FLEET: &str = "canasta.fleet";

/// Name of the stream with the queue.
pub const FINISHED: &str = "CANASTA-FINISHED";
pub const VERDICTS: &str = "CANASTA-VERDICTS";
/// Name of the stream that tells of dropped games.
pub const DROPPED: &str = "CANASTA-DROPPED";
/// Time for which the journal itself tells of a dropped game.
const TOLD: Duration = Duration::from_secs(3_600);
/// The subjects of all games that wait.
pub const ALL_FINISHED: &str = "canasta.finished.*";
/// The subjects of all games that are stuck.
pub const ALL_STUCK: &str = "canasta.stuck.*";
pub const ALL_VERDICTS: &str = "canasta.verdict.*.*";

/// Returns the name of a shard's stream.
pub fn shard_name(shard: u16) -> String {
    format!("CANASTA-{shard:02}")
}

/// Returns the subject of a game's entries.
pub fn game_subject(game: GameId) -> String {
    format!("canasta.game.{:02x}.{}", game.0[0], hex(&game.0))
}

/// Returns the subject of all games whose ids begin with this byte.
pub fn prefix_subject(byte: u8) -> String {
    format!("canasta.game.{byte:02x}.*")
}

/// Returns the game of a subject of entries, of the queue, or of verdicts; `None` for the subjects of self-tests.
pub fn game_of(subject: &str) -> Option<GameId> {
    subject.split('.').find_map(GameId::parse)
}

/// Returns the head of a verdict's subject.
pub fn head_of(subject: &str) -> Option<[u8; 32]> {
    subject.rsplit('.').next().and_then(unhex)
}

/// Returns the settings of all streams of the recorders with this name.
pub fn configs(shards: u16, fleet: &str) -> Vec<Config> {
    let games = |shard| {
        let subjects = match shards {
            1 => vec!["canasta.game.*.*".to_owned()],
            _ => {
                (0..=u8::MAX).filter(|byte| u16::from(*byte) % shards == shard).map(prefix_subject).collect()
            }
        };
        Config { name: shard_name(shard), subjects, ..durable() }
    };
    // The last message of a subject counts.
    let latest = |name: &str, subjects: &[&str]| Config {
        name: name.into(),
        subjects: subjects.iter().map(ToString::to_string).collect(),
        max_messages_per_subject: 1,
        ..durable()
    };
    let dropped = Config { max_age: TOLD, ..latest(DROPPED, &["canasta.dropped.*"]) };
    let queue = latest(FINISHED, &[ALL_FINISHED, ALL_STUCK]);
    let all = (0..shards).map(games).chain([queue, latest(VERDICTS, &[ALL_VERDICTS]), dropped]);
    let named = |config| Config { metadata: [(FLEET.to_owned(), fleet.to_owned())].into(), ..config };
    all.map(named).collect()
}

/// Returns the name of the recorders whose stream this is; empty for a foreign stream.
pub fn fleet_of(info: &Info) -> String {
    info.config.metadata.get(FLEET).cloned().unwrap_or_default()
}

/// Returns the settings that all streams share.
fn durable() -> Config {
    Config {
        num_replicas: REPLICAS,
        storage: StorageType::File,
        retention: RetentionPolicy::Limits,
        discard: DiscardPolicy::New,
        max_message_size: MESSAGE_BYTES_MAX,
        max_bytes: -1,
        max_messages: -1,
        max_messages_per_subject: -1,
        max_consumers: -1,
        deny_delete: true,
        duplicate_window: WINDOW,
        ..Config::default()
    }
}

/// Returns a sentence for each setting of a stream under which an acknowledged entry could be lost or another could stand in
/// its place. Limits of the size are the operator's.
pub fn faults(wanted: &Config, info: &Info) -> Vec<String> {
    let found = &info.config;
    let checks = storage(wanted, found).into_iter().chain(access(wanted, found));
    checks.filter(|(fits, _)| !fits).map(|(_, fault)| fault).collect()
}

/// A check of a setting, and the sentence that says how it fails.
type SettingCheck = (bool, String);

/// Checks how messages are kept, and for how long.
fn storage(wanted: &Config, found: &Config) -> Vec<SettingCheck> {
    let depth = |config: &Config| config.max_messages_per_subject.max(-1);
    vec![
        (
            found.num_replicas >= REPLICAS,
            format!("it has {} replicas; expected {REPLICAS} or more", found.num_replicas),
        ),
        (found.storage == StorageType::File, "it is kept in memory; expected storage file".into()),
        (
            found.retention == RetentionPolicy::Limits,
            "messages are deleted after use; expected retention limits".into(),
        ),
        (
            found.discard == DiscardPolicy::New,
            "old messages give way to new ones; expected discard new".into(),
        ),
        (
            !found.discard_new_per_subject,
            "it refuses the next message of a full subject; expected discard_new_per_subject off".into(),
        ),
        (
            found.max_age == wanted.max_age,
            format!("max_age is {:?}; expected {:?}", found.max_age, wanted.max_age),
        ),
        (
            depth(found) == depth(wanted) || (depth(found) == 0 && depth(wanted) == -1),
            format!(
                "it keeps {} messages per subject; expected {}",
                found.max_messages_per_subject, wanted.max_messages_per_subject
            ),
        ),
        (found.max_messages <= 0, "the number of its messages is limited; limit its bytes instead".into()),
        (
            found.max_message_size < 0 || found.max_message_size >= MESSAGE_BYTES_MAX,
            format!("messages may have {} bytes; expected {MESSAGE_BYTES_MAX}", found.max_message_size),
        ),
    ]
}

/// Checks who may change what is stored, and how it is read.
fn access(wanted: &Config, found: &Config) -> Vec<SettingCheck> {
    let mut subjects = [wanted.subjects.clone(), found.subjects.clone()];
    subjects.iter_mut().for_each(|list| list.sort_unstable());
    let [wanted_subjects, found_subjects] = subjects;
    vec![
        (!found.no_ack, "it acknowledges nothing; expected no_ack off".into()),
        (found.deny_delete, "clients may delete single messages; expected deny_delete".into()),
        (!found.deny_purge, "dropped games cannot be purged; expected deny_purge off".into()),
        (!found.allow_direct, "replicas that are behind answer reads; expected allow_direct off".into()),
        (!found.allow_rollup, "a client's header can delete messages; expected allow_rollup_hdrs off".into()),
        (
            !found.allow_message_ttl,
            "a client's header can let messages expire; expected allow_msg_ttl off".into(),
        ),
        (
            !found.allow_message_counter && !found.allow_message_schedules,
            "it counts or schedules messages; expected neither".into(),
        ),
        (
            !matches!(found.persist_mode, Some(PersistenceMode::Async)),
            "it acknowledges before it writes; expected persist_mode default".into(),
        ),
        (!found.sealed, "it is sealed".into()),
        (
            found.mirror.is_none() && found.sources.as_ref().is_none_or(Vec::is_empty),
            "it copies another stream".into(),
        ),
        (
            found.subject_transform.is_none() && found.republish.is_none(),
            "it changes or repeats subjects".into(),
        ),
        (
            found.metadata.get(FLEET) == wanted.metadata.get(FLEET),
            format!("its metadata {FLEET} is not that of this recorder.key: it belongs to other recorders"),
        ),
        (
            found_subjects == wanted_subjects,
            format!("it has the subjects {}; expected {}", listed(&found_subjects), listed(&wanted_subjects)),
        ),
    ]
}

/// Returns a list of subjects, of which a long one is cut.
fn listed(subjects: &[String]) -> String {
    match subjects {
        [first, _, .., last] => format!("{first} … {last} ({})", subjects.len()),
        few => few.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_one_shard() {
        for shards in [1, 2, 12, SHARDS_MAX] {
            let subjects: Vec<_> =
                configs(shards, "").into_iter().flat_map(|config| config.subjects).collect();
            let games = subjects.iter().filter(|subject| subject.starts_with("canasta.game."));
            assert_eq!(games.count(), if shards == 1 { 1 } else { 256 });
            let mut once = subjects.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), subjects.len());
        }
    }

    #[test]
    fn a_subject_tells_its_game() {
        let game = GameId([0xab; 16]);
        assert_eq!(game_of(&game_subject(game)), Some(game));
        assert_eq!(game_of(&format!("canasta.verdict.{}.{}", hex(&game.0), "0".repeat(64))), Some(game));
        assert_eq!(game_of("canasta.game.00.selftest-7"), None);
        assert_eq!(game_of("canasta.finished.*"), None);
    }
}
