//! High-water marks: once per second the recorder notes in the archive how far each shard of the journal had come, and
//! which games had changed. A journal that was restored from an old backup, or that lost what it had acknowledged, is then
//! behind its marks: its shard is refused, and the log names the games.
//!
//! Marks are objects that are put only if absent, and each names the one before, so they are linear although many recorders
//! write them. The recorder that has put the last mark puts the next one; another one takes over after three seconds.

mod check;
mod keeper;
mod mark;
mod place;
mod status;

pub use check::{LostGame, LostRecords};
pub use keeper::MarkKeeper;
pub use mark::ShardMark;
pub use place::{MarkFault, MarkKeys, MarkPlace, accept_loss, renew};
pub use status::{MarkStatus, RefusedShard};

/// Interval at which a recorder reads what is new and puts a mark.
pub const INTERVAL: std::time::Duration = std::time::Duration::from_secs(1);
/// Time without a new mark after which another recorder puts the next one, in ms.
const TAKE_OVER_MS: i64 = 3_000;
/// Number of marks that are kept per shard.
const KEPT: u64 = 600;
/// Number of marks between two looks at the journal's end and at the games of the last marks.
const CHECK_TICKS: u32 = 60;
/// Number of marks whose games are checked before the recorder serves anybody. Those of all others are checked meanwhile.
const FIRST_MARKS: usize = 8;
/// Maximum time by which the clock may be behind the last mark, in ms: a clock that is corrected after a crash may be set back
/// by some seconds.
const CLOCK_MS: i64 = 60_000;
