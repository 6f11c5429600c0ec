//! The report of an audit, and the expectations that it is compared with.

use super::transcribed::Unknown;
use crate::finding::{DealVerdict, Finding, Verdict};
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use canasta_log::Head;
use canasta_log::record::Genesis;
use canasta_rules::action::Ruling;
use canasta_rules::scoring::GameResult;
use canasta_rules::seat::{SEATS_MAX, Seat};

/// Maximum number of heads that are kept from the end of a game on.
pub(super) const ENDS_MAX: usize = 1_024;

/// The caller's knowledge about the log from other sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Expect {
    /// Whether the game may still be in progress.
    pub live: bool,
    /// The head that the log's last record must have.
    pub head: Option<Head>,
    /// The number and the head of a record that must be there.
    pub record: Option<(u64, Head)>,
    /// Whether to read on after a fault. All findings there are marked as unproven.
    pub salvage: bool,
}

/// Counts of a player's actions and of the signed ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Signed {
    /// Number of actions of the player.
    pub actions: u64,
    /// Number of these actions that have a signature.
    pub signed: u64,
    /// Number of the last record with an action that has a signature.
    pub last: Option<u64>,
}

/// The origin of a game's deals: the persons who could have chosen the cards. The draw for seats, deals that were
/// voided and deals that are not revealed are not counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DealOrigins {
    /// Number of deals.
    pub deals: u32,
    /// Number of these deals into which nothing went but the dealer's secret, or a given wall.
    pub alone: u32,
    /// Number of these deals into which every seat's value went.
    pub complete: u32,
    /// Number of seats' values that went into these deals.
    pub values: u32,
    /// Number of these values whose commitment is signed with the seat's key.
    pub signed: u32,
    /// Number of these deals into which a beacon's value went.
    pub beacons: u32,
    /// Number of these deals into which a beacon's value went, and no seat's.
    pub by_beacon: u32,
    /// The chains of these beacons, each once, in the order of the log.
    pub chains: Vec<[u8; 32]>,
    /// Whether cards were drawn for seats or for the first dealer: nobody but the dealer contributes to that draw.
    pub drawn: bool,
    /// The values that each player owed to deals, voided ones included, by place in the genesis.
    pub owed: [Owed; SEATS_MAX],
}

/// Counts of the values that a player owed to deals, by the commitments that the player registered, and of those that the
/// player kept back. Without a beacon that voids the deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Owed {
    /// Number of values that the player committed to.
    pub values: u32,
    /// Number of these values that are not in the deal.
    pub kept_back: u32,
}

/// The amount that a salvaging audit read after the first fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Salvaged {
    /// Number of records that were read there.
    pub records: u64,
    /// Number of bytes that hold no record.
    pub passed_over: u64,
}

/// The outcome of an audit.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The first record, if it could be decoded.
    pub genesis: Option<Genesis>,
    /// Number of records in the good prefix, whose framing and chain are correct.
    pub records: u64,
    /// Number of bytes of the good prefix.
    pub bytes: u64,
    /// Head of the last record of the good prefix.
    pub head: Head,
    /// Number of accepted actions.
    pub actions: u64,
    /// Number of actions that have a seat's signature.
    pub signed_actions: u64,
    /// Number of signatures under rulings that are present, and not verified: the position that the ruling lets stand
    /// is masked.
    pub unverified: u64,
    /// The actions of each player, by place in the genesis.
    pub signed: [Signed; SEATS_MAX],
    /// Number of the last record that decides anything: genesis, a register or an action. Records of other kinds follow
    /// from those before them, or change nothing in the game.
    pub decided: u64,
    /// The origin of the deals.
    pub origins: DealOrigins,
    /// Number of recorded refusals.
    pub refusals: u64,
    /// Number of rulings, without automatic rulings by the rules.
    pub rulings: u64,
    /// The first of these rulings, at most 256, with the numbers of their records. A position that stands is left out.
    pub ruled: Vec<(u64, Ruling)>,
    /// Number of notes and checkpoints.
    pub remarks: u64,
    /// Number of rounds that ended, without voided deals.
    pub rounds: u32,
    /// Number of voided deals.
    pub voided: u32,
    /// The first round that is judged from the scores as declared.
    pub conditional_from: Option<u32>,
    /// The player on each seat, by place in the genesis.
    pub seating: Vec<Seat>,
    /// Totals by side (or seat) at the end.
    pub totals: Vec<i64>,
    /// The result, if the game has ended.
    pub result: Option<GameResult>,
    /// Heads of the record that ended the game and of those behind it; at most 1,024. What stands behind the end
    /// (rulings, notes, checkpoints) makes no other game.
    pub ends: Vec<Head>,
    /// Whether the head was compared with an expected one.
    pub head_checked: bool,
    /// The findings in the order of the log; at most 256.
    pub findings: Vec<Finding>,
    /// Number of findings beyond these.
    pub left_off: u64,
    /// The verdict that follows from the findings.
    pub verdict: Verdict,
    /// The verdict on the deals.
    pub deal: DealVerdict,
    /// The round whose cards the log does not reveal yet; its play is not judged.
    pub open_round: Option<u16>,
    /// Rounds of a transcript in which some cards are unknown; at most 256.
    pub unknown: Vec<Unknown>,
    /// Number of such rounds beyond these.
    pub unknown_left_off: u32,
    /// The amount read after the first fault; `None` if there is no fault, or salvage was not requested.
    pub salvaged: Option<Salvaged>,
}

impl Report {
    /// Whether the game was taken up from a position, and not dealt (IR-113).
    pub fn is_taken_up(&self) -> bool {
        self.ruled.first().is_some_and(|(_, ruling)| ruling.takes_up())
    }

    /// Returns why the game counts nowhere, if it does not: it is a branch, or was taken up from a position.
    pub fn uncounted(&self) -> Option<String> {
        let fork = self.genesis.as_ref().and_then(|genesis| genesis.fork_of);
        let taken_up = || String::from("taken up from a position, and not dealt (IR-113)");
        fork.map(|fork| fork.to_string()).or_else(|| self.is_taken_up().then(taken_up))
    }

    /// Adds a finding of the caller, from outside the log.
    pub fn find(&mut self, finding: Finding) {
        self.verdict = self.verdict.min(Verdict::of(finding.kind));
        self.findings.push(finding);
    }
}
