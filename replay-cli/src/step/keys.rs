//! The keys, in one table: what is pressed, its description, its command.

use super::find::Mark;
use ratatui::crossterm::event::KeyCode::{
    self, Backspace, Char, Down, End, Enter, Esc, Home, Left, Right, Tab, Up,
};
use ratatui::crossterm::event::KeyCode::{PageDown, PageUp};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyCommand {
    /// Go this number of records forward; back if it is negative.
    Step(i64),
    First,
    Last,
    Next(Mark),
    Previous(Mark),
    Jump,
    Find,
    FindAgain(bool),
    View(bool),
    Why,
    Fork,
    Record,
    Findings,
    Stock,
    Scroll(i32),
    Flip,
    Keys,
    Leave,
}

pub struct KeyBinding {
    pub codes: &'static [KeyCode],
    /// The text that stands for the keys.
    pub shown: &'static str,
    /// A word for the bottom line, if the keys stand in it.
    pub hint: &'static str,
    pub does: &'static str,
    pub command: KeyCommand,
}

const fn key(
    codes: &'static [KeyCode],
    shown: &'static str,
    hint: &'static str,
    does: &'static str,
    command: KeyCommand,
) -> KeyBinding {
    KeyBinding { codes, shown, hint, does, command }
}

/// The keys while stepping through a game, in the order of the list of keys.
#[rustfmt::skip]
pub const WALK: [KeyBinding; 31] = [
    key(&[Char('?')], "?", "keys", "this list", KeyCommand::Keys),
    key(&[Char('q')], "q", "quit", "leave; from an opened fork: back to the game", KeyCommand::Leave),
    key(&[Right, Down, Char(' '), Char('l'), Char('j')], "→ ↓", "", "one record forward (also space, l, j)", KeyCommand::Step(1)),
    key(&[Left, Up, Backspace, Char('h'), Char('k')], "← ↑", "", "one record back (also backspace, h, k)", KeyCommand::Step(-1)),
    key(&[PageDown], "PgDn", "", "ten records forward", KeyCommand::Step(10)),
    key(&[PageUp], "PgUp", "", "ten records back", KeyCommand::Step(-10)),
    key(&[Home, Char('g')], "Home", "", "the first record (also g)", KeyCommand::First),
    key(&[End, Char('G')], "End", "", "the last record (also G)", KeyCommand::Last),
    key(&[Char('w')], "w", "why", "why the record was refused or allowed, what else was possible; judges what you type", KeyCommand::Why),
    key(&[Char('f')], "f", "fork", "play on from before this record, and save that as a fork", KeyCommand::Fork),
    key(&[Char('v')], "v", "view", "the next viewer: judge, table, each seat", KeyCommand::View(true)),
    key(&[Char('V')], "V", "", "the previous viewer", KeyCommand::View(false)),
    key(&[Char('r')], "r", "refusal", "the next action that was refused or broke the rules", KeyCommand::Next(Mark::Refusal)),
    key(&[Char('p')], "p", "pile", "the next take of the pile", KeyCommand::Next(Mark::PileTake)),
    key(&[Char('c')], "c", "canasta", "the next canasta", KeyCommand::Next(Mark::Canasta)),
    key(&[Char('d')], "d", "deal", "the next round, as it was dealt", KeyCommand::Next(Mark::Deal)),
    key(&[Char('R')], "R", "", "the previous refusal", KeyCommand::Previous(Mark::Refusal)),
    key(&[Char('P')], "P", "", "the previous take of the pile", KeyCommand::Previous(Mark::PileTake)),
    key(&[Char('C')], "C", "", "the previous canasta", KeyCommand::Previous(Mark::Canasta)),
    key(&[Char('D')], "D", "", "the previous deal: the beginning of the round", KeyCommand::Previous(Mark::Deal)),
    key(&[Char(':')], ":", "", "to a record by its number (or type the number)", KeyCommand::Jump),
    key(&[Char('/')], "/", "find", "to a record by words in its text", KeyCommand::Find),
    key(&[Char('n')], "n", "", "the next record with these words", KeyCommand::FindAgain(true)),
    key(&[Char('N')], "N", "", "the previous record with these words", KeyCommand::FindAgain(false)),
    key(&[Enter], "Enter", "", "the whole record, with score sheets", KeyCommand::Record),
    key(&[Char('s')], "s", "", "show the stock's cards, or hide them (judge)", KeyCommand::Stock),
    key(&[Char('a')], "a", "", "the findings of the audit", KeyCommand::Findings),
    key(&[Tab], "Tab", "", "in a small window: the table or the list", KeyCommand::Flip),
    key(&[Char('J'), Char('+')], "J +", "", "scroll the table down if it is cut", KeyCommand::Scroll(1)),
    key(&[Char('K'), Char('-')], "K -", "", "scroll the table up", KeyCommand::Scroll(-1)),
    key(&[Esc], "Esc", "", "close what is open", KeyCommand::Scroll(0)),
];

/// The keys of a fork, and a word for each; `app` has their effects.
pub const FORK: [(KeyCode, &str, &str); 8] = [
    (Enter, "Enter", "play"),
    (Char('a'), "a", "type"),
    (Char('b'), "b", "bot"),
    (Char('B'), "B", "bots play out"),
    (Char('u'), "u", "undo"),
    (Char('s'), "s", "save"),
    (Char('o'), "o", "open"),
    (Esc, "Esc", "back to the game"),
];

/// The keys of a page over the table.
pub const PAGE: [(KeyCode, &str, &str); 2] = [(Down, "↑↓", "scroll"), (Esc, "Esc", "close")];

/// The keys while a line is typed; `Tab` offers possible steps.
pub const TYPED: [(KeyCode, &str, &str); 2] = [(Enter, "Enter", "go"), (Esc, "Esc", "leave it")];
pub const PROPOSAL: [(KeyCode, &str, &str); 4] = [
    (Enter, "Enter", "judge it"),
    (Tab, "Tab", "what is possible"),
    (Down, "↑↓", "scroll"),
    (Esc, "Esc", "close"),
];
