//! Irregularities of a position in words and as JSON: what is wrong, which laws are about it, what may be ruled.

use crate::text::number;
use canasta_engine::action::choices::{AUTHORITIES, EFFECTS};
use canasta_engine::rulebook;
use canasta_engine::rulebook::penalties::{Penalty, penalty};
use canasta_engine::table::SetupFault;
use serde_json::{Value, json};
use std::io::{Result, Write};

/// Writes every defect, with the text of its laws and what may be ruled under them.
pub fn write_irregular(faults: &[SetupFault], out: &mut dyn Write) -> Result<()> {
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
            let text = rulebook::rule(law).map_or("", |rule| rule.text);
            writeln!(out, "    {law}  {text}")?;
            if let Some(penalty) = penalty(law) {
                writeln!(out, "            a ruling: {}", possible(&penalty))?;
            }
        }
    }
    Ok(())
}

/// Returns what may be ruled: points, effects, and who rules.
fn possible(penalty: &Penalty) -> String {
    let points = match penalty.points {
        (0, 0) => "no points".into(),
        (low, high) => format!("{} to {} points", number(high), number(low)),
    };
    let always = ["none", "warning", "stop_clock"];
    let effects: Vec<&str> = EFFECTS
        .iter()
        .filter(|(kind, word)| penalty.allows(*kind) && !always.contains(word))
        .map(|(_, word)| *word)
        .collect();
    let effects =
        if effects.is_empty() { String::new() } else { format!("; effect {}", effects.join(" or ")) };
    let by: Vec<&str> =
        AUTHORITIES.iter().filter(|(by, _)| penalty.is_issued_by(*by)).map(|(_, word)| *word).collect();
    format!("{points}{effects}; by {}", by.join(" or "))
}

/// Returns the defects as JSON.
pub fn irregular_value(faults: &[SetupFault]) -> Value {
    let law = |&id: &&str| {
        let mut value = json!({ "rule": id, "text": rulebook::rule(id).map(|rule| rule.text) });
        if let Some(penalty) = penalty(id) {
            value["points"] = json!([penalty.points.0, penalty.points.1]);
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
