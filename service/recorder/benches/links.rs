//! The price of a link: GetView by the holder of a link beside GetView by a trusted caller, of the same seat in the same
//! game, in turns.
//!
//!     cargo bench -p canasta-recorder --bench links [-- PAIRS]

#[path = "../tests/it/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use canasta_proto::v1::*;
use support::game::{dealt, seat};
use support::links::tomorrow;
use support::server::{Client, Recorder};

/// Number of requests of one caller in a row.
const REQUESTS: u32 = 200;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // Test harnesses run every bench target with flags of their own; only `cargo bench` measures.
    let Some(numbers) = arguments.iter().any(|word| word == "--bench").then_some(arguments) else { return };
    let pairs = numbers.iter().find_map(|word| word.parse::<usize>().ok()).unwrap_or(31);
    tokio::runtime::Runtime::new().expect("threads").block_on(measure(pairs));
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn now() -> Instant {
    Instant::now()
}

async fn measure(pairs: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut trusted = recorder.client().await;
    let game = dealt(&mut trusted, 1).await;
    let link = trusted.invite(&game, seat(1), tomorrow()).await.expect("a link");
    // The entry with the settings is no longer the last one.
    support::game::play(&mut trusted, &game, 4).await;
    let mut holder = recorder.holder(&link).await;
    let mut times: Vec<(Duration, Duration)> = Vec::new();
    for _ in 0..=pairs {
        times.push((asked(&mut trusted, &game).await, asked(&mut holder, &game).await));
    }
    let median = |of: fn(&(Duration, Duration)) -> Duration| {
        // The first pair warms up.
        let mut sorted: Vec<_> = times[1..].iter().map(of).collect();
        sorted.sort_unstable();
        sorted[sorted.len() / 2].as_micros()
    };
    let (without, with) = (median(|pair| pair.0), median(|pair| pair.1));
    println!("GetView: {without} us by a trusted caller, {with} us by a link");
}

/// Returns the mean time of a request.
async fn asked(client: &mut Client, game: &[u8]) -> Duration {
    let begun = now();
    for _ in 0..REQUESTS {
        let request = GetGameRequest { game_id: game.into(), actor: seat(1) };
        let request = client.request(request);
        // Not through the client of the tests, which walks over each answer.
        client.service.get_game(request).await.expect("a view");
    }
    begun.elapsed() / REQUESTS
}
