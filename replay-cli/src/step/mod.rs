//! `step`: steps through a game in the terminal.
//!
//! The session is a pure state machine: [`App::update`](app::App::update) takes an event and returns the
//! effect outside, and [`draw::draw`] paints the state. Only `terminal` touches a terminal.

mod app;
mod draw;
mod find;
mod fork;
mod keys;
mod layout;
mod look;
mod rows;
mod terminal;
#[cfg(test)]
mod tests;
mod why;

use crate::judging::history::History;
use crate::judging::record_context::{Eyes, LogRecord};
use crate::shared::io::{Exit, Io};
use anyhow::{bail, ensure};
use app::App;
use canasta_engine::action::As;
use find::{Mark, nearest};

/// The arguments of `step`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    record: LogRecord,
    #[command(flatten)]
    eyes: Eyes,
    /// Use no colours: bold, dim and reverse mark the same
    #[arg(long, env = "NO_COLOR", num_args = 0..=1, require_equals = true, default_missing_value = "1", hide_env = true, value_name = "YES")]
    no_color: Option<String>,
}

const EXAMPLES: &str = "\
Without --at, the first deal is shown; without --seat every card, as with --judge. \
Keys: the arrows step; r, p, c and d go to the next refusal, pile, canasta and deal (capitals: to the \
previous one); : jumps to a number; / finds words; v changes the viewer; w explains the record and judges \
what you type; f plays on from here; ? lists all keys. The view of a seat shows nothing that the seat \
could not know at that time.

Examples:
  canasta-replay step game.clog
  canasta-replay step game.clog --at 765 --seat North";

/// Runs a session over a log.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let history = History::read(&args.record.log, io)?;
    if !io.terminal {
        bail!(
            "step needs a terminal, and its output goes elsewhere: canasta-replay show prints a table, canasta-replay \
             report writes a page"
        );
    }
    let last = history.last();
    let deal = nearest(0, last, true, |n| history.entry(n).is_some_and(|entry| Mark::Deal.is_at(entry)));
    let at = args.record.at.or(deal).unwrap_or(0);
    ensure!(at <= last, "{}: record {at}: expected 0 to {last}", args.record.log.display());
    let names = history.names(history.shown(at).map(|position| position.table).as_ref());
    let viewer = args.eyes.viewer(&names, As::Judge)?;
    let color = args.no_color.as_ref().is_none_or(String::is_empty);
    terminal::run(App::new(args.record.log.clone(), history, at, viewer, color), io)?;
    Ok(Exit::Clean)
}
