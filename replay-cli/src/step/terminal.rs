//! The terminal that a session runs in, and that is left as it was found: at the end, on an error, a panic, a signal.

use super::app::{App, Effect};
use super::draw::draw;
use super::history::History;
use crate::io::Io;
use crate::what_if::fork;
use anyhow::Context;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::Rect;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io::{Stdout, stdout};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How long a signal may wait.
const LOOK: Duration = Duration::from_millis(100);

/// The signals that end a session.
const ENDS: [i32; 3] = [SIGTERM, SIGHUP, SIGINT];

/// The screen while it is ours.
struct Screen(Terminal<CrosstermBackend<Stdout>>);

impl Screen {
    fn enter() -> anyhow::Result<Self> {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            leave();
            before(info);
        }));
        enable_raw_mode().context("this terminal cannot be put into raw mode")?;
        // From here on it is left again, whatever happens.
        let screen = Terminal::new(CrosstermBackend::new(stdout())).map(Self);
        let entered = execute!(stdout(), EnterAlternateScreen, EnableMouseCapture);
        match (screen, entered) {
            (Ok(screen), Ok(())) => Ok(screen),
            (Err(error), _) | (_, Err(error)) => {
                leave();
                Err(error).context("this terminal cannot be drawn on")
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.0.show_cursor();
        leave();
    }
}

fn leave() {
    // What fails here has no screen left to be told on.
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen);
    let _ = disable_raw_mode();
}

/// Runs a session to its end.
///
/// # Errors
/// If the terminal fails. A signal ends the process as it would have ended without a session.
pub fn run(mut app: App, io: &mut Io<'_>) -> anyhow::Result<()> {
    let got = Arc::new(AtomicUsize::new(0));
    for signal in ENDS {
        signal_hook::flag::register_usize(signal, got.clone(), signal as usize)?;
    }
    let mut screen = Screen::enter()?;
    let done = walk(&mut app, &mut screen, &got, io);
    drop(screen);
    match got.load(Ordering::Relaxed) {
        0 => done,
        signal => Ok(signal_hook::low_level::emulate_default_handler(signal as i32)?),
    }
}

fn walk(app: &mut App, screen: &mut Screen, got: &AtomicUsize, io: &mut Io<'_>) -> anyhow::Result<()> {
    loop {
        paint(app, screen)?;
        while !event::poll(LOOK)? {
            if got.load(Ordering::Relaxed) != 0 {
                return Ok(());
            }
        }
        match app.update(&event::read()?) {
            Effect::None => {}
            Effect::Quit => return Ok(()),
            Effect::Open(path, at) => match History::read(&path, io) {
                Ok(history) => app.open(path, history, at),
                Err(error) => app.message = format!("{error:#}"),
            },
            Effect::Save { at, actions, output } => {
                paint(app, screen)?;
                match fork::save(&app.path, at, &actions, &output, io) {
                    Ok(()) => app.saved(output),
                    Err(error) => app.message = format!("{error:#}"),
                }
            }
        }
    }
}

fn paint(app: &mut App, screen: &mut Screen) -> anyhow::Result<()> {
    let size = screen.0.size()?;
    app.size = Rect::new(0, 0, size.width, size.height);
    screen.0.draw(|frame| draw(app, frame))?;
    Ok(())
}
