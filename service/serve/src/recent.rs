//! A bounded map of what was used lately.

use std::collections::BTreeMap;

/// A map in two generations: an entry that is used moves to the young one. When the young one is full, it takes the place of
/// the old one, whose entries are evicted. So entries in use stay, and the map holds at most twice the weight of a
/// generation.
#[derive(Debug)]
pub struct RecentMap<K, V> {
    young: BTreeMap<K, (V, usize)>,
    old: BTreeMap<K, (V, usize)>,
    /// Sum of the weights of the young generation.
    weight: usize,
    /// Maximum weight of a generation.
    max: usize,
}

impl<K: Ord + Clone, V: Clone> RecentMap<K, V> {
    /// Returns an empty map whose generations have at most this weight each.
    pub fn new(max: usize) -> Self {
        Self { young: BTreeMap::new(), old: BTreeMap::new(), weight: 0, max }
    }

    /// Returns the value of a key, and notes that it is in use.
    pub fn get(&mut self, key: &K) -> Option<V> {
        if let Some((value, _)) = self.young.get(key) {
            return Some(value.clone());
        }
        let (value, weight) = self.old.remove(key)?;
        self.put(key.clone(), value.clone(), weight);
        Some(value)
    }

    pub fn put(&mut self, key: K, value: V, weight: usize) {
        if self.weight + weight > self.max && !self.young.contains_key(&key) {
            self.old = std::mem::take(&mut self.young);
            self.weight = 0;
        }
        self.weight += weight;
        if let Some((_, before)) = self.young.insert(key, (value, weight)) {
            self.weight -= before;
        }
    }

    /// Returns the number of entries of each generation.
    #[cfg(test)]
    pub fn sizes(&self) -> [usize; 2] {
        [self.young.len(), self.old.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_in_use_stay_and_the_weight_is_bounded() {
        let mut map = RecentMap::new(3);
        for key in 0..100 {
            map.put(key, key, 1);
            assert_eq!(map.get(&key), Some(key));
            assert_eq!(map.get(&0), Some(0), "used all the time, after {key}");
            assert!(map.sizes().iter().all(|size| *size <= 3));
        }
        assert_eq!(map.get(&50), None, "not used for long");
        map.put(0, 7, 1);
        assert_eq!(map.get(&0), Some(7), "the later value");
    }
}
