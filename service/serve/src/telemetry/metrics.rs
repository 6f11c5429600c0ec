//! The metric instruments. docs/OPERATIONS.md lists them; deploy/ uses their names.

use std::sync::Arc;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{AsyncInstrumentBuilder, Counter, Histogram, Meter, ObservableCounter};
use tonic::Code;

use super::counts::Counts;
use super::method::Method;
use super::{instant, rpc};
use crate::counters::TokenRefusals;
use crate::identity::Denials;

/// Bounds of the buckets of durations, in seconds: a request takes some 10 us.
const SECONDS: [f64; 14] =
    [1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 5e-2, 0.25, 1.0, 5.0];

/// The instruments that requests write to.
pub struct Metrics {
    /// Durations until the answers' heads: what the service takes.
    requests: Histogram<f64>,
    /// Durations until the answers' ends, under the name that OpenTelemetry gives this metric.
    calls: Histogram<f64>,
    /// Durations of engine work; `None` if nothing is exported: then no clock is read.
    engine: Option<Histogram<f64>>,
    refusals: Counter<u64>,
    faults: Counter<u64>,
}

impl Metrics {
    pub(super) fn new(
        meter: &Meter,
        counts: &Arc<Counts>,
        refused: &Arc<TokenRefusals>,
        denied: &Arc<Denials>,
        is_on: bool,
    ) -> Self {
        observe(meter, counts, refused, denied);
        let seconds = |name, what| {
            let histogram = meter.f64_histogram(name).with_unit("s").with_description(what);
            histogram.with_boundaries(SECONDS.to_vec()).build()
        };
        let counter =
            |name, unit, what| meter.u64_counter(name).with_unit(unit).with_description(what).build();
        Self {
            requests: seconds("canasta.request.duration", "From a request's head to the head of its answer"),
            calls: seconds("rpc.server.call.duration", "From a request's head to the end of its answer"),
            engine: is_on
                .then(|| seconds("canasta.engine.duration", "Decoding a state, judging and encoding")),
            refusals: counter(
                "canasta.refusals",
                "{refusal}",
                "Judged actions and games refused, by first violation",
            ),
            faults: counter("canasta.faults", "{fault}", "Requests answered with an error status, by reason"),
        }
    }

    /// Records a finished request: the times from its head to the head and to the end of its answer.
    pub(super) fn request(&self, method: Method, code: Code, took: Duration, all: Duration) {
        let attributes = [KeyValue::new("method", method.name), KeyValue::new("code", rpc::name(code))];
        self.requests.record(took.as_secs_f64(), &attributes);
        let attributes: Vec<_> = rpc::begun(method).into_iter().chain(rpc::ended(code)).collect();
        self.calls.record(all.as_secs_f64(), &attributes);
    }

    /// Runs a part of engine work and records its duration.
    pub fn measured<T>(&self, method: Method, ask: impl FnOnce() -> T) -> T {
        self.measured_after(Duration::ZERO, method, ask)
    }

    /// Runs the last part of engine work and records its duration. `spent` is the duration of the earlier
    /// parts: all parts are one measurement.
    pub fn measured_after<T>(&self, spent: Duration, method: Method, ask: impl FnOnce() -> T) -> T {
        let (answer, rest) = self.timed(ask);
        self.took(method, spent + rest);
        answer
    }

    /// Records the duration of engine work, if durations are exported.
    pub fn took(&self, method: Method, took: Duration) {
        let attributes = [KeyValue::new("method", method.name)];
        self.engine.iter().for_each(|engine| engine.record(took.as_secs_f64(), &attributes));
    }

    /// Runs an earlier part of engine work. Returns its result and its duration, which is 0 if nothing is
    /// exported.
    pub fn timed<T>(&self, ask: impl FnOnce() -> T) -> (T, Duration) {
        if self.engine.is_none() {
            return (ask(), Duration::ZERO);
        }
        let began = instant();
        let answer = ask();
        (answer, began.elapsed())
    }

    /// Counts a refused action or game; `code` is its first violation.
    pub fn refusal(&self, code: &str) {
        self.refusals.add(1, &[KeyValue::new("code", code.to_owned())]);
    }

    /// Counts a request that was answered with an error status.
    pub(super) fn fault(&self, reason: String) {
        self.faults.add(1, &[KeyValue::new("reason", reason)]);
    }
}

/// Registers the instrument of resident memory, which every program exports while it runs: alerts of absence watch it.
pub(super) fn observe_memory(meter: &Meter) {
    let memory = meter.i64_observable_up_down_counter("process.memory.usage").with_unit("By");
    let memory = memory.with_description("Resident memory");
    memory
        .with_callback(|observer| {
            if let Some(bytes) = resident() {
                observer.observe(bytes, &[]);
            }
        })
        .build();
}

/// Registers the instruments that are read when an export is due.
fn observe(meter: &Meter, counts: &Arc<Counts>, refused: &Arc<TokenRefusals>, denied: &Arc<Denials>) {
    let counter = |name, what| meter.u64_observable_counter(name).with_description(what);
    let states = counter("canasta.states.refused", "States that could not be opened, by kind");
    let refused = Arc::clone(refused);
    observe_by(states.with_unit("{state}"), "kind", move || refused.all());
    let of = Arc::clone(counts);
    let active = meter.i64_observable_up_down_counter("canasta.requests.active");
    let active = active.with_unit("{request}").with_description("Requests and streams under way");
    active
        .with_callback(move |observer| {
            for (method, count) in of.all_active() {
                observer.observe(count, &[KeyValue::new("method", method)]);
            }
        })
        .build();
    let of = Arc::clone(counts);
    let open = meter.i64_observable_up_down_counter("canasta.connections.open");
    let open = open.with_unit("{connection}").with_description("Connections open");
    open.with_callback(move |observer| observer.observe(of.connections(), &[])).build();
    let closed = counter("canasta.connections.closed", "Connections ended by the server, by reason");
    let of = Arc::clone(counts);
    observe_by(closed.with_unit("{connection}"), "reason", move || of.closed.all());
    let revoked = counter("canasta.places.revoked", "Places that one caller lost to another, by kind");
    let of = Arc::clone(counts);
    observe_by(revoked, "kind", move || of.all_revoked());
    observe_memory(meter);
    let callers = counter("canasta.callers.denied", "Callers not authenticated or not entitled, by reason");
    let denied = Arc::clone(denied);
    observe_by(callers.with_unit("{caller}"), "reason", move || denied.all());
}

/// Registers a counter of several counts, whose names are the values of the attribute `key`.
fn observe_by(
    counter: AsyncInstrumentBuilder<'_, ObservableCounter<u64>, u64>,
    key: &'static str,
    all: impl Fn() -> Vec<(&'static str, u64)> + Send + Sync + 'static,
) {
    let counter = counter.with_callback(move |observer| {
        for (name, count) in all() {
            observer.observe(count, &[KeyValue::new(key, name)]);
        }
    });
    counter.build();
}

/// Returns the resident memory of this process in bytes; `None` if the platform does not tell.
fn resident() -> Option<i64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<i64>().ok()?.checked_mul(1024)
}
