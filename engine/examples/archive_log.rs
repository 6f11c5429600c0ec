//! A log packed as a block of an archive, and unpacked byte by byte.
//!
//!     cargo run -p canasta-engine --example archive_log

use canasta_engine::LoggedGame;
use canasta_engine::archive::{pack, unpack};
use canasta_engine::bot;
use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::view::view;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = LoggedGame::new("classic-4p", GameId([1; 16]), GameSecret([2; 64]))?;
    let mut actions = 0;
    while !game.is_over() {
        let seen = view(game.table(), game.actor());
        game.play(game.actor(), &bot::suggest(&seen, &game.legal().actions, 7))?;
        actions += 1;
    }
    let packed = pack(&[game.log()]);
    let back = unpack(&packed.body, &packed.sizes)?;
    let (log, body) = (game.log().len(), packed.body.len());
    println!(
        "{actions} actions, {log} bytes of log, {body} packed; the same again: {}",
        back == [game.log()]
    );
    Ok(())
}
