//! The parser for remarks.

use super::{TextReader, uncommented};
use crate::given::Given;
use alloc::string::String;
use canasta_log::record::{Author, Record, Remark, RemarkKind};
use canasta_rules::notation::span::{Read, Span};
use canasta_rules::notation::words::unquote;

/// Returns the remark that begins with this word, without its text.
fn blank(word: Span<'_>) -> Option<Remark> {
    RemarkKind::from_name(word.text).map(RemarkKind::blank)
}

/// Reads a remark that names no author; `None` if the line is no such remark.
pub(super) fn without_author(word: Span<'_>, rest: Span<'_>) -> Read<Option<Given>> {
    let Some(remark) = blank(word).filter(|remark| remark.by.is_none()) else { return Ok(None) };
    let (text, rest) = unquote(rest)?;
    rest.finish("the end of the line")?;
    Ok(Some(Given::Whole(Record::Remark(Remark { text, ..remark }))))
}

impl TextReader<'_> {
    /// Reads a remark after its author, which is the table if the line names none; `None` if `word` begins no such remark.
    pub(super) fn remark(
        &mut self,
        by: Option<Author>,
        word: Span<'_>,
        text: Span<'_>,
    ) -> Read<Option<Given>> {
        let Some(mut remark) = blank(word).filter(|remark| remark.by.is_some()) else { return Ok(None) };
        remark.by = by.or(remark.by);
        remark.text = String::from(text.text);
        if text.text.starts_with('"') {
            let (quoted, rest) = unquote(text)?;
            remark.elapsed_ms = self.tail(uncommented(rest), &[])?.elapsed_ms;
            remark.text = quoted;
        }
        Ok(Some(Given::Whole(Record::Remark(remark))))
    }
}
