//! Hints that a game has a new entry, for the watchers of the game. A hint tells nothing of the entry: a watcher reads the
//! journal.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::presence::Presence;
use canasta_engine::deal::GameId;
use canasta_serve::outside::lock;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// Number of watchers whose next message is made at once. All others wait without what is read for a message.
const AT_ONCE: usize = 256;

/// The games that are watched, and the turns of their watchers.
#[derive(Clone)]
pub struct Changes {
    watched: Arc<Mutex<BTreeMap<[u8; 16], watch::Sender<()>>>>,
    any: Arc<watch::Sender<()>>,
    turns: Arc<Semaphore>,
    /// The watchers by seat.
    pub presence: Presence,
}

impl Default for Changes {
    fn default() -> Self {
        let any = Arc::new(watch::Sender::new(()));
        Self {
            watched: Arc::default(),
            any,
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            presence: Presence::default(),
        }
    }
}

/// A watcher's ear for one game, or for all games.
pub struct Subscription {
    changes: Changes,
    game: Option<GameId>,
    hints: watch::Receiver<()>,
}

impl Changes {
    /// Tells the watchers of a game, and those of all games, that the game has a new entry.
    pub fn tell(&self, game: GameId) {
        self.any.send_replace(());
        if let Some(watchers) = lock(&self.watched).get(&game.0) {
            watchers.send_replace(());
        }
    }

    /// Tells the watchers of all games to look.
    pub fn tell_all(&self) {
        for watchers in lock(&self.watched).values() {
            watchers.send_replace(());
        }
    }

    pub fn subscribe(&self, game: GameId) -> Subscription {
        let hints = lock(&self.watched).entry(game.0).or_default().subscribe();
        Subscription { changes: self.clone(), game: Some(game), hints }
    }

    /// Subscribes to the changes of all games that [`Self::tell`] tells.
    pub fn subscribe_all(&self) -> Subscription {
        Subscription { changes: self.clone(), game: None, hints: self.any.subscribe() }
    }

    /// Returns the number of games that are watched.
    #[cfg(test)]
    fn games(&self) -> usize {
        lock(&self.watched).len()
    }
}

impl Subscription {
    /// Waits for a change since the last wait.
    pub async fn changed(&mut self) {
        // The sender lives as long as its subscriptions.
        let _ = self.hints.changed().await;
    }

    /// Waits for the watcher's turn to have a message made.
    pub async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        Arc::clone(&self.changes.turns).acquire_owned().await.ok()
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let Some(game) = self.game else { return };
        let mut games = lock(&self.changes.watched);
        // This subscription is still counted.
        if games.get(&game.0).is_some_and(|watchers| watchers.receiver_count() == 1) {
            games.remove(&game.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_watcher_of_a_game_hears_of_it() {
        let (changes, game) = (Changes::default(), GameId([1; 16]));
        let (mut first, mut second) = (changes.subscribe(game), changes.subscribe(game));
        let mut other = changes.subscribe(GameId([2; 16]));
        let mut all = changes.subscribe_all();
        changes.tell(game);
        changes.tell(game);
        first.changed().await;
        second.changed().await;
        all.changed().await;
        let silent = tokio::time::timeout(std::time::Duration::from_millis(20), other.changed()).await;
        assert!(silent.is_err(), "another game has changed");
        drop(first);
        assert_eq!(changes.games(), 2);
        drop(second);
        assert_eq!(changes.games(), 1, "nobody watches it any more");
    }
}
