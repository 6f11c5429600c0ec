//! The links that were given out for a game.

use canasta_engine::action::As;

use super::{EntryBytes, Settings};
use crate::entry::{EntryError, actor_number, actor_of};

/// Maximum number of links of a game that have neither expired nor been revoked.
pub const LINKS_MAX: usize = 64;
/// Maximum number of links that settings hold: revoked links stay until they expire.
const KEPT_MAX: usize = 1_024;

const HOST: u8 = 1;
const REVOKED: u8 = 2;

/// A link that was given out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenLink {
    pub token_id: [u8; 16],
    /// When the link expires, in ms since 1970.
    pub expires_at_ms: i64,
    /// The actor that its holder acts as.
    pub actor: As,
    /// Whether the link gives the host's rights.
    pub is_host: bool,
    pub is_revoked: bool,
}

impl GivenLink {
    /// Whether the link has neither expired nor been revoked.
    pub fn is_valid(&self, now_ms: i64) -> bool {
        !self.is_revoked && self.expires_at_ms > now_ms
    }
}

impl Settings {
    pub fn link(&self, token_id: &[u8; 16]) -> Option<&GivenLink> {
        self.links.iter().find(|link| link.token_id == *token_id)
    }

    pub fn valid_links(&self, now_ms: i64) -> impl Iterator<Item = &GivenLink> {
        self.links.iter().filter(move |link| link.is_valid(now_ms))
    }

    /// Adds a link, and forgets those that have expired. Returns false if the game has as many as it may have.
    pub fn give(&mut self, link: GivenLink, now_ms: i64) -> bool {
        self.links.retain(|link| link.expires_at_ms > now_ms);
        let has_room = self.valid_links(now_ms).count() < LINKS_MAX && self.links.len() < KEPT_MAX;
        if has_room {
            self.links.push(link);
        }
        has_room
    }
}

/// Encodes links: 26 bytes each.
pub(super) fn encode(links: &[GivenLink]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for link in links {
        bytes.extend(link.token_id);
        bytes.extend(link.expires_at_ms.to_be_bytes());
        let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        bytes.extend([actor_number(link.actor), flag(link.is_host, HOST) | flag(link.is_revoked, REVOKED)]);
    }
    bytes
}

pub(super) fn decode(bytes: &[u8]) -> Result<Vec<GivenLink>, EntryError> {
    let (mut links, mut bytes) = (Vec::new(), EntryBytes(bytes));
    while bytes.end().is_err() {
        let (token_id, expires_at_ms) = (bytes.array()?, i64::from_be_bytes(bytes.array()?));
        let [actor, flags] = bytes.array()?;
        if flags & !(HOST | REVOKED) != 0 {
            return Err(EntryError::Field("links"));
        }
        let (is_host, is_revoked) = (flags & HOST != 0, flags & REVOKED != 0);
        links.push(GivenLink { token_id, expires_at_ms, actor: actor_of(actor)?, is_host, is_revoked });
    }
    Ok(links)
}

/// Whether settings can hold these links: none twice, and not too many.
pub(super) fn are_valid(links: &[GivenLink]) -> bool {
    let mut ids: Vec<_> = links.iter().map(|link| link.token_id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.len() == links.len() && links.len() <= KEPT_MAX
}
