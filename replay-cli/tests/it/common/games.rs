//! Helpers of all tests that play games; the tests within the crate include this file too.

use canasta_engine::rules::{PresetId, Rules};
use std::sync::Arc;

/// A generator of small pseudorandom numbers.
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// Returns a preset with another target, so that games are as short as necessary.
pub fn short(preset: &str, target: i32) -> Arc<Rules> {
    let base = PresetId::from_name(preset).expect("a preset");
    let mut set = base.rule_set();
    set.target = target;
    Arc::new(Rules::house(base, set, Some("short")).expect("another target is playable"))
}
