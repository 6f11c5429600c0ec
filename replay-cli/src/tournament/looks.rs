//! Commands that look at intervals.

use crate::shared::io::{Exit, Io, in_words};
use std::io::Write;
use std::time::Duration;

/// Looks every so many seconds until the clock says that the command must end. A failure of one look is reported, and the
/// next look tries again; alone, or as the first, it ends the command. `look` gets the time at which it begins.
pub fn repeat(
    every: u32,
    is_alone: bool,
    io: &mut Io<'_>,
    mut look: impl FnMut(i64, &mut Io<'_>) -> anyhow::Result<Exit>,
) -> anyhow::Result<Exit> {
    let (every, mut has_looked) = (Duration::from_secs(every.into()), false);
    loop {
        let began = (io.clock.now_ms)();
        match look(began, io) {
            Ok(Exit::Clean) => has_looked = true,
            Ok(exit) => return Ok(exit),
            Err(error) if has_looked && !is_alone => io.remark(in_words(&error))?,
            Err(error) => return Err(error),
        }
        io.out.flush()?;
        let took = u64::try_from((io.clock.now_ms)().saturating_sub(began)).unwrap_or(0);
        if is_alone || !(io.clock.wait)(every.saturating_sub(Duration::from_millis(took))) {
            return Ok(Exit::Clean);
        }
    }
}
