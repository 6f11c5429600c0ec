//! Lists of the archive's objects, a page at a time, so that memory is bounded whatever the archive holds.

use std::collections::BTreeSet;

use canasta_engine::deal::GameId;
use canasta_engine::hex::{hex, unhex};
use object_store::path::Path;
use tokio::task::spawn_blocking;
use tokio_stream::StreamExt as _;

use super::{ArchiveFault, GAMES, GameArchive, folder_of, label_folder};

/// Maximum number of paths on a page: that of a page of S3.
pub const PATHS_MAX: usize = 1000;

impl GameArchive {
    /// Returns the paths of the objects below a folder in ascending order, at most `max` and at most [`PATHS_MAX`], from the
    /// first path after `after` on.
    ///
    /// A store that lists in order reads no more than it answers. Any other one reads all paths below the folder, and
    /// remembers no more than it answers.
    ///
    /// # Errors
    /// If the archive does not answer.
    pub async fn list(
        &self,
        folder: &str,
        after: Option<&str>,
        max: usize,
    ) -> Result<Vec<String>, ArchiveFault> {
        self.check_mounted().await?;
        let (folder, max) = (Path::from(folder), max.min(PATHS_MAX));
        let mut listed = match after {
            Some(after) => self.store.list_with_offset(Some(&folder), &Path::from(after)),
            None => self.store.list(Some(&folder)),
        };
        let mut least = BTreeSet::new();
        while least.len() < max || !self.is_sorted {
            let Some(found) = listed.next().await else { break };
            let found = found.map_err(|error| ArchiveFault::Unavailable(error.to_string()))?;
            let path = String::from(found.location);
            if self.is_sorted && least.last().is_some_and(|last| *last >= path) {
                let problem = "the store lists its objects in no order: expected ascending paths";
                return Err(ArchiveFault::Unusable(problem.into()));
            }
            least.insert(path);
            if least.len() > max {
                least.pop_last();
            }
        }
        Ok(least.into_iter().collect())
    }

    /// Returns the ids of games of which a log was judged in ascending order, at most `max`, from the first id after `after`
    /// on.
    ///
    /// # Errors
    /// If the archive does not answer.
    pub async fn games_after(&self, after: Option<GameId>, max: usize) -> Result<Vec<GameId>, ArchiveFault> {
        let folders: Vec<String> = match self.is_sorted {
            true => vec![GAMES.into()],
            false => {
                let first = after.map_or(0, |game| game.0[0]);
                (first..=u8::MAX).map(|byte| format!("{GAMES}/{}", hex(&[byte]))).collect()
            }
        };
        // The character after "/": no object of a later game comes before this path.
        let mut after = after.map(|game| format!("{}0", folder_of(game)));
        let mut games: Vec<GameId> = Vec::new();
        for folder in folders {
            loop {
                let page = self.list(&folder, after.as_deref(), PATHS_MAX).await?;
                for game in page.iter().filter_map(|path| judged(path)) {
                    if games.last().is_none_or(|last| *last != game) {
                        if games.len() == max {
                            return Ok(games);
                        }
                        games.push(game);
                    }
                }
                let is_last = page.len() < PATHS_MAX;
                after = page.into_iter().next_back().or(after);
                if is_last {
                    break;
                }
            }
        }
        Ok(games)
    }

    /// Returns the ids of games that have or had a label in ascending order, at most `max`, from the first id after `after`
    /// on.
    ///
    /// # Errors
    /// If the archive does not answer.
    pub async fn labelled_after(
        &self,
        label: &str,
        after: Option<GameId>,
        max: usize,
    ) -> Result<Vec<GameId>, ArchiveFault> {
        let folder = label_folder(label);
        let after = after.map(|game| format!("{folder}/{}", hex(&game.0)));
        let page = self.list(&folder, after.as_deref(), max).await?;
        Ok(page
            .iter()
            .filter_map(|path| GameId::parse(path.strip_prefix(&folder)?.strip_prefix('/')?))
            .collect())
    }

    /// Returns the paths of the objects that tell of a game, one for each judged log.
    pub(super) async fn heads(&self, game: GameId) -> Result<Vec<String>, ArchiveFault> {
        let (folder, mut heads, mut after) = (folder_of(game), Vec::new(), None::<String>);
        loop {
            let mut page = self.list(&folder, after.as_deref(), PATHS_MAX).await?;
            let is_last = page.len() < PATHS_MAX;
            after = page.last().cloned();
            page.retain(|path| judged(path) == Some(game));
            heads.extend(page);
            if is_last {
                return Ok(heads);
            }
        }
    }

    /// Checks that the folder of an archive of files is there: without it every object would seem never to have been put.
    pub(super) async fn check_mounted(&self) -> Result<(), ArchiveFault> {
        let Some(folder) = self.folder.clone() else { return Ok(()) };
        let problem = format!("{} is no folder", folder.display());
        match spawn_blocking(move || folder.is_dir()).await {
            Ok(true) => Ok(()),
            _ => Err(ArchiveFault::Unavailable(problem)),
        }
    }
}

/// Returns the game that the object at a path tells of; `None` for every other object.
fn judged(path: &str) -> Option<GameId> {
    let mut parts = path.strip_prefix(GAMES)?.strip_prefix('/')?.split('/');
    let (Some(_), Some(id), Some(file), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return None;
    };
    let (head, game) = (file.strip_suffix(".game")?, GameId::parse(id)?);
    (unhex::<8>(head).is_some() && path.starts_with(&folder_of(game))).then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_objects_that_tell_of_a_game_name_it() {
        let game = GameId([0xab; 16]);
        let path = |ending: &str| format!("{}/0123456789abcdef{ending}", folder_of(game));
        assert_eq!(judged(&path(".game")), Some(game));
        for other in [
            path(".carc"),
            path(".game.new"),
            path("0.game"),
            path(".game").replace("games", "marks"),
            path(".game").replace("/ab/", "/ac/"),
            path(".game").replace("abab", "ABAB"),
            path(".game").replace("abab", "+bab"),
            path("/1.game"),
        ] {
            assert_eq!(judged(&other), None, "{other}");
        }
    }
}
