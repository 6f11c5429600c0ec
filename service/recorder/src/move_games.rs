//! The command `move-from`: copies every game of another journal into this one, from SQLite to NATS or back. Keys and archive are the
//! same for both, so links and states stay good.

use canasta_engine::deal::GameId;
use canasta_proto::v1::GameStatus;

use crate::journal::{Journal, PlacedEntry, READ_MAX, STORE_LIMIT, store};
use crate::marks::{MarkPlace, renew};

/// Copies every game of `from` into the journal of `to`, which nobody else may use, and begins its marks anew. Judged games are in the
/// archive only from then on. Returns the number of games. After an error
/// the same move goes on where it stopped.
pub async fn move_games(from: &dyn Journal, to: &MarkPlace) -> anyhow::Result<usize> {
    let (mut after, mut count) = (None, 0);
    loop {
        let page = from.games(after, READ_MAX).await?;
        for summary in &page {
            let Ok(game) = summary.game_id[..].try_into().map(GameId) else { continue };
            after = Some(game);
            count += 1;
            // Whatever is judged stands in the archive.
            if !matches!(summary.status(), GameStatus::Judged | GameStatus::Archived) {
                copy_entries(from, &*to.journal, game).await?;
            } else if let Some(verdict) = from.verdict(game, None).await? {
                let mut summary = summary.clone();
                summary.set_status(GameStatus::Archived);
                to.journal.put_archived(&summary, &verdict).await?;
            }
        }
        if page.len() < READ_MAX {
            break;
        }
    }
    renew(to).await?;
    Ok(count)
}

/// Copies the entries that the other journal lacks.
async fn copy_entries(from: &dyn Journal, to: &dyn Journal, game: GameId) -> anyhow::Result<()> {
    let mut last = to.last(game).await?;
    loop {
        let page = from.read(game, last.as_ref().map_or(0, |last| last.entry.n + 1), READ_MAX).await?;
        if page.is_empty() {
            return Ok(());
        }
        for PlacedEntry { entry, .. } in page {
            let at = store(to, game, last.as_ref(), &entry.encode()?, STORE_LIMIT, &mut 0).await?;
            last = Some(PlacedEntry { at, entry });
        }
    }
}
