//! The CPU time of the service, compared with a bare tonic echo of the same request and reply sizes; or of the
//! service with its layers, compared with the same service without them.
//!
//!     cargo bench -p canasta-service --bench throughput [-- [layers] ROUNDS [REQUESTS]]
//!
//! Servers run on processor 0, the load (h2load, of nghttp2; our own for streams) on processor 1. The figures are the
//! CPU time of the server alone, from /proc, so that other programs disturb little. The two servers take turns. Each
//! pair of runs gives a ratio; the median of the ratios is printed with the extremes.

mod cases;
#[path = "../../tests/it/support/codec.rs"]
mod codec;
mod echo;
mod load;
mod plain;
mod process;

use std::path::Path;

use cases::BenchCase;
use process::ServerProcess;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).filter(|word| *word != "--bench").collect();
    match words[..] {
        ["echo"] => echo::serve(),
        ["plain"] => plain::serve(),
        ["collector"] => plain::collect(),
        ["streams", address, path, file] => load::streams(address, path, file),
        // Test harnesses run every bench target with flags of their own; only `cargo bench` measures.
        _ if words.len() == arguments.len() => Ok(()),
        ["layers", ref rest @ ..] => measure(rest, |folder, measured| {
            let (plain, collector) = (ServerProcess::ours("plain")?, ServerProcess::ours("collector")?);
            let (layered, watched) = (ServerProcess::open()?, ServerProcess::watched(&collector)?);
            measured(&cases::layers(&plain, &layered, &watched, folder)?)
        }),
        ref rest => measure(rest, |folder, measured| {
            let (echo, open, sealed) =
                (ServerProcess::ours("echo")?, ServerProcess::open()?, ServerProcess::sealed(folder)?);
            measured(&cases::service(&echo, &open, &sealed, folder)?)
        }),
    }
}

/// Starts the servers, with a folder for their files, and passes on the cases.
type Prepare = fn(&Path, &dyn Fn(&[BenchCase<'_>]) -> Result<()>) -> Result<()>;

fn measure(words: &[&str], prepare: Prepare) -> Result<()> {
    let number = |at: usize, default| words.get(at).map_or(Ok(default), |text| text.parse());
    let (rounds, requests) = (number(0, 9)?, number(1, 20_000)?);
    let folder = std::env::temp_dir().join(format!("canasta-throughput-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    prepare(&folder, &|cases| all(cases, rounds, requests))?;
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

fn all(cases: &[BenchCase<'_>], rounds: usize, requests: usize) -> Result<()> {
    println!(
        "{:<22} {:>9} {:>9} {:>7}   per request: server CPU in us, median of {rounds} pairs",
        "", "beside", "service", "ratio"
    );
    for case in cases {
        case.check()?;
        let mut pairs = Vec::with_capacity(rounds);
        // The first pair warms up.
        for round in 0..=rounds {
            let beside = case.beside.cost(&case.other_load, requests)?;
            let pair = (beside, case.server.cost(&case.load, requests)?);
            if round > 0 {
                pairs.push(pair);
            }
        }
        print(case, pairs);
        case.check()?;
    }
    Ok(())
}

fn print(case: &BenchCase<'_>, pairs: Vec<(f64, f64)>) {
    let sorted = |of: fn(&(f64, f64)) -> f64| {
        let mut numbers: Vec<f64> = pairs.iter().map(of).collect();
        numbers.sort_by(f64::total_cmp);
        numbers
    };
    let (beside, service, ratio) =
        (sorted(|pair| pair.0), sorted(|pair| pair.1), sorted(|pair| pair.1 / pair.0));
    let middle = |numbers: &[f64]| numbers[numbers.len() / 2];
    print!("{:<22} {:>9.2} {:>9.2} {:>7.2}", case.name, middle(&beside), middle(&service), middle(&ratio));
    print!(
        "   {:.2} to {:.2}; {} B asked, {} B answered",
        ratio[0],
        ratio[ratio.len() - 1],
        case.asked,
        case.answered
    );
    if case.actions > 1 {
        let each = middle(&service) / case.actions as f64;
        print!("; {each:.2} us an action");
    }
    println!();
}
