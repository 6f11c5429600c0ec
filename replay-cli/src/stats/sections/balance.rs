//! The hands by seat, side, place and player.

use super::super::RuleSetGames;
use super::super::balance::{BalanceFigure, HandGroup};
use super::Block;
use crate::table::TextTable;
use crate::text::{PlayerNames, number};
use canasta_engine::seat::Seat;

/// Number of figures that are shown; all are judged.
const SHOWN: usize = 8;

const MEANING: &str = "Each sum is compared with those that every permutation of the seats within each deal would give: \
    if nobody chose the cards, every hand was as likely to lie before every seat. The last column is corrected for the \
    number of figures (Holm): in one of twenty honest sets of games it is below 5 % anywhere. A figure to look at accuses \
    nobody: it is a reason to look at the deals (canasta-replay verify-deal), at who could choose them, and at other \
    games. Results and choices of players are not judged.";

/// Returns the figures that are furthest from what is expected, and what to make of them.
pub fn blocks(group: &RuleSetGames) -> Vec<Block> {
    let figures = group.tally.balance.figures();
    if figures.is_empty() {
        return Vec::new();
    }
    let mut table =
        TextTable::new(["hands of", "cards", "dealt", "expected", "deviations", "share", "corrected"]);
    for figure in figures.iter().take(SHOWN) {
        table.row([
            name(&figure.group, group),
            figure.sort.replace('_', " "),
            number(figure.cards),
            format!("{:.1}", figure.expected),
            format!("{:+.1}", figure.deviations),
            percent(figure.share),
            percent(figure.corrected),
        ]);
    }
    let count = number(figures.len() as u64);
    let look: Vec<&BalanceFigure> = figures.iter().filter(|figure| figure.is_to_look_at()).collect();
    let verdict = match look.len() {
        0 => format!("Nothing to look at in {count} figures."),
        found => {
            let names = look.iter().take(SHOWN);
            let names = names.map(|figure| {
                let more = if figure.deviations > 0.0 { "more" } else { "fewer" };
                format!("{} ({more} {})", name(&figure.group, group), figure.sort.replace('_', " "))
            });
            let names = names.collect::<Vec<_>>().join(", ");
            format!("Look at {} of {count} figures: {names}.", number(found as u64))
        }
    };
    vec![Block::Table(table), Block::Note(verdict), Block::Note(MEANING.into())]
}

/// Returns a group as people call it.
pub fn name(of: &HandGroup, group: &RuleSetGames) -> String {
    let names = PlayerNames::seats_of(group.rules.set());
    match of {
        HandGroup::Seat(seat) => names.seat(Seat(*seat)),
        HandGroup::Side(_) => of.side().map_or_else(String::new, |side| names.side(side)),
        HandGroup::Place(place) if place + 1 == group.rules.set().seats => "the dealer".into(),
        HandGroup::Place(place) => format!("number {} to play", place + 1),
        HandGroup::Player(player) => format!("player {player}"),
        HandGroup::Pair(players) => format!("players {players:?}"),
        HandGroup::Named(names) => names.join(" and "),
    }
}

fn percent(share: f64) -> String {
    if share < 0.001 { "below 0.1 %".into() } else { format!("{:.1} %", share * 100.0) }
}
