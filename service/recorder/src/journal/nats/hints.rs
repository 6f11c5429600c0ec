//! Hints that a game has a new entry, from the recorder that stored it to the watchers at all others, and who watches it. Hints
//! may be lost, so each watched game is looked at every [`LOOK`] anyway.

use std::time::Duration;

use async_nats::Client;
use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use tokio::time::{MissedTickBehavior, interval};
use tokio_stream::StreamExt as _;

use super::streams::game_of;
use super::{NatsError, NatsJournal, connection::unconnected};
use crate::changes::Changes;
use crate::entry::{EncodedEntry, digest_of};

/// Interval at which watchers look although nothing was heard.
const LOOK: Duration = Duration::from_secs(2);

/// Tells all recorders of a new entry.
pub async fn tell(client: &Client, game: GameId, entry: &EncodedEntry) {
    let payload = [&entry.n.to_be_bytes()[..], &entry.head[..8]].concat();
    // Whoever does not hear of it looks again later.
    let _ = client.publish(format!("canasta.hint.{}", hex(&game.0)), payload.into()).await;
}

/// Returns a name that no other connection has.
pub fn recorder_name(client: &Client) -> [u8; 8] {
    digest_of(&[client.new_inbox().as_bytes()])
}

/// Tells all recorders who watches a game at this one.
pub async fn tell_presence(client: &Client, recorder: [u8; 8], game: GameId, told: &[u8]) {
    let payload = [&recorder[..], told].concat();
    let _ = client.publish(format!("canasta.present.{}", hex(&game.0)), payload.into()).await;
}

/// Listens for hints until the journal is dropped.
pub async fn listen(client: &Client, journal: &mut NatsJournal, changes: Changes) -> Result<(), NatsError> {
    let hints = client.subscribe("canasta.hint.*").await;
    let mut hints = hints.map_err(unconnected)?;
    let mut present = client.subscribe("canasta.present.*").await.map_err(unconnected)?;
    let own = journal.recorder;
    journal.tasks.spawn(async move {
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                hint = hints.next() => match hint.map(|hint| game_of(&hint.subject)) {
                    Some(Some(game)) => changes.tell(game),
                    Some(None) => {}
                    None => return,
                },
                Some(told) = present.next() => {
                    let Some((game, (recorder, told))) = game_of(&told.subject).zip(told.payload.split_first_chunk())
                    else {
                        continue;
                    };
                    if *recorder != own && changes.presence.hear(game, *recorder, told) {
                        changes.tell(game);
                    }
                }
                _ = look.tick() => changes.tell_all(),
            }
        }
    });
    Ok(())
}
