//! Random words to an order.

use super::DealError;

/// The most words one shuffle takes: all of a stream.
pub const MAX_WORDS: u16 = 1024;

/// Shuffles `items` in place (Fisher-Yates from the last item down, unbiased by rejection) and returns
/// how many words that took. The order depends on the number of items only, not on what they are.
///
/// # Errors
/// [`DealError::Words`] if `words` end, or 1,024 are taken, before the order is settled; `items` are
/// then partly shuffled and worth nothing.
pub fn shuffle<T>(items: &mut [T], words: impl IntoIterator<Item = u32>) -> Result<u16, DealError> {
    let mut taken = 0;
    let mut words = words.into_iter().take(usize::from(MAX_WORDS)).inspect(|_| taken += 1);
    for i in (1..items.len()).rev() {
        let Some(j) = draw_below(i as u64 + 1, &mut words) else {
            return Err(DealError::Words { limit: MAX_WORDS });
        };
        items.swap(i, j as usize);
    }
    drop(words);
    Ok(taken)
}

/// A number from 0 to `bound - 1`, every one as likely: words at or above the largest multiple of
/// `bound` are passed over. `None` if the words end.
pub(super) fn draw_below(bound: u64, words: &mut impl Iterator<Item = u32>) -> Option<u64> {
    let zone = (1 << 32) - (1 << 32) % bound;
    words.map(u64::from).find(|&word| word < zone).map(|word| word % bound)
}
