//! What the service costs beside a bare tonic echo of the same request and reply sizes.
//!
//!     cargo bench -p canasta-service --bench throughput [-- ROUNDS [REQUESTS]]
//!
//! Servers run on processor 0, the load (h2load, of nghttp2; our own for streams) on processor 1. Measured is the CPU
//! time of the server alone, from /proc, so that other programs disturb little; echo and service take turns, each pair
//! gives a ratio, and the median of the ratios is printed with the extremes.

mod cases;
mod echo;
mod load;
mod process;
mod raw;

use cases::Case;
use process::Server;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).filter(|word| *word != "--bench").collect();
    match words[..] {
        ["echo"] => echo::serve(),
        ["streams", address, path, file] => load::streams(address, path, file),
        // Test harnesses call every bench target with flags of their own; only `cargo bench` means it.
        _ if words.len() == arguments.len() => Ok(()),
        _ => {
            let number = |at: usize, default| words.get(at).map_or(Ok(default), |text| text.parse());
            measure(number(0, 9)?, number(1, 20_000)?)
        }
    }
}

fn measure(rounds: usize, requests: usize) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("canasta-throughput-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (echo, open, sealed) = (Server::echo()?, Server::open()?, Server::sealed(&folder)?);
    let cases = cases::all(&open, &sealed, &folder)?;
    println!(
        "{:<22} {:>9} {:>9} {:>7}   per request: server CPU in us, median of {rounds} pairs",
        "", "echo", "service", "ratio"
    );
    for case in &cases {
        case.check()?;
        let mut pairs = Vec::with_capacity(rounds);
        // The first pair warms up.
        for round in 0..=rounds {
            let pair = (echo.cost(&case.echo, requests)?, case.server.cost(&case.load, requests)?);
            if round > 0 {
                pairs.push(pair);
            }
        }
        print(case, pairs);
        case.check()?;
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

fn print(case: &Case<'_>, pairs: Vec<(f64, f64)>) {
    let sorted = |of: fn(&(f64, f64)) -> f64| {
        let mut numbers: Vec<f64> = pairs.iter().map(of).collect();
        numbers.sort_by(f64::total_cmp);
        numbers
    };
    let (echo, service, ratio) =
        (sorted(|pair| pair.0), sorted(|pair| pair.1), sorted(|pair| pair.1 / pair.0));
    let middle = |numbers: &[f64]| numbers[numbers.len() / 2];
    print!("{:<22} {:>9.2} {:>9.2} {:>7.2}", case.name, middle(&echo), middle(&service), middle(&ratio));
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
