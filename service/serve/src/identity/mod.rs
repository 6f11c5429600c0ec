//! Callers and their rights (docs/operate/IDENTITIES.md).
//!
//! The authenticator in `layers` turns the credentials of a request into a [`Caller`]. Methods pass the
//! caller to the request context, which checks its rights before it opens a state. Modules in reading order:
//! `grant` (games and roles), `api_key`, `jwt`, `jwks` (published keys), `verified` (cache of verified tokens), `certificate`, `file`
//! (all identities), `credentials`, `link` (tokens of a recorder).

mod api_key;
mod certificate;
mod credentials;
mod fields;
mod file;
mod grant;
mod jwks;
mod jwt;
mod link;
mod verified;

use std::net::IpAddr;
use std::sync::Arc;

use canasta_engine::action::As;
use canasta_messages::fault::RequestFault;
use canasta_messages::host::GameScope;

use crate::OrFault;
use crate::counters::{CountedReason, ReasonCounts};
use crate::outside::Clock;

pub use api_key::ApiKey;
pub use certificate::CertificateNames;
pub use file::{Identities, IdentitiesError};
pub use grant::{Grant, role_name};
pub use link::{LINK_LIFETIME_MS, LinkGrant};

#[derive(Clone, Debug)]
pub enum Caller {
    /// Any caller: callers are not authenticated, since only a trusted back end reaches the port.
    Trusted,
    /// A caller without credentials on a port that anybody reaches, who may create a room and nothing else.
    Guest,
    Known(Arc<Identity>),
}

#[derive(PartialEq, Eq, Debug)]
pub struct Identity {
    /// Name for operators and for shares; never secret.
    pub name: Arc<IdentityName>,
    pub grant: Grant,
    /// Time at which the credentials expire, in ms since 1970; `None`: never.
    pub until_ms: Option<i64>,
    /// The link that was shown, if the credentials are one.
    pub link: Option<LinkGrant>,
}

impl Identity {
    pub fn of_link(link: LinkGrant) -> Self {
        let name = canasta_engine::hex::hex(&link.token_id);
        let name = IdentityName { kind: CredentialKind::Token, issuer: link::LINK_ISSUER.into(), name };
        let (grant, until_ms) = (Grant::of_one(link.game, link.actor), Some(link.expires_at_ms));
        Self { name: Arc::new(name), grant, until_ms, link: Some(link) }
    }
}

/// The name of an identity. Credentials of one name share what one caller may have.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct IdentityName {
    /// The credentials that the identity shows: an API key and a token's subject may be called alike.
    pub kind: CredentialKind,
    /// The issuer of the identity's tokens; empty for other credentials.
    pub issuer: String,
    /// The name in the identities file; of a token its subject, or its issuer if it has no subject.
    pub name: String,
}

/// The party whose share a request uses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CallerKey {
    /// This process, which has neither an address nor an identity.
    Local,
    /// An address, if callers are not authenticated; of IPv6 its /64 network.
    Peer(IpAddr),
    /// The holder of a link, which counts under the address that shows it as well.
    Link {
        /// The address; `None` in this process.
        peer: Option<IpAddr>,
        /// The id of the link's token.
        id: [u8; 16],
    },
    Identity(Arc<IdentityName>),
}

impl CallerKey {
    pub fn of_peer(peer: Option<IpAddr>) -> Self {
        peer.map_or(Self::Local, Self::Peer)
    }

    /// Returns the party whose share the caller's is a part of: its address, or the caller itself.
    pub fn party(&self) -> Self {
        match self {
            Self::Link { peer, .. } => Self::of_peer(*peer),
            other => other.clone(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CredentialKind {
    ApiKey,
    Certificate,
    Token,
}

impl Caller {
    /// Takes the caller out of a request that the authenticator has admitted.
    ///
    /// # Errors
    /// If the request has not passed the authenticator.
    pub fn split<T>(request: tonic::Request<T>) -> OrFault<(Self, T)> {
        let caller = request.extensions().get::<Self>().cloned().ok_or(RequestFault::Unauthenticated)?;
        Ok((caller, request.into_inner()))
    }

    /// Returns the link that the caller has shown, if its credentials are one.
    pub fn link(&self) -> Option<&LinkGrant> {
        match self {
            Self::Known(identity) => identity.link.as_ref(),
            Self::Trusted | Self::Guest => None,
        }
    }

    /// Whether the credentials have expired, as they may during a long stream.
    pub fn is_over(&self, clock: Clock) -> bool {
        // Most credentials do not expire: then the clock is not read.
        matches!(self, Self::Known(identity) if identity.until_ms.is_some_and(|until| until <= clock()))
    }

    pub fn may_open(&self, game: GameScope) -> Result<(), Denial> {
        match self {
            Self::Guest => Err(Denial::None),
            Self::Known(identity) if !identity.grant.covers(game) => Err(Denial::Game),
            Self::Trusted | Self::Known(_) => Ok(()),
        }
    }

    pub fn may(&self, who: As, game: GameScope) -> Result<(), Denial> {
        match self {
            Self::Known(identity) if !identity.grant.acts_as(who) => Err(Denial::Role),
            _ => self.may_open(game),
        }
    }
}

/// The reason why a caller is denied. Callers learn only whether they are unauthenticated or not entitled;
/// operators learn the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Denial {
    None,
    Ambiguous,
    ApiKey,
    Certificate,
    TokenForm,
    TokenIssuer,
    /// The token's key is not a key of its issuer.
    TokenKey,
    /// The token names another algorithm than its key's.
    TokenAlgorithm,
    TokenSignature,
    /// The token has expired, is not valid yet, or expires too late.
    TokenTime,
    /// The token's subject or id is revoked.
    TokenRevoked,
    TokenAudience,
    /// The token lacks its time of expiry or its rights.
    TokenClaims,
    /// The identity may act for neither this seat nor this role.
    Role,
    Game,
}

/// Counts of denied callers, by reason.
pub type Denials = ReasonCounts<Denial>;

impl CountedReason for Denial {
    const NAMES: &'static [&'static str] = &[
        "no credentials",
        "ambiguous",
        "unknown API key",
        "unknown certificate",
        "malformed token",
        "unknown issuer",
        "unknown token key",
        "wrong algorithm",
        "wrong signature",
        "token time",
        "token revoked",
        "token audience",
        "token claims",
        "not this role",
        "not this game",
    ];

    fn place(self) -> usize {
        self as usize
    }
}
