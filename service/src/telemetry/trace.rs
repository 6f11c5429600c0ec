//! Traces: one span per sampled request.

use std::time::Duration;

use http::HeaderMap;
use opentelemetry::trace::{
    Span as _, SpanContext, SpanId, SpanKind, Status, TraceContextExt, TraceFlags, TraceId, TraceState,
    Tracer, TracerProvider,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Sampler, SdkTracer, SdkTracerProvider, Span};

use super::{SCOPE, resource};

/// The source and the exporter of spans.
pub struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    /// Whether requests whose caller has not decided may be sampled.
    samples: bool,
}

impl Traces {
    /// Returns traces of the share `ratio` of requests whose caller has not decided.
    pub fn new(exporter: SpanExporter, ratio: f64) -> Self {
        let sampler = Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(ratio)));
        let provider = SdkTracerProvider::builder().with_resource(resource()).with_sampler(sampler);
        let provider = provider.with_batch_exporter(exporter).build();
        Self { tracer: provider.tracer(SCOPE), provider, samples: ratio > 0.0 }
    }

    /// Begins a span for a request with these headers; `None` if the request is not sampled.
    pub fn begin(&self, method: &'static str, headers: &HeaderMap) -> Option<Box<Span>> {
        let parent = headers.get("traceparent").and_then(|value| parent(value.as_bytes()));
        let is_sampled = parent.as_ref().map_or(self.samples, SpanContext::is_sampled);
        if !is_sampled {
            return None;
        }
        let context = Context::new();
        let context = parent.map_or(context.clone(), |parent| context.with_remote_span_context(parent));
        let builder = self.tracer.span_builder(method).with_kind(SpanKind::Server);
        let system = [KeyValue::new("rpc.system", "grpc"), KeyValue::new("rpc.method", method)];
        let span = self.tracer.build_with_context(builder.with_attributes(system), &context);
        span.is_recording().then(|| Box::new(span))
    }

    pub fn stop(&self, limit: Duration) -> OTelSdkResult {
        self.provider.shutdown_with_timeout(limit)
    }
}

/// Ends the span of a request.
pub fn end(mut span: Box<Span>, code: &'static str, number: i64, id: &str) {
    span.set_attribute(KeyValue::new("rpc.grpc.status_code", number));
    span.set_attribute(KeyValue::new("canasta.request.id", id.to_owned()));
    if matches!(
        code,
        "INTERNAL" | "UNKNOWN" | "UNIMPLEMENTED" | "DEADLINE_EXCEEDED" | "UNAVAILABLE" | "DATA_LOSS"
    ) {
        span.set_status(Status::error(code));
    }
    span.end();
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
    use super::*;

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
