//! The server: the stateless service with RecordService behind the same layers.

use std::future::Future;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use canasta_messages::limits::ANSWER_BYTES_MAX;
use canasta_proto::v1::record_service_server::RecordServiceServer;
use canasta_serve::config::{Config, ConfigError};
use canasta_serve::fairness::Accountant;
use canasta_serve::limits::REQUEST_BYTES_MAX;
use canasta_serve::outside::{Clock, Generator};
use canasta_serve::secret;
use canasta_serve::signer::{CheckpointSigner, SignedNoteKey};
use canasta_serve::streams::StreamPlaces;
use canasta_serve::telemetry::counts::PlaceKind;
use canasta_serve::workers::WorkerPool;
use canasta_service::files;
use canasta_service::files::LinkSettings;
use canasta_service::server::{self, DrainResult, MoreServices, ServeError, ServerParts};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tonic::server::NamedService;
use tonic::service::Routes;

use crate::archive::ArchiveFault;
use crate::auditor::metrics::AuditMetrics;
use crate::auditor::{self, AuditorContext, AuditorWork};
use crate::changes::Changes;
use crate::context::{OpenedRecorder, RecorderContext};
use crate::folder::{ARCHIVE, FolderError, PUBLIC_KEYS, RecorderFolder, SEAL_KEYS, SIGNING_KEY};
use crate::handler::RecordHandler;
use crate::journal::Journal;
use crate::journal::nats::{NatsError, NatsJournal};
use crate::journal::sqlite::{SqliteError, SqliteJournal};
use crate::marks::{MarkFault, MarkKeeper, MarkKeys, MarkPlace, MarkStatus};
use crate::metrics::{self, RecordMetrics};
use crate::outages::{self, Outages};
use crate::rooms::{self, RoomSettings};
use crate::rpc::present;
use crate::settings::{JournalPlace, PROGRAM, RecorderCli};
use crate::tasks::GameTasks;

/// A recorder that cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Archive(#[from] ArchiveFault),
    #[error("{}: {error}", path.display())]
    Journal { path: std::path::PathBuf, error: SqliteError },
    #[error(transparent)]
    Nats(#[from] NatsError),
    /// The marks cannot be read, or the journal cannot be held against them.
    #[error(transparent)]
    Marks(#[from] MarkFault),
    #[error("the keys of marks: {0}")]
    Keys(String),
    /// The settings contradict each other, or a file that they name cannot be used.
    #[error("{0}")]
    Settings(String),
}

impl StartError {
    /// Whether the disk is at fault, and not the settings.
    pub fn is_of_disk(&self) -> bool {
        match self {
            Self::Folder(FolderError::Io { error, .. }) => {
                matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::ReadOnlyFilesystem)
            }
            Self::Journal { error, .. } => error.is_of_disk(),
            _ => false,
        }
    }
}

/// Opens the journal at this place, and the archive.
///
/// # Errors
/// Every reason not to trust the journal, or the archive's.
pub async fn open(
    place: &JournalPlace,
    folder: RecorderFolder,
    RecorderCli { nats, archive, .. }: &RecorderCli,
    generator: Generator,
) -> Result<OpenedRecorder, Vec<StartError>> {
    let changes = Changes::default();
    let open_archive = || archive.open(&folder.file(ARCHIVE)).map_err(|error| vec![error.into()]);
    let (journal, archive): (Arc<dyn Journal>, _) = match place {
        JournalPlace::Sqlite => {
            let path = folder.journal();
            let open = if folder.is_own() { SqliteJournal::open } else { SqliteJournal::beside };
            let journal = open(&path).map_err(|error| vec![StartError::Journal { path, error }])?;
            (Arc::new(journal), open_archive()?)
        }
        JournalPlace::Nats(addresses) => {
            let archive = open_archive()?;
            let shared = (archive.clone(), changes.clone(), folder.key().fleet());
            let journal = NatsJournal::open(addresses, nats, shared, generator).await;
            let of_nats = |errors: Vec<_>| errors.into_iter().map(StartError::Nats).collect::<Vec<_>>();
            (Arc::new(journal.map_err(of_nats)?), archive)
        }
    };
    Ok(OpenedRecorder { folder, journal, archive, changes, marks: None })
}

/// Returns the service's settings for rooms: guests are people with browsers.
fn with_rooms(config: &Config, rooms: &RoomSettings) -> Config {
    let mut config = config.clone();
    config.web |= rooms.is_open;
    config.reflection |= rooms.is_open;
    config
}

/// Returns every contradiction between the settings. With rooms nobody needs identities: whoever has no credentials is a
/// guest.
fn conflicts(config: &Config, rooms: &RoomSettings) -> Vec<String> {
    let config = with_rooms(config, rooms);
    let is_lifted = |error: &ConfigError| {
        rooms.is_open && matches!(error, ConfigError::OpenToAll(_) | ConfigError::SealForAll)
    };
    let found =
        config.conflicts().into_iter().filter(|error| !is_lifted(error)).map(|error| error.to_string());
    let trusts_guests =
        "--rooms lets anybody reach the port, --trusted-callers trusts whoever does: set one of the two";
    let own = (rooms.is_open && config.trusted_callers).then(|| trusts_guests.to_owned());
    found.chain(own).collect()
}

/// Checks the settings, and opens the folder.
///
/// # Errors
/// Every fault of the settings, of the folder, or of the files that the settings name.
pub fn prepare(settings: &RecorderCli, generator: Generator) -> Result<RecorderFolder, Vec<StartError>> {
    let RecorderCli { data, journal, config, rooms, .. } = settings;
    let conflicts = conflicts(config, rooms);
    let of_settings = |faults: Vec<String>| faults.into_iter().map(StartError::Settings).collect();
    if !conflicts.is_empty() {
        return Err(of_settings(conflicts));
    }
    let folder = RecorderFolder::open(data, journal.file(), config, generator);
    let folder = folder.map_err(|error| vec![error.into()])?;
    let links = link_settings(&folder, rooms);
    let faults = files::faults(&with_keys(config, &folder), Some(&links));
    if faults.is_empty() { Ok(folder) } else { Err(of_settings(faults)) }
}

/// Returns where the marks of a recorder are, and the keys that sign them.
///
/// # Errors
/// If the keys cannot be read.
pub fn mark_place(opened: &OpenedRecorder, config: &Config, clock: Clock) -> Result<MarkPlace, StartError> {
    let fault =
        |path: &Path, error: &dyn std::fmt::Display| StartError::Keys(format!("{}: {error}", path.display()));
    let signing = config.signing_key_file.clone().unwrap_or_else(|| opened.folder.file(SIGNING_KEY));
    let signer = CheckpointSigner::read(&signing).map_err(|error| fault(&signing, &error))?;
    let public = opened.folder.file(PUBLIC_KEYS);
    let lines = secret::read(&public).map_err(|error| fault(&public, &error))?;
    let accepted = lines.lines().filter_map(|line| SignedNoteKey::parse(line.trim())).collect();
    let (journal, archive) = (Arc::clone(&opened.journal), opened.archive.clone());
    Ok(MarkPlace { journal, archive, keys: MarkKeys { signer, accepted }, clock })
}

/// Proves that the archive keeps what is put there, and holds the journal against the marks in it. A shard that lacks records
/// is not served. What cannot be done since the archive does not answer is done later: play goes on.
///
/// # Errors
/// If the archive replaces objects, or the clock is behind the marks, or the journal does not answer.
pub async fn check_archive(
    opened: &mut OpenedRecorder,
    config: &Config,
    clock: Clock,
) -> Result<(), StartError> {
    match opened.archive.prove().await {
        Err(unusable @ ArchiveFault::Unusable(_)) => return Err(unusable.into()),
        Err(fault) => tracing::warn!("verdicts wait: {fault}"),
        Ok(()) => {}
    }
    let place = mark_place(opened, config, clock)?;
    opened.marks = Some(MarkKeeper::open(place).await?);
    Ok(())
}

/// Returns the service's settings with the recorder's name, and with the keys of the folder where the settings name no
/// others.
pub fn with_keys(config: &Config, folder: &RecorderFolder) -> Config {
    let mut config = Config { program: PROGRAM, ..config.clone() };
    config.seal_key_file.get_or_insert_with(|| folder.file(SEAL_KEYS));
    config.signing_key_file.get_or_insert_with(|| folder.file(SIGNING_KEY));
    config
}

fn link_settings(folder: &RecorderFolder, rooms: &RoomSettings) -> LinkSettings {
    LinkSettings { public_keys: folder.file(PUBLIC_KEYS), has_rooms: rooms.is_open }
}

/// Returns the context of a program that serves nobody: for callers in this process, each of which brings its
/// [`Caller`](canasta_serve::identity::Caller). Files are read once.
///
/// # Errors
/// If a file cannot be read.
pub fn context(
    settings: &RecorderCli,
    opened: OpenedRecorder,
    (generator, clock): (Generator, Clock),
) -> Result<RecorderContext, ServeError> {
    let service = server::context(&with_keys(&settings.config, &opened.folder), generator, clock)?;
    let searches = WorkerPool::for_searches(Some(1), &service.telemetry);
    let accountant = Accountant::new(&settings.config, &service.telemetry.counts);
    let streams = StreamPlaces::new(&accountant, PlaceKind::Games, watch::channel(false).1);
    let outages = Arc::new(Outages::beside(opened.folder.lock()?)?);
    let work = Arc::default();
    let status = MarkStatus::default();
    let shared = (searches, streams);
    Ok(RecorderContext::new(service, opened, status, (outages, work), shared, &settings.rooms))
}

/// Serves until `shutdown`, then drains, as the service does. Finished games are audited meanwhile.
///
/// # Errors
/// If the server cannot start or its transport fails.
pub async fn run(
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
    settings: &RecorderCli,
    mut opened: OpenedRecorder,
    (generator, clock): (Generator, Clock),
) -> Result<DrainResult, ServeError> {
    let RecorderCli { config, rooms, .. } = settings;
    let config = with_keys(&with_rooms(config, rooms), &opened.folder);
    let links = link_settings(&opened.folder, rooms);
    let keep = Duration::from_secs(u64::from(settings.keep_finished_hours) * 3_600);
    let outages = Arc::new(Outages::open(opened.folder.lock()?, clock())?);
    let (running, work) = (Arc::clone(&outages), Arc::new(GameTasks::default()));
    let begun = Arc::clone(&work);
    let mut tasks = JoinSet::new();
    let (marks, kept) = (opened.marks.take(), Arc::clone(&outages));
    let status = marks.as_ref().map(|marks| marks.status().clone()).unwrap_or_default();
    if let Some(marks) = marks {
        tasks.spawn(async move { match marks.run(kept).await {} });
    }
    let more = |ServerParts { ctx, searches, accountant, draining }: ServerParts| {
        let streams = StreamPlaces::new(&accountant, PlaceKind::Games, draining.clone());
        let (journal, archive) = (Arc::clone(&opened.journal), opened.archive.clone());
        if journal.has_one_recorder() && !settings.audit_elsewhere {
            let metrics = AuditMetrics::new(&ctx.telemetry.meter);
            let audit = AuditorContext { journal, archive, clock, metrics };
            tasks.spawn(auditor::run(audit, AuditorWork { workers: 1, keep }, draining));
        }
        RecordMetrics::observe_marks(&ctx.telemetry.meter, &status);
        let shared = (searches, streams);
        let ctx = Arc::new(RecorderContext::new(ctx, opened, status, (outages, begun), shared, rooms));
        tasks.spawn(present::tell_again(Arc::clone(&ctx)));
        tasks.spawn(sweep_rooms(Arc::clone(&ctx), rooms.keep_unplayed_ms()));
        if ctx.service.telemetry.is_exported() {
            tasks.spawn(tell_figures(Arc::clone(&ctx)));
        }
        let handler = RecordServiceServer::new(RecordHandler::new(ctx))
            .max_decoding_message_size(REQUEST_BYTES_MAX)
            .max_encoding_message_size(ANSWER_BYTES_MAX);
        let names = vec![RecordServiceServer::<RecordHandler>::NAME];
        MoreServices { routes: Routes::new(handler), names }
    };
    let ended = tokio::select! {
        ended = server::run_with(listener, shutdown, &config, (generator, clock), Some(links), more) => ended,
        failed = touch(&running, clock) => Err(failed.into()),
    };
    // Whatever the tasks do may be cut off, and the folder stays locked as long as they live.
    tasks.shutdown().await;
    work.end().await;
    running.touch(clock())?;
    ended
}

/// Deletes each hour the rooms that nobody has played.
async fn sweep_rooms(ctx: Arc<RecorderContext>, keep_ms: i64) {
    loop {
        match rooms::sweep(&*ctx.journal, (ctx.service.clock)(), keep_ms).await {
            Ok(0) => {}
            Ok(count) => tracing::info!("{count} rooms that nobody has played are deleted"),
            Err(error) => tracing::warn!("unplayed rooms are not looked for: {error}"),
        }
        sleep(rooms::SWEEP).await;
    }
}

/// Reads the figures of the journal again and again, for the metrics.
async fn tell_figures(ctx: Arc<RecorderContext>) {
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
