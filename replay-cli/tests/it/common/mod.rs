//! Games played through the log's writer, and commands run in this process.

use canasta_engine::action::As;
use canasta_engine::card::Card;
use canasta_engine::deal::{WallSalt, simulate};
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal;
use canasta_engine::log::HEADER;
use canasta_engine::log::record::{Author, Fork, Player, Remark};
use canasta_engine::rules::Rules;
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_replay::{Cli, Exit, Io, run};
use canasta_tournament::note::NoteSigner;
use clap::Parser;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

pub mod event;
mod games;
pub mod results;
pub mod transcripts;

pub use games::{Rng, short};

/// The parts of a game besides its moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extras {
    None,
    /// Refusals, notes, checkpoints, times, keys, signatures (that do not verify), a fork.
    All,
}

/// Plays a whole random game.
pub fn play(rules: &Arc<Rules>, game: u32, extras: Extras) -> Vec<u8> {
    play_from(rules, game, extras, None)
}

/// Plays a random round from a given wall: explicit games need another wall to continue.
pub fn play_explicit(rules: &Arc<Rules>, game: u32) -> Vec<u8> {
    let mut wall: Vec<Card> = rules.census().iter().collect();
    let mut rng = Rng(game.into());
    for place in (1..wall.len()).rev() {
        wall.swap(place, rng.below(place + 1));
    }
    play_from(rules, game, Extras::All, Some(NewDeal::Explicit { wall, salt: WallSalt([7; 32]) }))
}

fn play_from(rules: &Arc<Rules>, game: u32, extras: Extras, deal: Option<NewDeal>) -> Vec<u8> {
    let all = extras == Extras::All;
    let secret = simulate::game_secret(3, game);
    let id = simulate::game_id(&secret);
    let seats = rules.set().seats;
    let player =
        |seat: u8| Player { name: format!("Ann-{seat} \"Ž\""), key: (all && seat == 1).then_some([9; 32]) };
    let created = Game::create(NewGame {
        players: (0..seats).map(player).collect(),
        started_at_ms: all.then_some(1_769_860_800_123),
        fork_of: all.then_some(Fork { game_id: [1; 16], n: 7, head: [2; 32] }),
        ..NewGame::new(rules.clone(), id, deal.unwrap_or(NewDeal::Seeded(secret)))
    })
    .expect("a game");
    let (mut state, mut log) = (created.game, created.frames);
    let mut rng = Rng(u64::from(game) + 1);
    while !matches!(state.table.phase(), Phase::GameOver | Phase::Setup) {
        let steps = legal::steps(&state.table);
        let action = &steps.actions[rng.below(steps.actions.len())];
        let actor = state.table.to_act().map_or(As::Table, As::Seat);
        let stamp = |rng: &mut Rng| Stamp {
            elapsed_ms: (all && rng.below(4) > 0).then(|| rng.below(30_000) as u64),
            signature: (all && actor == As::Seat(Seat(1))).then_some([3; 64]),
        };
        if all && rng.below(20) == 0 {
            let wrong = As::Seat(Seat(rng.below(usize::from(seats)) as u8));
            if let Err(refused) = state.check(wrong, action) {
                log.extend(state.refuse(wrong, action, &refused, stamp(&mut rng)).unwrap());
            }
        }
        if all && rng.below(60) == 0 {
            let text = "tea \"hot\",\n\u{1}\u{202e}ž";
            let by = [Author::Director, Author::Table, Author::Seat(Seat(0))][rng.below(3)];
            log.extend(state.remark(Remark::note(by, stamp(&mut rng).elapsed_ms, text)).unwrap());
            log.extend(state.remark(Remark::checkpoint("canasta-log/1/00\n1\nAA==\n\n— ann 00\n")).unwrap());
        }
        log.extend(state.act(actor, action, stamp(&mut rng)).expect("a step is legal").frames);
    }
    log
}

/// Returns the offset of each frame of a log, and the end of the last frame.
pub fn frames(log: &[u8]) -> Vec<usize> {
    let mut starts = vec![HEADER.len()];
    while let Some(&[high, low]) = log.get(*starts.last().unwrap()..).and_then(|rest| rest.first_chunk()) {
        let length = usize::from(u16::from_be_bytes([high, low]));
        starts.push(starts.last().unwrap() + 3 + length + 8);
    }
    starts
}

/// The result of a command.
#[derive(Debug)]
pub struct Ran {
    pub exit: Exit,
    pub out: Vec<u8>,
    pub err: String,
}

/// Runs a command in this process.
pub fn command(args: &[&str], input: &[u8]) -> Ran {
    let cli = Cli::try_parse_from(["canasta-replay"].iter().chain(args)).expect("arguments");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut io = Io::new(input, &mut out, &mut err, false);
    io.choose_language(cli.language(|_| None));
    let done = run(&cli.command, &mut io);
    drop(io);
    let mut err = String::from_utf8(err).expect("text");
    let exit = done.unwrap_or_else(|error| {
        err += &canasta_replay::in_words(&error);
        Exit::Failure
    });
    Ran { exit, out, err }
}

/// Returns an empty directory for one test.
pub fn directory(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    place
}

/// Writes the logs of short games, `table-0.clog` and so on, to a directory.
pub fn logs(place: &Path, games: u32) -> Vec<PathBuf> {
    let rules = short("classic-4p", 5);
    fs::create_dir_all(place).unwrap();
    let write = |game| {
        let path = place.join(format!("table-{game}.clog"));
        fs::write(&path, play(&rules, game, Extras::None)).unwrap();
        path
    };
    (0..games).map(write).collect()
}

/// Writes a key file, and returns its path and the public key.
pub fn key(place: &Path, name: &str, seed: u8) -> (String, String) {
    use std::os::unix::fs::PermissionsExt;
    let (signer, path) =
        (NoteSigner::new(name, &[seed; 32]).expect("a key"), place.join(format!("{name}-{seed}.key")));
    fs::write(&path, signer.to_text()).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    (path.to_str().unwrap().to_owned(), signer.verifier().to_string())
}
