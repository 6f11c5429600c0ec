//! The journal with its archive, its marks and its games.

use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use canasta_proto::v1::GameStatus;
use canasta_serve::outside::{Clock, Generator};
use opentelemetry::global;

use super::Doctor;
use crate::archive::GameArchive;
use crate::auditor::metrics::AuditMetrics;
use crate::auditor::{self, AuditorContext};
use crate::context::OpenedRecorder;
use crate::entry::JournalEntry;
use crate::folder::RecorderFolder;
use crate::journal::{Journal, JournalResult, READ_MAX, ReadError};
use crate::lengths::GAME_BYTES_MAX;
use crate::marks::{MarkFault, MarkKeeper};
use crate::records::records;
use crate::server;
use crate::settings::{JournalPlace, RecorderCli};

/// Room that a long note needs, in bytes.
const NOTE_BYTES: u64 = 4_096;

impl Doctor<'_> {
    pub(super) async fn journal(&mut self, generator: Generator, clock: Clock) {
        let RecorderCli { data, journal, .. } = self.settings;
        let costs = "no recorder starts";
        let folder = match RecorderFolder::beside(data, journal.file()) {
            Ok(folder) => folder,
            Err(error) => {
                return self.wrong("journal", error, costs, self.program("doctor --fix"));
            }
        };
        let (part, command) = match journal {
            JournalPlace::Sqlite => ("journal", "restore a backup (RECORDING.md)"),
            JournalPlace::Nats(_) => ("nats", "nats server report jetstream"),
        };
        let opened = match server::open(journal, folder, self.settings, generator).await {
            Ok(opened) => opened,
            Err(errors) => {
                return errors.iter().for_each(|error| self.wrong(part, error, costs, command));
            }
        };
        self.archive(&opened.archive).await;
        self.marks(&opened, clock).await;
        let metrics = AuditMetrics::new(&global::meter("doctor"));
        let OpenedRecorder { journal, archive, .. } = opened;
        let auditor = AuditorContext { journal, archive, clock, metrics };
        if let Err(error) = self.games(&auditor).await {
            self.wrong("journal", error, "games wait for it", self.program("doctor"));
        }
    }

    async fn archive(&mut self, archive: &GameArchive) {
        match archive.prove().await {
            Ok(()) => self.well("archive", "it answers, and keeps what is put there"),
            Err(fault) => {
                let costs = "verdicts and purges wait, play goes on";
                self.wrong("archive", fault, costs, self.program("doctor"));
            }
        }
    }

    async fn marks(&mut self, opened: &OpenedRecorder, clock: Clock) {
        let place = server::mark_place(opened, &self.settings.config, clock);
        let keeper = match place {
            Ok(place) => MarkKeeper::open(place).await,
            Err(error) => {
                return self.wrong("marks", error, "no recorder starts", self.program("doctor --fix"));
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
                        .values()
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
                    self.wrong("marks", what, costs, command);
                }
            }
            Err(MarkFault::Clock { behind_s, shard, mark }) => {
                let command = self.program(&format!("accept-loss {shard} {mark}"));
                let what = format!("the clock is {behind_s} s behind the last mark");
                let costs = "no recorder starts; set the clock, or if it is right now and was ahead then";
                self.wrong("clock", what, costs, command);
            }
            Err(fault) => {
                self.wrong("marks", fault, "losses are not noticed", self.program("doctor"));
            }
        }
    }

    async fn games(&mut self, auditor: &AuditorContext) -> JournalResult<()> {
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
            self.wrong("archive", what, costs, command);
        }
    }

    async fn stuck(&mut self, auditor: &AuditorContext, game: GameId) {
        let id = hex(&game.0);
        if !self.is_fixing || auditor.journal.retry().await.is_err() {
            let what = format!("game {id} is STUCK: its audit has failed five times");
            let costs = "it has no verdict; to audit it again, and to learn the fault";
            return self.wrong("games", what, costs, self.program("doctor --fix"));
        }
        match auditor::judge(auditor, game).await {
            Ok(_) => println!("fixed  games     game {id} has its verdict"),
            Err(fault) => {
                let costs = "it has no verdict; restore what is damaged, or if there is no copy";
                let command = self.program(&format!("delete {id}"));
                self.wrong("games", format!("game {id}: {fault}"), costs, command);
            }
        }
    }

    /// Checks each entry of a game, the chain of its log, and its length.
    async fn whole(&mut self, journal: &dyn Journal, game: GameId) -> JournalResult<()> {
        let id = hex(&game.0);
        let (mut before, mut bytes) = (None::<JournalEntry>, 0);
        let damage = 'log: loop {
            let from_n = before.as_ref().map_or(0, |before| before.n + 1);
            let page = match journal.read(game, from_n, READ_MAX).await {
                Err(error @ ReadError::Damaged { .. }) => break error.to_string(),
                page => page?,
            };
            if page.is_empty() {
                if bytes as u64 + NOTE_BYTES > GAME_BYTES_MAX {
                    let what = format!("game {id} has {bytes} bytes of log, at most {GAME_BYTES_MAX}");
                    let command = self.program(&format!("end {id} SIDE"));
                    self.wrong("games", what, "players can record nothing more in it", command);
                }
                return Ok(());
            }
            for placed in page {
                if records(before.as_ref(), &placed.entry).is_err() {
                    let at = placed.at.0;
                    break 'log format!("the entry at position {at} does not follow from the one before");
                }
                bytes += placed.entry.frames.len();
                before = Some(placed.entry);
            }
        };
        let n = before.map_or(0, |before| before.n + 1);
        let what = format!("game {id} is damaged from record {n} on: {damage}");
        let costs =
            "it stands still there, and GetLog sends what is before; restore a backup, or if there is none";
        let command = self.program(&format!("delete {id}"));
        self.wrong("games", what, costs, command);
        Ok(())
    }
}
