//! The result of every table of an event, and the sums of every entry.

use super::check::{CheckedEvent, EventTable, opponents};
use super::field::{FieldFigure, FieldScoring, FieldSum, FigureReason};
use super::file::{Kind, Worth};
use super::sources::ResultSource;
use crate::auditing::audit::standings::{self, Criterion, Ranks, SideResult, TeamOutcome, Totals, results};
use crate::shared::text::count;
use canasta_engine::scoring::GameResult;
use canasta_engine::seat::Unit;
use std::collections::BTreeMap;

/// The advice for a game that has not ended.
const BROKEN_OFF: &str = "if the table broke off, expected an adjustment, or scoring.unfinished = \"score\"";

/// The origin of the result of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Open,
    Bye,
    Log,
    Sheet,
    /// A log or sheet of a game that broke off.
    Unfinished,
    Forfeit,
    /// An entry had withdrawn before the game.
    Withdrawn,
    Adjusted,
    /// The game counts for nobody, by a decision or because an entry withdrew.
    Void,
}

pub struct TableResult<'a> {
    pub table: &'a EventTable,
    pub origin: Origin,
    /// The results of the sides, with their match points; empty without a result.
    pub sides: Vec<(SideResult, i64)>,
    /// The figures of the sides against the field, if there is any.
    pub field: Vec<FieldFigure>,
    /// The log or sheet, and the players who have signed the sheet.
    pub path: Option<String>,
    pub signers: Vec<String>,
}

/// A meeting of two entries: one and its opponent, the match points and the difference in points of the first.
type Meeting = (usize, usize, i64, i64);

/// The results of the first rounds of an event.
pub struct EventResults<'a> {
    pub event: &'a CheckedEvent,
    pub round: u32,
    pub tables: Vec<TableResult<'a>>,
    /// The sums by entry, after penalties.
    pub totals: Vec<Totals>,
    pub field: Vec<FieldSum>,
    pub ranks: Ranks,
    /// The logs and sheets that do not count, with the reasons.
    pub faults: Vec<(String, String)>,
}

impl Origin {
    /// Returns the name of the origin, as tables show it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Bye => "bye",
            Self::Log => "log",
            Self::Sheet => "sheet",
            Self::Unfinished => "unfinished",
            Self::Forfeit => "forfeit",
            Self::Withdrawn => "withdrawn",
            Self::Adjusted => "adjusted",
            Self::Void => "void",
        }
    }
}

impl TableResult<'_> {
    /// Returns the figures against the field that no comparison gives: those of a decision, or the averages of a forfeit.
    fn given(&self, field: &FieldScoring) -> Vec<FieldFigure> {
        let figure = |of: i64, because| FieldFigure { hundredths: 100 * of, because };
        let decided = self.table.adjustment.iter().filter_map(|of| of.field.as_ref()).flatten();
        let of_forfeit = |(side, _): &(SideResult, i64)| match side.outcome {
            TeamOutcome::Lost => figure(field.averages[2], FigureReason::AtFault),
            _ => figure(field.averages[0], FigureReason::NotAtFault),
        };
        match self.origin {
            Origin::Forfeit | Origin::Withdrawn => self.sides.iter().map(of_forfeit).collect(),
            _ => decided.map(|of| figure(*of, FigureReason::Decided)).collect(),
        }
    }
}

/// Gives the sides of all tables their figures.
fn compare(event: &CheckedEvent, rows: &mut [TableResult<'_>]) {
    let Some(field) = &event.field else { return };
    let mut boards = BTreeMap::<(u32, u32), Vec<usize>>::new();
    for (at, row) in rows.iter_mut().enumerate() {
        row.field = row.given(field);
        if row.field.is_empty() && row.sides.len() > 1 {
            boards.entry(row.table.place.cards()).or_default().push(at);
        }
    }
    for tables in boards.values() {
        for side in 0..rows[tables[0]].sides.len() {
            let results: Vec<i64> = tables.iter().map(|at| rows[*at].sides[side].0.difference).collect();
            for (own, at) in tables.iter().enumerate() {
                rows[*at].field.push(field.figure(&results, own));
            }
        }
    }
}

impl<'a> EventResults<'a> {
    /// Returns the results after a round, from these logs and sheets.
    pub fn new(event: &'a CheckedEvent, round: u32, sources: Vec<ResultSource>) -> Self {
        let mut faults = Vec::new();
        let mut found: Vec<Vec<ResultSource>> = event.tables.iter().map(|_| Vec::new()).collect();
        for source in sources {
            match event.table_of(&source) {
                Ok(table) => found[table].push(source),
                Err(fault) => faults.push((source.path, fault)),
            }
        }
        let mut tables = Vec::new();
        for (table, sources) in event.tables.iter().zip(found) {
            if table.place.round <= round {
                tables.push(event.result(table, round, sources, &mut faults));
            }
        }
        faults.sort();
        compare(event, &mut tables);
        let (totals, ranks) = (vec![Totals::NONE; event.entries.len()], Ranks::default());
        let field = vec![FieldSum::default(); totals.len()];
        let mut all = Self { event, round, tables, totals, field, ranks, faults };
        let meetings = all.sum();
        let is_ranked = |&entry: &usize| event.entries[entry].from <= round && !event.is_struck(entry, round);
        let ranked = (0..event.entries.len()).filter(is_ranked).collect();
        let figure = |entry, by, group: &[usize]| all.figure(&meetings, entry, by, group);
        all.ranks = standings::rank(ranked, &event.criteria, &figure);
        all
    }

    /// Adds up the results and takes off the penalties. Returns all meetings of two entries, each from both sides.
    fn sum(&mut self) -> Vec<Meeting> {
        let (file, mut meetings) = (&self.event.file, Vec::new());
        for row in &self.tables {
            for (side, (result, match_points)) in row.table.sides.iter().zip(&row.sides) {
                for &entry in side {
                    self.totals[entry].add(result, *match_points);
                }
                for (one, other) in opponents(&row.table.sides) {
                    if side.contains(&one) {
                        meetings.push((one, other, *match_points, result.difference));
                    }
                }
            }
            for (side, figure) in row.table.sides.iter().zip(&row.field) {
                for &entry in side {
                    self.field[entry].hundredths += figure.hundredths;
                    self.field[entry].boards += 1;
                }
            }
            if row.origin == Origin::Bye {
                let of = &mut self.totals[row.table.sides[0][0]];
                of.match_points += file.scoring.bye.match_points;
                of.points += file.scoring.bye.points;
            }
        }
        let penalties = file.penalties.iter().map(|at| at.get_ref());
        for of in penalties.filter(|of| of.round <= self.round) {
            if let Some(entry) = self.event.by_number(of.entry) {
                self.totals[entry].match_points -= of.match_points;
                self.totals[entry].points -= of.points;
                self.field[entry].hundredths -= 100 * of.field;
            }
        }
        meetings
    }

    /// Returns the figure by which an entry is ranked among entries that are equal so far.
    fn figure(&self, meetings: &[Meeting], entry: usize, by: Criterion, group: &[usize]) -> i64 {
        let first = self.event.criteria[0];
        let games = meetings.iter().filter(|(one, ..)| *one == entry);
        // Among entries that have not all met, those who met weaker ones would win.
        let pairs = group.iter().flat_map(|&one| group.iter().map(move |&other| (one, other)));
        let met = |pair| meetings.iter().any(|&(one, other, ..)| (one, other) == pair);
        let mut pairs = pairs.filter(|(one, other)| one != other);
        match by {
            Criterion::Opponents => games.map(|(_, other, ..)| self.sum_of(*other, first)).sum(),
            Criterion::Lots => {
                let lots = &self.event.file.scoring.lots;
                let lot = |lot: &u32| *lot == self.event.entries[entry].number;
                -(lots.iter().position(lot).unwrap_or(lots.len()) as i64)
            }
            Criterion::Direct if pairs.all(met) => {
                let games = games.filter(|(_, other, ..)| group.contains(other));
                let column = |&(_, _, match_points, difference): &Meeting| match first {
                    Criterion::MatchPoints => match_points,
                    _ => difference,
                };
                games.map(column).sum()
            }
            _ => self.sum_of(entry, by),
        }
    }

    /// Returns the figure of an entry that other entries do not decide; hundredths against the field.
    pub fn sum_of(&self, entry: usize, by: Criterion) -> i64 {
        match (by, &self.event.field) {
            (Criterion::Field, Some(field)) => field.of_entry(self.field[entry]),
            _ => self.totals[entry].of(by),
        }
    }

    /// Returns the number of tables without a result.
    pub fn open(&self) -> usize {
        let open = self.tables.iter().filter(|row| row.origin == Origin::Open);
        open.count()
    }
}

impl CheckedEvent {
    /// Returns the table that a log or sheet is of: by the id of its game, or by its players if it names no game.
    fn table_of(&self, source: &ResultSource) -> Result<usize, String> {
        if let Some(fault) = &source.fault {
            return Err(fault.clone());
        }
        if let (Some(ours), Some(its)) = (&self.rules, &source.rules)
            && ours.digest() != its.digest()
        {
            return Err("it has another rule set than the event".into());
        }
        let tables = || self.tables.iter().enumerate();
        let Some(id) = source.game_id else {
            let mut fitting = tables().filter(|(_, table)| self.seats(table, source).is_some());
            return match (fitting.next(), fitting.next()) {
                (Some((place, _)), None) => Ok(place),
                (None, _) => Err("it names no game, and no table has these players".into()),
                _ => Err("it names no game, and several tables have these players".into()),
            };
        };
        let found = tables().find(|(_, table)| table.game_id == id);
        let (place, table) = found.ok_or("the event has no such game (event ids prints the ids)")?;
        let fault = || {
            format!(
                "its players are not those of the table, or sit on other sides: {}",
                self.sides(table, " - ")
            )
        };
        self.seats(table, source).map(|_| place).ok_or_else(fault)
    }

    /// Returns the place of each side of a table among the sides of a log or sheet; `None` if the players are others.
    fn seats(&self, table: &EventTable, source: &ResultSource) -> Option<Vec<usize>> {
        let is_team = self.file.kind == Kind::Teams;
        let sits = |side: &[usize], team: &[String]| {
            let players = side.iter().flat_map(|&entry| &self.entries[entry].players);
            let players: Vec<&String> = players.collect();
            let is_part = !team.is_empty() && team.iter().all(|name| players.contains(&name));
            is_part && (is_team || players.len() == team.len())
        };
        let seat = |side: &Vec<usize>| source.teams.iter().position(|team| sits(side, team));
        let seats: Option<Vec<usize>> = table.sides.iter().map(seat).collect();
        let count = table.sides.len();
        // Against the field, a side has the cards of its seats.
        let sit = |seats: &Vec<usize>| self.field.is_none() || seats.is_sorted();
        seats.filter(|_| source.teams.len() == count && source.points.len() == count).filter(sit)
    }

    /// Whether nothing counts of an entry, because it withdrew.
    fn is_struck(&self, entry: usize, round: u32) -> bool {
        self.file.scoring.withdrawn == Worth::Void && self.is_gone(entry, round)
    }

    /// Returns the result of a table, by a decision or from its logs and sheets.
    fn result<'a>(
        &self,
        table: &'a EventTable,
        round: u32,
        sources: Vec<ResultSource>,
        faults: &mut Vec<(String, String)>,
    ) -> TableResult<'a> {
        let entries: Vec<usize> = table.sides.iter().flatten().copied().collect();
        let any = |holds: &dyn Fn(usize) -> bool| entries.iter().any(|&entry| holds(entry));
        let forfeits = |entry| table.forfeits.iter().any(|(other, _)| *other == entry);
        let is_gone = |entry| self.is_gone(entry, table.place.round);
        let (origin, sides, field, path, signers) = (Origin::Open, Vec::new(), Vec::new(), None, Vec::new());
        let mut row = TableResult { table, origin, sides, field, path, signers };
        if let Some(decision) = &table.adjustment {
            let points = decision.points.as_deref().unwrap_or_default();
            row.origin = [Origin::Adjusted, Origin::Void][usize::from(decision.void)];
            row.sides = self.score(results(points, leader(points)));
            let given = decision.match_points.iter().flatten();
            for ((_, match_points), given) in row.sides.iter_mut().zip(given) {
                *match_points = *given;
            }
        } else if any(&|entry| self.is_struck(entry, round)) {
            row.origin = Origin::Void;
        } else if table.sides.len() == 1 {
            row.origin = Origin::Bye;
        } else if any(&forfeits) {
            (row.origin, row.sides) = (Origin::Forfeit, self.forfeit(table, &forfeits));
        } else if let Some((source, sides)) = self.played(table, sources, faults) {
            row.origin = match source.signers {
                _ if source.result.is_none() => Origin::Unfinished,
                None => Origin::Log,
                Some(_) => Origin::Sheet,
            };
            (row.path, row.signers) = (Some(source.path), source.signers.unwrap_or_default());
            row.sides = self.score(sides);
        } else if any(&is_gone) {
            (row.origin, row.sides) = (Origin::Withdrawn, self.forfeit(table, &is_gone));
        }
        row
    }

    /// Returns results with their match points.
    fn score(&self, sides: Vec<SideResult>) -> Vec<(SideResult, i64)> {
        let of = self.file.scoring.match_points;
        let scored = sides.into_iter().map(|side| (side, of[side.outcome as usize]));
        scored.collect()
    }

    /// Returns the result of a table at which some sides forfeit: the others get what a forfeit is worth (TF-022).
    fn forfeit(&self, table: &EventTable, loses: &dyn Fn(usize) -> bool) -> Vec<(SideResult, i64)> {
        let worth = self.file.scoring.forfeit.unwrap_or_default();
        let lost = |side: &Vec<usize>| side.iter().any(|&entry| loses(entry));
        let points = |side| if lost(side) { 0 } else { worth.points };
        let points: Vec<i64> = table.sides.iter().map(points).collect();
        let mut credits = Vec::new();
        for (side, result) in table.sides.iter().zip(results(&points, None)) {
            let (outcome, match_points) = match lost(side) {
                true => (TeamOutcome::Lost, 0),
                false => (TeamOutcome::Won, worth.match_points),
            };
            credits.push((SideResult { outcome, ..result }, match_points));
        }
        credits
    }

    /// Returns the log or sheet that counts for a table, with its result: a finished game before one that broke off, and a
    /// log, which shows more, before a sheet. If finished ones contradict each other, none counts.
    fn played(
        &self,
        table: &EventTable,
        mut sources: Vec<ResultSource>,
        faults: &mut Vec<(String, String)>,
    ) -> Option<(ResultSource, Vec<SideResult>)> {
        sources.sort_by_key(|source| (source.result.is_none(), source.signers.is_some()));
        let mut found: Option<(ResultSource, Vec<SideResult>)> = None;
        for source in sources {
            let seats = self.seats(table, &source)?;
            let points: Vec<i64> = seats.iter().map(|&seat| source.points[seat]).collect();
            let winner = match source.result {
                Some(GameResult { winner, .. }) => {
                    seats.iter().position(|&seat| winner == Some(Unit(seat as u8)))
                }
                None => leader(&points),
            };
            let sides = results(&points, winner);
            match &found {
                None => found = Some((source, sides)),
                Some((first, other)) if source.result.is_some() && *other != sides => {
                    let fault = format!("another result than {}: neither counts", first.path);
                    faults.push((source.path, fault));
                    return None;
                }
                Some(_) => {}
            }
        }
        let (source, sides) = found?;
        if source.result.is_none() && self.file.scoring.unfinished == Worth::Void {
            let fault = format!("the game has not ended after {}: ", count(source.rounds, "round"));
            faults.push((source.path, fault + BROKEN_OFF));
            return None;
        }
        Some((source, sides))
    }
}

/// Returns the side with the most points, unless several have them.
fn leader(points: &[i64]) -> Option<usize> {
    let best = points.iter().max()?;
    let mut leading = (0..points.len()).filter(|&side| points[side] == *best);
    leading.next().filter(|_| leading.next().is_none())
}
