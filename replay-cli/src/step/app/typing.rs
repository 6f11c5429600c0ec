//! Typed input: numbers, words, actions, file names.

use super::{App, AppEffect, ScreenMode};
use crate::step::{look, why};
use ratatui::crossterm::event::KeyCode;

/// Maximum number of characters in a typed line.
const TYPED_MAX: usize = 400;

/// A line that is being typed.
pub struct Input {
    pub ask: InputPurpose,
    pub text: String,
    /// Index of the possible step that `Tab` offered last.
    offered: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputPurpose {
    Record,
    Words,
    Proposal,
    ForkAction,
    SaveAs,
}

impl InputPurpose {
    /// Returns the label before the line.
    pub fn label(self) -> &'static str {
        match self {
            Self::Record => "record: ",
            Self::Words => "find: ",
            Self::Proposal => "what about: ",
            Self::ForkAction => "action: ",
            Self::SaveAs => "save fork as: ",
        }
    }
}

impl App {
    pub(super) fn ask(&mut self, ask: InputPurpose, text: &str) {
        self.input = Some(Input { ask, text: text.to_owned(), offered: 0 });
    }

    pub(super) fn edit(&mut self, code: KeyCode) -> AppEffect {
        let Some(input) = &mut self.input else { return AppEffect::None };
        match code {
            KeyCode::Esc => self.leave_input(),
            KeyCode::Backspace if input.text.is_empty() => self.leave_input(),
            KeyCode::Backspace => drop(input.text.pop()),
            KeyCode::Char(letter) => self.typed(letter),
            KeyCode::Tab => self.offer(true),
            KeyCode::BackTab => self.offer(false),
            KeyCode::Down | KeyCode::Up | KeyCode::PageDown | KeyCode::PageUp => return self.read_page(code),
            KeyCode::Enter => return self.enter(),
            _ => {}
        }
        AppEffect::None
    }

    pub(super) fn typed(&mut self, letter: char) {
        let Some(input) = &mut self.input else { return };
        if !letter.is_control() && input.text.chars().count() < TYPED_MAX {
            input.text.push(letter);
        }
    }

    /// Leaves the line, and closes the page that belongs to it.
    fn leave_input(&mut self) {
        if self.input.take().is_some_and(|input| input.ask == InputPurpose::Proposal) {
            self.mode = ScreenMode::Walk;
        }
    }

    /// Offers the possible steps, one after another.
    fn offer(&mut self, forward: bool) {
        let Some(input) = &mut self.input else { return };
        if input.ask != InputPurpose::Proposal {
            return;
        }
        let offers = why::offers(&self.history, self.at, self.viewer);
        if offers.is_empty() {
            self.message = "nothing that is seen from here is possible".into();
            return;
        }
        let here = offers.iter().position(|offer| *offer == input.text);
        let next = match (here, forward) {
            (None, _) => input.offered,
            (Some(here), true) => here + 1,
            (Some(here), false) => here + offers.len() - 1,
        };
        input.offered = next % offers.len();
        input.text.clone_from(&offers[input.offered]);
    }

    fn enter(&mut self) -> AppEffect {
        let Some(Input { ask, text, offered }) = self.input.take() else { return AppEffect::None };
        let words = text.trim();
        match ask {
            InputPurpose::Record => match words.replace(',', "").parse::<u64>() {
                Ok(n) if n <= self.history.last() => self.go(n),
                _ => self.message = format!("{words:?} is no record: expected 0 to {}", self.history.last()),
            },
            InputPurpose::Words => {
                words.clone_into(&mut self.sought);
                if !words.is_empty() {
                    self.find_words(true);
                }
            }
            InputPurpose::Proposal => {
                let title = format!("why: record {}", self.at);
                let lines = match words {
                    "" => look::why(&self.history, self.at, self.viewer),
                    words => why::judged(&self.history, self.at, self.viewer, words),
                };
                self.page(title, lines);
                self.input = Some(Input { ask, text, offered });
            }
            InputPurpose::ForkAction => self.try_fork(|fork| fork.play_typed(words)),
            InputPurpose::SaveAs => return self.save(words),
        }
        AppEffect::None
    }
}
