//! The surroundings of an answer of GameService: rights, tokens, keys.

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::game::Game;
use canasta_engine::token::Catalogue;

use crate::convert::field::Read;
use crate::fault::OrFault;

/// The game that a request is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameScope {
    Of(GameId),
    /// A new game whose id is not known yet.
    New,
    /// No game: the request's token names none, and cannot be opened.
    None,
}

impl GameScope {
    /// Returns the scope of a game that is to be created with this id, or with an id that the host draws if it is empty.
    pub fn of_id(id: &[u8]) -> Self {
        id.try_into().map_or(Self::New, |id| Self::Of(GameId(id)))
    }
}

/// The id and the secret of a new game.
pub struct GameSeeds {
    pub id: [u8; 16],
    /// The secret that all shuffles follow from.
    pub secret: [u8; 64],
}

/// The program that answers, on behalf of one caller. It decides who may ask and how states are kept from their holders; the
/// answers themselves are the same everywhere.
pub trait Host {
    /// Returns the prepared rule sets.
    fn catalogue(&self) -> &Catalogue;

    /// Checks that the caller may act for `who` in a game.
    ///
    /// # Errors
    /// If the caller may not.
    fn entitle(&self, who: As, game: GameScope) -> OrFault<()>;

    /// Opens the token of a state for all of `whom`, once the caller is known to be entitled to act for them in its game.
    ///
    /// # Errors
    /// If the caller is not entitled, or the token is not valid or has expired.
    fn open(&self, token: &[u8], whom: &[As]) -> OrFault<Box<Game>>;

    /// Opens the token of the earlier state that a ruling restores, which may have expired since.
    fn open_earlier(&self, token: &[u8], who: As) -> OrFault<Box<Game>>;

    /// Encodes a state as the token that the caller gets.
    fn encode(&self, state: &Game) -> Vec<u8>;

    /// Returns id and secret of a new game: derived from the bytes of a request that may be repeated, or drawn at random.
    ///
    /// # Errors
    /// If the host cannot derive them, or the source of randomness fails.
    fn seeds(&self, repeatable: Option<&[u8]>) -> OrFault<GameSeeds>;

    /// Checks that a new game may have this time of expiry, in ms since 1970; faults begin inside the field.
    ///
    /// # Errors
    /// If the time is over, or later than the host allows.
    fn may_expire(&self, expires_at_ms: Option<i64>) -> Read<()>;

    /// Whether the host has a key to sign logs with.
    fn has_key(&self) -> bool;

    /// Signs a state's log up to its last record; `None` if the host has no key.
    fn sign(&self, state: &Game) -> Option<String>;

    /// Notes that a rule refused the request, with this code first.
    fn refused(&self, _code: &str) {}
}
