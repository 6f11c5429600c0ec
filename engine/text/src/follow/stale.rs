//! The comparison of scores, reasons and winners in a text with those that follow from the rules.

use super::super::given::{Given, GivenEnd};
use super::Follower;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use canasta_log::record::{Record, RoundEnd, Score, ScoreLine};
use canasta_rules::notation::Names;
use canasta_rules::notation::rulings::unit_name;

/// A value in a text that differs from the value that the rules give.
pub(in super::super) struct Stale {
    /// The index of the score among those of its round; `None` for another field.
    pub score: Option<usize>,
    pub reason: String,
}

impl Stale {
    fn of(what: &str, found: &str, due: &str) -> Self {
        Self { score: None, reason: format!("{what}: the text says {found}, the rules give {due}") }
    }
}

impl Follower {
    /// Returns the record without its compared scores, which are filled in again in the order in which the
    /// rules give them.
    ///
    /// # Errors
    /// The first score, reason of an end or winner that does not follow.
    pub(in super::super) fn compared(&self, given: &Given) -> Result<Given, Stale> {
        match given {
            Given::RoundEnd(given) => match self.game.round_end() {
                Some(Record::RoundEnd(end)) => Ok(Given::RoundEnd(self.compared_end(given.clone(), &end)?)),
                _ => Ok(Given::RoundEnd(given.clone())),
            },
            Given::GameEnd { winner: Some(found), .. } => {
                let name =
                    |unit: Option<u8>| unit.map_or_else(|| "nobody".to_string(), |unit| self.unit(unit));
                match self.game.game_end() {
                    Some(Record::GameEnd(end)) if end.winner != *found => {
                        Err(Stale::of("winner", &name(*found), &name(end.winner)))
                    }
                    _ => Ok(given.clone()),
                }
            }
            _ => Ok(given.clone()),
        }
    }

    fn compared_end(&self, mut given: Box<GivenEnd>, end: &RoundEnd) -> Result<Box<GivenEnd>, Stale> {
        if let Some(reason) = given.reason.filter(|reason| *reason != end.reason) {
            return Err(Stale::of("end", reason.name(), end.reason.name()));
        }
        // If cards were never shown, scores cannot be computed: those in the text count.
        let unseen = self.known.as_ref().is_some_and(|known| !known.unseen_units(self.table()).is_empty());
        if !unseen {
            given.scores.take().map_or(Ok(()), |scores| self.compare_scores(&scores, &end.scores))?;
        }
        Ok(given)
    }

    fn compare_scores(&self, found: &[Score], due: &[Score]) -> Result<(), Stale> {
        for (at, score) in found.iter().enumerate() {
            let follows = due.iter().find(|due| due.unit == score.unit);
            if follows.is_none_or(|follows| !agree(&score.lines, &follows.lines)) {
                let what = format!("score {}", self.unit(score.unit));
                let due = follows.map_or_else(|| "none".to_string(), sheet);
                return Err(Stale { score: Some(at), ..Stale::of(&what, &sheet(score), &due) });
            }
        }
        match due.iter().find(|due| !found.iter().any(|score| score.unit == due.unit)) {
            None => Ok(()),
            Some(due) => Err(Stale::of(&format!("score {}", self.unit(due.unit)), "nothing", &sheet(due))),
        }
    }

    /// Returns the name in texts of the side or seat that keeps this score.
    fn unit(&self, unit: u8) -> String {
        let set = self.table().set();
        unit_name(unit, set, Names::of(set))
    }
}

/// Whether these are the same lines in any order; a found line may omit its count.
fn agree(found: &[ScoreLine], due: &[ScoreLine]) -> bool {
    let same = |line: &ScoreLine, due: &ScoreLine| {
        (line.item, line.points) == (due.item, due.points)
            && line.count.is_none_or(|_| line.count == due.count)
    };
    found.len() == due.len()
        && found.iter().all(|line| due.iter().any(|due| same(line, due)))
        && due.iter().all(|due| found.iter().any(|line| same(line, due)))
}

/// Returns a score as text: its total and its lines.
fn sheet(score: &Score) -> String {
    let total: i64 = score.lines.iter().map(|line| i64::from(line.points)).sum();
    let line = |line: &ScoreLine| match line.count {
        Some(count) => format!("{} ({count}) {}", line.item.name(), line.points),
        None => format!("{} {}", line.item.name(), line.points),
    };
    let lines: Vec<String> = score.lines.iter().map(line).collect();
    if lines.is_empty() { total.to_string() } else { format!("{total} ({})", lines.join(", ")) }
}
