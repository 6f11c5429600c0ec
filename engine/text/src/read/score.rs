//! One item of a score line.

use canasta_log::codes::{self, SCORE_ITEMS};
use canasta_log::record::ScoreLine;
use canasta_rules::notation::span::{Read, Span};

/// Reads `ITEM [(COUNT)] POINTS`.
pub(super) fn score_line(span: Span<'_>) -> Read<ScoreLine> {
    let (item, rest) = span.word();
    let (first, after) = rest.word();
    let count = first.text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let (count, points) = match count {
        Some(text) => {
            let number = text.parse().map_err(|_| first.error("how many, in brackets"))?;
            (Some(number), after)
        }
        None => (None, rest),
    };
    let known = codes::from_word(&SCORE_ITEMS, &item.text.to_ascii_lowercase());
    Ok(ScoreLine {
        item: known.ok_or_else(|| item.error("an item of a score such as melded_cards"))?,
        count,
        points: points.text.parse().map_err(|_| points.error("points"))?,
    })
}
