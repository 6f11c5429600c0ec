//! The log on stderr: one line per event, as text or as JSON.

use std::fmt;

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;

use crate::config::LogFormat;

/// Starts the log on stderr, panics included. A program calls it once.
pub fn start(format: LogFormat) {
    // Events of the service and complaints of the exporters; never those of libraries, which show the bytes
    // that they handle.
    let wanted = Targets::new()
        .with_target("canasta_service", Level::INFO)
        .with_target("opentelemetry", Level::WARN)
        .with_target("opentelemetry_sdk", Level::WARN)
        .with_target("opentelemetry-otlp", Level::WARN)
        .with_target("opentelemetry_otlp", Level::WARN);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let registry = tracing_subscriber::registry().with(wanted);
    let _ = match format {
        LogFormat::Text => {
            tracing::subscriber::set_global_default(registry.with(lines.event_format(TextFormat)))
        }
        LogFormat::Json => {
            let lines = lines.json().flatten_event(true).with_current_span(false).with_span_list(false);
            tracing::subscriber::set_global_default(registry.with(lines))
        }
    };
    std::panic::set_hook(Box::new(|info| {
        // The place of a panic without its message: the message may show cards.
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "panic");
    }));
}

/// The text format: `canasta-service: message key=value`, in the order of the event's fields.
struct TextFormat;

impl<S, N> FormatEvent<S, N> for TextFormat
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = LogLine::default();
        event.record(&mut line);
        writeln!(writer, "canasta-service: {}{}", line.message, line.fields)
    }
}

#[derive(Default)]
struct LogLine {
    message: String,
    fields: String,
}

impl Visit for LogLine {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        use fmt::Write as _;
        let (text, key) = match field.name() {
            "message" => (&mut self.message, ""),
            name => (&mut self.fields, name),
        };
        let separator = if key.is_empty() { ("", "") } else { (" ", "=") };
        write!(text, "{}{key}{}{value:?}", separator.0, separator.1).expect("a string takes everything");
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }
}
