//! A whole game of Classic by four bots through a real client and a real server, with deliberate rule breaks: what the
//! README's first command shows.

mod breaks;
mod game;
mod print;

use std::path::PathBuf;
use std::process::ExitCode;

use canasta_engine::deal::simulate::{bot_seed, game_secret};
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::seat::Seat;
use canasta_proto::v1::{Phase, action::Deal, action::Kind};
use canasta_serve::config::ServiceCli;
use canasta_service::program::{now, random, signalled};
use canasta_service::server::{self, ServeError};
use clap::Parser;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use breaks::{BREAKS, PlayerView, RuleBreak};
use game::{DemoGame, Who};

/// Play a whole game of four bots against a server of this process, with deliberate rule breaks
#[derive(Parser)]
struct DemoOptions {
    /// Seed of the game and its bots, 0 to 2^64-1; equal seeds give equal games
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    seed: u64,

    /// File that the game's log is written to
    #[arg(long, default_value = "demo.clog", value_name = "FILE")]
    log: PathBuf,

    /// Keep the server running after the game, until a signal
    #[arg(long)]
    serve: bool,
}

/// A failure of the demo.
#[derive(Debug, thiserror::Error)]
enum DemoError {
    /// The server failed.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The client could not connect.
    #[error("connect: {0}")]
    Connect(#[from] tonic::transport::Error),
    /// A call failed.
    #[error("call: {0}")]
    Call(#[from] tonic::Status),
    /// The port could not be bound, or the log file could not be written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The service gave an answer that it must never give.
    #[error("the service {0}")]
    Wrong(String),
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&DemoOptions::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("demo: {error}");
            ExitCode::from(2)
        }
    }
}

/// Plays the demo and prints it; then, with `--serve`, serves until a signal. Until then a signal ends the program at once.
///
/// # Errors
/// If the service refuses a legal action or accepts a rule break, or if the server, the client or a file
/// fails.
async fn run(options: &DemoOptions) -> Result<(), DemoError> {
    let mut config = ServiceCli::parse_from(["canasta-service"]).config;
    // Variables of the environment may have set them, and the demo's own client has no credentials.
    config.identities_file = None;
    (config.tls_cert_file, config.tls_key_file, config.tls_client_ca_file) = (None, None, None);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(async move {
        let until = async {
            let _ = stopped.await;
        };
        server::run(listener, until, &config, random, now).await
    });
    let mut game = DemoGame::create(address, options.seed).await?;
    print::title(address, &game);
    let refused = play(&mut game, options.seed).await?;
    std::fs::write(&options.log, &game.log)?;
    print::summary(&game, &refused);
    let report = audit(&game.log, Expect { head: game.head[..].try_into().ok(), ..Expect::default() });
    print::audit(&options.log, &game, &report);
    if !report.findings.is_empty() {
        return Err(DemoError::Wrong("has played a game that its audit does not accept".into()));
    }
    if options.serve {
        print::serving(address);
        signalled().await;
        let _ = stop.send(());
        if let Ok(ended) = serving.await {
            ended?;
        }
    }
    Ok(())
}

/// Plays the game to its end. Returns the codes of the rule breaks that were refused.
async fn play(game: &mut DemoGame, seed: u64) -> Result<Vec<&'static str>, DemoError> {
    let secret = game_secret(seed, 0);
    let mut untried: Vec<&RuleBreak> = BREAKS.iter().collect();
    loop {
        match (game.view.phase(), game.view.to_act) {
            (Phase::GameOver, _) => break,
            (Phase::Deal, _) => {
                game.act(Who::Table, Kind::Deal(Deal::default())).await?;
                print::round(&game.view);
            }
            (_, Some(seat)) => {
                try_breaks(game, seat, &mut untried).await?;
                let seed = bot_seed(&secret, Seat(seat as u8));
                let action = game.suggest(seat, seed).await?;
                let before = game.view.clone();
                let end = game.act(Who::Seat(seat), action.clone()).await?;
                print::action(seat, &action, &before, &game.view);
                if let Some(end) = end {
                    print::round_end(&end);
                }
            }
            (phase, None) => return Err(DemoError::Wrong(format!("lets nobody act in {phase:?}"))),
        }
    }
    let tried = |one: &&RuleBreak| untried.iter().all(|left| left.code != one.code);
    Ok(BREAKS.iter().filter(tried).map(|one| one.code).collect())
}

/// Tries every rule break that the position allows and that has not been tried.
async fn try_breaks(game: &mut DemoGame, seat: u32, untried: &mut Vec<&RuleBreak>) -> Result<(), DemoError> {
    if untried.is_empty() {
        return Ok(());
    }
    let own = game.view_of(seat).await?;
    let player = PlayerView::new(&own, seat);
    for one in std::mem::take(untried) {
        let actor = (seat + one.turns_ahead) % own.seats.len() as u32;
        let refused = match (one.action)(&player) {
            Some(action) => game.check(actor, action.clone()).await?.map(|rejected| (action, rejected)),
            None => None,
        };
        // An action that is legal, or refused for another reason, is tried again later.
        match refused.filter(|(_, rejected)| rejected.violations[0].code == one.code) {
            Some((action, rejected)) => print::refusal(actor, &action, &rejected),
            None => untried.push(one),
        }
    }
    Ok(())
}
