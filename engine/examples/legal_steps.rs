//! The legal steps of a position that is written down as text.
//!
//!     cargo run -p canasta-engine --example legal_steps

use canasta_engine::legal;
use canasta_engine::notation::{Position, Proposal};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // What the text does not say is filled in: other hands, the stock (docs/formats/NOTATION.md).
    let text = "classic-4p; to move S; hand S 9h 9d 5c 6c 2c Kd; pile 4s 9c; melds NS 8s8h8d8c";
    let table = Position::parse(text)?.setup().into_table().map_err(|faults| format!("{faults:?}"))?;
    for action in legal::steps(&table).actions {
        let step = Proposal { actor: None, action };
        println!("{}", step.to_text(table.set()).unwrap_or_default());
    }
    Ok(())
}
