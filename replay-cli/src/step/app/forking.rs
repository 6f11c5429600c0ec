//! A fork in the session: begun, played on, saved.

use super::typing::Ask;
use super::{App, Effect, Mode};
use crate::step::fork::Fork;
use crate::step::look;
use ratatui::crossterm::event::KeyCode;
use std::path::PathBuf;

impl App {
    pub(super) fn begin_fork(&mut self) {
        if !look::sees_all(self.viewer) {
            self.message =
                "playing on shows cards that nobody could know: look as the judge first (v)".into();
            return;
        }
        match Fork::new(&self.history, self.at) {
            Ok(fork) => (self.mode, self.flip) = (Mode::Fork(Box::new(fork)), true),
            Err(error) => self.message = error.to_string(),
        }
    }

    pub(super) fn fork_key(&mut self, code: KeyCode) -> Effect {
        let Mode::Fork(fork) = &mut self.mode else { return Effect::None };
        match code {
            KeyCode::Down | KeyCode::Char('j') => fork.choose(1),
            KeyCode::Up | KeyCode::Char('k') => fork.choose(-1),
            KeyCode::PageDown => fork.choose(8),
            KeyCode::PageUp => fork.choose(-8),
            KeyCode::Enter => self.try_fork(Fork::play_chosen),
            KeyCode::Char('b') => self.try_fork(Fork::play_bot),
            KeyCode::Char('B') => fork.play_out(),
            KeyCode::Char('u') | KeyCode::Backspace => fork.undo(),
            KeyCode::Char('a' | ':') => self.ask(Ask::ForkAction, ""),
            KeyCode::Char('s') if fork.played.is_empty() => {
                self.message = "nothing is played yet: choose a play, or b lets a bot choose".into();
            }
            KeyCode::Char('s') => {
                let stem = self.path.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy());
                let name = format!("{stem}-fork-{}.clog", fork.at);
                self.ask(Ask::SaveAs, &name);
            }
            KeyCode::Char('o') => {
                if let Some(path) = fork.saved.clone() {
                    return Effect::Open(path, fork.at);
                }
            }
            KeyCode::Tab => self.flip = !self.flip,
            KeyCode::Char('J' | '+') => self.scroll_table(1),
            KeyCode::Char('K' | '-') => self.scroll_table(-1),
            KeyCode::Esc | KeyCode::Char('q') => (self.mode, self.flip) = (Mode::Walk, false),
            _ => self.message = "no key for that in a fork".into(),
        }
        Effect::None
    }

    pub(super) fn try_fork(&mut self, does: impl FnOnce(&mut Fork) -> anyhow::Result<()>) {
        if let Mode::Fork(fork) = &mut self.mode
            && let Err(error) = does(fork)
        {
            self.message = error.to_string();
        }
    }

    pub(super) fn save(&mut self, name: &str) -> Effect {
        let Mode::Fork(fork) = &self.mode else { return Effect::None };
        if name.is_empty() {
            return Effect::None;
        }
        // Beside the log, unless a directory is named.
        let output = match PathBuf::from(name) {
            bare if bare.components().count() == 1 => self.path.with_file_name(bare),
            path => path,
        };
        self.message = "bots play the game to its end".into();
        Effect::Save { at: fork.at, actions: fork.played.clone(), output }
    }
}
