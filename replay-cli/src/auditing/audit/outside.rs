//! The knowledge from outside a log: keys, and the promises of a tournament.

use canasta_tournament::note::NoteVerifier;
use canasta_tournament::policy::TournamentPolicy;

/// The knowledge from outside the log.
#[derive(Clone, Copy, Default)]
pub struct Outside<'a> {
    /// The keys that the caller named, and those of the tournament's tree.
    pub keys: &'a [NoteVerifier],
    /// Number of the keys, from the first, that must have signed every log. A tree's keys sign the tree, and a log that
    /// somebody holds alone need not show that.
    pub demanded: usize,
    /// The promises of the tournament.
    pub policy: Option<&'a TournamentPolicy>,
    /// Whether the command has options that name the keys of players.
    pub names_players: bool,
}

impl Outside<'_> {
    /// Whether a player's key is known from outside the log.
    pub fn knows(&self, name: &str, key: &[u8; 32]) -> bool {
        let is_named = self.keys.iter().any(|known| known.bytes() == key);
        is_named || self.policy.and_then(|policy| policy.is_players(name, Some(key))) == Some(true)
    }
}
