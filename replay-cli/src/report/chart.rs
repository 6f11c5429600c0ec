//! The scores over the game, as a drawing.

use super::MANY;
use super::game::ReportedGame;
use super::html::escape;
use super::sheets::Sheet;
use crate::text::number;
use canasta_engine::seat::Unit;
use std::fmt::Write;

const WIDTH: i64 = 720;
const HEIGHT: i64 = 260;
/// Room for labels at the left, the right, the top and the bottom.
const LEFT: i64 = 62;
const RIGHT: i64 = 150;
const TOP: i64 = 16;
const BOTTOM: i64 = 30;
/// Room that the name at the end of a line takes.
const LABEL: i64 = 17;

/// A line a side or seat from 0 through the total after each round.
pub fn write(sheets: &[Sheet<'_>], game: &ReportedGame, out: &mut String) {
    let Some(last) = sheets.last() else { return };
    let target = i64::from(game.rules.set().target);
    let points = || sheets.iter().flat_map(|sheet| sheet.after.iter().copied()).chain([0, target]);
    let (low, high) = (points().min().unwrap_or(0), points().max().unwrap_or(0));
    let step = step(high - low);
    let (low, high) = (low.div_euclid(step) * step, -((-high).div_euclid(step)) * step);
    let scale = Scale { low, high: high.max(low + step), rounds: sheets.len() as i64 };
    let totals: Vec<String> = (0..)
        .zip(&last.after)
        .map(|(unit, total)| format!("{} {}", escape(&game.names.unit(Unit(unit))), number(*total)))
        .collect();
    let _ = write!(
        out,
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Totals after each round; at the end {}\">",
        totals.join(", ")
    );
    for value in (0..=(scale.high - low) / step).map(|i| low + i * step) {
        let y = scale.y(value);
        let class = if value == 0 { "axis" } else { "grid" };
        let _ = write!(
            out,
            "<path class=\"{class}\" d=\"M{LEFT} {y}H{}\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 8,
            y + 4,
            number(value)
        );
    }
    if target > 0 {
        let y = scale.y(target);
        let _ = write!(
            out,
            "<path class=\"target\" d=\"M{LEFT} {y}H{}\"/><text class=\"goal\" x=\"{}\" y=\"{}\">target</text>",
            WIDTH - RIGHT,
            LEFT + 6,
            y - 5
        );
    }
    let every = 1 + sheets.len() / 15;
    for (i, sheet) in (1..).zip(sheets).filter(|(i, _)| i % every as i64 == 0) {
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            scale.x(i),
            HEIGHT - 8,
            sheet.end.round
        );
    }
    let labels = spread(last.after.iter().map(|&total| scale.y(total)).collect());
    for (unit, label) in (0..last.after.len()).zip(labels) {
        line(unit, label, sheets, &scale, game, out);
    }
    out.push_str("</svg>");
}

fn line(unit: usize, label: i64, sheets: &[Sheet<'_>], scale: &Scale, game: &ReportedGame, out: &mut String) {
    let total = |sheet: &Sheet<'_>| sheet.after.get(unit).copied().unwrap_or(0);
    let mut path = format!("M{} {}", scale.x(0), scale.y(0));
    let mut dots = String::new();
    for (i, sheet) in (1..).zip(sheets) {
        let (x, y) = (scale.x(i), scale.y(total(sheet)));
        let _ = write!(path, "L{x} {y}");
        if sheets.len() > MANY {
            continue;
        }
        let _ = write!(
            dots,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\"><title>round {}: {}</title></circle>",
            sheet.end.round,
            number(total(sheet))
        );
    }
    let name = game.names.unit(Unit(unit as u8));
    let short: String = name.chars().take(18).collect();
    let short = if short == name { short } else { format!("{}…", short.trim_end()) };
    let _ = write!(
        out,
        "<g class=\"unit u{unit}\"><path d=\"{path}\"/>{dots}<text x=\"{}\" y=\"{}\">{}</text></g>",
        WIDTH - RIGHT + 10,
        label + 4,
        escape(&short)
    );
}

/// From points to places.
struct Scale {
    low: i64,
    high: i64,
    rounds: i64,
}

impl Scale {
    fn x(&self, round: i64) -> i64 {
        LEFT + (WIDTH - LEFT - RIGHT) * round / self.rounds.max(1)
    }

    fn y(&self, points: i64) -> i64 {
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (points - self.low) / (self.high - self.low)
    }
}

/// A round number that goes into the range four to eight times.
fn step(range: i64) -> i64 {
    let mut step = 50;
    for factor in [2, 5].into_iter().cycle() {
        // 50, 100, 500, 1,000, 5,000, ...
        if range / step <= 8 {
            return step;
        }
        step *= factor;
    }
    step
}

/// The places of labels, moved so that none lies on another.
fn spread(wanted: Vec<i64>) -> Vec<i64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&unit| wanted[unit]);
    let mut places = wanted.clone();
    let mut free = i64::MIN;
    for unit in order.iter().copied() {
        places[unit] = wanted[unit].max(free);
        free = places[unit] + LABEL;
    }
    let over = order.last().map_or(0, |&unit| (places[unit] - (HEIGHT - BOTTOM)).max(0));
    places.iter().map(|place| place - over).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_meet() {
        let mut places = spread(vec![100, 102, 20, 101]);
        places.sort();
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= LABEL), "{places:?}");
    }

    #[test]
    fn steps_are_round() {
        assert_eq!([step(100), step(1000), step(6000), step(70_000)], [50, 500, 1000, 10_000]);
    }
}
