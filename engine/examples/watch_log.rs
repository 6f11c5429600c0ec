//! A log, executed again and watched: what happened at every record, and the score of each round.
//!
//!     cargo run -p canasta-engine --example watch_log

use canasta_engine::LoggedGame;
use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::replay::{Step, What};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = LoggedGame::new("classic-4p", GameId([1; 16]), GameSecret([2; 64]))?;
    while game.table().round_number() < 3 {
        game.play(game.actor(), &game.legal().actions[0])?;
    }
    let mut watch = |step: &Step<'_>| match &step.what {
        What::Acted(events) if step.place.n < 12 => println!("record {}: {events:?}", step.place.n),
        What::Booked { score: Some(score), .. } => {
            let totals: Vec<i32> = score.accounts.iter().map(|account| account.total).collect();
            println!("record {}: round {} scores {totals:?}", step.place.n, score.number);
        }
        _ => {}
    };
    // The game is still on, and rounds are executed once their end has revealed the cards.
    let mut auditor = Auditor::new(Expect { live: true, ..Expect::default() });
    for piece in game.log().chunks(4096) {
        auditor.feed_watched(piece, &mut watch);
    }
    println!("{:?}", auditor.finish().verdict);
    Ok(())
}
