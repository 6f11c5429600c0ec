//! A refused action: its codes, the rules that it breaks, the facts, and a repair that works.
//!
//!     cargo run -p canasta-engine --example refusal

use canasta_engine::action::As;
use canasta_engine::check::check;
use canasta_engine::citation::cite_violation;
use canasta_engine::notation::{Position, Proposal};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = "classic-4p; to move N; drew; hand N Qs Qh 2c 2d 7h 9s; melds NS AsAhAd";
    let table = Position::parse(text)?.setup().into_table().map_err(|faults| format!("{faults:?}"))?;
    let meld = Proposal::parse("meld Qs 2c 2d", table.set())?.action;
    let Err(rejection) = check(&table, As::Seat(table.turn_seat()), &meld) else {
        return Err("a meld needs two natural cards".into());
    };
    for violation in &rejection.violations {
        let rules = cite_violation(violation, &table.rules().books());
        println!("{} ({})", violation.code.name(), rules.join(", "));
        println!("  in words: {violation}");
        for (name, fact) in &violation.facts {
            println!("  {name}: {fact:?}");
        }
        println!("  repair: {:?}", violation.repair);
    }
    Ok(())
}
