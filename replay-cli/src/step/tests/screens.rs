//! The contents of screens of several sizes.

use super::*;
use crate::{Cli, run};
use clap::Parser;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::style::Color;

/// Returns what `show` prints about a record: the same table in another layout.
fn shown(log: &[u8], at: u64, options: &[&str]) -> Vec<String> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let at = at.to_string();
    let args = [&["canasta-replay", "show", "-", "--at", &at], options].concat();
    let cli = Cli::try_parse_from(args).expect("arguments");
    run(&cli.command, &mut Io::new(log, &mut out, &mut err, false)).expect("it is shown");
    String::from_utf8(out).expect("text").lines().map(str::to_owned).collect()
}

/// Returns a record with melds of both sides and a canasta.
fn late(log: &[u8]) -> u64 {
    let mut app = app(log, 0, As::Judge, (80, 24));
    press(&mut app, "cc");
    app.at
}

const SIZES: [(u16, u16); 3] = [(80, 24), (40, 12), (200, 60)];

#[test]
fn every_record_can_be_looked_at_in_every_size() {
    let log = play(&rules("classic-4p", 5), 1);
    let last = history(&log).last();
    for size in SIZES {
        let mut app = app(&log, 0, As::Judge, size);
        for n in 0..=last {
            let text = screen(&app);
            let at = [format!("record {n} of {last} "), format!("{n}/{last} ")];
            assert!(at.iter().any(|at| text[0].contains(at)), "{text:?}");
            let row = format!("{n:>width$} ", width = last.to_string().len());
            assert!(
                text.iter().any(|line| line.starts_with(&row) || line.contains(&format!(" {row}"))),
                "{n}: {text:?}"
            );
            press(&mut app, "<right>");
        }
    }
}

/// Compares hands, stock, pile, melds and scores with the output of `show`.
#[test]
fn the_table_is_the_one_that_show_prints() {
    let log = play(&rules("classic-4p", 500), 2);
    let at = late(&log);
    for size in [(80, 24), (200, 60)] {
        for (viewer, options) in
            [(As::Judge, &["--judge"][..]), (As::Table, &[]), (As::Seat(Seat(2)), &["--seat", "2"])]
        {
            let text = words(&screen(&app(&log, at, viewer, size)));
            let printed = shown(&log, at, options);
            // Only the second part is compared; the cards of the stock and the notation stand elsewhere on the
            // screen.
            let table = printed.iter().skip_while(|line| !line.is_empty()).skip(1);
            let table: Vec<&String> = table
                .filter(|line| {
                    !line.trim_start().starts_with("stock, next") && !line.starts_with("position:")
                })
                .collect();
            assert!(table.len() > 9, "{table:?}");
            for line in table {
                let line = words(std::slice::from_ref(line));
                assert!(text.contains(&line), "{viewer:?} {size:?}: {line} in {text}");
            }
        }
    }
}

#[test]
fn a_small_window_has_one_pane_and_tab_turns_to_the_other() {
    let log = play(&rules("classic-4p", 500), 2);
    let at = late(&log);
    let mut app = app(&log, at, As::Judge, (40, 12));
    let table = screen(&app);
    assert!(table.iter().any(|line| line.starts_with("  Ann ") || line.starts_with("> Ann ")), "{table:?}");
    assert!(table.iter().any(|line| line.contains("more lines")), "{table:?}");
    press(&mut app, "JJJ");
    assert_ne!(screen(&app), table);
    press(&mut app, "<tab>");
    let list = screen(&app);
    let rows = list.iter().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    assert!(rows.count() > 4, "{list:?}");
    assert!(!list.iter().any(|line| line.contains("in hand")), "{list:?}");
}

#[test]
fn a_window_without_room_says_so() {
    let log = play(&rules("classic-4p", 5), 1);
    for (width, height) in (1..=34).flat_map(|width| (1..=9).map(move |height| (width, height))) {
        let mut app = app(&log, 9, As::Judge, (width, height));
        for keys in ["", "w", "<esc>?", "<esc>f"] {
            press(&mut app, keys);
            let text = screen(&app);
            if width < 32 || height < 8 {
                assert!(
                    text.concat().starts_with(&format!("{width}x{height}")[..usize::from(width.min(3))]),
                    "{text:?}"
                );
            }
        }
        if (width, height) == (31, 8) {
            assert_eq!(words(&screen(&app)), "31x8 is too small: make the window 32x8 or larger (q quits)");
        }
    }
}

#[test]
fn all_keys_are_told_and_the_first_of_them_in_the_bottom_line() {
    let log = play(&rules("classic-4p", 5), 1);
    let mut app = app(&log, 2, As::Judge, (80, 120));
    press(&mut app, "<right>");
    let bottom = screen(&app).pop().expect("a line");
    for hint in [
        "? keys",
        "q quit",
        "w why",
        "f fork",
        "v view",
        "r refusal",
        "p pile",
        "c canasta",
        "d deal",
        "/ find",
    ] {
        assert!(bottom.contains(hint), "{hint} in {bottom}");
    }
    press(&mut app, "?");
    let text = words(&screen(&app));
    for key in super::super::keys::WALK {
        assert!(text.contains(&words(&[format!("{} {}", key.shown, key.does)])), "{} in {text}", key.does);
    }
    assert_eq!(press(&mut app, "<esc>q"), AppEffect::Quit);
}

/// Checks that without colours every cell has the colours of the terminal, and that the letters are the same.
#[test]
fn nothing_is_said_by_colour_alone() {
    let log = play(&rules("classic-4p", 500), 2);
    let at = late(&log);
    let mut app = app(&log, at, As::Judge, (80, 24));
    for keys in ["", "w", "<esc>f", "<esc>r"] {
        press(&mut app, keys);
        app.color = true;
        let (colored, text) = (painted(&app), screen(&app));
        app.color = false;
        let plain = painted(&app);
        assert!(colored.content().iter().any(|cell| cell.fg == Color::Red), "{keys}");
        assert!(
            plain.content().iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset),
            "{keys}"
        );
        assert_eq!(screen(&app), text);
    }
}

fn mouse(app: &mut App, kind: MouseEventKind, column: u16, row: u16) -> AppEffect {
    app.update(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }))
}

#[test]
fn the_mouse_steps_goes_where_it_points_and_presses_keys() {
    let log = play(&rules("classic-4p", 500), 2);
    let mut app = app(&log, 40, As::Judge, (80, 24));
    let click = MouseEventKind::Down(MouseButton::Left);
    mouse(&mut app, MouseEventKind::ScrollDown, 5, 5);
    assert_eq!(app.at, 41);
    mouse(&mut app, MouseEventKind::ScrollUp, 5, 5);
    mouse(&mut app, MouseEventKind::ScrollUp, 5, 5);
    assert_eq!(app.at, 39);
    let text = screen(&app);
    let row = text.iter().position(|line| line.trim_start().starts_with("38 ")).expect("the record before");
    mouse(&mut app, click, 9, row as u16);
    assert_eq!(app.at, 38);
    mouse(&mut app, click, 60, 0);
    assert_eq!(app.viewer, As::Table);
    let bottom = screen(&app).pop().expect("a line");
    let column = bottom.find("q quit").expect("a key") as u16;
    assert_eq!(mouse(&mut app, click, column + 3, 23), AppEffect::Quit);
    let column = bottom.find("? keys").expect("a key") as u16;
    mouse(&mut app, click, column, 23);
    assert!(screen(&app).iter().any(|line| line.contains(" keys ")));
    // A click beside everything, or outside the window, has no effect.
    for (column, row) in [(79, 2), (500, 500), (0, 23)] {
        mouse(&mut app, click, column, row);
    }
}
