//! The sections about a rule set: tables, charts and remarks, the same for the terminal and the page.

mod balance;
mod deals;

pub use balance::name as group_name;

use super::RuleSetGames;
use super::german::say;
use super::spread::Spread;
use super::tally::GameStats;
use crate::shared;
use crate::shared::table::TextTable;
use crate::shared::text::{PlayerNames, list, number};
use canasta_engine::citation::cite;
use canasta_engine::seat::{Seat, Unit};
use canasta_engine::violations::Code;
use canasta_engine::violations::template::Language;

/// A section: a title, and blocks below it.
pub struct StatsSection {
    pub title: String,
    pub blocks: Vec<Block>,
}

pub enum Block {
    Table(TextTable),
    Chart(Chart),
    Note(String),
}

pub struct Chart {
    pub title: String,
    pub bars: Vec<(String, u64)>,
}

/// Returns all sections about a rule set.
pub fn of(group: &RuleSetGames, language: Language) -> Vec<StatsSection> {
    let tally = &group.tally;
    let sections = [
        ("Lengths", lengths(tally)),
        ("Scores", scores(group)),
        ("Where points come from", items(tally)),
        ("Going out", going_out(group)),
        ("The pile", pile(tally)),
        ("Initial melds", initial(tally)),
        ("Canastas", canastas(tally)),
        ("Refusals and rulings", broken(group)),
        ("Values kept back from deals", kept_back(tally)),
        ("Deals against an honest shuffle", deals::blocks(group)),
        ("Cards, luck and scores by side, seat, player and table", balance::blocks(group)),
    ];
    let told = sections.into_iter().filter(|(_, blocks)| !blocks.is_empty());
    let in_language = |block: Block| block.in_language(language);
    let of = |blocks: Vec<Block>| blocks.into_iter().map(in_language).collect();
    told.map(|(title, blocks)| StatsSection { title: say(title, language), blocks: of(blocks) }).collect()
}

impl Block {
    fn in_language(self, language: Language) -> Self {
        let all = |texts: Vec<String>| texts.iter().map(|text| say(text, language)).collect();
        match self {
            Self::Table(TextTable { head, rows }) => {
                Self::Table(TextTable { head: all(head), rows: rows.into_iter().map(all).collect() })
            }
            Self::Chart(Chart { title, bars }) => Self::Chart(Chart {
                title: say(&title, language),
                bars: bars.into_iter().map(|(label, count)| (say(&label, language), count)).collect(),
            }),
            Self::Note(text) => Self::Note(say(&text, language)),
        }
    }
}

const SPREAD: [&str; 6] = ["", "counted", "mean", "least", "median", "most"];

fn spread_row(label: &str, spread: &Spread, table: &mut TextTable) {
    if spread.count > 0 {
        let points = [spread.least, spread.median(), spread.most].map(number);
        let [least, median, most] = points;
        let mean = mean(spread.sum, spread.count, 1);
        table.row([label.to_owned(), number(spread.count), mean, least, median, most]);
    }
}

fn spreads<'a>(rows: impl IntoIterator<Item = (&'a str, &'a Spread)>) -> Option<Block> {
    let mut table = TextTable::new(SPREAD);
    rows.into_iter().for_each(|(label, spread)| spread_row(label, spread, &mut table));
    filled(table)
}

fn filled(table: TextTable) -> Option<Block> {
    (!table.rows.is_empty()).then_some(Block::Table(table))
}

fn chart(title: &str, spread: &Spread) -> Option<Block> {
    let (width, columns) = spread.columns();
    let label = |from: i64| match width {
        1 => number(from),
        _ => format!("{} to {}", number(from), number(from + width - 1)),
    };
    let bars: Vec<(String, u64)> =
        columns.into_iter().map(|column| (label(column.from), column.count)).collect();
    (bars.len() > 1).then_some(Block::Chart(Chart { title: title.to_owned(), bars }))
}

fn lengths(tally: &GameStats) -> Vec<Block> {
    let rows = [
        ("records a game", &tally.records),
        ("actions a game", &tally.actions),
        ("turns a game", &tally.turns),
        ("rounds a game", &tally.rounds),
        ("turns a round", &tally.round_turns),
    ];
    let voided =
        (tally.voided > 0).then(|| Block::Note(format!("{} deals were void.", number(tally.voided))));
    spreads(rows).into_iter().chain(voided).chain(chart("rounds a game", &tally.rounds)).collect()
}

fn kept_back(tally: &GameStats) -> Vec<Block> {
    let found = shared::kept_back::kept_back(&tally.owed);
    let mut table = TextTable::new(["player", "values owed", "kept back", "expected", "p"]);
    found.iter().for_each(|of| table.row(of.cells()));
    let note =
        "Expected if all players keep back alike; p is that of the exact test, times the number of players.";
    if found.is_empty() { Vec::new() } else { vec![Block::Table(table), Block::Note(note.into())] }
}

fn scores(group: &RuleSetGames) -> Vec<Block> {
    let tally = &group.tally;
    let mut wins = TextTable::new(["", "games won", "share"]);
    for (unit, of) in tally.units.iter().enumerate() {
        wins.row([unit_name(unit, group), number(of.won), percent(of.won, tally.games)]);
    }
    wins.row(["drawn".into(), number(tally.drawn_games), percent(tally.drawn_games, tally.games)]);
    let mut table = TextTable::new(SPREAD);
    for (unit, of) in tally.units.iter().enumerate() {
        spread_row(&format!("{}, total", unit_name(unit, group)), &of.totals, &mut table);
    }
    for (unit, of) in tally.units.iter().enumerate() {
        spread_row(&format!("{}, a round", unit_name(unit, group)), &of.round_scores, &mut table);
    }
    spread_row("winner's margin", &tally.margins, &mut table);
    let mut rounds = Spread::default();
    tally.units.iter().for_each(|unit| rounds.merge(&unit.round_scores));
    let charts = [chart("scores of a round", &rounds), chart("winner's margin", &tally.margins)];
    [Block::Table(wins), Block::Table(table)].into_iter().chain(charts.into_iter().flatten()).collect()
}

/// Returns the name of a side or seat that keeps a total, by seats as notation names them: the players differ
/// from game to game.
fn unit_name(unit: usize, group: &RuleSetGames) -> String {
    PlayerNames::seats_of(group.rules.set()).unit(Unit(unit as u8))
}

fn items(tally: &GameStats) -> Vec<Block> {
    let rounds: u64 = tally.ends.values().sum();
    let mut table = TextTable::new(["item", "lines", "points", "mean a round"]);
    for (item, count) in &tally.items {
        let points = number(count.points);
        table.row([item.replace('_', " "), number(count.lines), points, mean(count.points, rounds, 1)]);
    }
    filled(table).into_iter().collect()
}

fn going_out(group: &RuleSetGames) -> Vec<Block> {
    let (tally, out) = (&group.tally, &group.tally.going_out);
    let rounds: u64 = tally.ends.values().sum();
    let mut ends = TextTable::new(["how rounds end", "rounds", "share"]);
    for (end, &count) in &tally.ends {
        ends.row([end.replace('_', " "), number(count), percent(count, rounds)]);
    }
    if out.rounds == 0 {
        return vec![Block::Table(ends)];
    }
    let concealed = format!(
        "{} of {} were concealed ({}).",
        number(out.concealed),
        number(out.rounds),
        percent(out.concealed, out.rounds)
    );
    let mut who = TextTable::new(["who goes out", "rounds", "share"]);
    for (place, &count) in out.by_place.iter().enumerate() {
        let dealer = place + 1 == usize::from(group.rules.set().seats);
        let label = format!("plays as number {}{}", place + 1, if dealer { " (dealer)" } else { "" });
        who.row([label, number(count), percent(count, out.rounds)]);
    }
    let names = PlayerNames::seats_of(group.rules.set());
    for (seat, &count) in (0..).zip(&out.by_seat) {
        who.row([names.seat(Seat(seat)), number(count), percent(count, out.rounds)]);
    }
    let turns = spreads([("own turn in which one goes out", &out.turn)]);
    let blocks = [Block::Table(ends), Block::Note(concealed), Block::Table(who)];
    blocks.into_iter().chain(turns).chain(chart("own turn in which one goes out", &out.turn)).collect()
}

fn pile(tally: &GameStats) -> Vec<Block> {
    let pile = &tally.pile;
    let mut all = pile.open.clone();
    all.merge(&pile.frozen);
    let rounds: u64 = tally.ends.values().sum();
    let rows = [("cards of an open pile", &pile.open), ("cards of a frozen pile", &pile.frozen)];
    let often = format!(
        "{} taken, {} a round; {} while frozen.",
        number(all.count),
        mean(all.count as i64, rounds, 2),
        percent(pile.frozen.count, all.count)
    );
    let mut froze = TextTable::new(["what froze it for everyone", "times"]);
    for (cause, &count) in &pile.froze {
        froze.row([cause.to_lowercase().replace('_', " "), number(count)]);
    }
    let charts = chart("cards of a pile that is taken", &all);
    spreads(rows).into_iter().chain([Block::Note(often)]).chain(filled(froze)).chain(charts).collect()
}

fn initial(tally: &GameStats) -> Vec<Block> {
    let initial = &tally.initial;
    let mut table = TextTable::new(["minimum", "opened", "mean points", "least", "median", "most"]);
    for (minimum, points) in &initial.points {
        spread_row(&number(*minimum), points, &mut table);
    }
    let missed = if initial.short.count > 0 {
        let mean = mean(initial.short.sum, initial.short.count, 1);
        format!(" {} refused below the minimum, {mean} points short on average.", number(initial.short.count))
    } else {
        " None refused below the minimum is in the logs.".into()
    };
    let unopened = number(initial.unopened);
    let note = format!(
        "Points are those of the cards laid. {unopened} times a side had not opened at the end of a round.{missed}"
    );
    let turns =
        [("own turn in which a side opens", &initial.turn), ("points short of the minimum", &initial.short)];
    let blocks = [Block::Table(table), Block::Note(note)];
    blocks
        .into_iter()
        .chain(spreads(turns))
        .chain(chart("own turn in which a side opens", &initial.turn))
        .collect()
}

fn canastas(tally: &GameStats) -> Vec<Block> {
    let rounds: u64 = tally.ends.values().sum();
    let all: u64 = tally.canastas.values().sum();
    let mut table = TextTable::new(["canastas at the end of rounds", "in all", "share", "mean a round"]);
    for (grade, &count) in &tally.canastas {
        let mean = mean(count as i64, rounds, 2);
        table.row([(*grade).to_owned(), number(count), percent(count, all), mean]);
    }
    filled(table).into_iter().collect()
}

fn broken(group: &RuleSetGames) -> Vec<Block> {
    let (tally, books) = (&group.tally, group.rules.books());
    let rules = |code: &str| Code::from_name(code).map_or_else(String::new, |code| list(cite(code, &books)));
    let mut blocks = Vec::new();
    let refusals = &tally.refusals;
    if refusals.count == 0 {
        blocks.push(Block::Note(
            "No refusal is in the logs: they hold one only where the caller asks for it.".into(),
        ));
    } else {
        let mut kinds = TextTable::new(["refused", "times", "share"]);
        for (kind, &count) in &refusals.kinds {
            kinds.row([kind.replace('_', " "), number(count), percent(count, refusals.count)]);
        }
        let mut codes = TextTable::new(["broken rule", "refusals", "share", " rules"]);
        let mut sorted: Vec<_> = refusals.codes.iter().collect();
        sorted.sort_by_key(|&(_, &count)| std::cmp::Reverse(count));
        for (code, &count) in sorted {
            codes.row([code.clone(), number(count), percent(count, refusals.count), rules(code)]);
        }
        let note = "One refusal may break several rules.".into();
        blocks.extend([Block::Table(kinds), Block::Table(codes), Block::Note(note)]);
    }
    let mut illegal = TextTable::new(["played against the rules, and ruled on", "times", " rules"]);
    for (code, &count) in &tally.illegal {
        illegal.row([(*code).to_owned(), number(count), rules(code)]);
    }
    let mut rulings = TextTable::new(["rulings: by whom, effect, rule", "times"]);
    for (ruling, &count) in &tally.rulings {
        rulings.row([ruling.replace('_', " "), number(count)]);
    }
    blocks.into_iter().chain(filled(illegal)).chain(filled(rulings)).collect()
}

/// Returns a mean with this number of decimals, rounded half away from zero.
pub fn mean(sum: i64, count: u64, decimals: u32) -> String {
    if count == 0 {
        return "-".into();
    }
    let scale = 10i128.pow(decimals);
    let (sum, count) = (i128::from(sum) * scale, i128::from(count));
    let rounded = (2 * sum.abs() + count) / (2 * count);
    let sign = if sum < 0 && rounded > 0 { "-" } else { "" };
    let digits = decimals as usize;
    format!("{sign}{}.{:0digits$}", number(rounded / scale), rounded % scale)
}

/// Returns a share in percent with one decimal.
pub fn percent(part: u64, of: u64) -> String {
    let share = mean((part as i64).saturating_mul(100), of, 1);
    if of == 0 { share } else { format!("{share} %") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_rounded_half_away_from_zero() {
        let means = [mean(10, 4, 1), mean(-10, 3, 1), mean(-1, 100, 1), mean(12_345, 10, 1), mean(1, 3, 2)];
        assert_eq!(means, ["2.5", "-3.3", "0.0", "1,234.5", "0.33"]);
        assert_eq!(percent(1, 8), "12.5 %");
        assert_eq!(percent(0, 0), "-");
    }
}
