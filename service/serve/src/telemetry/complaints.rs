//! Complaints about the collector, of the exporters and of our own: at most one line in the log per hour. The text
//! may come from the collector, which may be broken or hostile.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use super::instant;
use super::log::{LogLine, one_line};

/// Time after a complaint for which others are left out.
const SILENCE: Duration = Duration::from_secs(60 * 60);
/// Maximum length of a complaint, in bytes, before control characters are escaped.
const TEXT_MAX: usize = 200;

static LAST: Gate = Gate(Mutex::new(None));

/// The time of the last complaint.
struct Gate(Mutex<Option<Instant>>);

impl Gate {
    /// Whether a complaint may be logged now.
    fn admits(&self, now: Instant) -> bool {
        let Ok(mut last) = self.0.lock() else { return false };
        let is_due = last.is_none_or(|last| now.saturating_duration_since(last) >= SILENCE);
        if is_due {
            *last = Some(now);
        }
        is_due
    }
}

/// Logs a complaint, unless there was one lately.
pub fn complain(text: &str) {
    if LAST.admits(instant()) {
        tell(text);
    }
}

fn tell(text: &str) {
    tracing::warn!(
        "telemetry is not taken, and further complaints are left out for an hour: {}",
        shown(text)
    );
}

/// Returns the beginning of a text in one line.
fn shown(text: &str) -> String {
    let end = text.floor_char_boundary(TEXT_MAX);
    let shown = one_line(&text[..end]).into_owned();
    if end < text.len() { shown + "..." } else { shown }
}

/// Whether an event comes from the exporters.
pub fn is_complaint(target: &str) -> bool {
    target.starts_with("opentelemetry")
}

/// The layer that turns events of the exporters into complaints of ours.
pub struct Complaints;

impl<S: Subscriber> Layer<S> for Complaints {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let about = event.metadata();
        // The text, which may be long, is only made if it is logged.
        if is_complaint(about.target()) && LAST.admits(instant()) {
            let mut line = LogLine::default();
            event.record(&mut line);
            tell(&format!("{}: {line}", about.name()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_rare() {
        let gate = Gate(Mutex::new(None));
        let began = instant();
        let admitted = (0..7_300).filter(|&second| gate.admits(began + Duration::from_secs(second)));
        assert_eq!(admitted.collect::<Vec<_>>(), [0, 3_600, 7_200]);
    }

    #[test]
    fn what_a_collector_says_is_short_and_in_one_line() {
        assert_eq!(shown("no room"), "no room");
        assert_eq!(shown("a\nb\u{1b}[31m\u{7f}"), "a\\nb\\u{1b}[31m\\u{7f}");
        assert_eq!(shown(&"x".repeat(3 << 20)), "x".repeat(200) + "...");
        // 66 characters of three bytes fit into 200 bytes.
        assert_eq!(shown(&"\u{20ac}".repeat(100)), "\u{20ac}".repeat(66) + "...");
    }
}
