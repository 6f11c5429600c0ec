//! Text as lines of a terminal: wrapped to a width, with cards and rule words highlighted.
//!
//! Colours only repeat what letters say: without colours, bold, dim and reverse remain.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    pub color: bool,
}

impl Theme {
    fn ink(self, style: Style, color: Color) -> Style {
        if self.color { style.fg(color) } else { style }
    }

    /// Returns the style of bars, keys and what is chosen.
    pub fn reversed(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    pub fn fork(self) -> Style {
        self.ink(self.reversed().add_modifier(Modifier::BOLD), Color::Yellow)
    }

    pub fn dim(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    pub fn bad(self) -> Style {
        self.ink(Style::new(), Color::Red)
    }

    pub fn message(self) -> Style {
        self.ink(Style::new().add_modifier(Modifier::BOLD), Color::Yellow)
    }

    fn word(self, word: &str, style: Style) -> Style {
        let bold = style.add_modifier(Modifier::BOLD);
        let bare = word.trim_matches(|letter| ",.;:()".contains(letter));
        match bare {
            "REFUSED" | "ILLEGAL" | "NOT" => self.ink(bold, Color::Red),
            "LEGAL" => self.ink(bold, Color::Green),
            "frozen" => self.ink(bold, Color::Cyan),
            "canasta" => self.ink(bold, Color::Yellow),
            "X" => self.ink(bold, Color::Magenta),
            _ => match bare.as_bytes() {
                [rank, suit] if b"A23456789TJQK".contains(rank) => match suit {
                    b'h' | b'd' => self.ink(bold, Color::Red),
                    b's' | b'c' => bold,
                    _ => style,
                },
                _ => style,
            },
        }
    }
}

/// A word, and the number of blanks before it.
struct WordPiece<'a> {
    blanks: usize,
    word: &'a str,
}

fn pieces(text: &str) -> impl Iterator<Item = WordPiece<'_>> {
    let mut blanks = 0;
    text.split(' ').enumerate().filter_map(move |(i, word)| {
        blanks += usize::from(i > 0);
        if word.is_empty() {
            return None;
        }
        let piece = WordPiece { blanks, word };
        blanks = 0;
        Some(piece)
    })
}

/// Wraps the text in lines of at most `width`; all lines after the first are indented by `indent`.
pub fn wrap(text: &str, width: usize, indent: usize, style: Style, theme: Theme) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    let mut used = 0;
    let indent = indent.min(width / 3);
    for piece in pieces(text) {
        // A word longer than a line continues on the next line.
        let mut rest = piece.word;
        let mut blanks = piece.blanks;
        while !rest.is_empty() {
            let size = Span::raw(rest).width();
            if used > indent && used + blanks + size > width {
                lines.push(Line::default());
                (used, blanks) = (0, indent);
            }
            let room = width.saturating_sub(used + blanks).max(1);
            let (now, later) = split(rest, room);
            let line = lines.last_mut().expect("there is one");
            line.push_span(Span::styled(" ".repeat(blanks), style));
            line.push_span(Span::styled(now.to_owned(), theme.word(piece.word, style)));
            used += blanks + Span::raw(now).width();
            (rest, blanks) = (later, 0);
        }
    }
    lines
}

/// Wraps the text like [`wrap`], without styles.
pub fn broken(text: &str, width: usize, indent: usize) -> Vec<String> {
    let lines = wrap(text, width, indent, Style::new(), Theme { color: false });
    lines.iter().map(ToString::to_string).collect()
}

/// Splits off as much of the text as fits, but at least one letter.
fn split(text: &str, width: usize) -> (&str, &str) {
    let mut end = text.chars().next().map_or(0, char::len_utf8);
    for (at, letter) in text.char_indices() {
        if Span::raw(&text[..at + letter.len_utf8()]).width() > width {
            break;
        }
        end = end.max(at + letter.len_utf8());
    }
    text.split_at(end)
}

/// Returns one line, cut with a mark if it is too long; `whole` extends its style to the full width.
pub fn cut(text: &str, width: usize, style: Style, theme: Theme, whole: bool) -> Line<'static> {
    let mut line = Line::default();
    let long = Span::raw(text).width() > width;
    let (fits, _) = if long { split(text, width.saturating_sub(1)) } else { (text, "") };
    for piece in pieces(fits) {
        line.push_span(Span::styled(" ".repeat(piece.blanks), style));
        line.push_span(Span::styled(piece.word.to_owned(), theme.word(piece.word, style)));
    }
    if long {
        line.push_span(Span::styled("…", style));
    } else if whole {
        let rest = width.saturating_sub(line.width());
        line.push_span(Span::styled(" ".repeat(rest), style));
    }
    line
}

/// Returns short texts one after another, as many per line as fit, none of them split.
pub fn flow(texts: &[String], width: usize, theme: Theme) -> Vec<Line<'static>> {
    const BETWEEN: &str = "   ";
    let mut lines: Vec<Line<'static>> = Vec::new();
    for text in texts {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let done = text.ends_with("canasta");
        let style = if done { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
        let mut painted = wrap(&text, width.saturating_sub(4), 4, style, theme);
        let single = painted.len() == 1;
        match lines.last_mut() {
            Some(line) if single && line.width() + BETWEEN.len() + painted[0].width() <= width => {
                line.push_span(Span::raw(BETWEEN));
                line.spans.append(&mut painted[0].spans);
            }
            _ => {
                for mut line in painted {
                    line.spans.insert(0, Span::raw("    "));
                    lines.push(line);
                }
            }
        }
    }
    lines
}
