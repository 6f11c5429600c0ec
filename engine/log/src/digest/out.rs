//! The buffer that gathers the bytes of a digest.

use crate::short_hash::{PADDING, sha256};
use canasta_rules::card::{Card, Cards};

/// Number of bytes that are gathered before they are hashed. No zone of cards is longer.
const PIECE: usize = 512;

/// The buffer in which the bytes of a digest are gathered.
pub(super) type Piece = [u8; PIECE];
/// A buffer without bytes.
pub(super) const EMPTY: Piece = [0; PIECE];

/// The bytes of a digest. A fixed buffer gathers them, so that nearly every digest is hashed as one piece.
pub(super) struct Out<'a> {
    piece: &'a mut Piece,
    length: usize,
    /// Receives each full piece.
    receive: &'a mut dyn FnMut(&[u8]),
    /// Whether a piece was received.
    is_split: bool,
}

impl<'a> Out<'a> {
    pub(super) fn new(piece: &'a mut Piece, receive: &'a mut dyn FnMut(&[u8])) -> Self {
        Self { piece, length: 0, receive, is_split: false }
    }

    /// Hands all bytes that `write` appends to `receive`, in order.
    #[cfg(test)]
    pub(super) fn collect(receive: &mut dyn FnMut(&[u8]), write: impl FnOnce(&mut Out<'_>)) {
        let mut piece = EMPTY;
        let mut out = Out::new(&mut piece, receive);
        write(&mut out);
        out.flush();
    }

    /// Returns the number of bytes so far; `None` if they are more than one piece.
    pub(super) fn length(&self) -> Option<usize> {
        (!self.is_split).then_some(self.length)
    }

    /// Appends bytes that already lie in the buffer at this place, up to its byte `end`.
    pub(super) fn keep(&mut self, end: usize) {
        debug_assert!(!self.is_split && (self.length..=PIECE).contains(&end), "the bytes lie in the buffer");
        self.length = end;
    }

    /// Returns SHA-256 of all bytes if they are one piece; otherwise hands over the rest of them.
    pub(super) fn hash(&mut self) -> Option<[u8; 32]> {
        if self.is_split || self.length + PADDING > PIECE {
            self.flush();
            return None;
        }
        Some(sha256(self.piece, self.length))
    }

    #[cold]
    fn flush(&mut self) {
        (self.receive)(&self.piece[..self.length]);
        (self.length, self.is_split) = (0, true);
    }

    /// Returns the place of the next `count` bytes, which are at most [`PIECE`].
    pub(super) fn next(&mut self, count: usize) -> &mut [u8] {
        if self.length + count > PIECE {
            self.flush();
        }
        let from = self.length;
        self.length += count;
        &mut self.piece[from..from + count]
    }

    pub(super) fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.next(N).copy_from_slice(&bytes);
    }

    pub(super) fn u8(&mut self, value: u8) {
        self.put([value]);
    }

    pub(super) fn u16(&mut self, value: u16) {
        self.put(value.to_be_bytes());
    }

    pub(super) fn i32(&mut self, value: i32) {
        self.put(value.to_be_bytes());
    }

    pub(super) fn row(&mut self, cards: &[Card]) {
        self.u16(cards.len() as u16);
        for (byte, card) in self.next(cards.len()).iter_mut().zip(cards) {
            *byte = card.kind();
        }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, cards: &Cards) {
        self.put(cards.len().to_be_bytes());
        if !cards.is_empty() {
            self.kinds(cards);
        }
    }

    /// Appends `count` numbers.
    #[inline(always)]
    pub(super) fn u16s(&mut self, count: usize, numbers: impl Iterator<Item = u16>) {
        let places = self.next(2 * count).as_chunks_mut().0;
        places.iter_mut().zip(numbers).for_each(|(place, number)| *place = number.to_be_bytes());
    }

    /// Appends the kind of each card, without the number of cards.
    pub(super) fn kinds(&mut self, cards: &Cards) {
        const WORD: usize = 8;
        let place = self.next(usize::from(cards.len()) + WORD);
        let mut next = 0u16;
        for (card, copies) in cards.kinds() {
            // One store of a word is faster than a loop over one or two bytes. The next kind overwrites the rest.
            let at = usize::from(next);
            place[at..at + WORD].copy_from_slice(&[card.kind(); WORD]);
            if usize::from(copies) > WORD {
                place[at..at + usize::from(copies)].fill(card.kind());
            }
            next = next.wrapping_add(copies.into());
        }
        self.length -= WORD;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use canasta_rules::card::CARDS_MAX;

    /// Compares the pieces of long contents with the same contents written byte by byte, for every place at which a
    /// piece can end within them.
    #[test]
    fn pieces_join_to_the_same_bytes() {
        let row: Vec<Card> = (0..CARDS_MAX).filter_map(|at| Card::from_kind((at % 53) as u8)).collect();
        let set: Cards = row.iter().copied().collect();
        for before in 0..=PIECE {
            let (mut found, mut expected) = (Vec::new(), alloc::vec![7; before]);
            Out::collect(&mut |piece| found.extend_from_slice(piece), |out| {
                (0..before).for_each(|_| out.u8(7));
                out.row(&row);
                out.set(&set);
                out.i32(-2);
                out.next(CARDS_MAX).fill(9);
                (0..20).for_each(|count| out.set(&core::iter::repeat_n(Card::JOKER, count).collect()));
            });
            expected.extend([1, 68]);
            expected.extend(row.iter().map(|card| card.kind()));
            expected.extend([1, 68]);
            expected.extend(set.iter().map(|card| card.kind()));
            expected.extend([255, 255, 255, 254]);
            expected.extend([9; CARDS_MAX]);
            (0..20).for_each(|count| {
                expected.extend([0, count]);
                expected.extend(core::iter::repeat_n(Card::JOKER.kind(), count.into()));
            });
            assert_eq!(found, expected, "{before}");
        }
    }
}
