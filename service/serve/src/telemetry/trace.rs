//! Traces: one span per sampled request.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use http::HeaderMap;
use opentelemetry::trace::{
    Span as _, SpanContext, SpanId, SpanKind, Status, TraceContextExt, TraceFlags, TraceId, TraceState,
    Tracer, TracerProvider,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{Sampler, SdkTracer, SdkTracerProvider, Span};

use tonic::Code;

use super::export::LastExport;
use super::method::Method;
use super::{SCOPE, STOP_DEADLINE, instant, rpc};

/// The source and the exporter of spans.
pub struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    /// Whether requests whose caller has not decided may be sampled.
    samples: bool,
    /// The requests that are sampled because their caller says so.
    by_callers: SecondBudget,
}

/// A budget per second. Callers are not authenticated yet when it is drawn on, so all of them share it.
struct SecondBudget {
    most: u32,
    began: Instant,
    /// The second, counted from the beginning, in the upper half; the number of draws in this second in the lower half.
    drawn: AtomicU64,
}

impl SecondBudget {
    fn new(most: u32, began: Instant) -> Self {
        Self { most, began, drawn: AtomicU64::new(0) }
    }

    /// Draws one. Returns whether there was one left.
    fn draw(&self, now: Instant) -> bool {
        let second = now.saturating_duration_since(self.began).as_secs() << 32;
        let next = |drawn: u64| {
            let before = if drawn < second { second } else { drawn };
            (before & u64::from(u32::MAX) < u64::from(self.most)).then_some(before + 1)
        };
        self.drawn.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).is_ok()
    }
}

impl Traces {
    /// Returns traces of the share `ratio` of requests whose caller has not decided, and of at most `by_callers`
    /// requests per second whose caller has decided that they are traced.
    pub fn new(exporter: SpanExporter, resource: Resource, ratio: f64, by_callers: u32) -> Self {
        let sampler = Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(ratio)));
        let provider = SdkTracerProvider::builder().with_resource(resource).with_sampler(sampler);
        let provider = provider.with_batch_exporter(exporter).build();
        let by_callers = SecondBudget::new(by_callers, instant());
        Self { tracer: provider.tracer(SCOPE), provider, samples: ratio > 0.0, by_callers }
    }

    /// Begins a span for a request with these headers; `None` if the request is not sampled.
    pub fn begin(&self, method: Method, headers: &HeaderMap) -> Option<Box<Span>> {
        let parent = of_caller(headers);
        let by_caller = |parent: &SpanContext| parent.is_sampled() && self.by_callers.draw(instant());
        if !parent.as_ref().map_or(self.samples, by_caller) {
            return None;
        }
        let context = Context::new();
        let context = parent.map_or(context.clone(), |parent| context.with_remote_span_context(parent));
        let builder = self.tracer.span_builder(method.path).with_kind(SpanKind::Server);
        let span = self.tracer.build_with_context(builder.with_attributes(rpc::begun(method)), &context);
        span.is_recording().then(|| Box::new(span))
    }

    /// Returns the end of the export.
    pub fn last_export(&self) -> LastExport {
        let provider = self.provider.clone();
        Box::new(move || provider.shutdown_with_timeout(STOP_DEADLINE))
    }
}

pub fn end(mut span: Box<Span>, code: Code, id: &str) {
    span.set_attributes(rpc::ended(code));
    span.set_attribute(KeyValue::new("canasta.request.id", id.to_owned()));
    if rpc::is_error(code) {
        span.set_status(Status::error(rpc::name(code)));
    }
    span.end();
}

pub fn of_caller(headers: &HeaderMap) -> Option<SpanContext> {
    headers.get("traceparent").and_then(|value| parent(value.as_bytes()))
}

/// Parses a W3C trace context: `00-<trace id>-<span id>-<flags>`. Of a later version, parses the part that equals
/// this form.
fn parent(header: &[u8]) -> Option<SpanContext> {
    let text = std::str::from_utf8(header).ok()?;
    let mut fields = text.splitn(5, '-');
    let mut field = |digits| fields.next().filter(|field| field.len() == digits && is_hex(field));
    let (version, trace, span, flags) = (field(2)?, field(32)?, field(16)?, field(2)?);
    if version == "ff" || (version == "00" && fields.next().is_some()) {
        return None;
    }
    let (trace, span) = (TraceId::from_hex(trace).ok()?, SpanId::from_hex(span).ok()?);
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()? & 1);
    // The vendor's part, `tracestate`, is left out: it is long, and the service does not use it.
    let context = SpanContext::new(trace, span, flags, true, TraceState::NONE);
    context.is_valid().then_some(context)
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn callers_decide_for_so_many_requests_a_second() {
        let began = instant();
        let budget = SecondBudget::new(3, began);
        let drawn = |ms: u64| (0..5).filter(|_| budget.draw(began + Duration::from_millis(ms))).count();
        assert_eq!(
            [drawn(0), drawn(999), drawn(1000), drawn(5500), drawn(5600), drawn(6000)],
            [3, 0, 3, 3, 0, 3]
        );
        assert!(!SecondBudget::new(0, began).draw(began));
    }

    /// Parses the example of the W3C recommendation, section 3.2, and refuses malformed variants of that example.
    #[test]
    fn a_trace_context_is_taken_over_or_ignored() {
        let given = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let context = parent(given.as_bytes()).expect("the recommendation's example");
        assert_eq!(context.trace_id().to_string(), &given[3..35]);
        assert_eq!((context.span_id().to_string().as_str(), context.is_sampled()), (&given[36..52], true));
        assert!(!parent(given.replace("-01", "-00").as_bytes()).expect("not sampled").is_sampled());
        let later = given.replace("00-4", "cc-4") + "-what-the-future-will-be-like";
        assert!(parent(later.as_bytes()).is_some(), "a later version");
        for bad in [
            "",
            "00",
            &given[..54],
            &given.replace("4bf9", "4BF9"),
            &given.replace("00-4", "ff-4"),
            &(given.to_owned() + "-more"),
            &given.replace("4bf92f3577b34da6a3ce929d0e0e4736", &"0".repeat(32)),
            &given.replace("00f067aa0ba902b7", &"0".repeat(16)),
            &given.replace("-01", "-0g"),
        ] {
            assert!(parent(bad.as_bytes()).is_none(), "{bad}");
        }
    }
}
