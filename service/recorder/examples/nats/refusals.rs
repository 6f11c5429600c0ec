//! Servers and streams that could lose what they have acknowledged: a recorder must refuse each of them, and name it.

use std::path::Path;
use std::time::Duration;

use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use canasta_recorder::journal::GameList;
use canasta_recorder::journal::nats::{NatsError, NatsJournal, NatsOptions};
use tokio::time::sleep;

use crate::nodes::Nodes;
use crate::suite::answered;

/// A change of a stream's settings, and a part of the sentence that names it.
type StreamFault = (&'static str, fn(&mut Config), &'static str);

const STREAMS: [StreamFault; 14] = [
    ("CANASTA-00", |config| config.num_replicas = 1, "it has 1 replicas"),
    ("CANASTA-00", |config| config.storage = StorageType::Memory, "it is kept in memory"),
    ("CANASTA-00", |config| config.discard = DiscardPolicy::Old, "old messages give way"),
    ("CANASTA-00", |config| config.max_age = Duration::from_secs(3_600), "max_age is 3600s"),
    ("CANASTA-00", |config| config.allow_direct = true, "allow_direct"),
    ("CANASTA-00", |config| config.deny_delete = false, "deny_delete"),
    ("CANASTA-00", |config| config.allow_rollup = true, "allow_rollup_hdrs"),
    ("CANASTA-00", |config| config.no_ack = true, "no_ack"),
    ("CANASTA-00", |config| config.max_messages_per_subject = 1, "1 messages per subject"),
    ("CANASTA-00", |config| config.max_message_size = 1_000, "1000 bytes"),
    ("CANASTA-00", |config| config.subjects = vec!["canasta.game.00.*".into()], "canasta.game.00.*"),
    ("CANASTA-00", |config| config.metadata.clear(), "other recorders"),
    ("CANASTA-FINISHED", |config| config.retention = RetentionPolicy::WorkQueue, "retention limits"),
    ("CANASTA-VERDICTS", |config| config.num_replicas = 1, "it has 1 replicas"),
];

pub async fn run(program: &Path) {
    streams(program).await;
    servers(program).await;
    away(program).await;
}

async fn streams(program: &Path) {
    let nodes = Nodes::start(program);
    drop(nodes.journal(1).await);
    let context = nodes.context().await;
    let mut wanted = Vec::new();
    for name in ["CANASTA-00", "CANASTA-FINISHED", "CANASTA-VERDICTS"] {
        wanted.push(context.get_stream(name).await.expect("a stream").cached_info().config.clone());
    }
    for (name, change, expected) in STREAMS {
        let mut config = wanted.iter().find(|config| config.name == name).expect("a stream").clone();
        change(&mut config);
        context.delete_stream(name).await.expect("a stream");
        context.create_stream(config).await.expect("settings that servers accept");
        refused(&nodes, &nodes.options(1), &format!("the stream {name}: "), expected).await;
        context.delete_stream(name).await.expect("a stream");
        drop(nodes.journal(1).await);
    }
    // Another number of shards, and a stream that takes the journal's subjects.
    refused(&nodes, &nodes.options(2), "the stream CANASTA-00: ", "expected canasta.game.00.*").await;
    nodes.clear().await;
    let foreign = Config { name: "FOREIGN".into(), subjects: vec!["canasta.>".into()], ..Config::default() };
    context.create_stream(foreign).await.expect("a stream");
    refused(&nodes, &nodes.options(1), "the stream CANASTA-00: ", "overlap").await;
    nodes.clear().await;
    // A server that nobody can ask, and one that is asked in vain.
    drop(nodes.journal(1).await);
    let mut options = nodes.options(1);
    options.nats_monitors.pop();
    refused(&nodes, &options, "the NATS server n2: ", "sync_interval is not known").await;
    options.trust_sync = true;
    drop(nodes.open(&options).await.expect("it is trusted"));
    options.nats_monitors = vec![format!("http://{}", nodes.addresses()[0])];
    options.trust_sync = false;
    refused(&nodes, &options, "the NATS server http://127.0.0.1:", "").await;
}

async fn servers(program: &Path) {
    let nodes = Nodes::start_with(program, "sync_interval: \"2m\"");
    let trusting = NatsOptions { trust_sync: true, ..nodes.options(1) };
    drop(nodes.journal_with(&trusting).await);
    for server in ["n0", "n1", "n2"] {
        refused(&nodes, &nodes.options(1), &format!("the NATS server {server}: "), "sync_interval is 120s")
            .await;
    }
}

/// Checks that a recorder starts although a server is away, tells so, and looks at it when it is back.
async fn away(program: &Path) {
    let mut nodes = Nodes::start(program);
    drop(nodes.journal(1).await);
    nodes.kill(1);
    let journal = nodes.journal(1).await;
    assert!(is_unproven(&journal).await, "n1 could not be asked");
    nodes.begin(1);
    told(&journal, false).await;
    // It comes back with other settings.
    nodes.kill(1);
    nodes.set_storage("sync_interval: \"2m\"");
    let journal = nodes.journal(1).await;
    nodes.begin(1);
    told(&journal, true).await;
    println!("started without n1, and looked at it when it was back");
    refused(&nodes, &nodes.options(1), "the NATS server n1: ", "sync_interval is 120s").await;
}

async fn is_unproven(journal: &NatsJournal) -> bool {
    answered(|| journal.figures()).await.is_unproven
}

/// Waits until the journal has looked at the servers twice, and tells whether one of them is not safe.
async fn told(journal: &NatsJournal, expected: bool) {
    for _ in 0..60 {
        sleep(Duration::from_millis(200)).await;
        if !expected && !is_unproven(journal).await {
            return;
        }
    }
    assert_eq!(is_unproven(journal).await, expected);
}

/// Opens the journal, and expects a refusal with a sentence of this begin and content.
pub async fn refused(nodes: &Nodes, options: &NatsOptions, begin: &str, content: &str) {
    let errors = nodes.open(options).await.err().unwrap_or_else(|| panic!("{begin}…{content}: not refused"));
    let said: Vec<_> = errors.iter().map(NatsError::to_string).collect();
    let is_told = said.iter().any(|said| said.starts_with(begin) && said.contains(content));
    assert!(is_told, "expected {begin}…{content}, found {said:#?}");
    println!("refused: {}", said.join("; "));
}
