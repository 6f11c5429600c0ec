//! `report`: writes a game as one page to read, mail and print: the page of the table, with the engine and the log inside.

use crate::auditing::audit::one_log::{Demands, LogAudit};
use crate::judging::record_context::no_game;
use crate::shared::html::{hash, policy, visible};
use crate::shared::io::{Exit, Io, OutputFormat, Wrong};
use crate::shared::output::OutputFile;
use crate::shared::paths::{self, LIVE};
use crate::shared::text::{PlayerNames, hex, number_in, parse_key};
use anyhow::{anyhow, ensure};
use base64ct::{Base64, Encoding};
use canasta_engine::log::audit::Report;
use canasta_engine::seat::Unit;
use canasta_engine::violations::template::Language;
use canasta_tournament::note::NoteVerifier;
use canasta_tournament::reserve::Outside;
use maud::{Markup, html};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::io::{Read, Write};
use std::path::PathBuf;

/// The page of the table, its script and its style, as the service has them.
const INDEX: &str = include_str!("../../../service/web/dist/index.html");
const SCRIPT: &str = include_str!("../../../service/web/dist/table.js");
const STYLE: &str = include_str!("../../../service/web/dist/table.css");
/// The modules of the engine, by the ids of their elements.
const MODULES: [(&str, &[u8]); 2] = [
    ("canasta.wasm", include_bytes!("../../../engine/wasm/built/canasta.wasm")),
    ("texts.wasm", include_bytes!("../../../engine/wasm/built/texts.wasm")),
];

/// Maximum number of bytes of a log in a page: longer ones are of machines.
const LOG_BYTES_MAX: usize = 16 << 20;

/// The arguments of `report`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log, or - for standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// The file of the page, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Overwrite FILE if it exists; a file that is read is never written over
    #[arg(long)]
    force: bool,
    /// A public key, as keygen prints it, that must vouch for the log; see audit --key. May be given several
    /// times
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    key: Vec<NoteVerifier>,
    /// Format of what is said about a page that is written to a file
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
The page is the replay of the table in the browser with the engine and the log inside: it needs no network and \
no other file. It shows the table at every record as a seat, the public or a judge sees it, why an action was \
refused and what else was possible, the score sheets, and what its own audit says; it plays on from any record. \
It opens links of games (`link`) and other logs as well. Without scripts only the result can be read.

Exit codes: 0 the audit is clean; 1 it has findings (the page shows them), or the file is not a log of a \
game (there is no page); 2 a file could not be read or written.

Examples:
  canasta-replay report game.clog -o game.html
  canasta-replay report table-0417.clog --key \"$(cat event.pub)\" -o table-0417.html";

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let output = OutputFile::new(&args.output, args.force, [&args.log])?;
    let name = args.log.display();
    let mut log = Vec::new();
    let mut source = paths::open(&args.log, &mut io.input)?.take(LOG_BYTES_MAX as u64 + 1);
    let outside = Outside { keys: &args.key, demanded: args.key.len(), policy: None, names_players: true };
    let demands = Demands { outside, ..Demands::default() };
    let audit = LogAudit { expect: LIVE, demands, ..LogAudit::default() };
    let audited = audit
        .run(&args.log, &mut source, &mut |piece| log.extend_from_slice(piece), None)
        .map_err(|failure| anyhow!("{}: {}", failure.path, failure.error))?;
    // The audit reads nothing behind damage that breaks the log; the page holds all of it.
    source.read_to_end(&mut log)?;
    ensure!(log.len() <= LOG_BYTES_MAX, "{name}: a page holds a log of at most 16 MiB");
    if audited.rules.is_none() {
        return Err(Wrong(format!("{name}: {}", no_game(&audited.report))).into());
    }
    let outside = json!({ "verified": audited.signed, "notProven": audited.reservations }).to_string();
    let data = html! { (element("outside", outside.as_bytes())) (element("log", &log)) };
    output.write(page(&audited.report, io.language, &data.0).as_bytes(), &mut io.out)?;
    if !output.is_stdout() && args.format == OutputFormat::Json {
        let report = &audited.report;
        let value = json!({
            "format": "canasta-report/1",
            "path": args.output.display().to_string(),
            "verdict": report.verdict.name(),
            "findings": report.findings.len(),
        });
        writeln!(io.out, "{value}")?;
    }
    Ok(Exit::clean_if(audited.report.findings.is_empty()))
}

/// Returns the SHA-256 of what pages judge with, their script and their engine, in hex. It is the same in all pages of a
/// release.
pub(crate) fn verifier_digest() -> String {
    let parts = MODULES
        .iter()
        .fold(Sha256::new_with_prefix(SCRIPT), |digest, (_, module)| digest.chain_update(module));
    hex(&parts.finalize())
}

/// Returns the page of a game, in a language for all readers if it is not English; else in that of each reader. `data`: the
/// elements that hold the game.
pub(crate) fn page(report: &Report, language: Language, data: &str) -> String {
    let title = title(report, language);
    let needs_scripts = match language {
        Language::English => "This page needs scripts.",
        Language::German => "Diese Seite braucht Skripte.",
    };
    let style = STYLE.trim_end();
    let policy = policy(style, &format!("'{}' 'wasm-unsafe-eval'", hash(SCRIPT)));
    let own = html! {
        noscript { p { (title) ". " (report.verdict.name()) ". " (needs_scripts) } }
        @for (id, module) in MODULES { (element(id, module)) }
        (maud::PreEscaped(data)) "\n"
        script type="module" { (maud::PreEscaped(SCRIPT)) }
    };
    let head = html! {
        meta http-equiv="Content-Security-Policy" content=(policy);
        meta name="referrer" content="no-referrer";
        title { (title) }
        style { (maud::PreEscaped(style)) }
    };
    let (before, rest) = INDEX.split_once("<title>").expect("the page has a title");
    let (_, rest) = rest.split_once("</head>").expect("the page has a head");
    let (body, end) = rest.split_once("</body>").expect("the page has a body");
    let before = before.replace("lang=\"en\"", &format!("lang=\"{}\"", language.tag()));
    format!("{before}{}\n</head>{body}{}\n</body>{end}", head.into_string(), own.into_string())
}

/// Returns an element that holds bytes, deflated and in base64. Pages are mailed.
fn element(id: &str, bytes: &[u8]) -> Markup {
    let packed = Base64::encode_string(&miniz_oxide::deflate::compress_to_vec(bytes, 9));
    html! { script type="text/plain" id=(id) { (packed) } "\n" }
}

/// Returns the players and the result in one line.
fn title(report: &Report, language: Language) -> String {
    let names = PlayerNames::of_report(report);
    let unit = |unit: Unit| names.as_ref().map_or_else(String::new, |names| visible(&names.unit(unit)));
    match (report.result.map(|result| (result.winner, result.margin)), language) {
        (Some((Some(winner), margin)), Language::English) => {
            format!("{} wins by {}", unit(winner), number_in(margin, language))
        }
        (Some((Some(winner), margin)), Language::German) => {
            format!("{}: Sieg mit {} Punkten Vorsprung", unit(winner), number_in(margin, language))
        }
        (Some((None, _)), Language::English) => "A draw".into(),
        (Some((None, _)), Language::German) => "Unentschieden".into(),
        (None, Language::English) => "A game of Canasta".into(),
        (None, Language::German) => "Eine Partie Canasta".into(),
    }
}
