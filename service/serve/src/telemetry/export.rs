//! The export of metrics.

use std::time::Duration;

use opentelemetry::metrics::{Meter, MeterProvider, NoopMeterProvider};
use opentelemetry_otlp::{ExporterBuildError, MetricExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use tokio::sync::mpsc;

use super::complaints::complain;
use super::metrics::observe_memory;
use super::{EXPORT_DEADLINE, SCOPE, STOP_DEADLINE, resource};
use crate::outside::Generator;

/// The end of an export: it sends what is left.
pub(super) type LastExport = Box<dyn FnOnce() -> OTelSdkResult + Send>;

/// The metrics of a program that has no requests.
pub struct MeterExport {
    pub meter: Meter,
    provider: Option<SdkMeterProvider>,
}

impl MeterExport {
    /// Starts the export of a program to an endpoint; without one, instruments count nothing. Needs a tokio runtime.
    pub fn start(
        program: &'static str,
        endpoint: Option<&str>,
        interval: Duration,
        generator: Generator,
    ) -> Result<Self, ExporterBuildError> {
        let Some(endpoint) = endpoint else {
            return Ok(Self { meter: NoopMeterProvider::new().meter(SCOPE), provider: None });
        };
        let provider = provider(endpoint, interval, resource(program, generator))?;
        let meter = provider.meter(SCOPE);
        observe_memory(&meter);
        Ok(Self { meter, provider: Some(provider) })
    }

    /// Exports what is left, within a second.
    pub async fn stop(self) {
        stop(self.provider.map(last_metrics).into_iter().collect()).await;
    }
}

/// Returns the end of an export of metrics.
pub(super) fn last_metrics(provider: SdkMeterProvider) -> LastExport {
    Box::new(move || provider.shutdown_with_timeout(STOP_DEADLINE))
}

pub(super) fn provider(
    endpoint: &str,
    interval: Duration,
    resource: Resource,
) -> Result<SdkMeterProvider, ExporterBuildError> {
    let exporter = MetricExporter::builder().with_tonic().with_endpoint(endpoint);
    let exporter = exporter.with_timeout(EXPORT_DEADLINE).build()?;
    let reader = PeriodicReader::builder(exporter).with_interval(interval).build();
    Ok(SdkMeterProvider::builder().with_resource(resource).with_reader(reader).build())
}

/// Exports what is left, within a second. The exporters block and do not keep to a time limit, so they run on threads that
/// nobody waits for.
pub(super) async fn stop(last: Vec<LastExport>) {
    let (done, mut stopped) = mpsc::unbounded_channel();
    for last in last {
        let done = done.clone();
        std::thread::spawn(move || {
            if let Err(error) = last() {
                complain(&format!("the last was not: {error}"));
            }
            drop(done);
        });
    }
    drop(done);
    let all: Result<Option<()>, _> = tokio::time::timeout(STOP_DEADLINE, stopped.recv()).await;
    if all.is_err() {
        complain("the last was not taken in time");
    }
}
