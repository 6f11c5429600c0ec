//! What the recorder remembers of games: their settings, which every request needs and few entries change.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use canasta_engine::deal::GameId;

use crate::entry::Settings;

/// A bounded memory of the settings of games. It is forgetful: whoever does not find a game reads the journal.
pub struct KnownSettings {
    games: Mutex<Generations>,
    /// Half of the number of games that are remembered.
    half: usize,
}

/// Settings by game, with the record that set them.
type SettingsByGame = BTreeMap<[u8; 16], (u64, Arc<Settings>)>;

/// Games in two generations: once the young one is full, it takes the place of the old one.
#[derive(Default)]
struct Generations {
    young: SettingsByGame,
    old: SettingsByGame,
}

impl KnownSettings {
    /// Returns an empty memory for at most this number of games.
    pub fn new(max: usize) -> Self {
        Self { games: Mutex::default(), half: max.div_ceil(2).max(1) }
    }

    /// Returns the settings of a game that its record `n` set, if they are remembered.
    pub fn get(&self, game: GameId, n: u64) -> Option<Arc<Settings>> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let found = games.young.get(&game.0).or_else(|| games.old.get(&game.0));
        let (at, settings) = found.filter(|(at, _)| *at == n).cloned()?;
        games.put(game, at, &settings, self.half);
        Some(settings)
    }

    /// Remembers the settings of a game.
    pub fn put(&self, game: GameId, n: u64, settings: &Arc<Settings>) {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).put(game, n, settings, self.half);
    }
}

impl Generations {
    fn put(&mut self, game: GameId, n: u64, settings: &Arc<Settings>, half: usize) {
        if self.young.len() >= half && !self.young.contains_key(&game.0) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(game.0, (n, Arc::clone(settings)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_in_use_stay_and_the_number_is_bounded() {
        let known = KnownSettings::new(4);
        let settings = Arc::new(Settings { label: "one".into(), ..Default::default() });
        known.put(GameId([0; 16]), 1, &settings);
        for id in 1..100 {
            known.put(GameId([id; 16]), 1, &Arc::default());
            assert!(known.get(GameId([0; 16]), 1).is_some_and(|found| found.label == "one"), "{id}");
        }
        assert_eq!(known.get(GameId([0; 16]), 2), None, "other settings");
        assert_eq!(known.get(GameId([50; 16]), 1), None, "not used for long");
        let games = known.games.lock().expect("no panic");
        assert!(games.young.len() + games.old.len() <= 4);
    }
}
