//! The summary that a journal keeps of each game, so that a list of games opens no entries.

use canasta_proto::v1::{GameStatus, GameSummary};
use canasta_service::seal::{KeyId, key_of};

use crate::entry::{EntryKind, JournalEntry, log_end};
use crate::records;

/// The change of a game's summary by an entry.
#[derive(Clone, PartialEq, Debug)]
pub struct RowChange {
    /// The summary after the entry. Id, label, rule set, players and time of creation are empty unless the entry tells them.
    pub summary: GameSummary,
    /// Whether the entry creates the game, and so tells rule set, players and time of creation.
    pub is_new: bool,
    pub has_label: bool,
    /// The key that seals the entry's state; `None` if the state is not sealed.
    pub seal_key: Option<KeyId>,
}

impl RowChange {
    pub fn of(entry: &JournalEntry) -> Self {
        let is_new = matches!(entry.kind, EntryKind::Created(_));
        let genesis = is_new.then(|| records::genesis(entry).ok()).flatten();
        let status = if entry.game_over { GameStatus::Finished } else { GameStatus::Live };
        let summary = GameSummary {
            game_id: Vec::new(),
            label: entry.settings().map(|settings| settings.label.clone()).unwrap_or_default(),
            rule_set: genesis.as_ref().map(|genesis| genesis.rule_set_id.clone()).unwrap_or_default(),
            status: status.into(),
            log_end: Some(log_end(entry)),
            created_at_ms: if is_new { entry.time_ms } else { 0 },
            changed_at_ms: entry.time_ms,
            players: genesis
                .map(|genesis| genesis.players.into_iter().map(|player| player.name).collect())
                .unwrap_or_default(),
        };
        Self { summary, is_new, has_label: entry.settings().is_some(), seal_key: key_of(&entry.state) }
    }

    pub fn after(self, before: GameSummary) -> GameSummary {
        let mut after = GameSummary { game_id: before.game_id, ..self.summary };
        if !self.has_label {
            after.label = before.label;
        }
        if !self.is_new {
            (after.rule_set, after.players) = (before.rule_set, before.players);
            after.created_at_ms = before.created_at_ms;
        }
        after
    }
}
