//! The session: its state, and the effect of each key and click.

use super::find::{Mark, nearest};
use super::fork::ForkedGame;
use super::keys::{FORK, KeyCommand, PAGE, PROPOSAL, TYPED, WALK};
use super::layout::{Areas, areas};
use super::{draw, look};
use crate::judging::as_known::TableAsKnown;
use crate::judging::history::History;
use crate::shared::text::PlayerNames;
use canasta_engine::action::{Action, As};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;
use std::path::PathBuf;
use typing::{Input, InputPurpose};

mod forking;
mod mouse;
pub mod typing;

pub struct App {
    pub path: PathBuf,
    pub history: History,
    /// Number of the record that is shown.
    pub at: u64,
    pub viewer: As,
    pub mode: ScreenMode,
    pub input: Option<Input>,
    /// The text in the bottom line until the next key.
    pub message: String,
    pub color: bool,
    /// Whether the cards of the stock are shown to a judge.
    pub stock: bool,
    /// Whether a small window shows the list instead of the table.
    pub flip: bool,
    /// Number of lines of the table that are scrolled past.
    pub scroll: u16,
    pub size: Rect,
    sought: String,
    /// Logs that were left for one of their forks, and the record that was shown there.
    back: Vec<(PathBuf, u64)>,
}

pub enum ScreenMode {
    Walk,
    Page(Page),
    Fork(Box<ForkedGame>),
}

/// A text over the list.
pub struct Page {
    pub title: String,
    pub lines: Vec<String>,
    pub scroll: u16,
}

/// An effect outside the session.
#[derive(Debug, PartialEq)]
pub enum AppEffect {
    None,
    Quit,
    /// Give the terminal back to the shell, until the session goes on.
    Suspend,
    /// Open a log at a record.
    Open(PathBuf, u64),
    /// Save the actions played from before a record as a fork of the log.
    Save {
        at: u64,
        actions: Vec<(As, Action)>,
        output: PathBuf,
    },
}

impl App {
    pub fn new(path: PathBuf, history: History, at: u64, viewer: As, color: bool) -> Self {
        Self {
            path,
            history,
            at,
            viewer,
            mode: ScreenMode::Walk,
            input: None,
            message: "→ and ← step through the game, ? shows all keys".into(),
            color,
            stock: false,
            flip: false,
            scroll: 0,
            size: Rect::ZERO,
            sought: String::new(),
            back: Vec::new(),
        }
    }

    /// Opens another log, or goes back if it is the log that was left last.
    pub fn open(&mut self, path: PathBuf, history: History, at: u64) {
        if self.back.last().is_some_and(|(left, _)| *left == path) {
            self.back.pop();
        } else {
            self.back.push((self.path.clone(), self.at));
        }
        (self.at, self.path, self.history) = (at.min(history.last()), path, history);
        (self.mode, self.input, self.scroll) = (ScreenMode::Walk, None, 0);
    }

    /// Handles that the fork was written.
    pub fn saved(&mut self, output: PathBuf) {
        self.message = format!("saved, o opens it: {}", output.display());
        if let ScreenMode::Fork(fork) = &mut self.mode {
            fork.saved = Some(output);
        }
    }

    /// Returns the table that is shown, and the reason if it is unknown.
    pub fn table(&self) -> (Option<TableAsKnown>, Option<String>) {
        match &self.mode {
            ScreenMode::Fork(fork) => (Some(TableAsKnown { table: fork.now.clone(), known: None }), None),
            _ => match self.history.unknown(self.at) {
                Some(reason) => (None, Some(reason)),
                None => (self.history.shown(self.at), None),
            },
        }
    }

    /// Returns the names of the players as they sit at the table that is shown.
    pub fn names(&self) -> PlayerNames {
        self.history.names(self.table().0.as_ref().map(|position| &position.table))
    }

    /// Returns the areas of the screen; `None` if the window is too small.
    pub fn areas(&self) -> Option<Areas> {
        let page = matches!(self.mode, ScreenMode::Page(_));
        areas(self.size, |width| draw::table_lines(self, width).len() as u16, self.flip, page)
    }

    /// Returns the keys of the bottom line in the present mode.
    pub fn hints(&self) -> Vec<(KeyCode, &'static str, &'static str)> {
        match (&self.input, &self.mode) {
            (Some(input), _) if input.ask == InputPurpose::Proposal => PROPOSAL.to_vec(),
            (Some(_), _) => TYPED.to_vec(),
            (None, ScreenMode::Page(_)) => PAGE.to_vec(),
            (None, ScreenMode::Fork(fork)) => {
                let opens = fork.saved.is_some();
                FORK.into_iter().filter(|(code, ..)| *code != KeyCode::Char('o') || opens).collect()
            }
            (None, ScreenMode::Walk) => WALK
                .iter()
                .filter(|key| !key.hint.is_empty())
                .map(|key| (key.codes[0], key.shown, key.hint))
                .collect(),
        }
    }

    pub fn update(&mut self, event: &Event) -> AppEffect {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(*key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            Event::Resize(width, height) => {
                self.size = Rect::new(0, 0, *width, *height);
                AppEffect::None
            }
            Event::Paste(text) if self.input.is_some() => {
                text.chars().for_each(|letter| self.typed(letter));
                AppEffect::None
            }
            _ => AppEffect::None,
        }
    }

    fn press(&mut self, key: KeyEvent) -> AppEffect {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => AppEffect::Quit,
                KeyCode::Char('z') => AppEffect::Suspend,
                _ => AppEffect::None,
            };
        }
        self.message.clear();
        if self.input.is_some() {
            return self.edit(key.code);
        }
        match &mut self.mode {
            ScreenMode::Walk => self.walk(key.code),
            ScreenMode::Page(_) => self.read_page(key.code),
            ScreenMode::Fork(_) => self.fork_key(key.code),
        }
    }

    fn walk(&mut self, code: KeyCode) -> AppEffect {
        if let KeyCode::Char(digit @ '0'..='9') = code {
            self.ask(InputPurpose::Record, &digit.to_string());
            return AppEffect::None;
        }
        match WALK.iter().find(|key| key.codes.contains(&code)) {
            Some(key) => self.command(key.command),
            None => {
                self.message = "no key for that: ? shows them".into();
                AppEffect::None
            }
        }
    }

    fn command(&mut self, command: KeyCommand) -> AppEffect {
        match command {
            KeyCommand::Step(by) => self.go(self.at.saturating_add_signed(by)),
            KeyCommand::First => self.go(0),
            KeyCommand::Last => self.go(self.history.last()),
            KeyCommand::Next(mark) => self.find(mark, true),
            KeyCommand::Previous(mark) => self.find(mark, false),
            KeyCommand::Jump => self.ask(InputPurpose::Record, ""),
            KeyCommand::Find => self.ask(InputPurpose::Words, ""),
            KeyCommand::FindAgain(forward) => self.find_words(forward),
            KeyCommand::View(forward) => self.turn_view(forward),
            KeyCommand::Why => {
                let title = format!("why: record {}", self.at);
                self.page(title, look::why(&self.history, self.at, self.viewer));
                self.ask(InputPurpose::Proposal, "");
            }
            KeyCommand::Fork => self.begin_fork(),
            KeyCommand::Record => {
                self.page(format!("record {}", self.at), look::whole(&self.history, self.at, self.viewer));
            }
            KeyCommand::Findings => self.page("audit".into(), look::findings(&self.history)),
            KeyCommand::Stock if look::sees_all(self.viewer) => self.stock = !self.stock,
            KeyCommand::Stock => self.message = "the stock is for a judge to see (v)".into(),
            KeyCommand::Scroll(0) => self.scroll = 0,
            KeyCommand::Scroll(by) => self.scroll_table(by),
            KeyCommand::Flip => self.flip = !self.flip,
            KeyCommand::Keys => self.page("keys".into(), draw::key_lines()),
            KeyCommand::Leave => {
                return match self.back.last() {
                    Some((path, at)) => AppEffect::Open(path.clone(), *at),
                    None => AppEffect::Quit,
                };
            }
        }
        AppEffect::None
    }

    fn go(&mut self, n: u64) {
        let last = self.history.last();
        if n > last {
            self.message = "this is the last record".into();
        } else if n == self.at && n == 0 {
            self.message = "this is the first record".into();
        }
        (self.at, self.scroll) = (n.min(last), 0);
    }

    fn find(&mut self, mark: Mark, forward: bool) {
        let is = |n| self.history.entry(n).is_some_and(|entry| mark.is_at(entry));
        match nearest(self.at, self.history.last(), forward, is) {
            Some(n) => self.go(n),
            None => self.message = format!("no {} {}", mark.name(), side(forward)),
        }
    }

    fn find_words(&mut self, forward: bool) {
        if self.sought.is_empty() {
            return self.ask(InputPurpose::Words, "");
        }
        let words = self.sought.to_lowercase();
        let is = |n| {
            look::row(&self.history, n, self.viewer).to_lowercase().contains(&words)
                || look::narration(&self.history, n, self.viewer)
                    .iter()
                    .any(|line| line.to_lowercase().contains(&words))
        };
        match nearest(self.at, self.history.last(), forward, is) {
            Some(n) => self.go(n),
            None => self.message = format!("{:?} is told of no record {}", self.sought, side(forward)),
        }
    }

    fn turn_view(&mut self, forward: bool) {
        let seats = self.names().seats().map(As::Seat);
        let eyes: Vec<As> = [As::Judge, As::Table].into_iter().chain(seats).collect();
        let here = eyes.iter().position(|eye| *eye == self.viewer).unwrap_or(0);
        self.viewer = eyes[(here + if forward { 1 } else { eyes.len() - 1 }) % eyes.len()];
    }

    fn scroll_table(&mut self, by: i32) {
        let Some(areas) = self.areas() else { return };
        let lines = draw::table_lines(self, areas.table.width).len() as u16;
        let most = lines.saturating_sub(areas.table.height);
        self.scroll = self.scroll.saturating_add_signed(by as i16).min(most);
    }

    fn page(&mut self, title: String, lines: Vec<String>) {
        self.mode = ScreenMode::Page(Page { title, lines, scroll: 0 });
    }

    fn read_page(&mut self, code: KeyCode) -> AppEffect {
        match code {
            KeyCode::Down | KeyCode::Char('j' | 'J') => self.scroll_page(1),
            KeyCode::Up | KeyCode::Char('k' | 'K') => self.scroll_page(-1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll_page(8),
            KeyCode::PageUp => self.scroll_page(-8),
            KeyCode::Home => self.scroll_page(i16::MIN),
            KeyCode::End => self.scroll_page(i16::MAX),
            _ => self.mode = ScreenMode::Walk,
        }
        AppEffect::None
    }

    fn scroll_page(&mut self, by: i16) {
        let Some(areas) = self.areas() else { return };
        let ScreenMode::Page(page) = &mut self.mode else { return };
        let lines = draw::page_lines(page, areas.list.width, self.color).len() as u16;
        let most = lines.saturating_sub(areas.list.height.saturating_sub(1));
        page.scroll = page.scroll.saturating_add_signed(by).min(most);
    }
}

fn side(forward: bool) -> &'static str {
    if forward { "after this record" } else { "before this record" }
}
