//! The comparison of a shard with a mark.

use std::collections::BTreeMap;

use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use canasta_proto::v1::GameStatus;

use super::mark::MarkedGame;
use crate::journal::{At, Freshness, Journal, ReadError};

/// Returns the number of records that a shard lacks, as far as a mark tells; the log names the games.
pub async fn missing<J: Journal>(
    journal: &J,
    shard: u16,
    position: At,
    games: &BTreeMap<[u8; 16], MarkedGame>,
) -> Result<u64, ReadError> {
    let end = journal.end(shard).await?;
    let mut of_games = 0_u64;
    for (id, marked) in games {
        let (game, lost) = (GameId(*id), lost(journal, GameId(*id), marked).await?);
        if lost > 0 {
            tracing::error!(
                game = hex(&game.0),
                n = marked.n,
                records = lost,
                "the journal lacks records of the game"
            );
        }
        of_games = of_games.saturating_add(lost);
    }
    // The last entries may be those of games that nobody has played, which marks do not name.
    Ok(of_games.max(position.0.saturating_sub(end.0)))
}

/// Returns the number of records that a game lacks.
async fn lost<J: Journal>(journal: &J, game: GameId, marked: &MarkedGame) -> Result<u64, ReadError> {
    let there = journal.read(game, marked.n, 1).await?;
    if let Some(placed) = there.first() {
        let is_same = (placed.entry.n, placed.entry.head) == (marked.n, marked.head);
        return Ok(u64::from(!is_same));
    }
    if let Some(last) = journal.last(game, Freshness::Latest).await? {
        return Ok(marked.n.saturating_sub(last.entry.n).max(1));
    }
    let is_archived = journal.game(game).await?.is_some_and(|game| game.status() == GameStatus::Archived);
    Ok(if is_archived { 0 } else { marked.n + 1 })
}
