//! `demo`: a whole game of Classic against a real server, by four bots through a real client, with rule
//! breaks on purpose.

mod breaks;
mod game;
mod print;

use std::future::Future;

use canasta_engine::deal::simulate::{bot_seed, game_secret};
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::seat::Seat;
use canasta_proto::v1::{Phase, action::Deal, action::Kind};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::config::{Config, DemoOptions};
use crate::outside::{Clock, Generator};
use crate::server::{self, ServeError};
use breaks::{BREAKS, Break, Desk};
use game::{Game, Who};

/// The demo could not be played.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The server failed.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The client could not connect.
    #[error("connect: {0}")]
    Connect(#[from] tonic::transport::Error),
    /// A call failed.
    #[error("call: {0}")]
    Call(#[from] tonic::Status),
    /// The port or the log file could not be had.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The service said something that it never should.
    #[error("the service {0}")]
    Wrong(String),
}

/// Plays the demo and prints it; then, if wanted, serves until `shutdown`, which is asked for only then: until
/// then a signal ends the program as ever.
///
/// # Errors
/// If anything but rule breaks on purpose is refused, or the outside world fails.
pub async fn run<F: Future<Output = ()>>(
    options: DemoOptions,
    mut config: Config,
    generator: Generator,
    clock: Clock,
    shutdown: impl FnOnce() -> F,
) -> Result<(), DemoError> {
    // Its own client shows no credentials.
    config.identities_file = None;
    (config.tls_cert_file, config.tls_key_file, config.tls_client_ca_file) = (None, None, None);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(async move {
        let until = async {
            let _ = stopped.await;
        };
        server::run(listener, until, &config, generator, clock).await
    });
    let mut game = Game::create(address, options.seed).await?;
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
        shutdown().await;
        let _ = stop.send(());
        if let Ok(ended) = serving.await {
            ended?;
        }
    }
    Ok(())
}

/// Plays to the end; answers the codes of the rule breaks that were refused.
async fn play(game: &mut Game, seed: u64) -> Result<Vec<&'static str>, DemoError> {
    let secret = game_secret(seed, 0);
    let mut untried: Vec<&Break> = BREAKS.iter().collect();
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
    let tried = |one: &&Break| untried.iter().all(|left| left.code != one.code);
    Ok(BREAKS.iter().filter(tried).map(|one| one.code).collect())
}

/// Tries every rule break that is possible now and has not been tried.
async fn try_breaks(game: &mut Game, seat: u32, untried: &mut Vec<&Break>) -> Result<(), DemoError> {
    if untried.is_empty() {
        return Ok(());
    }
    let own = game.view_of(seat).await?;
    let desk = Desk::new(&own, seat);
    for one in std::mem::take(untried) {
        let actor = (seat + one.turns_ahead) % own.seats.len() as u32;
        let refused = match (one.action)(&desk) {
            Some(action) => game.check(actor, action.clone()).await?.map(|rejected| (action, rejected)),
            None => None,
        };
        // Refused for another reason, or legal after all: it will come up again.
        match refused.filter(|(_, rejected)| rejected.violations[0].code == one.code) {
            Some((action, rejected)) => print::refusal(actor, &action, &rejected),
            None => untried.push(one),
        }
    }
    Ok(())
}
