//! The mouse: clicks do what keys do, or go to the place that is clicked.

use super::{App, AppEffect, ScreenMode};
use crate::step::draw;
use crate::step::rows::rows;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

impl App {
    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> AppEffect {
        let code = match mouse.kind {
            MouseEventKind::ScrollDown => KeyCode::Down,
            MouseEventKind::ScrollUp => KeyCode::Up,
            MouseEventKind::Down(MouseButton::Left) => return self.click(mouse.column, mouse.row),
            _ => return AppEffect::None,
        };
        self.press(KeyEvent::new(code, KeyModifiers::NONE))
    }

    fn click(&mut self, x: u16, y: u16) -> AppEffect {
        let Some(areas) = self.areas() else { return AppEffect::None };
        if areas.hints.y == y {
            let spans = draw::hint_spans(self, areas.hints.width);
            let hit = spans.iter().find(|span| (span.from..span.from + span.width).contains(&x));
            return match hit.map(|span| span.code) {
                Some(code) => self.press(KeyEvent::new(code, KeyModifiers::NONE)),
                None => AppEffect::None,
            };
        }
        if areas.header.y == y && matches!(self.mode, ScreenMode::Walk) && self.input.is_none() {
            self.turn_view(true);
        } else if areas.list.contains((x, y).into()) && self.input.is_none() {
            self.click_row(y - areas.list.y, areas.list.width, areas.list.height);
        }
        AppEffect::None
    }

    /// Handles a click on a row; row 0 is the title.
    fn click_row(&mut self, row: u16, width: u16, height: u16) {
        let target =
            row.checked_sub(1).and_then(|row| rows(self, width, height - 1).get(usize::from(row))?.target);
        match (&mut self.mode, target) {
            (ScreenMode::Walk, Some(n)) => self.go(n),
            (ScreenMode::Fork(fork), Some(i)) => fork.chosen = i as usize,
            _ => {}
        }
    }
}
