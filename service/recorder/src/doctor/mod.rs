//! The command `doctor`: reads everything that a recorder needs, and says in one line each what is well, or what is wrong, what it
//! costs and what to type. It may run beside a recorder. With `--fix` it mends what loses nothing.

mod journal;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use canasta_engine::hex::hex;
use canasta_serve::outside::{Clock, Generator};
use canasta_service::seal::{KeyId, Keyring};
use rustix::fs::{StatVfsMountFlags, statvfs};

use crate::folder::{RecorderFolder, SEAL_KEYS, make_key};
use crate::journal::sqlite::{SealedGames, sealed_games};
use crate::settings::{JournalPlace, RecorderCli};

/// Free space below which the disk counts as full, in bytes.
const FREE_MIN: u64 = 16 << 20;

struct Doctor<'a> {
    settings: &'a RecorderCli,
    is_fixing: bool,
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

    /// Tells of something that is wrong: what it `costs`, with what to look at before anything is typed, and the command that
    /// mends it.
    fn wrong(&mut self, part: &str, what: impl Display, costs: &str, command: impl Display) {
        self.wrong += 1;
        println!("wrong  {part:<8}  {what}; {costs}; type: {command}");
    }

    /// Tells of a trouble that `fix` mends without a loss; `fix` returns false if it could not.
    fn fixable(&mut self, part: &str, what: &str, costs: &str, command: &str, fix: impl FnOnce() -> bool) {
        if self.is_fixing && fix() {
            println!("fixed  {part:<8}  {what}");
        } else {
            self.wrong(part, what, costs, command);
        }
    }

    /// Returns the command line of this program with its folder.
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
                let command = "canasta-recorder --data FOLDER doctor";
                self.wrong("folder", what, "no recorder has run here", command);
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
                self.fixable("folder", &what, "no recorder starts", &command, || {
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
            let command = self.program("doctor --fix");
            self.fixable("keys", &what, costs, &command, || make_key(&path, generator).is_ok());
        }
        let seal = config.seal_key_file.clone().unwrap_or_else(|| data.join(SEAL_KEYS));
        match Keyring::read(&seal, &config.audience) {
            Ok(ring) => self.seal_keys(&ring, &seal),
            Err(error) => {
                let what = format!("{}: {error}", seal.display());
                let costs = "no recorder starts; put the file back, or if there is no copy and every live game may end";
                let command = format!("canasta-service keygen {}", seal.display());
                self.wrong("keys", what, costs, command);
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
                self.wrong("keys", what, costs, command);
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
            self.wrong("disk", "the disk can only be read", costs, command);
        } else if free < FREE_MIN {
            self.wrong("disk", what, costs, format!("df -h {at}"));
        } else {
            self.well("disk", &what);
        }
    }
}
