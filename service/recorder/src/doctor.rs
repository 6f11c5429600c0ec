//! The command `doctor`: reads everything that a recorder needs, and says in one line each what is well, or what is wrong, what it
//! costs and what to type. It may run beside a recorder. With `--fix` it mends what loses nothing.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use canasta_proto::v1::GameStatus;
use canasta_service::seal::{KeyId, Keyring};
use canasta_service::{Clock, Generator};
use opentelemetry::global;
use rustix::fs::{StatVfsMountFlags, statvfs};

use crate::archive::GameArchive;
use crate::auditor::metrics::AuditMetrics;
use crate::auditor::{self, AuditorContext};
use crate::context::OpenedRecorder;
use crate::entry::JournalEntry;
use crate::folder::{RecorderFolder, make_key};
use crate::journal::sqlite::{SealedGames, sealed_games};
use crate::journal::{Journal, READ_MAX, ReadError};
use crate::lengths::GAME_BYTES_MAX;
use crate::marks::{MarkFault, MarkKeeper};
use crate::records::records;
use crate::server;
use crate::settings::{JournalPlace, RecorderCli};

/// Free space below which the disk counts as full, in bytes.
const FREE_MIN: u64 = 16 << 20;

/// What is wrong with something.
struct Trouble {
    what: String,
    costs: &'static str,
    /// The command that mends it.
    command: String,
}

/// The doctor's findings so far.
struct Doctor<'a> {
    settings: &'a RecorderCli,
    is_fixing: bool,
    /// Number of things that are wrong.
    wrong: usize,
}

/// Prints the findings, and mends what loses nothing if `is_fixing`. Returns the number of things that are wrong.
pub async fn run(settings: &RecorderCli, is_fixing: bool, (generator, clock): (Generator, Clock)) -> usize {
    let mut doctor = Doctor { settings, is_fixing, wrong: 0 };
    if doctor.folder() {
        doctor.disk();
        if doctor.keys(generator) {
            doctor.journal(generator, clock).await;
        }
    }
    doctor.wrong
}

impl Doctor<'_> {
    fn well(&self, part: &str, what: &str) {
        println!("well   {part:<8}  {what}");
    }

    fn wrong(&mut self, part: &str, Trouble { what, costs, command }: Trouble) {
        self.wrong += 1;
        println!("wrong  {part:<8}  {what}; {costs}; type: {command}");
    }

    /// Tells of a trouble that `fix` mends without a loss; `fix` returns false if it could not.
    fn fixable(&mut self, part: &str, trouble: Trouble, fix: impl FnOnce() -> bool) {
        if self.is_fixing && fix() {
            println!("fixed  {part:<8}  {}", trouble.what);
        } else {
            self.wrong(part, trouble);
        }
    }

    /// The command line of this program with its folder.
    fn program(&self, rest: &str) -> String {
        let data = &self.settings.data;
        match data == Path::new("canasta-data") {
            true => format!("canasta-recorder {rest}"),
            false => format!("canasta-recorder --data {} {rest}", data.display()),
        }
    }

    /// Returns false if there is no folder.
    fn folder(&mut self) -> bool {
        let data = &self.settings.data;
        let files = fs::read_dir(data).map(|files| files.flatten().map(|file| file.path()).collect());
        let files: Vec<PathBuf> = match files {
            Ok(files) => files,
            Err(error) => {
                let what = format!("{}: {error}", data.display());
                let command = "canasta-recorder --data FOLDER doctor".into();
                self.wrong("folder", Trouble { what, costs: "no recorder has run here", command });
                return false;
            }
        };
        let before = self.wrong;
        for path in [data.clone()].into_iter().chain(files) {
            let Ok(found) = fs::metadata(&path) else { continue };
            let widest = if found.is_dir() { 0o700 } else { 0o600 };
            if found.mode() & 0o777 & !widest != 0 {
                let what = format!("{}: other users may use it", path.display());
                let command = format!("chmod {widest:o} {}", path.display());
                let trouble = Trouble { what, costs: "no recorder starts", command };
                self.fixable("folder", trouble, || {
                    fs::set_permissions(&path, Permissions::from_mode(widest)).is_ok()
                });
            }
        }
        let lock = File::open(data.join("recorder.lock"));
        let runs = lock.is_ok_and(|lock| lock.try_lock().is_err());
        if self.wrong == before {
            let runs = if runs { "a recorder runs" } else { "no recorder runs" };
            self.well("folder", &format!("{}: {runs}", data.display()));
        }
        true
    }

    /// Returns false if a key is missing without which nothing else can be read.
    fn keys(&mut self, generator: Generator) -> bool {
        let (data, config) = (&self.settings.data, &self.settings.config);
        let before = self.wrong;
        for path in RecorderFolder::missing_keys(data, config) {
            let what = format!("{} is missing", path.display());
            let costs = "no recorder starts; put the file back, or if there is no copy";
            let trouble = Trouble { what, costs, command: self.program("doctor --fix") };
            self.fixable("keys", trouble, || make_key(&path, generator).is_ok());
        }
        let seal = config.seal_key_file.clone().unwrap_or_else(|| data.join("seal.keys"));
        match Keyring::read(&seal, &config.audience) {
            Ok(ring) => self.seal_keys(&ring, &seal),
            Err(error) => {
                let what = format!("{}: {error}", seal.display());
                let costs = "no recorder starts; put the file back, or if there is no copy and every live game may end";
                let command = format!("canasta-service keygen {}", seal.display());
                self.wrong("keys", Trouble { what, costs, command });
            }
        }
        self.wrong == before
    }

    /// Counts the games that need each key that seals states.
    fn seal_keys(&mut self, ring: &Keyring, file: &Path) {
        let sets = match self.settings.journal {
            JournalPlace::Sqlite => {
                sealed_games(&self.settings.data.join("journal.sqlite")).unwrap_or_default()
            }
            JournalPlace::Nats(_) => Vec::new(),
        };
        let mut games: BTreeMap<KeyId, SealedGames> = BTreeMap::new();
        for (set, of) in sets {
            for key in set {
                let sum = games.entry(key).or_default();
                (sum.live, sum.ended) = (sum.live + of.live, sum.ended + of.ended);
            }
        }
        let known: Vec<_> =
            ring.uses().map(|(key, name)| (key, name, games.remove(&key).unwrap_or_default())).collect();
        let missing = games.into_iter().map(|(key, games)| (key, "missing", games));
        for (key, name, SealedGames { live, ended }) in known.into_iter().chain(missing) {
            let what =
                format!("seal key {} is {name}: {live} live and {ended} ended games need it", hex(&key));
            if live > 0 && matches!(name, "missing" | "revoked") {
                let costs = "these live games stand still (STATE_TOKEN_INVALID); put the key back";
                let command = format!("vi {}", file.display());
                self.wrong("keys", Trouble { what, costs, command });
            } else {
                self.well("keys", &what);
            }
        }
    }

    fn disk(&mut self) {
        let data = &self.settings.data;
        let Ok(disk) = statvfs(data) else { return };
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        let what = format!("{} MiB are free", free >> 20);
        let costs = "nothing is recorded (STORE_FULL), questions are answered";
        let (at, is_read_only) = (data.display(), disk.f_flag.contains(StatVfsMountFlags::RDONLY));
        if is_read_only {
            let command = format!("mount -o remount,rw {at}");
            self.wrong("disk", Trouble { what: "the disk can only be read".into(), costs, command });
        } else if free < FREE_MIN {
            self.wrong("disk", Trouble { what, costs, command: format!("df -h {at}") });
        } else {
            self.well("disk", &what);
        }
    }

    async fn journal(&mut self, generator: Generator, clock: Clock) {
        let RecorderCli { data, journal, archive, .. } = self.settings;
        let costs = "no recorder starts";
        let folder = match RecorderFolder::beside(data, journal.file()) {
            Ok(folder) => folder,
            Err(error) => {
                let command = self.program("doctor --fix");
                return self.wrong("journal", Trouble { what: error.to_string(), costs, command });
            }
        };
        match journal {
            JournalPlace::Sqlite => match server::beside(folder, archive) {
                Ok(opened) => self.opened(opened, clock).await,
                Err(error) => {
                    let command = "restore a backup (RECORDING.md)".into();
                    self.wrong("journal", Trouble { what: error.to_string(), costs, command });
                }
            },
            JournalPlace::Nats(addresses) => {
                match server::nats(folder, addresses, self.settings, generator).await {
                    Ok(opened) => self.opened(opened, clock).await,
                    Err(errors) => {
                        for error in errors {
                            let command = "nats server report jetstream".into();
                            self.wrong("nats", Trouble { what: error.to_string(), costs, command });
                        }
                    }
                }
            }
        }
    }

    async fn opened<J: Journal>(&mut self, opened: OpenedRecorder<J>, clock: Clock) {
        self.archive(&opened.archive).await;
        self.marks(&opened, clock).await;
        let metrics = AuditMetrics::new(&global::meter("doctor"));
        let OpenedRecorder { journal, archive, .. } = opened;
        let auditor = AuditorContext { journal, archive, clock, metrics };
        if let Err(error) = self.games(&auditor).await {
            let command = self.program("doctor");
            self.wrong("journal", Trouble { what: error.to_string(), costs: "games wait for it", command });
        }
    }

    async fn archive(&mut self, archive: &GameArchive) {
        match archive.prove().await {
            Ok(()) => self.well("archive", "it answers, and keeps what is put there"),
            Err(fault) => {
                let (costs, command) = ("verdicts and purges wait, play goes on", self.program("doctor"));
                self.wrong("archive", Trouble { what: fault.to_string(), costs, command });
            }
        }
    }

    async fn marks<J: Journal>(&mut self, opened: &OpenedRecorder<J>, clock: Clock) {
        let place = server::mark_place(opened, &self.settings.config, clock);
        let keeper = match place {
            Ok(place) => MarkKeeper::open(place).await,
            Err(error) => {
                let (costs, command) = ("no recorder starts", self.program("doctor --fix"));
                return self.wrong("marks", Trouble { what: error.to_string(), costs, command });
            }
        };
        match keeper {
            Ok(keeper) => {
                let refused = keeper.status().refused_shards();
                if refused.is_empty() {
                    self.well(
                        "marks",
                        "the journal has every record that marks tell of; the clock is not behind them",
                    );
                }
                for (shard, refused) in refused {
                    let games: Vec<_> = refused
                        .lost
                        .games
                        .iter()
                        .map(|lost| {
                            format!("{} lacks {} up to record {}", hex(&lost.game.0), lost.records, lost.n)
                        })
                        .collect();
                    let what = format!(
                        "shard {shard} lacks {} records that were acknowledged: {}",
                        refused.lost.records,
                        games.join(", ")
                    );
                    let command = self.program(&format!("accept-loss {shard} {}", refused.mark));
                    let costs = "its games are refused (RECORDS_MISSING); look for a newer copy first";
                    self.wrong("marks", Trouble { what, costs, command });
                }
            }
            Err(MarkFault::Clock { behind_s, shard, mark }) => {
                let command = self.program(&format!("accept-loss {shard} {mark}"));
                let what = format!("the clock is {behind_s} s behind the last mark");
                let costs = "no recorder starts; set the clock, or if it is right now and was ahead then";
                self.wrong("clock", Trouble { what, costs, command });
            }
            Err(fault) => {
                let (costs, command) = ("losses are not noticed", self.program("doctor"));
                self.wrong("marks", Trouble { what: fault.to_string(), costs, command });
            }
        }
    }

    /// Reads every game.
    async fn games<J: Journal>(&mut self, auditor: &AuditorContext<J>) -> Result<(), ReadError> {
        let (journal, before) = (&auditor.journal, self.wrong);
        let (mut after, mut live, mut ended) = (None, 0_u64, 0_u64);
        loop {
            let page = journal.games(after, READ_MAX).await?;
            for summary in &page {
                let Ok(game) = summary.game_id[..].try_into().map(GameId) else { continue };
                after = Some(game);
                let status = summary.status();
                let is_live = status == GameStatus::Live;
                (live, ended) = (live + u64::from(is_live), ended + u64::from(!is_live));
                match status {
                    GameStatus::Archived => self.archived(&auditor.archive, game).await,
                    GameStatus::Stuck => self.stuck(auditor, game).await,
                    _ => self.whole(&**journal, game).await?,
                }
            }
            if page.len() < READ_MAX {
                break;
            }
        }
        if self.wrong == before {
            self.well("games", &format!("{live} live and {ended} ended games: every entry is whole"));
        }
        Ok(())
    }

    async fn archived(&mut self, archive: &GameArchive, game: GameId) {
        if matches!(archive.has(game).await, Ok(false)) {
            let what = format!("the archive has no log of game {}", hex(&game.0));
            let costs = "its log is lost; put back the copy of the archive";
            let command = format!("cp -rn BACKUP/archive/. {}", self.settings.data.join("archive").display());
            self.wrong("archive", Trouble { what, costs, command });
        }
    }

    async fn stuck<J: Journal>(&mut self, auditor: &AuditorContext<J>, game: GameId) {
        let id = hex(&game.0);
        let mut trouble = Trouble {
            what: format!("game {id} is STUCK: its audit has failed five times"),
            costs: "it has no verdict; to audit it again, and to learn the fault",
            command: self.program("doctor --fix"),
        };
        if self.is_fixing && auditor.journal.retry().await.is_ok() {
            match auditor::judge(auditor, game).await {
                Ok(_) => return println!("fixed  games     game {id} has its verdict"),
                Err(fault) => {
                    let costs = "it has no verdict; restore what is damaged, or if there is no copy";
                    let what = format!("game {id}: {fault}");
                    trouble = Trouble { what, costs, command: self.program(&format!("delete {id}")) };
                }
            }
        }
        self.wrong("games", trouble);
    }

    /// Checks each entry of a game, the chain of its log, and its length.
    async fn whole<J: Journal>(&mut self, journal: &J, game: GameId) -> Result<(), ReadError> {
        let id = hex(&game.0);
        let (mut before, mut bytes) = (None::<JournalEntry>, 0);
        let damage = loop {
            let from_n = before.as_ref().map_or(0, |before| before.n + 1);
            let page = match journal.read(game, from_n, READ_MAX).await {
                Err(error @ ReadError::Damaged { .. }) => break error.to_string(),
                page => page?,
            };
            if page.is_empty() {
                if bytes as u64 > GAME_BYTES_MAX {
                    let what = format!("game {id} has {bytes} bytes of log, at most {GAME_BYTES_MAX}");
                    let (costs, command) =
                        ("players can record nothing more in it", self.program(&format!("end {id} SIDE")));
                    self.wrong("games", Trouble { what, costs, command });
                }
                return Ok(());
            }
            let mut broken = None;
            for placed in page {
                if records(before.as_ref(), &placed.entry).is_err() {
                    broken = Some(format!(
                        "the entry at position {} does not follow from the one before",
                        placed.at.0
                    ));
                    break;
                }
                bytes += placed.entry.frames.len();
                before = Some(placed.entry);
            }
            if let Some(broken) = broken {
                break broken;
            }
        };
        let n = before.map_or(0, |before| before.n + 1);
        let what = format!("game {id} is damaged from record {n} on: {damage}");
        let costs =
            "it stands still there, and GetLog sends what is before; restore a backup, or if there is none";
        let command = self.program(&format!("delete {id}"));
        self.wrong("games", Trouble { what, costs, command });
        Ok(())
    }
}
