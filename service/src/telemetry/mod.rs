//! Telemetry for operators: metrics and traces by OTLP, and the log on stderr.
//!
//! Nothing is exported unless an endpoint is configured. Names and attributes come from closed lists, so
//! telemetry shows nothing of requests and answers, except the ids that callers give to their requests.

pub(crate) mod counts;
pub mod log;
pub(crate) mod method;
mod metrics;
pub(crate) mod recorder;
mod trace;

use std::sync::Arc;
use std::time::{Duration, Instant};

use opentelemetry::KeyValue;
use opentelemetry::metrics::{MeterProvider, NoopMeterProvider};
use opentelemetry_otlp::{ExporterBuildError, MetricExporter, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};

use crate::config::Config;
use crate::identity::Denials;
use crate::seal::TokenRefusals;
use counts::Counts;
pub use metrics::Metrics;
use trace::Traces;

/// The source that instruments and spans name.
const SCOPE: &str = "canasta-service";
/// Maximum time of an export, in particular of the last one when the server ends.
const EXPORT_DEADLINE: Duration = Duration::from_secs(3);

/// The telemetry of a server.
pub struct Telemetry {
    /// Metrics that need the OTLP library.
    pub metrics: Metrics,
    /// Counts that are kept without the OTLP library.
    pub counts: Arc<Counts>,
    traces: Option<Traces>,
    provider: Option<SdkMeterProvider>,
    log_requests: bool,
}

impl Telemetry {
    /// Starts the exports if the configuration names an endpoint. Needs a tokio runtime.
    ///
    /// # Errors
    /// If the exporters cannot be built for the endpoint.
    pub fn start(
        config: &Config,
        refusals: &Arc<TokenRefusals>,
        denials: &Arc<Denials>,
    ) -> Result<Self, ExporterBuildError> {
        let counts = Arc::new(Counts::default());
        let Some(endpoint) = &config.otlp_endpoint else {
            let metrics =
                Metrics::new(&NoopMeterProvider::new().meter(SCOPE), &counts, refusals, denials, false);
            return Ok(Self {
                metrics,
                counts,
                traces: None,
                provider: None,
                log_requests: config.log_requests,
            });
        };
        let exporter = MetricExporter::builder().with_tonic().with_endpoint(endpoint);
        let exporter = exporter.with_timeout(EXPORT_DEADLINE).build()?;
        let reader = PeriodicReader::builder(exporter).with_interval(config.metrics_interval).build();
        let provider = SdkMeterProvider::builder().with_resource(resource()).with_reader(reader).build();
        let metrics = Metrics::new(&provider.meter(SCOPE), &counts, refusals, denials, true);
        let exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint);
        let traces = Traces::new(exporter.with_timeout(EXPORT_DEADLINE).build()?, config.trace_ratio);
        let (traces, provider) = (Some(traces), Some(provider));
        Ok(Self { metrics, counts, traces, provider, log_requests: config.log_requests })
    }

    /// Whether the end of each request is exported or logged.
    fn watches(&self) -> bool {
        self.provider.is_some() || self.log_requests
    }

    /// Exports what is left. Blocks for some seconds at most.
    pub fn stop(&self) {
        let ended = self.provider.as_ref().map(|provider| provider.shutdown_with_timeout(EXPORT_DEADLINE));
        let traces = self.traces.as_ref().map(|traces| traces.stop(EXPORT_DEADLINE));
        for error in [ended, traces].into_iter().flatten().filter_map(Result::err) {
            tracing::warn!(%error, "the last telemetry was not taken");
        }
    }
}

/// Returns the attributes of this process in every export; `OTEL_RESOURCE_ATTRIBUTES` adds more.
fn resource() -> Resource {
    Resource::builder()
        .with_service_name("canasta-service")
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build()
}

/// Reads the clock for measurements. No answer depends on it.
#[expect(clippy::disallowed_methods, reason = "no answer depends on this clock")]
pub fn instant() -> Instant {
    Instant::now()
}
