//! The recorder of one request, from its head to the end of its answer.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::{HeaderMap, HeaderValue};
use opentelemetry_sdk::trace::Span;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::method::Method;
use super::trail::CallTrail;
use super::{Telemetry, instant, rpc, trace};

/// A guard that records its request when it is dropped.
pub struct RequestRecorder {
    telemetry: Arc<Telemetry>,
    method: Method,
    id: HeaderValue,
    began: Instant,
    /// Time from the request's head to the answer's head; `None` until the answer begins.
    took: Option<Duration>,
    code: Code,
    /// In a box: the recorder moves several times, and a span is large.
    span: Option<Box<Span>>,
    /// `None` if the log has no trails.
    trail: Option<Arc<CallTrail>>,
}

impl RequestRecorder {
    /// Begins to record a request; `None` if nothing is exported or logged. If the log has trails, the request
    /// gets one, in its extensions.
    pub fn begin<B>(
        telemetry: &Arc<Telemetry>,
        method: Method,
        id: &HeaderValue,
        request: &mut http::Request<B>,
        peer: Option<IpAddr>,
    ) -> Option<Self> {
        if !telemetry.watches() {
            return None;
        }
        let trail = telemetry.log_requests.then(|| Arc::new(CallTrail::new(id, request.headers(), peer)));
        if let Some(trail) = &trail {
            request.extensions_mut().insert(Arc::clone(trail));
        }
        Some(Self {
            method,
            id: id.clone(),
            began: instant(),
            took: None,
            // The code holds until an answer begins.
            code: Code::Cancelled,
            span: telemetry.traces.as_ref().and_then(|traces| traces.begin(method, request.headers())),
            trail,
            telemetry: Arc::clone(telemetry),
        })
    }

    pub fn answered<B>(&mut self, answer: &http::Response<B>) {
        self.took = Some(self.began.elapsed());
        // A stream without trailers was given up by its client.
        self.code = if self.method.answers_once { Code::Ok } else { Code::Cancelled };
        // tonic attaches the status of an error to the answer.
        match answer.extensions().get::<Status>() {
            Some(status) => self.ended(status),
            None => self.trailed(answer.headers()),
        }
    }

    pub fn trailed(&mut self, trailers: &HeaderMap) {
        match trailers.get("grpc-status").map(HeaderValue::as_bytes) {
            None => {}
            Some(b"0") => self.code = Code::Ok,
            Some(_) => _ = Status::from_header_map(trailers).map(|status| self.ended(&status)),
        }
    }

    fn ended(&mut self, status: &Status) {
        self.code = status.code();
        let reason = status.get_details_error_info().map(|info| info.reason);
        let reason = reason.unwrap_or_else(|| rpc::name(self.code).to_owned());
        if let Some(trail) = &self.trail {
            trail.ends(reason.as_str());
        }
        self.telemetry.metrics.fault(reason);
    }
}

impl Drop for RequestRecorder {
    fn drop(&mut self) {
        let all = self.began.elapsed();
        let took = self.took.unwrap_or(all);
        let (method, code) = (self.method.name, rpc::name(self.code));
        self.telemetry.metrics.request(self.method, self.code, took, all);
        // Ids are visible ASCII.
        let id = self.id.to_str().unwrap_or_default();
        if let Some(span) = self.span.take() {
            trace::end(span, self.code, id);
        }
        if let Some(trail) = &self.trail {
            trail.request(method, code, u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
        }
    }
}
