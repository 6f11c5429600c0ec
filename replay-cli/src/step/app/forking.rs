//! Forks in a session: begun, played, saved.

use super::typing::InputPurpose;
use super::{App, AppEffect, ScreenMode};
use crate::step::fork::ForkedGame;
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
        match ForkedGame::new(&self.history, self.at) {
            Ok(fork) => (self.mode, self.flip) = (ScreenMode::Fork(Box::new(fork)), true),
            Err(error) => self.message = error.to_string(),
        }
    }

    pub(super) fn fork_key(&mut self, code: KeyCode) -> AppEffect {
        let ScreenMode::Fork(fork) = &mut self.mode else { return AppEffect::None };
        match code {
            KeyCode::Down | KeyCode::Char('j') => fork.choose(1),
            KeyCode::Up | KeyCode::Char('k') => fork.choose(-1),
            KeyCode::PageDown => fork.choose(8),
            KeyCode::PageUp => fork.choose(-8),
            KeyCode::Enter => self.try_fork(ForkedGame::play_chosen),
            KeyCode::Char('b') => self.try_fork(ForkedGame::play_bot),
            KeyCode::Char('B') => fork.play_out(),
            KeyCode::Char('u') | KeyCode::Backspace => fork.undo(),
            KeyCode::Char('a' | ':') => self.ask(InputPurpose::ForkAction, ""),
            KeyCode::Char('s') if fork.played.is_empty() => {
                self.message = "nothing is played yet: choose a play, or b lets a bot choose".into();
            }
            KeyCode::Char('s') => {
                let stem = self.path.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy());
                let name = format!("{stem}-fork-{}.clog", fork.at);
                self.ask(InputPurpose::SaveAs, &name);
            }
            KeyCode::Char('o') => {
                if let Some(path) = fork.saved.clone() {
                    return AppEffect::Open(path, fork.at);
                }
            }
            KeyCode::Tab => self.flip = !self.flip,
            KeyCode::Char('J' | '+') => self.scroll_table(1),
            KeyCode::Char('K' | '-') => self.scroll_table(-1),
            KeyCode::Esc | KeyCode::Char('q') => (self.mode, self.flip) = (ScreenMode::Walk, false),
            _ => self.message = "no key for that in a fork".into(),
        }
        AppEffect::None
    }

    pub(super) fn try_fork(&mut self, does: impl FnOnce(&mut ForkedGame) -> anyhow::Result<()>) {
        if let ScreenMode::Fork(fork) = &mut self.mode
            && let Err(error) = does(fork)
        {
            self.message = error.to_string();
        }
    }

    pub(super) fn save(&mut self, name: &str) -> AppEffect {
        let ScreenMode::Fork(fork) = &self.mode else { return AppEffect::None };
        if name.is_empty() {
            return AppEffect::None;
        }
        // The file stands beside the log, unless a directory is named.
        let output = match PathBuf::from(name) {
            bare if bare.components().count() == 1 => self.path.with_file_name(bare),
            path => path,
        };
        self.message = "bots play the game to its end".into();
        AppEffect::Save { at: fork.at, actions: fork.played.clone(), output }
    }
}
