//! The program `canasta-auditor`: it opens journal and archive, serves its health, and audits until it is told to end.

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use canasta_service::telemetry::{MeterExport, MeterExportError};
use canasta_service::{Clock, Generator};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic_health::ServingStatus;

use super::metrics::AuditMetrics;
use super::settings::{AuditorCli, PROGRAM};
use super::{AuditorContext, AuditorWork, fetch, run};
use crate::archive::{ArchiveFault, GameArchive};
use crate::folder::ARCHIVE;
use crate::journal::nats::{NatsError, NatsJournal};
use crate::journal::sqlite::{SqliteError, SqliteJournal};
use crate::journal::{Journal, ReadError};
use crate::settings::JournalPlace;

/// An auditor that cannot start, or go on.
#[derive(Debug, thiserror::Error)]
pub enum AuditorError {
    /// A setting is missing.
    #[error("{0}")]
    Setting(&'static str),
    /// The journal cannot be used.
    #[error("{}: {error}", path.display())]
    Journal {
        /// The file.
        path: PathBuf,
        /// The problem.
        error: SqliteError,
    },
    /// The journal on NATS cannot be used.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Nats(Vec<NatsError>),
    /// There is no archive.
    #[error("{} is no folder: expected the archive of a recorder, or --archive", .0.display())]
    NoFolder(PathBuf),
    /// The journal does not answer.
    #[error(transparent)]
    Unanswered(#[from] ReadError),
    /// The archive cannot be used.
    #[error(transparent)]
    Archive(#[from] ArchiveFault),
    /// Games cannot be brought back.
    #[error(transparent)]
    Fetch(#[from] fetch::FetchError),
    /// The exporter of metrics cannot be built.
    #[error("telemetry: {0}")]
    Telemetry(#[from] MeterExportError),
    /// The health service cannot be served.
    #[error("health: {0}")]
    Health(#[from] tonic::transport::Error),
    /// The address cannot be bound, or has no name.
    #[error("cannot listen: {0}; choose another address with --listen")]
    Listen(#[from] std::io::Error),
}

impl AuditorError {
    /// Whether other settings are needed.
    pub fn is_configuration(&self) -> bool {
        match self {
            Self::Setting(_) | Self::NoFolder(_) | Self::Journal { .. } | Self::Nats(_) => true,
            Self::Archive(fault) => matches!(fault, ArchiveFault::Unusable(_)),
            _ => false,
        }
    }
}

/// Opens the archive of the settings, which is in the recorder's folder unless they name another.
///
/// # Errors
/// If the archive cannot be used. One that does not answer may answer later.
pub async fn archive(settings: &AuditorCli) -> Result<GameArchive, AuditorError> {
    let has_own = settings.journal == JournalPlace::Sqlite;
    if settings.archive.archive.is_none() && !has_own {
        return Err(AuditorError::Setting("--archive: expected file:FOLDER or s3://BUCKET/PREFIX"));
    }
    let folder = settings.data.join(ARCHIVE);
    if settings.archive.archive.is_none() && !folder.is_dir() {
        return Err(AuditorError::NoFolder(folder));
    }
    let archive = settings.archive.open(&folder)?;
    match archive.prove().await {
        Err(ArchiveFault::Unavailable(problem)) => {
            tracing::warn!("verdicts wait: the archive does not answer: {problem}");
        }
        proven => proven?,
    }
    Ok(archive)
}

/// Opens the journal of recorders, which may be running.
///
/// # Errors
/// If there is no journal of this version, or every reason not to trust the servers.
pub async fn journal(settings: &AuditorCli, archive: &GameArchive) -> Result<Arc<dyn Journal>, AuditorError> {
    match &settings.journal {
        JournalPlace::Sqlite => {
            let path = settings.data.join(settings.journal.file());
            let opened = SqliteJournal::beside(&path);
            Ok(Arc::new(opened.map_err(|error| AuditorError::Journal { path, error })?))
        }
        JournalPlace::Nats(addresses) => {
            let opened = NatsJournal::beside(addresses, &settings.nats, archive.clone()).await;
            Ok(Arc::new(opened.map_err(AuditorError::Nats)?))
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
) -> Result<(), AuditorError> {
    let endpoint = settings.otlp_endpoint.as_deref();
    let export = MeterExport::start(PROGRAM, endpoint, settings.metrics_interval, generator)?;
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
        failed = healthy => failed.map_err(Into::into),
    };
    export.stop().await;
    ended
}
