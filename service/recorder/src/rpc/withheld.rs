//! Logs that are withheld: that of a game with a board shows the cards of every table that still plays the board.

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_proto::v1::GameStatus;
use canasta_serve::OrFault;

use super::archived_log::unarchived;
use crate::boards::tables_of;
use crate::context::RecorderContext;

impl RecorderContext {
    /// Returns whether the log and the verdict of a game are withheld from an actor: all but the director wait until every table of
    /// the game's board has ended at this recorder. A table that the journal does not know has not.
    ///
    /// # Errors
    /// If journal or archive cannot be read.
    pub(super) async fn is_withheld(&self, game: GameId, who: As) -> OrFault<bool> {
        if who == As::Director {
            return Ok(false);
        }
        let first = self.journal.read(game, 0, 1).await?;
        let tables = match first.first() {
            Some(first) => tables_of(&first.entry).to_vec(),
            None => {
                let archived = self.archive.archived(game).await.map_err(|fault| unarchived(game, &fault))?;
                archived.map(|archived| archived.tables).unwrap_or_default()
            }
        };
        for table in tables {
            let summary = self.journal.game(table).await?;
            if summary.is_none_or(|summary| summary.status() == GameStatus::Live) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
