//! The frame of the benches: the clock, the repeats, and the output as text and as JSON (`canasta-bench/1`).
//!
//!     cargo bench -p canasta-engine --bench play -- [TEXT...] [OPTION...]
//!
//! Only lines whose id contains one of the texts are measured. docs/internals/SPEED.md lists the options and says what each line
//! means.

pub mod walk;

use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

/// Number of measured repeats of a line, and minimum CPU time of each in ns.
const FULL: (usize, u64) = (9, 500_000_000);
/// The same for a run that only proves that every line comes out.
const QUICK: (usize, u64) = (3, 5_000_000);

/// Features of processors that matter to the figures, as Linux calls them.
const FLAGS: [&str; 5] = ["aes", "avx2", "avx512f", "bmi2", "sha_ni"];

/// A run of one bench: its options, and the lines so far.
pub struct Bench {
    name: &'static str,
    texts: Vec<String>,
    is_quick: bool,
    games: Option<u32>,
    json: Option<String>,
    once: Option<(String, u64)>,
    commit: String,
    rustc: String,
    lines: Vec<Value>,
}

impl Bench {
    /// Reads the arguments; `None` unless `cargo bench` runs the bench, because test harnesses run every bench target
    /// with flags of their own.
    ///
    /// # Panics
    /// If an argument is unknown or has no value.
    pub fn new(name: &'static str) -> Option<Self> {
        let (texts, lines) = (Vec::new(), Vec::new());
        let mut bench = Self {
            name,
            texts,
            is_quick: false,
            games: None,
            json: None,
            once: None,
            commit: String::new(),
            rustc: String::new(),
            lines,
        };
        let (mut arguments, mut is_bench) = (std::env::args().skip(1), false);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument} needs a value"));
            let number = |text: String| text.parse().unwrap_or_else(|_| panic!("{text:?} is not a number"));
            match argument.as_str() {
                "--bench" => is_bench = true,
                "--quick" => bench.is_quick = true,
                "--games" => bench.games = u32::try_from(number(value())).ok(),
                "--json" => bench.json = Some(value()),
                "--once" => bench.once = Some((value(), number(value()))),
                "--commit" => bench.commit = value(),
                "--rustc" => bench.rustc = value(),
                text if !text.starts_with('-') => bench.texts.push(argument),
                _ => panic!("{argument} is not an option of a bench"),
            }
        }
        is_bench.then_some(bench)
    }

    /// Whether one of these lines is wanted.
    pub fn wants(&self, ids: &[&str]) -> bool {
        let is_wanted = |id: &&str| match &self.once {
            Some((once, _)) => once == id,
            None => self.texts.is_empty() || self.texts.iter().any(|text| id.contains(text.as_str())),
        };
        ids.iter().any(is_wanted)
    }

    /// Returns the size of a sample: `full`, or in a quick run a twentieth.
    pub fn count(&self, full: usize) -> usize {
        if self.is_quick { full.div_ceil(20) } else { full }
    }

    /// Returns the number of games of a sample: that of `--games`, or else as [`Bench::count`] does.
    pub fn games(&self, full: u32) -> u32 {
        self.games.unwrap_or_else(|| self.count(full as usize) as u32)
    }

    /// Measures CPU time of this thread per item. `work` returns the number of items that it processed; `setup`, which
    /// makes the input of one pass, is not timed.
    pub fn time<S>(&mut self, id: &str, mut setup: impl FnMut() -> S, mut work: impl FnMut(&mut S) -> u64) {
        if !self.wants(&[id]) {
            return;
        }
        if let Some((_, times)) = self.once {
            // Without the clock, which crashes under valgrind.
            let count: u64 = (0..times).map(|_| work(&mut setup())).sum();
            return println!("{count} items");
        }
        let mut pass = || {
            let mut input = setup();
            let began = cpu_ns();
            let count = work(&mut input);
            (cpu_ns() - began, count)
        };
        let (repeats, least) = if self.is_quick { QUICK } else { FULL };
        let mut repeat =
            |passes: u64| (0..passes).map(|_| pass()).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        // The first repeats find the number of passes, and warm up.
        let mut passes = 1;
        while repeat(passes).0 < least {
            passes *= 2;
        }
        let mut count = 0;
        let times = (0..repeats).map(|_| {
            let (ns, items) = repeat(passes);
            count = items;
            ns as f64 / items as f64
        });
        let times = times.collect();
        self.line(id, "ns", times, count);
    }

    /// Adds a line of sizes in bytes.
    pub fn size(&mut self, id: &str, sizes: Vec<f64>) {
        if self.once.is_none() && self.wants(&[id]) {
            let count = sizes.len() as u64;
            self.line(id, "B", sizes, count);
        }
    }

    fn line(&mut self, id: &str, unit: &str, mut values: Vec<f64>, count: u64) {
        values.sort_by(f64::total_cmp);
        let (median, min, max) = (values[values.len() / 2], values[0], values[values.len() - 1]);
        let rate = if unit == "ns" { format!("{:9.3} M/s", 1e3 / median) } else { String::new() };
        println!("{id:44} {median:10.3} {unit:2}  ({min:.3} to {max:.3}) {rate}");
        self.lines.push(json!({
            "id": id, "unit": unit, "median": median, "min": min, "max": max, "count": count, "repeats": values.len(),
        }));
    }

    /// Writes the lines as JSON if a file was named.
    ///
    /// # Panics
    /// If the file cannot be written, or no line was wanted.
    pub fn finish(self) {
        assert!(self.once.is_some() || !self.lines.is_empty(), "no line has such an id");
        let Some(file) = self.json else { return };
        let run = json!({
            "format": "canasta-bench/1",
            "bench": self.name,
            "commit": self.commit,
            "machine": machine(self.rustc),
            "lines": self.lines,
        });
        std::fs::write(&file, format!("{run:#}\n")).unwrap_or_else(|error| panic!("{file}: {error}"));
    }
}

/// Returns the CPU time of this thread in ns.
fn cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Returns the facts of this machine; empty ones where the system is not Linux.
fn machine(rustc: String) -> Value {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_once(": ")).map_or("", |(_, value)| value)
    };
    let flags: Vec<&str> = field("flags").split(' ').filter(|flag| FLAGS.contains(flag)).collect();
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    json!({ "cpu": field("model name"), "cores": cores, "flags": flags, "rustc": rustc, "load": load })
}
