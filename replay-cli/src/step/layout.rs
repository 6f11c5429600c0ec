//! The areas of the screen, computed from its size: drawing and the mouse both use them.

use ratatui::layout::Rect;

/// Minimum width and height of a window.
pub const LEAST: (u16, u16) = (32, 8);
/// Minimum width at which the list stands beside the table.
const WIDE: u16 = 130;
/// Width and height below which one pane is shown at a time.
const ROOMY: (u16, u16) = (56, 17);
/// Number of lines of the list under the table, with its title, if the table does not need them.
const LIST: u16 = 9;
const LIST_LEAST: u16 = 6;
/// Number of lines of the table if the window is high; the list has the rest.
const TABLE: u16 = 22;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Areas {
    pub header: Rect,
    pub table: Rect,
    /// The list, whose first line is its title; a page takes the place of the list.
    pub list: Rect,
    pub hints: Rect,
}

/// Returns the areas for a table that needs `wanted(width)` lines; `flip` shows only the list in a small
/// window.
pub fn areas(size: Rect, wanted: impl Fn(u16) -> u16, flip: bool, page: bool) -> Option<Areas> {
    let Rect { width, height, .. } = size;
    if width < LEAST.0 || height < LEAST.1 {
        return None;
    }
    let band = |y, height| Rect { y, height, ..size };
    let header = band(size.y, 1);
    let hints = band(size.y + height - 1, 1);
    let body = band(size.y + 1, height - 2);
    let none = band(body.y, 0);
    let upper = |lines: u16| {
        let lines = lines.min(body.height);
        (band(body.y, lines), band(body.y + lines, body.height - lines))
    };
    let small = width < ROOMY.0 || height < ROOMY.1;
    let (table, list) = if small {
        if flip || page { (none, body) } else { upper(body.height - 3) }
    } else if width >= WIDE {
        let left = width - (width * 2 / 5).min(84);
        let right = Rect { x: body.x + left, width: width - left, ..body };
        (Rect { width: left - 1, ..body }, right)
    } else if page && height < 36 {
        (none, body)
    } else {
        let wanted = wanted(width);
        let lines = if page { wanted.min(body.height / 2) } else { wanted };
        let usual = (body.height - LIST).min(TABLE);
        upper(if page { lines } else { lines.clamp(usual, usual.max(body.height - LIST_LEAST)) })
    };
    Some(Areas { header, table, list, hints })
}
