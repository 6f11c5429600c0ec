//! Links: whether a request's link is valid now, and who may make others.
//!
//! A link counts only while the game's settings list it: a token that they do not list, or list as revoked, is refused,
//! whoever has signed it.

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_messages::fault::RequestFault;
use canasta_messages::host::GameScope;
use canasta_proto::v1 as pb;
use canasta_serve::OrFault;
use canasta_serve::identity::{Caller, Denial, LINK_LIFETIME_MS, LinkGrant};

use crate::context::RecorderContext;
use crate::entry::{GivenLink, JournalEntry, Settings};
use crate::keys::RecorderKey;

/// The rights by which somebody changes the links and the bots of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostRights {
    /// The actor on whose behalf the change is made.
    pub actor: As,
    /// Whether they come from a link, whose holder must not see hidden cards by them.
    pub is_of_link: bool,
}

impl HostRights {
    /// Whether these rights cover a link for this actor.
    pub fn cover(self, actor: As) -> bool {
        !self.is_of_link || matches!(actor, As::Seat(_) | As::Table | As::Spectator)
    }
}

/// Returns the link that equal requests get, with its time of expiry rounded down to a whole second.
pub fn link(key: &RecorderKey, game: GameId, actor: As, is_host: bool, expires_at_ms: i64) -> LinkGrant {
    let expires_at_ms = expires_at_ms - expires_at_ms.rem_euclid(1000);
    let token_id = key.link_id(game, actor, is_host, expires_at_ms);
    LinkGrant { token_id, game, actor, is_host, expires_at_ms }
}

/// Returns the link of the creator of a game that was created at this time.
pub fn of_creator(key: &RecorderKey, game: GameId, actor: As, created_at_ms: i64) -> LinkGrant {
    link(key, game, actor, true, created_at_ms.saturating_add(LINK_LIFETIME_MS))
}

/// Returns a link as settings list it.
pub fn given(link: &LinkGrant) -> GivenLink {
    let &LinkGrant { token_id, actor, is_host, expires_at_ms, .. } = link;
    GivenLink { token_id, expires_at_ms, actor, is_host, is_revoked: false }
}

impl RecorderContext {
    /// Checks that the game lists the caller's link, if the caller has shown one. Of games without entries nothing is left
    /// to protect.
    ///
    /// # Errors
    /// If the link is revoked or was never made, or the journal cannot be read.
    pub async fn check_link(&self, caller: &Caller) -> OrFault<()> {
        let Some(link) = caller.link() else { return Ok(()) };
        let last = self.journal.last(link.game).await?;
        match last {
            Some(last) => self.check_link_at(caller, &last.entry).await,
            None => Ok(()),
        }
    }

    /// Checks that the game lists the caller's link after an entry of the game, if the caller has shown one: what is
    /// appended after this entry is never appended by the holder of a link that was revoked before.
    ///
    /// # Errors
    /// As [`Self::check_link`].
    pub async fn check_link_at(&self, caller: &Caller, entry: &JournalEntry) -> OrFault<()> {
        let Some(link) = caller.link() else { return Ok(()) };
        if self.settings(link.game, entry).await?.links.contains(&given(link)) {
            return Ok(());
        }
        self.service.denials.count(Denial::TokenRevoked);
        Err(RequestFault::Unauthenticated)
    }

    /// Returns the caller's rights to change links and bots of a game.
    ///
    /// # Errors
    /// If the caller has none.
    pub fn host_rights(&self, caller: &Caller, game: GameId) -> OrFault<HostRights> {
        let scope = GameScope::Of(game);
        match caller.link() {
            Some(link) if link.is_host => {
                self.service.entitle(caller, link.actor, scope)?;
                Ok(HostRights { actor: link.actor, is_of_link: true })
            }
            _ => {
                self.service.entitle(caller, As::Director, scope)?;
                Ok(HostRights { actor: As::Director, is_of_link: false })
            }
        }
    }

    /// Returns a link as its holder gets it.
    ///
    /// # Errors
    /// If the recorder has no signing key.
    pub fn token(&self, link: &LinkGrant) -> OrFault<pb::Link> {
        let signer = self.service.signer.as_ref().ok_or(RequestFault::NoSigningKey)?.get();
        Ok(pb::Link {
            token: signer.token(&link.claims(&self.service.audience)),
            token_id: link.token_id.into(),
            expires_at_ms: link.expires_at_ms,
        })
    }
}

/// Returns the number of links for an actor that are valid at `now_ms`, as a sentence of a note.
pub fn count(settings: &Settings, actor: As, now_ms: i64) -> String {
    let count = settings.valid_links(now_ms).filter(|link| link.actor == actor).count();
    format!("Links for {}: {count}.", name(actor))
}

/// Returns the name of an actor in notes.
pub fn name(actor: As) -> String {
    match actor {
        As::Seat(seat) => format!("seat {}", seat.0),
        As::Table => "the table".into(),
        As::Judge => "the judge".into(),
        As::Director => "the director".into(),
        As::Spectator => "spectators".into(),
    }
}

/// Returns the name of whoever makes a change, at the beginning of a sentence.
pub fn name_of_host(rights: HostRights) -> String {
    match rights {
        HostRights { is_of_link: false, .. } => "The director".into(),
        HostRights { actor: As::Spectator, .. } => "The host (a spectator)".into(),
        HostRights { actor, .. } => format!("The host ({})", name(actor)),
    }
}
