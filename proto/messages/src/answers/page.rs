//! Pages of a list, as AIP-158 has them. The list is made anew for each page, so its order must be deterministic.

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};

use crate::convert::field::{Read, fault, within};

/// Length of what binds a token to its list, in bytes.
const BOUND: usize = 8;

/// The page that a request asks for.
pub struct ListPage {
    first: usize,
    size: usize,
    /// The beginning of a digest of everything that the list depends on.
    bound: [u8; BOUND],
}

impl ListPage {
    /// Reads the fields `page_size` and `page_token`. A size of 0 stands for `max`, and so does a larger one. `list` is
    /// everything that the list depends on: a token of another list is refused.
    pub fn read(page_size: i32, page_token: &str, max: usize, list: &[&[u8]]) -> Read<Self> {
        let size = usize::try_from(page_size)
            .map_err(|_| within("page_size")(fault(format!("{page_size}, expected at least 0"))))?;
        let mut digest = Sha256::new();
        for part in list {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        let bound = *digest.finalize().first_chunk().expect("a digest has 32 bytes");
        let first = match page_token {
            "" => 0,
            token => first(token, bound)
                .ok_or_else(|| within("page_token")(fault("is not a token of this list")))?,
        };
        Ok(Self { first, size: if size == 0 { max } else { size.min(max) }, bound })
    }

    /// Returns the entries of this page, and the token of the next page; an empty one after the last.
    pub fn cut<T: Clone>(&self, list: &[T]) -> (Vec<T>, String) {
        let is_last = list.len() <= self.first.saturating_add(self.size);
        let token = if is_last { String::new() } else { self.token_after(self.size) };
        (list.iter().skip(self.first).take(self.size).cloned().collect(), token)
    }

    /// Returns the place of the page's first entry in the list, and the maximum number of its entries, at least 1.
    pub fn window(&self) -> (usize, usize) {
        (self.first, self.size)
    }

    /// Returns the token of the page after this one, which has `taken` entries.
    pub fn token_after(&self, taken: usize) -> String {
        let first = u32::try_from(self.first + taken).expect("lists are far shorter");
        Base64UrlUnpadded::encode_string(&[&first.to_be_bytes()[..], &self.bound].concat())
    }
}

/// Reads a token of the list that `bound` stands for.
fn first(token: &str, bound: [u8; BOUND]) -> Option<usize> {
    let mut bytes = [0; 4 + BOUND];
    let (first, found) = Base64UrlUnpadded::decode(token, &mut bytes).ok()?.split_first_chunk()?;
    (found == bound).then_some(u32::from_be_bytes(*first) as usize)
}
