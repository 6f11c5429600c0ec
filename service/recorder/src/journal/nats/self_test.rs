//! The self-test at start: of two messages behind one position, each stream keeps one.

use bytes::Bytes;
use canasta_engine::hex::hex;
use canasta_serve::outside::Generator;

use super::connection::of_stream;
use super::messages::{MessageStream, Published};
use super::{NatsError, NatsJournal};

/// Number of races for each shard. A server that let two writers win did so in one race of ten.
const RACES: u64 = 40;

/// Runs races on a subject that no game has, in each shard.
pub async fn run(journal: &NatsJournal, generator: Generator) -> Result<(), Vec<NatsError>> {
    let mut faults = Vec::new();
    for (first, shard) in (0..).zip(&journal.shards) {
        let mut name = [0; 16];
        let problem = match generator(&mut name) {
            Ok(()) => race(shard, format!("canasta.game.{first:02x}.selftest-{}", hex(&name))).await.err(),
            Err(error) => Some(error.to_string()),
        };
        faults.extend(problem.map(|problem| NatsError::Refused(of_stream(shard.name(), problem))));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

async fn race(shard: &MessageStream, subject: String) -> Result<(), String> {
    let mut last = 0;
    for race in 0..RACES {
        let rival = |content: &'static str| {
            shard.publish(subject.clone(), Bytes::from_static(content.as_bytes()), Some(last))
        };
        let (one, other) = tokio::join!(rival("one"), rival("other"));
        last = match (one, other) {
            (Published::Stored(_), Published::Stored(_)) => {
                return Err(format!("two writers won one place, in race {race} of the self-test"));
            }
            (Published::Full, _) | (_, Published::Full) => return Err("the stream has no room".into()),
            _ => {
                let end = shard.last(&subject).await.map_err(|error| error.to_string())?;
                end.map_or(0, |message| message.sequence)
            }
        };
    }
    let won = if last == 0 { Err("no writer won in the self-test".into()) } else { Ok(()) };
    shard.purge_all(&subject).await.map_err(|error| error.to_string())?;
    won
}
