//! The terminal of a session. It is restored at the end, on an error, on a panic and on a signal.

use super::app::{App, AppEffect};
use super::draw::draw;
use crate::judging::history::History;
use crate::judging::what_if::fork;
use crate::shared::io::{Exit, Io};
use anyhow::Context;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, window_size,
};
use ratatui::layout::Rect;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level;
use std::io::{Stdout, stdout};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{panic, process, thread};

/// Maximum time until a signal, or the loss of the terminal, is noticed.
const LOOK: Duration = Duration::from_millis(100);

/// The signals that end a session.
const ENDS: [i32; 3] = [SIGTERM, SIGHUP, SIGINT];

/// The flag that is set while the session has the screen: restoring the screen twice would move the cursor over text
/// that was written in between.
static OURS: AtomicBool = AtomicBool::new(false);

/// The lock that is held while the screen is painted.
static PAINTING: Mutex<()> = Mutex::new(());

/// The screen, while the session has it.
struct Screen(Terminal<CrosstermBackend<Stdout>>);

impl Screen {
    fn enter() -> anyhow::Result<Self> {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            leave();
            before(info);
        }));
        enable_raw_mode().context("cannot put this terminal into raw mode")?;
        OURS.store(true, Ordering::SeqCst);
        // From here on the screen is restored, whatever happens.
        let screen = Terminal::new(CrosstermBackend::new(stdout())).map(Self);
        let entered = execute!(stdout(), EnterAlternateScreen, EnableMouseCapture);
        match (screen, entered) {
            (Ok(screen), Ok(())) => Ok(screen),
            (Err(error), _) | (_, Err(error)) => {
                leave();
                Err(error).context("cannot draw on this terminal")
            }
        }
    }

    /// Gives the terminal back to the shell, which goes on with the session later.
    fn suspend(&mut self) -> anyhow::Result<()> {
        #[cfg(unix)]
        {
            leave();
            low_level::raise(signal_hook::consts::SIGTSTP).context("cannot stop here")?;
            enable_raw_mode().context("cannot put this terminal into raw mode")?;
            OURS.store(true, Ordering::SeqCst);
            execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
            self.0.clear()?;
        }
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

fn leave() {
    if !OURS.swap(false, Ordering::SeqCst) {
        return;
    }
    // An error here cannot be shown: the screen is gone.
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// Runs a session to its end.
///
/// # Errors
/// If the terminal fails. A signal ends the process as it would without a session.
pub fn run(mut app: App, io: &mut Io<'_>) -> anyhow::Result<()> {
    let signals = Signals::new(ENDS)?;
    let mut screen = Screen::enter()?;
    thread::spawn(move || watch(signals));
    walk(&mut app, &mut screen, io)
}

/// Ends the process on a signal, or if the terminal is gone: reading from it would then never return.
fn watch(mut signals: Signals) {
    let had_size = window_size().is_ok();
    loop {
        let gone = had_size && window_size().is_err();
        let signal = signals.pending().next().or(gone.then_some(SIGHUP));
        if let Some(signal) = signal {
            // A paint in progress is finished first, but a terminal that blocks is not waited for.
            let _painted = (0..10).find_map(|_| {
                let painted = PAINTING.try_lock().ok();
                if painted.is_none() {
                    thread::sleep(LOOK);
                }
                painted
            });
            leave();
            // This ends the process, unless the signal was ignored from the start.
            let _ = low_level::emulate_default_handler(signal);
            process::exit(Exit::Failure as i32);
        }
        thread::sleep(LOOK);
    }
}

fn walk(app: &mut App, screen: &mut Screen, io: &mut Io<'_>) -> anyhow::Result<()> {
    loop {
        paint(app, screen)?;
        match app.update(&event::read()?) {
            AppEffect::None => {}
            AppEffect::Quit => return Ok(()),
            AppEffect::Suspend => screen.suspend()?,
            AppEffect::Open(path, at) => match History::read(&path, io) {
                Ok(history) => app.open(path, history, at),
                Err(error) => app.message = format!("{error:#}"),
            },
            AppEffect::Save { at, actions, output } => {
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
    let _painting = PAINTING.lock();
    let size = screen.0.size()?;
    app.size = Rect::new(0, 0, size.width, size.height);
    screen.0.draw(|frame| draw(app, frame))?;
    Ok(())
}
