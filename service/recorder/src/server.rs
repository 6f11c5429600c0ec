//! The server: the stateless service with RecordService behind the same layers.

use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use canasta_proto::v1::record_service_server::RecordServiceServer;
use canasta_service::config::Config;
use canasta_service::limits::{ANSWER_BYTES_MAX, REQUEST_BYTES_MAX};
use canasta_service::parts::{StreamPlaces, file_faults};
use canasta_service::server::{self, DrainResult, MoreServices, ServeError, ServerParts};
use canasta_service::{Clock, Generator};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tonic::server::NamedService;
use tonic::service::Routes;

use crate::auditor;
use crate::changes::Changes;
use crate::context::RecorderContext;
use crate::folder::{FolderError, RecorderFolder};
use crate::games::KnownSettings;
use crate::handler::RecordHandler;
use crate::journal::Journal;
use crate::journal::sqlite::{SqliteError, SqliteJournal};
use crate::metrics::{self, RecordMetrics};
use crate::outages::{self, Outages};
use crate::play::work::Work;
use crate::settings::RecorderCli;

/// Maximum number of open streams about games.
const WATCHERS_MAX: u64 = 10_000;
/// Maximum number of open streams about games of one caller.
const CALLER_WATCHERS_MAX: u64 = 64;

/// Maximum number of games whose settings are remembered.
const CACHE_GAMES: usize = 100_000;

/// A recorder that cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The journal cannot be used.
    #[error("{}: {error}", path.display())]
    Journal {
        /// The file.
        path: std::path::PathBuf,
        /// The problem.
        error: SqliteError,
    },
}

/// Opens the folder of a recorder and its journal.
///
/// # Errors
/// If either cannot be used.
pub fn open(
    path: &Path,
    config: &Config,
    generator: Generator,
) -> Result<(RecorderFolder, SqliteJournal), StartError> {
    let folder = RecorderFolder::open(path, config, generator)?;
    let path = folder.journal();
    let journal = SqliteJournal::open(&path).map_err(|error| StartError::Journal { path, error })?;
    Ok((folder, journal))
}

/// Checks the settings, and opens the folder and the journal.
///
/// # Errors
/// Every fault of the settings, of the folder, or of the files that the settings name.
pub fn prepare(
    path: &Path,
    config: &Config,
    generator: Generator,
) -> Result<(RecorderFolder, SqliteJournal), Vec<String>> {
    let conflicts: Vec<String> = config.conflicts().iter().map(ToString::to_string).collect();
    if !conflicts.is_empty() {
        return Err(conflicts);
    }
    let opened = open(path, config, generator).map_err(|error| vec![error.to_string()])?;
    let faults = file_faults(&with_keys(config, &opened.0));
    if faults.is_empty() { Ok(opened) } else { Err(faults) }
}

/// Returns the service's settings with the keys of the folder, where the settings name no others.
pub fn with_keys(config: &Config, folder: &RecorderFolder) -> Config {
    let mut config = config.clone();
    config.seal_key_file.get_or_insert_with(|| folder.seal_keys());
    config.signing_key_file.get_or_insert_with(|| folder.signing_key());
    config
}

/// Serves until `shutdown`, then drains, as the service does. Finished games are audited meanwhile.
///
/// # Errors
/// If the server cannot start or its transport fails.
pub async fn run<J: Journal>(
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
    settings: &RecorderCli,
    (folder, journal): (RecorderFolder, J),
    (generator, clock): (Generator, Clock),
) -> Result<DrainResult, ServeError> {
    let config = with_keys(&settings.config, &folder);
    let keep = Duration::from_secs(u64::from(settings.keep_finished_hours) * 3_600);
    let outages = Arc::new(Outages::open(folder.lock()?, clock())?);
    let (running, work) = (Arc::clone(&outages), Arc::new(Work::default()));
    let begun = Arc::clone(&work);
    let mut tasks = JoinSet::new();
    let more = |ServerParts { ctx, searches, draining }: ServerParts| {
        let streams = StreamPlaces::of_games(WATCHERS_MAX, CALLER_WATCHERS_MAX, &ctx, draining.clone());
        let (changes, known) = (Changes::default(), KnownSettings::new(CACHE_GAMES));
        let metrics = RecordMetrics::new(&ctx.telemetry.meter);
        let ctx = Arc::new(RecorderContext {
            service: ctx,
            journal,
            folder,
            searches,
            changes,
            streams,
            known,
            outages,
            work: begun,
            metrics,
        });
        tasks.spawn(auditor::run(Arc::clone(&ctx), keep, draining));
        if ctx.service.telemetry.is_exported() {
            tasks.spawn(tell_figures(Arc::clone(&ctx)));
        }
        let handler = RecordServiceServer::new(RecordHandler::new(ctx))
            .max_decoding_message_size(REQUEST_BYTES_MAX)
            .max_encoding_message_size(ANSWER_BYTES_MAX);
        let names = vec![RecordServiceServer::<RecordHandler<J>>::NAME];
        MoreServices { routes: Routes::new(handler), names }
    };
    let ended = tokio::select! {
        ended = server::run_with(listener, shutdown, &config, (generator, clock), more) => ended,
        failed = touch(&running, clock) => Err(failed.into()),
    };
    // Whatever the tasks do may be cut off, and the folder stays locked as long as they live.
    tasks.shutdown().await;
    work.end().await;
    running.touch(clock())?;
    ended
}

/// Reads the figures of the journal again and again, for the metrics.
async fn tell_figures<J: Journal>(ctx: Arc<RecorderContext<J>>) {
    loop {
        match ctx.journal.figures().await {
            Ok(figures) => ctx.metrics.keep(figures, (ctx.service.clock)()),
            Err(error) => tracing::warn!("the figures of the journal: {error}"),
        }
        sleep(metrics::FIGURES).await;
    }
}

/// Notes each second that the recorder runs, until that fails.
async fn touch(outages: &Outages, clock: Clock) -> std::io::Error {
    loop {
        sleep(outages::TOUCH).await;
        if let Err(error) = outages.touch(clock()) {
            return error;
        }
    }
}
