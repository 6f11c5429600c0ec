//! Sightings of a tree by witnesses: their cosignatures of every kept checkpoint.

use crate::cosign::Cosigned;
use crate::fault::{ENTRIES, FaultKind, SiteFault};
use crate::policy::WitnessPolicy;
use crate::site::CHECKPOINT;
use crate::text::duration;

/// Difference of two clocks that nobody has to explain, in seconds and in milliseconds.
const TOLERANCE: u64 = 60;
pub(crate) const TOLERANCE_MS: i64 = TOLERANCE as i64 * 1_000;

/// The cosignatures of a tree by the witnesses of a policy, as they are read, the smaller trees first.
pub struct Sightings<'a> {
    policy: &'a WitnessPolicy,
    /// Sizes of trees with the times at which each witness had seen them, in seconds since 1970; both grow. A cosignature
    /// that says nothing new is not kept.
    seen: Vec<Vec<(u64, u64)>>,
    /// The latest time of each witness so far.
    latest: Vec<u64>,
}

/// The times at which the quorum of the witnesses had seen each leaf of a tree.
#[derive(Default)]
pub struct SightedTree {
    /// Number of witnesses that a time needs.
    pub quorum: usize,
    /// Sizes of trees with the times by which the quorum had seen them, in seconds since 1970; both grow.
    steps: Vec<(u64, u64)>,
}

impl<'a> Sightings<'a> {
    /// Returns no sightings by the witnesses of a policy.
    pub fn new(policy: &'a WitnessPolicy) -> Self {
        let witnesses = policy.keys.len();
        Self { policy, seen: vec![Vec::new(); witnesses], latest: vec![0; witnesses] }
    }

    /// Verifies the cosignatures of a checkpoint, by witness.
    pub fn open(&self, note: &str) -> Vec<Cosigned> {
        self.policy.keys.iter().map(|key| key.open(note)).collect()
    }

    /// Takes the verified cosignatures of a checkpoint, and returns the names of the witnesses with their times. `file` is the
    /// name for faults.
    pub fn take(
        &mut self,
        cosigned: &[Cosigned],
        size: u64,
        file: &str,
        faults: &mut Vec<SiteFault>,
    ) -> Vec<(String, u64)> {
        let mut found = Vec::new();
        for (place, (key, cosigned)) in self.policy.keys.iter().zip(cosigned).enumerate() {
            let detail = match *cosigned {
                Cosigned::Absent => continue,
                Cosigned::Forged => {
                    format!("the cosignature by {} of {size} entries does not verify", key.name())
                }
                Cosigned::At(time) => {
                    let before = self.latest[place];
                    self.latest[place] = before.max(time);
                    self.see(place, size, time);
                    found.push((key.name().to_owned(), time));
                    let Some(back) = before.checked_sub(time).filter(|&back| back > TOLERANCE) else {
                        continue;
                    };
                    let name = key.name();
                    format!(
                        "{name} cosigned {size} entries {back} s before the time at which it cosigned fewer"
                    )
                }
            };
            faults.push(SiteFault::new(FaultKind::Witness, file, detail));
        }
        found
    }

    /// Keeps the time at which a witness had seen a tree, and so every smaller one.
    fn see(&mut self, place: usize, size: u64, time: u64) {
        let seen = &mut self.seen[place];
        while seen.last().is_some_and(|&(_, before)| before >= time) {
            seen.pop();
        }
        if seen.last().is_none_or(|&(smaller, _)| smaller < size) {
            seen.push((size, time));
        }
    }

    /// Returns when the quorum had seen each leaf; one witness if the policy demands none.
    pub fn settle(mut self) -> SightedTree {
        let quorum = self.policy.quorum.max(1);
        let mut earliest = vec![u64::MAX; self.policy.keys.len()];
        let mut steps: Vec<(u64, u64)> = Vec::new();
        // A witness that saw a tree saw every smaller one by then.
        while let Some(size) = self.seen.iter().filter_map(|seen| Some(seen.last()?.0)).max() {
            for (seen, earliest) in self.seen.iter_mut().zip(&mut earliest) {
                if let Some((_, time)) = seen.pop_if(|(last, _)| *last == size) {
                    *earliest = time;
                }
            }
            let mut times = earliest.clone();
            times.sort_unstable();
            let by = times.get(quorum - 1).copied().filter(|&time| time < u64::MAX);
            let is_new = |by: &u64| steps.last().is_none_or(|(_, known)| known != by);
            steps.extend(by.filter(is_new).map(|by| (size, by)));
        }
        steps.reverse();
        SightedTree { quorum, steps }
    }
}

impl SightedTree {
    /// Returns the time by which the quorum had seen a leaf, in seconds since 1970.
    pub fn seen(&self, index: u64) -> Option<u64> {
        let place = self.steps.partition_point(|(size, _)| *size <= index);
        self.steps.get(place).map(|(_, time)| *time)
    }

    /// Returns the longest time from what a leaf claims to the signatures of its witnesses, in milliseconds; `None` if there
    /// is a leaf that they have not seen, or no leaf claims a time. Adds the faults of leaves that claim other times than the
    /// witnesses signed: at most one of each kind, at the leaf that is farthest off. `times` are those that leaves claim, `now_ms` is the clock of whoever audits.
    pub fn behind_ms(
        &self,
        times: &[(u64, i64)],
        policy: &WitnessPolicy,
        now_ms: i64,
        faults: &mut Vec<SiteFault>,
    ) -> Option<i64> {
        let within = policy.cosigned_within.map(|seconds| i64::from(seconds) * 1_000);
        let (mut behind, mut are_seen) = (None, true);
        let (mut early, mut late, mut unseen) =
            (Farthest::default(), Farthest::default(), Farthest::default());
        for &(index, at_ms) in times {
            let seen_ms =
                self.seen(index).and_then(|seconds| i64::try_from(seconds).ok()?.checked_mul(1_000));
            are_seen &= seen_ms.is_some();
            behind = behind.max(seen_ms.map(|seen_ms| seen_ms.saturating_sub(at_ms)));
            match (seen_ms, within) {
                (Some(seen_ms), _) if at_ms.saturating_sub(seen_ms) > TOLERANCE_MS => {
                    early.take(index, at_ms.saturating_sub(seen_ms));
                }
                (Some(seen_ms), Some(within)) if seen_ms.saturating_sub(at_ms) > within => {
                    late.take(index, seen_ms.saturating_sub(at_ms));
                }
                (None, Some(within)) if now_ms.saturating_sub(at_ms) > within => {
                    unseen.take(index, now_ms.saturating_sub(at_ms));
                }
                _ => {}
            }
        }
        let promised = policy.cosigned_within.unwrap_or_default();
        let found = [
            early.fault(FaultKind::Time, |off| format!("it claims a time {off} later than its witnesses signed the tree that has it")),
            late.fault(FaultKind::Time, |off| {
                format!("its witnesses signed the tree that has it {off} after the time that it claims, and the policy promises {promised} s")
            }),
            unseen.fault(FaultKind::Witness, |off| {
                format!("it claims a time {off} ago, and {} witnesses of the policy have not signed a tree that has it within {promised} s", self.quorum)
            }),
        ];
        faults.extend(found.into_iter().flatten());
        behind.filter(|_| are_seen)
    }
}

/// The leaf that is farthest off, and the number of those that are.
#[derive(Default)]
struct Farthest {
    index: u64,
    off_ms: i64,
    leaves: u64,
}

impl Farthest {
    fn take(&mut self, index: u64, off_ms: i64) {
        self.leaves += 1;
        if off_ms > self.off_ms {
            (self.index, self.off_ms) = (index, off_ms);
        }
    }

    fn fault(self, kind: FaultKind, say: impl Fn(String) -> String) -> Option<SiteFault> {
        let others = match self.leaves {
            0 => return None,
            1 => String::new(),
            leaves => format!("; so do {} others, by less", leaves - 1),
        };
        let detail = say(duration(self.off_ms)) + &others;
        let file = if kind == FaultKind::Time { ENTRIES } else { CHECKPOINT };
        Some(SiteFault::new(kind, file, detail).at(self.index))
    }
}
