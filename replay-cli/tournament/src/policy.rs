//! The policy of a tournament: what it promises, as a file that everybody has before the first card.

use crate::checkpoint::check_origin;
use crate::cosign::WitnessKey;
use crate::files::read_text;
use crate::note::NoteVerifier;
use anyhow::{Context, ensure};
use canasta_engine::hex::unhex;
use canasta_engine::log::codes::DEAL_MODES;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use std::collections::BTreeMap;
use std::path::Path;

/// The name and version of the format.
const FORMAT: &str = "canasta-policy/1";
/// Maximum size of a policy, in bytes.
const BYTES_MAX: u64 = 1 << 20;

/// The promises of a tournament. What is absent is not promised.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentPolicy {
    format: String,
    /// The promises about the deals of every game.
    #[serde(default)]
    pub deals: DealPolicy,
    /// The part of the seats in every action.
    #[serde(default)]
    pub actions: Signing,
    /// Whether a signed sheet may stand for a game without a log.
    #[serde(default = "allowed")]
    pub sheets: bool,
    #[serde(default)]
    pub director: DirectorPolicy,
    #[serde(default)]
    pub tree: TreePolicy,
    #[serde(default)]
    pub witnesses: WitnessPolicy,
    /// The register of players: each name with the Ed25519 keys that its signatures are made with.
    #[serde(default)]
    pub players: BTreeMap<String, Vec<SeatKey>>,
}

/// The promises about the deals of every game.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DealPolicy {
    /// The names of the deal modes that games may have; empty: any.
    pub modes: Vec<String>,
    /// The part of the seats in every deal.
    pub contributions: Contributions,
    /// The chains of which every deal has a beacon, as hex; empty: none is promised.
    #[serde(deserialize_with = "chains")]
    pub beacons: Vec<[u8; 32]>,
    /// Maximum number of voided deals per game.
    pub max_voided: Option<u32>,
}

/// The part of the seats in every deal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Contributions {
    /// Nothing is promised.
    #[default]
    Any,
    /// A value of every seat goes into every deal.
    Given,
    /// A value of every seat goes into every deal, and the seat has signed its commitment.
    Signed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Signing {
    /// Nothing is promised.
    #[default]
    Any,
    Signed,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DirectorPolicy {
    /// The Ed25519 keys that sign rulings.
    pub keys: Vec<SeatKey>,
    /// The promise that every ruling of the director is signed with one of them.
    pub rulings: Signing,
}

/// The moment before which a game is opened in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpenedBefore {
    /// The first card is dealt.
    Deal,
}

/// The pace at which the heads of games in progress are fixed.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HeadsEvery {
    /// Maximum number of records by which a game grows between two leaves that fix its head.
    pub records: Option<u64>,
    /// Maximum time between two leaves with the heads of games in progress, in seconds.
    pub seconds: Option<u32>,
}

/// The promises about the tree of a tournament.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TreePolicy {
    /// The name of the tournament.
    pub origin: Option<String>,
    /// The keys that sign every checkpoint.
    pub keys: Vec<NoteVerifier>,
    /// Whether every game is opened in the tree before it is closed, and no game is opened that was not announced.
    pub opened: bool,
    /// The moment before which every game is opened; it promises `opened` too.
    pub opened_before: Option<OpenedBefore>,
    /// Maximum time from the opening of a game to its close or void, in minutes.
    pub close_within: Option<u32>,
    /// The pace at which the heads of games in progress are fixed.
    pub heads_every: HeadsEvery,
    /// Another name of `heads_every.seconds`.
    pub(crate) heads_within: Option<u32>,
    /// Maximum number of games that are voided.
    pub max_voided_games: Option<u64>,
    /// Maximum number of records that a game has when it is voided.
    pub voids_after: Option<u64>,
    /// Maximum age of the checkpoint on the clock of whoever audits while the tournament goes on, in seconds.
    pub checkpoint_within: Option<u32>,
}

impl TreePolicy {
    /// Returns whether every game is opened in the tree before it is closed.
    pub fn must_open(&self) -> bool {
        self.opened || self.opened_before.is_some()
    }
}

/// The promises about witnesses, who sign that every checkpoint goes on from the last one they saw.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WitnessPolicy {
    pub keys: Vec<WitnessKey>,
    /// Minimum number of witnesses that have signed the checkpoint.
    pub quorum: usize,
    /// Maximum time from what a leaf claims to the signature of the last witness of the quorum, in seconds.
    pub cosigned_within: Option<u32>,
}

fn allowed() -> bool {
    true
}

/// The public key of a seat, 64 hex digits in a policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeatKey(pub [u8; 32]);

impl<'d> Deserialize<'d> for SeatKey {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
        hex32(&String::deserialize(from)?).map(Self).map_err(D::Error::custom)
    }
}

fn chains<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<[u8; 32]>, D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    texts.iter().map(|text| hex32(text).map_err(D::Error::custom)).collect()
}

fn hex32(text: &str) -> Result<[u8; 32], String> {
    let bytes = unhex(text);
    bytes.ok_or_else(|| format!("expected 64 lower-case hex digits, found {text:?}"))
}

impl TournamentPolicy {
    /// Reads a policy from a file.
    ///
    /// # Errors
    /// If the file cannot be read, is longer than 1 MiB, or is not a policy.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        Self::parse(&read_text(path, BYTES_MAX)?).with_context(|| path.display().to_string())
    }

    /// Reads the policy that an option names, if it names one.
    ///
    /// # Errors
    /// As [`TournamentPolicy::read`].
    pub fn named(option: Option<&Path>) -> anyhow::Result<Option<Self>> {
        option.map(Self::read).transpose()
    }

    /// Parses a policy.
    ///
    /// # Errors
    /// If the text is not a policy, or promises what cannot be.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let mut policy: Self = toml::from_str(text)?;
        ensure!(policy.format == FORMAT, "format: expected {FORMAT:?}, found {:?}", policy.format);
        let modes = DEAL_MODES.map(|(_, mode)| mode);
        if let Some(mode) = policy.deals.modes.iter().find(|mode| !modes.contains(&mode.as_str())) {
            anyhow::bail!("deals.modes: expected some of {}, found {mode:?}", modes.join(", "));
        }
        if let Some(origin) = &policy.tree.origin {
            check_origin(origin).context("tree.origin")?;
        }
        let (quorum, witnesses) = (policy.witnesses.quorum, policy.witnesses.keys.len());
        ensure!(
            quorum <= witnesses,
            "witnesses.quorum: expected at most the {witnesses} keys, found {quorum}"
        );
        for (place, key) in policy.witnesses.keys.iter().enumerate() {
            let is_again = policy.witnesses.keys[..place].iter().any(|other| other.bytes() == key.bytes());
            ensure!(!is_again, "witnesses.keys: the key of {} is there twice", key.name());
        }
        policy.check_promises()?;
        if let Some(seconds) = policy.tree.heads_within {
            policy.tree.heads_every.seconds = Some(seconds);
        }
        Ok(policy)
    }

    /// Checks that no promise contradicts another or can never be kept.
    fn check_promises(&self) -> anyhow::Result<()> {
        let Self { deals, tree, witnesses, director, .. } = self;
        let gives = deals.contributions > Contributions::Any || !deals.beacons.is_empty();
        ensure!(
            !gives || deals.modes.is_empty() || deals.modes == ["committed"],
            "deals.modes: expected [\"committed\"], which alone has contributions and beacons, found {:?}",
            deals.modes
        );
        let is_twice = tree.heads_within.is_some() && tree.heads_every.seconds.is_some();
        ensure!(
            !is_twice,
            "tree.heads_within: expected it or heads_every.seconds, which is the same, found both"
        );
        ensure!(
            tree.heads_every.records != Some(0),
            "tree.heads_every.records: expected at least 1, found 0"
        );
        let is_void = tree.max_voided_games == Some(0) && tree.voids_after.is_some();
        ensure!(!is_void, "tree.voids_after: expected none, because max_voided_games = 0 forbids all voids");
        ensure!(
            witnesses.cosigned_within.is_none() || witnesses.quorum > 0,
            "witnesses.cosigned_within: expected a quorum of at least 1 that signs within this time, found none"
        );
        ensure!(
            director.rulings == Signing::Any || !director.keys.is_empty(),
            "director.rulings: expected director.keys, with which rulings are signed, found none"
        );
        Ok(())
    }

    /// Returns whether a key is registered for a player; `None` if the policy registers nobody.
    pub fn is_players(&self, name: &str, key: Option<&[u8; 32]>) -> Option<bool> {
        if self.players.is_empty() {
            return None;
        }
        let registered = self.players.get(name).map_or(&[][..], Vec::as_slice);
        Some(key.is_some_and(|key| registered.contains(&SeatKey(*key))))
    }
}
