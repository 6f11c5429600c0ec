//! The program `canasta-auditor`: it opens journal and archive, serves its health, and audits until it is told to end.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{anyhow, ensure};
use canasta_serve::outside::{Clock, Generator};
use canasta_serve::telemetry::MeterExport;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic_health::ServingStatus;

use super::metrics::AuditMetrics;
use super::settings::{AuditorCli, PROGRAM};
use super::{AuditorContext, AuditorWork, run};
use crate::archive::{ArchiveFault, GameArchive};
use crate::folder::ARCHIVE;
use crate::journal::Journal;
use crate::journal::nats::{NatsError, NatsJournal};
use crate::journal::sqlite::SqliteJournal;
use crate::settings::JournalPlace;

/// The reason why an auditor needs other settings.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadSettings(String);

/// Opens the archive of the settings, which is in the recorder's folder unless they name another.
///
/// # Errors
/// [`BadSettings`] if the archive cannot be used. One that does not answer may answer later.
pub async fn archive(settings: &AuditorCli) -> anyhow::Result<GameArchive> {
    let folder = settings.data.join(ARCHIVE);
    if settings.archive.archive.is_none() {
        let has_own = settings.journal == JournalPlace::Sqlite;
        ensure!(has_own, BadSettings("--archive: expected file:FOLDER or s3://BUCKET/PREFIX".into()));
        let problem =
            || format!("{} is no folder: expected the archive of a recorder, or --archive", folder.display());
        ensure!(folder.is_dir(), BadSettings(problem()));
    }
    let fault = |fault: ArchiveFault| match fault {
        ArchiveFault::Unusable(problem) => BadSettings(problem).into(),
        other => anyhow::Error::from(other),
    };
    let archive = settings.archive.open(&folder).map_err(fault)?;
    match archive.prove().await {
        Err(ArchiveFault::Unavailable(problem)) => {
            tracing::warn!("verdicts wait: the archive does not answer: {problem}");
        }
        proven => proven.map_err(fault)?,
    }
    Ok(archive)
}

/// Opens the journal of recorders, which may be running.
///
/// # Errors
/// If there is no journal of this version, or every reason not to trust the servers.
pub async fn journal(settings: &AuditorCli, archive: &GameArchive) -> anyhow::Result<Arc<dyn Journal>> {
    match &settings.journal {
        JournalPlace::Sqlite => {
            let path = settings.data.join(settings.journal.file());
            let opened = SqliteJournal::beside(&path);
            let fault = |error| BadSettings(format!("{}: {error}", path.display()));
            Ok(Arc::new(opened.map_err(fault)?))
        }
        JournalPlace::Nats(addresses) => {
            let opened = NatsJournal::beside(addresses, &settings.nats, archive.clone()).await;
            let texts = |faults: Vec<NatsError>| faults.iter().map(ToString::to_string).collect::<Vec<_>>();
            Ok(Arc::new(opened.map_err(|faults| BadSettings(texts(faults).join("; ")))?))
        }
    }
}

/// Audits until `shutdown`, then judges the games at hand to the end or gives them back.
///
/// # Errors
/// If the health service cannot be served, or the exporter of metrics cannot be built.
pub async fn serve(
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
    settings: &AuditorCli,
    (journal, archive): (Arc<dyn Journal>, GameArchive),
    (generator, clock): (Generator, Clock),
) -> anyhow::Result<()> {
    let endpoint = settings.otlp_endpoint.as_deref();
    let export = MeterExport::start(PROGRAM, endpoint, settings.metrics_interval, generator)
        .map_err(|error| anyhow!("telemetry: {error}"))?;
    let metrics = AuditMetrics::new(&export.meter);
    let work = AuditorWork {
        workers: settings.workers.into(),
        keep: Duration::from_secs(u64::from(settings.keep_finished_hours) * 3_600),
    };
    let ctx = AuditorContext { journal, archive, clock, metrics };
    let (drain, draining) = watch::channel(false);
    let (health, health_service) = tonic_health::server::health_reporter();
    let healthy =
        Server::builder().add_service(health_service).serve_with_incoming(TcpListenerStream::new(listener));
    let working = async {
        let audits = run(ctx, work, draining);
        let stop = async {
            shutdown.await;
            health.set_service_status("", ServingStatus::NotServing).await;
            // Nobody listens any more if the audits have ended.
            let _ = drain.send(true);
        };
        tokio::join!(audits, stop);
    };
    let ended = tokio::select! {
        () = working => Ok(()),
        failed = healthy => failed.map_err(|error| anyhow!("health: {error}")),
    };
    export.stop().await;
    ended
}
