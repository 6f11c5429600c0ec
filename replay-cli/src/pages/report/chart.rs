//! The totals over the game, as a chart.

use super::MANY;
use super::game::ReportedGame;
use super::sheets::Sheet;
use crate::shared::html::visible;
use crate::shared::text::number;
use canasta_engine::seat::Unit;
use maud::{Markup, html};

const WIDTH: i64 = 720;
const HEIGHT: i64 = 260;
/// Space for labels at the left, the right, the top and the bottom.
const LEFT: i64 = 62;
const RIGHT: i64 = 150;
const TOP: i64 = 16;
const BOTTOM: i64 = 30;
/// Height of the name at the end of a line.
const LABEL: i64 = 17;

/// Returns one line per side or seat, from 0 through the total after each round.
pub fn chart(sheets: &[Sheet<'_>], game: &ReportedGame) -> Markup {
    let Some(last) = sheets.last() else { return html! {} };
    let target = i64::from(game.rules.set().target);
    let points = || sheets.iter().flat_map(|sheet| sheet.after.iter().copied()).chain([0, target]);
    let (low, high) = (points().min().unwrap_or(0), points().max().unwrap_or(0));
    let step = step(high - low);
    let (low, high) = (low.div_euclid(step) * step, -((-high).div_euclid(step)) * step);
    let scale = Scale { low, high: high.max(low + step), rounds: sheets.len() as i64 };
    let total = |(unit, total): (Unit, &i64)| format!("{} {}", game.names.unit(unit), number(*total));
    let totals: Vec<String> = (0..).map(Unit).zip(&last.after).map(total).collect();
    let every = 1 + sheets.len() as i64 / 15;
    let labels = spread(last.after.iter().map(|&total| scale.y(total)).collect());
    html! {
        svg class="chart" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img"
            aria-label={ "Totals after each round; at the end " (visible(&totals.join(", "))) } {
            @for value in (0..=(scale.high - low) / step).map(|i| low + i * step) {
                @let y = scale.y(value);
                path class=(if value == 0 { "axis" } else { "grid" }) d={ "M" (LEFT) " " (y) "H" (WIDTH - RIGHT) } {}
                text x=(LEFT - 8) y=(y + 4) text-anchor="end" { (number(value)) }
            }
            @if target > 0 {
                @let y = scale.y(target);
                path class="target" d={ "M" (LEFT) " " (y) "H" (WIDTH - RIGHT) } {}
                text class="goal" x=(LEFT + 6) y=(y - 5) { "target" }
            }
            @for (i, sheet) in (1..).zip(sheets).filter(|(i, _)| i % every == 0) {
                text x=(scale.x(i)) y=(HEIGHT - 8) text-anchor="middle" { (sheet.end.round) }
            }
            @for (unit, label) in (0..).zip(labels) { (line(unit, label, sheets, &scale, game)) }
        }
    }
}

fn line(unit: u8, label: i64, sheets: &[Sheet<'_>], scale: &Scale, game: &ReportedGame) -> Markup {
    let total = |sheet: &Sheet<'_>| sheet.after.get(usize::from(unit)).copied().unwrap_or(0);
    let point = |(i, sheet): (i64, &Sheet<'_>)| format!("L{} {}", scale.x(i), scale.y(total(sheet)));
    let path: String = (1..).zip(sheets).map(point).collect();
    let dots = if sheets.len() > MANY { &[] } else { sheets };
    let name = game.names.unit(Unit(unit));
    let short: String = name.chars().take(18).collect();
    let short = if short == name { short } else { format!("{}…", short.trim_end()) };
    html! {
        g class={ "unit u" (unit) } {
            path d={ "M" (scale.x(0)) " " (scale.y(0)) (path) } {}
            @for (i, sheet) in (1..).zip(dots) {
                circle cx=(scale.x(i)) cy=(scale.y(total(sheet))) r="3.5" {
                    title { "round " (sheet.end.round) ": " (number(total(sheet))) }
                }
            }
            text x=(WIDTH - RIGHT + 10) y=(label + 4) { (visible(&short)) }
        }
    }
}

/// The scale from rounds and points to coordinates.
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

/// Returns the distance of grid lines: a round number, of which at most 8 fit into the range.
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

/// Returns the coordinates of labels, moved so that no label covers another.
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
