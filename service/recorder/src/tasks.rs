//! The tasks that work in games: one per game.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Mutex;

use canasta_engine::deal::GameId;
use canasta_serve::outside::lock;
use tokio::task::JoinSet;

#[derive(Default)]
pub struct GameTasks {
    /// The games, with true where the task must look again.
    games: Mutex<BTreeMap<[u8; 16], bool>>,
    tasks: Mutex<JoinSet<()>>,
}

impl GameTasks {
    /// Starts a task for a game, or tells the task that works there to look again. The task must work for as long as
    /// [`GameTasks::goes_on`].
    pub fn begin<F: Future<Output = ()> + Send + 'static>(&self, game: GameId, task: impl FnOnce() -> F) {
        if lock(&self.games).insert(game.0, true).is_some() {
            return;
        }
        let mut tasks = lock(&self.tasks);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task());
    }

    pub async fn end(&self) {
        let mut tasks = std::mem::take(&mut *lock(&self.tasks));
        tasks.shutdown().await;
    }

    /// Whether the game needs a look; if not, no task works there any longer.
    pub fn goes_on(&self, game: GameId) -> bool {
        let mut games = lock(&self.games);
        let goes_on = games.get_mut(&game.0).map(std::mem::take).unwrap_or_default();
        if !goes_on {
            games.remove(&game.0);
        }
        goes_on
    }
}
