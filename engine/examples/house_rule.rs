//! A house rule: a preset with other knobs, validated as a whole before a game is played by it.
//!
//!     cargo run -p canasta-engine --example house_rule

use canasta_engine::LoggedGame;
use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::game::{NewDeal, NewGame};
use canasta_engine::rules::{DiscardThrees, HouseError, PresetId, Rules};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base = PresetId::from_name("classic-4p").ok_or("a preset")?;

    // Knobs that contradict each other are refused, with the reason: red threes are laid as they come here.
    let mut set = base.rule_set();
    set.discard_threes = DiscardThrees::Any;
    if let Err(HouseError::Knobs(faults)) = Rules::house(base, set, None) {
        faults.iter().for_each(|fault| println!("refused: {fault}"));
    }

    let mut set = base.rule_set();
    (set.target, set.frozen_always) = (2_000, true);
    let rules = Rules::house(base, set, Some("short")).map_err(|error| error.to_string())?;
    println!("{} has the digest {}", rules.id(), rules.digest_text());
    let deal = NewDeal::Seeded(GameSecret([2; 64]));
    let game = LoggedGame::create(NewGame::new(Arc::new(rules), GameId([1; 16]), deal))?;
    println!("{} legal steps of {:?}", game.legal().actions.len(), game.actor());
    Ok(())
}
