//! The shuffle: from random words to an order.

use super::DealError;

/// Maximum number of words that one shuffle takes: all words of a stream.
pub const WORDS_MAX: u16 = 1024;

/// Shuffles `items` in place (Fisher-Yates from the last item down, unbiased by rejection) and returns the
/// number of words taken. The order depends only on the words and the number of items, not on the items.
///
/// # Errors
/// [`DealError::Words`] if `words` end, or 1,024 are taken, before the order is complete; `items` are then
/// partly shuffled and must not be used.
pub fn shuffle<T>(items: &mut [T], words: impl IntoIterator<Item = u32>) -> Result<u16, DealError> {
    let mut taken = 0;
    let mut words = words.into_iter().take(usize::from(WORDS_MAX)).inspect(|_| taken += 1);
    for i in (1..items.len()).rev() {
        let Some(j) = draw_below(i as u32 + 1, &mut words) else {
            return Err(DealError::Words { limit: WORDS_MAX });
        };
        items.swap(i, j as usize);
    }
    drop(words);
    Ok(taken)
}

/// Draws a number from 0 to `bound - 1`, all equally likely: words at or above the largest multiple of
/// `bound` are skipped. `None` if the words end.
pub(super) fn draw_below(bound: u32, words: &mut impl Iterator<Item = u32>) -> Option<u32> {
    // Only the last `bound` words can be skipped, so nearly every word takes one division and not two.
    let last = bound.wrapping_neg();
    words.find(|&word| word < last || word <= u32::MAX - last % bound).map(|word| word % bound)
}
