//! Who calls, and what that identity may: docs/IDENTITIES.md.
//!
//! The door before every method turns credentials into a [`Caller`]; methods hand it to the desk, which asks it
//! before it looks into a state. Modules in reading order: `grant` (games and roles), `api_key`, `jwt`,
//! `verified` (tokens known from before),
//! `certificate`, `file` (all identities), `credentials` (who shows them), `door`.

mod api_key;
mod certificate;
mod credentials;
mod fields;
mod file;
mod grant;
mod jwt;
mod verified;

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;

use crate::outside::Clock;
use crate::status::Fault;
use crate::tally::Tally;

pub use api_key::ApiKey;
pub use certificate::Names;
pub use file::{Identities, IdentitiesError};
pub use grant::Grant;

/// Who asks.
#[derive(Clone, Debug)]
pub enum Caller {
    /// Callers are not told apart: only a trusted back end reaches the port.
    Trusted,
    /// One that has shown who it is.
    Known(Arc<Identity>),
}

/// One that has shown who it is.
#[derive(PartialEq, Eq, Debug)]
pub struct Identity {
    /// What operators call it; never secret.
    pub name: String,
    /// What it may.
    pub grant: Grant,
    /// When its credentials stop being good, ms since 1970.
    pub until_ms: Option<i64>,
}

/// What a caller wants to touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Game {
    /// The game of this id.
    Of(GameId),
    /// One whose id is not known yet.
    New,
    /// None: what should be a token names no game, and no state will come of it.
    None,
}

impl Caller {
    /// Takes the caller out of a request that the door has let through.
    ///
    /// # Errors
    /// If the door has not: then nobody is asking.
    pub fn split<T>(request: tonic::Request<T>) -> Result<(Self, T), Fault> {
        let caller = request.extensions().get::<Self>().cloned().ok_or(Fault::Unauthenticated)?;
        Ok((caller, request.into_inner()))
    }

    /// Whether credentials are still good; those of a long stream may run out.
    pub(crate) fn is_over(&self, clock: Clock) -> bool {
        // Most are not bound in time: then the clock is not read.
        matches!(self, Self::Known(identity) if identity.until_ms.is_some_and(|until| until <= clock()))
    }

    /// Whether it may act for anybody in `game`.
    pub(crate) fn may_open(&self, game: Game) -> Result<(), Denial> {
        match self {
            Self::Known(identity) if !identity.grant.covers(game) => Err(Denial::Game),
            Self::Trusted | Self::Known(_) => Ok(()),
        }
    }

    /// Whether it may act for `who` in `game`.
    pub(crate) fn may(&self, who: As, game: Game) -> Result<(), Denial> {
        match self {
            Self::Trusted => Ok(()),
            Self::Known(identity) if !identity.grant.acts_as(who) => Err(Denial::Role),
            Self::Known(identity) if !identity.grant.covers(game) => Err(Denial::Game),
            Self::Known(_) => Ok(()),
        }
    }
}

/// Why a caller is turned away. Callers learn of two kinds only: not authenticated, and not entitled; operators
/// learn which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Denial {
    /// No credentials came.
    None,
    /// Credentials of two kinds came, or twice.
    Ambiguous,
    /// No such API key.
    ApiKey,
    /// No certificate of these names.
    Certificate,
    /// It is no token.
    TokenForm,
    /// No such issuer of tokens.
    TokenIssuer,
    /// No such key of the issuer.
    TokenKey,
    /// It names another algorithm than its key has.
    TokenAlgorithm,
    /// Its signature does not hold.
    TokenSignature,
    /// It is over, or not yet good.
    TokenTime,
    /// It is for somebody else.
    TokenAudience,
    /// It does not say until when it is good, or what its bearer may.
    TokenClaims,
    /// Entitled to neither this seat nor role.
    Role,
    /// Not entitled to this game.
    Game,
}

/// How often callers were turned away, by reason.
#[derive(Debug)]
pub struct Denials(Tally<14>);

impl Default for Denials {
    fn default() -> Self {
        Self(Tally::new([
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
            "token audience",
            "token claims",
            "not this role",
            "not this game",
        ]))
    }
}

impl Denials {
    /// Counts one.
    pub fn count(&self, denial: Denial) {
        self.0.count(denial as usize);
    }

    /// How often it was this one.
    pub fn of(&self, denial: Denial) -> u64 {
        self.0.of(denial as usize)
    }

    /// Every reason and its count.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.all()
    }

    /// `3 ambiguous, 1 not this game`; empty if there were none.
    pub fn summary(&self) -> String {
        self.0.summary()
    }
}
