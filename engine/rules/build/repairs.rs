//! The messages of repairs: each block becomes a row with its facts and its sentences.

use crate::block::{self, Fault, TextBlock};
use crate::violations::fact_row;

const TABLE: &str = "src/rejection/repair/repairs.txt";

/// Returns the table `REPAIRS`.
pub fn write() -> Result<String, Fault> {
    let (text, mut rows) = (block::read(TABLE), Vec::new());
    for mut block in TextBlock::all(TABLE, &text) {
        let (name, mut facts) = (block.next().unwrap_or_default(), String::new());
        while let Some(fact) = block.optional("fact: ") {
            facts += &fact_row(fact).ok_or_else(|| block.fault("`fact: NAME KIND`"))?;
        }
        let (english, german) = (block.required("en: ")?, block.required("de: ")?);
        block.finish()?;
        rows.push(format!("Wording::new({name:?}, &[{facts}], {english:?}, {german:?}),\n"));
    }
    Ok(format!(
        "/// The messages of repairs. The last one is not a [`Repair`]: it holds for rules that contradict each other.\n\
         pub const REPAIRS: [Wording; {}] = [\n{}];\n",
        rows.len(),
        rows.concat()
    ))
}
