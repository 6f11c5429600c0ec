//! Telemetry for operators: metrics and traces by OTLP, and the log on stderr.
//!
//! Nothing is exported unless an endpoint is configured. Names and attributes come from closed lists, so
//! telemetry shows nothing of requests and answers, except the ids that callers give to their requests.

mod complaints;
pub mod counts;
mod export;
pub mod log;
pub mod method;
mod metrics;
pub mod recorder;
pub mod rpc;
mod trace;
pub mod trail;

use std::sync::Arc;
use std::time::{Duration, Instant};

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Meter, MeterProvider, NoopMeterProvider};
pub use opentelemetry_otlp::ExporterBuildError as MeterExportError;
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;

use crate::config::Config;
use crate::counters::TokenRefusals;
use crate::identity::Denials;
use crate::outside::Generator;
use counts::Counts;
pub use export::MeterExport;
use export::last_metrics;
pub use metrics::Metrics;
use trace::Traces;

/// The source that instruments and spans name.
const SCOPE: &str = "canasta-service";
/// The attribute that tells instances apart.
const INSTANCE_ID: &str = "service.instance.id";
const EXPORT_DEADLINE: Duration = Duration::from_secs(3);
/// Maximum time of the last exports, when the server ends.
const STOP_DEADLINE: Duration = Duration::from_secs(1);

pub struct Telemetry {
    /// Metrics that need the OTLP library.
    pub metrics: Metrics,
    /// Counts that are kept without the OTLP library.
    pub counts: Arc<Counts>,
    pub meter: Meter,
    traces: Option<Traces>,
    provider: Option<SdkMeterProvider>,
    log_requests: bool,
}

impl Telemetry {
    /// Starts the exports if the configuration names an endpoint. Needs a tokio runtime.
    pub fn start(
        config: &Config,
        refusals: &Arc<TokenRefusals>,
        denials: &Arc<Denials>,
        generator: Generator,
    ) -> Result<Self, ExporterBuildError> {
        let counts = Arc::new(Counts::default());
        let (meter, exports) = match &config.otlp_endpoint {
            None => (NoopMeterProvider::new().meter(SCOPE), None),
            Some(endpoint) => {
                let resource = resource(config.program, generator);
                let provider = export::provider(endpoint, config.metrics_interval, resource.clone())?;
                let exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint);
                let exporter = exporter.with_timeout(EXPORT_DEADLINE).build()?;
                let traces = Traces::new(exporter, resource, config.trace_ratio, config.caller_traces);
                (provider.meter(SCOPE), Some((traces, provider)))
            }
        };
        let metrics = Metrics::new(&meter, &counts, refusals, denials, exports.is_some());
        let (traces, provider) = exports.unzip();
        Ok(Self { metrics, counts, meter, traces, provider, log_requests: config.log_requests })
    }

    pub fn is_exported(&self) -> bool {
        self.provider.is_some()
    }

    /// Whether the end of each request is exported or logged.
    fn watches(&self) -> bool {
        self.provider.is_some() || self.log_requests
    }

    /// Exports what is left, within a second.
    pub async fn stop(&self) {
        let metrics = self.provider.clone().map(last_metrics);
        let traces = self.traces.as_ref().map(Traces::last_export);
        export::stop(metrics.into_iter().chain(traces).collect()).await;
    }
}

/// Returns the attributes of this process in every export: `program` is its `service.name`; `OTEL_RESOURCE_ATTRIBUTES` adds more. An instance that is
/// given no id has a random one, so that the metrics of two instances are never taken for those of one.
fn resource(program: &'static str, generator: Generator) -> Resource {
    let mut id = [0; 16];
    let drawn = generator(&mut id).map(|()| base16ct::lower::encode_string(&id));
    let own = [
        Some(KeyValue::new("service.version", env!("CARGO_PKG_VERSION"))),
        drawn.ok().map(|id| KeyValue::new(INSTANCE_ID, id)),
    ];
    let given = Resource::builder().build().get(&INSTANCE_ID.into()).map(|id| KeyValue::new(INSTANCE_ID, id));
    let own = own.into_iter().flatten().chain(given);
    Resource::builder().with_service_name(program).with_attributes(own).build()
}

/// Reads the clock for measurements. No answer depends on it.
#[expect(clippy::disallowed_methods, reason = "no answer depends on this clock")]
pub fn instant() -> Instant {
    Instant::now()
}
