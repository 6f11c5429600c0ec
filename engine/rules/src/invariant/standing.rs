//! From a setup to a table: all faults at once, and the table as it stands despite irregularities of play.

use super::melds::melds_within_limits;
use super::pile::red_threes_covered;
use super::{ALL, Invariant, derived};
use crate::table::{Setup, SetupFault, Table};
use alloc::vec::Vec;

/// Facts that legal play keeps, and that a table may be without: a ruling may let stand what breaks them, so that packed tables
/// and positions of logs are not tested for them. Positions that people type are.
pub const OF_PLAY: &[Invariant] = &[
    derived("no meld exceeds a limit of the rule set", melds_within_limits).under(&["IR-022", "IR-023"]),
    derived("a red three lies in the pile only where the deal turned and covered it", red_threes_covered)
        .under(&["IR-041", "IR-032"]),
];

impl Setup {
    /// Validates the setup.
    ///
    /// # Errors
    /// All faults of the setup.
    pub fn into_table(self) -> Result<Table, Vec<SetupFault>> {
        match self.validated() {
            (Some(table), faults) if faults.is_empty() => Ok(table),
            (_, faults) => Err(faults),
        }
    }

    /// Returns the table as the setup describes it, and all faults of the setup. There is a table if each fault is an
    /// irregularity of play, which has its laws ([`SetupFault::laws`]): actions can be judged on it, and none of them is
    /// to be applied.
    pub fn as_it_stands(self) -> (Option<Table>, Vec<SetupFault>) {
        let (table, mut faults) = self.validated();
        faults.extend(table.iter().flat_map(|table| faults_of(table, OF_PLAY)));
        (table, faults)
    }

    fn validated(self) -> (Option<Table>, Vec<SetupFault>) {
        let faults = self.size_faults();
        if !faults.is_empty() {
            return (None, faults);
        }
        let table = self.build();
        let faults = faults_of(&table, ALL);
        let stands = faults.iter().all(|fault| !fault.laws.is_empty());
        (stands.then_some(table), faults)
    }
}

/// Returns what contradicts these facts in a table.
fn faults_of(table: &Table, facts: &[Invariant]) -> Vec<SetupFault> {
    let fault = |each: &Invariant, sentence| {
        SetupFault::new(each.sentence, sentence, table.set(), &table.rules().books()).under(each.laws)
    };
    let broken = facts.iter().filter_map(|each| Some((each, (each.test)(table).err()?)));
    broken.flat_map(|(each, found)| found.0.into_iter().map(move |sentence| fault(each, sentence))).collect()
}
