//! Memories of games.

use std::sync::Mutex;

use canasta_engine::deal::GameId;
use canasta_serve::outside::lock;
use canasta_serve::recent::RecentMap;

/// A bounded memory of something about games. It is forgetful: whoever does not find a game reads the journal.
pub struct GameMemory<V>(Mutex<RecentMap<[u8; 16], V>>);

impl<V: Clone> GameMemory<V> {
    /// Returns an empty memory for at most this number of games.
    pub fn new(max: usize) -> Self {
        Self(Mutex::new(RecentMap::new(max / 2)))
    }

    /// Returns what is remembered of a game.
    pub fn get(&self, game: GameId) -> Option<V> {
        lock(&self.0).get(&game.0)
    }

    pub fn put(&self, game: GameId, value: V) {
        lock(&self.0).put(game.0, value, 1);
    }
}
