//! The recorder's metric instruments. docs/RECORDING.md lists them; deploy/ uses their names. They tell nothing of a game.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use canasta_serve::outside::lock;
use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter};

use crate::journal::{JournalFigures, StoreError};
use crate::marks::MarkStatus;

/// Bounds of the buckets of appends, in seconds: most wait for a disk.
const SECONDS: [f64; 12] = [5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 0.1, 0.25, 1.0, 2.5, 10.0];
/// Interval at which the figures of the journal are read.
pub const FIGURES: Duration = Duration::from_secs(10);

pub struct RecordMetrics {
    appends: Histogram<f64>,
    doubts: Counter<u64>,
    conflicts: Counter<u64>,
    skipped: Counter<u64>,
    watchers: Arc<AtomicI64>,
    figures: Arc<Mutex<(JournalFigures, i64)>>,
}

/// An open Watch or WatchGames, as long as it is counted.
pub struct CountedWatcher(Arc<AtomicI64>);

impl Drop for CountedWatcher {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl RecordMetrics {
    /// Returns the instruments of a meter.
    pub fn new(meter: &Meter) -> Self {
        let (watchers, figures) = <(Arc<AtomicI64>, Arc<Mutex<(JournalFigures, i64)>>)>::default();
        observe(meter, &watchers, &figures);
        let counter = |name, unit, what| counter(meter, name, unit, what);
        Self {
            appends: seconds(
                meter,
                "canasta.record.append.duration",
                "Until an entry is known to be stored, or not, by result",
                &SECONDS,
            ),
            doubts: counter("canasta.record.doubts", "{append}", "Appends that were in doubt at first"),
            conflicts: counter("canasta.record.conflicts", "{append}", "Appends that lost against a rival"),
            skipped: counter("canasta.record.watch.skipped", "{entry}", "Entries that slow watchers skipped"),
            watchers,
            figures,
        }
    }

    /// Registers what marks tell, to be read when an export is due.
    pub fn observe_marks(meter: &Meter, marks: &MarkStatus) {
        let (behind, refused) = (marks.clone(), marks.clone());
        let gauge =
            |name, unit, what| meter.f64_observable_gauge(name).with_unit(unit).with_description(what);
        gauge("canasta.record.marks.behind", "s", "Age of the oldest change that no mark tells of")
            .with_callback(move |observer| observer.observe(behind.behind_ms() as f64 / 1000.0, &[]))
            .build();
        gauge("canasta.record.shards.refused", "{shard}", "Shards that lack records which were acknowledged")
            .with_callback(move |observer| observer.observe(refused.refused() as f64, &[]))
            .build();
    }

    pub fn append<T>(&self, stored: &Result<T, StoreError>, doubts: u32, took: Duration) {
        let result = match stored {
            Ok(_) => "stored",
            Err(StoreError::Conflict) => "conflict",
            Err(StoreError::Full) => "full",
            Err(StoreError::Unavailable) => "unavailable",
            Err(StoreError::Damaged(_)) => "damaged",
        };
        self.appends.record(took.as_secs_f64(), &[KeyValue::new("result", result)]);
        if doubts > 0 {
            self.doubts.add(1, &[]);
        }
        if result == "conflict" {
            self.conflicts.add(1, &[]);
        }
    }

    /// Counts entries that a slow watcher skipped.
    pub fn skip(&self, entries: u64) {
        self.skipped.add(entries, &[]);
    }

    /// Counts a watcher until the answer is dropped.
    pub fn watcher(&self) -> CountedWatcher {
        self.watchers.fetch_add(1, Ordering::Relaxed);
        CountedWatcher(Arc::clone(&self.watchers))
    }

    /// Keeps what the journal told of itself at this time, in ms since 1970.
    pub fn keep(&self, figures: JournalFigures, now_ms: i64) {
        *lock(&self.figures) = (figures, now_ms);
    }
}

/// Returns a counter, which is exported before anything is counted.
pub fn counter(meter: &Meter, name: &'static str, unit: &'static str, what: &'static str) -> Counter<u64> {
    let counter = meter.u64_counter(name).with_unit(unit).with_description(what).build();
    counter.add(0, &[]);
    counter
}

/// Returns a histogram of durations.
pub fn seconds(meter: &Meter, name: &'static str, what: &'static str, bounds: &[f64]) -> Histogram<f64> {
    let histogram = meter.f64_histogram(name).with_unit("s").with_description(what);
    histogram.with_boundaries(bounds.to_vec()).build()
}

/// Returns one figure of those that the journal told at a time, in ms since 1970.
type FigureOf = fn(&JournalFigures, i64) -> f64;

/// Registers the instruments that are read when an export is due.
fn observe(meter: &Meter, watchers: &Arc<AtomicI64>, figures: &Arc<Mutex<(JournalFigures, i64)>>) {
    let watchers = Arc::clone(watchers);
    let open = meter.i64_observable_up_down_counter("canasta.record.watchers").with_unit("{stream}");
    open.with_description("Open streams of Watch and WatchGames")
        .with_callback(move |observer| observer.observe(watchers.load(Ordering::Relaxed), &[]))
        .build();
    let gauges: [(&'static str, &'static str, &'static str, FigureOf); 5] = [
        ("canasta.record.games.live", "{game}", "Games without a result", |now, _| now.live as f64),
        ("canasta.record.queue.age", "s", "Age of the oldest ended game without a verdict", |now, at_ms| {
            now.waiting_since_ms.map_or(0, |since| at_ms.saturating_sub(since).max(0)) as f64 / 1000.0
        }),
        ("canasta.record.stuck", "{game}", "Games whose audit has failed five times", |now, _| {
            now.stuck as f64
        }),
        ("canasta.record.store.used", "1", "Used share of the store", |now, _| {
            f64::from(now.used_permille) / 1000.0
        }),
        (
            "canasta.record.sync.trusted",
            "1",
            "1 if nobody knows that the journal writes before it acknowledges",
            |now, _| u8::from(now.is_unproven).into(),
        ),
    ];
    for (name, unit, what, of) in gauges {
        let figures = Arc::clone(figures);
        meter
            .f64_observable_gauge(name)
            .with_unit(unit)
            .with_description(what)
            .with_callback(move |observer| {
                let (now, at_ms) = *lock(&figures);
                observer.observe(of(&now, at_ms), &[]);
            })
            .build();
    }
}
