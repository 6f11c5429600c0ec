//! Irregularities of a position in words and as JSON: what is wrong, which laws are about it, what may be ruled.

use canasta_engine::card::Card;
use canasta_engine::invariant::ALL;
use canasta_engine::irregularity::{law_text, sanction};
use canasta_engine::notation::Position;
use canasta_engine::rulebook;
use canasta_engine::seat::Seat;
use canasta_engine::table::{SetupFault, Table};
use canasta_engine::violations::template::Language;
use serde_json::{Value, json};
use std::io::{Result, Write};

/// Returns the position with these unknown cards in the hand of `seat` and in the pile, and its defects. Whether a seat can
/// go out is no defect where its cards only stand for unknown ones.
pub fn as_it_stands(
    position: &Position,
    seat: Seat,
    hand: &[Card],
    pile: &[Card],
) -> (Option<Table>, Vec<SetupFault>) {
    let (table, mut faults) = position.filled(seat, hand, pile).as_it_stands();
    let searched =
        |fault: &SetupFault| ALL.iter().any(|each| each.searches && each.sentence == fault.expected);
    let turn = position.named().turn;
    let is_given = seat == turn && !hand.is_empty();
    if faults.iter().any(searched) && !is_given && position.unknown_in_hand(turn) > 0 {
        faults.retain(|fault| !searched(fault));
    }
    (table, faults)
}

/// Writes every defect, with the text of its laws and what may be ruled under them.
pub fn write_irregular(faults: &[SetupFault], language: Language, out: &mut dyn Write) -> Result<()> {
    if faults.is_empty() {
        return Ok(());
    }
    writeln!(out, "IRREGULAR")?;
    let mut said: Vec<&str> = Vec::new();
    for fault in faults {
        writeln!(out, "  {fault}")?;
        for &law in fault.laws {
            if said.contains(&law) {
                writeln!(out, "    {law}, as above")?;
                continue;
            }
            said.push(law);
            writeln!(out, "    {law}  {}", law_text(law, language))?;
            if let Some(sanction) = sanction(law) {
                writeln!(out, "            a ruling: {}", sanction.in_words(language))?;
            }
        }
    }
    Ok(())
}

/// Returns the defects as JSON.
pub fn irregular_value(faults: &[SetupFault]) -> Value {
    let law = |&id: &&str| {
        let mut value = json!({ "rule": id, "text": rulebook::rule(id).map(|rule| rule.text) });
        if let Some(sanction) = sanction(id) {
            value["points"] = json!(sanction.penalty.points);
        }
        value
    };
    let fault = |fault: &SetupFault| {
        json!({
            "text": fault.to_string(),
            "rule_ids": fault.rules,
            "laws": fault.laws.iter().map(law).collect::<Vec<_>>(),
        })
    };
    faults.iter().map(fault).collect()
}
