//! Cards, luck and scores by side, dealer, seat, place, player and table.

use super::super::RuleSetGames;
use super::super::balance::{BalanceFigure, HandGroup};
use super::Block;
use crate::shared::table::TextTable;
use crate::shared::text::{PlayerNames, join, number};
use canasta_engine::seat::{Seat, Side};

/// Number of figures that are shown; all are judged.
const SHOWN: usize = 8;

/// Number of figures of the scores that are shown.
const SCORES_SHOWN: usize = 4;

const MEANING: &str = "Each sum is compared with those that every permutation of the seats within each deal would give: \
    if nobody chose the cards, every hand was as likely to lie before every seat. The last column is corrected for the \
    number of figures (Holm): in one of fifty honest sets of games it is below 2 % anywhere. A figure to look at accuses \
    nobody: it is a reason to look at the deals (canasta-replay verify-deal), at who could choose them, and at other \
    games. The players of a side that the cards favour need not know of it.";

const LUCK: &str = "Luck is what the same bots make of the deal as it was, beyond what they make of it from every rotation \
    of the seats: points that the cards were worth, whoever plays them.";

const NO_LUCK: &str =
    "With --luck, bots play every deal again from each rotation of the seats, and luck is judged as well.";

const SCORES: &str = "Scores are not judged: skill shows in them, and who plays first. Beside the luck of the same players \
    they tell how much of a lead the cards gave.";

/// Returns the figures that are furthest from what is expected, and what to make of them.
pub fn blocks(group: &RuleSetGames) -> Vec<Block> {
    let balance = &group.tally.balance;
    let figures = balance.figures();
    if figures.is_empty() {
        return Vec::new();
    }
    let mut table =
        TextTable::new(["", " measure", "deals", "sum", "expected", "deviations", "share", "corrected"]);
    // Luck has a row even where others are further away.
    let far = figures.iter().enumerate().filter(|(place, figure)| *place < SHOWN || figure.measure == "luck");
    for (_, figure) in far.take(SHOWN + 2) {
        let mut row = row(figure, group);
        row.push(percent(figure.corrected));
        table.rows.push(row);
    }
    let count = number(figures.len() as u64);
    let look: Vec<&BalanceFigure> = figures.iter().filter(|figure| figure.is_to_look_at()).collect();
    let verdict = match look.len() {
        0 => format!("Nothing to look at in {count} figures."),
        found => {
            let names = look.iter().take(SHOWN);
            let names = names.map(|figure| {
                let more = if figure.deviations > 0.0 { "more" } else { "less" };
                format!("{} ({more} {})", name(&figure.group, group), figure.measure.replace('_', " "))
            });
            format!("Look at {} of {count} figures: {}.", number(found as u64), join(names, ", "))
        }
    };
    let luck = if balance.has_luck() { LUCK } else { NO_LUCK };
    let mut blocks = vec![Block::Table(table), Block::Note(verdict), Block::Note(MEANING.into())];
    blocks.push(Block::Note(luck.into()));
    if balance.is_cut {
        blocks.push(Block::Note("There are too many players: those who came late are not followed.".into()));
    }
    let mut scores =
        TextTable::new(["scores", " measure", "deals", "sum", "expected", "deviations", "share"]);
    scores.rows.extend(balance.scores().iter().take(SCORES_SHOWN).map(|figure| row(figure, group)));
    if !scores.rows.is_empty() {
        blocks.extend([Block::Table(scores), Block::Note(SCORES.into())]);
    }
    blocks
}

fn row(figure: &BalanceFigure, group: &RuleSetGames) -> Vec<String> {
    vec![
        name(&figure.group, group),
        figure.measure.replace('_', " "),
        number(figure.deals),
        number(figure.found),
        format!("{:.1}", figure.expected),
        format!("{:+.1}", figure.deviations),
        percent(figure.share),
    ]
}

/// Returns a group as people call it.
pub fn name(of: &HandGroup, group: &RuleSetGames) -> String {
    let names = PlayerNames::seats_of(group.rules.set());
    match of {
        HandGroup::Seat(seat) => names.seat(Seat(*seat)),
        HandGroup::Side(side) => names.side(Side(*side)),
        HandGroup::Place(place) if place + 1 == group.rules.set().seats => "the dealer".into(),
        HandGroup::Place(place) => format!("number {} to play", place + 1),
        HandGroup::DealerSide => "the dealer's side".into(),
        HandGroup::Named { players, others } if others.is_empty() => players.join(" and "),
        HandGroup::Named { players, others } => {
            format!("{} against {}", players.join(" and "), others.join(" and "))
        }
    }
}

fn percent(share: f64) -> String {
    if share < 0.001 { "below 0.1 %".into() } else { format!("{:.1} %", share * 100.0) }
}
