//! The duties of a tournament: games that should have ended, announced games that never came, voids beyond a promise, an old checkpoint.

use super::{GameId, Timeline};
use crate::fault::{ENTRIES, FaultKind, SiteFault};
use crate::leaf::AnnouncedBoard;
use crate::policy::TreePolicy;
use crate::site::CHECKPOINT;
use crate::text::duration;

impl Timeline {
    /// Adds what the end of the tournament leaves undone, and voids beyond what the policy promises.
    pub(crate) fn finish(&self, policy: Option<&TreePolicy>, faults: &mut Vec<SiteFault>) {
        let voided = self.numbers()[2];
        let most = policy.and_then(|policy| policy.max_voided_games).filter(|&most| voided > most);
        if let Some(most) = most {
            let detail = format!("the policy promises at most {most} voided games, found {voided}");
            faults.push(SiteFault::new(FaultKind::Promise, ENTRIES, detail));
        }
        self.check_boards(0, faults);
        if self.ended.is_none() {
            return;
        }
        for board in self.boards.values().filter(|board| board.revealed.is_none()) {
            let (index, AnnouncedBoard { name, .. }) = &board.announced;
            let detail = format!("the tournament has ended, and the secret of board {name} is not shown");
            faults.push(SiteFault::of_leaf(FaultKind::Board, *index, detail));
        }
        for (game_id, game) in self.open() {
            let detail = "the tournament has ended, and the game has neither a result nor a void";
            faults.push(
                SiteFault::of_leaf(FaultKind::GameOpen, game.index().unwrap_or_default(), detail)
                    .of_game(*game_id),
            );
        }
        let is_due = |(game_id, _): &(&GameId, &u64)| {
            let game = self.games.get(*game_id);
            let never_came = game.is_none_or(|game| game.index().is_none() && game.void.is_none());
            never_came && !self.papers.contains(*game_id)
        };
        for (game_id, &index) in self.announced.iter().filter(is_due) {
            let detail = "it was announced and is not published";
            faults.push(SiteFault::of_leaf(FaultKind::GameMissing, index, detail).of_game(*game_id));
        }
    }

    /// Adds what is late on the clock of whoever audits while the tournament goes on: games that should have ended, and a
    /// checkpoint that is too old.
    pub fn check_clock(&self, policy: &TreePolicy, now_ms: i64, faults: &mut Vec<SiteFault>) {
        let Some(latest) = self.latest_ms.filter(|_| self.ended.is_none()) else { return };
        for (game_id, game) in self.open() {
            let Some(opened) = &game.opened else { continue };
            let open_ms = latest.max(now_ms).saturating_sub(opened.at_ms);
            if is_over(opened.at_ms, latest.max(now_ms), policy.close_within) {
                let since = duration(open_ms);
                let detail = format!(
                    "it was opened {since} ago, and has neither a result nor a void: the policy promises one"
                );
                faults.push(SiteFault::of_leaf(FaultKind::GameOpen, opened.index, detail).of_game(*game_id));
            }
        }
        let age = now_ms.saturating_sub(latest);
        if let Some(most) = policy.checkpoint_within.filter(|&most| age > i64::from(most) * 1_000) {
            let detail = format!(
                "its last leaf claims a time {} ago, and the policy promises {most} s",
                duration(age)
            );
            faults.push(SiteFault::new(FaultKind::Time, CHECKPOINT, detail));
        }
    }
}

/// Returns whether more than the allowed minutes lie between two times.
pub(super) fn is_over(from_ms: i64, to_ms: i64, limit: Option<u32>) -> bool {
    limit.is_some_and(|limit| to_ms.saturating_sub(from_ms) > i64::from(limit) * 60_000)
}

/// Returns the fault of a game that grew by more records than the policy promises before its head was fixed again.
pub(super) fn too_far(policy: Option<&TreePolicy>, from: u64, to: u64) -> Option<String> {
    let most = policy?.heads_every.records.filter(|&most| to.saturating_sub(from) > most)?;
    let grown = to - from;
    Some(format!(
        "it was fixed up to {from} records and then up to {to}: {grown} at once, and the policy promises at most {most}"
    ))
}
