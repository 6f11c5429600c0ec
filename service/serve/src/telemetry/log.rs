//! The log on stderr: one line per event, as text or as JSON.

use std::borrow::Cow;
use std::fmt;

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{Targets, filter_fn};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;

use super::complaints::{Complaints, is_complaint};
use crate::config::LogFormat;

/// Starts the log of a program on stderr, panics included. A program calls it once.
pub fn start(program: &'static str, format: LogFormat) {
    let _ = tracing::subscriber::set_global_default(subscriber(program, format));
    std::panic::set_hook(Box::new(|info| {
        // The place of a panic without its message: the message may show cards.
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "panic");
    }));
}

fn subscriber(program: &'static str, format: LogFormat) -> impl Subscriber + Send + Sync {
    // Events of the service and complaints of the exporters; never those of libraries, which show the bytes
    // that they handle.
    let wanted = Targets::new()
        .with_target("canasta_serve", Level::INFO)
        .with_target("canasta_service", Level::INFO)
        .with_target("canasta_recorder", Level::INFO)
        .with_target("canasta_auditor", Level::INFO)
        .with_target("opentelemetry", Level::WARN)
        .with_target("opentelemetry_sdk", Level::WARN)
        .with_target("opentelemetry-otlp", Level::WARN)
        .with_target("opentelemetry_otlp", Level::WARN);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines = match format {
        LogFormat::Text => lines.event_format(TextFormat(program)).boxed(),
        LogFormat::Json => {
            lines.json().flatten_event(true).with_current_span(false).with_span_list(false).boxed()
        }
    };
    let ours = lines.with_filter(filter_fn(|about| !is_complaint(about.target())));
    // The complaints come behind the lines, since they make events of their own. The targets stand outermost: inside a
    // layer without a filter they would be compared again at every event of a library, hundreds of times per request.
    tracing_subscriber::registry().with(ours).with(Complaints).with(wanted)
}

/// The text format: the program's name, then `: message key=value`, in the order of the event's fields.
struct TextFormat(&'static str);

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
        writeln!(writer, "{}: {}", self.0, one_line(&line.to_string()))
    }
}

/// Returns the text with its control characters escaped.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    let escaped = text.chars().map(|letter| match letter.is_control() {
        true => letter.escape_default().to_string(),
        false => letter.to_string(),
    });
    escaped.collect::<String>().into()
}

/// The message of an event and its fields, in order.
#[derive(Default)]
pub(super) struct LogLine {
    message: String,
    fields: String,
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.message, self.fields)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Metadata;
    use tracing::callsite::{Callsite, Identifier};
    use tracing::field::FieldSet;
    use tracing::metadata::Kind;
    use tracing::subscriber::Interest;

    /// A place in the code that makes events.
    struct EventSource(Metadata<'static>);

    impl Callsite for EventSource {
        fn set_interest(&self, _: Interest) {}

        fn metadata(&self) -> &Metadata<'_> {
            &self.0
        }
    }

    macro_rules! source {
        ($target:literal, $level:expr) => {{
            static SOURCE: EventSource = EventSource(Metadata::new(
                "event",
                $target,
                $level,
                None,
                None,
                None,
                FieldSet::new(&[], Identifier(&SOURCE)),
                Kind::EVENT,
            ));
            &SOURCE.0
        }};
    }

    /// Checks that events of libraries are refused once per place in the code, not once per event: `never` is the answer that
    /// is not asked for again.
    #[test]
    fn events_of_libraries_cost_nothing() {
        for format in [LogFormat::Text, LogFormat::Json] {
            let log = subscriber("canasta-service", format);
            for source in [
                source!("h2::codec::framed_read", Level::TRACE),
                source!("hyper::proto::h2::server", Level::DEBUG),
                source!("tonic::transport", Level::ERROR),
                source!("canasta_serve::layers", Level::DEBUG),
            ] {
                assert!(log.register_callsite(source).is_never(), "{source:?}");
            }
            for source in [
                source!("canasta_serve::layers", Level::INFO),
                source!("canasta_auditor", Level::ERROR),
                source!("opentelemetry_sdk", Level::WARN),
            ] {
                assert!(!log.register_callsite(source).is_never(), "{source:?}");
            }
        }
    }
}
