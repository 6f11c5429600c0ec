//! The library of `canasta-replay`: one folder per purpose, with its commands and what they share. docs/ARCHITECTURE.md has
//! the table of folders.
//!
//! A command reads only its arguments and [`Io`]. Its result goes to `out`; progress, remarks and errors go
//! to `err`. docs/judge/CLI.md shows every command.

mod arena;
mod auditing;
mod cli;
mod completions;
mod event;
pub mod files;
mod judging;
mod man;
mod pages;
mod rulesets;
mod shared;
mod stats;
mod step;
mod tournament;

pub use cli::{Cli, Command};
pub use shared::clock::Clock;
pub use shared::io::{Exit, Io, columns, in_words};
pub use shared::paint::{ColorChoice, Painter, wants_no_color};

use clap::CommandFactory;
use std::io::{ErrorKind, Write};

/// Runs one command.
///
/// # Errors
/// The reason why the command could not do its work (exit code 2). A reader that closes the pipe is not an
/// error.
pub fn run(command: &Command, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let done = match command {
        Command::Append(args) => files::append::run(args, io),
        Command::Arena(args) => arena::run(args, io),
        Command::Audit(args) => auditing::audit::run(args, io),
        Command::Check(args) => judging::check::run(args, io),
        Command::Conform(args) => judging::conform::run(args, io),
        Command::Diff(args) => auditing::diff::run(args, io),
        Command::Link(args) => pages::link::run(args, io),
        Command::Log(args) => judging::records::run(args, io),
        Command::Show(args) => judging::show::run(args, io),
        Command::Position(args) => judging::position::run(args, io),
        Command::Event(args) => event::run(args, io),
        Command::Explain(args) => judging::explain::run(args, io),
        Command::Export(args) => files::export::run(args, io),
        Command::Fmt(args) => files::fmt::run(args, io),
        Command::Import(args) => files::import::run(args, io),
        Command::Judge(args) => judging::judge::run(args, io),
        Command::Keygen(args) => files::keygen::run(args, io),
        Command::Pack(args) => files::pack::run(args, io),
        Command::Player(args) => arena::player::run(args, io),
        Command::Publish(args) => tournament::publish::run(args, io),
        Command::AuditTournament(args) => tournament::audit_tournament::run(args, io),
        Command::Fetch(args) => tournament::fetch::run(args, io),
        Command::Witness(args) => tournament::witness::run(args, io),
        Command::Prove(args) => tournament::prove::run(args, io),
        Command::VerifyProof(args) => tournament::verify_proof::run(args, io),
        Command::Report(args) => pages::report::run(args, io),
        Command::Review(args) => stats::review::run(args, io),
        Command::Rule(args) => judging::rule::run(args, io),
        Command::Rules(args) => rulesets::rules::run(args, io),
        Command::Stats(args) => stats::run(args, io),
        Command::Sheet(args) => pages::sheet::run(args, io),
        Command::Sign(args) => files::sign::run(args, io),
        Command::Unpack(args) => files::unpack::run(args, io),
        Command::WhatIf(args) => judging::what_if::run(args, io),
        Command::VerifyDeal(args) => auditing::verify_deal::run(args, io),
        Command::Step(args) => step::run(args, io),
        Command::Simulate(args) => files::simulate::run(args, io),
        Command::Compare(args) => tournament::compare::run(args, io),
        Command::Man(args) => man::run(args, Cli::command(), io),
        Command::Completions(args) => completions::run(args, Cli::command(), io),
    };
    let done = done.and_then(|exit| {
        io.out.flush()?;
        Ok(exit)
    });
    match done {
        Err(error) if is_broken_pipe(&error) => Ok(Exit::Clean),
        Err(error) if error.is::<shared::io::Wrong>() => io.finding(in_words(&error)),
        done => done,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|e| e.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe))
}
