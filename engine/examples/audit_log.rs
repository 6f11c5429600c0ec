//! An audit in process: a whole log, then the same log with one byte changed.
//!
//!     cargo run -p canasta-engine --example audit_log

use canasta_engine::LoggedGame;
use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::log::audit::{Expect, audit};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = LoggedGame::new("samba-4p", GameId([1; 16]), GameSecret([2; 64]))?;
    while !game.is_over() {
        game.play(game.actor(), &game.legal().actions[0])?;
    }
    let mut log = game.log().to_vec();
    // A head from outside (a checkpoint, a player's own note) shows that nothing was cut off or written anew.
    let expect = Expect { head: Some(game.game().link.head), ..Expect::default() };
    let report = audit(&log, expect);
    println!("{:?}: {} records, {} actions", report.verdict, report.records, report.actions);

    let middle = log.len() / 2;
    log[middle] ^= 1;
    let report = audit(&log, expect);
    println!("{:?}: {:?}", report.verdict, report.findings.first().map(|finding| finding.kind));
    Ok(())
}
