//! The settings of games, which every request needs and few entries change.

use std::sync::{Arc, Mutex, PoisonError};

use canasta_engine::deal::GameId;
use canasta_serve::recent::RecentMap;

use crate::entry::Settings;

/// Settings with the number of the record that set them.
type SettingsAt = (u64, Arc<Settings>);

/// A bounded memory of the settings of games. It is forgetful: whoever does not find a game reads the journal.
pub struct KnownSettings(Mutex<RecentMap<[u8; 16], SettingsAt>>);

impl KnownSettings {
    /// Returns an empty memory for at most this number of games.
    pub fn new(max: usize) -> Self {
        Self(Mutex::new(RecentMap::new(max / 2)))
    }

    /// Returns the settings of a game that its record `n` set, if they are remembered.
    pub fn get(&self, game: GameId, n: u64) -> Option<Arc<Settings>> {
        let found = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&game.0);
        found.filter(|(at, _)| *at == n).map(|(_, settings)| settings)
    }

    /// Remembers the settings of a game.
    pub fn put(&self, game: GameId, n: u64, settings: &Arc<Settings>) {
        let settings = (n, Arc::clone(settings));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).put(game.0, settings, 1);
    }
}
