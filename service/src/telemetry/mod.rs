//! What operators see of a running service: metrics and traces by OTLP, and the log on stderr.
//!
//! Off unless an endpoint is configured. Names and attributes come from closed lists, so nothing here holds what a
//! request or an answer says, but for the ids that the caller gave the request itself.

pub mod counts;
pub mod log;
pub mod method;
mod metrics;
mod trace;
pub mod watch;

use std::sync::Arc;
use std::time::{Duration, Instant};

use opentelemetry::KeyValue;
use opentelemetry::metrics::{MeterProvider, NoopMeterProvider};
use opentelemetry_otlp::{ExporterBuildError, MetricExporter, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};

use crate::config::Config;
use crate::identity::Denials;
use crate::seal::Refusals;
use counts::Counts;
pub use metrics::Metrics;
use trace::Traces;

/// What the instruments and spans name as their source.
const SCOPE: &str = "canasta-service";
/// Longest time that an export may take, and that the end waits for the last one.
const EXPORT_DEADLINE: Duration = Duration::from_secs(3);

/// See the module.
pub struct Telemetry {
    /// What is measured.
    pub metrics: Metrics,
    /// What is counted without the help of a library.
    pub counts: Arc<Counts>,
    traces: Option<Traces>,
    provider: Option<SdkMeterProvider>,
    log_requests: bool,
}

impl Telemetry {
    /// Exports from now on, if the configuration says where. Wants a runtime around it.
    ///
    /// # Errors
    /// If the endpoint is no address.
    pub fn start(
        config: &Config,
        refusals: &Arc<Refusals>,
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

    /// Whether anybody wants to know of each request.
    fn watches(&self) -> bool {
        self.provider.is_some() || self.log_requests
    }

    /// Exports what is left. Blocks, at most a few seconds.
    pub fn stop(&self) {
        let ended = self.provider.as_ref().map(|provider| provider.shutdown_with_timeout(EXPORT_DEADLINE));
        let traces = self.traces.as_ref().map(|traces| traces.stop(EXPORT_DEADLINE));
        for error in [ended, traces].into_iter().flatten().filter_map(Result::err) {
            tracing::warn!(%error, "the last telemetry was not taken");
        }
    }
}

/// What every export says of this process; `OTEL_RESOURCE_ATTRIBUTES` adds to it.
fn resource() -> Resource {
    Resource::builder()
        .with_service_name("canasta-service")
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build()
}

/// The time for measuring, which no answer depends on.
#[allow(clippy::disallowed_methods)]
pub fn instant() -> Instant {
    Instant::now()
}
