//! From a setup to a table: all faults at once, and the table as it stands despite irregularities of play.

use super::{ALL, Invariant, OF_PLAY};
use crate::table::{Setup, SetupFault, Table};
use alloc::vec::Vec;

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
