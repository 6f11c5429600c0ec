//! The library of `canasta-replay`: one module per command, and the modules that commands share.
//!
//! A command reads only its arguments and [`Io`]. Its result goes to `out`; progress, remarks and errors go
//! to `err`. docs/judge/CLI.md shows every command.

pub mod append;
mod audit;
mod audit_tournament;
mod caret;
mod check;
mod cli;
mod clock;
mod compare;
mod completions;
mod conform;
mod derive;
mod diff;
mod disclosure;
mod explain;
mod export;
mod fmt;
mod house;
mod http;
mod import;
mod io;
mod irregular;
mod json;
mod judge;
mod keygen;
mod man;
mod output;
pub mod pack;
mod paint;
mod parallel;
mod paths;
mod position;
mod prove;
mod publish;
mod record_context;
mod records;
mod report;
mod rule;
mod rules;
mod ruling;
mod sheet;
mod show;
mod sign;
mod simulate;
mod sorted;
mod stats;
mod step;
mod table;
mod text;
mod unknown;
mod unpack;
mod verify_deal;
mod verify_proof;
mod what_if;
mod witness;

pub use cli::{Cli, Command};
pub use clock::Clock;
pub use derive::{Derivation, Settled};
pub use io::{Exit, Io, columns, in_words};
pub use paint::{ColorChoice, Painter, wants_no_color};

use clap::CommandFactory;
use std::io::{ErrorKind, Write};

/// Runs one command.
///
/// # Errors
/// The reason why the command could not do its work (exit code 2). A reader that closes the pipe is not an
/// error.
pub fn run(command: &Command, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let done = match command {
        Command::Append(args) => append::run(args, io),
        Command::Audit(args) => audit::run(args, io),
        Command::Check(args) => check::run(args, io),
        Command::Conform(args) => conform::run(args, io),
        Command::Diff(args) => diff::run(args, io),
        Command::Log(args) => records::run(args, io),
        Command::Show(args) => show::run(args, io),
        Command::Position(args) => position::run(args, io),
        Command::Explain(args) => explain::run(args, io),
        Command::Export(args) => export::run(args, io),
        Command::Fmt(args) => fmt::run(args, io),
        Command::Import(args) => import::run(args, io),
        Command::Judge(args) => judge::run(args, io),
        Command::Keygen(args) => keygen::run(args, io),
        Command::Pack(args) => pack::run(args, io),
        Command::Publish(args) => publish::run(args, io),
        Command::AuditTournament(args) => audit_tournament::run(args, io),
        Command::Witness(args) => witness::run(args, io),
        Command::Prove(args) => prove::run(args, io),
        Command::VerifyProof(args) => verify_proof::run(args, io),
        Command::Compare(args) => compare::run(args, io),
        Command::Report(args) => report::run(args, io),
        Command::Rule(args) => rule::run(args, io),
        Command::Rules(args) => rules::run(args, io),
        Command::Stats(args) => stats::run(args, io),
        Command::Sheet(args) => sheet::run(args, io),
        Command::Sign(args) => sign::run(args, io),
        Command::Unpack(args) => unpack::run(args, io),
        Command::WhatIf(args) => what_if::run(args, io),
        Command::VerifyDeal(args) => verify_deal::run(args, io),
        Command::Step(args) => step::run(args, io),
        Command::Simulate(args) => simulate::run(args, io),
        Command::Completions(args) => completions::run(args, Cli::command(), io),
        Command::Man(args) => man::run(args, Cli::command(), io),
    };
    let done = done.and_then(|exit| {
        io.out.flush()?;
        Ok(exit)
    });
    match done {
        Err(error) if is_broken_pipe(&error) => Ok(Exit::Clean),
        Err(error) if error.is::<io::Wrong>() => {
            writeln!(io.err, "canasta-replay: {}", in_words(&error))?;
            Ok(Exit::Findings)
        }
        done => done,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|e| e.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe))
}
