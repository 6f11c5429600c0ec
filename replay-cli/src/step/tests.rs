//! Sessions driven by keys, and their screens.

mod facts;
mod forks;
#[path = "../../tests/it/common/games.rs"]
mod games;
mod hidden;
mod screens;

use super::app::{App, AppEffect, ScreenMode};
use super::draw::draw;
use crate::Io;
use crate::judging::history::History;
use canasta_engine::action::{Action, As};
use canasta_engine::deal::simulate;
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal;
use canasta_engine::log::record::Player;
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use games::{Rng, short as rules};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Creates a game before its first deal.
pub fn create(rules: &Arc<Rules>, game: u32, deal: Option<NewDeal>) -> (Game, Vec<u8>) {
    let secret = simulate::game_secret(5, game);
    let id = simulate::game_id(&secret);
    let names = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Fay"];
    let player = |seat: u8| Player { name: names[usize::from(seat)].into(), key: None };
    let created = Game::create(NewGame {
        players: (0..rules.set().seats).map(player).collect(),
        ..NewGame::new(rules.clone(), id, deal.unwrap_or(NewDeal::Seeded(secret)))
    })
    .expect("a game");
    (created.game, created.frames)
}

/// Appends an action.
pub fn act(state: &mut Game, actor: As, action: &Action, log: &mut Vec<u8>) {
    log.extend(state.act(actor, action, Stamp::default()).expect("it is legal").frames);
}

/// Appends a refusal of what was tried.
pub fn refuse(state: &mut Game, actor: As, action: &Action, log: &mut Vec<u8>) {
    let refused = state.check(actor, action).expect_err("it is refused");
    log.extend(state.refuse(actor, action, &refused, Stamp::default()).expect("it is written"));
}

/// Plays a whole random game, in which some seats try what they may not do.
pub fn play(rules: &Arc<Rules>, game: u32) -> Vec<u8> {
    let (mut state, mut log) = create(rules, game, None);
    let mut rng = Rng(u64::from(game) + 1);
    while state.table.phase() != Phase::GameOver {
        let steps = legal::steps(&state.table).actions;
        let action = &steps[rng.below(steps.len())];
        let actor = state.table.to_act().map_or(As::Table, As::Seat);
        let wrong = As::Seat(Seat(rng.below(usize::from(rules.set().seats)) as u8));
        if rng.below(20) == 0 && state.check(wrong, action).is_err() {
            refuse(&mut state, wrong, action, &mut log);
        }
        act(&mut state, actor, action, &mut log);
    }
    log
}

/// Reads the log as a session does.
pub fn history(log: &[u8]) -> History {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    History::read(Path::new("-"), &mut Io::new(log, &mut out, &mut err, false)).expect("a game")
}

/// Returns a session at a record.
pub fn app(log: &[u8], at: u64, viewer: As, size: (u16, u16)) -> App {
    let mut app = App::new(PathBuf::from("games/table-7.clog"), history(log), at, viewer, true);
    app.size = Rect::new(0, 0, size.0, size.1);
    app
}

/// Presses keys: letters, or a name in angle brackets.
pub fn press(app: &mut App, keys: &str) -> AppEffect {
    let mut effect = AppEffect::None;
    let mut rest = keys;
    while let Some(first) = rest.chars().next() {
        let named = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        let (code, later) = match named {
            Some(("right", later)) => (KeyCode::Right, later),
            Some(("left", later)) => (KeyCode::Left, later),
            Some(("down", later)) => (KeyCode::Down, later),
            Some(("enter", later)) => (KeyCode::Enter, later),
            Some(("esc", later)) => (KeyCode::Esc, later),
            Some(("tab", later)) => (KeyCode::Tab, later),
            Some(("end", later)) => (KeyCode::End, later),
            Some(("home", later)) => (KeyCode::Home, later),
            _ => (KeyCode::Char(first), &rest[first.len_utf8()..]),
        };
        effect = app.update(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        rest = later;
    }
    effect
}

/// Returns the painted buffer.
pub fn painted(app: &App) -> Buffer {
    let backend = TestBackend::new(app.size.width, app.size.height);
    let mut terminal = Terminal::new(backend).expect("a backend");
    terminal.draw(|frame| draw(app, frame)).expect("it is drawn");
    terminal.backend().buffer().clone()
}

/// Returns the screen as text, one string per row.
pub fn screen(app: &App) -> Vec<String> {
    let buffer = painted(app);
    let row = |y: u16| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..buffer.area.height).map(|y| row(y).trim_end().to_owned()).collect()
}

/// Returns the words without line breaks, which differ from size to size.
pub fn words(lines: &[String]) -> String {
    lines.iter().flat_map(|line| line.split_whitespace()).collect::<Vec<_>>().join(" ")
}
